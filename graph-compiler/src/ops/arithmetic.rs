//! Arithmetic of two operands, elementwise with broadcasting.

use super::checks::{binary, refuse_zero_divisor};
use super::{Args, Built, Class, Example, Op, Param, ParamKind, XY};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, broadcast_dims};

pub(super) const OPS: &[Op] =
    &[ADD, SUB, MUL, DIV, REM, FLOOR_DIV, FLOOR_MOD, POW, MINIMUM, MAXIMUM, ADD_N, CLIP];

fn add_n(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let [(first, span), rest @ ..] = args.tensors(0) else {
        return Err(args.error(0, "the list is empty").with_help("a sum needs at least one tensor"));
    };
    let ty = b.ty(*first);
    if !Class::Number.has(ty.dtype) {
        let message = format!("takes {}; the first tensor is {ty}", Class::Number.describe());
        return Err(args.error_at(*span, message).with_help("convert them: `cast(x, i32)`, or use `|`"));
    }
    for (i, (x, span)) in rest.iter().enumerate() {
        if b.ty(*x) != ty {
            let message =
                format!("the tensors differ, the first is {ty} and number {} is {}", i + 2, b.ty(*x));
            return Err(args
                .error_at(*span, message)
                .with_help("all tensors of the sum have one dtype and shape"));
        }
    }
    if rest.is_empty() {
        return Ok(Built::One(b.pass(*first)));
    }
    Ok(Built::One(rest.iter().fold(*first, |sum, (x, _)| b.binary(Binary::Add, sum, *x))))
}

fn clip(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    for bound in 1..3 {
        args.require_both(b, 0, bound, Class::Number)?;
        args.broadcast(b, 0, bound)?;
    }
    args.broadcast(b, 1, 2)?;
    let raised = b.binary(Binary::Maximum, args.tensor(0), args.tensor(1));
    // Three that fit in pairs fit together, but the whole can be larger than each pair.
    let dims = broadcast_dims(&b.dims(raised), &b.dims(args.tensor(2))).unwrap_or_default();
    args.check_size(2, b.dtype(raised), &dims)?;
    Ok(Built::One(b.binary(Binary::Minimum, raised, args.tensor(2))))
}

/// Division of any kind.
fn divide(b: &mut Builder<'_>, args: &Args<'_>, op: Binary) -> Result<Built, Diagnostic> {
    let quotient = binary(b, args, op, Class::Number)?;
    refuse_zero_divisor(b, args)?;
    Ok(quotient)
}

const ADD: Op = Op {
    name: "add",
    kind: "AddV2",
    node: "Add",
    operator: "add",
    params: XY,
    build: |b, args| binary(b, args, Binary::Add, Class::Number),
    doc: "`x + y`. Integers wrap.",
    example: Example { graph: "add([1.0, 2.0], 0.5)", value: "[1.5, 2.5]" },
};

const SUB: Op = Op {
    name: "sub",
    kind: "Sub",
    node: "Sub",
    operator: "sub",
    params: XY,
    build: |b, args| binary(b, args, Binary::Sub, Class::Number),
    doc: "`x - y`. Integers wrap.",
    example: Example { graph: "sub([1.0, 2.0], 0.5)", value: "[0.5, 1.5]" },
};

const MUL: Op = Op {
    name: "mul",
    kind: "Mul",
    node: "Mul",
    operator: "mul",
    params: XY,
    build: |b, args| binary(b, args, Binary::Mul, Class::Number),
    doc: "`x * y`. Integers wrap.",
    example: Example { graph: "mul([1.0, 2.0], 0.5)", value: "[0.5, 1.0]" },
};

const DIV: Op = Op {
    name: "div",
    kind: "RealDiv",
    node: "truediv",
    operator: "truediv",
    params: XY,
    build: |b, args| divide(b, args, Binary::Div),
    doc: "`x / y`. Integers truncate towards zero, and the smallest by -1 wraps to itself; `x / 0` of integers is -1 (all bits set; 255 for u8), and a literal zero divisor is a compile error. Floats divide as IEEE 754 says: `1.0 / 0.0` is infinity.",
    example: Example { graph: "div([7, -7], 2)", value: "[3, -3]" },
};

const REM: Op = Op {
    name: "rem",
    kind: "Mod",
    node: "Mod",
    operator: "mod",
    params: XY,
    build: |b, args| divide(b, args, Binary::Rem),
    doc: "The remainder of the truncated quotient: it has the sign of `x`, for floats too. `x % 0` is `x` for integers, NaN for floats; a literal zero divisor of integers is a compile error.",
    example: Example { graph: "rem([7, -7], 2)", value: "[1, -1]" },
};

const FLOOR_DIV: Op = Op {
    name: "floor_div",
    kind: "FloorDiv",
    node: "floordiv",
    operator: "",
    params: XY,
    build: |b, args| divide(b, args, Binary::FloorDiv),
    doc: "The quotient rounded down, as NumPy's `floor_divide`. Integers by zero give -1 (255 for u8), and a literal zero divisor is a compile error; floats by zero give what `/` gives.",
    example: Example { graph: "floor_div([7, -7], 2)", value: "[3, -4]" },
};

const FLOOR_MOD: Op = Op {
    name: "floor_mod",
    kind: "FloorMod",
    node: "FloorMod",
    operator: "",
    params: XY,
    build: |b, args| divide(b, args, Binary::FloorMod),
    doc: "The remainder of `floor_div`: it has the sign of `y`, as NumPy's `mod`. By zero it is `x` for integers, NaN for floats; a literal zero divisor of integers is a compile error.",
    example: Example { graph: "floor_mod([7, -7], 2)", value: "[1, 1]" },
};

const POW: Op = Op {
    name: "pow",
    kind: "Pow",
    node: "Pow",
    operator: "",
    params: XY,
    build: |b, args| binary(b, args, Binary::Pow, Class::Number),
    doc: "`x` to the power `y`. Floats as C's `pow`: `pow(x, 0.0)` and `pow(1.0, y)` are 1 even for NaN, a negative number to a fraction is NaN. Integers wrap; a negative exponent gives the truncated `1 / x^-y`: 0, but 1 for 1, 1 or -1 for -1, and -1 for 0 like a division by zero.",
    example: Example { graph: "pow([2, 3], [10, 2])", value: "[1024, 9]" },
};

const MINIMUM: Op = Op {
    name: "minimum",
    kind: "Minimum",
    node: "Minimum",
    operator: "",
    params: XY,
    build: |b, args| binary(b, args, Binary::Minimum, Class::Number),
    doc: "The smaller of `x` and `y`. A NaN on either side stays; -0.0 is smaller than 0.0.",
    example: Example { graph: "minimum([1.0, 5.0], 2.0)", value: "[1.0, 2.0]" },
};

const MAXIMUM: Op = Op {
    name: "maximum",
    kind: "Maximum",
    node: "Maximum",
    operator: "",
    params: XY,
    build: |b, args| binary(b, args, Binary::Maximum, Class::Number),
    doc: "The larger of `x` and `y`. A NaN on either side stays; 0.0 is larger than -0.0.",
    example: Example { graph: "maximum([1.0, 5.0], 2.0)", value: "[2.0, 5.0]" },
};

const ADD_N: Op = Op {
    name: "add_n",
    kind: "AddN",
    node: "AddN",
    operator: "",
    params: &[Param::required("inputs", ParamKind::Tensors)],
    build: add_n,
    doc: "The sum of a list of tensors of one dtype and shape, in the order of the list. Integers wrap; f16 and bf16 are rounded after each addition.",
    example: Example { graph: "add_n([[1.0, 2.0], [3.0, 4.0]])", value: "[4.0, 6.0]" },
};

const CLIP: Op = Op {
    name: "clip",
    kind: "ClipByValue",
    node: "clip_by_value",
    operator: "",
    params: &[
        Param::required("x", ParamKind::Tensor),
        Param::required("min", ParamKind::Tensor),
        Param::required("max", ParamKind::Tensor),
    ],
    build: clip,
    doc: "`minimum(maximum(x, min), max)`, all three broadcast together. NaN stays, in a bound too, and `max` wins where it is below `min`, as in NumPy.",
    example: Example { graph: "clip([-2.0, 0.5, 3.0], 0.0, 1.0)", value: "[0.0, 0.5, 1.0]" },
};
