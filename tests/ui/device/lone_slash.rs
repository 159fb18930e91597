use graph_runtime::graph;

fn main() {
    let _g = graph! { |a: f32[2, 2], b: f32[2, 2]| device("/") { matmul(a, b) } };
}
