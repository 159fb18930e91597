//! Conversions of `f16` and `bf16`, as bits.
//!
//! The crate `half` has them too, but asks at each call what the processor can do, which no loop over elements
//! vectorises around, and it takes `f64` to `f16` over `f32` and so rounds twice. These are selects and integer
//! arithmetic, the same on every machine. All round to nearest, ties to even, and once.

/// The value of the `f16` with these bits; exact.
#[inline(always)]
pub(crate) fn f16_to_f32(bits: u16) -> f32 {
    // The exponent is rebased by a multiplication, which normalises subnormals on the way.
    const REBASE: f32 = f32::from_bits((127 + 127 - 15) << 23);
    let sign = u32::from(bits & 0x8000) << 16;
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let finite = (f32::from_bits(magnitude) * REBASE).to_bits();
    let special = magnitude | 0x7f80_0000;
    let infinity_or_nan = magnitude >= 0x7c00 << 13;
    f32::from_bits(sign | if infinity_or_nan { special } else { finite })
}

/// The bits of the `f16` nearest to `value`; a NaN stays one, and quiet.
#[inline(always)]
pub(crate) fn f32_to_f16(value: f32) -> u16 {
    const INFINITY: u32 = 0x7f80_0000;
    /// 2^16: from here on everything is infinite, and 65520 to 2^16 becomes so by the carry of rounding.
    const OVERFLOW: u32 = (127 + 16) << 23;
    /// 2^-14, the least normal `f16`.
    const LEAST_NORMAL: u32 = (127 - 14) << 23;
    /// 0.5: the last bit of its significand weighs 2^-24, as the last bit of a subnormal `f16` does, so the addition
    /// rounds there.
    const ALIGN: u32 = (127 - 1) << 23;

    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
    let subnormal = (f32::from_bits(magnitude) + f32::from_bits(ALIGN)).to_bits().wrapping_sub(ALIGN);
    let to_even = 0xfff + (magnitude >> 13 & 1);
    let normal = magnitude.wrapping_sub((127 - 15) << 23).wrapping_add(to_even) >> 13;
    let rounded = if magnitude > INFINITY {
        nan
    } else if magnitude >= OVERFLOW {
        0x7c00
    } else if magnitude < LEAST_NORMAL {
        subnormal
    } else {
        normal
    };
    (bits >> 16 & 0x8000 | rounded) as u16
}

/// The value of the `bf16` with these bits; exact.
#[inline(always)]
pub(crate) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The bits of the `bf16` nearest to `value`; a NaN stays one, and quiet.
#[inline(always)]
pub(crate) fn f32_to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let to_even = 0x7fff + (bits >> 16 & 1);
    let rounded = if value.is_nan() { bits >> 16 | 0x40 } else { bits.wrapping_add(to_even) >> 16 };
    rounded as u16
}

/// `value` as an `f32`, rounded to odd: where it is not exact, the neighbour whose last bit is set.
///
/// That bit remembers that something was lost, so that rounding the result once more, to a type of at least two
/// bits less, gives what rounding `value` directly would: `f16` and `bf16` are such types, in their subnormals too.
#[inline(always)]
pub(crate) fn f64_to_odd_f32(value: f64) -> f32 {
    let nearest = value as f32;
    let exact = f64::from(nearest) == value || value.is_nan();
    let above = f64::from(nearest).abs() > value.abs();
    let toward_zero = nearest.to_bits().wrapping_sub(u32::from(above));
    if exact { nearest } else { f32::from_bits(toward_zero | 1) }
}

/// `value` as an `f64` that rounds further as `value` itself would, to types of at most 40 bits.
///
/// From 2^53 on, values are rounded to multiples of 2^11, of two the odd one, as in [`f64_to_odd_f32`].
#[inline(always)]
pub(crate) fn i64_to_odd_f64(value: i64) -> f64 {
    /// The bits of a 64-bit magnitude that an `f64` cannot hold.
    const LOST: u64 = (1 << 11) - 1;
    let magnitude = value.unsigned_abs();
    let sticky = u64::from(magnitude & LOST != 0) << 11;
    let kept = if magnitude < 1 << 53 { magnitude } else { magnitude & !LOST | sticky };
    let result = kept as f64;
    if value < 0 { -result } else { result }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;
    use crate::cpu::testing::pseudo_random;

    /// All finite non-negative values of a 16-bit type, computed from the definition of its fields.
    struct Halves {
        /// Ascending, so indexed by bits; the last is what infinity counts as when rounding.
        values: Vec<f64>,
    }

    impl Halves {
        fn f16() -> Self {
            let finite = (0..0x7c00u16).map(|bits| {
                let (exponent, fraction) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
                if exponent == 0 {
                    fraction * 2f64.powi(-24)
                } else {
                    (1024.0 + fraction) * 2f64.powi(exponent - 25)
                }
            });
            Halves { values: finite.chain([65536.0]).collect() }
        }

        fn bf16() -> Self {
            let finite = (0..0x7f80u16).map(|bits| {
                let (exponent, fraction) = (i32::from(bits >> 7), f64::from(bits & 0x7f));
                if exponent == 0 {
                    fraction * 2f64.powi(-133)
                } else {
                    (128.0 + fraction) * 2f64.powi(exponent - 134)
                }
            });
            Halves { values: finite.chain([2f64.powi(128)]).collect() }
        }

        /// Calls `check(value, bits)` with each value, each midpoint between neighbours and the values a step of
        /// f64 beside the midpoints, with the bits that each rounds to.
        fn each_boundary(&self, mut check: impl FnMut(f64, u16)) {
            for (low, pair) in self.values.windows(2).enumerate() {
                let low = low as u16;
                let middle = (pair[0] + pair[1]) / 2.0;
                check(pair[0], low);
                check(middle.next_down(), low);
                check(middle, if low.is_multiple_of(2) { low } else { low + 1 });
                check(middle.next_up(), low + 1);
            }
        }
    }

    #[test]
    fn f16_widens_to_the_value_its_bits_mean() {
        for (bits, &value) in Halves::f16().values[..0x7c00].iter().enumerate() {
            assert_eq!(f64::from(f16_to_f32(bits as u16)), value, "{bits:#x}");
            assert_eq!(f16_to_f32(bits as u16 | 0x8000).to_bits(), (-value as f32).to_bits(), "{bits:#x}");
        }
        assert_eq!(f16_to_f32(0x7c00), f32::INFINITY);
        assert_eq!(f16_to_f32(0xfc00), f32::NEG_INFINITY);
        assert!(
            (0x7c01..=0x7fff).all(|bits| f16_to_f32(bits).is_nan() && f16_to_f32(bits | 0x8000).is_nan())
        );
    }

    #[test]
    fn bf16_widens_to_the_value_its_bits_mean() {
        for (bits, &value) in Halves::bf16().values[..0x7f80].iter().enumerate() {
            assert_eq!(f64::from(bf16_to_f32(bits as u16)), value, "{bits:#x}");
            assert_eq!(bf16_to_f32(bits as u16 | 0x8000).to_bits(), (-value as f32).to_bits(), "{bits:#x}");
        }
        assert!((0x7f81..=0x7fff).all(|bits| bf16_to_f32(bits).is_nan()));
    }

    #[test]
    fn every_half_survives_widening_and_narrowing() {
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            let quiet = if half.is_nan() { bits | 0x200 } else { bits };
            assert_eq!(f32_to_f16(f16_to_f32(bits)), quiet, "f16 {bits:#x}");
            let quiet = if brain.is_nan() { bits | 0x40 } else { bits };
            assert_eq!(f32_to_bf16(bf16_to_f32(bits)), quiet, "bf16 {bits:#x}");
        }
    }

    #[test]
    fn f64_rounds_to_f16_once_at_every_boundary() {
        Halves::f16().each_boundary(|value, bits| {
            assert_eq!(f32_to_f16(f64_to_odd_f32(value)), bits, "{value:e}");
            assert_eq!(f32_to_f16(f64_to_odd_f32(-value)), bits | 0x8000, "-{value:e}");
        });
    }

    #[test]
    fn f64_rounds_to_bf16_once_at_every_boundary() {
        Halves::bf16().each_boundary(|value, bits| {
            assert_eq!(f32_to_bf16(f64_to_odd_f32(value)), bits, "{value:e}");
            assert_eq!(f32_to_bf16(f64_to_odd_f32(-value)), bits | 0x8000, "-{value:e}");
        });
    }

    #[test]
    fn f64_outside_f32_becomes_infinite_or_zero() {
        for (value, half) in [(f64::MAX, 0x7c00), (f64::INFINITY, 0x7c00), (5e-324, 0), (0.0, 0)] {
            assert_eq!(f32_to_f16(f64_to_odd_f32(value)), half);
            assert_eq!(f32_to_f16(f64_to_odd_f32(-value)), half | 0x8000);
        }
        assert_eq!(f32_to_bf16(f64_to_odd_f32(f64::MAX)), 0x7f80);
        assert_eq!(f32_to_bf16(f64_to_odd_f32(-5e-324)), 0x8000);
        assert!(f16::from_bits(f32_to_f16(f64_to_odd_f32(f64::NAN))).is_nan());
        assert!(bf16::from_bits(f32_to_bf16(f64_to_odd_f32(f64::NAN))).is_nan());
    }

    #[test]
    fn f32_narrows_as_the_crate_half_does() {
        // A prime step through all bit patterns meets every exponent with many significands.
        for bits in (0..=u32::MAX).step_by(2039) {
            let value = f32::from_bits(bits);
            assert_eq!(f32_to_f16(value), f16::from_f32(value).to_bits(), "f16 {bits:#x}");
            assert_eq!(f32_to_bf16(value), bf16::from_f32(value).to_bits(), "bf16 {bits:#x}");
        }
    }

    #[test]
    fn i64_rounds_once() {
        // Between 2^62 and 2^63 a bf16 has steps of 2^55.
        let middle = (1i64 << 62) + (1 << 54);
        let to_bf16 = |value| f32_to_bf16(f64_to_odd_f32(i64_to_odd_f64(value)));
        let even = bf16::from_f32(2f32.powi(62)).to_bits();
        for (value, bits) in [(middle - 1, even), (middle, even), (middle + 1, even + 1)] {
            assert_eq!(to_bf16(value), bits, "{value}");
            assert_eq!(to_bf16(-value), bits | 0x8000, "-{value}");
        }
        assert_eq!(bf16::from_bits(to_bf16(i64::MIN)).to_f64(), -(2f64.powi(63)));
        // By value: the integer itself, or an odd multiple of 2^11 less than a step away.
        for value in
            pseudo_random(10_000).map(|bits| (bits as i64) >> (bits % 64)).chain([i64::MIN, i64::MAX, 0])
        {
            let (exact, odd) = (i128::from(value), i64_to_odd_f64(value) as i128);
            let beside = odd % (1 << 12) != 0 && odd % (1 << 11) == 0 && (odd - exact).abs() < 1 << 11;
            assert!(odd == exact || (beside && exact.abs() > 1 << 53), "{value}");
        }
    }
}
