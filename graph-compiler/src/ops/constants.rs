//! Tensors from nothing.

use graph_ir::DType;

use super::{Args, Built, EntryValue, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Constant, Prim, Scalar, Type, ValueId};
use crate::lower::Literal;

pub(super) const OPS: &[Op] = &[CONSTANT, ZEROS, ONES, FILL, EYE, IDENTITY];

const CONSTANT: Op = Op {
    name: "constant",
    kind: "Const",
    node: "Const",
    operator: "",
    params: &[Param::required("value", ParamKind::Literal), Param::optional("dtype", ParamKind::DType)],
    build: constant,
    doc: "A tensor whose elements stand in the program: a number, a nested list of numbers, or a Rust constant with \
          its type, `constant(super::WEIGHTS: f32[2, 3])`. Numbers with a point are f32 and whole ones i32 unless \
          `dtype` or a suffix (`1f64`) says otherwise.",
    example: Example { graph: "constant([[1, 2], [3, 4]])", value: "[[1, 2], [3, 4]]" },
};

fn constant(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    match args.entry(0) {
        EntryValue::Path(Constant::Path(path, ty), dtype, dims) => {
            if let Some(asked) = args.dtype(1).filter(|asked| asked != dtype) {
                let message = format!("the constant is {dtype}, and `dtype` asks for {asked}");
                return Err(args.error(1, message).with_help(format!("use `cast(constant(…), {asked})`")));
            }
            let index = b.graph.constants.len() as u32;
            b.graph.constants.push(Constant::Path(path.clone(), ty.clone()));
            Ok(Built::One(b.push(Prim::Constant(index), Type::new(*dtype, dims))))
        }
        EntryValue::Literal { dims, elements } => {
            let dtype = args.dtype(1).unwrap_or_else(|| Literal::common_dtype(elements));
            let scalar = |element| args.literal_scalar(element, dtype);
            let scalars = elements.iter().map(scalar).collect::<Result<Vec<Scalar>, _>>()?;
            Ok(Built::One(scalar_tensor(b, dtype, dims, &scalars)))
        }
        _ => unreachable!("lowering gives a literal or a path"),
    }
}

/// A tensor of literal elements in row-major order.
pub fn literal_tensor(
    b: &mut Builder<'_>,
    dtype: DType,
    dims: &[u64],
    elements: &[Literal],
) -> Result<ValueId, Diagnostic> {
    let scalars =
        elements.iter().map(|element| element.to_scalar(dtype)).collect::<Result<Vec<Scalar>, _>>()?;
    Ok(scalar_tensor(b, dtype, dims, &scalars))
}

/// A tensor of scalars of `dtype` in row-major order. One that is the same number everywhere needs no memory.
pub(super) fn scalar_tensor(b: &mut Builder<'_>, dtype: DType, dims: &[u64], scalars: &[Scalar]) -> ValueId {
    if let [first, rest @ ..] = scalars
        && rest.iter().all(|scalar| scalar == first)
    {
        return b.fill(*first, dtype, dims);
    }
    let mut bytes = Vec::with_capacity(scalars.len() * dtype.size() as usize);
    scalars.iter().for_each(|scalar| scalar.write(dtype, &mut bytes));
    let index = b.graph.constants.len() as u32;
    b.graph.constants.push(Constant::Bytes(bytes));
    b.push(Prim::Constant(index), Type::new(dtype, dims))
}

const ZEROS: Op = Op {
    name: "zeros",
    kind: "Const",
    node: "zeros",
    operator: "",
    params: &[Param::required("shape", ParamKind::Ints), Param::optional("dtype", ParamKind::DType)],
    build: |b, args| {
        let dtype = args.dtype(1).unwrap_or(DType::F32);
        let dims = args.shape(0, dtype)?;
        Ok(Built::One(b.fill(Scalar::zero(dtype), dtype, &dims)))
    },
    doc: "A tensor of zeros, f32 unless `dtype` says otherwise.",
    example: Example { graph: "zeros([2, 2])", value: "[[0.0, 0.0], [0.0, 0.0]]" },
};

const ONES: Op = Op {
    name: "ones",
    kind: "Const",
    node: "ones",
    operator: "",
    params: &[Param::required("shape", ParamKind::Ints), Param::optional("dtype", ParamKind::DType)],
    build: |b, args| {
        let dtype = args.dtype(1).unwrap_or(DType::F32);
        let dims = args.shape(0, dtype)?;
        Ok(Built::One(b.fill(Scalar::whole(dtype, 1), dtype, &dims)))
    },
    doc: "A tensor of ones (`true` for bool), f32 unless `dtype` says otherwise.",
    example: Example { graph: "ones([2, 2], dtype = i32)", value: "[[1, 1], [1, 1]]" },
};

const FILL: Op = Op {
    name: "fill",
    kind: "Fill",
    node: "Fill",
    operator: "",
    params: &[
        Param::required("shape", ParamKind::Ints),
        Param::required("value", ParamKind::Number),
        Param::optional("dtype", ParamKind::DType),
    ],
    build: |b, args| {
        let Some(value) = args.number(1) else { unreachable!("`value` is required") };
        let dtype = args.dtype(2).unwrap_or_else(|| value.default_dtype());
        let dims = args.shape(0, dtype)?;
        Ok(Built::One(b.fill(args.literal_scalar(value, dtype)?, dtype, &dims)))
    },
    doc: "A tensor that holds one number everywhere; it takes no memory. The number is known at build time: `2` \
          gives i32, `2.0` f32 and `true` bool unless `dtype` or a suffix (`2f64`) says otherwise. \
          `broadcast_to` repeats a tensor that is computed.",
    example: Example { graph: "fill([2, 2], 0.5)", value: "[[0.5, 0.5], [0.5, 0.5]]" },
};

const EYE: Op = Op {
    name: "eye",
    kind: "Eye",
    node: "eye",
    operator: "",
    params: &[
        Param::required("rows", ParamKind::Int),
        Param::optional("columns", ParamKind::Int),
        Param::optional("dtype", ParamKind::DType),
    ],
    build: eye,
    doc: "A matrix with ones on the main diagonal and zeros elsewhere, `[rows, columns]`, square unless `columns` is \
          given; f32 unless `dtype` says otherwise (bool: `true` on the diagonal).",
    example: Example { graph: "eye(2, columns = 3)", value: "[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]" },
};

fn eye(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let dtype = args.dtype(2).unwrap_or(DType::F32);
    let size = |i: usize| {
        args.int(i)
            .map(|n| {
                let name = args.op.params[i].name;
                u64::try_from(n).map_err(|_| args.error(i, format_args!("`{name}` is negative: {n}")))
            })
            .transpose()
    };
    let Some(rows) = size(0)? else { unreachable!("`rows` is required") };
    let columns = size(1)?.unwrap_or(rows);
    let dims = [rows, columns];
    args.check_size(0, dtype, &dims)?;
    let small = rows.max(columns) <= i32::MAX as u64;
    let position = if small { DType::I32 } else { DType::I64 };
    let (row, column) = (b.iota(position, &dims, 0), b.iota(position, &dims, 1));
    let diagonal = b.binary(Binary::Equal, row, column);
    Ok(Built::One(b.cast(diagonal, dtype)))
}

const IDENTITY: Op = Op {
    name: "identity",
    kind: "Identity",
    node: "Identity",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor)],
    build: |b, args| Ok(Built::One(b.pass(args.tensor(0)))),
    doc: "The tensor itself, any dtype. It gives a value a name of its own, and inside a `device` block a place.",
    example: Example { graph: "identity([1, 2])", value: "[1, 2]" },
};
