use graph_runtime::graph;

graph! {
    pub mod net {
        fn g(x, y) { matmul(x, y) }
        pub fn f(x: f32[2, 3]) -> f32[2, 2] { g(x, x) }
    }
}

fn main() {}
