//! Large products of `f32` and `f64`, by `ndarray` and so by `matrixmultiply`.
//!
//! Transposes are strides there, nothing is copied for them. `matrixmultiply` packs parts of both sides into buffers
//! that it allocates per call.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, LinalgScalar};

use super::{MatMulShape, Product};
use crate::cpu::Element;

/// Writes the product to `c`, which has `m` times `n` elements.
pub(super) fn multiply<T: Element + LinalgScalar>(product: &Product<'_, T>, c: &mut [T]) {
    let MatMulShape { m, n, k, transpose_a, transpose_b, .. } = *product.shape;
    let a = matrix(product.a, m, k, transpose_a);
    let b = matrix(product.b, k, n, transpose_b);
    let mut c = ArrayViewMut2::from_shape((m, n), c).expect("matmul has checked the length of c");
    // With a factor of zero, what `c` held before is overwritten and not multiplied.
    general_mat_mul(T::ONE, &a, &b, T::ZERO, &mut c);
}

/// `elements` as a matrix of these sizes, stored transposed or not.
fn matrix<T>(elements: &[T], rows: usize, columns: usize, transposed: bool) -> ArrayView2<'_, T> {
    let stored = if transposed { (columns, rows) } else { (rows, columns) };
    let view = ArrayView2::from_shape(stored, elements).expect("matmul has cut the slice to the matrix");
    if transposed { view.reversed_axes() } else { view }
}
