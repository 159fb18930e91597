//! Manual device placement: a `device` block says where its ops run.
//!
//! `a` and `b` are on the CPU; the product is not in the block and goes to the default device. What crosses between the
//! two is part of the static plan: values are copied in a run, constants are uploaded once, at load.

use graph_runtime::{Config, Session, graph};

fn main() -> graph_runtime::Result<()> {
    println!("Without GPUs this example runs on a virtual one: the CPU, with a memory of its own.");
    let g = graph! {
        let (a, b) = device("/cpu:0") {
            let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
            let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
            (a, b)
        };
        matmul(a, b)
    };
    let mut session = Session::new(Config::new().virtual_gpus(1).log_device_placement(true))?;
    let c = session.run(&g, ())?;
    println!("{c}");
    println!("\nThe plan, made at build time:\n{}", g.plan());

    assert_eq!(c, ndarray::array![[22.0, 28.0], [49.0, 64.0]]);
    let placement = session.placement(&g)?;
    assert_eq!(placement.device("a"), Some("/job:localhost/replica:0/task:0/device:CPU:0"));
    assert_eq!(placement.device("b"), Some("/job:localhost/replica:0/task:0/device:CPU:0"));
    assert_eq!(placement.device("MatMul"), Some("/job:localhost/replica:0/task:0/device:GPU:0"));
    Ok(())
}
