use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| for i in 0..2 { device("/gpu:-{i}") { x + x } } };
}
