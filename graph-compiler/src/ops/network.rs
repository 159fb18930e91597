//! Normalisations of neural networks.

use graph_ir::DType;

use super::{Args, Built, Class, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Reduce, Scalar, Unary, ValueId, broadcast_dims};
use crate::lower::Literal;

pub(super) const OPS: &[Op] = &[SOFTMAX, LOG_SOFTMAX, LAYER_NORM];

const SOFTMAX_PARAMS: &[Param] =
    &[Param::required("x", ParamKind::Tensor), Param::optional("axis", ParamKind::Int)];

const SOFTMAX: Op = Op {
    name: "softmax",
    kind: "Softmax",
    node: "Softmax",
    operator: "",
    params: SOFTMAX_PARAMS,
    build: |b, args| {
        shifted(b, args, |b, shifted, axis| {
            let exp = b.unary(Unary::Exp, shifted);
            let sum = b.reduce_keep(Reduce::Sum, exp, &[axis]);
            b.binary(Binary::Div, exp, sum)
        })
    },
    doc: "`exp(x - m) / sum(exp(x - m))` along `axis` (the last by default), where `m` is the maximum along it, so that \
          large elements do not overflow. Floats only; f16 and bf16 are computed in f32 and rounded once. Where an \
          element is NaN or infinity, or all are -infinity, the results along the axis are NaN.",
    example: Example { graph: "softmax([[0.0, 0.0], [100.0, -100.0]])", value: "[[0.5, 0.5], [1.0, 0.0]]" },
};

const LOG_SOFTMAX: Op = Op {
    name: "log_softmax",
    kind: "LogSoftmax",
    node: "LogSoftmax",
    operator: "",
    params: SOFTMAX_PARAMS,
    build: |b, args| {
        shifted(b, args, |b, shifted, axis| {
            let exp = b.unary(Unary::Exp, shifted);
            let sum = b.reduce_keep(Reduce::Sum, exp, &[axis]);
            let log = b.unary(Unary::Log, sum);
            b.binary(Binary::Sub, shifted, log)
        })
    },
    doc: "`x - m - log(sum(exp(x - m)))` along `axis` (the last by default), where `m` is the maximum along it: the \
          logarithm of `softmax` without its loss of accuracy. Floats only; f16 and bf16 are computed in f32 and \
          rounded once. Where an element is NaN or infinity, or all are -infinity, the results along the axis are NaN.",
    example: Example { graph: "log_softmax([[1000.0, 0.0]])", value: "[[0.0, -1000.0]]" },
};

/// Applies `finish` to `x - max(x, axis)`, computed in a wide dtype.
fn shifted(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    finish: impl FnOnce(&mut Builder<'_>, ValueId, usize) -> ValueId,
) -> Result<Built, Diagnostic> {
    let dtype = args.require(b, 0, Class::Float)?;
    let axis = args.axis(b, 0, 1, -1)?;
    let x = args.tensor(0);
    // Nothing has no maximum, and needs none.
    if b.ty(x).dims[axis] == 0 {
        return Ok(Built::One(b.pass(x)));
    }
    let wide = b.widen(x);
    let max = b.reduce_keep(Reduce::Max, wide, &[axis]);
    let shifted = b.binary(Binary::Sub, wide, max);
    let result = finish(b, shifted, axis);
    Ok(Built::One(b.cast(result, dtype)))
}

const LAYER_NORM: Op = Op {
    name: "layer_norm",
    kind: "LayerNorm",
    node: "LayerNorm",
    operator: "",
    params: &[
        Param::required("x", ParamKind::Tensor),
        Param::optional("scale", ParamKind::Tensor),
        Param::optional("bias", ParamKind::Tensor),
        Param::optional("axis", ParamKind::Ints),
        Param::optional("epsilon", ParamKind::Number),
    ],
    build: layer_norm,
    doc: "`(x - mean) / sqrt(variance + epsilon) * scale + bias` over `axis` (one or a list; the last by default). The \
          variance is the biased one, the mean of `(x - mean)²`, computed in a second pass. `scale` and `bias` have \
          the sizes of these axes, in ascending order, or broadcast to them; without them nothing is scaled or added. \
          `epsilon` is 1e-5 by default. Floats of one dtype; f16 and bf16 are computed in f32 and rounded once. NaN \
          and infinity make the results along the axes NaN. Ba, Kiros, Hinton: Layer Normalization (2016).",
    example: Example {
        graph: "layer_norm([[1.0, 3.0], [5.0, 1.0]], scale = [2.0, 1.0], bias = 0.5, epsilon = 0.0)",
        value: "[[-1.5, 1.5], [2.5, -0.5]]",
    },
};

fn layer_norm(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let dtype = args.require(b, 0, Class::Float)?;
    let x = args.tensor(0);
    let dims = b.dims(x);
    let mut axes = match args.has(3) {
        true => args.axes(b, 0, 3)?,
        false => vec![args.axis_among(-1, args.span(0), dims.len(), &args.whole(b, 0))?],
    };
    if axes.is_empty() {
        return Err(args.error(3, "the list of axes is empty").with_help("name at least one: `axis = -1`"));
    }
    axes.sort_unstable();
    for i in [1, 2] {
        if args.has(i) {
            let help = format!("convert it: `cast({}, {dtype})`", args.written(i));
            args.same_dtype(b, 0, i).map_err(|error| error.with_help(help))?;
            require_parameter_shape(b, args, i, &axes)?;
        }
    }
    let wide = b.widen(x);
    let epsilon = epsilon(args, dtype)?;
    let count: u64 = axes.iter().map(|&axis| dims[axis]).product();
    let mean = mean_keep(b, wide, &axes, count);
    let centred = b.binary(Binary::Sub, wide, mean);
    let square = b.binary(Binary::Mul, centred, centred);
    let variance = mean_keep(b, square, &axes, count);
    let epsilon = b.float_like(variance, epsilon);
    let variance = b.binary(Binary::Add, variance, epsilon);
    let deviation = b.unary(Unary::Sqrt, variance);
    let mut result = b.binary(Binary::Div, centred, deviation);
    for (i, op) in [(1, Binary::Mul), (2, Binary::Add)] {
        if let Some(parameter) = args.optional(i) {
            let parameter = along_axes(b, parameter, &dims, &axes);
            result = b.binary(op, result, parameter);
        }
    }
    Ok(Built::One(b.cast(result, dtype)))
}

fn mean_keep(b: &mut Builder<'_>, x: ValueId, axes: &[usize], count: u64) -> ValueId {
    let sum = b.reduce_keep(Reduce::Sum, x, axes);
    let count = b.float_like(sum, count as f64);
    b.binary(Binary::Div, sum, count)
}

/// `epsilon` as a number of the dtype that `dtype` is computed in.
fn epsilon(args: &Args<'_>, dtype: DType) -> Result<f64, Diagnostic> {
    let Some(literal) = args.number(4) else { return Ok(1e-5) };
    args.literal_scalar(literal, dtype)?;
    let wide = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
    let plain = Literal { suffix: None, ..literal.clone() };
    match plain.to_scalar(wide)? {
        Scalar::Float(epsilon) if epsilon >= 0.0 => Ok(epsilon),
        Scalar::Float(_) => {
            let written = literal.to_f64().unwrap_or(f64::NAN);
            let message = format!("`epsilon` must not be negative, and this is {written:?}");
            Err(args.error(4, message).with_help("leave it out for 1e-5"))
        }
        other => unreachable!("{other:?} is no float"),
    }
}

/// `scale` and `bias` stretch to the sizes of the normalised axes.
fn require_parameter_shape(
    b: &Builder<'_>,
    args: &Args<'_>,
    i: usize,
    axes: &[usize],
) -> Result<(), Diagnostic> {
    let sizes: Vec<u64> = axes.iter().map(|&axis| b.graph.ty(args.tensor(0)).dims[axis]).collect();
    let own = &b.graph.ty(args.tensor(i)).dims;
    if broadcast_dims(own, &sizes).is_some_and(|common| common == sizes) {
        return Ok(());
    }
    let whole = args.whole(b, 0);
    let wanted = match (axes, &sizes[..]) {
        ([axis], [size]) => format!("axis {axis} of {whole}, has size {size}"),
        _ => format!("axes {axes:?} of {whole}, have the sizes {sizes:?}"),
    };
    let facts = format!("{}, and {wanted}", args.describe(b.graph, i));
    Err(args.error(i, format_args!("shapes do not fit: {facts}")).with_help(format!(
        "`{}` holds one number for each position of the normalised axes",
        args.op.params[i].name
    )))
}

/// A parameter over the normalised axes, wide, ready to broadcast with the whole tensor.
fn along_axes(b: &mut Builder<'_>, parameter: ValueId, dims: &[u64], axes: &[usize]) -> ValueId {
    let wide = b.widen(parameter);
    let sizes: Vec<u64> = axes.iter().map(|&axis| dims[axis]).collect();
    let stretched = b.broadcast(wide, &sizes);
    let aligned: Vec<u64> =
        (0..dims.len()).map(|axis| if axes.contains(&axis) { dims[axis] } else { 1 }).collect();
    b.reshape(stretched, &aligned)
}
