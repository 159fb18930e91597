//! Small products: plain loops, whose inner ones run over contiguous elements.

use super::{MatMulShape, Product};
use crate::cpu::Element;
use crate::cpu::scalar::{add, mul};

/// How much of a row of `a` is gathered at once, where `b` is transposed.
const DEPTH: usize = 64;
/// How many sums a dot product is split into, so that it vectorises though sums of floats may not be reordered.
const LANES: usize = 8;

/// Writes the product to `c`, which has `m` times `n` elements, at least one.
pub(super) fn multiply<T: Element>(product: &Product<'_, T>, c: &mut [T]) {
    let MatMulShape { n, transpose_b, .. } = *product.shape;
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        if transpose_b {
            row_of_dots(product, i, row);
        } else {
            let (wide, rest) = row.as_chunks_mut::<16>();
            let (narrow, single) = rest.as_chunks_mut::<4>();
            let mut start = 0;
            columns(product, i, &mut start, wide);
            columns(product, i, &mut start, narrow);
            columns(product, i, &mut start, single.as_chunks_mut::<1>().0);
        }
    }
}

/// Columns of row `i` from `start` on, `WIDTH` at a time so that their sums stay in registers; moves `start` on.
#[inline]
fn columns<T: Element, const WIDTH: usize>(
    product: &Product<'_, T>,
    i: usize,
    start: &mut usize,
    out: &mut [[T; WIDTH]],
) {
    let MatMulShape { n, k, .. } = *product.shape;
    for out in out {
        let mut sums = [T::Wide::ZERO; WIDTH];
        for p in 0..k {
            let left = product.left(i, p).widen();
            let right = &product.b[p * n + *start..][..WIDTH];
            for (sum, right) in sums.iter_mut().zip(right) {
                *sum = add(*sum, mul(left, right.widen()));
            }
        }
        *out = sums.map(T::narrow);
        *start += WIDTH;
    }
}

/// Row `i` as dot products, as the columns of `b` are contiguous.
fn row_of_dots<T: Element>(product: &Product<'_, T>, i: usize, row: &mut [T]) {
    let k = product.shape.k;
    let mut left = [T::Wide::ZERO; DEPTH];
    for (tile, out) in row.chunks_mut(LANES).enumerate() {
        let mut sums = [T::Wide::ZERO; LANES];
        for first in (0..k).step_by(DEPTH) {
            let left = &mut left[..DEPTH.min(k - first)];
            for (p, element) in left.iter_mut().enumerate() {
                *element = product.left(i, first + p).widen();
            }
            for (j, sum) in sums[..out.len()].iter_mut().enumerate() {
                let right = &product.b[(tile * LANES + j) * k + first..][..left.len()];
                *sum = add(*sum, dot(left, right));
            }
        }
        for (element, sum) in out.iter_mut().zip(sums) {
            *element = T::narrow(sum);
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
    // Halved instead of summed in a row: the additions of one half are independent.
    for half in [4, 2, 1] {
        for lane in 0..half {
            lanes[lane] = add(lanes[lane], lanes[lane + half]);
        }
    }
    left_rest.iter().zip(right_rest).fold(lanes[0], |sum, (&left, right)| add(sum, mul(left, right.widen())))
}
