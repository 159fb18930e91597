//! The right forms beside the mistakes of `tests/ui/literals`.
#![deny(warnings)]

use graph_runtime::graph;

mod inner {
    use graph_runtime::graph;

    pub(super) fn constant() {
        let _ = graph! { constant(super::W: f32[2, 3]) };
    }
}

const W: [[f32; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];

fn main() {
    let _ = graph! { constant([[1.0, 2.0], [3.0, 4.0]]) };
    let _ = graph! { constant([1, 2], dtype = u8) };
    let _ = graph! { constant([255u8]) };
    let _ = graph! { constant(3000000000, dtype = i64) };
    let _ = graph! { |x: i32[2]| cast(x, f32) + 1.5 };
    let _ = graph! { |x: f64[2]| x + 1 };
    let _ = graph! { |x: f32[2]| x + f32::NAN };
    let _ = graph! { |x: i32[2]| x / 2 % 3 };
    let _ = graph! { constant([true, false]) };
    let _ = graph! { constant(W: f32[2, 3]) };
    inner::constant();
    let _ = graph! { constant(f32::INFINITY) };
    let _ = graph! { constant([[]]) };
    let _ = graph! { constant(-1.5e-3) };
}
