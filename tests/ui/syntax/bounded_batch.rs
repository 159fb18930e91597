use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[BATCH <= 64, 3]| x };
}
