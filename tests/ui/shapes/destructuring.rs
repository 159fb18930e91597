use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[6]| { let (a, b) = split(x, 3); a + b } };
}
