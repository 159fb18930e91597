//! The ops, from their definitions: NumPy's meaning of shapes and axes, and the project's own rules for what other
//! systems leave undefined. Slow on purpose; shares no code with the compiler.
//!
//! Every function takes valid arguments and panics on others: the generator makes valid programs only. An error means
//! that the result depends on how an implementation rounds, so that no test can be made of it.

pub mod arithmetic;
pub mod cast;
pub mod constants;
pub mod indexing;
pub mod integers;
pub mod join;
pub mod linear;
pub mod mathematics;
pub mod network;
pub mod predicates;
pub mod reduce;
pub mod shape;
pub mod sums;

use crate::real::Undecided;
use crate::tensor::{Element, Tensor, common_dims};

/// A tensor, or that it cannot be known.
pub type Outcome = Result<Tensor, Undecided>;

/// Applies `f` to each element; the result has dtype `dtype`.
fn map(x: &Tensor, dtype: crate::dtype::DType, f: impl Fn(Element) -> Result<Element, Undecided>) -> Outcome {
    let elements =
        x.elements.iter().map(|&element| f(element)).collect::<Result<Vec<Element>, Undecided>>()?;
    Ok(Tensor::new(dtype, &x.dims, elements))
}

/// Applies `f` to each pair of elements of two tensors that broadcast; the result has dtype `dtype`.
fn zip(
    x: &Tensor,
    y: &Tensor,
    dtype: crate::dtype::DType,
    f: impl Fn(Element, Element) -> Result<Element, Undecided>,
) -> Outcome {
    let Some(dims) = common_dims(&x.dims, &y.dims) else {
        panic!("{:?} and {:?} do not fit", x.dims, y.dims)
    };
    let (left, right) = (x.stretched(&dims), y.stretched(&dims));
    let pairs = left.elements.iter().zip(&right.elements);
    let elements = pairs.map(|(&a, &b)| f(a, b)).collect::<Result<Vec<Element>, Undecided>>()?;
    Ok(Tensor::new(dtype, &dims, elements))
}
