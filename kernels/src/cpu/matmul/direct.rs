//! Small products: plain loops, whose inner ones run over contiguous elements.

use super::{MatMulShape, Product};
use crate::cpu::Element;
use crate::cpu::scalar::{add, mul};

/// How many columns of `c` are summed at once.
const COLUMNS: usize = 32;
/// How much of a row of `a` is gathered at once, where `b` is transposed.
const DEPTH: usize = 64;
/// How many sums a dot product is split into, so that it vectorises though sums of floats may not be reordered.
const LANES: usize = 8;

/// Writes the product to `c`, which has `m` times `n` elements, at least one.
pub(super) fn multiply<T: Element>(product: &Product<'_, T>, c: &mut [T]) {
    let MatMulShape { n, transpose_b, .. } = *product.shape;
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for (tile, out) in row.chunks_mut(COLUMNS).enumerate() {
            let mut sums = [T::Wide::ZERO; COLUMNS];
            let sums = &mut sums[..out.len()];
            if transpose_b {
                add_dots(product, i, tile * COLUMNS, sums);
            } else {
                add_rows(product, i, tile * COLUMNS, sums);
            }
            for (element, &sum) in out.iter_mut().zip(&*sums) {
                *element = T::narrow(sum);
            }
        }
    }
}

/// Adds to `sums` the columns from `start` of row `i`: each element of the row of `a` times a row of `b`.
fn add_rows<T: Element>(product: &Product<'_, T>, i: usize, start: usize, sums: &mut [T::Wide]) {
    let MatMulShape { n, k, .. } = *product.shape;
    for p in 0..k {
        let left = product.left(i, p).widen();
        let right = &product.b[p * n + start..][..sums.len()];
        for (sum, right) in sums.iter_mut().zip(right) {
            *sum = add(*sum, mul(left, right.widen()));
        }
    }
}

/// Adds to `sums` the columns from `start` of row `i`: dot products, as the columns of `b` are contiguous.
fn add_dots<T: Element>(product: &Product<'_, T>, i: usize, start: usize, sums: &mut [T::Wide]) {
    let k = product.shape.k;
    let mut left = [T::Wide::ZERO; DEPTH];
    for first in (0..k).step_by(DEPTH) {
        let left = &mut left[..DEPTH.min(k - first)];
        for (p, element) in left.iter_mut().enumerate() {
            *element = product.left(i, first + p).widen();
        }
        for (j, sum) in sums.iter_mut().enumerate() {
            let right = &product.b[(start + j) * k + first..][..left.len()];
            *sum = add(*sum, dot(left, right));
        }
    }
}

/// The sum of the products of two slices of one length.
fn dot<T: Element>(left: &[T::Wide], right: &[T]) -> T::Wide {
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    let mut lanes = [T::Wide::ZERO; LANES];
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            lanes[lane] = add(lanes[lane], mul(left[lane], right[lane].widen()));
        }
    }
    let rest = left_rest.iter().zip(right_rest).map(|(&left, right)| mul(left, right.widen()));
    rest.chain(lanes).fold(T::Wide::ZERO, add)
}
