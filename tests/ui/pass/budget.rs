//! The right forms beside the mistakes of `tests/ui/budget`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { |x: f32[512, 512]| { budget("/device:GPU:0", 3 MiB); device("/gpu:0") { matmul(x, x) } } };
    let _ = graph! { |x: f32[2]| { budget("/cpu:0", 64MiB); device("/cpu:0") { x + x } } };
    let _ = graph! { |x: f32[2]| { budget("/cpu:0", 1000); x + x } };
}
