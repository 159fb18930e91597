//! Reductions over axes.

use graph_ir::DType;

use super::{Args, Built, Class, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Reduce, ValueId};

pub(super) const OPS: &[Op] = &[SUM, MEAN, PROD, MAX, MIN, ANY, ALL, ARGMAX, ARGMIN];

const X: usize = 0;
const AXIS: usize = 1;
const KEEPDIMS: usize = 2;

const PARAMS: &[Param] = &[
    Param::required("x", ParamKind::Tensor),
    Param::optional("axis", ParamKind::Ints),
    Param::optional("keepdims", ParamKind::Flag),
];

/// The axes to reduce, ascending.
fn reduced_axes(b: &Builder<'_>, args: &Args<'_>) -> Result<Vec<usize>, Diagnostic> {
    let mut axes = args.axes(b, X, AXIS)?;
    axes.sort_unstable();
    Ok(axes)
}

fn reduce(b: &mut Builder<'_>, args: &Args<'_>, op: Reduce, x: ValueId, axes: &[usize]) -> ValueId {
    if args.flag(KEEPDIMS, false) { b.reduce_keep(op, x, axes) } else { b.reduce(op, x, axes) }
}

/// How many elements each element of the result is made of.
fn extent(b: &Builder<'_>, x: ValueId, axes: &[usize]) -> u64 {
    axes.iter().map(|&axis| b.graph.ty(x).dims[axis]).product()
}

/// Refuses bool with a help of the op's own.
fn require_number(b: &Builder<'_>, args: &Args<'_>, help: &str) -> Result<(), Diagnostic> {
    match b.dtype(args.tensor(X)) {
        DType::Bool => Err(args
            .error(X, format_args!("takes {}; {}", Class::Number.describe(), args.describe(b.graph, X)))
            .with_help(help)),
        _ => Ok(()),
    }
}

const SUM: Op = Op {
    name: "sum",
    kind: "Sum",
    node: "Sum",
    operator: "",
    params: PARAMS,
    build: |b, args| {
        let help = format!("count the true elements: `sum(cast({}, i32))`", args.written(X));
        require_number(b, args, &help)?;
        let axes = reduced_axes(b, args)?;
        Ok(Built::One(reduce(b, args, Reduce::Sum, args.tensor(X), &axes)))
    },
    doc: "The sum over `axis`: one axis, a list of them, or all when it is absent. The axes are dropped, or stay with \
          size 1 under `keepdims`. Keeps the dtype: integers wrap, f16 and bf16 accumulate in f32 and round once. \
          The sum of nothing is 0.",
    example: Example { graph: "sum([[1.0, 2.0], [3.0, 4.0]], axis = 0)", value: "[4.0, 6.0]" },
};

const MEAN: Op = Op {
    name: "mean",
    kind: "Mean",
    node: "Mean",
    operator: "",
    params: PARAMS,
    build: mean,
    doc: "The mean over `axis`: the sum divided by the number of elements; all axes when `axis` is absent. The axes \
          are dropped, or stay with size 1 under `keepdims`. Floats only; f16 and bf16 are computed in f32 and \
          rounded once. The mean of nothing is NaN.",
    example: Example { graph: "mean([[1.0, 2.0], [3.0, 6.0]], axis = 1)", value: "[1.5, 4.5]" },
};

fn mean(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let dtype = args.require(b, X, Class::Float)?;
    let axes = reduced_axes(b, args)?;
    let count = extent(b, args.tensor(X), &axes);
    let wide = b.widen(args.tensor(X));
    let sum = reduce(b, args, Reduce::Sum, wide, &axes);
    let count = b.float_like(sum, count as f64);
    let mean = b.binary(Binary::Div, sum, count);
    Ok(Built::One(b.cast(mean, dtype)))
}

const PROD: Op = Op {
    name: "prod",
    kind: "Prod",
    node: "Prod",
    operator: "",
    params: PARAMS,
    build: |b, args| {
        require_number(b, args, &format!("ask whether all are true: `all({})`", args.written(X)))?;
        let axes = reduced_axes(b, args)?;
        Ok(Built::One(reduce(b, args, Reduce::Prod, args.tensor(X), &axes)))
    },
    doc: "The product over `axis`; all axes when it is absent. The axes are dropped, or stay with size 1 under \
          `keepdims`. Keeps the dtype: integers wrap, f16 and bf16 are multiplied in f32 and rounded once. The \
          product of nothing is 1.",
    example: Example { graph: "prod([[1, 2], [3, 4]], axis = 1)", value: "[2, 12]" },
};

const MAX: Op = Op {
    name: "max",
    kind: "Max",
    node: "Max",
    operator: "",
    params: PARAMS,
    build: |b, args| extreme(b, args, Reduce::Max, "any"),
    doc: "The largest element over `axis`; all axes when it is absent. The axes are dropped, or stay with size 1 under \
          `keepdims`. Any number; NaN where one of the elements is NaN. Axes without elements are a compile error. \
          The larger of two tensors is `maximum`.",
    example: Example { graph: "max([[1, 5], [3, 2]], axis = 1)", value: "[5, 3]" },
};

const MIN: Op = Op {
    name: "min",
    kind: "Min",
    node: "Min",
    operator: "",
    params: PARAMS,
    build: |b, args| extreme(b, args, Reduce::Min, "all"),
    doc: "The smallest element over `axis`; all axes when it is absent. The axes are dropped, or stay with size 1 \
          under `keepdims`. Any number; NaN where one of the elements is NaN. Axes without elements are a compile \
          error. The smaller of two tensors is `minimum`.",
    example: Example { graph: "min([[1, 5], [3, 2]], axis = 0)", value: "[1, 2]" },
};

fn extreme(b: &mut Builder<'_>, args: &Args<'_>, op: Reduce, for_bool: &str) -> Result<Built, Diagnostic> {
    require_number(b, args, &format!("use `{for_bool}({})`", args.written(X)))?;
    let axes = reduced_axes(b, args)?;
    require_elements(b, args, &axes)?;
    Ok(Built::One(reduce(b, args, op, args.tensor(X), &axes)))
}

/// An extreme needs an element to be.
fn require_elements(b: &Builder<'_>, args: &Args<'_>, axes: &[usize]) -> Result<(), Diagnostic> {
    let dims = &b.graph.ty(args.tensor(X)).dims;
    match axes.iter().find(|&&axis| dims[axis] == 0) {
        None => Ok(()),
        Some(axis) => {
            let facts = format!("{}, and axis {axis} has no elements", args.describe(b.graph, X));
            Err(args.error(X, format_args!("there is nothing to choose from: {facts}")))
        }
    }
}

const ANY: Op = Op {
    name: "any",
    kind: "Any",
    node: "Any",
    operator: "",
    params: PARAMS,
    build: |b, args| logical(b, args, Reduce::Any),
    doc: "Whether any element over `axis` is true; all axes when it is absent. The axes are dropped, or stay with size \
          1 under `keepdims`. bool only. Of nothing: false.",
    example: Example { graph: "any([[false, true], [false, false]], axis = 1)", value: "[true, false]" },
};

const ALL: Op = Op {
    name: "all",
    kind: "All",
    node: "All",
    operator: "",
    params: PARAMS,
    build: |b, args| logical(b, args, Reduce::All),
    doc: "Whether all elements over `axis` are true; all axes when it is absent. The axes are dropped, or stay with \
          size 1 under `keepdims`. bool only. Of nothing: true.",
    example: Example { graph: "all([[true, true], [false, true]], axis = 1)", value: "[true, false]" },
};

fn logical(b: &mut Builder<'_>, args: &Args<'_>, op: Reduce) -> Result<Built, Diagnostic> {
    args.require(b, X, Class::Bool)?;
    let axes = reduced_axes(b, args)?;
    Ok(Built::One(reduce(b, args, op, args.tensor(X), &axes)))
}

const ARG_PARAMS: &[Param] = &[
    Param::required("x", ParamKind::Tensor),
    Param::optional("axis", ParamKind::Int),
    Param::optional("keepdims", ParamKind::Flag),
];

const ARGMAX: Op = Op {
    name: "argmax",
    kind: "ArgMax",
    node: "ArgMax",
    operator: "",
    params: ARG_PARAMS,
    build: |b, args| arg_extreme(b, args, true),
    doc: "The position (i64) of the largest element along `axis`, which is dropped or stays with size 1 under \
          `keepdims`; without `axis` the position in the flattened tensor. The first of equal ones; NaN counts as the \
          largest; `true` is larger than `false`. An axis without elements is a compile error.",
    example: Example { graph: "argmax([[1.0, 5.0, 5.0], [3.0, 2.0, 1.0]], axis = 1)", value: "[1, 0]" },
};

const ARGMIN: Op = Op {
    name: "argmin",
    kind: "ArgMin",
    node: "ArgMin",
    operator: "",
    params: ARG_PARAMS,
    build: |b, args| arg_extreme(b, args, false),
    doc: "The position (i64) of the smallest element along `axis`, which is dropped or stays with size 1 under \
          `keepdims`; without `axis` the position in the flattened tensor. The first of equal ones; NaN counts as the \
          smallest; `false` is smaller than `true`. An axis without elements is a compile error.",
    example: Example { graph: "argmin([[1.0, 5.0, 1.0], [3.0, 2.0, 1.0]], axis = 1)", value: "[0, 2]" },
};

fn arg_extreme(b: &mut Builder<'_>, args: &Args<'_>, largest: bool) -> Result<Built, Diagnostic> {
    let mut x = args.tensor(X);
    let mut kept = b.dims(x);
    let mut axis = 0;
    if args.has(AXIS) {
        axis = args.axis(b, X, AXIS, 0)?;
        require_elements(b, args, &[axis])?;
        kept[axis] = 1;
    } else {
        let every: Vec<usize> = (0..kept.len()).collect();
        require_elements(b, args, &every)?;
        let elements = b.graph.ty(x).elements();
        x = b.reshape(x, &[elements]);
        kept.fill(1);
    }
    // A bool orders as its number does.
    if b.dtype(x) == DType::Bool {
        x = b.cast(x, DType::U8);
    }
    let position = b.arg_reduce(largest, x, axis);
    Ok(Built::One(if args.flag(KEEPDIMS, false) { b.reshape(position, &kept) } else { position }))
}
