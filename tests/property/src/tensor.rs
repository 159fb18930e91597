//! Tensors of the evaluator: a flat list of elements in row-major order, and index arithmetic in plain loops.

use crate::dtype::DType;
use crate::real::Real;

/// One element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Element {
    /// Of a float dtype.
    Float(Real),
    /// Of an integer dtype.
    Whole(i64),
    /// Of `bool`.
    Bool(bool),
}

impl Element {
    /// The float.
    ///
    /// # Panics
    /// When it is none: an op was called with a dtype that it does not take. So do the two below.
    pub fn float(self) -> Real {
        match self {
            Element::Float(real) => real,
            other => panic!("{other:?} is no float"),
        }
    }

    /// The integer.
    pub fn whole(self) -> i64 {
        match self {
            Element::Whole(whole) => whole,
            other => panic!("{other:?} is no integer"),
        }
    }

    /// The truth value.
    pub fn truth(self) -> bool {
        match self {
            Element::Bool(truth) => truth,
            other => panic!("{other:?} is no bool"),
        }
    }

    /// The small number `n` as an element of `dtype`; for bool whether it is not 0.
    pub fn small(dtype: DType, n: i64) -> Element {
        match dtype {
            DType::Bool => Element::Bool(n != 0),
            dtype if dtype.is_float() => Element::Float(Real::exact(n as f64)),
            _ => Element::Whole(n),
        }
    }
}

/// A tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct Tensor {
    /// Element type.
    pub dtype: DType,
    /// Shape.
    pub dims: Vec<usize>,
    /// Elements in row-major order.
    pub elements: Vec<Element>,
}

impl Tensor {
    /// A tensor of these elements.
    ///
    /// # Panics
    /// When there are not as many as the shape says.
    pub fn new(dtype: DType, dims: &[usize], elements: Vec<Element>) -> Tensor {
        assert_eq!(elements.len(), dims.iter().product::<usize>(), "elements for the shape {dims:?}");
        Tensor { dtype, dims: dims.to_vec(), elements }
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The elements at these flat positions, in this shape.
    pub fn pick(&self, dims: &[usize], positions: &[usize]) -> Tensor {
        Tensor::new(self.dtype, dims, positions.iter().map(|&position| self.elements[position]).collect())
    }

    /// The tensor stretched to `dims`, which it must fit, as NumPy broadcasts.
    pub fn stretched(&self, dims: &[usize]) -> Tensor {
        let lead = dims.len() - self.rank();
        let positions: Vec<usize> = indices(dims)
            .iter()
            .map(|index| {
                let own: Vec<usize> = (0..self.rank())
                    .map(|axis| index[lead + axis].min(self.dims[axis].saturating_sub(1)))
                    .collect();
                flat(&own, &self.dims)
            })
            .collect();
        self.pick(dims, &positions)
    }

    /// A float tensor of exact numbers.
    pub fn floats(dtype: DType, dims: &[usize], values: &[f64]) -> Tensor {
        Tensor::new(dtype, dims, values.iter().map(|&value| Element::Float(Real::exact(value))).collect())
    }

    /// An integer tensor.
    pub fn wholes(dtype: DType, dims: &[usize], values: &[i64]) -> Tensor {
        Tensor::new(dtype, dims, values.iter().map(|&value| Element::Whole(value)).collect())
    }

    /// A bool tensor.
    pub fn bools(dims: &[usize], values: &[bool]) -> Tensor {
        Tensor::new(DType::Bool, dims, values.iter().map(|&value| Element::Bool(value)).collect())
    }
}

/// Every index into a shape, in row-major order.
pub fn indices(dims: &[usize]) -> Vec<Vec<usize>> {
    dims.iter().fold(vec![Vec::new()], |outer, &dim| {
        outer.iter().flat_map(|index| (0..dim).map(move |i| [index.as_slice(), &[i]].concat())).collect()
    })
}

/// The flat position of an index.
pub fn flat(index: &[usize], dims: &[usize]) -> usize {
    index.iter().zip(dims).fold(0, |position, (&i, &dim)| position * dim + i)
}

/// The common shape of two, as NumPy broadcasts, or `None` where they do not fit.
pub fn common_dims(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let at = |dims: &[usize], axis: usize| (axis + dims.len()).checked_sub(rank).map_or(1, |own| dims[own]);
    (0..rank)
        .map(|axis| match (at(a, axis), at(b, axis)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// An axis counted from the end when negative.
///
/// # Panics
/// When there is no such axis.
pub fn axis_of(axis: i64, rank: usize) -> usize {
    let wrapped = if axis < 0 { axis + rank as i64 } else { axis };
    assert!((0..rank as i64).contains(&wrapped), "axis {axis} of {rank}");
    wrapped as usize
}

#[cfg(test)]
mod tests {
    use super::{Tensor, axis_of, common_dims, flat, indices};
    use crate::dtype::DType;

    #[test]
    fn shapes_broadcast_from_the_last_axis() {
        assert_eq!(common_dims(&[2, 1, 3], &[4, 1]), Some(vec![2, 4, 3]));
        assert_eq!(common_dims(&[], &[0, 2]), Some(vec![0, 2]));
        assert_eq!(common_dims(&[0], &[1]), Some(vec![0]));
        assert_eq!(common_dims(&[2], &[3]), None);
        let column = Tensor::wholes(DType::I32, &[2, 1], &[1, 2]);
        let wide = Tensor::wholes(DType::I32, &[2, 2], &[1, 1, 2, 2]);
        assert_eq!(column.stretched(&[2, 2]), wide);
    }

    #[test]
    fn indices_run_in_row_major_order() {
        assert_eq!(indices(&[2, 2]), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(indices(&[]), [[0usize; 0]]);
        assert!(indices(&[3, 0]).is_empty());
        assert_eq!(flat(&[1, 2], &[2, 3]), 5);
        assert_eq!((axis_of(-1, 3), axis_of(1, 3)), (2, 1));
    }
}
