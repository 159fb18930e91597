use graph_runtime::graph;

graph! {
    pub mod net {
        var w: f32[2] = zeros();
        pub fn f(x: f32[2]) -> f32[2] { x }
    }
}

fn main() {}
