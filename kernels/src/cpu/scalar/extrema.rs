//! The greater and the less of two.

use super::operations;
use crate::cpu::Element;

operations! {
    /// The extrema of a type that is computed in.
    trait Extrema for Element;
    /// The greater of `a` and `b`; NaN where either is, and 0.0 of -0.0 and 0.0.
    fn maximum(a, b);
    /// The less of `a` and `b`; NaN where either is, and -0.0 of -0.0 and 0.0.
    fn minimum(a, b);
}

macro_rules! floats {
    ($($type:ident)+) => {$(
        impl Extrema for $type {
            #[inline(always)]
            fn maximum(a: Self, b: Self) -> Self {
                // Equal values have equal bits, but for zeros: of those the conjunction is positive if one is.
                let equal = Self::from_bits(a.to_bits() & b.to_bits());
                let ordered = if a == b { equal } else if a > b { a } else { b };
                if a.is_nan() { a } else { ordered }
            }
            #[inline(always)]
            fn minimum(a: Self, b: Self) -> Self {
                let equal = Self::from_bits(a.to_bits() | b.to_bits());
                let ordered = if a == b { equal } else if a < b { a } else { b };
                if a.is_nan() { a } else { ordered }
            }
        }
    )+};
}

floats!(f32 f64);

macro_rules! integers {
    ($($type:ident)+) => {$(
        impl Extrema for $type {
            #[inline(always)]
            fn maximum(a: Self, b: Self) -> Self {
                Ord::max(a, b)
            }
            #[inline(always)]
            fn minimum(a: Self, b: Self) -> Self {
                Ord::min(a, b)
            }
        }
    )+};
}

integers!(i32 i64 u8);

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;
    use crate::cpu::testing::assert_same;

    /// Ascending, -0.0 before 0.0.
    const ASCENDING: [f64; 10] =
        [f64::NEG_INFINITY, f64::MIN, -1.5, -5e-324, -0.0, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY];

    #[test]
    fn floats_are_ordered_with_their_zeros() {
        for (i, a) in ASCENDING.into_iter().enumerate() {
            for (j, b) in ASCENDING.into_iter().enumerate() {
                let (least, greatest) = (ASCENDING[i.min(j)], ASCENDING[i.max(j)]);
                assert_same(maximum(a, b), greatest, (a, b));
                assert_same(minimum(a, b), least, (a, b));
                assert_same(f64::from(maximum(a as f32, b as f32)), f64::from(greatest as f32), (a, b));
                assert_same(f64::from(minimum(a as f32, b as f32)), f64::from(least as f32), (a, b));
            }
        }
    }

    #[test]
    fn nan_of_either_side_is_kept() {
        for value in ASCENDING.into_iter().chain([f64::NAN]) {
            for (a, b) in [(f64::NAN, value), (value, f64::NAN)] {
                assert!(maximum(a, b).is_nan() && minimum(a, b).is_nan());
                assert!(maximum(a as f32, b as f32).is_nan() && minimum(a as f32, b as f32).is_nan());
                let halves = (f16::from_f64(a), f16::from_f64(b));
                assert!(maximum(halves.0, halves.1).is_nan() && minimum(halves.0, halves.1).is_nan());
                let brains = (bf16::from_f64(a), bf16::from_f64(b));
                assert!(maximum(brains.0, brains.1).is_nan() && minimum(brains.0, brains.1).is_nan());
            }
        }
    }

    #[test]
    fn bytes_are_ordered() {
        for a in 0..=u8::MAX {
            for b in 0..=u8::MAX {
                let (least, greatest) = if i32::from(a) - i32::from(b) < 0 { (a, b) } else { (b, a) };
                assert_eq!((minimum(a, b), maximum(a, b)), (least, greatest));
            }
        }
        assert_eq!((minimum(i32::MIN, i32::MAX), maximum(i32::MIN, i32::MAX)), (i32::MIN, i32::MAX));
        assert_eq!((minimum(i64::MIN, -1), maximum(i64::MIN, -1)), (i64::MIN, -1));
    }
}
