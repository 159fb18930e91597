//! The right forms beside the mistakes of `tests/ui/arguments`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { |x: f32[2, 2]| matmul(x, x, transpose_b = true) };
    let _ = graph! { |x: f32[2]| sum(x, axis = 0) };
    let _ = graph! { |x: f32[2]| sum(x, axis = [0], keepdims = true) };
    let _ = graph! { |x: f32[2]| x.sum(keepdims = true) };
    let _ = graph! { |x: f32[2]| add_n([x, x]) };
    let _ = graph! { |x: f32[2]| add_n([x]) };
    let _ = graph! { |x: f32[2]| cast(x, f64) };
    let _ = graph! { |x: f32[2]| softmax(x = x) };
}
