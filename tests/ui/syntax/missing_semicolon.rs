use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| { let y = x + x let z = y + y; z } };
}
