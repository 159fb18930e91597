//! Tensors joined, taken apart and framed.

use super::Outcome;
use crate::tensor::{Element, Tensor, axis_of, flat, indices};

/// One after the other along `axis`.
pub fn concat(inputs: &[Tensor], axis: i64) -> Outcome {
    let axis = axis_of(axis, inputs[0].rank());
    let mut dims = inputs[0].dims.clone();
    dims[axis] = inputs.iter().map(|x| x.dims[axis]).sum();
    let elements = indices(&dims)
        .into_iter()
        .map(|mut index| {
            let mut part = 0;
            while index[axis] >= inputs[part].dims[axis] {
                index[axis] -= inputs[part].dims[axis];
                part += 1;
            }
            inputs[part].elements[flat(&index, &inputs[part].dims)]
        })
        .collect();
    Ok(Tensor::new(inputs[0].dtype, &dims, elements))
}

/// Along a new axis, counted in the result.
pub fn stack(inputs: &[Tensor], axis: i64) -> Outcome {
    let slices =
        inputs.iter().map(|x| super::shape::expand_dims(x, &[axis])).collect::<Result<Vec<_>, _>>()?;
    concat(&slices, axis)
}

/// Parts of these sizes along `axis`; one may be -1.
pub fn split(x: &Tensor, sizes: &[i64], axis: i64) -> Result<Vec<Tensor>, crate::real::Undecided> {
    let axis = axis_of(axis, x.rank());
    let known: i64 = sizes.iter().filter(|&&size| size != -1).sum();
    let open = x.dims[axis] as i64 - known;
    let mut low = 0;
    let mut parts = Vec::new();
    for &size in sizes {
        let size = if size == -1 { open } else { size };
        let range = Range { start: low, step: 1, count: size as usize };
        let mut ranges: Vec<Range> = x.dims.iter().map(|&dim| Range::whole(dim)).collect();
        ranges[axis] = range;
        parts.push(taken(x, &ranges));
        low += size;
    }
    Ok(parts)
}

/// Positions `start`, `start + step`, … of one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first position.
    pub start: i64,
    /// The distance, not 0.
    pub step: i64,
    /// How many.
    pub count: usize,
}

impl Range {
    /// All of an axis.
    pub fn whole(dim: usize) -> Range {
        Range { start: 0, step: 1, count: dim }
    }

    /// Python's `start:stop:step` of an axis, found by trying every position.
    pub fn of_python(dim: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Range {
        let dim = dim as i64;
        let wrapped = |position: i64| if position < 0 { position + dim } else { position };
        // Ends outside stop at the edge; backwards, the edge is before the first element.
        let (low, high) = if step > 0 { (0, dim) } else { (-1, dim - 1) };
        let first = start.map_or(if step > 0 { 0 } else { dim - 1 }, |p| wrapped(p).clamp(low, high));
        let end = stop.map_or(if step > 0 { dim } else { -1 }, |p| wrapped(p).clamp(low, high));
        let mut count = 0;
        let mut position = first;
        while if step > 0 { position < end } else { position > end } {
            count += 1;
            position += step;
        }
        Range { start: first, step, count }
    }
}

/// The elements at these positions of each axis.
pub fn taken(x: &Tensor, ranges: &[Range]) -> Tensor {
    let dims: Vec<usize> = ranges.iter().map(|range| range.count).collect();
    let positions: Vec<usize> = indices(&dims)
        .iter()
        .map(|index| {
            let own: Vec<usize> = index
                .iter()
                .zip(ranges)
                .map(|(&i, range)| (range.start + range.step * i as i64) as usize)
                .collect();
            flat(&own, &x.dims)
        })
        .collect();
    x.pick(&dims, &positions)
}

/// In a frame: `pairs[i]` are how many `value`s stand before and behind along axis `i`.
pub fn pad(x: &Tensor, pairs: &[[usize; 2]], value: Element) -> Outcome {
    let dims: Vec<usize> =
        x.dims.iter().zip(pairs).map(|(dim, [before, behind])| before + dim + behind).collect();
    let elements = indices(&dims)
        .iter()
        .map(|index| {
            let inside = (0..x.rank())
                .all(|axis| (pairs[axis][0]..pairs[axis][0] + x.dims[axis]).contains(&index[axis]));
            if !inside {
                return value;
            }
            let own: Vec<usize> = (0..x.rank()).map(|axis| index[axis] - pairs[axis][0]).collect();
            x.elements[flat(&own, &x.dims)]
        })
        .collect();
    Ok(Tensor::new(x.dtype, &dims, elements))
}

#[cfg(test)]
mod tests {
    use super::{Range, concat, pad, split, stack, taken};
    use crate::dtype::DType::I32;
    use crate::tensor::{Element, Tensor};

    fn tensor(dims: &[usize], values: &[i64]) -> Tensor {
        Tensor::wholes(I32, dims, values)
    }

    #[test]
    fn parts_join() {
        let (a, b) = (tensor(&[2, 1], &[1, 2]), tensor(&[2, 2], &[3, 4, 5, 6]));
        assert_eq!(concat(&[a.clone(), b], -1), Ok(tensor(&[2, 3], &[1, 3, 4, 2, 5, 6])));
        let empty = tensor(&[0, 1], &[]);
        assert_eq!(concat(&[empty.clone(), a.clone(), empty], 0), Ok(a));
        let (a, b) = (tensor(&[2], &[1, 2]), tensor(&[2], &[3, 4]));
        assert_eq!(stack(&[a.clone(), b.clone()], 0), Ok(tensor(&[2, 2], &[1, 2, 3, 4])));
        assert_eq!(stack(&[a, b], -1), Ok(tensor(&[2, 2], &[1, 3, 2, 4])));
    }

    #[test]
    fn a_tensor_comes_apart() {
        let x = tensor(&[4], &[1, 2, 3, 4]);
        let parts = [tensor(&[1], &[1]), tensor(&[3], &[2, 3, 4]), tensor(&[0], &[])];
        assert_eq!(split(&x, &[1, -1, 0], 0), Ok(parts.to_vec()));
    }

    fn positions(start: Option<i64>, stop: Option<i64>, step: i64) -> Vec<i64> {
        let range = Range::of_python(5, start, stop, step);
        (0..range.count as i64).map(|i| range.start + i * range.step).collect()
    }

    /// Expected values by Python: `list(range(5))[start:stop:step]`.
    #[test]
    fn ranges_are_those_of_python() {
        assert_eq!(positions(Some(1), Some(-1), 2), [1, 3]);
        assert_eq!(positions(None, None, -2), [4, 2, 0]);
        assert_eq!(positions(Some(-9), Some(9), 3), [0, 3]);
        assert_eq!(positions(Some(9), Some(1), -1), [4, 3, 2]);
        assert_eq!(positions(Some(3), Some(-9), -1), [3, 2, 1, 0]);
        assert!(positions(Some(3), Some(1), 1).is_empty());
        assert_eq!(Range::of_python(0, None, None, -1).count, 0);
    }

    #[test]
    fn frames_and_slices() {
        let x = tensor(&[2, 2], &[1, 2, 3, 4]);
        let column = taken(&x, &[Range::whole(2), Range { start: 1, step: 1, count: 1 }]);
        assert_eq!(column, tensor(&[2, 1], &[2, 4]));
        let framed = pad(&column, &[[1, 0], [0, 2]], Element::Whole(9));
        assert_eq!(framed, Ok(tensor(&[3, 3], &[9, 9, 9, 2, 9, 9, 4, 9, 9])));
    }
}
