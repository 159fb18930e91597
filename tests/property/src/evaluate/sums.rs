//! Sums and products of lists of floats, in any order: the bound covers every order of summation.

use crate::dtype::{DType, exponent, trailing_exponent};
use crate::real::{Real, Rounding, Undecided, settle};

/// A sum before it is rounded to the dtype of the result.
#[derive(Clone, Copy, Debug)]
pub struct Sum {
    /// In f64.
    pub value: f64,
    /// From the terms and from the rounding of the accumulator.
    pub error: f64,
    /// Whether no order of summation rounds.
    pub exact: bool,
}

/// The sum of terms accumulated in `dtype`, which is a dtype that accumulates.
///
/// # Errors
/// Undecided where some order of summation may overflow.
pub fn sum(dtype: DType, terms: &[Real]) -> Result<Sum, Undecided> {
    let value: f64 = terms.iter().map(|x| x.value).sum();
    let finite = terms.iter().filter(|x| x.value.is_finite());
    let magnitude: f64 = finite.map(|x| x.value.abs() + x.error).sum();
    if magnitude >= 0.9 * dtype.largest() {
        return Err(Undecided("an order of summation overflows"));
    }
    if terms.iter().any(|x| !x.value.is_finite()) {
        return Ok(Sum { value, error: 0.0, exact: true });
    }
    let exact = terms.iter().all(|x| x.is_exact()) && all_partial_sums_fit(dtype, terms);
    let additions = terms.len().saturating_sub(1) as f64;
    let scale = if dtype == DType::F64 { 4.0 } else { 1.0 };
    let rounding = if exact { 0.0 } else { scale * additions * dtype.unit() * magnitude };
    let error = terms.iter().map(|x| x.error).sum::<f64>() + rounding;
    Ok(Sum { value, error, exact })
}

/// Whether all terms are multiples of one power of two that is so large that every sum of some of them is held.
fn all_partial_sums_fit(dtype: DType, terms: &[Real]) -> bool {
    let values: Vec<f64> = terms.iter().map(|x| x.value).filter(|value| *value != 0.0).collect();
    let Some(quantum) = values.iter().map(|value| trailing_exponent(*value)).min() else { return true };
    let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
    exponent(magnitude) - quantum < dtype.significant_bits() && values.iter().all(|value| dtype.holds(*value))
}

/// [`sum`] as an element of `dtype`, rounded once.
pub fn rounded_sum(dtype: DType, terms: &[Real]) -> Result<Real, Undecided> {
    let sum = sum(dtype.accumulator(), terms)?;
    settle(dtype, sum.value, sum.error, Rounding::correct(sum.exact))
}

/// The product of factors accumulated as sums are, rounded once to `dtype`.
///
/// # Errors
/// Undecided where some order of multiplication may overflow or underflow.
pub fn rounded_product(dtype: DType, factors: &[Real]) -> Result<Real, Undecided> {
    let accumulator = dtype.accumulator();
    let value: f64 = factors.iter().map(|x| x.value).product();
    let finite: Vec<Real> = factors.iter().copied().filter(|x| x.value.is_finite()).collect();
    let special = finite.len() != factors.len();
    if special && finite.iter().any(|x| x.straddles_zero()) {
        return Err(Undecided("an infinity times what may be zero"));
    }
    let ends = |x: &Real| x.value.abs() + x.error;
    let largest: f64 = finite.iter().map(|x| ends(x).max(1.0)).product();
    let least: f64 =
        finite.iter().filter(|x| x.value != 0.0).map(|x| (x.value.abs() - x.error).abs().min(1.0)).product();
    if largest >= 0.9 * accumulator.largest() || least < accumulator.least_normal() {
        return Err(Undecided("an order of multiplication overflows or underflows"));
    }
    if special {
        return settle(dtype, value, 0.0, Rounding::correct(true));
    }
    let significant = |x: &Real| match x.value {
        0.0 => 0,
        value => exponent(value) - trailing_exponent(value) + 1,
    };
    let exact = finite.iter().all(|x| x.is_exact())
        && finite.iter().map(significant).sum::<i32>() <= accumulator.significant_bits();
    let widest: f64 = finite.iter().map(ends).product();
    let rounding = if exact { 0.0 } else { 4.0 * finite.len() as f64 * accumulator.unit() * widest };
    settle(dtype, value, widest - value.abs() + rounding, Rounding::correct(exact))
}

#[cfg(test)]
mod tests {
    use super::{rounded_product, rounded_sum};
    use crate::dtype::DType;
    use crate::real::Real;

    fn reals(values: &[f64]) -> Vec<Real> {
        values.iter().map(|&value| Real::exact(value)).collect()
    }

    #[test]
    fn sums_of_small_numbers_are_certain() {
        assert!(
            rounded_sum(DType::F32, &reals(&[1.0, 2.5, -3.25]))
                .is_ok_and(|x| x.value == 0.25 && x.is_exact())
        );
        assert!(rounded_sum(DType::F32, &[]).is_ok_and(|x| x.value == 0.0 && x.is_exact()));
        // Held in f64, but f32 may lose the middle term.
        assert!(rounded_sum(DType::F32, &reals(&[1e8, 0.5, -1e8])).is_err());
        assert!(rounded_sum(DType::F32, &reals(&[1e4, 0.1])).is_ok_and(|x| !x.is_exact()));
        // The accumulator of f16 is f32: only the result rounds.
        let half = rounded_sum(DType::F16, &reals(&[2048.0, 1.0, 1.0]));
        assert!(half.is_ok_and(|x| x.value == 2050.0 && x.is_exact()));
        assert!(
            rounded_sum(DType::F32, &reals(&[f64::INFINITY, f64::NEG_INFINITY]))
                .is_ok_and(|x| x.value.is_nan())
        );
        assert!(rounded_sum(DType::F32, &reals(&[3e38, 3e38, -3e38])).is_err());
        assert!(
            rounded_sum(DType::F32, &reals(&[f64::INFINITY, -8e38])).is_err(),
            "-8e38 is -infinity in f32"
        );
    }

    #[test]
    fn products_of_small_numbers_are_certain() {
        assert!(
            rounded_product(DType::F32, &reals(&[3.0, 5.0, 0.5]))
                .is_ok_and(|x| x.value == 7.5 && x.is_exact())
        );
        assert!(rounded_product(DType::BF16, &[]).is_ok_and(|x| x.value == 1.0));
        assert!(rounded_product(DType::F32, &reals(&[1e30, 1e30, 0.0])).is_err());
        assert!(rounded_product(DType::F32, &reals(&[0.0, f64::INFINITY])).is_ok_and(|x| x.value.is_nan()));
        assert!(rounded_product(DType::F32, &reals(&[1.1, 1.3])).is_ok_and(|x| !x.is_exact()));
    }
}
