use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[3]| gather(x, [0, 3]) };
}
