use graph_runtime::graph;

fn main() {
    let _g = graph! { |c: bool[3], a: f32[2], b: f32[2]| select(c, a, b) };
}
