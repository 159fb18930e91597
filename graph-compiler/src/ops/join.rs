//! Tensors joined, taken apart and framed.

use graph_ir::DType;
use proc_macro2::Span;

use super::shape::{axes_text, list_text};
use super::{Args, Built, EntryValue, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Builder, Scalar, ValueId};
use crate::lower::numpy_range;

pub(super) const OPS: &[Op] = &[CONCAT, STACK, SPLIT, SLICE, PAD];

/// More parts than this are surely a mistake.
const PART_LIMIT: u64 = 1 << 16;

const CONCAT: Op = Op {
    name: "concat",
    kind: "ConcatV2",
    node: "concat",
    operator: "",
    params: &[Param::required("inputs", ParamKind::Tensors), Param::optional("axis", ParamKind::Int)],
    build: concat,
    doc: "The tensors of a list one after the other along `axis` (0 by default), of which the sizes add up; the other \
          sizes are the same. One dtype, any. `stack` joins along a new axis.",
    example: Example { graph: "concat([[[1, 2]], [[3, 4], [5, 6]]])", value: "[[1, 2], [3, 4], [5, 6]]" },
};

fn concat(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let ty = b.ty(first_entry(args)?);
    if ty.rank() == 0 {
        let message = format!("joins tensors along an axis, and the first entry is a scalar, {ty}");
        return Err(args.error(0, message).with_help("`stack` makes a vector of scalars"));
    }
    let whole = format!("the first entry, which is {ty}");
    let axis = args.axis_among(args.int(1).unwrap_or(0), args.span(1), ty.rank(), &whole)?;
    let mut dims = ty.dims.to_vec();
    for (i, &(x, span)) in args.tensors(0).iter().enumerate().skip(1) {
        let own = b.ty(x);
        let facts = format!("the first entry is {ty} and entry {i} is {own}");
        same_entry_dtype(args, ty.dtype, own.dtype, span, &facts)?;
        if own.rank() != ty.rank() {
            let message = format!("the numbers of axes differ, {facts}");
            return Err(args.error_at(span, message));
        }
        if let Some(other) = (0..ty.rank()).find(|&other| other != axis && own.dims[other] != ty.dims[other])
        {
            let message = format!("the sizes of axis {other} differ, {facts}");
            let help = format!("along axis {axis} sizes add up; those of the other axes are the same");
            return Err(args.error_at(span, message).with_help(help));
        }
        dims[axis] = dims[axis].saturating_add(own.dims[axis]);
    }
    args.check_size(0, ty.dtype, &dims)?;
    let inputs: Vec<ValueId> = args.tensors(0).iter().map(|(x, _)| *x).collect();
    Ok(Built::One(b.concat(&inputs, axis)))
}

/// The first tensor of the list, which the others must fit.
fn first_entry(args: &Args<'_>) -> Result<ValueId, Diagnostic> {
    match args.tensors(0) {
        [(first, _), ..] => Ok(*first),
        [] => Err(args
            .error(0, "the list is empty")
            .with_help("the dtype and the shape come from its first tensor")),
    }
}

fn same_entry_dtype(
    args: &Args<'_>,
    first: DType,
    own: DType,
    span: Span,
    facts: &str,
) -> Result<(), Diagnostic> {
    if first == own {
        return Ok(());
    }
    let error = args.error_at(span, format_args!("dtypes differ, {facts}"));
    Err(error.with_help(format!("convert it: `cast(…, {first})`")))
}

const STACK: Op = Op {
    name: "stack",
    kind: "Pack",
    node: "stack",
    operator: "",
    params: &[Param::required("inputs", ParamKind::Tensors), Param::optional("axis", ParamKind::Int)],
    build: stack,
    doc: "The tensors of a list along a new axis, which stands at `axis` (0 by default), counted in the result. One \
          dtype, any, and one shape. `concat` joins along an axis that is there.",
    example: Example { graph: "stack([[1, 2], [3, 4]], axis = 1)", value: "[[1, 3], [2, 4]]" },
};

fn stack(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let ty = b.ty(first_entry(args)?);
    for (i, &(x, span)) in args.tensors(0).iter().enumerate().skip(1) {
        let own = b.ty(x);
        let facts = format!("the first entry is {ty} and entry {i} is {own}");
        same_entry_dtype(args, ty.dtype, own.dtype, span, &facts)?;
        if own.dims != ty.dims {
            let error = args.error_at(span, format_args!("shapes differ, {facts}"));
            return Err(error.with_help("`concat` joins tensors that differ in one axis"));
        }
    }
    let rank = ty.rank() + 1;
    let whole = format!("the result, which has {}", axes_text(rank));
    let axis = args.axis_among(args.int(1).unwrap_or(0), args.span(1), rank, &whole)?;
    let mut dims = ty.dims.to_vec();
    dims.insert(axis, args.tensors(0).len() as u64);
    args.check_size(0, ty.dtype, &dims)?;
    dims[axis] = 1;
    let slices: Vec<ValueId> = args.tensors(0).iter().map(|(x, _)| b.reshape(*x, &dims)).collect();
    Ok(Built::One(b.concat(&slices, axis)))
}

const SPLIT: Op = Op {
    name: "split",
    kind: "Split",
    node: "split",
    operator: "",
    params: &[
        Param::required("x", ParamKind::Tensor),
        Param::required("parts", ParamKind::IntOrInts),
        Param::optional("axis", ParamKind::Int),
    ],
    build: split,
    doc: "A list of parts along `axis` (0 by default): with a number that many equal ones, with a list parts of these \
          sizes, of which one may be -1 for what the others leave. Any dtype. `let (a, b) = split(x, 2);` names them.",
    example: Example { graph: "stack(split([1, 2, 3, 4], 2))", value: "[[1, 2], [3, 4]]" },
};

fn split(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let axis = args.axis(b, 0, 2, 0)?;
    let mut dims = b.dims(x);
    let size = dims[axis];
    let sizes = match args.entry(1) {
        EntryValue::Int(parts) => equal_parts(b, args, axis, size, *parts)?,
        _ => {
            // TensorFlow's name for parts of given sizes.
            b.graph.nodes[b.node.0 as usize].op = "SplitV";
            listed_parts(b, args, axis, size)?
        }
    };
    let mut low = 0;
    let mut parts = Vec::with_capacity(sizes.len());
    for part in sizes {
        let mut start = vec![0; dims.len()];
        // An empty part may lie behind the last element, where no position is.
        start[axis] = if part == 0 { 0 } else { low };
        dims[axis] = part;
        parts.push(b.slice(x, start, vec![1; dims.len()], &dims));
        low += part;
    }
    Ok(Built::List(parts))
}

/// "axis 0 of `x`, which is f32[5], has size 5"
fn size_text(b: &Builder<'_>, args: &Args<'_>, axis: usize, size: u64) -> String {
    format!("axis {axis} of {}, has size {size}", args.whole(b, 0))
}

fn equal_parts(
    b: &Builder<'_>,
    args: &Args<'_>,
    axis: usize,
    size: u64,
    parts: i64,
) -> Result<Vec<u64>, Diagnostic> {
    let facts = size_text(b, args, axis, size);
    let count = match u64::try_from(parts) {
        Ok(1..) if parts as u64 <= PART_LIMIT => parts as u64,
        Ok(1..) => {
            let error = args.error(1, format_args!("{parts} parts are more than the limit, {PART_LIMIT}"));
            return Err(error.with_help("`reshape` makes an axis of the parts"));
        }
        _ => return Err(args.error(1, format_args!("at least one part is needed, and this is {parts}"))),
    };
    if !size.is_multiple_of(count) {
        let (part, last) = (size / count, size - size / count * (count - 1));
        let mut sizes = vec![part.to_string(); count.min(4) as usize - 1];
        if count > 4 {
            sizes[1] = String::from("…");
        }
        sizes.push(last.to_string());
        let error = args.error(1, format_args!("{facts}, and that is not {count} equal parts"));
        return Err(error.with_help(format!("list the sizes: `[{}]`", sizes.join(", "))));
    }
    Ok(vec![size / count; count as usize])
}

fn listed_parts(b: &Builder<'_>, args: &Args<'_>, axis: usize, size: u64) -> Result<Vec<u64>, Diagnostic> {
    let facts = size_text(b, args, axis, size);
    let given = args.ints(1).unwrap_or_default();
    let text = list_text(given);
    if given.is_empty() {
        return Err(args.error(1, "the list of sizes is empty").with_help("write the size of each part"));
    }
    let mut open = None;
    let mut sizes = Vec::with_capacity(given.len());
    for (i, &(part, span)) in given.iter().enumerate() {
        match u64::try_from(part) {
            Ok(part) => sizes.push(part),
            Err(_) if part == -1 && open.is_none() => {
                open = Some(i);
                sizes.push(0);
            }
            Err(_) if part == -1 => {
                let error = args.error_at(span, format_args!("two sizes of {text} are -1"));
                return Err(
                    error.with_help("-1 is the size that the others leave, so that only one can be -1")
                );
            }
            Err(_) => {
                let error = args.error_at(span, format_args!("a size is negative: {part}"));
                return Err(error.with_help("-1 stands for the size that the others leave"));
            }
        }
    }
    let total = sizes.iter().fold(0u128, |total, &part| total + u128::from(part));
    match open {
        Some(i) if total <= u128::from(size) => sizes[i] = size - total as u64,
        None if total == u128::from(size) => {}
        Some(_) => {
            return Err(args.error(1, format_args!("{facts}, and the sizes {text} take {total} already")));
        }
        None => {
            let error = args.error(1, format_args!("{facts}, and the sizes {text} add up to {total}"));
            return Err(error.with_help("one size may be -1: it is what the others leave"));
        }
    }
    Ok(sizes)
}

const SLICE: Op = Op {
    name: "slice",
    kind: "StridedSlice",
    node: "strided_slice",
    operator: "",
    params: &[
        Param::required("x", ParamKind::Tensor),
        Param::required("start", ParamKind::Ints),
        Param::required("stop", ParamKind::Ints),
        Param::optional("step", ParamKind::Ints),
    ],
    build: slice,
    doc: "The elements at `start`, `start + step`, … before `stop` along each axis: lists with one number for each of \
          the leading axes, the others stay whole. Negative positions count from the end, positions outside are \
          moved to the edge, and a negative `step` goes backwards, as in NumPy. Any dtype. `x[1..3, ..;2]` is the \
          shorter form, and has open ends.",
    example: Example { graph: "slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, 3])", value: "[[2, 3], [5, 6]]" },
};

fn slice(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let mut dims = b.dims(x);
    let list = |i: usize| args.ints(i).unwrap_or_default();
    let (starts, stops) = (list(1), list(2));
    if starts.len() > dims.len() {
        let message = format!(
            "`start` is {} for {}, and {} with {}",
            list_text(starts),
            axes_text(starts.len()),
            args.describe(b.graph, 0),
            axes_text(dims.len())
        );
        return Err(args.error(1, message));
    }
    for i in [2, 3] {
        if args.has(i) && list(i).len() != starts.len() {
            let message = format!(
                "`start` is {} for {}, and `{}` is {} for {}",
                list_text(starts),
                axes_text(starts.len()),
                args.op.params[i].name,
                list_text(list(i)),
                list(i).len()
            );
            return Err(args
                .error(i, message)
                .with_help("the lists have one number for each of the leading axes"));
        }
    }
    let (mut low, mut steps) = (vec![0; dims.len()], vec![1; dims.len()]);
    for axis in 0..starts.len() {
        let (step, span) = list(3).get(axis).copied().unwrap_or((1, args.span));
        let (start, stop) = (i128::from(starts[axis].0), i128::from(stops[axis].0));
        let Some(range) = numpy_range(dims[axis], Some(start), Some(stop), step.into()) else {
            return Err(args.error_at(span, format_args!("the step of axis {axis} is 0")));
        };
        (low[axis], steps[axis], dims[axis]) = (range.start, range.step, range.count);
    }
    Ok(Built::One(b.slice(x, low, steps, &dims)))
}

const PAD: Op = Op {
    name: "pad",
    kind: "PadV2",
    node: "Pad",
    operator: "",
    params: &[
        Param::required("x", ParamKind::Tensor),
        Param::required("paddings", ParamKind::Pairs),
        Param::optional("value", ParamKind::Number),
    ],
    build: pad,
    doc: "The tensor in a frame: `paddings` has a pair for each axis, how many elements stand before and behind it. \
          They are `value`, a number of the tensor's dtype that is known at build time, 0 (or `false`) by default. \
          Any dtype.",
    example: Example { graph: "pad([1, 2], [[1, 2]], value = 9)", value: "[9, 1, 2, 9, 9]" },
};

fn pad(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let ty = b.ty(x);
    let pairs = args.pairs(1);
    if pairs.len() != ty.rank() {
        let message = format!(
            "`paddings` has {} {}, and {} with {}",
            pairs.len(),
            if pairs.len() == 1 { "pair" } else { "pairs" },
            args.describe(b.graph, 0),
            axes_text(ty.rank())
        );
        let none = vec![[0, 0]; ty.rank()];
        return Err(args
            .error(1, message)
            .with_help(format!("write a pair [before, behind] for each axis: {none:?} adds nothing")));
    }
    let (mut low, mut high, mut dims) = (Vec::new(), Vec::new(), Vec::new());
    for (&dim, &([before, behind], span)) in ty.dims.iter().zip(pairs) {
        let (Ok(before), Ok(behind)) = (u64::try_from(before), u64::try_from(behind)) else {
            let error = args.error_at(span, format_args!("a padding is negative: [{before}, {behind}]"));
            return Err(error.with_help("a range takes elements away: `x[1..-1]`"));
        };
        // All three are below 2^63, and a sum that is cut off is refused below.
        dims.push(dim.saturating_add(before).saturating_add(behind));
        low.push(before);
        high.push(behind);
    }
    args.check_size(1, ty.dtype, &dims)?;
    let value = args.scalar(2, ty.dtype)?.unwrap_or(Scalar::zero(ty.dtype));
    // Nothing stands in the frame of an empty tensor.
    if ty.elements() == 0 {
        return Ok(Built::One(b.fill(value, ty.dtype, &dims)));
    }
    Ok(Built::One(b.pad(x, low, &high, value)))
}
