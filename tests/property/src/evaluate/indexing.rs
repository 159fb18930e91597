//! Ops that positions go into or along.

use super::Outcome;
use super::sums::rounded_sum;
use super::{integers, reduce};
use crate::dtype::DType;
use crate::real::Real;
use crate::tensor::{Element, Tensor, axis_of, flat, indices};

/// For each index a row of `depth` elements with a one at that position.
pub fn one_hot(positions: &Tensor, depth: usize, dtype: DType) -> Outcome {
    let dims = [positions.dims.as_slice(), &[depth]].concat();
    let elements = indices(&dims)
        .iter()
        .map(|index| {
            let position = positions.elements[flat(&index[..positions.rank()], &positions.dims)].whole();
            Element::small(dtype, (position == index[positions.rank()] as i64).into())
        })
        .collect();
    Ok(Tensor::new(dtype, &dims, elements))
}

/// The slices at `positions` along `axis`, which the axes of `positions` replace.
pub fn gather(x: &Tensor, positions: &Tensor, axis: i64) -> Outcome {
    let axis = axis_of(axis, x.rank());
    let dims = [&x.dims[..axis], &positions.dims, &x.dims[axis + 1..]].concat();
    let places: Vec<usize> = indices(&dims)
        .iter()
        .map(|index| {
            let (before, rest) = index.split_at(axis);
            let (inside, behind) = rest.split_at(positions.rank());
            let position = positions.elements[flat(inside, &positions.dims)].whole() as usize;
            assert!(position < x.dims[axis], "position {position} of {}", x.dims[axis]);
            flat(&[before, &[position], behind].concat(), &x.dims)
        })
        .collect();
    Ok(x.pick(&dims, &places))
}

/// The running sum along `axis`; `exclusive` leaves the element itself out, `reverse` sums from the end.
pub fn cumsum(x: &Tensor, axis: i64, exclusive: bool, reverse: bool) -> Outcome {
    let axis = axis_of(axis, x.rank());
    let mut elements = Vec::new();
    for index in indices(&x.dims) {
        let terms: Vec<Element> = (0..x.dims[axis])
            .filter(|&i| match (reverse, exclusive) {
                (false, false) => i <= index[axis],
                (false, true) => i < index[axis],
                (true, false) => i >= index[axis],
                (true, true) => i > index[axis],
            })
            .map(|i| {
                let mut own = index.clone();
                own[axis] = i;
                x.elements[flat(&own, &x.dims)]
            })
            .collect();
        elements.push(if x.dtype.is_integer() {
            let sum = terms.iter().fold(0, |sum, term| integers::binary("add", x.dtype, sum, term.whole()));
            Element::Whole(sum)
        } else {
            let reals: Vec<Real> = terms.iter().map(|term| term.float()).collect();
            Element::Float(rounded_sum(x.dtype, &reals)?)
        });
    }
    Ok(Tensor::new(x.dtype, &x.dims, elements))
}

/// The elements along the last axis of one element of [`reduce::grouped`], for ops that normalise: applies `f` to the
/// elements over `axes` and puts its results in their places.
pub fn along(
    x: &Tensor,
    axes: &[i64],
    f: impl Fn(&[Element]) -> Result<Vec<Element>, crate::real::Undecided>,
) -> Outcome {
    let reduced: Vec<usize> = axes.iter().map(|&axis| axis_of(axis, x.rank())).collect();
    let (groups, kept, _) = reduce::grouped(x, Some(axes));
    let results = groups.iter().map(|group| f(group)).collect::<Result<Vec<_>, _>>()?;
    let mut taken = vec![0; groups.len()];
    let elements = indices(&x.dims)
        .iter()
        .map(|index| {
            let own: Vec<usize> =
                (0..x.rank()).map(|axis| if reduced.contains(&axis) { 0 } else { index[axis] }).collect();
            let group = flat(&own, &kept);
            taken[group] += 1;
            results[group][taken[group] - 1]
        })
        .collect();
    Ok(Tensor::new(x.dtype, &x.dims, elements))
}

#[cfg(test)]
mod tests {
    use super::{cumsum, gather, one_hot};
    use crate::dtype::DType;
    use crate::tensor::Tensor;

    #[test]
    fn a_one_stands_at_each_index() {
        let positions = Tensor::wholes(DType::I64, &[2], &[2, 0]);
        let hot = Tensor::wholes(DType::U8, &[2, 3], &[0, 0, 1, 1, 0, 0]);
        assert_eq!(one_hot(&positions, 3, DType::U8), Ok(hot));
    }

    /// Expected values by NumPy: `np.take(x, indices, axis)`.
    #[test]
    fn slices_are_gathered() {
        let x = Tensor::wholes(DType::I32, &[2, 3], &[1, 2, 3, 4, 5, 6]);
        let positions = Tensor::wholes(DType::I32, &[2, 1], &[2, 0]);
        assert_eq!(gather(&x, &positions, 1), Ok(Tensor::wholes(DType::I32, &[2, 2, 1], &[3, 1, 6, 4])));
        let scalar = Tensor::wholes(DType::I32, &[], &[1]);
        assert_eq!(gather(&x, &scalar, 0), Ok(Tensor::wholes(DType::I32, &[3], &[4, 5, 6])));
    }

    #[test]
    fn sums_run() {
        let x = Tensor::wholes(DType::I32, &[3], &[1, 2, 3]);
        let sums = |exclusive, reverse| {
            cumsum(&x, 0, exclusive, reverse)
                .map(|y| y.elements.iter().map(|e| e.whole()).collect::<Vec<i64>>())
        };
        assert_eq!(sums(false, false), Ok(vec![1, 3, 6]));
        assert_eq!(sums(true, false), Ok(vec![0, 1, 3]));
        assert_eq!(sums(false, true), Ok(vec![6, 5, 3]));
        assert_eq!(sums(true, true), Ok(vec![5, 3, 0]));
    }
}
