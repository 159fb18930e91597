//! Ops that positions go into or along: one_hot, gather, cumsum.

use graph_ir::DType;

use super::{Args, Built, Class, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Constant, Graph, Prim, Scalar, ValueId};

pub(super) const OPS: &[Op] = &[ONE_HOT, GATHER, CUMSUM];

const ONE_HOT: Op = Op {
    name: "one_hot",
    kind: "OneHot",
    node: "one_hot",
    operator: "",
    params: &[
        Param::required("indices", ParamKind::Index),
        Param::required("depth", ParamKind::Int),
        Param::optional("dtype", ParamKind::DType),
    ],
    build: one_hot,
    doc: "For each index a row of `depth` elements with a one at that position and zeros elsewhere: `[…] -> [.., \
          depth]`, f32 unless `dtype` says otherwise. Indices are i32 or i64 and in `0..depth`; another one is an \
          `OutOfRange` error, at build time where it is known then.",
    example: Example { graph: "one_hot([2, 0], 3)", value: "[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]" },
};

fn one_hot(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    require_index(b, args, 0)?;
    let dtype = args.dtype(2).unwrap_or(DType::F32);
    let Some(written) = args.int(1) else { unreachable!("`depth` is required") };
    let depth =
        u64::try_from(written).map_err(|_| args.error(1, format_args!("`depth` is negative: {written}")))?;
    check_bound(b, args, 0, depth, &format!("`depth` is {depth}"))?;
    let indices = args.tensor(0);
    let mut dims = b.dims(indices);
    let mut column = dims.clone();
    column.push(1);
    dims.push(depth);
    // Comparing needs the positions in the index's dtype, of which i64 is the wider.
    let compared = if depth > i32::MAX as u64 { DType::I64 } else { b.dtype(indices) };
    args.check_size(1, dtype, &dims)?;
    args.check_size(1, compared, &dims)?;
    let checked = b.check_index(indices, depth);
    let checked = b.cast(checked, compared);
    let checked = b.reshape(checked, &column);
    let position = b.iota(compared, &dims, dims.len() - 1);
    let hot = b.binary(Binary::Equal, checked, position);
    Ok(Built::One(b.cast(hot, dtype)))
}

const GATHER: Op = Op {
    name: "gather",
    kind: "GatherV2",
    node: "GatherV2",
    operator: "",
    params: &[
        Param::required("x", ParamKind::Tensor),
        Param::required("indices", ParamKind::Index),
        Param::optional("axis", ParamKind::Int),
    ],
    build: gather,
    doc: "The slices of `x` at `indices` along `axis` (0 by default): the axis is replaced by the axes of `indices`, so \
          that a scalar index drops it. Any dtype. Indices are i32 or i64, from 0 to the size of the axis; they do not \
          count from the end, and one that is out of range is an `OutOfRange` error, at build time where it is \
          known then.",
    example: Example {
        graph: "gather([[1, 2], [3, 4], [5, 6]], [2, 0, 2])",
        value: "[[5, 6], [1, 2], [5, 6]]",
    },
};

fn gather(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    require_index(b, args, 1)?;
    let (x, indices) = (args.tensor(0), args.tensor(1));
    let axis = match (args.has(2), b.ty(x).rank()) {
        (false, 0) => {
            let message = format!("takes a tensor with axes; {}", args.describe(b.graph, 0));
            return Err(args.error(0, message));
        }
        _ => args.axis(b, 0, 2, 0)?,
    };
    let dims = b.dims(x);
    check_bound(
        b,
        args,
        1,
        dims[axis],
        &format!("axis {axis} of {}, has size {}", args.whole(b, 0), dims[axis]),
    )?;
    let mut result = dims[..axis].to_vec();
    result.extend(b.dims(indices));
    result.extend(&dims[axis + 1..]);
    args.check_size(1, b.dtype(x), &result)?;
    Ok(Built::One(b.gather(x, indices, axis)))
}

/// Argument `i` can index.
fn require_index(b: &Builder<'_>, args: &Args<'_>, i: usize) -> Result<(), Diagnostic> {
    if matches!(b.dtype(args.tensor(i)), DType::I32 | DType::I64) {
        return Ok(());
    }
    let message = format!("indices are i32 or i64; {}", args.describe(b.graph, i));
    Err(args.error(i, message).with_help(format!("convert them: `cast({}, i32)`", args.written(i))))
}

/// Refuses indices that are known here and not in `0..bound`; `reason` says where the bound comes from.
fn check_bound(
    b: &Builder<'_>,
    args: &Args<'_>,
    i: usize,
    bound: u64,
    reason: &str,
) -> Result<(), Diagnostic> {
    let indices = args.tensor(i);
    if b.graph.ty(indices).elements() == 0 {
        return Ok(());
    }
    if bound == 0 {
        let message = format!("no index is in range: {reason}");
        return Err(args.error(i, message));
    }
    let known = known_numbers(b.graph, indices).unwrap_or_default();
    let Some(wrong) = known.into_iter().find(|&index| index < 0 || index as u64 >= bound) else {
        return Ok(());
    };
    let last = bound - 1;
    let valid =
        if last == 0 { String::from("only 0 is in range") } else { format!("0 to {last} are in range") };
    let error = args.error(i, format_args!("index {wrong} is out of range: {reason}; {valid}"));
    Err(if wrong < 0 {
        error.with_help(format!("indices do not count from the end: the last position is {last}"))
    } else {
        error
    })
}

/// The elements of an integer tensor that is known here, each at least once, in any order.
fn known_numbers(graph: &Graph, id: ValueId) -> Option<Vec<i64>> {
    let value = graph.value(id);
    match &value.prim {
        Prim::Fill(Scalar::Int(number)) => Some(vec![*number]),
        Prim::Constant(index) => match &graph.constants[*index as usize] {
            Constant::Bytes(bytes) => integers(bytes, value.ty.dtype),
            Constant::Path(..) => None,
        },
        Prim::Broadcast(x) | Prim::Reshape(x) => known_numbers(graph, *x),
        Prim::Cast(x) if value.ty.dtype == DType::I64 => known_numbers(graph, *x),
        _ => None,
    }
}

fn integers(bytes: &[u8], dtype: DType) -> Option<Vec<i64>> {
    match dtype {
        DType::I32 => {
            Some(bytes.as_chunks().0.iter().map(|chunk| i32::from_le_bytes(*chunk).into()).collect())
        }
        DType::I64 => Some(bytes.as_chunks().0.iter().map(|chunk| i64::from_le_bytes(*chunk)).collect()),
        DType::U8 => Some(bytes.iter().map(|&byte| byte.into()).collect()),
        _ => None,
    }
}

const CUMSUM: Op = Op {
    name: "cumsum",
    kind: "Cumsum",
    node: "Cumsum",
    operator: "",
    params: &[
        Param::required("x", ParamKind::Tensor),
        Param::optional("axis", ParamKind::Int),
        Param::optional("exclusive", ParamKind::Flag),
        Param::optional("reverse", ParamKind::Flag),
    ],
    build: cumsum,
    doc: "The running sum along `axis` (0 by default), of the same shape. `exclusive` leaves the element itself out, so \
          that the first sum is 0; `reverse` sums from the end. Any number; integers wrap, f16 and bf16 accumulate in \
          f32 and round each sum once. NaN stays in all later sums.",
    example: Example { graph: "cumsum([[1, 2, 3], [4, 5, 6]], axis = 1)", value: "[[1, 3, 6], [4, 9, 15]]" },
};

fn cumsum(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    if b.dtype(args.tensor(0)) == DType::Bool {
        let message = format!("takes {}; {}", Class::Number.describe(), args.describe(b.graph, 0));
        let help = format!("count the true elements: `cumsum(cast({}, i32))`", args.written(0));
        return Err(args.error(0, message).with_help(help));
    }
    let axis = args.axis(b, 0, 1, 0)?;
    Ok(Built::One(b.cumsum(args.tensor(0), axis, args.flag(2, false), args.flag(3, false))))
}
