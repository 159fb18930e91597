use graph_runtime::graph;

fn main() {
    let _g = graph! { |x: f32[2]| { budget("/device:GPU:0", 1 MB2); x } };
}
