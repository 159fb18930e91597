//! Functions of real numbers.

use super::operations;
use crate::cpu::Float;

operations! {
    /// Functions of a floating-point type that is computed in.
    trait Mathematics for Float;
    /// The square root, correctly rounded; NaN below zero, -0.0 for -0.0.
    fn sqrt(a);
    /// One over the square root; infinity for 0.0.
    fn rsqrt(a);
    /// e to the power of `a`.
    fn exp(a);
    /// The natural logarithm; NaN below zero, -infinity for zeros.
    fn log(a);
    /// The natural logarithm of `1 + a`, accurate near zero.
    fn log1p(a);
    /// e to the power of `a`, minus 1, accurate near zero.
    fn expm1(a);
    /// The sine of `a` radians.
    fn sin(a);
    /// The cosine of `a` radians.
    fn cos(a);
    /// The tangent of `a` radians.
    fn tan(a);
    /// The hyperbolic tangent.
    fn tanh(a);
    /// The error function.
    fn erf(a);
    /// One minus the error function, accurate for large `a`.
    fn erfc(a);
    /// The greatest whole number not above `a`.
    fn floor(a);
    /// The least whole number not below `a`.
    fn ceil(a);
    /// The nearest whole number, of two the even one.
    fn round(a);
}

macro_rules! floats {
    ($($type:ident $erf:ident $erfc:ident { $($name:ident by $method:ident;)+ })+) => {$(
        impl Mathematics for $type {
            $(
                #[inline(always)]
                fn $name(a: Self) -> Self {
                    a.$method()
                }
            )+
            #[inline(always)]
            fn rsqrt(a: Self) -> Self {
                1.0 / a.sqrt()
            }
            #[inline(always)]
            fn erf(a: Self) -> Self {
                libm::$erf(a)
            }
            #[inline(always)]
            fn erfc(a: Self) -> Self {
                libm::$erfc(a)
            }
        }
    )+};
    ($($type:ident $erf:ident $erfc:ident;)+) => {
        floats! {$(
            $type $erf $erfc {
                sqrt by sqrt;
                exp by exp;
                log by ln;
                log1p by ln_1p;
                expm1 by exp_m1;
                sin by sin;
                cos by cos;
                tan by tan;
                tanh by tanh;
                floor by floor;
                ceil by ceil;
                round by round_ties_even;
            }
        )+}
    };
}

floats! {
    f32 erff erfcf;
    f64 erf erfc;
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;
    use crate::cpu::scalar::cast;
    use crate::cpu::testing::assert_same;

    type Function<T> = fn(T) -> T;

    /// Each function for one type, with its name.
    fn functions<T: Float>() -> [(&'static str, Function<T>); 15] {
        [
            ("sqrt", sqrt),
            ("rsqrt", rsqrt),
            ("exp", exp),
            ("log", log),
            ("log1p", log1p),
            ("expm1", expm1),
            ("sin", sin),
            ("cos", cos),
            ("tan", tan),
            ("tanh", tanh),
            ("erf", erf),
            ("erfc", erfc),
            ("floor", floor),
            ("ceil", ceil),
            ("round", round),
        ]
    }

    #[test]
    fn special_values() {
        const N: f64 = f64::NAN;
        const I: f64 = f64::INFINITY;
        // At 0.0, -0.0, infinity and -infinity, by C's annex F; NaN stays NaN.
        #[rustfmt::skip]
        let expected = [
            ("sqrt",  [0.0, -0.0, I, N]),
            ("rsqrt", [I, -I, 0.0, N]),
            ("exp",   [1.0, 1.0, I, 0.0]),
            ("log",   [-I, -I, I, N]),
            ("log1p", [0.0, -0.0, I, N]),
            ("expm1", [0.0, -0.0, I, -1.0]),
            ("sin",   [0.0, -0.0, N, N]),
            ("cos",   [1.0, 1.0, N, N]),
            ("tan",   [0.0, -0.0, N, N]),
            ("tanh",  [0.0, -0.0, 1.0, -1.0]),
            ("erf",   [0.0, -0.0, 1.0, -1.0]),
            ("erfc",  [1.0, 1.0, 0.0, 2.0]),
            ("floor", [0.0, -0.0, I, -I]),
            ("ceil",  [0.0, -0.0, I, -I]),
            ("round", [0.0, -0.0, I, -I]),
        ];
        for (i, (name, values)) in expected.into_iter().enumerate() {
            assert_eq!((functions::<f64>()[i].0, functions::<f64>().len()), (name, expected.len()));
            for (input, wanted) in [0.0, -0.0, I, -I, N].into_iter().zip(values.into_iter().chain([N])) {
                assert_same(functions::<f64>()[i].1(input), wanted, (name, input));
                assert_same(f64::from(functions::<f32>()[i].1(input as f32)), wanted, (name, input));
                assert_same(functions::<f16>()[i].1(f16::from_f64(input)).to_f64(), wanted, (name, input));
                assert_same(functions::<bf16>()[i].1(bf16::from_f64(input)).to_f64(), wanted, (name, input));
            }
        }
    }

    /// Known values, written out to more digits than f64 has.
    #[test]
    #[allow(clippy::approx_constant, clippy::excessive_precision, reason = "expected values are written out")]
    fn known_values() {
        let expected: [(&str, Function<f64>, f64, f64); 17] = [
            ("sqrt", sqrt, 2.0, 1.41421356237309504880),
            ("rsqrt", rsqrt, 2.0, 0.70710678118654752440),
            ("exp", exp, 1.0, 2.71828182845904523536),
            ("log", log, 10.0, 2.30258509299404568402),
            ("log1p", log1p, 1e-10, 9.9999999995000000000333e-11),
            ("expm1", expm1, 1e-10, 1.00000000005000000000167e-10),
            ("sin", sin, 1.0, 0.84147098480789650665),
            ("cos", cos, 1.0, 0.54030230586813971740),
            ("tan", tan, 1.0, 1.55740772465490223051),
            ("tanh", tanh, 0.5, 0.46211715726000975850),
            ("erf", erf, 0.5, 0.52049987781304653768),
            ("erfc", erfc, 3.0, 2.20904969985854413728e-5),
            ("floor", floor, -2.5, -3.0),
            ("ceil", ceil, -2.5, -2.0),
            ("round", round, 2.5, 2.0),
            ("round", round, -3.5, -4.0),
            ("round", round, 0.49999999999999994, 0.0),
        ];
        for (name, function, input, wanted) in expected {
            let error = (function(input) - wanted).abs();
            assert!(error <= 2.0 * f64::EPSILON * wanted.abs(), "{name}({input}) is {}", function(input));
        }
    }

    #[test]
    fn whole_numbers_and_roots_of_every_half_are_exact() {
        for bits in 0..=u16::MAX {
            let half = f16::from_bits(bits);
            let value = half.to_f64();
            assert_same(floor(half).to_f64(), value.floor(), half);
            assert_same(ceil(half).to_f64(), value.ceil(), half);
            // To even: of the two whole numbers around, the nearer, or the one divisible by two.
            let (down, up) = (value.floor(), value.ceil());
            let to_down = value - down < up - value || (value - down == up - value && down % 2.0 == 0.0);
            let nearest = if to_down { down } else { up }.copysign(value);
            assert_same(round(half).to_f64(), if value.is_finite() { nearest } else { value }, half);
            assert_same(sqrt(half).to_f64(), cast::<f64, f16>(value.sqrt()).to_f64(), half);
        }
    }

    /// Rounding from f32 may tip a case near the middle of two f16, but no more.
    #[test]
    fn every_half_is_within_a_unit_of_the_function() {
        for ((name, in_half), (_, in_double)) in functions::<f16>().into_iter().zip(functions::<f64>()) {
            for bits in 0..=u16::MAX {
                let half = f16::from_bits(bits);
                let (found, exact) = (in_half(half), in_double(half.to_f64()));
                let wanted = cast::<f64, f16>(exact);
                let near = found == wanted || (found.is_nan() && wanted.is_nan());
                let unit = found.to_bits().abs_diff(wanted.to_bits()) <= 1;
                assert!(near || unit, "{name}({half}): found {found}, wanted {wanted}");
            }
        }
    }

    #[test]
    fn f32_is_near_f64() {
        for ((name, single), (_, double)) in functions::<f32>().into_iter().zip(functions::<f64>()) {
            for i in -400..400 {
                let x = i as f32 * 0.0737;
                let (found, wanted) = (f64::from(single(x)), double(f64::from(x)));
                // Relative to the value, but the sine, cosine and tangent near their zeros.
                let tolerance = 4.0 * f64::from(f32::EPSILON) * wanted.abs() + f64::from(f32::MIN_POSITIVE);
                let near = (found - wanted).abs() <= tolerance || found == wanted as f32 as f64;
                assert!(near || (found.is_nan() && wanted.is_nan()), "{name}({x}): {found} for {wanted}");
            }
        }
    }
}
