//! The right forms beside the mistakes of `tests/ui/names`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { |x: f32[2]| relu(x) };
    let _ = graph! { |x: f32[2]| { let _unused = x + x; x } };
    let _ = graph! { |x: f32[2], _unused: f32[2]| x };
    let _ = graph! { |x: f32[2]| relu(x, name = "my_relu") };
    let _ = graph! { |x: f32[2]| scope("a") { scope("b") { x + x } } };
    let _ = graph! { |x: f32[2]| { const SIZE: usize = 2; x + zeros([SIZE]) } };
    let _ = graph! { |x: f32[2]| { let x = x + x; let x = x * x; x } };
    let _ = graph! { |x: f32[2]| for i in 0..3 { relu(x, name = "tower_{i}") } };
    let _ = graph! { |x: f32[2]| relu(x, name = "a/b.c-d") };
}
