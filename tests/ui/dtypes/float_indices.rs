use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[3], i: f32[2]| gather(x, i) };
}
