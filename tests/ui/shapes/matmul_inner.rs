use graph_runtime::graph;

fn main() {
    let _g = graph! { |a: f32[64, 32], b: f32[64, 10]| matmul(a, b) };
}
