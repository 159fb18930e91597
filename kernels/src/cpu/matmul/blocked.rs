//! Large products of half types and integers: blocked, with all buffers on the stack.
//!
//! Blocks of both sides are widened into panels, in the order in which the innermost loop reads them; a block of sums
//! stays in the wide type until its last addition, so that half types round once.

use core::array::from_fn;

use super::{MatMulShape, Product};
use crate::cpu::Element;
use crate::cpu::scalar::{add, mul};

/// Rows, columns and depth of a block. Three blocks of `i64`, the widest, take 96 KiB of stack.
const BLOCK: usize = 64;
/// Rows of a tile, the part of a block whose sums are kept in registers.
const ROWS: usize = 4;
/// Columns of a tile.
const COLUMNS: usize = 8;

/// Sums of one tile.
type Tile<W> = [[W; COLUMNS]; ROWS];

/// Writes the product to `c`, which has `m` times `n` elements.
pub(super) fn multiply<T: Element>(product: &Product<'_, T>, c: &mut [T]) {
    let MatMulShape { m, n, k, .. } = *product.shape;
    // By panel, depth, row or column within the panel.
    let mut left = [[[T::Wide::ZERO; ROWS]; BLOCK]; BLOCK / ROWS];
    let mut right = [[[T::Wide::ZERO; COLUMNS]; BLOCK]; BLOCK / COLUMNS];
    for top in (0..m).step_by(BLOCK) {
        let rows = BLOCK.min(m - top);
        for start in (0..n).step_by(BLOCK) {
            let columns = BLOCK.min(n - start);
            let mut sums = [[[[T::Wide::ZERO; COLUMNS]; ROWS]; BLOCK / COLUMNS]; BLOCK / ROWS];
            for first in (0..k).step_by(BLOCK) {
                let depth = BLOCK.min(k - first);
                pack(&mut left, depth, rows, |p, i| product.left(top + i, first + p));
                pack(&mut right, depth, columns, |p, j| product.right(first + p, start + j));
                for (left, sums) in left.iter().zip(&mut sums).take(rows.div_ceil(ROWS)) {
                    for (right, tile) in right.iter().zip(sums).take(columns.div_ceil(COLUMNS)) {
                        add_products(&left[..depth], &right[..depth], tile);
                    }
                }
            }
            for i in 0..rows {
                let row = &mut c[(top + i) * n + start..][..columns];
                for (j, element) in row.iter_mut().enumerate() {
                    *element = T::narrow(sums[i / ROWS][j / COLUMNS][i % ROWS][j % COLUMNS]);
                }
            }
        }
    }
}

/// Fills panels of `WIDTH` from `element(depth, index)`.
///
/// What of the last panel lies at `size` or beyond repeats the last element: it is multiplied like the rest, and the
/// sums are never read.
fn pack<T: Element, const WIDTH: usize>(
    panels: &mut [[[T::Wide; WIDTH]; BLOCK]],
    depth: usize,
    size: usize,
    element: impl Fn(usize, usize) -> T,
) {
    for (panel, first) in panels.iter_mut().zip((0..size).step_by(WIDTH)) {
        for (p, elements) in panel[..depth].iter_mut().enumerate() {
            *elements = from_fn(|lane| element(p, (first + lane).min(size - 1)).widen());
        }
    }
}

/// Adds to a tile of sums the products of a left and a right panel.
#[inline]
fn add_products<W: Element<Wide = W>>(left: &[[W; ROWS]], right: &[[W; COLUMNS]], tile: &mut Tile<W>) {
    let mut sums = *tile;
    for (left, right) in left.iter().zip(right) {
        for i in 0..ROWS {
            for j in 0..COLUMNS {
                sums[i][j] = add(sums[i][j], mul(left[i], right[j]));
            }
        }
    }
    *tile = sums;
}
