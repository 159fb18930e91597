use graph_runtime::graph;

graph! {
    pub mod net {
        pub fn f(x: f32[2]) -> f32[2] { x }
        pub fn f_into(x: f32[2]) -> f32[2] { x + x }
    }
}

fn main() {}
