use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| 0.0 < x < 1.0 };
}
