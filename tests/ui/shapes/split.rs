use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[5]| { let (a, b) = split(x, 2); a + b } };
}
