use graph_runtime::graph;

fn main() {
    let _g = graph! {
        |x: f32[512, 512]| { budget("/device:GPU:0", 1 MiB); let y = device("/gpu:0") { matmul(x, x) }; y }
    };
}
