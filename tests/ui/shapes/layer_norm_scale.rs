use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2, 3], s: f32[2]| layer_norm(x, scale = s) };
}
