use graph_runtime::graph;

graph! {
    pub mod net {
        const N: usize = 1.5;
        pub fn f(x: f32[2]) -> f32[2] { x }
    }
}

fn main() {}
