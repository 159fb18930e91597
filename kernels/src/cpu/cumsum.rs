//! Running sums.

use super::Element;
use super::scalar::{add, neg};

/// How many running sums are kept at once, on the stack.
const LANES: usize = 64;

/// Running sums of `x` along the middle one of its dimensions `[outer, n, inner]`, into `y` of the same shape.
///
/// `exclusive`: each sum is of the elements before, 0 at first, instead of up to its own. `reverse`: from the end.
/// Integers wrap; `f16` and `bf16` are summed in `f32` and each sum is rounded once. The elements are added one after
/// the other, in order.
///
/// # Panics
/// When `x` or `y` has not `outer` times `n` times `inner` elements.
pub fn cumsum<T: Element>(
    x: &[T],
    y: &mut [T],
    outer: usize,
    n: usize,
    inner: usize,
    exclusive: bool,
    reverse: bool,
) {
    let size = outer * n * inner;
    assert_eq!((x.len(), y.len()), (size, size), "cumsum: elements of x and y for [{outer}, {n}, {inner}]");
    if size == 0 {
        return;
    }
    // An inclusive sum begins with the first element itself, which for -0.0 only -0.0 leaves alone.
    let start = if exclusive { T::Wide::ZERO } else { neg(T::Wide::ZERO) };
    for (x, y) in x.chunks_exact(n * inner).zip(y.chunks_exact_mut(n * inner)) {
        for first in (0..inner).step_by(LANES) {
            let lanes = LANES.min(inner - first);
            let mut sums = [start; LANES];
            for step in 0..n {
                let row = if reverse { n - 1 - step } else { step };
                let range = row * inner + first..row * inner + first + lanes;
                for ((sum, x), y) in sums.iter_mut().zip(&x[range.clone()]).zip(&mut y[range]) {
                    let before = *sum;
                    *sum = add(before, x.widen());
                    *y = T::narrow(if exclusive { before } else { *sum });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;
    use crate::cpu::scalar::{Cast, cast};
    use crate::cpu::testing::{assert_same, small_whole};

    /// Against the definition: each sum made anew.
    fn check<T: Element<Wide: Cast<f64>>>(outer: usize, n: usize, inner: usize)
    where
        i32: Cast<T>,
        i64: Cast<T>,
    {
        let x = small_whole::<T>(outer * n * inner);
        let at = |o: usize, p: usize, i: usize| (o * n + p) * inner + i;
        for (exclusive, reverse) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut y = vec![cast::<i32, T>(77); x.len()];
            cumsum(&x, &mut y, outer, n, inner, exclusive, reverse);
            for o in 0..outer {
                for p in 0..n {
                    for i in 0..inner {
                        let summed =
                            |q: usize| (if reverse { q > p } else { q < p }) || (!exclusive && q == p);
                        let sum: f64 =
                            (0..n).filter(|&q| summed(q)).map(|q| cast::<T, f64>(x[at(o, q, i)])).sum();
                        let wanted = cast::<i64, T>(sum as i64);
                        assert_eq!(
                            y[at(o, p, i)],
                            wanted,
                            "{} [{outer}, {n}, {inner}] {exclusive} {reverse}",
                            T::DTYPE
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn every_form_and_type() {
        for (outer, n, inner) in
            [(0, 3, 2), (2, 0, 2), (2, 3, 0), (1, 1, 1), (3, 7, 1), (2, 5, 3), (2, 4, 130)]
        {
            check::<f32>(outer, n, inner);
            check::<f64>(outer, n, inner);
            check::<f16>(outer, n, inner);
            check::<bf16>(outer, n, inner);
            check::<i32>(outer, n, inner);
            check::<i64>(outer, n, inner);
            check::<u8>(outer, n, inner);
        }
    }

    #[test]
    fn zeros_keep_their_sign_as_in_numpy() {
        let mut y = [1.0f32; 3];
        cumsum(&[-0.0, -0.0, 0.0], &mut y, 1, 3, 1, false, false);
        for (found, wanted) in y.into_iter().zip([-0.0, -0.0, 0.0]) {
            assert_same(f64::from(found), wanted, "inclusive");
        }
        cumsum(&[-0.0, -0.0, 0.0], &mut y, 1, 3, 1, true, false);
        for found in y {
            assert_same(f64::from(found), 0.0, "exclusive");
        }
    }

    #[test]
    fn nan_and_infinity_stay() {
        let mut y = [0.0f64; 4];
        cumsum(&[1.0, f64::INFINITY, f64::NEG_INFINITY, 1.0], &mut y, 1, 4, 1, false, false);
        for (found, wanted) in y.into_iter().zip([1.0, f64::INFINITY, f64::NAN, f64::NAN]) {
            assert_same(found, wanted, y);
        }
    }

    #[test]
    fn halves_are_summed_in_f32_and_integers_wrap() {
        let mut y = vec![f16::ZERO; 4000];
        cumsum(&vec![f16::ONE; 4000], &mut y, 1, 4000, 1, false, false);
        assert_eq!(
            (y[2048], y[3999]),
            (f16::from_f32(2048.0), f16::from_f32(4000.0)),
            "f16 stops counting at 2048"
        );
        let mut y = [0; 2];
        cumsum(&[i32::MAX, 1], &mut y, 1, 2, 1, false, false);
        assert_eq!(y, [i32::MAX, i32::MIN]);
    }

    #[test]
    #[should_panic(expected = "cumsum: elements of x and y")]
    fn a_wrong_size_panics() {
        cumsum(&[1.0], &mut [0.0], 1, 2, 1, false, false);
    }
}
