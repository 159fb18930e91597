//! Sums, products and signs.

use super::operations;
use crate::cpu::Element;

operations! {
    /// Sums, products and signs of a type that is computed in.
    trait Arithmetic for Element;
    /// `a + b`; integers wrap.
    fn add(a, b);
    /// `a - b`; integers wrap.
    fn sub(a, b);
    /// `a * b`; integers wrap.
    fn mul(a, b);
    /// `-a`; integers wrap, so that the negative of the least is itself. A float's sign is flipped, zero's too.
    fn neg(a);
    /// The magnitude of `a`; integers wrap, so that of the least is itself.
    fn abs(a);
    /// 1, 0 or -1 by the sign of `a`; NaN for NaN, and 0.0 for both zeros, as in NumPy.
    fn sign(a);
}

macro_rules! floats {
    ($($type:ident)+) => {$(
        impl Arithmetic for $type {
            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                a - b
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            #[inline(always)]
            fn neg(a: Self) -> Self {
                -a
            }
            #[inline(always)]
            fn abs(a: Self) -> Self {
                a.abs()
            }
            #[inline(always)]
            fn sign(a: Self) -> Self {
                let sign = Self::from(u8::from(a > 0.0)) - Self::from(u8::from(a < 0.0));
                if a.is_nan() { a } else { sign }
            }
        }
    )+};
}

floats!(f32 f64);

/// Integers; `$abs` and `$sign` are the two that unsigned types have no method for.
macro_rules! integers {
    ($($type:ident |$a:ident| $abs:expr, $sign:expr;)+) => {$(
        impl Arithmetic for $type {
            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                a.wrapping_sub(b)
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
            #[inline(always)]
            fn neg(a: Self) -> Self {
                a.wrapping_neg()
            }
            #[inline(always)]
            fn abs($a: Self) -> Self {
                $abs
            }
            #[inline(always)]
            fn sign($a: Self) -> Self {
                $sign
            }
        }
    )+};
}

integers! {
    i32 |a| a.wrapping_abs(), a.signum();
    i64 |a| a.wrapping_abs(), a.signum();
    u8 |a| a, u8::from(a != 0);
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;
    use crate::cpu::testing::assert_same;

    #[test]
    fn bytes_wrap() {
        for a in 0..=u8::MAX {
            for b in 0..=u8::MAX {
                let (left, right) = (i32::from(a), i32::from(b));
                assert_eq!(i32::from(add(a, b)), (left + right) % 256);
                assert_eq!(i32::from(sub(a, b)), (left - right + 256) % 256);
                assert_eq!(i32::from(mul(a, b)), (left * right) % 256);
            }
            assert_eq!(i32::from(neg(a)), (256 - i32::from(a)) % 256);
            assert_eq!((abs(a), sign(a)), (a, a.min(1)));
        }
    }

    #[test]
    fn integers_wrap_at_their_ends() {
        assert_eq!(add(i32::MAX, 1), i32::MIN);
        assert_eq!(sub(i64::MIN, 1), i64::MAX);
        assert_eq!(mul(i32::MAX, 2), -2);
        assert_eq!(mul(i64::MIN, -1), i64::MIN);
        assert_eq!((neg(i32::MIN), abs(i32::MIN), sign(i32::MIN)), (i32::MIN, i32::MIN, -1));
        assert_eq!((neg(i64::MIN), abs(i64::MIN), sign(i64::MAX)), (i64::MIN, i64::MIN, 1));
        assert_eq!((neg(5), abs(-5), sign(0)), (-5, 5, 0));
    }

    #[test]
    fn signs_are_as_in_numpy() {
        // numpy.sign of each, computed with NumPy 2.4.
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        let expected =
            [(0.0, 0.0), (-0.0, 0.0), (nan, nan), (infinity, 1.0), (-infinity, -1.0), (5e-324, 1.0)];
        for (value, wanted) in expected {
            assert_same(sign(value), wanted, value);
        }
        assert_same(f64::from(sign(-0.0f32)), 0.0, "f32");
        assert_same(f64::from(sign(f16::from_f32(-0.0))), 0.0, "f16");
        assert_same(neg(0.0), -0.0, "neg");
        assert_same(abs(-0.0), 0.0, "abs");
    }

    #[test]
    fn every_f16_keeps_its_magnitude() {
        for bits in 0..=u16::MAX {
            let value = f16::from_bits(bits);
            if value.is_nan() {
                assert!(neg(value).is_nan() && abs(value).is_nan() && sign(value).is_nan());
                continue;
            }
            assert_eq!(neg(value).to_bits(), bits ^ 0x8000);
            assert_eq!(abs(value).to_bits(), bits & 0x7fff);
            let wanted = if bits & 0x7fff == 0 { 0 } else { 0x3c00 | bits & 0x8000 };
            assert_eq!(sign(value).to_bits(), wanted);
        }
    }

    #[test]
    fn halves_round_once_per_operation() {
        // Sums and products of two f16 are exact in f64, so one rounding from there is the reference.
        let values = (0..=u16::MAX).step_by(331).map(f16::from_bits);
        for a in values.clone() {
            for b in values.clone() {
                let (x, y) = (f64::from(a), f64::from(b));
                let rounded = |value: f64| f64::from(crate::cpu::scalar::cast::<f64, f16>(value));
                assert_same(f64::from(add(a, b)), rounded(x + y), (a, b));
                assert_same(f64::from(sub(a, b)), rounded(x - y), (a, b));
                assert_same(f64::from(mul(a, b)), rounded(x * y), (a, b));
            }
        }
        let tiny = bf16::from_bits(1);
        assert_eq!(add(bf16::MAX, bf16::MAX), bf16::INFINITY);
        assert_eq!(add(tiny, tiny).to_bits(), 2);
    }
}
