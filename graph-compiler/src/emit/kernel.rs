//! Kernels as Rust: safe functions over arrays of constant size.

use std::fmt::Write;

use graph_ir::DType;

use crate::fuse::Body;
use crate::fuse::affine::{Affine, Atom};
use crate::fuse::nest::{Expr, Nest, ReductionKind, Region};
use crate::graph::{Binary, Reduce, Scalar, Unary};

/// Appends `fn name(…) { … }` for a kernel. Writing to a `String` cannot fail.
pub(super) fn write_kernel(out: &mut String, name: &str, body: &Body) {
    // clippy judges printed code, too, as rustc's own lints do not.
    let _ = writeln!(out, "#[allow(clippy::all, clippy::pedantic)]");
    let _ = writeln!(out, "fn {name}(args: &mut __graph_rt::KernelArgs<'_>) {{");
    match body {
        Body::Nest(nest) => write_nest(out, nest),
        Body::MatMul { dtype, m, n, k, transpose_a, transpose_b, batch, elements } => {
            let ty = rust_type(*dtype);
            let [a, b, c] = elements;
            let _ = writeln!(out, "let a = __graph_rt::read::<{ty}, {a}>(args, 0);");
            let _ = writeln!(out, "let b = __graph_rt::read::<{ty}, {b}>(args, 1);");
            let _ = writeln!(out, "let c = __graph_rt::write::<{ty}, {c}>(args, 0);");
            let _ = write!(
                out,
                "__graph_rt::matmul::<{ty}>(a, b, c, &__graph_rt::MatMulShape {{ m: {m}, n: {n}, k: {k}, \
                 transpose_a: {transpose_a}, transpose_b: {transpose_b}, batch: &["
            );
            for [size, a_stride, b_stride] in batch {
                let _ = write!(
                    out,
                    "__graph_rt::Batch {{ size: {size}, a_stride: {a_stride}, b_stride: {b_stride} }},"
                );
            }
            out.push_str("] });\n");
        }
        Body::CumSum { dtype, outer, n, inner, exclusive, reverse } => {
            let (ty, elements) = (rust_type(*dtype), outer * n * inner);
            let _ = writeln!(out, "let x = __graph_rt::read::<{ty}, {elements}>(args, 0);");
            let _ = writeln!(out, "let y = __graph_rt::write::<{ty}, {elements}>(args, 0);");
            let _ = writeln!(
                out,
                "__graph_rt::cumsum::<{ty}>(x, y, {outer}, {n}, {inner}, {exclusive}, {reverse});"
            );
        }
    }
    out.push_str("}\n");
}

/// The element type of a dtype, as the expansion spells it. A bool is stored as one byte, 0 or 1.
pub(super) fn rust_type(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "__graph_rt::F32",
        DType::F64 => "__graph_rt::F64",
        DType::F16 => "__graph_rt::F16",
        DType::BF16 => "__graph_rt::BF16",
        DType::I32 => "__graph_rt::I32",
        DType::I64 => "__graph_rt::I64",
        DType::U8 | DType::Bool => "__graph_rt::U8",
    }
}

fn write_nest(out: &mut String, nest: &Nest) {
    for (i, (dtype, elements)) in nest.operands.iter().enumerate() {
        let _ = writeln!(out, "let r{i} = __graph_rt::read::<{}, {elements}>(args, {i});", rust_type(*dtype));
    }
    let (dtype, elements) = nest.result;
    let _ = writeln!(out, "let w = __graph_rt::write::<{}, {elements}>(args, 0);", rust_type(dtype));
    open_loops(out, 0, &nest.loops);
    match &nest.reduction {
        None => {
            write_region(out, &nest.body);
            let _ = writeln!(out, "w[{}] = t{};", index(&nest.store), nest.body.result);
        }
        Some(reduction) => {
            let first = nest.loops.len() as u32;
            let ty = rust_type(reduction.dtype);
            match reduction.kind {
                ReductionKind::Fold(op) => {
                    let _ = writeln!(out, "let mut acc = {};", start(op, reduction.dtype));
                    open_loops(out, first, &reduction.loops);
                    write_region(out, &nest.body);
                    let result = nest.body.result;
                    let _ = match op {
                        Reduce::Sum => {
                            writeln!(out, "acc = __graph_rt::s::add(acc, __graph_rt::s::widen(t{result}));")
                        }
                        Reduce::Prod => {
                            writeln!(out, "acc = __graph_rt::s::mul(acc, __graph_rt::s::widen(t{result}));")
                        }
                        Reduce::Max => writeln!(out, "acc = __graph_rt::s::maximum(acc, t{result});"),
                        Reduce::Min => writeln!(out, "acc = __graph_rt::s::minimum(acc, t{result});"),
                        Reduce::Any => writeln!(out, "acc = __graph_rt::s::or(acc, t{result});"),
                        Reduce::All => writeln!(out, "acc = __graph_rt::s::and(acc, t{result});"),
                    };
                    close_loops(out, &reduction.loops);
                    let store = index(&nest.store);
                    let _ = match op {
                        Reduce::Sum | Reduce::Prod => {
                            writeln!(out, "w[{store}] = __graph_rt::s::narrow::<{ty}>(acc);")
                        }
                        _ => writeln!(out, "w[{store}] = acc;"),
                    };
                }
                ReductionKind::Position { largest } => {
                    let _ = writeln!(out, "let mut best = __graph_rt::s::Best::<{ty}, {largest}>::new();");
                    open_loops(out, first, &reduction.loops);
                    write_region(out, &nest.body);
                    let _ = writeln!(out, "best.meet(t{});", nest.body.result);
                    close_loops(out, &reduction.loops);
                    let _ = writeln!(out, "w[{}] = best.position();", index(&nest.store));
                }
            }
        }
    }
    close_loops(out, &nest.loops);
}

/// The neutral element of a fold, in the type that accumulates.
fn start(op: Reduce, dtype: DType) -> String {
    let wide = if matches!(dtype, DType::F16 | DType::BF16) { DType::F32 } else { dtype };
    match op {
        Reduce::Sum => number(Scalar::zero(wide), wide),
        Reduce::Prod => number(Scalar::whole(wide, 1), wide),
        Reduce::Max => number(extreme(dtype, false), dtype),
        Reduce::Min => number(extreme(dtype, true), dtype),
        Reduce::Any => String::from("0u8"),
        Reduce::All => String::from("1u8"),
    }
}

fn extreme(dtype: DType, largest: bool) -> Scalar {
    let pick = |low: i64, high: i64| Scalar::Int(if largest { high } else { low });
    match dtype {
        DType::I32 => pick(i32::MIN.into(), i32::MAX.into()),
        DType::I64 => pick(i64::MIN, i64::MAX),
        DType::U8 => pick(0, 255),
        DType::Bool => Scalar::Bool(largest),
        _ => Scalar::Float(if largest { f64::INFINITY } else { f64::NEG_INFINITY }),
    }
}

fn open_loops(out: &mut String, first: u32, loops: &[u64]) {
    for (i, extent) in (first..).zip(loops) {
        let _ = writeln!(out, "for i{i} in 0usize..{extent}usize {{");
    }
}

fn close_loops(out: &mut String, loops: &[u64]) {
    loops.iter().for_each(|_| out.push_str("}\n"));
}

fn write_region(out: &mut String, region: &Region) {
    for (number, expr) in &region.statements {
        let _ = write!(out, "let t{number} = ");
        write_expr(out, expr);
        out.push_str(";\n");
    }
}

fn write_expr(out: &mut String, expr: &Expr) {
    let _ = match expr {
        Expr::Load { operand, index: form } => write!(out, "r{operand}[{}]", index(form)),
        Expr::Number(scalar, dtype) => write!(out, "{}", number(*scalar, *dtype)),
        Expr::Position(form, dtype) => {
            let ty = rust_type(*dtype);
            write!(out, "__graph_rt::s::cast::<__graph_rt::I64, {ty}>(({}) as __graph_rt::I64)", index(form))
        }
        Expr::Unary(op, x, dtype) => write!(out, "__graph_rt::s::{}(t{x})", unary_name(*op, *dtype)),
        Expr::Binary(op, a, b, _) => write!(out, "__graph_rt::s::{}(t{a}, t{b})", binary_name(*op)),
        Expr::Select(c, a, b, _) => write!(out, "__graph_rt::s::select(t{c}, t{a}, t{b})"),
        Expr::Cast { x, from, to: DType::Bool } => {
            write!(out, "__graph_rt::s::to_boolean::<{}>(t{x})", rust_type(*from))
        }
        Expr::Cast { x, from, to } => {
            write!(out, "__graph_rt::s::cast::<{}, {}>(t{x})", rust_type(*from), rust_type(*to))
        }
        Expr::Check { x, site, bound, dtype } => {
            write!(out, "__graph_rt::check::<{}>(args, t{x}, {bound}u64, {site}u32)", rust_type(*dtype))
        }
        Expr::If { inside, then, otherwise } => {
            out.push_str("if ");
            for (i, (form, low, high)) in inside.iter().enumerate() {
                if i > 0 {
                    out.push_str(" && ");
                }
                // One unsigned comparison: below the lower end the difference wraps to something huge.
                let (positive, negative) = parts(&form.offset(-low));
                let _ = write!(out, "({positive}).wrapping_sub({negative}) < {}usize", high - low);
            }
            out.push_str(" {\n");
            write_region(out, then);
            let _ = writeln!(out, "t{} }} else {{", then.result);
            write_region(out, otherwise);
            write!(out, "t{} }}", otherwise.result)
        }
    };
}

/// An index form as an expression of type `usize`. The whole is never negative, so that taking the negative terms
/// from the positive ones does not wrap.
fn index(form: &Affine) -> String {
    let (positive, negative) = parts(form);
    match negative.as_str() {
        "0usize" => positive,
        _ => format!("({positive}) - ({negative})"),
    }
}

fn parts(form: &Affine) -> (String, String) {
    let mut sides = [String::new(), String::new()];
    let mut put = |negative: bool, text: &str| {
        let side = &mut sides[usize::from(negative)];
        if !side.is_empty() {
            side.push_str(" + ");
        }
        side.push_str(text);
    };
    for (atom, &coefficient) in &form.terms {
        let text = match atom {
            Atom::Variable { index, .. } => format!("i{index}"),
            Atom::Temporary { index, .. } => format!("(t{index} as __graph_rt::Usize)"),
            Atom::Quotient(inner, divisor) => format!("({}) / {divisor}usize", index(inner)),
            Atom::Remainder(inner, divisor) => format!("({}) % {divisor}usize", index(inner)),
        };
        match coefficient.unsigned_abs() {
            1 => put(coefficient < 0, &text),
            weight => put(coefficient < 0, &format!("({text}) * {weight}usize")),
        }
    }
    if form.constant != 0 {
        put(form.constant < 0, &format!("{}usize", form.constant.unsigned_abs()));
    }
    let [positive, negative] = sides;
    let or_zero = |text: String| if text.is_empty() { String::from("0usize") } else { text };
    (or_zero(positive), or_zero(negative))
}

/// A number as a Rust expression of the dtype's element type, with the very bits.
fn number(scalar: Scalar, dtype: DType) -> String {
    let mut bytes = Vec::new();
    scalar.write(dtype, &mut bytes);
    match (dtype, scalar) {
        (DType::F32, Scalar::Float(x)) if x.is_finite() => format!("({:?}f32)", x as f32),
        (DType::F64, Scalar::Float(x)) if x.is_finite() => format!("({x:?}f64)"),
        (DType::F32, _) => format!("__graph_rt::f32_bits({}u32)", little_endian(&bytes)),
        (DType::F64, _) => format!("__graph_rt::f64_bits({}u64)", little_endian(&bytes)),
        (DType::F16, _) => format!("__graph_rt::f16_bits({}u16)", little_endian(&bytes)),
        (DType::BF16, _) => format!("__graph_rt::bf16_bits({}u16)", little_endian(&bytes)),
        (_, Scalar::Int(x)) => format!("({x}{dtype})"),
        (_, Scalar::Bool(x)) => format!("{}u8", u8::from(x)),
        (dtype, scalar) => unreachable!("{scalar:?} is not a {dtype}"),
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn unary_name(op: Unary, dtype: DType) -> &'static str {
    match op {
        Unary::Neg => "neg",
        Unary::Abs => "abs",
        Unary::Sign => "sign",
        Unary::Sqrt => "sqrt",
        Unary::Rsqrt => "rsqrt",
        Unary::Exp => "exp",
        Unary::Log => "log",
        Unary::Log1p => "log1p",
        Unary::Expm1 => "expm1",
        Unary::Sin => "sin",
        Unary::Cos => "cos",
        Unary::Tan => "tan",
        Unary::Tanh => "tanh",
        Unary::Erf => "erf",
        Unary::Erfc => "erfc",
        Unary::Floor => "floor",
        Unary::Ceil => "ceil",
        Unary::Round => "round",
        Unary::Not if dtype == DType::Bool => "logical_not",
        Unary::Not => "not",
        Unary::IsNan => "is_nan",
        Unary::IsFinite => "is_finite",
    }
}

fn binary_name(op: Binary) -> &'static str {
    match op {
        Binary::Add => "add",
        Binary::Sub => "sub",
        Binary::Mul => "mul",
        Binary::Div => "div",
        Binary::Rem => "rem",
        Binary::FloorDiv => "floor_div",
        Binary::FloorMod => "floor_mod",
        Binary::Pow => "pow",
        Binary::Maximum => "maximum",
        Binary::Minimum => "minimum",
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Xor => "xor",
        Binary::ShiftLeft => "shift_left",
        Binary::ShiftRight => "shift_right",
        Binary::Equal => "equal",
        Binary::NotEqual => "not_equal",
        Binary::Less => "less",
        Binary::LessEqual => "less_equal",
        Binary::Greater => "greater",
        Binary::GreaterEqual => "greater_equal",
    }
}
