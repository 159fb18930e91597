//! Powers.

use super::operations;
use crate::cpu::Element;

operations! {
    /// Powers of a type that is computed in.
    trait Power for Element;
    /// `a` to the power of `b`.
    ///
    /// Floats as C's `pow`. Integers wrap; a negative exponent gives the truncated quotient `1 / a^-b`: 0, but 1 for
    /// base 1, 1 or -1 for base -1 and, as a division by zero, -1 for base 0.
    fn pow(a, b);
}

macro_rules! floats {
    ($($type:ident)+) => {$(
        impl Power for $type {
            #[inline(always)]
            fn pow(a: Self, b: Self) -> Self {
                a.powf(b)
            }
        }
    )+};
}

floats!(f32 f64);

/// Integers; `$negative` is the power for the exponents that `$is_negative` holds for.
macro_rules! integers {
    ($($type:ident |$base:ident, $exponent:ident| $is_negative:expr => $negative:expr;)+) => {$(
        impl Power for $type {
            #[inline]
            fn pow($base: Self, $exponent: Self) -> Self {
                if $is_negative {
                    return $negative;
                }
                let (mut square, mut rest, mut product): (Self, Self, Self) = ($base, $exponent, 1);
                while rest != 0 {
                    if rest & 1 == 1 {
                        product = product.wrapping_mul(square);
                    }
                    square = square.wrapping_mul(square);
                    rest >>= 1;
                }
                product
            }
        }
    )+};
}

/// `base` to a negative power, odd or even.
macro_rules! reciprocal {
    ($base:ident, $exponent:ident) => {
        match $base {
            0 => -1,
            1 => 1,
            -1 => 1 - 2 * ($exponent & 1),
            _ => 0,
        }
    };
}

integers! {
    i32 |base, exponent| exponent < 0 => reciprocal!(base, exponent);
    i64 |base, exponent| exponent < 0 => reciprocal!(base, exponent);
    u8 |base, exponent| false => 0;
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;
    use crate::cpu::testing::assert_same;

    #[test]
    fn bytes_are_repeated_products() {
        for base in 0..=u8::MAX {
            let mut product = 1;
            for exponent in 0..=u8::MAX {
                assert_eq!(pow(base, exponent), product, "{base} {exponent}");
                product = (u32::from(product) * u32::from(base) % 256) as u8;
            }
        }
    }

    #[test]
    fn integers_are_repeated_products() {
        for base in (-9..=9).chain([i32::MIN, i32::MAX, 46341, -46341]) {
            let (mut product, mut wide) = (1i32, 1i64);
            for exponent in 0..70 {
                assert_eq!(pow(base, exponent), product, "{base} {exponent}");
                assert_eq!(pow(i64::from(base), i64::from(exponent)), wide, "{base} {exponent}");
                product = (i64::from(product) * i64::from(base)) as i32;
                wide = (i128::from(wide) * i128::from(base)) as i64;
            }
        }
        assert_eq!(
            pow(3i32, i32::MAX),
            -1431655765,
            "3^(2^31 - 1) is the inverse of 3 modulo 2^32, times 3^(2^31) = 1"
        );
    }

    #[test]
    fn negative_exponents_are_truncated_quotients() {
        for exponent in [-1, -2, -3, i32::MIN, i32::MIN + 1] {
            let odd = if exponent % 2 == 0 { 1 } else { -1 };
            let expected = [(0, -1), (1, 1), (-1, odd), (2, 0), (-2, 0), (i32::MIN, 0), (i32::MAX, 0)];
            for (base, wanted) in expected {
                assert_eq!(pow(base, exponent), wanted, "{base} {exponent}");
                assert_eq!(pow(i64::from(base), i64::from(exponent)), i64::from(wanted), "{base} {exponent}");
            }
        }
    }

    #[test]
    fn floats_follow_c() {
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        let expected = [
            (2.0, 10.0, 1024.0),
            (-2.0, 3.0, -8.0),
            (-8.0, 1.0 / 3.0, nan),
            (nan, 0.0, 1.0),
            (1.0, nan, 1.0),
            (0.0, -1.0, infinity),
            (-0.0, -1.0, -infinity),
            (-0.0, 3.0, -0.0),
            (-1.0, infinity, 1.0),
            (0.5, infinity, 0.0),
            (0.0, 0.0, 1.0),
        ];
        for (base, exponent, wanted) in expected {
            assert_same(pow(base, exponent), wanted, (base, exponent));
            assert_same(f64::from(pow(base as f32, exponent as f32)), wanted, (base, exponent));
            let halves = (f16::from_f64(base), f16::from_f64(exponent));
            assert_same(f64::from(pow(halves.0, halves.1)), wanted, halves);
        }
    }
}
