//! Matrix products.

use super::{Args, Built, Class, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Builder, broadcast_dims};

pub(super) const OPS: &[Op] = &[MATMUL];

const MATMUL: Op = Op {
    name: "matmul",
    kind: "MatMul",
    node: "MatMul",
    operator: "",
    params: &[
        Param::required("a", ParamKind::Tensor),
        Param::required("b", ParamKind::Tensor),
        Param::optional("transpose_a", ParamKind::Flag),
        Param::optional("transpose_b", ParamKind::Flag),
    ],
    build: matmul,
    doc: "The matrix product over the last two axes: `[…, m, k] x [.., k, n] -> [.., m, n]`. Axes before them are \
          batches and broadcast. `transpose_a` and `transpose_b` take the operand as stored transposed; no copy is \
          made. f16 and bf16 accumulate in f32 and round once; integers wrap.",
    example: Example { graph: "matmul([[1.0, 2.0], [3.0, 4.0]], [[1.0], [1.0]])", value: "[[3.0], [7.0]]" },
};

fn matmul(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    args.require(b, 0, Class::Number)?;
    args.same_dtype(b, 0, 1)?;
    for i in 0..2 {
        if b.ty(args.tensor(i)).rank() < 2 {
            let message = format!("takes matrices; {}", args.describe(b.graph, i));
            return Err(args
                .error(i, message)
                .with_help("add an axis: `expand_dims(x, 0)` makes one row of a vector"));
        }
    }
    let (left, right) = (b.dims(args.tensor(0)), b.dims(args.tensor(1)));
    let (transpose_a, transpose_b) = (args.flag(2, false), args.flag(3, false));
    let matrix = |dims: &[u64], transposed: bool| {
        let [rows, columns] = [dims[dims.len() - 2], dims[dims.len() - 1]];
        if transposed { [columns, rows] } else { [rows, columns] }
    };
    let ([m, k], [k2, n]) = (matrix(&left, transpose_a), matrix(&right, transpose_b));
    let facts = format!("{} and {}", args.describe(b.graph, 0), args.describe(b.graph, 1));
    if k != k2 {
        let taken = match (transpose_a, transpose_b) {
            (false, false) => String::new(),
            _ => format!(" (taken as [{m}, {k}] and [{k2}, {n}])"),
        };
        let error = args.error(1, format_args!("inner sizes differ, {k} and {k2}: {facts}{taken}"));
        let help = if k == n {
            format!("transpose the second: `transpose_b = {}`", !transpose_b)
        } else if m == k2 {
            format!("transpose the first: `transpose_a = {}`", !transpose_a)
        } else {
            String::from("the last size of the first must be the last but one of the second")
        };
        return Err(error.with_help(help));
    }
    let Some(mut dims) = broadcast_dims(&left[..left.len() - 2], &right[..right.len() - 2]) else {
        return Err(args.error(1, format_args!("batch sizes do not fit, {facts}")));
    };
    dims.extend([m, n]);
    args.check_size(0, b.dtype(args.tensor(0)), &dims)?;
    Ok(Built::One(b.matmul(args.tensor(0), args.tensor(1), transpose_a, transpose_b, &dims)))
}
