//! Floats with a bound on what a machine may compute instead.

use crate::dtype::DType;

/// A float as the definitions give it, and how far the result of a sound implementation can be from it.
///
/// `error` is 0 where the implementation has no choice: every step gave a number that its dtype holds. Ops that jump
/// (comparisons, rounding, positions of extremes) are decided only where the whole interval gives one answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Real {
    /// The number; NaN and infinities are as certain as numbers with `error` 0.
    pub value: f64,
    /// The largest distance, not negative.
    pub error: f64,
    /// Whether a zero may be of either sign, since the definitions do not say.
    pub any_sign: bool,
}

/// Nothing can be said of the result: it hangs on how an implementation rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undecided(
    /// What it hangs on.
    pub &'static str,
);

impl Real {
    /// A number that is certain, its sign too.
    pub fn exact(value: f64) -> Real {
        Real { value, error: 0.0, any_sign: false }
    }

    /// Whether the implementation has no choice.
    pub fn is_exact(self) -> bool {
        self.error == 0.0
    }

    /// The number and the two ends of its interval.
    pub fn ends(self) -> Vec<f64> {
        match self.error {
            0.0 => vec![self.value],
            error => vec![self.value, self.value - error, self.value + error],
        }
    }

    /// Whether the number can be zero without being certain to be.
    pub fn straddles_zero(self) -> bool {
        !self.is_exact() && self.value.abs() <= self.error
    }
}

/// How an op rounds its result.
#[derive(Clone, Copy, Debug)]
pub struct Rounding {
    /// Whether the mathematical result was met without rounding in the evaluator.
    pub exact: bool,
    /// What an implementation may be off, in units of [`DType::unit`] of the result.
    pub units: f64,
    /// What it may be off beyond that.
    pub absolute: f64,
}

impl Rounding {
    /// A correctly rounded result, `exact` where the evaluator's own f64 did not round.
    pub fn correct(exact: bool) -> Rounding {
        Rounding { exact, units: 1.0, absolute: 0.0 }
    }

    /// A function that is good to `units`.
    pub fn within(units: f64) -> Rounding {
        Rounding { exact: false, units, absolute: 0.0 }
    }
}

/// The result of an op in `dtype`: `value`, off by `propagated` from its operands and by its own rounding.
///
/// # Errors
/// Undecided where it may or may not overflow, and where the bound is too wide for a test to mean anything.
pub fn settle(dtype: DType, value: f64, propagated: f64, rounding: Rounding) -> Result<Real, Undecided> {
    let any_sign = true;
    if !value.is_finite() {
        return Ok(Real { value, error: 0.0, any_sign });
    }
    if rounding.exact && propagated == 0.0 && dtype.holds(value) {
        return Ok(Real { value, error: 0.0, any_sign });
    }
    // The evaluator's own arithmetic is f64, and rounds, too.
    let units = if dtype == DType::F64 { 4.0 * rounding.units } else { rounding.units };
    let subnormal = if value.abs() < 2.0 * dtype.least_normal() { dtype.least_positive() } else { 0.0 };
    let error = propagated + rounding.absolute + units * dtype.unit() * value.abs() + subnormal;
    if !error.is_finite() || error > 0.05 * value.abs().max(1.0) {
        return Err(Undecided("the errors add up to more than a test can use"));
    }
    let largest = dtype.largest();
    if value.abs() - error > 1.01 * largest {
        return Ok(Real { value: f64::INFINITY.copysign(value), error: 0.0, any_sign });
    }
    if value.abs() + error > 0.99 * largest {
        return Err(Undecided("the result is at the edge of its dtype"));
    }
    Ok(Real { value, error, any_sign })
}

/// How far `f` moves while its arguments move within their intervals: over all corners, doubled for what may lie
/// between them.
///
/// # Errors
/// Undecided where corners differ in kind: a number here, NaN or an infinity there.
pub fn spread(arguments: &[Real], f: impl Fn(&[f64]) -> f64) -> Result<f64, Undecided> {
    let centre: Vec<f64> = arguments.iter().map(|x| x.value).collect();
    let middle = f(&centre);
    let mut far = 0f64;
    for corner in corners(arguments) {
        let value = f(&corner);
        match (middle.is_finite(), value.is_finite()) {
            (true, true) => far = far.max((value - middle).abs()),
            (false, false) if value == middle || value.is_nan() && middle.is_nan() => {}
            _ => return Err(Undecided("a number or none, by rounding")),
        }
    }
    Ok(2.0 * far)
}

/// The value of `f` where it is one and the same over the intervals of its arguments.
///
/// # Errors
/// Undecided where it is not.
pub fn agreed<T: PartialEq>(arguments: &[Real], f: impl Fn(&[f64]) -> T) -> Result<T, Undecided> {
    let centre: Vec<f64> = arguments.iter().map(|x| x.value).collect();
    let middle = f(&centre);
    match corners(arguments).iter().all(|corner| f(corner) == middle) {
        true => Ok(middle),
        false => Err(Undecided("it jumps within the error")),
    }
}

/// Every choice of one of its [`Real::ends`] for each argument.
fn corners(arguments: &[Real]) -> Vec<Vec<f64>> {
    arguments.iter().fold(vec![Vec::new()], |corners: Vec<Vec<f64>>, argument| {
        let ends = argument.ends();
        let extended = |corner: &Vec<f64>| -> Vec<Vec<f64>> {
            ends.iter().map(|end| [corner.as_slice(), &[*end]].concat()).collect()
        };
        corners.iter().flat_map(extended).collect()
    })
}

/// Whether `a + b` is `sum` without rounding (Knuth's two-sum).
pub fn sum_is_exact(a: f64, b: f64, sum: f64) -> bool {
    let rest = sum - a;
    (a - (sum - rest)) + (b - rest) == 0.0
}

/// Whether `a * b` is `product` without rounding.
pub fn product_is_exact(a: f64, b: f64, product: f64) -> bool {
    a.mul_add(b, -product) == 0.0 && (product != 0.0 || a == 0.0 || b == 0.0)
}

#[cfg(test)]
mod tests {
    use super::{Real, Rounding, agreed, product_is_exact, settle, spread, sum_is_exact};
    use crate::dtype::DType;

    #[test]
    fn results_that_the_dtype_holds_are_certain() {
        let exact = Rounding::correct(true);
        assert!(settle(DType::F16, 2048.0, 0.0, exact).is_ok_and(Real::is_exact));
        assert!(settle(DType::F16, 2049.0, 0.0, exact).is_ok_and(|x| x.error == 2049.0 / 2048.0));
        assert_eq!(settle(DType::F16, 70000.0, 0.0, exact).map(|x| x.value), Ok(f64::INFINITY));
        assert!(settle(DType::F16, 65510.0, 0.0, exact).is_err());
        assert!(settle(DType::F32, 1.0, 0.3, exact).is_err());
    }

    #[test]
    fn intervals_decide_jumps_only_away_from_them() {
        let near = Real { value: 2.0, error: 1e-9, any_sign: false };
        let away = Real { value: 2.5, error: 1e-9, any_sign: false };
        assert!(agreed(&[near], |x| x[0].floor() as i64).is_err());
        assert_eq!(agreed(&[away], |x| x[0].floor() as i64), Ok(2));
        assert!(spread(&[Real { value: 0.0, error: 1e-9, any_sign: false }], |x| x[0].sqrt()).is_err());
        let moved = spread(&[near, Real::exact(3.0)], |x| x[0] * x[1]);
        assert!(moved.is_ok_and(|moved| (5e-9..7e-9).contains(&moved)));
    }

    #[test]
    fn rounding_of_f64_is_seen() {
        assert!(sum_is_exact(0.5, 0.25, 0.75));
        assert!(!sum_is_exact(1.0, 1e-20, 1.0));
        assert!(product_is_exact(3.0, 0.125, 0.375));
        assert!(!product_is_exact(0.1, 0.1, 0.1 * 0.1));
        assert!(!product_is_exact(1e-300, 1e-300, 0.0));
    }
}
