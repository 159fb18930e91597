use graph_runtime::graph;

fn main() {
    let _g = graph! { |c: f32[2], a: f32[2]| select(c, a, a) };
}
