//! The right forms beside the mistakes of `tests/ui/syntax`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { |x: f32[2]| { let y = x + x; let z = y + y; z } };
    let _ = graph! { |x: f32[2]| x + x };
    let _ = graph! { |x: f32[2]| let y = x + x; y };
    let _ = graph! { { zeros([2]) } };
    let _ = graph! { zeros([2]) };
    let _ = graph! { || zeros([2]) };
    let _ = graph! { |x: f32[2],| { x } };
    let _ = graph! { |x: bool[2]| x & !x | x ^ x };
    let _ = graph! { |x: f32[2]| (0.0 < x) & (x < 1.0) };
    let _ = graph! { |x: f32[2]| select(x > 0.0, x, -x) };
    let _ = graph! { |x: i32[2]| cast(x, f32) };
    let _ = graph! { |x: f32[2, 2]| matmul(x, x) };
    let _ = graph! { |x: f32[2, 2]| x.matmul(x).relu() };
    let _ = graph! { |x: f32[2]| { /* a comment */ let y = x; // another
 y } };
    let _ = graph! { |x: f32[2]| { #[allow(unused)] let y = x + x; x } };
    let _ = graph! { #![allow(unused)] |x: f32[2], y: f32[2]| x };
    let _ = graph! { |x: i32[2]| x << 1 >> 2 };
    let _ = graph! { |x: f32[2]| x + 0.5 + 1. + 1e-3 + 1_000.0 };
    let _ = graph! { |x: f32[2, 1]| split(x, 2).0 };
    let _ = graph! { |x: f32[2]| { let (a, b) = (x, x + x); (a, b) } };
    let _ = graph! { |x: f32[2]| (double: x + x, same: x) };
    let _ = graph! { |x: i64[2]| x * 0x10 + 0b11 };
}
