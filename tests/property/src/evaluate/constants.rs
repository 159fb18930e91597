//! Tensors from nothing.

use super::Outcome;
use crate::dtype::DType;
use crate::tensor::{Element, Tensor, indices};

/// One element everywhere.
pub fn fill(dtype: DType, dims: &[usize], value: Element) -> Outcome {
    Ok(Tensor::new(dtype, dims, vec![value; dims.iter().product()]))
}

/// Ones on the main diagonal.
pub fn eye(dtype: DType, rows: usize, columns: usize) -> Outcome {
    let dims = [rows, columns];
    let elements =
        indices(&dims).into_iter().map(|index| Element::small(dtype, (index[0] == index[1]).into()));
    Ok(Tensor::new(dtype, &dims, elements.collect()))
}

/// `start`, `start + step`, … before `stop`, in units of `1 / scale`, which is a power of two: exact.
pub fn range(dtype: DType, start: i64, stop: i64, step: i64, scale: i64) -> Outcome {
    let mut elements = Vec::new();
    let mut number = start;
    while if step > 0 { number < stop } else { number > stop } {
        elements.push(match dtype.is_float() {
            true => Element::Float(crate::real::Real::exact(number as f64 / scale as f64)),
            false => Element::Whole(number / scale),
        });
        number += step;
    }
    Ok(Tensor::new(dtype, &[elements.len()], elements))
}

#[cfg(test)]
mod tests {
    use super::{eye, range};
    use crate::dtype::DType;
    use crate::tensor::Tensor;

    #[test]
    fn ranges_stop_before_their_end() {
        assert_eq!(range(DType::I32, 2, 10, 3, 1), Ok(Tensor::wholes(DType::I32, &[3], &[2, 5, 8])));
        assert_eq!(range(DType::I32, 3, 0, -1, 1), Ok(Tensor::wholes(DType::I32, &[3], &[3, 2, 1])));
        assert_eq!(range(DType::F32, 0, 4, 2, 4), Ok(Tensor::floats(DType::F32, &[2], &[0.0, 0.5])));
        assert_eq!(range(DType::U8, 5, 5, 1, 1), Ok(Tensor::wholes(DType::U8, &[0], &[])));
    }

    #[test]
    fn the_diagonal_is_one() {
        assert_eq!(eye(DType::I32, 2, 3), Ok(Tensor::wholes(DType::I32, &[2, 3], &[1, 0, 0, 0, 1, 0])));
        assert_eq!(eye(DType::Bool, 1, 2), Ok(Tensor::bools(&[1, 2], &[true, false])));
    }
}
