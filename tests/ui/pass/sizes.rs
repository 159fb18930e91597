//! The right forms beside the mistakes of `tests/ui/sizes`.
#![deny(warnings)]

use graph_runtime::graph;

fn main() {
    let _ = graph! { { const N: usize = 4; zeros([N, N * 2 + 1, N / 3, N % 3]) } };
    let _ = graph! { zeros([]) };
    let _ = graph! { zeros([0, 5]) };
    let _ = graph! { |x: f32[2 * 3]| x };
    let _ = graph! { |x: f32| x };
    let _ = graph! { |x: f32[]| x };
    let _ = graph! { |x: f32[2]| for i in 0..=1 { x[i] } };
}
