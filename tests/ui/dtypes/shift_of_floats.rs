use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| x << 1.0 };
}
