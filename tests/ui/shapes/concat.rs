use graph_runtime::graph;

fn main() {
    let _g = graph! { |a: f32[2, 3], b: f32[2, 4]| concat([a, b], axis = 0) };
}
