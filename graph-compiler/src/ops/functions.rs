//! Functions of one operand, elementwise.

use graph_ir::DType;

use super::checks::unary;
use super::{Args, Built, Class, Example, Op, X};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Unary, ValueId};

pub(super) const OPS: &[Op] = &[
    NEG, ABS, SIGN, SQUARE, SQRT, RSQRT, EXP, LOG, LOG1P, EXPM1, SIN, COS, TAN, TANH, SIGMOID, RELU, GELU,
    ERF, SOFTPLUS, FLOOR, CEIL, ROUND, IS_NAN, IS_FINITE,
];

/// A composite function: f16 and bf16 are computed in f32 and rounded once.
fn in_f32(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    function: fn(&mut Builder<'_>, ValueId) -> ValueId,
) -> Result<Built, Diagnostic> {
    let dtype = args.require(b, 0, Class::Float)?;
    let wide = b.widen(args.tensor(0));
    args.check_size(0, b.dtype(wide), &b.dims(wide))?;
    let y = function(b, wide);
    Ok(Built::One(b.cast(y, dtype)))
}

/// Rounding leaves integers as they are.
fn rounding(b: &mut Builder<'_>, args: &Args<'_>, op: Unary) -> Result<Built, Diagnostic> {
    let dtype = args.require(b, 0, Class::Number)?;
    let x = args.tensor(0);
    Ok(Built::One(if dtype.is_float() { b.unary(op, x) } else { b.pass(x) }))
}

/// With `t = exp(-|x|)`, which is in 0 to 1: `1 / (1 + t)`, and `t / (1 + t)` for negative `x`. `1 / (1 + exp(-x))`
/// would overflow there and give 0 for results that are still above it.
fn sigmoid(b: &mut Builder<'_>, x: ValueId) -> ValueId {
    let magnitude = b.unary(Unary::Abs, x);
    let negative = b.unary(Unary::Neg, magnitude);
    let small = b.unary(Unary::Exp, negative);
    let one = b.whole_like(x, 1);
    let zero = b.whole_like(x, 0);
    let is_negative = b.binary(Binary::Less, x, zero);
    let dims = b.dims(x);
    let numerator = b.select(is_negative, small, one, &dims);
    let denominator = b.binary(Binary::Add, one, small);
    b.binary(Binary::Div, numerator, denominator)
}

/// Both terms are NaN where `x` is.
fn softplus(b: &mut Builder<'_>, x: ValueId) -> ValueId {
    let magnitude = b.unary(Unary::Abs, x);
    let negative = b.unary(Unary::Neg, magnitude);
    let exponential = b.unary(Unary::Exp, negative);
    let tail = b.unary(Unary::Log1p, exponential);
    let zero = b.whole_like(x, 0);
    let positive = b.binary(Binary::Maximum, x, zero);
    b.binary(Binary::Add, positive, tail)
}

fn gelu(b: &mut Builder<'_>, x: ValueId) -> ValueId {
    let scale = b.float_like(x, -std::f64::consts::FRAC_1_SQRT_2);
    let scaled = b.binary(Binary::Mul, x, scale);
    let probability = b.unary(Unary::Erfc, scaled);
    // -infinity times a probability of 0 would be NaN; the smallest finite number gives the limit, -0.0.
    let least = match b.dtype(x) {
        DType::F64 => f64::MIN,
        _ => f64::from(f32::MIN),
    };
    let least = b.float_like(x, least);
    let bounded = b.binary(Binary::Maximum, x, least);
    // The half goes to `x`, where it is exact: a small probability may be subnormal.
    let half = b.float_like(x, 0.5);
    let halved = b.binary(Binary::Mul, half, bounded);
    b.binary(Binary::Mul, halved, probability)
}

const NEG: Op = Op {
    name: "neg",
    kind: "Neg",
    node: "Neg",
    operator: "Neg",
    params: X,
    build: |b, args| unary(b, args, Unary::Neg, Class::Number),
    doc: "`-x`. Integers wrap: u8 gives `256 - x`, and the smallest is its own opposite. A float's sign is flipped, that of 0.0 and NaN too.",
    example: Example { graph: "neg([1.0, -2.0])", value: "[-1.0, 2.0]" },
};

const ABS: Op = Op {
    name: "abs",
    kind: "Abs",
    node: "Abs",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Abs, Class::Number),
    doc: "The magnitude. Integers wrap: that of the smallest is itself. NaN stays.",
    example: Example { graph: "abs([1.0, -2.0])", value: "[1.0, 2.0]" },
};

const SIGN: Op = Op {
    name: "sign",
    kind: "Sign",
    node: "Sign",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Sign, Class::Number),
    doc: "-1, 0 or 1. NaN stays; -0.0 gives 0.0, as in NumPy.",
    example: Example { graph: "sign([-3, 0, 5])", value: "[-1, 0, 1]" },
};

const SQUARE: Op = Op {
    name: "square",
    kind: "Square",
    node: "Square",
    operator: "",
    params: X,
    build: |b, args| {
        args.require(b, 0, Class::Number)?;
        let x = args.tensor(0);
        Ok(Built::One(b.binary(Binary::Mul, x, x)))
    },
    doc: "`x * x`. Integers wrap.",
    example: Example { graph: "square([3, -4])", value: "[9, 16]" },
};

const SQRT: Op = Op {
    name: "sqrt",
    kind: "Sqrt",
    node: "Sqrt",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Sqrt, Class::Float),
    doc: "The square root, correctly rounded. Negative numbers give NaN, -0.0 stays.",
    example: Example { graph: "sqrt([4.0, 2.25])", value: "[2.0, 1.5]" },
};

const RSQRT: Op = Op {
    name: "rsqrt",
    kind: "Rsqrt",
    node: "Rsqrt",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Rsqrt, Class::Float),
    doc: "`1 / sqrt(x)`. 0.0 gives infinity, -0.0 -infinity, negative numbers NaN.",
    example: Example { graph: "rsqrt([4.0, 0.25])", value: "[0.5, 2.0]" },
};

const EXP: Op = Op {
    name: "exp",
    kind: "Exp",
    node: "Exp",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Exp, Class::Float),
    doc: "e to the power `x`; infinity where that is too large, 0.0 for -infinity.",
    example: Example { graph: "exp([0.0])", value: "[1.0]" },
};

const LOG: Op = Op {
    name: "log",
    kind: "Log",
    node: "Log",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Log, Class::Float),
    doc: "The natural logarithm. 0 gives -infinity, negative numbers NaN.",
    example: Example { graph: "log([1.0])", value: "[0.0]" },
};

const LOG1P: Op = Op {
    name: "log1p",
    kind: "Log1p",
    node: "Log1p",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Log1p, Class::Float),
    doc: "`log(1 + x)`, accurate for small `x`. -1 gives -infinity, less NaN.",
    example: Example { graph: "log1p([0.0])", value: "[0.0]" },
};

const EXPM1: Op = Op {
    name: "expm1",
    kind: "Expm1",
    node: "Expm1",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Expm1, Class::Float),
    doc: "`exp(x) - 1`, accurate for small `x`. -infinity gives -1.",
    example: Example { graph: "expm1([0.0])", value: "[0.0]" },
};

const SIN: Op = Op {
    name: "sin",
    kind: "Sin",
    node: "Sin",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Sin, Class::Float),
    doc: "The sine of radians. Infinities give NaN.",
    example: Example { graph: "sin([0.0])", value: "[0.0]" },
};

const COS: Op = Op {
    name: "cos",
    kind: "Cos",
    node: "Cos",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Cos, Class::Float),
    doc: "The cosine of radians. Infinities give NaN.",
    example: Example { graph: "cos([0.0])", value: "[1.0]" },
};

const TAN: Op = Op {
    name: "tan",
    kind: "Tan",
    node: "Tan",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Tan, Class::Float),
    doc: "The tangent of radians. Infinities give NaN.",
    example: Example { graph: "tan([0.0])", value: "[0.0]" },
};

const TANH: Op = Op {
    name: "tanh",
    kind: "Tanh",
    node: "Tanh",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Tanh, Class::Float),
    doc: "The hyperbolic tangent, from -1 to 1.",
    example: Example { graph: "tanh([0.0, 100.0])", value: "[0.0, 1.0]" },
};

const SIGMOID: Op = Op {
    name: "sigmoid",
    kind: "Sigmoid",
    node: "Sigmoid",
    operator: "",
    params: X,
    build: |b, args| in_f32(b, args, sigmoid),
    doc: "`1 / (1 + exp(-x))`, computed as `t / (1 + t)` with `t = exp(x)` for negative `x`, which keeps small results exact. 0.0 for -infinity, 1.0 for infinity, NaN stays. f16 and bf16 compute in f32.",
    example: Example { graph: "sigmoid([0.0, 200.0])", value: "[0.5, 1.0]" },
};

const RELU: Op = Op {
    name: "relu",
    kind: "Relu",
    node: "Relu",
    operator: "",
    params: X,
    build: |b, args| {
        args.require(b, 0, Class::Number)?;
        let x = args.tensor(0);
        let zero = b.whole_like(x, 0);
        Ok(Built::One(b.binary(Binary::Maximum, x, zero)))
    },
    doc: "`maximum(x, 0)`. NaN stays, -0.0 gives 0.0.",
    example: Example { graph: "relu([-1.0, 2.0])", value: "[0.0, 2.0]" },
};

const GELU: Op = Op {
    name: "gelu",
    kind: "Gelu",
    node: "Gelu",
    operator: "",
    params: X,
    build: |b, args| in_f32(b, args, gelu),
    doc: "`x * P(N(0, 1) <= x)`, the exact form: `x / 2 * erfc(-x / sqrt(2))`; -infinity gives -0.0, NaN stays. f16 and bf16 compute in f32. Hendrycks and Gimpel, arXiv:1606.08415.",
    example: Example { graph: "gelu([0.0, 100.0])", value: "[0.0, 100.0]" },
};

const ERF: Op = Op {
    name: "erf",
    kind: "Erf",
    node: "Erf",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::Erf, Class::Float),
    doc: "The error function, from -1 to 1.",
    example: Example { graph: "erf([0.0, 10.0])", value: "[0.0, 1.0]" },
};

const SOFTPLUS: Op = Op {
    name: "softplus",
    kind: "Softplus",
    node: "Softplus",
    operator: "",
    params: X,
    build: |b, args| in_f32(b, args, softplus),
    doc: "`log(1 + exp(x))` as `maximum(x, 0) + log1p(exp(-|x|))`, which neither overflows nor loses small values. NaN stays. f16 and bf16 compute in f32.",
    example: Example { graph: "softplus([100.0, -200.0])", value: "[100.0, 0.0]" },
};

const FLOOR: Op = Op {
    name: "floor",
    kind: "Floor",
    node: "Floor",
    operator: "",
    params: X,
    build: |b, args| rounding(b, args, Unary::Floor),
    doc: "The largest whole number not above `x`. Integers stay as they are.",
    example: Example { graph: "floor([1.5, -1.5])", value: "[1.0, -2.0]" },
};

const CEIL: Op = Op {
    name: "ceil",
    kind: "Ceil",
    node: "Ceil",
    operator: "",
    params: X,
    build: |b, args| rounding(b, args, Unary::Ceil),
    doc: "The smallest whole number not below `x`. Integers stay as they are.",
    example: Example { graph: "ceil([1.5, -1.5])", value: "[2.0, -1.0]" },
};

const ROUND: Op = Op {
    name: "round",
    kind: "Round",
    node: "Round",
    operator: "",
    params: X,
    build: |b, args| rounding(b, args, Unary::Round),
    doc: "The nearest whole number, halves to the even one, as in NumPy. Integers stay as they are.",
    example: Example { graph: "round([0.5, 1.5, 2.5])", value: "[0.0, 2.0, 2.0]" },
};

const IS_NAN: Op = Op {
    name: "is_nan",
    kind: "IsNan",
    node: "IsNan",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::IsNan, Class::Float),
    doc: "Whether `x` is NaN, as bool.",
    example: Example { graph: "is_nan([1.0, f32::NAN])", value: "[false, true]" },
};

const IS_FINITE: Op = Op {
    name: "is_finite",
    kind: "IsFinite",
    node: "IsFinite",
    operator: "",
    params: X,
    build: |b, args| unary(b, args, Unary::IsFinite, Class::Float),
    doc: "Whether `x` is neither NaN nor infinite, as bool.",
    example: Example { graph: "is_finite([1.0, f32::INFINITY])", value: "[true, false]" },
};
