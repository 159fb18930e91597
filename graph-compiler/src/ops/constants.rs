//! Tensors from nothing.

use graph_ir::DType;

use super::{Args, Built, EntryValue, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Builder, Constant, Prim, Scalar, Type};
use crate::lower::Literal;

pub(super) const OPS: &[Op] = &[CONSTANT, ZEROS];

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
            literal_tensor(b, dtype, dims, elements).map(Built::One)
        }
        _ => unreachable!("lowering gives a literal or a path"),
    }
}

/// A tensor of literal elements. One that is the same number everywhere needs no memory.
pub fn literal_tensor(
    b: &mut Builder<'_>,
    dtype: DType,
    dims: &[u64],
    elements: &[Literal],
) -> Result<crate::graph::ValueId, Diagnostic> {
    let scalars =
        elements.iter().map(|element| element.to_scalar(dtype)).collect::<Result<Vec<Scalar>, _>>()?;
    if let [first, rest @ ..] = &scalars[..]
        && rest.iter().all(|scalar| scalar == first)
    {
        return Ok(b.fill(*first, dtype, dims));
    }
    let mut bytes = Vec::with_capacity(scalars.len() * dtype.size() as usize);
    scalars.iter().for_each(|scalar| scalar.write(dtype, &mut bytes));
    let index = b.graph.constants.len() as u32;
    b.graph.constants.push(Constant::Bytes(bytes));
    Ok(b.push(Prim::Constant(index), Type::new(dtype, dims)))
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
