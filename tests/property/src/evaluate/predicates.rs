//! What gives or takes truth values.

use super::{Outcome, map, zip};
use crate::dtype::DType;
use crate::real::agreed;
use crate::tensor::{Element, Tensor, common_dims};

/// `equal`, `not_equal`, `less`, `less_equal`, `greater` or `greater_equal`; NaN compares as IEEE 754 says.
pub fn compare(op: &str, x: &Tensor, y: &Tensor) -> Outcome {
    assert_eq!(x.dtype, y.dtype, "{op}");
    zip(x, y, DType::Bool, |a, b| {
        Ok(Element::Bool(match (a, b) {
            (Element::Whole(a), Element::Whole(b)) => holds(op, &a, &b),
            (Element::Bool(a), Element::Bool(b)) => holds(op, &a, &b),
            _ => {
                // The order must be one and the same, not only the answer: between ends that differ there are equals.
                agreed(&[a.float(), b.float()], |ends| ends[0].partial_cmp(&ends[1]))?;
                holds(op, &a.float().value, &b.float().value)
            }
        }))
    })
}

fn holds<T: PartialOrd>(op: &str, a: &T, b: &T) -> bool {
    match op {
        "equal" => a == b,
        "not_equal" => a != b,
        "less" => a < b,
        "less_equal" => a <= b,
        "greater" => a > b,
        "greater_equal" => a >= b,
        _ => panic!("`{op}` is no comparison"),
    }
}

/// `logical_and`, `logical_or` or `logical_xor`.
pub fn logical(op: &str, x: &Tensor, y: &Tensor) -> Outcome {
    zip(x, y, DType::Bool, |a, b| {
        let (a, b) = (a.truth(), b.truth());
        Ok(Element::Bool(match op {
            "logical_and" => a && b,
            "logical_or" => a || b,
            "logical_xor" => a != b,
            _ => panic!("`{op}` is no logical op"),
        }))
    })
}

/// The opposite.
pub fn logical_not(x: &Tensor) -> Outcome {
    map(x, DType::Bool, |a| Ok(Element::Bool(!a.truth())))
}

/// Whether each element is NaN.
pub fn is_nan(x: &Tensor) -> Outcome {
    map(x, DType::Bool, |a| Ok(Element::Bool(a.float().value.is_nan())))
}

/// Whether each element is neither infinite nor NaN.
pub fn is_finite(x: &Tensor) -> Outcome {
    map(x, DType::Bool, |a| Ok(Element::Bool(a.float().value.is_finite())))
}

/// `x` where the condition holds, else `y`; all three broadcast.
pub fn select(condition: &Tensor, x: &Tensor, y: &Tensor) -> Outcome {
    assert_eq!(x.dtype, y.dtype, "select");
    let dims = common_dims(&x.dims, &y.dims).and_then(|dims| common_dims(&condition.dims, &dims));
    let Some(dims) = dims else { panic!("select: shapes do not fit") };
    let (x, y) = (x.stretched(&dims), y.stretched(&dims));
    let condition = condition.stretched(&dims);
    let chosen = |i: usize| if condition.elements[i].truth() { x.elements[i] } else { y.elements[i] };
    Ok(Tensor::new(x.dtype, &dims, (0..condition.elements.len()).map(chosen).collect()))
}

#[cfg(test)]
mod tests {
    use super::{compare, is_finite, is_nan, logical, select};
    use crate::dtype::DType;
    use crate::real::Real;
    use crate::tensor::{Element, Tensor};

    #[test]
    fn nan_equals_nothing() {
        let x = Tensor::floats(DType::F32, &[3], &[f64::NAN, -0.0, f64::INFINITY]);
        let y = Tensor::floats(DType::F32, &[3], &[f64::NAN, 0.0, 1.0]);
        assert_eq!(compare("equal", &x, &y), Ok(Tensor::bools(&[3], &[false, true, false])));
        assert_eq!(compare("not_equal", &x, &y), Ok(Tensor::bools(&[3], &[true, false, true])));
        assert_eq!(compare("greater_equal", &x, &y), Ok(Tensor::bools(&[3], &[false, true, true])));
        assert_eq!(is_nan(&x), Ok(Tensor::bools(&[3], &[true, false, false])));
        assert_eq!(is_finite(&x), Ok(Tensor::bools(&[3], &[false, true, false])));
    }

    #[test]
    fn numbers_that_may_be_equal_are_not_compared() {
        let near = |value: f64, error: f64| Real { value, error, any_sign: false };
        let tensor = |x: Real| Tensor::new(DType::F32, &[1], vec![Element::Float(x)]);
        let (x, y) = (tensor(near(1.0, 0.01)), tensor(near(1.001, 0.02)));
        for op in ["equal", "not_equal", "less", "greater_equal"] {
            assert!(compare(op, &x, &y).is_err(), "{op}");
            assert!(compare(op, &x, &tensor(near(2.0, 0.01))).is_ok(), "{op}");
        }
    }

    #[test]
    fn select_stretches_all_three() {
        let condition = Tensor::bools(&[2, 1], &[true, false]);
        let x = Tensor::wholes(DType::I32, &[2], &[1, 2]);
        let y = Tensor::wholes(DType::I32, &[], &[9]);
        assert_eq!(select(&condition, &x, &y), Ok(Tensor::wholes(DType::I32, &[2, 2], &[1, 2, 9, 9])));
        let both = logical("logical_xor", &condition, &Tensor::bools(&[], &[true]));
        assert_eq!(both, Ok(Tensor::bools(&[2, 1], &[false, true])));
    }
}
