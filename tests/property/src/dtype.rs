//! Element types, with the arithmetic facts that tolerances are made of.

/// The type of a tensor's elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DType {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of a binary32.
    BF16,
    /// Two's complement, 32 bits.
    I32,
    /// Two's complement, 64 bits.
    I64,
    /// Unsigned, 8 bits.
    U8,
    /// True or false.
    Bool,
}

impl DType {
    /// Every dtype.
    pub const ALL: [DType; 8] =
        [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I64, DType::U8, DType::Bool];

    /// The name in the language.
    pub fn name(self) -> &'static str {
        match self {
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::F16 => "f16",
            DType::BF16 => "bf16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::U8 => "u8",
            DType::Bool => "bool",
        }
    }

    /// Whether its elements are floats.
    pub fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64 | DType::F16 | DType::BF16)
    }

    /// Whether its elements are integers; `bool` has none.
    pub fn is_integer(self) -> bool {
        matches!(self, DType::I32 | DType::I64 | DType::U8)
    }

    /// Significant bits of a float, the hidden one included.
    ///
    /// # Panics
    /// For a dtype that is no float, as all functions of this file on floats.
    pub fn significant_bits(self) -> i32 {
        match self {
            DType::F32 => 24,
            DType::F64 => 53,
            DType::F16 => 11,
            DType::BF16 => 8,
            other => panic!("{} is no float", other.name()),
        }
    }

    /// Half a unit in the last place of 1.0: the largest relative error of one correct rounding.
    pub fn unit(self) -> f64 {
        power_of_two(-self.significant_bits())
    }

    /// The exponent of the smallest normal number.
    fn least_exponent(self) -> i32 {
        match self {
            DType::F64 => -1022,
            DType::F16 => -14,
            _ => -126,
        }
    }

    /// The smallest normal number.
    pub fn least_normal(self) -> f64 {
        power_of_two(self.least_exponent())
    }

    /// The smallest positive number, which is the distance of neighbours among the subnormal ones.
    pub fn least_positive(self) -> f64 {
        power_of_two(self.least_exponent() - self.significant_bits() + 1)
    }

    /// The largest finite number.
    pub fn largest(self) -> f64 {
        match self {
            DType::F32 => f64::from(f32::MAX),
            DType::F64 => f64::MAX,
            DType::F16 => 65504.0,
            DType::BF16 => 255.0 * power_of_two(120),
            other => panic!("{} is no float", other.name()),
        }
    }

    /// What sums of this dtype are accumulated in.
    pub fn accumulator(self) -> DType {
        match self {
            DType::F16 | DType::BF16 => DType::F32,
            other => other,
        }
    }

    /// The nearest number of this float dtype, ties to even; infinity where it is too large.
    pub fn round(self, value: f64) -> f64 {
        match self {
            DType::F64 => value,
            DType::F32 => f64::from(value as f32),
            _ if !value.is_finite() || value == 0.0 => value,
            _ => {
                let exponent = exponent(value).max(self.least_exponent());
                let quantum = power_of_two(exponent - self.significant_bits() + 1);
                let rounded = (value / quantum).round_ties_even() * quantum;
                if rounded.abs() > self.largest() {
                    f64::INFINITY.copysign(value)
                } else {
                    rounded.abs().copysign(value)
                }
            }
        }
    }

    /// Whether the finite number is one of this float dtype.
    pub fn holds(self, value: f64) -> bool {
        self.round(value) == value
    }

    /// The least and the greatest number of an integer dtype.
    pub fn integer_range(self) -> (i64, i64) {
        match self {
            DType::I32 => (i32::MIN.into(), i32::MAX.into()),
            DType::I64 => (i64::MIN, i64::MAX),
            DType::U8 => (0, 255),
            other => panic!("{} is no integer", other.name()),
        }
    }

    /// Bits of an integer dtype.
    pub fn bits(self) -> u32 {
        match self {
            DType::I32 => 32,
            DType::I64 => 64,
            DType::U8 => 8,
            other => panic!("{} is no integer", other.name()),
        }
    }

    /// The integer modulo two to the width, as the integer dtype reads it.
    pub fn wrap(self, value: i128) -> i64 {
        match self {
            DType::I32 => i64::from(value as i32),
            DType::I64 => value as i64,
            DType::U8 => i64::from(value as u8),
            other => panic!("{} is no integer", other.name()),
        }
    }
}

/// `2^exponent`, subnormal results included.
pub fn power_of_two(exponent: i32) -> f64 {
    // `powi` divides by the positive power, which overflows before the subnormal results are reached.
    if exponent < -1000 { 2f64.powi(exponent + 200) * 2f64.powi(-200) } else { 2f64.powi(exponent) }
}

/// The `e` with `2^e <= |value| < 2^(e + 1)`, of a finite number that is not zero.
pub fn exponent(value: f64) -> i32 {
    let bits = ((value.to_bits() >> 52) & 0x7ff) as i32;
    if bits == 0 { exponent(value * power_of_two(64)) - 64 } else { bits - 1023 }
}

/// The largest `e` for which `value` is a multiple of `2^e`, of a finite number that is not zero.
pub fn trailing_exponent(value: f64) -> i32 {
    let bits = value.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (significand, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    exponent + significand.trailing_zeros() as i32
}

#[cfg(test)]
mod tests {
    use super::{DType, exponent, power_of_two, trailing_exponent};

    #[test]
    fn halves_round_to_nearest_even() {
        assert_eq!(DType::F16.round(2049.0), 2048.0);
        assert_eq!(DType::F16.round(2051.0), 2052.0);
        assert_eq!(DType::F16.round(65519.0), 65504.0);
        assert_eq!(DType::F16.round(65520.0), f64::INFINITY);
        assert_eq!(DType::F16.round(power_of_two(-25)), 0.0);
        assert_eq!(DType::F16.round(3.0 * power_of_two(-25)), power_of_two(-23));
        assert_eq!(DType::BF16.round(257.0), 256.0);
        assert_eq!(DType::BF16.round(259.0), 260.0);
        assert_eq!(DType::BF16.largest(), 3.3895313892515355e38);
        assert!(DType::F16.round(-1e-9).is_sign_negative());
        assert!(DType::F32.round(f64::NAN).is_nan());
    }

    #[test]
    fn exponents_bracket_a_number() {
        assert_eq!((exponent(1.0), exponent(-7.5), exponent(0.3)), (0, 2, -2));
        assert_eq!(exponent(5e-324), -1074);
        assert_eq!(DType::F64.least_positive(), 5e-324);
        assert_eq!((trailing_exponent(12.0), trailing_exponent(0.375), trailing_exponent(1.0)), (2, -3, 0));
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(DType::U8.wrap(-1), 255);
        assert_eq!(DType::I32.wrap(1 << 31), i64::from(i32::MIN));
        assert_eq!(DType::I64.wrap(1 << 63), i64::MIN);
    }
}
