//! What a run costs: the guide's graph with constants and with inputs, in new arrays and in the caller's.

use criterion::{Criterion, criterion_group, criterion_main};
use graph_runtime::{Config, Session, graph};
use ndarray::{Array2, array};

fn guide(c: &mut Criterion) {
    let constants = graph! {
        let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
        let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
        matmul(a, b)
    };
    let fed = graph! { |a: f32[2, 3], b: f32[3, 2]| matmul(a, b) };
    let towers = graph! {
        let c = for d in ["/device:GPU:2", "/device:GPU:3"] {
            device(d) {
                let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
                let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
                matmul(a, b)
            }
        };
        device("/cpu:0") { add_n(c) }
    };
    let a = array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let b = array![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let mut out = Array2::<f32>::zeros((2, 2));
    for (name, gpus) in [("cpu", 0), ("virtual_gpu", 4)] {
        let mut session = Session::new(Config::new().virtual_gpus(gpus)).expect("a session opens");
        let mut group = c.benchmark_group(name);
        group.bench_function("guide/constants/run", |b| b.iter(|| session.run(&constants, ())));
        group.bench_function("guide/constants/run_into", |b| {
            b.iter(|| session.run_into(&constants, (), &mut out));
        });
        group.bench_function("guide/fed/run", |bencher| bencher.iter(|| session.run(&fed, (&a, &b))));
        group.bench_function("guide/fed/run_into", |bencher| {
            bencher.iter(|| session.run_into(&fed, (&a, &b), &mut out));
        });
        if gpus > 0 {
            group.bench_function("guide/towers/run_into", |b| {
                b.iter(|| session.run_into(&towers, (), &mut out));
            });
        }
    }
}

criterion_group!(benches, guide);
criterion_main!(benches);
