//! The right forms beside the mistakes of `tests/ui/device`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { |x: f32[2]| device("/gpu:1") { x + x } };
    let _ = graph! { |x: f32[2]| device("/device:GPU:1") { x + x } };
    let _ = graph! { |x: f32[2]| device("/GPU:*") { x + x } };
    let _ = graph! { |x: f32[2]| device("/device:cpu") { x + x } };
    let _ = graph! { |x: f32[2]| device("/job:localhost/replica:0/task:0/device:GPU:0") { x + x } };
    let _ = graph! { |x: f32[2]| device(none) { x + x } };
    let _ = graph! { |x: f32[2]| device("/cpu:0") { device(none) { device("/gpu:0") { x + x } } } };
    let _ = graph! { |x: f32[2]| device("/gpu:0") < x + x > };
    let _ = graph! { |x: f32[2]| device("/gpu:0") < device("/gpu:1") < x + x >> };
    let _ = graph! { |x: f32[2]| device("/gpu:0") < (x > 0.0) > };
    let _ = graph! { |x: f32[2]| { let y = for i in 0..2 { device("/gpu:{i}") { x + x } }; add_n(y) } };
    let _ = graph! { |x: f32[2]| { let y = for d in ["/gpu:0", "/cpu:0"] { device(d) { x + x } }; add_n(y) } };
    let _ = graph! { |x: f32[2]| { let y = device("/gpu:0") { x + x }; colocate_with(y) { y * y } } };
    let _ = graph! { |x: f32[2]| { device("/gpu:0") { let y = x + x; let _ = y; } x } };
}
