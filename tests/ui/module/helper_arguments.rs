use graph_runtime::graph;

graph! {
    pub mod net {
        fn g(x, y) { x + y }
        pub fn f(x: f32[2]) -> f32[2] { g(x) }
    }
}

fn main() {}
