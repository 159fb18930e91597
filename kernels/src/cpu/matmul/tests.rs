//! Against a naive triple loop: every transpose, batches and broadcasts, sizes 0 and 1, and each of the three ways.

use half::{bf16, f16};

use super::{Batch, DIRECT_LIMIT, MatMulElement, MatMulShape, matmul};
use crate::cpu::scalar::{Cast, cast};
use crate::cpu::testing::{assert_same, small_whole};

/// The definition, in f64, with `to_f64` applied to the elements.
fn naive<T: Copy>(a: &[T], b: &[T], shape: &MatMulShape, to_f64: impl Fn(T) -> f64) -> Vec<f64> {
    let &MatMulShape { m, n, k, transpose_a, transpose_b, batch } = shape;
    let count: usize = batch.iter().map(|batch| batch.size).product();
    let mut c = Vec::new();
    for index in 0..count {
        // The index, split by the sizes from the innermost dimension outward.
        let (mut rest, mut a_start, mut b_start) = (index, 0, 0);
        for dimension in batch.iter().rev() {
            a_start += rest % dimension.size * dimension.a_stride;
            b_start += rest % dimension.size * dimension.b_stride;
            rest /= dimension.size;
        }
        for i in 0..m {
            for j in 0..n {
                let mut sum = 0.0;
                for p in 0..k {
                    let left = a[a_start + if transpose_a { p * m + i } else { i * k + p }];
                    let right = b[b_start + if transpose_b { j * k + p } else { p * n + j }];
                    sum += to_f64(left) * to_f64(right);
                }
                c.push(sum);
            }
        }
    }
    c
}

/// Multiplies small whole numbers, whose sums are exact before they are rounded or wrapped into `T`.
#[track_caller]
fn check<T: MatMulElement<Wide: Cast<f64>>>(shape: &MatMulShape)
where
    i32: Cast<T>,
    i64: Cast<T>,
{
    let extent = |stride: fn(&Batch) -> usize| -> usize {
        shape.batch.iter().map(|batch| batch.size.saturating_sub(1) * stride(batch)).sum()
    };
    let a = small_whole::<T>(extent(|batch| batch.a_stride) + shape.m * shape.k);
    let b = small_whole::<T>(extent(|batch| batch.b_stride) + shape.k * shape.n + 1)[1..].to_vec();
    let wanted = naive(&a, &b, shape, cast::<T, f64>);
    // What was there before must not show.
    let mut c = vec![cast::<i32, T>(77); wanted.len()];
    matmul(&a, &b, &mut c, shape);
    for (index, (&found, &wanted)) in c.iter().zip(&wanted).enumerate() {
        let wanted = cast::<i64, T>(wanted as i64);
        assert_eq!(found, wanted, "element {index} of {shape:?}, {}", T::DTYPE);
    }
}

fn check_each_type(shape: &MatMulShape) {
    check::<f32>(shape);
    check::<f64>(shape);
    check::<f16>(shape);
    check::<bf16>(shape);
    check::<i32>(shape);
    check::<i64>(shape);
    check::<u8>(shape);
}

fn check_transposes(m: usize, n: usize, k: usize, batch: &'static [Batch]) {
    for transpose_a in [false, true] {
        for transpose_b in [false, true] {
            check_each_type(&MatMulShape { m, n, k, transpose_a, transpose_b, batch });
        }
    }
}

#[test]
fn small_sizes_and_none() {
    for m in [0, 1, 2, 5] {
        for n in [0, 1, 3, 33] {
            for k in [0, 1, 4, 9] {
                check_transposes(m, n, k, &[]);
            }
        }
    }
}

#[test]
fn sizes_about_the_blocks_of_each_way() {
    for (m, n, k) in
        [(1, 40, 100), (3, 5, 71), (64, 8, 8), (16, 16, 17), (65, 63, 66), (4, 128, 64), (1, 70, 130)]
    {
        check_transposes(m, n, k, &[]);
    }
    for (m, n, k) in [(5000, 1, 1), (1, 5000, 1), (1, 1, 5000), (70, 1, 70)] {
        check_transposes(m, n, k, &[]);
    }
}

#[test]
fn both_sides_of_the_direct_limit() {
    for k in [DIRECT_LIMIT / 256, DIRECT_LIMIT / 256 + 1] {
        check_transposes(16, 16, k, &[]);
    }
}

#[test]
fn batches_and_broadcasts() {
    const BOTH: &[Batch] = &[Batch { size: 3, a_stride: 12, b_stride: 20 }];
    const SHARED_A: &[Batch] = &[Batch { size: 3, a_stride: 0, b_stride: 20 }];
    const SHARED_B: &[Batch] = &[Batch { size: 3, a_stride: 12, b_stride: 0 }];
    const CROSSED: &[Batch] =
        &[Batch { size: 2, a_stride: 12, b_stride: 0 }, Batch { size: 4, a_stride: 0, b_stride: 20 }];
    const THREE: &[Batch] = &[
        Batch { size: 2, a_stride: 36, b_stride: 20 },
        Batch { size: 1, a_stride: 0, b_stride: 0 },
        Batch { size: 3, a_stride: 12, b_stride: 0 },
    ];
    const NONE: &[Batch] =
        &[Batch { size: 2, a_stride: 0, b_stride: 0 }, Batch { size: 0, a_stride: 12, b_stride: 20 }];
    for batch in [BOTH, SHARED_A, SHARED_B, CROSSED, THREE, NONE] {
        check_transposes(3, 5, 4, batch);
    }
    const LARGE: &[Batch] = &[
        Batch { size: 2, a_stride: 17 * 18, b_stride: 0 },
        Batch { size: 2, a_stride: 0, b_stride: 18 * 19 },
    ];
    check_transposes(17, 19, 18, LARGE);
}

/// For each way: an infinity times a zero is NaN and spoils its row and column alone.
#[test]
fn infinity_times_zero_is_nan() {
    fn spoil<T: MatMulElement<Wide: Cast<f64>>>(size: usize)
    where
        f64: Cast<T>,
    {
        for (transpose_a, transpose_b) in [(false, false), (true, false), (false, true), (true, true)] {
            let shape = MatMulShape { m: size, n: size, k: size, transpose_a, transpose_b, batch: &[] };
            let mut a = vec![T::ZERO; size * size];
            let mut b = vec![T::ONE; size * size];
            let last = size * size - 1;
            a[last] = cast::<f64, T>(f64::INFINITY);
            b[last] = T::ZERO;
            let mut c = vec![T::ONE; size * size];
            matmul(&a, &b, &mut c, &shape);
            for (index, &found) in c.iter().enumerate() {
                let (row, column) = (index / size, index % size);
                let wanted = match (row == size - 1, column == size - 1) {
                    (true, true) => f64::NAN,
                    (true, false) => f64::INFINITY,
                    _ => 0.0,
                };
                assert_same(cast::<T, f64>(found), wanted, (T::DTYPE, size, row, column));
            }
        }
    }
    for size in [3, 21, 67] {
        spoil::<f32>(size);
        spoil::<f64>(size);
        spoil::<f16>(size);
        spoil::<bf16>(size);
    }
}

#[test]
fn integers_wrap() {
    fn squares<T: MatMulElement>(value: T, size: usize) -> T {
        let shape =
            MatMulShape { m: size, n: size, k: size, transpose_a: false, transpose_b: true, batch: &[] };
        let a = vec![value; size * size];
        let mut c = vec![T::ZERO; size * size];
        matmul(&a, &a, &mut c, &shape);
        assert!(c.iter().all(|&element| element == c[0]));
        c[0]
    }
    for size in [3u8, 20] {
        let count = usize::from(size);
        assert_eq!(squares(0xffu8, count), size);
        assert_eq!(squares(i32::MAX, count), i32::from(size));
        assert_eq!(squares(i64::MAX, count), i64::from(size));
    }
}

/// 1024 ones and then 1s that f16 alone would no longer count, small and large.
#[test]
fn halves_are_summed_in_f32() {
    for size in [1, 3] {
        let k = 3000;
        let shape = MatMulShape { m: size, n: size, k, transpose_a: false, transpose_b: false, batch: &[] };
        let ones = vec![f16::ONE; size * k];
        let mut c = vec![f16::ZERO; size * size];
        matmul(&ones, &ones, &mut c, &shape);
        assert!(c.iter().all(|&sum| sum == f16::from_f32(3000.0)), "f16 stops counting at 2048: {c:?}");
        let ones = vec![bf16::ONE; size * k];
        let mut c = vec![bf16::ZERO; size * size];
        matmul(&ones, &ones, &mut c, &shape);
        assert!(c.iter().all(|&sum| sum == bf16::from_f32(3000.0)), "bf16 stops counting at 256: {c:?}");
    }
}

#[test]
#[should_panic(expected = "matmul: elements of c")]
fn a_wrong_size_panics() {
    let shape = MatMulShape { m: 2, n: 2, k: 1, transpose_a: false, transpose_b: false, batch: &[] };
    matmul(&[1.0, 2.0], &[1.0, 2.0], &mut [0.0; 3], &shape);
}
