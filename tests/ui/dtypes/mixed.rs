use graph_runtime::graph;

fn main() {
    let _g = graph! { |a: f32[2], b: f64[2]| a + b };
}
