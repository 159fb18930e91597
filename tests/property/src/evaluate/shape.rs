//! The same elements in another shape or order.

use super::Outcome;
use crate::tensor::{Tensor, axis_of, flat, indices};

/// The same elements in row-major order; one size may be -1.
pub fn reshape(x: &Tensor, shape: &[i64]) -> Outcome {
    let others: i64 = shape.iter().filter(|&&size| size != -1).product();
    let dims: Vec<usize> = shape
        .iter()
        .map(|&size| if size == -1 { x.elements.len() / others as usize } else { size as usize })
        .collect();
    Ok(Tensor::new(x.dtype, &dims, x.elements.clone()))
}

/// Axis `i` of the result is axis `axes[i]`; reversed when absent.
pub fn transpose(x: &Tensor, axes: Option<&[i64]>) -> Outcome {
    let axes: Vec<usize> = match axes {
        None => (0..x.rank()).rev().collect(),
        Some(axes) => axes.iter().map(|&axis| axis_of(axis, x.rank())).collect(),
    };
    let dims: Vec<usize> = axes.iter().map(|&axis| x.dims[axis]).collect();
    let positions: Vec<usize> = indices(&dims)
        .iter()
        .map(|index| {
            let mut own = vec![0; x.rank()];
            axes.iter().zip(index).for_each(|(&axis, &i)| own[axis] = i);
            flat(&own, &x.dims)
        })
        .collect();
    Ok(x.pick(&dims, &positions))
}

/// New axes of size 1 at `axes`, counted in the result.
pub fn expand_dims(x: &Tensor, axes: &[i64]) -> Outcome {
    let rank = x.rank() + axes.len();
    let new: Vec<usize> = axes.iter().map(|&axis| axis_of(axis, rank)).collect();
    let mut old = x.dims.iter();
    let dims: Vec<usize> = (0..rank)
        .map(|axis| if new.contains(&axis) { 1 } else { old.next().map_or(1, |&dim| dim) })
        .collect();
    Ok(Tensor::new(x.dtype, &dims, x.elements.clone()))
}

/// Without these axes of size 1; without all of size 1 when absent.
pub fn squeeze(x: &Tensor, axes: Option<&[i64]>) -> Outcome {
    let gone: Vec<usize> = match axes {
        None => (0..x.rank()).filter(|&axis| x.dims[axis] == 1).collect(),
        Some(axes) => axes.iter().map(|&axis| axis_of(axis, x.rank())).collect(),
    };
    let dims: Vec<usize> =
        (0..x.rank()).filter(|axis| !gone.contains(axis)).map(|axis| x.dims[axis]).collect();
    Ok(Tensor::new(x.dtype, &dims, x.elements.clone()))
}

/// Stretched to `dims`.
pub fn broadcast_to(x: &Tensor, dims: &[usize]) -> Outcome {
    Ok(x.stretched(dims))
}

/// In opposite order along `axes`, all when absent.
pub fn reverse(x: &Tensor, axes: Option<&[i64]>) -> Outcome {
    let turned: Vec<usize> = match axes {
        None => (0..x.rank()).collect(),
        Some(axes) => axes.iter().map(|&axis| axis_of(axis, x.rank())).collect(),
    };
    let positions: Vec<usize> = indices(&x.dims)
        .iter()
        .map(|index| {
            let own: Vec<usize> = (0..x.rank())
                .map(|axis| if turned.contains(&axis) { x.dims[axis] - 1 - index[axis] } else { index[axis] })
                .collect();
            flat(&own, &x.dims)
        })
        .collect();
    Ok(x.pick(&x.dims, &positions))
}

/// `multiples[i]` copies one after the other along axis `i`.
pub fn tile(x: &Tensor, multiples: &[usize]) -> Outcome {
    let dims: Vec<usize> = x.dims.iter().zip(multiples).map(|(dim, multiple)| dim * multiple).collect();
    let positions: Vec<usize> = indices(&dims)
        .iter()
        .map(|index| {
            let own: Vec<usize> = index.iter().zip(&x.dims).map(|(i, dim)| i % dim).collect();
            flat(&own, &x.dims)
        })
        .collect();
    Ok(x.pick(&dims, &positions))
}

#[cfg(test)]
mod tests {
    use super::{expand_dims, reshape, reverse, squeeze, tile, transpose};
    use crate::dtype::DType::I32;
    use crate::tensor::Tensor;

    fn counted(dims: &[usize]) -> Tensor {
        let count = dims.iter().product::<usize>() as i64;
        Tensor::wholes(I32, dims, &(0..count).collect::<Vec<i64>>())
    }

    fn elements(outcome: super::Outcome) -> (Vec<usize>, Vec<i64>) {
        outcome.map(|x| (x.dims.clone(), x.elements.iter().map(|e| e.whole()).collect())).unwrap_or_default()
    }

    #[test]
    fn one_size_follows_from_the_others() {
        assert_eq!(elements(reshape(&counted(&[2, 3]), &[3, -1])).0, [3, 2]);
        assert_eq!(elements(reshape(&counted(&[0, 3]), &[-1])).0, [0]);
        assert_eq!(elements(reshape(&counted(&[1]), &[])).0, [0usize; 0]);
    }

    /// Expected values by NumPy: `np.transpose(np.arange(6).reshape(1, 2, 3), (2, 0, 1))`.
    #[test]
    fn axes_move() {
        let x = counted(&[1, 2, 3]);
        assert_eq!(elements(transpose(&x, Some(&[-1, 0, 1]))), (vec![3, 1, 2], vec![0, 3, 1, 4, 2, 5]));
        assert_eq!(elements(transpose(&counted(&[2, 3]), None)), (vec![3, 2], vec![0, 3, 1, 4, 2, 5]));
        assert_eq!(elements(expand_dims(&counted(&[2]), &[0, -1])).0, [1, 2, 1]);
        assert_eq!(elements(squeeze(&x, None)).0, [2, 3]);
        assert_eq!(elements(squeeze(&counted(&[1, 2, 1]), Some(&[-1]))).0, [1, 2]);
    }

    #[test]
    fn elements_turn_and_repeat() {
        assert_eq!(elements(reverse(&counted(&[2, 2]), None)).1, [3, 2, 1, 0]);
        assert_eq!(elements(reverse(&counted(&[2, 2]), Some(&[-1]))).1, [1, 0, 3, 2]);
        assert_eq!(elements(tile(&counted(&[1, 2]), &[2, 2])), (vec![2, 4], vec![0, 1, 0, 1, 0, 1, 0, 1]));
        assert_eq!(elements(tile(&counted(&[2]), &[0])).0, [0]);
    }
}
