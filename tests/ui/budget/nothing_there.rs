use graph_runtime::graph;

fn main() {
    let _g = graph! {
        |x: f32[2]| { budget("/device:GPU:1", 1 MiB); device("/gpu:0") { x + x } }
    };
}
