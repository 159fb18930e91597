use graph_runtime::graph;

fn main() {
    let _g = graph! { |input: f32[2]| inptu + 1.0 };
}
