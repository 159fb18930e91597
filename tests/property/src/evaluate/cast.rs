//! Conversions.

use super::{Outcome, map};
use crate::dtype::DType;
use crate::real::{Real, Rounding, Undecided, agreed, settle};
use crate::tensor::{Element, Tensor};

/// `x` as `dtype`: float to integer truncates and saturates, NaN gives 0; integer to integer wraps; to bool asks
/// whether it is not 0; bool gives 0 or 1.
pub fn cast(x: &Tensor, dtype: DType) -> Outcome {
    map(x, dtype, |element| {
        Ok(match element {
            Element::Float(real) => from_float(x.dtype, real, dtype)?,
            Element::Whole(whole) if dtype == DType::Bool => Element::Bool(whole != 0),
            Element::Whole(whole) if dtype.is_float() => Element::Float(to_float(whole, dtype)?),
            Element::Whole(whole) => Element::Whole(dtype.wrap(whole.into())),
            Element::Bool(truth) => Element::small(dtype, truth.into()),
        })
    })
}

fn from_float(from: DType, real: Real, dtype: DType) -> Result<Element, Undecided> {
    Ok(match dtype {
        DType::Bool => Element::Bool(agreed(&[real], |ends| ends[0] != 0.0)?),
        dtype if dtype == from => Element::Float(real),
        dtype if dtype.is_float() => {
            let settled = settle(dtype, real.value, real.error, Rounding::correct(true))?;
            Element::Float(Real { any_sign: real.any_sign, ..settled })
        }
        _ => {
            let (low, high) = dtype.integer_range();
            // Rust's `as` truncates and saturates, and gives 0 for NaN.
            Element::Whole(agreed(&[real], |ends| (ends[0] as i64).clamp(low, high))?)
        }
    })
}

fn to_float(whole: i64, dtype: DType) -> Result<Real, Undecided> {
    let value = whole as f64;
    let real = settle(dtype, value, 0.0, Rounding::correct(value as i128 == i128::from(whole)))?;
    Ok(Real { any_sign: false, ..real })
}

#[cfg(test)]
mod tests {
    use super::cast;
    use crate::dtype::DType;
    use crate::tensor::Tensor;

    #[test]
    fn floats_truncate_and_saturate() {
        let x = Tensor::floats(DType::F32, &[6], &[-2.9, 2.9, f64::NAN, f64::INFINITY, -1e30, 300.0]);
        let whole = Tensor::wholes(DType::I32, &[6], &[-2, 2, 0, i32::MAX.into(), i32::MIN.into(), 300]);
        assert_eq!(cast(&x, DType::I32), Ok(whole));
        assert_eq!(cast(&x, DType::U8), Ok(Tensor::wholes(DType::U8, &[6], &[0, 2, 0, 255, 0, 255])));
        assert_eq!(cast(&x, DType::Bool), Ok(Tensor::bools(&[6], &[true; 6])));
    }

    #[test]
    fn integers_wrap_and_round() {
        let x = Tensor::wholes(DType::I64, &[2], &[300, -1]);
        assert_eq!(cast(&x, DType::U8), Ok(Tensor::wholes(DType::U8, &[2], &[44, 255])));
        let large = Tensor::wholes(DType::I32, &[2], &[16_777_217, 70_000]);
        let rounded = cast(&large, DType::F32).map(|x| x.elements[0].float().error);
        assert!(rounded.is_ok_and(|error| (1.0..1.01).contains(&error)));
        let infinite = cast(&large, DType::F16).map(|x| x.elements[1].float().value);
        assert_eq!(infinite, Ok(f64::INFINITY));
        let truth = Tensor::bools(&[2], &[true, false]);
        assert_eq!(cast(&truth, DType::BF16), Ok(Tensor::floats(DType::BF16, &[2], &[1.0, 0.0])));
    }
}
