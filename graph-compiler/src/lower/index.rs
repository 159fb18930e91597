//! `x[0, 1..3, ..;-1]`: slices with NumPy's meaning, and elements of lists.

use proc_macro2::Span;

use super::{Item, Lowering, Operand};
use crate::Diagnostic;
use crate::graph::{Builder, Type, ValueId};
use crate::syntax::{Expr, Index, IndexRange};

impl Lowering<'_, '_> {
    pub(super) fn index(
        &mut self,
        base: Item,
        indices: &[Index],
        span: Span,
        binding: Option<String>,
    ) -> Operand {
        // A list is indexed like a tuple.
        if let (Operand::List(items), [Index::At(at)]) = (&base.operand, indices)
            && !base.operand.is_literal()
        {
            let items = items.clone();
            let Some(position) = self.bound(at) else { return Operand::Poison };
            let found = usize::try_from(position).ok().and_then(|position| items.into_iter().nth(position));
            return match found {
                Some(item) => item.operand,
                None => self.error(Diagnostic::new(at.span, format!("the list has no element {position}"))),
            };
        }
        let label = base.label.clone();
        let Some(x) = self.tensor_of(base, None) else { return Operand::Poison };
        let ty = self.graph.ty(x).clone();
        match self.index_ranges(&ty, indices, span, label.as_deref().unwrap_or("the tensor")) {
            Some(ranges) => self.strided_slice(x, ranges, span, binding),
            None => Operand::Poison,
        }
    }

    fn index_ranges(&mut self, ty: &Type, indices: &[Index], span: Span, what: &str) -> Option<Vec<Range>> {
        let given = indices.iter().filter(|index| !matches!(index, Index::Ellipsis(_))).count();
        let ellipses = indices.len() - given;
        if given > ty.rank() || ellipses > 1 {
            let message = match ellipses {
                0 | 1 => format!("{given} positions for {what}, which is {ty}"),
                _ => String::from("`...` stands at most once"),
            };
            self.error(Diagnostic::new(span, message));
            return None;
        }
        let mut ranges: Vec<Range> = Vec::new();
        let mut sound = true;
        for index in indices {
            let axis = ranges.len();
            match index {
                Index::Ellipsis(_) => {
                    (given..ty.rank()).for_each(|_| {
                        let dim = ty.dims[ranges.len()];
                        ranges.push(Range { start: 0, step: 1, count: dim, keep: true });
                    });
                }
                Index::At(at) => match self.bound(at) {
                    Some(position) => {
                        let dim = i128::from(ty.dims[axis]);
                        let wrapped = if position < 0 { position + dim } else { position };
                        if !(0..dim).contains(&wrapped) {
                            let message = format!(
                                "position {position} is outside axis {axis} of {what}, which is {ty}"
                            );
                            self.error(Diagnostic::new(at.span, message));
                            sound = false;
                        }
                        ranges.push(Range { start: wrapped.max(0) as u64, step: 1, count: 1, keep: false });
                    }
                    None => {
                        sound = false;
                        ranges.push(Range { start: 0, step: 1, count: 1, keep: false });
                    }
                },
                Index::Range(range) => {
                    let IndexRange { start, stop, inclusive, step, span } = &**range;
                    let part = |this: &mut Self, expr: &Option<Expr>| match expr {
                        None => Some(None),
                        Some(expr) => this.bound(expr).map(Some),
                    };
                    let (start, stop, step) = (part(self, start), part(self, stop), part(self, step));
                    let (Some(start), Some(mut stop), Some(step)) = (start, stop, step) else { return None };
                    let step = step.unwrap_or(1);
                    if *inclusive {
                        // One further than the last: past either end there is no position that says so.
                        let end = if step > 0 { -1 } else { 0 };
                        stop = stop.filter(|stop| *stop != end).map(|stop| stop + step.signum());
                    }
                    match numpy_range(ty.dims[axis], start, stop, step) {
                        Some(range) => ranges.push(range),
                        None => {
                            self.error(Diagnostic::new(*span, "the step of a slice is 0"));
                            return None;
                        }
                    }
                }
            }
        }
        for axis in ranges.len()..ty.rank() {
            ranges.push(Range { start: 0, step: 1, count: ty.dims[axis], keep: true });
        }
        sound.then_some(ranges)
    }

    fn strided_slice(
        &mut self,
        x: ValueId,
        ranges: Vec<Range>,
        span: Span,
        binding: Option<String>,
    ) -> Operand {
        let node = self.node("StridedSlice", "strided_slice", span);
        self.graph.nodes[node.0 as usize].binding = binding.unwrap_or_default();
        let mut builder = Builder { graph: &mut self.graph, node };
        let counts: Vec<u64> = ranges.iter().map(|range| range.count).collect();
        let start = ranges.iter().map(|range| range.start).collect();
        let step = ranges.iter().map(|range| range.step).collect();
        let sliced = builder.slice(x, start, step, &counts);
        let kept: Vec<u64> = ranges.iter().filter(|range| range.keep).map(|range| range.count).collect();
        Operand::Tensor(builder.reshape(sliced, &kept))
    }
}

/// One axis of a slice.
pub(crate) struct Range {
    pub(crate) start: u64,
    pub(crate) step: i64,
    pub(crate) count: u64,
    /// Whether the axis stays.
    pub(crate) keep: bool,
}

/// `start:stop:step` over an axis of `dim` elements, with the meaning that Python gives to absent and negative
/// parts; `None` when the step is 0. Python language reference, "slicings"; `slice.indices`.
pub(crate) fn numpy_range(dim: u64, start: Option<i128>, stop: Option<i128>, step: i128) -> Option<Range> {
    let size = i128::from(dim);
    let clamp = |position: i128, low: i128, high: i128| {
        let position = if position < 0 { position + size } else { position };
        position.clamp(low, high)
    };
    let count = match step.signum() {
        0 => return None,
        1 => {
            let (start, stop) =
                (start.map_or(0, |p| clamp(p, 0, size)), stop.map_or(size, |p| clamp(p, 0, size)));
            (start, (stop - start + step - 1).max(0) / step)
        }
        _ => {
            let start = start.map_or(size - 1, |p| clamp(p, -1, size - 1));
            let stop = stop.map_or(-1, |p| clamp(p, -1, size - 1));
            (start, (start - stop - step - 1).max(0) / -step)
        }
    };
    let (start, count) = count;
    let step = step.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    Some(Range { start: if count == 0 { 0 } else { start as u64 }, step, count: count as u64, keep: true })
}

#[cfg(test)]
mod tests {
    use super::numpy_range;

    fn positions(dim: u64, start: Option<i128>, stop: Option<i128>, step: i128) -> Vec<i64> {
        let range = numpy_range(dim, start, stop, step).expect("the step is not 0");
        (0..range.count as i64).map(|i| range.start as i64 + i * range.step).collect()
    }

    #[test]
    fn slices_are_those_of_python() {
        assert_eq!(positions(5, None, None, 1), [0, 1, 2, 3, 4]);
        assert_eq!(positions(5, None, None, -1), [4, 3, 2, 1, 0]);
        assert_eq!(positions(5, Some(1), Some(-1), 2), [1, 3]);
        assert_eq!(positions(5, Some(-2), None, 1), [3, 4]);
        assert_eq!(positions(5, Some(10), None, -2), [4, 2, 0]);
        assert_eq!(positions(5, Some(4), Some(1), -1), [4, 3, 2]);
        assert_eq!(positions(5, Some(4), Some(1), 1), [0i64; 0]);
        assert_eq!(positions(0, None, None, -1), [0i64; 0]);
        assert_eq!(positions(5, Some(-100), Some(100), 3), [0, 3]);
        assert!(numpy_range(5, None, None, 0).is_none());
    }
}
