//! The right forms beside the mistakes of `tests/ui/module`.
#![deny(warnings, missing_docs)]

use graph_runtime::graph;

graph! {
    pub mod net {
        const N: usize = 2;
        const M: usize = N + 1;
        budget("/device:GPU:0", 64 MiB);

        fn twice(x) { x + x }
        fn dense(x, w: f32[N, M]) { matmul(twice(x), w) }

        pub fn one(x: f32[1, N], w: f32[N, M]) -> f32[1, M] { dense(x, w) }
        pub fn many(x: f32[8, N], w: f32[N, M]) -> (y: f32[8, M], total: f32) {
            let y = device("/gpu:0") { dense(x, w) };
            (y: y, total: sum(y))
        }
        pub(crate) fn pair(x: f32[N]) -> (f32[N], f32) { (twice(x), x[0]) }
    }
}

graph! {
    #[allow(unused)]
    mod private {
        fn helper(x) { x }
        pub fn entry() -> i32[3] { range(3) }
    }
}

fn main() {
    let session = graph_runtime::Session::new(graph_runtime::Config::new().virtual_gpus(1)).unwrap();
    let mut model = net::load(&session).unwrap();
    let y = model.one(&[[1.0, 2.0]], &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap();
    assert_eq!(y, ndarray::array![[18.0, 24.0, 30.0]]);
    assert_eq!(model.pair(&[1.0, 2.0]).unwrap().1, 1.0);
    assert_eq!(private::load(&session).unwrap().entry().unwrap(), ndarray::array![0, 1, 2]);
}
