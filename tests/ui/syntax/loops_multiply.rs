use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| { for i in 0..60000 { for j in 0..60000 { x + x } }; x } };
}
