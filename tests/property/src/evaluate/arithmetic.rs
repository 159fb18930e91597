//! The binary operators, and the unary ones that need no function: `neg`, `abs`, `sign`, `square`, `relu`, `clip`.

use super::{Outcome, integers, map, zip};
use crate::dtype::DType;
use crate::real::{Real, Rounding, Undecided, product_is_exact, settle, spread, sum_is_exact};
use crate::tensor::{Element, Tensor};

/// `add`, `sub`, `mul`, `div`, `rem`, `floor_div`, `floor_mod`, `pow`, `minimum` or `maximum`.
pub fn binary(op: &str, x: &Tensor, y: &Tensor) -> Outcome {
    let dtype = x.dtype;
    assert_eq!(dtype, y.dtype, "{op}");
    zip(x, y, dtype, |a, b| match (a, b) {
        (Element::Whole(a), Element::Whole(b)) => Ok(Element::Whole(integers::binary(op, dtype, a, b))),
        _ => real(op, dtype, a.float(), b.float()).map(Element::Float),
    })
}

/// One of [`binary`] on floats of `dtype`.
pub fn real(op: &str, dtype: DType, x: Real, y: Real) -> Result<Real, Undecided> {
    let (a, b) = (x.value, y.value);
    match op {
        "add" => rounded(dtype, x, y, |a, b| a + b, sum_is_exact(a, b, a + b)),
        "sub" => rounded(dtype, x, y, |a, b| a - b, sum_is_exact(a, -b, a - b)),
        "mul" => rounded(dtype, x, y, |a, b| a * b, product_is_exact(a, b, a * b)),
        "div" => {
            certain_divisor(y)?;
            rounded(dtype, x, y, |a, b| a / b, quotient_is_exact(a, b))
        }
        "rem" => {
            certain(x, y)?;
            certain_divisor(y)?;
            // The remainder is a multiple of the finer of the two last places, and so is held.
            settle(dtype, a % b, 0.0, Rounding::correct(true))
        }
        "floor_div" => floor_div(dtype, x, y),
        "floor_mod" => floor_mod(dtype, x, y),
        "pow" => power(dtype, x, y),
        "minimum" | "maximum" => {
            let greater = op == "maximum";
            rounded(dtype, x, y, |a, b| extreme(greater, a, b), true)
        }
        _ => panic!("`{op}` is no binary op"),
    }
}

fn rounded(
    dtype: DType,
    x: Real,
    y: Real,
    f: impl Fn(f64, f64) -> f64,
    exact: bool,
) -> Result<Real, Undecided> {
    let propagated = spread(&[x, y], |ends| f(ends[0], ends[1]))?;
    settle(dtype, f(x.value, y.value), propagated, Rounding::correct(exact))
}

fn certain(x: Real, y: Real) -> Result<(), Undecided> {
    match x.is_exact() && y.is_exact() {
        true => Ok(()),
        false => Err(Undecided("a remainder of inexact numbers")),
    }
}

/// Refuses divisors near zero, and zeros whose sign, and so that of the infinity, is open.
fn certain_divisor(y: Real) -> Result<(), Undecided> {
    match y.straddles_zero() || y.value == 0.0 && y.any_sign {
        true => Err(Undecided("the divisor may be a zero of either sign")),
        false => Ok(()),
    }
}

fn quotient_is_exact(a: f64, b: f64) -> bool {
    let quotient = a / b;
    quotient.mul_add(b, -a) == 0.0 && (quotient != 0.0 || a == 0.0)
}

/// NaN where either is; else the greater or the less.
pub fn extreme(greater: bool, a: f64, b: f64) -> f64 {
    match () {
        () if a.is_nan() || b.is_nan() => f64::NAN,
        () if (a > b) == greater => a,
        () => b,
    }
}

/// The quotient rounded down.
fn floor_div(dtype: DType, x: Real, y: Real) -> Result<Real, Undecided> {
    certain(x, y)?;
    certain_divisor(y)?;
    let (a, b) = (x.value, y.value);
    if a.is_nan() || b.is_nan() {
        return settle(dtype, f64::NAN, 0.0, Rounding::correct(true));
    }
    if a.is_infinite() || b.is_infinite() {
        return Err(Undecided("systems differ on the rounded quotient of infinities"));
    }
    if b == 0.0 {
        return settle(dtype, a / b, 0.0, Rounding::correct(true));
    }
    if (a / b).abs() > 1e9 {
        return Err(Undecided("the last places of the quotient are lost"));
    }
    // The quotient may have been rounded up to a whole number; the remainder, whose sign is exact, tells.
    let mut floor = (a / b).floor();
    let rest = (-floor).mul_add(b, a);
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        floor -= 1.0;
    }
    settle(dtype, floor, 0.0, Rounding::correct(true))
}

/// `a - b * floor(a / b)`, which has the sign of `b`.
fn floor_mod(dtype: DType, x: Real, y: Real) -> Result<Real, Undecided> {
    certain(x, y)?;
    certain_divisor(y)?;
    let (a, b) = (x.value, y.value);
    if a.is_infinite() || b.is_infinite() {
        return Err(Undecided("systems differ on the remainder of infinities"));
    }
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        return settle(dtype, rest + b, 0.0, Rounding::correct(sum_is_exact(rest, b, rest + b)));
    }
    settle(dtype, rest, 0.0, Rounding::correct(true))
}

/// C's `pow`.
fn power(dtype: DType, x: Real, y: Real) -> Result<Real, Undecided> {
    let (a, b) = (x.value, y.value);
    if x.straddles_zero() || a == 0.0 && b < 0.0 && x.any_sign {
        return Err(Undecided("the base may be a zero of either sign"));
    }
    let propagated = spread(&[x, y], |ends| ends[0].powf(ends[1]))?;
    // An implementation by `exp(y log x)` loses what the exponent of e magnifies.
    let magnified = if a > 0.0 && a.is_finite() && b.is_finite() { (b * a.ln()).abs() } else { 0.0 };
    settle(dtype, a.powf(b), propagated, Rounding::within(8.0 + 2.0 * magnified))
}

/// `neg`, `abs`, `sign`, `square`, `relu`.
pub fn unary(op: &str, x: &Tensor) -> Outcome {
    let dtype = x.dtype;
    map(x, dtype, |element| match element {
        Element::Whole(a) => Ok(Element::Whole(integers::unary(op, dtype, a))),
        other => unary_real(op, dtype, other.float()).map(Element::Float),
    })
}

fn unary_real(op: &str, dtype: DType, x: Real) -> Result<Real, Undecided> {
    let value = x.value;
    match op {
        "neg" => Ok(Real { value: -value, ..x }),
        "abs" => Ok(Real { value: value.abs(), error: x.error, any_sign: false }),
        "sign" => {
            let sign = crate::real::agreed(&[x], |ends| match ends[0] {
                end if end > 0.0 => Some(1),
                end if end < 0.0 => Some(-1),
                0.0 => Some(0),
                _ => None,
            })?;
            settle(dtype, sign.map_or(f64::NAN, f64::from), 0.0, Rounding::correct(true))
        }
        "square" => real("mul", dtype, x, x),
        "relu" => {
            let propagated = spread(&[x], |ends| extreme(true, ends[0], 0.0))?;
            settle(dtype, extreme(true, value, 0.0), propagated, Rounding::correct(true))
        }
        _ => panic!("`{op}` is no unary op here"),
    }
}

/// `min(max(x, low), high)`; NaN stays.
pub fn clip(x: &Tensor, low: &Tensor, high: &Tensor) -> Outcome {
    binary("minimum", &binary("maximum", x, low)?, high)
}

#[cfg(test)]
mod tests {
    use super::{binary, clip, unary};
    use crate::dtype::DType;
    use crate::real::Real;
    use crate::tensor::{Element, Tensor};

    fn floats(values: &[f64]) -> Tensor {
        Tensor::floats(DType::F32, &[values.len()], values)
    }

    fn values(outcome: super::Outcome) -> Vec<f64> {
        outcome.map(|x| x.elements.iter().map(|e| e.float().value).collect()).unwrap_or_default()
    }

    /// Expected values by NumPy: `np.fmod`, `np.floor_divide`, `np.mod`.
    #[test]
    fn quotients_and_remainders_are_those_of_numpy() {
        let (x, y) = (floats(&[7.0, -7.0, 7.0, -7.0, 5.5]), floats(&[3.0, 3.0, -3.0, -3.0, 0.25]));
        assert_eq!(values(binary("rem", &x, &y)), [1.0, -1.0, 1.0, -1.0, 0.0]);
        assert_eq!(values(binary("floor_div", &x, &y)), [2.0, -3.0, -3.0, 2.0, 22.0]);
        assert_eq!(values(binary("floor_mod", &x, &y)), [1.0, 2.0, -2.0, -1.0, 0.0]);
        let tenths = Tensor::floats(DType::F64, &[1], &[1.0]);
        let tenth = Tensor::floats(DType::F64, &[1], &[0.1]);
        assert_eq!(values(binary("floor_div", &tenths, &tenth)), [9.0]);
    }

    #[test]
    fn special_numbers_follow_ieee() {
        let (x, y) = (floats(&[1.0, -1.0, 0.0, f64::INFINITY]), floats(&[-0.0, 0.0, 0.0, f64::INFINITY]));
        let quotient = values(binary("div", &x, &y));
        assert_eq!(quotient[..2], [f64::NEG_INFINITY, f64::NEG_INFINITY]);
        assert!(quotient[2].is_nan() && quotient[3].is_nan());
        let nan = floats(&[f64::NAN, 1.0]);
        let most = values(binary("maximum", &nan, &floats(&[1.0, f64::NAN])));
        assert!(most.iter().all(|value| value.is_nan()));
        assert!(values(unary("relu", &nan))[0].is_nan());
        assert!(values(clip(&nan, &floats(&[0.0]), &floats(&[0.5])))[0].is_nan());
        assert_eq!(values(clip(&nan, &floats(&[0.0]), &floats(&[0.5])))[1], 0.5);
        assert_eq!(
            values(binary("pow", &floats(&[2.0, 0.0, -2.0]), &floats(&[-1.0, 0.0, 3.0]))),
            [0.5, 1.0, -8.0]
        );
    }

    #[test]
    fn a_zero_of_open_sign_divides_nothing() {
        let open = Element::Float(Real { value: 0.0, error: 0.0, any_sign: true });
        let zero = Tensor::new(DType::F32, &[1], vec![open]);
        assert!(binary("div", &floats(&[1.0]), &zero).is_err());
    }

    #[test]
    fn inexact_results_carry_a_bound() {
        let third = binary("div", &floats(&[1.0]), &floats(&[3.0])).map(|x| x.elements[0].float());
        let third = third.unwrap_or(Real::exact(0.0));
        let real = f64::from(1f32 / 3f32);
        assert!(third.error > 0.0 && (real - third.value).abs() <= third.error);
        assert!(third.error < 1e-7);
    }
}
