use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| sum(x, axis = 0, keepdims = 1) };
}
