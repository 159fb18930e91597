//! Reductions over axes.

use super::Outcome;
use super::arithmetic::extreme;
use super::integers;
use super::sums::{rounded_product, rounded_sum, sum};
use crate::dtype::DType;
use crate::real::{Real, Rounding, Undecided, settle};
use crate::tensor::{Element, Tensor, axis_of, flat, indices};

/// `sum`, `mean`, `prod`, `max`, `min`, `any` or `all` over `axes`, all of them when absent; reduced axes are dropped,
/// or stay with size 1 under `keepdims`.
pub fn reduce(op: &str, x: &Tensor, axes: Option<&[i64]>, keepdims: bool) -> Outcome {
    let (groups, kept, dropped) = grouped(x, axes);
    let elements =
        groups.iter().map(|group| fold(op, x.dtype, group)).collect::<Result<Vec<Element>, Undecided>>()?;
    let dtype = if matches!(op, "any" | "all") { DType::Bool } else { x.dtype };
    Ok(Tensor::new(dtype, if keepdims { &kept } else { &dropped }, elements))
}

/// The elements that go into each element of the result, in row-major order; the shape of the result with the reduced
/// axes as 1, and without them.
pub fn grouped(x: &Tensor, axes: Option<&[i64]>) -> (Vec<Vec<Element>>, Vec<usize>, Vec<usize>) {
    let reduced: Vec<usize> = match axes {
        None => (0..x.rank()).collect(),
        Some(axes) => axes.iter().map(|&axis| axis_of(axis, x.rank())).collect(),
    };
    let kept: Vec<usize> =
        (0..x.rank()).map(|axis| if reduced.contains(&axis) { 1 } else { x.dims[axis] }).collect();
    let dropped: Vec<usize> =
        (0..x.rank()).filter(|axis| !reduced.contains(axis)).map(|axis| x.dims[axis]).collect();
    let mut groups = vec![Vec::new(); kept.iter().product()];
    for (position, index) in indices(&x.dims).iter().enumerate() {
        let own: Vec<usize> =
            (0..x.rank()).map(|axis| if reduced.contains(&axis) { 0 } else { index[axis] }).collect();
        groups[flat(&own, &kept)].push(x.elements[position]);
    }
    (groups, kept, dropped)
}

fn fold(op: &str, dtype: DType, group: &[Element]) -> Result<Element, Undecided> {
    match dtype {
        DType::Bool => Ok(Element::Bool(match op {
            "any" => group.iter().any(|x| x.truth()),
            "all" => group.iter().all(|x| x.truth()),
            _ => panic!("`{op}` takes no bools"),
        })),
        dtype if dtype.is_integer() => Ok(Element::Whole(fold_integers(op, dtype, group))),
        dtype => {
            let reals: Vec<Real> = group.iter().map(|x| x.float()).collect();
            fold_floats(op, dtype, &reals).map(Element::Float)
        }
    }
}

fn fold_integers(op: &str, dtype: DType, group: &[Element]) -> i64 {
    let mut values = group.iter().map(|x| x.whole());
    match op {
        "sum" => values.fold(0, |a, b| integers::binary("add", dtype, a, b)),
        "prod" => values.fold(1, |a, b| integers::binary("mul", dtype, a, b)),
        "max" | "min" => {
            let Some(first) = values.next() else { panic!("`{op}` of nothing") };
            values.fold(first, |a, b| if op == "max" { a.max(b) } else { a.min(b) })
        }
        _ => panic!("`{op}` takes no integers"),
    }
}

fn fold_floats(op: &str, dtype: DType, group: &[Real]) -> Result<Real, Undecided> {
    match op {
        "sum" => rounded_sum(dtype, group),
        "prod" => rounded_product(dtype, group),
        "mean" => {
            let count = group.len() as f64;
            let sum = sum(dtype.accumulator(), group)?;
            let mean = sum.value / count;
            let exact = sum.exact && mean * count == sum.value && dtype.accumulator().holds(mean);
            settle(dtype, mean, sum.error / count, Rounding { exact, units: 2.0, absolute: 0.0 })
        }
        "max" | "min" => {
            let Some(first) = group.first() else { panic!("`{op}` of nothing") };
            let value = group.iter().fold(first.value, |best, x| extreme(op == "max", best, x.value));
            let error = group.iter().map(|x| x.error).fold(0.0, f64::max);
            settle(dtype, value, error, Rounding::correct(true))
        }
        _ => panic!("`{op}` takes no floats"),
    }
}

/// The position of the first greatest (`argmax`) or least (`argmin`) element along `axis`, or in the flattened tensor
/// when absent. NaN is the extreme of all.
pub fn position(op: &str, x: &Tensor, axis: Option<i64>, keepdims: bool) -> Outcome {
    let axes = axis.map(|axis| vec![axis]);
    let (groups, kept, dropped) = grouped(x, axes.as_deref());
    let positions = groups
        .iter()
        .map(|group| extreme_position(op == "argmax", group).map(|position| Element::Whole(position as i64)))
        .collect::<Result<Vec<Element>, Undecided>>()?;
    Ok(Tensor::new(DType::I64, if keepdims { &kept } else { &dropped }, positions))
}

fn extreme_position(greatest: bool, group: &[Element]) -> Result<usize, Undecided> {
    let reals: Vec<Real> = match group[0] {
        Element::Float(_) => group.iter().map(|x| x.float()).collect(),
        _ => return Ok(whole_position(greatest, group)),
    };
    if let Some(nan) = reals.iter().position(|x| x.value.is_nan()) {
        return Ok(nan);
    }
    let beats = |a: f64, b: f64| if greatest { a > b } else { a < b };
    let best =
        (1..reals.len()).fold(0, |best, i| if beats(reals[i].value, reals[best].value) { i } else { best });
    for (i, other) in reals.iter().enumerate().filter(|(i, _)| *i != best) {
        let chosen = reals[best];
        let both_exact = chosen.is_exact() && other.is_exact();
        let clear = (chosen.value - other.value).abs() > chosen.error + other.error;
        let first_of_equals = both_exact && chosen.value == other.value && i > best;
        if !clear && !first_of_equals {
            return Err(Undecided("two elements are equal within the error"));
        }
        let signs_differ = chosen.any_sign
            || other.any_sign
            || chosen.value.is_sign_negative() != other.value.is_sign_negative();
        if chosen.value == 0.0 && other.value == 0.0 && signs_differ {
            return Err(Undecided("zeros of two signs compete"));
        }
    }
    Ok(best)
}

fn whole_position(greatest: bool, group: &[Element]) -> usize {
    let key = |i: usize| match group[i] {
        Element::Whole(whole) => whole,
        other => other.truth().into(),
    };
    (1..group.len()).fold(0, |best, i| {
        let better = if greatest { key(i) > key(best) } else { key(i) < key(best) };
        if better { i } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::{position, reduce};
    use crate::dtype::DType;
    use crate::tensor::Tensor;

    #[test]
    fn sums_run_over_the_named_axes() {
        let x = Tensor::wholes(DType::I32, &[2, 3], &[1, 2, 3, 4, 5, 6]);
        assert_eq!(reduce("sum", &x, Some(&[0]), false), Ok(Tensor::wholes(DType::I32, &[3], &[5, 7, 9])));
        assert_eq!(reduce("sum", &x, Some(&[-1]), true), Ok(Tensor::wholes(DType::I32, &[2, 1], &[6, 15])));
        assert_eq!(reduce("max", &x, None, false), Ok(Tensor::wholes(DType::I32, &[], &[6])));
        assert_eq!(reduce("sum", &x, Some(&[]), false), Ok(x.clone()));
        let bytes = Tensor::wholes(DType::U8, &[2], &[200, 100]);
        assert_eq!(reduce("sum", &bytes, None, false), Ok(Tensor::wholes(DType::U8, &[], &[44])));
        assert_eq!(reduce("prod", &x, Some(&[1]), false), Ok(Tensor::wholes(DType::I32, &[2], &[6, 120])));
    }

    #[test]
    fn nothing_sums_to_zero_and_has_no_mean() {
        let empty = Tensor::floats(DType::F32, &[2, 0], &[]);
        let sum = reduce("sum", &empty, Some(&[1]), false);
        assert!(sum.is_ok_and(|x| x.dims == [2] && x.elements.iter().all(|e| e.float().value == 0.0)));
        let mean = reduce("mean", &empty, Some(&[1]), false);
        assert!(mean.is_ok_and(|x| x.elements.iter().all(|e| e.float().value.is_nan())));
        let truth = Tensor::bools(&[0], &[]);
        assert_eq!(reduce("all", &truth, None, false), Ok(Tensor::bools(&[], &[true])));
        assert_eq!(reduce("any", &truth, None, false), Ok(Tensor::bools(&[], &[false])));
    }

    #[test]
    fn nan_is_the_extreme() {
        let x = Tensor::floats(DType::F32, &[2, 3], &[1.0, f64::NAN, 3.0, 2.0, 2.0, 1.0]);
        assert_eq!(position("argmax", &x, Some(1), false), Ok(Tensor::wholes(DType::I64, &[2], &[1, 0])));
        assert_eq!(position("argmin", &x, Some(-1), true), Ok(Tensor::wholes(DType::I64, &[2, 1], &[1, 2])));
        assert_eq!(position("argmin", &x, None, false), Ok(Tensor::wholes(DType::I64, &[], &[1])));
        assert!(
            reduce("max", &x, Some(&[1]), false)
                .is_ok_and(|y| y.elements[0].float().value.is_nan() && y.elements[1].float().value == 2.0)
        );
        let zeros = Tensor::floats(DType::F32, &[2], &[-0.0, 0.0]);
        assert!(position("argmax", &zeros, None, false).is_err());
    }
}
