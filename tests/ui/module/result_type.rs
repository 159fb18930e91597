use graph_runtime::graph;

graph! {
    pub mod net {
        pub fn f(x: f32[2]) -> f32[3] { x + x }
    }
}

fn main() {}
