//! The right forms beside the mistakes of `tests/ui/dtypes`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { |a: f32[2], b: f64[2]| cast(a, f64) + b };
    let _ = graph! { |x: i32[2]| exp(cast(x, f32)) };
    let _ = graph! { |x: i32[2]| mean(cast(x, f32)) };
    let _ = graph! { |x: bool[2]| sum(cast(x, i32)) };
    let _ = graph! { |c: bool[2], a: f32[2]| select(c, a, a) };
    let _ = graph! { |x: i32[2]| x & 3 };
    let _ = graph! { |x: i32[2]| logical_and(x != 0, x != 1) };
    let _ = graph! { |x: u8[2]| x << 1 };
    let _ = graph! { |x: f16[2], y: bf16[2]| (x + 1.0, y * 2) };
    let _ = graph! { |x: f32[3], i: i64[2]| gather(x, i) };
    let _ = graph! { |x: bool[2]| !x };
    let _ = graph! { |x: i64[2]| -x };
}
