//! The matrix product.

use super::Outcome;
use super::integers;
use super::sums::rounded_sum;
use crate::real::{Real, Undecided, product_is_exact, spread};
use crate::tensor::{Element, Tensor, common_dims, flat, indices};

/// `[…, m, k] x […, k, n] -> […, m, n]`; either operand may be stored transposed, batches broadcast.
pub fn matmul(a: &Tensor, b: &Tensor, transpose_a: bool, transpose_b: bool) -> Outcome {
    let dtype = a.dtype;
    let batch_of = |x: &Tensor| x.dims[..x.rank() - 2].to_vec();
    let size = |x: &Tensor, from_end: usize| x.dims[x.rank() - from_end];
    let (rows, inner) = if transpose_a { (size(a, 1), size(a, 2)) } else { (size(a, 2), size(a, 1)) };
    let (inner_b, columns) = if transpose_b { (size(b, 1), size(b, 2)) } else { (size(b, 2), size(b, 1)) };
    assert_eq!(inner, inner_b, "matmul of {:?} and {:?}", a.dims, b.dims);
    let Some(batch) = common_dims(&batch_of(a), &batch_of(b)) else { panic!("the batches do not fit") };
    let stretch = |x: &Tensor| {
        let dims = [batch.as_slice(), &x.dims[x.rank() - 2..]].concat();
        x.stretched(&dims)
    };
    let (a, b) = (stretch(a), stretch(b));
    let dims = [batch.as_slice(), &[rows, columns]].concat();
    let mut elements = Vec::new();
    for index in indices(&dims) {
        let (outer, row, column) = (&index[..batch.len()], index[batch.len()], index[batch.len() + 1]);
        let at = |x: &Tensor, first: usize, second: usize| {
            x.elements[flat(&[outer, &[first, second]].concat(), &x.dims)]
        };
        let pairs: Vec<(Element, Element)> = (0..inner)
            .map(|k| {
                let left = if transpose_a { at(&a, k, row) } else { at(&a, row, k) };
                let right = if transpose_b { at(&b, column, k) } else { at(&b, k, column) };
                (left, right)
            })
            .collect();
        elements.push(if dtype.is_integer() {
            Element::Whole(pairs.iter().fold(0, |sum, (x, y)| {
                let product = integers::binary("mul", dtype, x.whole(), y.whole());
                integers::binary("add", dtype, sum, product)
            }))
        } else {
            let products = pairs
                .iter()
                .map(|(x, y)| product(dtype.accumulator().unit(), x.float(), y.float()))
                .collect::<Result<Vec<Real>, Undecided>>()?;
            Element::Float(rounded_sum(dtype, &products)?)
        });
    }
    Ok(Tensor::new(dtype, &dims, elements))
}

/// A product that may or may not be rounded before it is added.
fn product(unit: f64, x: Real, y: Real) -> Result<Real, Undecided> {
    let value = x.value * y.value;
    let propagated = spread(&[x, y], |ends| ends[0] * ends[1])?;
    if !value.is_finite() {
        if x.value.is_finite() && y.value.is_finite() {
            return Err(Undecided("a product overflows"));
        }
        return Ok(Real::exact(value));
    }
    let exact = x.is_exact() && y.is_exact() && product_is_exact(x.value, y.value, value);
    // An exact product that the accumulator does not hold is found by the sum.
    let error = if exact { 0.0 } else { propagated + 2.0 * unit * value.abs() };
    Ok(Real { value, error, any_sign: true })
}

#[cfg(test)]
mod tests {
    use super::matmul;
    use crate::dtype::DType;
    use crate::tensor::Tensor;

    #[test]
    fn operands_may_be_stored_transposed() {
        let a = Tensor::wholes(DType::I32, &[2, 3], &[1, 2, 3, 4, 5, 6]);
        let b = Tensor::wholes(DType::I32, &[3, 2], &[7, 8, 9, 10, 11, 12]);
        let product = Tensor::wholes(DType::I32, &[2, 2], &[58, 64, 139, 154]);
        assert_eq!(matmul(&a, &b, false, false), Ok(product.clone()));
        let a = Tensor::wholes(DType::I32, &[3, 2], &[1, 4, 2, 5, 3, 6]);
        assert_eq!(matmul(&a, &b, true, false), Ok(product.clone()));
        let b = Tensor::wholes(DType::I32, &[2, 3], &[7, 9, 11, 8, 10, 12]);
        assert_eq!(matmul(&a, &b, true, true), Ok(product));
    }

    #[test]
    fn batches_broadcast_and_inner_sizes_may_be_zero() {
        let a = Tensor::wholes(DType::I64, &[2, 1, 1, 2], &[1, 2, 3, 4]);
        let b = Tensor::wholes(DType::I64, &[2, 2, 1], &[1, 0, 0, 1]);
        assert_eq!(
            matmul(&a, &b, false, false),
            Ok(Tensor::wholes(DType::I64, &[2, 2, 1, 1], &[1, 2, 3, 4]))
        );
        let (a, b) = (Tensor::floats(DType::F32, &[1, 0], &[]), Tensor::floats(DType::F32, &[0, 1], &[]));
        assert!(
            matmul(&a, &b, false, false)
                .is_ok_and(|x| x.dims == [1, 1] && x.elements[0].float().value == 0.0)
        );
    }

    #[test]
    fn small_numbers_give_certain_products() {
        let a = Tensor::floats(DType::F16, &[1, 2], &[0.5, 3.0]);
        let b = Tensor::floats(DType::F16, &[2, 1], &[4.0, -1.25]);
        assert!(
            matmul(&a, &b, false, false)
                .is_ok_and(|x| x.elements[0].float().value == -1.75 && x.elements[0].float().is_exact())
        );
        let tenth = Tensor::floats(DType::F64, &[1, 1], &[0.1]);
        assert!(matmul(&tenth, &tenth, false, false).is_ok_and(|x| !x.elements[0].float().is_exact()));
    }
}
