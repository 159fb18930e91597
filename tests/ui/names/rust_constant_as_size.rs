use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[SIZE]| x };
}
