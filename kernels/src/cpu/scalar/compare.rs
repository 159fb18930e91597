//! Comparisons, which give 0 or 1, and the choice by one.

use super::Arithmetic;
use crate::cpu::Element;

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $operator:tt;)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<T: Element>(a: T, b: T) -> u8 {
            u8::from(a.widen() $operator b.widen())
        }
    )+};
}

comparisons! {
    /// 1 where `a` equals `b`, else 0; a NaN equals nothing, and both zeros are equal.
    equal ==;
    /// 1 where `a` does not equal `b`, else 0; a NaN differs from everything, itself too.
    not_equal !=;
    /// 1 where `a` is less than `b`, else 0; 0 where either is NaN.
    less <;
    /// 1 where `a` is less than `b` or equal to it, else 0; 0 where either is NaN.
    less_equal <=;
    /// 1 where `a` is greater than `b`, else 0; 0 where either is NaN.
    greater >;
    /// 1 where `a` is greater than `b` or equal to it, else 0; 0 where either is NaN.
    greater_equal >=;
}

/// 1 where `a` is NaN, else 0; always 0 for integers.
#[inline(always)]
pub fn is_nan<T: Element>(a: T) -> u8 {
    not_equal(a, a)
}

/// 1 where `a` is neither infinite nor NaN, else 0; always 1 for integers.
#[inline(always)]
pub fn is_finite<T: Element>(a: T) -> u8 {
    // A finite value is taken from itself without rest; an infinity leaves NaN.
    let wide = a.widen();
    u8::from(Arithmetic::sub(wide, wide) == T::Wide::ZERO)
}

/// `a` where `condition` is not 0, else `b`.
#[inline(always)]
pub fn select<T: Element>(condition: u8, a: T, b: T) -> T {
    if condition != 0 { a } else { b }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;

    /// The six comparisons in the order of this file.
    fn all<T: Element>(a: T, b: T) -> [u8; 6] {
        [equal(a, b), not_equal(a, b), less(a, b), less_equal(a, b), greater(a, b), greater_equal(a, b)]
    }

    const LESS: [u8; 6] = [0, 1, 1, 1, 0, 0];
    const EQUAL: [u8; 6] = [1, 0, 0, 1, 0, 1];
    const GREATER: [u8; 6] = [0, 1, 0, 0, 1, 1];
    const UNORDERED: [u8; 6] = [0, 1, 0, 0, 0, 0];

    #[test]
    fn ascending_values_of_each_type() {
        fn check<T: Element>(ascending: &[T]) {
            for (i, &a) in ascending.iter().enumerate() {
                for (j, &b) in ascending.iter().enumerate() {
                    let wanted = if i < j {
                        LESS
                    } else if i == j {
                        EQUAL
                    } else {
                        GREATER
                    };
                    assert_eq!(all(a, b), wanted, "{a:?} {b:?}");
                }
            }
        }
        check(&[f32::NEG_INFINITY, f32::MIN, -1.0, -1e-45, 0.0, 1e-45, 1.0, f32::MAX, f32::INFINITY]);
        check(&[f64::NEG_INFINITY, f64::MIN, -1.0, -5e-324, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY]);
        check(&[f16::NEG_INFINITY, f16::MIN, f16::NEG_ONE, f16::from_bits(0x8001), f16::ZERO, f16::INFINITY]);
        check(&[
            bf16::NEG_INFINITY,
            bf16::MIN,
            bf16::NEG_ONE,
            bf16::from_bits(0x8001),
            bf16::ZERO,
            bf16::MAX,
        ]);
        check(&[i32::MIN, -1, 0, 1, i32::MAX]);
        check(&[i64::MIN, -1, 0, 1, i64::MAX]);
        check(&(0..=u8::MAX).collect::<Vec<_>>());
    }

    #[test]
    fn nan_is_unordered_and_zeros_are_equal() {
        for value in [f64::NAN, 0.0, 1.0, f64::INFINITY] {
            for (a, b) in [(value, f64::NAN), (f64::NAN, value)] {
                assert_eq!(all(a, b), UNORDERED);
                assert_eq!(all(a as f32, b as f32), UNORDERED);
                assert_eq!(all(f16::from_f64(a), f16::from_f64(b)), UNORDERED);
                assert_eq!(all(bf16::from_f64(a), bf16::from_f64(b)), UNORDERED);
            }
        }
        assert_eq!(all(-0.0, 0.0), EQUAL);
        assert_eq!(all(f16::from_bits(0x8000), f16::ZERO), EQUAL);
    }

    #[test]
    fn every_half_is_classified() {
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            let (magnitude, infinity) = (bits & 0x7fff, 0x7c00);
            assert_eq!(
                (is_nan(half), is_finite(half)),
                ((magnitude > infinity).into(), (magnitude < infinity).into())
            );
            let infinity = 0x7f80;
            assert_eq!(
                (is_nan(brain), is_finite(brain)),
                ((magnitude > infinity).into(), (magnitude < infinity).into())
            );
        }
        for (value, nan, finite) in [
            (f64::NAN, 1, 0),
            (f64::INFINITY, 0, 0),
            (f64::NEG_INFINITY, 0, 0),
            (f64::MAX, 0, 1),
            (-5e-324, 0, 1),
        ] {
            assert_eq!((is_nan(value), is_finite(value)), (nan, finite), "{value}");
        }
        assert_eq!((is_nan(i32::MIN), is_finite(i32::MIN)), (0, 1));
    }

    #[test]
    fn a_choice_keeps_the_bits() {
        assert_eq!((select(1, 2, 3), select(0, 2, 3), select(255, 2, 3)), (2, 3, 2));
        let signalling = f16::from_bits(0x7c01);
        assert_eq!(select(1, signalling, f16::ZERO).to_bits(), 0x7c01);
    }
}
