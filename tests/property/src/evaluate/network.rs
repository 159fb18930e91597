//! Normalisations of neural networks.

use super::Outcome;
use super::arithmetic::real;
use super::indexing::along;
use crate::dtype::DType;
use crate::real::{Real, Rounding, Undecided, settle};
use crate::tensor::{Element, Tensor, axis_of};

/// `exp(x - m) / sum(exp(x - m))` along `axis`, `m` the maximum along it; with `log`, the logarithm of that.
pub fn softmax(x: &Tensor, axis: i64, log: bool) -> Outcome {
    along(x, &[axis], |group| {
        let reals: Vec<Real> = group.iter().map(|element| element.float()).collect();
        let results = softmax_of(x.dtype, &reals, log)?;
        Ok(results.into_iter().map(Element::Float).collect())
    })
}

fn softmax_of(dtype: DType, group: &[Real], log: bool) -> Result<Vec<Real>, Undecided> {
    let unit = dtype.accumulator().unit() * if dtype == DType::F64 { 4.0 } else { 1.0 };
    let most =
        group.iter().fold(f64::NEG_INFINITY, |most, x| super::arithmetic::extreme(true, most, x.value));
    if !most.is_finite() {
        // NaN, or infinity minus infinity, spreads from one element to all.
        return group.iter().map(|_| settle(dtype, f64::NAN, 0.0, Rounding::correct(true))).collect();
    }
    let most_error = group.iter().map(|x| x.error).fold(0.0, f64::max);
    let exps: Vec<f64> = group.iter().map(|x| (x.value - most).exp()).collect();
    let sum: f64 = exps.iter().sum();
    // Relative errors of the exponentials.
    let relative: Vec<f64> = group
        .iter()
        .map(|x| match x.value.is_finite() {
            true => (x.error + most_error + unit * (most - x.value)).exp_m1() + 6.0 * unit,
            false => 0.0,
        })
        .collect();
    let weighted: f64 = exps.iter().zip(&relative).map(|(exp, relative)| exp / sum * relative).sum();
    let of_sum = weighted + (group.len() as f64 + 2.0) * unit;
    let floor = dtype.accumulator().least_normal();
    let result = |i: usize| {
        let x = group[i];
        if log {
            let value = x.value - most - sum.ln();
            let rounding = 4.0 * unit * ((x.value - most).abs() + sum.ln());
            let error = x.error + most_error + of_sum + if x.value.is_finite() { rounding } else { 0.0 };
            return settle(dtype, value, error, Rounding::within(2.0));
        }
        let value = exps[i] / sum;
        settle(
            dtype,
            value,
            value * (relative[i] + of_sum),
            Rounding { absolute: floor, ..Rounding::within(2.0) },
        )
    };
    (0..group.len()).map(result).collect()
}

/// `(x - mean) / sqrt(variance + epsilon) * scale + bias` over `axes`, with the biased variance; `scale` and `bias`
/// broadcast to the sizes of the axes in ascending order.
pub fn layer_norm(
    x: &Tensor,
    scale: Option<&Tensor>,
    bias: Option<&Tensor>,
    axes: &[i64],
    epsilon: f64,
) -> Outcome {
    let dtype = x.dtype;
    let mut sorted: Vec<usize> = axes.iter().map(|&axis| axis_of(axis, x.rank())).collect();
    sorted.sort_unstable();
    let sizes: Vec<usize> = sorted.iter().map(|&axis| x.dims[axis]).collect();
    let scale = scale.map(|scale| scale.stretched(&sizes));
    let bias = bias.map(|bias| bias.stretched(&sizes));
    along(x, axes, |group| {
        let reals: Vec<Real> = group.iter().map(|element| element.float()).collect();
        let wide = dtype.accumulator();
        let mut results = Vec::new();
        for (i, mut result) in normalised(wide, &reals, epsilon)?.into_iter().enumerate() {
            if let Some(scale) = &scale {
                result = real("mul", wide, result, scale.elements[i].float())?;
            }
            if let Some(bias) = &bias {
                result = real("add", wide, result, bias.elements[i].float())?;
            }
            let rounding = Rounding::correct(true);
            results.push(Element::Float(match wide == dtype {
                true => result,
                false => settle(dtype, result.value, result.error, rounding)?,
            }));
        }
        Ok(results)
    })
}

fn normalised(wide: DType, group: &[Real], epsilon: f64) -> Result<Vec<Real>, Undecided> {
    if group.iter().any(|x| !x.value.is_finite()) {
        return group.iter().map(|_| settle(wide, f64::NAN, 0.0, Rounding::correct(true))).collect();
    }
    let count = group.len() as f64;
    let unit = wide.unit() * if wide == DType::F64 { 4.0 } else { 1.0 };
    let average = |values: &dyn Fn(&Real) -> f64| group.iter().map(values).sum::<f64>() / count;
    let mean = average(&|x| x.value);
    let mean_error = average(&|x| x.error) + (count + 1.0) * unit * average(&|x| x.value.abs());
    let centred_error = |x: &Real| x.error + mean_error + unit * (x.value - mean).abs();
    let variance = average(&|x| (x.value - mean) * (x.value - mean));
    let moved = average(&|x| {
        let error = centred_error(x);
        2.0 * (x.value - mean).abs() * error + error * error
    });
    let variance_error = moved + (count + 3.0) * unit * (variance + epsilon);
    if variance_error > 0.05 * (variance + epsilon) || variance > 1e30 {
        return Err(Undecided("the variance is mostly rounding"));
    }
    let deviation = (variance + epsilon).sqrt();
    let relative = variance_error / (variance + epsilon);
    group
        .iter()
        .map(|x| {
            let value = (x.value - mean) / deviation;
            let error = centred_error(x) / deviation * 1.1 + value.abs() * relative;
            settle(wide, value, error, Rounding::within(4.0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{layer_norm, softmax};
    use crate::dtype::DType;
    use crate::tensor::Tensor;

    fn values(outcome: super::Outcome) -> Vec<f64> {
        outcome.map(|x| x.elements.iter().map(|e| e.float().value).collect()).unwrap_or_default()
    }

    fn close(found: &[f64], wanted: &[f64]) -> bool {
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9 || a == b)
    }

    /// Expected values by NumPy.
    #[test]
    fn softmax_sums_to_one() {
        let x = Tensor::floats(DType::F64, &[2, 3], &[1.0, 2.0, 3.0, 1000.0, f64::NEG_INFINITY, 1000.0]);
        let wanted = [0.0900305731703805, 0.2447284710547976, 0.6652409557748219, 0.5, 0.0, 0.5];
        assert!(close(&values(softmax(&x, -1, false)), &wanted));
        let log = values(softmax(&x, 1, true));
        assert!(close(&log[..3], &[-2.40760596444438, -1.4076059644443801, -0.4076059644443801]));
        assert_eq!(log[4], f64::NEG_INFINITY);
        let infinite = Tensor::floats(DType::F32, &[2], &[f64::INFINITY, 0.0]);
        assert!(values(softmax(&infinite, 0, false)).iter().all(|value| value.is_nan()));
    }

    #[test]
    fn normal_rows_have_mean_zero() {
        let x = Tensor::floats(DType::F64, &[2, 2], &[1.0, 3.0, 5.0, 1.0]);
        let scale = Tensor::floats(DType::F64, &[2], &[2.0, 1.0]);
        let bias = Tensor::floats(DType::F64, &[], &[0.5]);
        let rows = values(layer_norm(&x, Some(&scale), Some(&bias), &[-1], 0.0));
        assert!(close(&rows, &[-1.5, 1.5, 2.5, -0.5]));
        let whole = values(layer_norm(&x, None, None, &[1, 0], 0.75));
        let deviation = (2.75f64 + 0.75).sqrt();
        assert!(close(&whole, &[-1.5 / deviation, 0.5 / deviation, 2.5 / deviation, -1.5 / deviation]));
        let flat = Tensor::floats(DType::F32, &[2], &[1.0, 1.0]);
        assert!(layer_norm(&flat, None, None, &[0], 0.0).is_err());
    }
}
