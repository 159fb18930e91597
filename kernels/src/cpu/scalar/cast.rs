//! Conversions between element types.

use half::{bf16, f16};

use super::compare::not_equal;
use crate::cpu::Element;
use crate::cpu::half_bits::{f32_to_bf16, f32_to_f16, f64_to_odd_f32, i64_to_odd_f64};

/// Conversion from a type that is computed in.
pub trait Cast<B>: Sized {
    /// As the function [`cast`].
    fn cast(self) -> B;
}

/// `a` as a `B`.
///
/// Float to integer truncates and saturates, NaN gives 0; integer to integer wraps; to a float rounds to nearest,
/// ties to even, and once. From a boolean, 0 and 1; to a boolean see [`to_boolean`].
#[inline(always)]
pub fn cast<A: Element<Wide: Cast<B>>, B: Element>(a: A) -> B {
    a.widen().cast()
}

/// 1 where `a` is not zero (NaN is not), else 0.
#[inline(always)]
pub fn to_boolean<A: Element>(a: A) -> u8 {
    not_equal(a, A::ZERO)
}

/// Rust's own conversions, which are defined just so.
macro_rules! by_as {
    ($($from:ident to $($to:ident)+;)+) => {$($(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                self as $to
            }
        }
    )+)+};
}

by_as! {
    f32 to f32 f64 i32 i64 u8;
    f64 to f32 f64 i32 i64 u8;
    i32 to f32 f64 i32 i64 u8;
    i64 to f32 f64 i32 i64 u8;
    u8 to f32 f64 i32 i64 u8;
}

/// To half types: over an `f32` that is exact, or odd and so rounded no more than once.
macro_rules! to_half {
    ($($from:ident |$value:ident| $to_f32:expr;)+) => {$(
        impl Cast<f16> for $from {
            #[inline(always)]
            fn cast(self) -> f16 {
                let $value = self;
                f16::from_bits(f32_to_f16($to_f32))
            }
        }
        impl Cast<bf16> for $from {
            #[inline(always)]
            fn cast(self) -> bf16 {
                let $value = self;
                bf16::from_bits(f32_to_bf16($to_f32))
            }
        }
    )+};
}

to_half! {
    f32 |value| value;
    f64 |value| f64_to_odd_f32(value);
    i32 |value| f64_to_odd_f32(f64::from(value));
    i64 |value| f64_to_odd_f32(i64_to_odd_f64(value));
    u8 |value| f32::from(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::testing::{assert_same, pseudo_random};

    #[test]
    fn every_half_to_every_type() {
        fn check<T: Element>(half: T, value: f64)
        where
            T::Wide: Cast<f32> + Cast<f64> + Cast<i32> + Cast<i64> + Cast<u8>,
        {
            assert_same(cast::<T, f64>(half), value, half);
            assert_same(f64::from(cast::<T, f32>(half)), value, half);
            // Truncation and saturation by hand.
            let whole = if value.is_nan() { 0.0 } else { value.trunc() };
            assert_eq!(f64::from(cast::<T, i32>(half)), whole.clamp(-2147483648.0, 2147483647.0), "{half:?}");
            assert_eq!(f64::from(cast::<T, u8>(half)), whole.clamp(0.0, 255.0), "{half:?}");
            let wanted = if whole >= 2f64.powi(63) {
                i128::from(i64::MAX)
            } else {
                whole.max(-(2f64.powi(63))) as i128
            };
            assert_eq!(i128::from(cast::<T, i64>(half)), wanted, "{half:?}");
            assert_eq!(to_boolean(half), u8::from(!(value == 0.0)), "{half:?}");
        }
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            check(half, half.to_f64());
            check(brain, brain.to_f64());
        }
    }

    #[test]
    fn every_half_to_the_other() {
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            assert_same(cast::<f16, bf16>(half).to_f64(), bf16::from_f32(half.to_f32()).to_f64(), half);
            assert_same(cast::<bf16, f16>(brain).to_f64(), f16::from_f32(brain.to_f32()).to_f64(), brain);
            assert_same(cast::<f16, f16>(half).to_f64(), half.to_f64(), half);
            assert_same(cast::<bf16, bf16>(brain).to_f64(), brain.to_f64(), brain);
        }
    }

    #[test]
    fn floats_saturate() {
        let expected = [
            (f64::NAN, 0, 0, 0u8),
            (f64::INFINITY, i32::MAX, i64::MAX, 255),
            (f64::NEG_INFINITY, i32::MIN, i64::MIN, 0),
            (2147483647.0, i32::MAX, 2147483647, 255),
            (2147483648.5, i32::MAX, 2147483648, 255),
            (-2147483648.9, i32::MIN, -2147483648, 0),
            (9.3e18, i32::MAX, i64::MAX, 255),
            (-9.3e18, i32::MIN, i64::MIN, 0),
            (255.9, 255, 255, 255),
            (-0.9, 0, 0, 0),
            (-1.9, -1, -1, 0),
        ];
        for (value, narrow, wide, byte) in expected {
            assert_eq!((cast::<f64, i32>(value), cast(value), cast(value)), (narrow, wide, byte), "{value}");
        }
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(cast::<i64, i32>(1 << 31), i32::MIN);
        assert_eq!(cast::<i64, i32>(i64::MIN), 0);
        assert_eq!(cast::<i32, u8>(-1), 255);
        assert_eq!(cast::<i64, u8>(0x1_0000_0103), 3);
        assert_eq!(cast::<u8, i32>(255), 255);
        assert_eq!(cast::<i32, i64>(-5), -5);
        assert_eq!(
            (to_boolean(256i64), to_boolean(0i32), to_boolean(-0.0f32), to_boolean(f32::NAN)),
            (1, 0, 0, 1)
        );
    }

    #[test]
    fn f64_to_f16_rounds_once() {
        // 1 + 2^-11 is the middle of two f16; what lies above it by less than an f32 shows must not be lost.
        let middle = 1.0 + 2f64.powi(-11);
        for (value, bits) in
            [(middle, 0x3c00), (middle + 2f64.powi(-40), 0x3c01), (middle - 2f64.powi(-40), 0x3c00)]
        {
            assert_eq!(cast::<f64, f16>(value).to_bits(), bits, "{value}");
        }
        let middle = 1.0 + 2f64.powi(-8);
        for (value, bits) in
            [(middle, 0x3f80), (middle + 2f64.powi(-40), 0x3f81), (middle - 2f64.powi(-40), 0x3f80)]
        {
            assert_eq!(cast::<f64, bf16>(value).to_bits(), bits, "{value}");
        }
    }

    /// The nearest integer to `value` of at most `bits` significant bits, ties to even, in integers alone.
    fn nearest(value: i128, bits: u32) -> i128 {
        let magnitude = value.unsigned_abs();
        let step = 1u128 << (128 - magnitude.leading_zeros()).saturating_sub(bits);
        let (floor, rest) = (magnitude / step, magnitude % step * 2);
        let up = rest > step || (rest == step && floor % 2 == 1);
        let rounded = ((floor + u128::from(up)) * step) as i128;
        if value < 0 { -rounded } else { rounded }
    }

    #[test]
    fn integers_round_to_floats_once() {
        // All widths, and the sums of three powers of two, which are the middles between floats and their neighbours.
        let random = pseudo_random(20_000).map(|bits| (bits as i64) >> (bits % 64));
        let powers =
            |i: u32| (0..i).flat_map(move |j| (0..j).map(move |k| (1i64 << i) + (1 << j) + (1 << k)));
        let middles = (0..63).flat_map(|i| (0..i).map(move |j| (1i64 << i) + (1 << j)));
        let values = random.chain((2..63).flat_map(powers)).chain(middles).chain([0, i64::MAX, i64::MIN]);
        for value in values.flat_map(|value| [value, value.wrapping_neg(), value.wrapping_sub(1)]) {
            let exact = i128::from(value);
            assert_eq!(cast::<i64, f64>(value) as i128, nearest(exact, 53), "f64 {value}");
            assert_eq!(cast::<i64, f32>(value) as i128, nearest(exact, 24), "f32 {value}");
            assert_eq!(cast::<i64, bf16>(value).to_f64() as i128, nearest(exact, 8), "bf16 {value}");
            let half = nearest(exact, 11);
            let wanted = if half.abs() > 65504 { f64::INFINITY.copysign(value as f64) } else { half as f64 };
            assert_eq!(cast::<i64, f16>(value).to_f64(), wanted, "f16 {value}");
            if let Ok(small) = i32::try_from(value) {
                assert_eq!(cast::<i32, f32>(small) as i128, nearest(exact, 24), "f32 {value}");
                assert_eq!(cast::<i32, bf16>(small).to_f64() as i128, nearest(exact, 8), "bf16 {value}");
                assert_eq!(cast::<i32, f16>(small).to_f64(), wanted, "f16 {value}");
            }
        }
        for byte in 0..=u8::MAX {
            assert_eq!(cast::<u8, f16>(byte).to_f64(), f64::from(byte));
            assert_eq!(cast::<u8, bf16>(byte).to_f64(), f64::from(byte));
            assert_eq!(cast::<u8, f32>(byte), f32::from(byte));
        }
    }

    #[test]
    fn f64_to_f32_rounds_to_even() {
        let middle = 1.0 + 2f64.powi(-24);
        assert_eq!(cast::<f64, f32>(middle), 1.0);
        assert_eq!(cast::<f64, f32>(middle.next_up()), 1.0 + f32::EPSILON);
        assert_eq!(cast::<f64, f32>(f64::MAX), f32::INFINITY);
        assert_same(f64::from(cast::<f64, f32>(-5e-324)), -0.0, "underflow");
    }
}
