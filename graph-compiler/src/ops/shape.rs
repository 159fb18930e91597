//! The same elements in another shape or order.

use proc_macro2::Span;

use super::{Args, Built, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Builder, broadcast_dims};

pub(super) const OPS: &[Op] = &[RESHAPE, TRANSPOSE, EXPAND_DIMS, SQUEEZE, BROADCAST_TO, REVERSE, TILE];

/// "1 axis", "2 axes"
pub(super) fn axes_text(rank: usize) -> String {
    format!("{rank} {}", if rank == 1 { "axis" } else { "axes" })
}

/// "1 element", "2 elements"
fn elements_text(count: impl Into<u128>) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { "element" } else { "elements" })
}

/// A list of numbers as written.
pub(super) fn list_text(list: &[(i64, Span)]) -> String {
    format!("{:?}", list.iter().map(|(number, _)| *number).collect::<Vec<_>>())
}

const RESHAPE: Op = Op {
    name: "reshape",
    kind: "Reshape",
    node: "Reshape",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::required("shape", ParamKind::Ints)],
    build: reshape,
    doc: "The same elements, in row-major order, in another shape. One size may be -1: it is what the others leave. Any \
          dtype. `reshape(x, [-1])` flattens, `reshape(x, [])` makes a scalar of a tensor of one element.",
    example: Example { graph: "reshape([1, 2, 3, 4, 5, 6], [2, -1])", value: "[[1, 2, 3], [4, 5, 6]]" },
};

fn reshape(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let elements = b.ty(x).elements();
    let given = args.ints(1).unwrap_or_default();
    let mut open = None;
    let mut dims: Vec<u64> = Vec::with_capacity(given.len());
    for (i, &(size, span)) in given.iter().enumerate() {
        match u64::try_from(size) {
            Ok(size) => dims.push(size),
            Err(_) if size != -1 => {
                let error = args.error_at(span, format_args!("a size is negative: {size}"));
                return Err(error.with_help("-1 stands for the size that the others leave"));
            }
            Err(_) if open.is_some() => {
                let error = args.error_at(span, format_args!("two sizes of {} are -1", list_text(given)));
                return Err(
                    error.with_help("-1 is the size that the others leave, so that only one can be -1")
                );
            }
            Err(_) => {
                open = Some((i, span));
                dims.push(1);
            }
        }
    }
    let facts = format!("{} ({})", args.describe(b.graph, 0), elements_text(elements));
    let count = dims.iter().fold(1u128, |count, &dim| count.saturating_mul(dim.into()));
    if let Some((i, span)) = open {
        let others = format!("the other sizes of {} make {count}", list_text(given));
        if count == 0 {
            let error = args.error_at(span, format_args!("-1 can be any size here, since {others}"));
            return Err(error.with_help("write the size itself"));
        }
        if !u128::from(elements).is_multiple_of(count) {
            let message = format!("{facts}, and {others}: {elements} / {count} is no whole number for -1");
            return Err(args.error_at(span, message));
        }
        dims[i] = (u128::from(elements) / count) as u64;
    } else if count != u128::from(elements) {
        let message = format!(
            "the element counts differ, {facts} and {} has {}",
            list_text(given),
            elements_text(count)
        );
        let error = args.error(1, message);
        return Err(error.with_help("one size may be -1: it is what the others leave"));
    }
    args.check_size(1, b.dtype(x), &dims)?;
    Ok(Built::One(b.reshape(x, &dims)))
}

const TRANSPOSE: Op = Op {
    name: "transpose",
    kind: "Transpose",
    node: "transpose",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::optional("axes", ParamKind::Ints)],
    build: transpose,
    doc: "The axes in another order: axis `i` of the result is axis `axes[i]` of `x`; reversed when `axes` is absent. \
          Any dtype.",
    example: Example { graph: "transpose([[1, 2, 3], [4, 5, 6]])", value: "[[1, 4], [2, 5], [3, 6]]" },
};

fn transpose(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let rank = b.ty(x).rank();
    let axes = match args.ints(1) {
        None => (0..rank).rev().collect(),
        Some(_) => args.axes(b, 0, 1)?,
    };
    if axes.len() != rank {
        let message = format!(
            "`axes` names {}, and {} with {}",
            axes_text(axes.len()),
            args.describe(b.graph, 0),
            axes_text(rank)
        );
        let reversed: Vec<usize> = (0..rank).rev().collect();
        return Err(args
            .error(1, message)
            .with_help(format!("name each axis once, in the new order: {reversed:?} reverses them")));
    }
    Ok(Built::One(b.transpose(x, &axes)))
}

const EXPAND_DIMS: Op = Op {
    name: "expand_dims",
    kind: "ExpandDims",
    node: "ExpandDims",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::required("axis", ParamKind::Ints)],
    build: expand_dims,
    doc: "New axes of size 1 at `axis` (one or a list), counted in the result: 0 is before all others, -1 behind them. \
          Any dtype.",
    example: Example { graph: "expand_dims([1, 2], 1)", value: "[[1], [2]]" },
};

fn expand_dims(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let given = args.ints(1).unwrap_or_default();
    let mut old = b.dims(x).into_iter();
    let rank = old.len() + given.len();
    let whole = format!("the result, which has {}", axes_text(rank));
    let axes = args.distinct_axes(given, rank, &whole)?;
    let dims: Vec<u64> =
        (0..rank).map(|axis| if axes.contains(&axis) { 1 } else { old.next().unwrap_or(1) }).collect();
    Ok(Built::One(b.reshape(x, &dims)))
}

const SQUEEZE: Op = Op {
    name: "squeeze",
    kind: "Squeeze",
    node: "Squeeze",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::optional("axis", ParamKind::Ints)],
    build: squeeze,
    doc: "Without the axes of size 1 that `axis` names (one or a list); without every axis of size 1 when it is absent. \
          Any dtype.",
    example: Example { graph: "squeeze([[[1], [2]]], axis = -1)", value: "[[1, 2]]" },
};

fn squeeze(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let dims = b.dims(x);
    let axes = match args.ints(1) {
        None => (0..dims.len()).filter(|&axis| dims[axis] == 1).collect(),
        Some(given) => {
            let axes = args.axes(b, 0, 1)?;
            if let Some(i) = axes.iter().position(|&axis| dims[axis] != 1) {
                let message = format!("axis {} of {}, has size {}", axes[i], args.whole(b, 0), dims[axes[i]]);
                let error = args.error_at(given[i].1, message);
                return Err(error.with_help(
                    "only axes of size 1 can be dropped; `reshape` joins axes, `x[0]` takes one position",
                ));
            }
            axes
        }
    };
    let kept: Vec<u64> = (0..dims.len()).filter(|axis| !axes.contains(axis)).map(|axis| dims[axis]).collect();
    Ok(Built::One(b.reshape(x, &kept)))
}

const BROADCAST_TO: Op = Op {
    name: "broadcast_to",
    kind: "BroadcastTo",
    node: "BroadcastTo",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::required("shape", ParamKind::Ints)],
    build: broadcast_to,
    doc: "Stretched to `shape` as NumPy broadcasts: sizes are compared from the last axis, size 1 is repeated, and axes \
          are added in front. Any dtype.",
    example: Example { graph: "broadcast_to([1, 2], [2, 2])", value: "[[1, 2], [1, 2]]" },
};

fn broadcast_to(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let target = args.shape(1, b.dtype(x))?;
    let dims = b.dims(x);
    if broadcast_dims(&dims, &target).is_none_or(|common| common != target) {
        let reason = match dims.len().checked_sub(target.len()) {
            Some(1..) => format!("it has {}, and {target:?} has {}", axes_text(dims.len()), target.len()),
            _ => {
                let fits = |back: &usize| {
                    let (from, to) = (dims[dims.len() - back], target[target.len() - back]);
                    from == to || from == 1
                };
                let back = (1..=dims.len()).find(|back| !fits(back)).unwrap_or(1);
                let (axis, from, to) =
                    (dims.len() - back, dims[dims.len() - back], target[target.len() - back]);
                format!("axis {axis} has size {from}, and {target:?} asks for {to}")
            }
        };
        let message = format!("{} and cannot be stretched: {reason}", args.describe(b.graph, 0));
        return Err(args.error(1, message).with_help(
            "sizes are compared from the last axis; each must stay the same or be a 1 that is repeated",
        ));
    }
    Ok(Built::One(b.broadcast(x, &target)))
}

const REVERSE: Op = Op {
    name: "reverse",
    kind: "ReverseV2",
    node: "ReverseV2",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::optional("axis", ParamKind::Ints)],
    build: |b, args| {
        let x = args.tensor(0);
        let axes = args.axes(b, 0, 1)?;
        let dims = b.dims(x);
        let start =
            (0..dims.len()).map(|axis| if axes.contains(&axis) { dims[axis].saturating_sub(1) } else { 0 });
        let step = (0..dims.len()).map(|axis| if axes.contains(&axis) { -1 } else { 1 });
        Ok(Built::One(b.slice(x, start.collect(), step.collect(), &dims)))
    },
    doc: "The elements in opposite order along `axis` (one or a list), along every axis when it is absent. Any dtype.",
    example: Example { graph: "reverse([[1, 2, 3], [4, 5, 6]], axis = 1)", value: "[[3, 2, 1], [6, 5, 4]]" },
};

const TILE: Op = Op {
    name: "tile",
    kind: "Tile",
    node: "Tile",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::required("multiples", ParamKind::Ints)],
    build: tile,
    doc: "The tensor repeated: `multiples[i]` copies of it, one after the other, along axis `i`. One number for each \
          axis; 0 gives an empty axis. Any dtype.",
    example: Example { graph: "tile([[1, 2]], [2, 2])", value: "[[1, 2, 1, 2], [1, 2, 1, 2]]" },
};

fn tile(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let dims = b.dims(x);
    let given = args.ints(1).unwrap_or_default();
    if given.len() != dims.len() {
        let message = format!(
            "`multiples` is {} for {}, and {} with {}",
            list_text(given),
            axes_text(given.len()),
            args.describe(b.graph, 0),
            axes_text(dims.len())
        );
        let ones = vec![1; dims.len()];
        return Err(args
            .error(1, message)
            .with_help(format!("write one number for each axis: {ones:?} repeats nothing")));
    }
    // Each repeated axis becomes two, the copies and the axis itself; the stretch fills the first.
    let (mut split, mut stretched, mut joined) = (Vec::new(), Vec::new(), Vec::new());
    for (&dim, &(multiple, span)) in dims.iter().zip(given) {
        let multiple = u64::try_from(multiple)
            .map_err(|_| args.error_at(span, format_args!("a multiple is negative: {multiple}")))?;
        if multiple != 1 {
            split.push(1);
            stretched.push(multiple);
        }
        split.push(dim);
        stretched.push(dim);
        let size = dim.checked_mul(multiple).ok_or_else(|| {
            args.error_at(
                span,
                format_args!("{multiple} times the {dim} elements of the axis are more than 2^64"),
            )
        })?;
        joined.push(size);
    }
    args.check_size(1, b.dtype(x), &joined)?;
    args.check_size(1, b.dtype(x), &stretched)?;
    let x = b.reshape(x, &split);
    let x = b.broadcast(x, &stretched);
    Ok(Built::One(b.reshape(x, &joined)))
}
