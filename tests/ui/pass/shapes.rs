//! The right forms beside the mistakes of `tests/ui/shapes`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { |a: f32[64, 32], b: f32[64, 10]| matmul(a, b, transpose_a = true) };
    let _ = graph! { |a: f32[2], b: f32[2, 2]| matmul(expand_dims(a, 0), b) };
    let _ = graph! { |a: f32[2, 4, 4], b: f32[1, 4, 4]| matmul(a, b) };
    let _ = graph! { |a: f32[2, 3], b: f32[2, 1]| a + b };
    let _ = graph! { |c: bool[2], a: f32[2], b: f32| select(c, a, b) };
    let _ = graph! { |x: f32[2, 3]| sum(x, axis = -1) };
    let _ = graph! { |x: f32[1]| max(x) };
    let _ = graph! { |x: f32[0, 2]| max(x, axis = 1) };
    let _ = graph! { |x: f32[2, 3]| reshape(x, [3, -1]) };
    let _ = graph! { |x: f32[2, 3]| transpose(x) };
    let _ = graph! { |x: f32[2, 1]| squeeze(x) };
    let _ = graph! { |x: f32[2]| expand_dims(x, 1) };
    let _ = graph! { |x: f32[2]| broadcast_to(x, [3, 2]) };
    let _ = graph! { |a: f32[2, 3], b: f32[2, 4]| concat([a, b], axis = 1) };
    let _ = graph! { |a: f32[2], b: f32[2]| stack([a, b], axis = -1) };
    let _ = graph! { |x: f32[6]| { let (a, b) = split(x, 2); a + b } };
    let _ = graph! { |x: f32[5]| { let (a, b) = split(x, [2, 3]); (a, b) } };
    let _ = graph! { |x: f32[2, 3]| x[1, ..;-1] };
    let _ = graph! { |x: f32[2, 3]| x[..., 0] };
    let _ = graph! { |x: f32[4]| x[1..-1] };
    let _ = graph! { |x: f32[2, 3]| pad(x, [[1, 1], [0, 2]], value = 1.0) };
    let _ = graph! { |x: f32[2, 3]| tile(x, [2, 1]) };
    let _ = graph! { |x: f32[3]| gather(x, [0, 2]) };
    let _ = graph! { one_hot([0, 2], 3) };
    let _ = graph! { |x: f32[2, 3], s: f32[3]| layer_norm(x, scale = s) };
    let _ = graph! { |x: f32[2]| { let y: f32[2] = x + x; y } };
}
