//! Matrix products, batched.
//!
//! One product at a time goes one of three ways: `direct` where it is small, `gemm` for `f32` and `f64`, `blocked`
//! for the other types.

mod blocked;
mod direct;
mod gemm;

use half::{bf16, f16};

use super::Element;

/// Products of at most this many multiplications are computed directly: packing would cost more than it saves.
const DIRECT_LIMIT: usize = 4096;

/// One dimension over which a product is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch {
    /// How many products.
    pub size: usize,
    /// Elements from one left matrix to the next; 0 where all products share it.
    pub a_stride: usize,
    /// Elements from one right matrix to the next; 0 where all products share it.
    pub b_stride: usize,
}

/// The shape of a batched product `c[.., m, n] = a[.., m, k] b[.., k, n]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatMulShape {
    /// Rows of `a` and `c`.
    pub m: usize,
    /// Columns of `b` and `c`.
    pub n: usize,
    /// Columns of `a` and rows of `b`.
    pub k: usize,
    /// Whether `a` is stored as `[k, m]`.
    pub transpose_a: bool,
    /// Whether `b` is stored as `[n, k]`.
    pub transpose_b: bool,
    /// The dimensions before the matrices, outermost first; `c` is contiguous over them.
    pub batch: &'static [Batch],
}

/// One product: matrices, contiguous and row-major as they are stored.
struct Product<'a, T> {
    a: &'a [T],
    b: &'a [T],
    shape: &'a MatMulShape,
}

impl<T: Element> Product<'_, T> {
    /// The element of `a` at row `i` and column `p`, whether it is stored transposed or not.
    #[inline(always)]
    fn left(&self, i: usize, p: usize) -> T {
        let MatMulShape { m, k, transpose_a, .. } = *self.shape;
        self.a[if transpose_a { p * m + i } else { i * k + p }]
    }

    /// The element of `b` at row `p` and column `j`.
    #[inline(always)]
    fn right(&self, p: usize, j: usize) -> T {
        let MatMulShape { n, k, transpose_b, .. } = *self.shape;
        self.b[if transpose_b { j * k + p } else { p * n + j }]
    }
}

/// An element type that matrices are multiplied in.
#[expect(private_interfaces, reason = "sealed, as Element is; only this module calls it")]
pub trait MatMulElement: Element {
    /// One product of more than `DIRECT_LIMIT` multiplications.
    #[doc(hidden)]
    fn multiply(product: &Product<'_, Self>, c: &mut [Self]);
}

macro_rules! multiply_by {
    ($($way:path: $($type:ident)+;)+) => {$($(
        #[expect(private_interfaces, reason = "sealed, as Element is; only this module calls it")]
        impl MatMulElement for $type {
            fn multiply(product: &Product<'_, Self>, c: &mut [Self]) {
                $way(product, c);
            }
        }
    )+)+};
}

multiply_by! {
    gemm::multiply: f32 f64;
    blocked::multiply: f16 bf16 i32 i64 u8;
}

/// Matrix products: `c[.., i, j]` is the sum of `a[.., i, p] * b[.., p, j]` over `p`, 0 where `k` is 0.
///
/// Integers wrap. `f16` and `bf16` are summed in `f32` and rounded once. No product is left out, so that zero times
/// infinity is NaN here as everywhere. The order of the sums of floats is not defined.
///
/// `a` and `b` are read as `shape` says; `c` has the batch dimensions, `m` and `n` elements and is overwritten.
///
/// Allocates nothing, except that each large product of `f32` or `f64` goes through the crate `matrixmultiply`, which
/// allocates (and frees) its packing buffers on every call.
///
/// # Panics
/// When `c` has not as many elements as `shape` says, or `a` or `b` has too few.
pub fn matmul<T: MatMulElement>(a: &[T], b: &[T], c: &mut [T], shape: &MatMulShape) {
    let products: usize = shape.batch.iter().map(|batch| batch.size).product();
    assert_eq!(c.len(), products * shape.m * shape.n, "matmul: elements of c, and as {shape:?} says");
    if !c.is_empty() {
        each_product(shape.batch, a, b, c, shape);
    }
}

/// The products of `batch` and, by recursion, of the dimensions within.
fn each_product<T: MatMulElement>(batch: &[Batch], a: &[T], b: &[T], c: &mut [T], shape: &MatMulShape) {
    let Some((outer, inner)) = batch.split_first() else {
        let &MatMulShape { m, n, k, .. } = shape;
        let product = Product { a: &a[..m * k], b: &b[..k * n], shape };
        return if m.saturating_mul(n).saturating_mul(k) <= DIRECT_LIMIT {
            direct::multiply(&product, c);
        } else {
            T::multiply(&product, c);
        };
    };
    for (i, c) in c.chunks_exact_mut(c.len() / outer.size).enumerate() {
        each_product(inner, &a[i * outer.a_stride..], &b[i * outer.b_stride..], c, shape);
    }
}

#[cfg(test)]
mod tests;
