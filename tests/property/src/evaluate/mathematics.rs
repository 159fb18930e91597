//! Functions of one float, and roundings.

use super::{Outcome, integers, map};
use crate::dtype::DType;
use crate::real::{Real, Rounding, Undecided, agreed, settle, spread};
use crate::tensor::{Element, Tensor};

/// `sqrt`, `rsqrt`, `exp`, `log`, `log1p`, `expm1`, `sin`, `cos`, `tan`, `tanh`, `sigmoid`, `gelu`, `erf` or
/// `softplus`.
pub fn function(op: &str, x: &Tensor) -> Outcome {
    map(x, x.dtype, |element| real(op, x.dtype, element.float()).map(Element::Float))
}

fn real(op: &str, dtype: DType, x: Real) -> Result<Real, Undecided> {
    let value = x.value;
    if x.straddles_zero() && matches!(op, "rsqrt" | "log") {
        return Err(Undecided("a pole within the error"));
    }
    if op == "rsqrt" && value == 0.0 && (x.any_sign || value.is_sign_negative()) {
        return Err(Undecided("the sign of the infinity is open"));
    }
    if matches!(op, "sin" | "cos" | "tan") && value.is_finite() && value.abs() > 1e4 {
        return Err(Undecided("angles this large lose all their places"));
    }
    if op == "tan" && value.is_finite() && value.cos().abs() < 0.05 {
        return Err(Undecided("a pole is near"));
    }
    if op == "gelu" && value == f64::NEG_INFINITY {
        return Err(Undecided("the limit is 0, the product NaN"));
    }
    let propagated = spread(&[x], |ends| definition(op, ends[0]))?;
    let result = definition(op, value);
    let unit = dtype.unit();
    let rounding = match op {
        "sqrt" => {
            let exact = result.mul_add(result, -value) == 0.0;
            return settle(dtype, result, propagated, Rounding::correct(exact));
        }
        // A bound that is absolute: near their zeros they are as good as the argument's reduction.
        "sin" | "cos" => Rounding { exact: false, units: 3.0, absolute: 2.0 * unit },
        "tan" => Rounding { exact: false, units: 8.0, absolute: 4.0 * unit * (1.0 + result * result) },
        // `1 + erf` cancels on the negative side.
        "gelu" if value.is_finite() => {
            Rounding { exact: false, units: 8.0, absolute: 4.0 * dtype.accumulator().unit() * value.abs() }
        }
        _ => Rounding { exact: false, units: 6.0, absolute: 0.0 },
    };
    // A step inside may underflow where the result does not yet.
    let floor = dtype.accumulator().least_normal();
    settle(dtype, result, propagated, Rounding { absolute: rounding.absolute + floor, ..rounding })
}

fn definition(op: &str, x: f64) -> f64 {
    match op {
        "sqrt" => x.sqrt(),
        "rsqrt" => 1.0 / x.sqrt(),
        "exp" => x.exp(),
        "log" => x.ln(),
        "log1p" => x.ln_1p(),
        "expm1" => x.exp_m1(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "tanh" => x.tanh(),
        "sigmoid" => 1.0 / (1.0 + (-x).exp()),
        "gelu" => match () {
            () if x == f64::INFINITY => x,
            () if x < 0.0 => 0.5 * x * erfc(-x / std::f64::consts::SQRT_2),
            () => 0.5 * x * (1.0 + erf(x / std::f64::consts::SQRT_2)),
        },
        "erf" => erf(x),
        "softplus" => x.max(0.0) + (-x.abs()).exp().ln_1p() + if x.is_nan() { x } else { 0.0 },
        _ => panic!("`{op}` is no function"),
    }
}

/// The error function, by the series `2/√π e^(-x²) Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1))`, whose terms have one sign.
/// Abramowitz and Stegun 7.1.6.
pub fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() > 6.0 {
        return 1f64.copysign(x);
    }
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while sum + term != sum {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// `1 - erf(x)` for `x >= 0`, by a continued fraction where the difference would cancel. Abramowitz and Stegun 7.1.14.
fn erfc(x: f64) -> f64 {
    if x < 2.0 {
        return 1.0 - erf(x);
    }
    let fraction = (1..=200).rev().fold(x, |tail, n| x + 0.5 * f64::from(n) / tail);
    0.5 * std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() / fraction
}

/// `floor`, `ceil`, or `round` to the nearest, ties to even. Integers stay.
pub fn rounding(op: &str, x: &Tensor) -> Outcome {
    map(x, x.dtype, |element| match element {
        Element::Whole(whole) => Ok(Element::Whole(integers::unary(op, x.dtype, whole))),
        other => {
            let real = other.float();
            if !real.value.is_finite() {
                return Ok(other);
            }
            let round = |value: f64| match op {
                "floor" => value.floor(),
                "ceil" => value.ceil(),
                "round" => value.round_ties_even(),
                _ => panic!("`{op}` is no rounding"),
            };
            let rounded = agreed(&[real], |ends| round(ends[0]))?;
            settle(x.dtype, rounded, 0.0, Rounding::correct(true)).map(Element::Float)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{definition, erf, erfc, function, rounding};
    use crate::dtype::DType;
    use crate::tensor::Tensor;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-14 * b.abs()
    }

    /// Abramowitz and Stegun, tables 7.1 and 7.3.
    #[test]
    fn the_error_function_is_that_of_the_tables() {
        assert!(near(erf(0.5), 0.520_499_877_813_046_5));
        assert!(near(erf(-1.0), -0.842_700_792_949_714_9));
        assert!(near(erf(2.0), 0.995_322_265_018_952_7));
        assert!(near(erf(3.5), 0.999_999_256_901_627_7));
        assert!(near(erfc(3.0), 2.209_049_699_858_544e-5));
        assert!(near(erfc(2.0), 4.677_734_981_047_266e-3));
        assert_eq!((erf(0.0), erf(f64::INFINITY)), (0.0, 1.0));
        assert!(erf(f64::NAN).is_nan());
    }

    #[test]
    fn functions_have_their_known_values() {
        assert!(near(definition("gelu", 1.0), 0.841_344_746_068_543));
        assert!((definition("gelu", -5.0) + 1.433_257_859_395_97e-6).abs() < 1e-19);
        assert!(near(definition("softplus", 0.0), std::f64::consts::LN_2));
        assert_eq!(definition("softplus", 1000.0), 1000.0);
        assert!(definition("softplus", f64::NAN).is_nan());
        assert_eq!((definition("sigmoid", 0.0), definition("sigmoid", -1000.0)), (0.5, 0.0));
    }

    #[test]
    fn poles_and_domains() {
        let x = Tensor::floats(DType::F32, &[3], &[0.0, -1.0, f64::INFINITY]);
        let log: Vec<f64> = function("log", &x)
            .map(|y| y.elements.iter().map(|e| e.float().value).collect())
            .unwrap_or_default();
        assert!(log[0] == f64::NEG_INFINITY && log[1].is_nan() && log[2] == f64::INFINITY);
        assert!(
            function("sqrt", &Tensor::floats(DType::F16, &[1], &[2.25]))
                .is_ok_and(|y| y.elements[0].float().is_exact())
        );
        assert!(function("sin", &Tensor::floats(DType::F32, &[1], &[1e9])).is_err());
        assert!(
            function("exp", &Tensor::floats(DType::F16, &[1], &[20.0]))
                .is_ok_and(|y| y.elements[0].float().value == f64::INFINITY)
        );
    }

    #[test]
    fn ties_round_to_even() {
        let x = Tensor::floats(DType::F32, &[4], &[0.5, 1.5, -2.5, -0.2]);
        assert!(
            rounding("round", &x).is_ok_and(|y| y
                .elements
                .iter()
                .map(|e| e.float().value)
                .eq([0.0, 2.0, -2.0, 0.0]))
        );
        assert!(
            rounding("floor", &x).is_ok_and(|y| y
                .elements
                .iter()
                .map(|e| e.float().value)
                .eq([0.0, 1.0, -3.0, -1.0]))
        );
        assert!(
            rounding("ceil", &x).is_ok_and(|y| y
                .elements
                .iter()
                .map(|e| e.float().value)
                .eq([1.0, 2.0, -2.0, 0.0]))
        );
    }
}
