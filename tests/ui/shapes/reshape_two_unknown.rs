use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2, 3]| reshape(x, [-1, -1]) };
}
