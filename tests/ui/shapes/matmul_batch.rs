use graph_runtime::graph;

fn main() {
    let _g = graph! { |a: f32[2, 4, 4], b: f32[3, 4, 4]| matmul(a, b) };
}
