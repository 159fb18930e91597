//! Comparisons, logic, bits, and what depends on them, elementwise with broadcasting.

use super::checks::{binary, refuse_negative_count, unary};
use super::{Args, Built, Class, Example, Op, Param, ParamKind, X, XY};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Unary, broadcast_dims};

pub(super) const OPS: &[Op] = &[
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    LOGICAL_AND,
    LOGICAL_OR,
    LOGICAL_XOR,
    LOGICAL_NOT,
    BITWISE_AND,
    BITWISE_OR,
    BITWISE_XOR,
    BITWISE_NOT,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SELECT,
    CAST,
];

fn select(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    args.require(b, 0, Class::Bool)?;
    args.same_dtype(b, 1, 2)?;
    let sides = args.broadcast(b, 1, 2)?;
    let Some(dims) = broadcast_dims(&b.dims(args.tensor(0)), &sides) else {
        let facts = format!("{}, and the sides are {sides:?} together", args.describe(b.graph, 0));
        return Err(args
            .error(0, format_args!("shapes do not fit, {facts}"))
            .with_help("sizes are compared from the last axis; each pair must be equal or hold a 1"));
    };
    args.check_size(0, b.dtype(args.tensor(1)), &dims)?;
    Ok(Built::One(b.select(args.tensor(0), args.tensor(1), args.tensor(2), &dims)))
}

fn cast(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let x = args.tensor(0);
    let dtype = args.dtype(1).unwrap_or(b.dtype(x));
    if dtype == b.dtype(x) {
        return Ok(Built::One(b.pass(x)));
    }
    args.check_size(0, dtype, &b.dims(x))?;
    Ok(Built::One(b.cast(x, dtype)))
}

/// An op on the bits of two integers; `logical` does the same to bools.
fn bits(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    op: Binary,
    logical: &'static str,
) -> Result<Built, Diagnostic> {
    for i in 0..2 {
        require_bits(b, args, i, logical)?;
    }
    binary(b, args, op, Class::Integer)
}

fn require_bits(b: &Builder<'_>, args: &Args<'_>, i: usize, logical: &'static str) -> Result<(), Diagnostic> {
    let dtype = b.dtype(args.tensor(i));
    if dtype.is_integer() {
        return Ok(());
    }
    let x = args.written_or_dots(i);
    let help = match (dtype.is_float(), args.is_operator, args.op.params.len()) {
        (false, ..) => format!("use `{logical}` for bools"),
        (true, true, 1) => format!("`!` takes bools and integers; compare first: `{x} == 0.0`"),
        (true, true, _) => {
            format!("`& | ^` take bools and integers; put comparisons in parentheses: `({x} > 0.0) & …`")
        }
        (true, false, _) => format!("convert it: `cast({x}, i32)`"),
    };
    Err(args.wrong_class(b, i, Class::Integer).with_help(help))
}

fn shift(b: &mut Builder<'_>, args: &Args<'_>, op: Binary) -> Result<Built, Diagnostic> {
    let shifted = binary(b, args, op, Class::Integer)?;
    refuse_negative_count(b, args)?;
    Ok(shifted)
}

const EQUAL: Op = Op {
    name: "equal",
    kind: "Equal",
    node: "Equal",
    operator: "Equal",
    params: XY,
    build: |b, args| binary(b, args, Binary::Equal, Class::Any),
    doc: "`x == y`, as bool; of bools too. NaN equals nothing, 0.0 equals -0.0.",
    example: Example { graph: "equal([1, 2], 2)", value: "[false, true]" },
};

const NOT_EQUAL: Op = Op {
    name: "not_equal",
    kind: "NotEqual",
    node: "NotEqual",
    operator: "NotEqual",
    params: XY,
    build: |b, args| binary(b, args, Binary::NotEqual, Class::Any),
    doc: "`x != y`, as bool; of bools too. NaN differs from everything.",
    example: Example { graph: "not_equal([1, 2], 2)", value: "[true, false]" },
};

const LESS: Op = Op {
    name: "less",
    kind: "Less",
    node: "Less",
    operator: "Less",
    params: XY,
    build: |b, args| binary(b, args, Binary::Less, Class::Number),
    doc: "`x < y`, as bool. False where a side is NaN.",
    example: Example { graph: "less([1, 2], 2)", value: "[true, false]" },
};

const LESS_EQUAL: Op = Op {
    name: "less_equal",
    kind: "LessEqual",
    node: "LessEqual",
    operator: "LessEqual",
    params: XY,
    build: |b, args| binary(b, args, Binary::LessEqual, Class::Number),
    doc: "`x <= y`, as bool. False where a side is NaN.",
    example: Example { graph: "less_equal([1, 3], 2)", value: "[true, false]" },
};

const GREATER: Op = Op {
    name: "greater",
    kind: "Greater",
    node: "Greater",
    operator: "Greater",
    params: XY,
    build: |b, args| binary(b, args, Binary::Greater, Class::Number),
    doc: "`x > y`, as bool. False where a side is NaN.",
    example: Example { graph: "greater([1, 3], 2)", value: "[false, true]" },
};

const GREATER_EQUAL: Op = Op {
    name: "greater_equal",
    kind: "GreaterEqual",
    node: "GreaterEqual",
    operator: "GreaterEqual",
    params: XY,
    build: |b, args| binary(b, args, Binary::GreaterEqual, Class::Number),
    doc: "`x >= y`, as bool. False where a side is NaN.",
    example: Example { graph: "greater_equal([1, 2], 2)", value: "[false, true]" },
};

const LOGICAL_AND: Op = Op {
    name: "logical_and",
    kind: "LogicalAnd",
    node: "LogicalAnd",
    operator: "and",
    params: XY,
    build: |b, args| binary(b, args, Binary::And, Class::Bool),
    doc: "Whether both are true. Bools only; as an operator `x & y`.",
    example: Example { graph: "logical_and([true, true], [true, false])", value: "[true, false]" },
};

const LOGICAL_OR: Op = Op {
    name: "logical_or",
    kind: "LogicalOr",
    node: "LogicalOr",
    operator: "or",
    params: XY,
    build: |b, args| binary(b, args, Binary::Or, Class::Bool),
    doc: "Whether one is true. Bools only; as an operator `x | y`.",
    example: Example { graph: "logical_or([true, false], false)", value: "[true, false]" },
};

const LOGICAL_XOR: Op = Op {
    name: "logical_xor",
    kind: "LogicalXor",
    node: "LogicalXor",
    operator: "xor",
    params: XY,
    build: |b, args| binary(b, args, Binary::Xor, Class::Bool),
    doc: "Whether exactly one is true. Bools only; as an operator `x ^ y`.",
    example: Example { graph: "logical_xor([true, false], true)", value: "[false, true]" },
};

const LOGICAL_NOT: Op = Op {
    name: "logical_not",
    kind: "LogicalNot",
    node: "LogicalNot",
    operator: "LogicalNot",
    params: X,
    build: |b, args| unary(b, args, Unary::Not, Class::Bool),
    doc: "The opposite. Bools only; as an operator `!x`.",
    example: Example { graph: "logical_not([true, false])", value: "[false, true]" },
};

const BITWISE_AND: Op = Op {
    name: "bitwise_and",
    kind: "BitwiseAnd",
    node: "BitwiseAnd",
    operator: "BitwiseAnd",
    params: XY,
    build: |b, args| bits(b, args, Binary::And, "logical_and"),
    doc: "The bits set in both. Integers only.",
    example: Example { graph: "bitwise_and([6, 5], 3)", value: "[2, 1]" },
};

const BITWISE_OR: Op = Op {
    name: "bitwise_or",
    kind: "BitwiseOr",
    node: "BitwiseOr",
    operator: "BitwiseOr",
    params: XY,
    build: |b, args| bits(b, args, Binary::Or, "logical_or"),
    doc: "The bits set in one. Integers only.",
    example: Example { graph: "bitwise_or([6, 5], 3)", value: "[7, 7]" },
};

const BITWISE_XOR: Op = Op {
    name: "bitwise_xor",
    kind: "BitwiseXor",
    node: "BitwiseXor",
    operator: "BitwiseXor",
    params: XY,
    build: |b, args| bits(b, args, Binary::Xor, "logical_xor"),
    doc: "The bits set in exactly one. Integers only.",
    example: Example { graph: "bitwise_xor([6, 5], 3)", value: "[5, 6]" },
};

const BITWISE_NOT: Op = Op {
    name: "bitwise_not",
    kind: "Invert",
    node: "Invert",
    operator: "Invert",
    params: X,
    build: |b, args| {
        require_bits(b, args, 0, "logical_not")?;
        unary(b, args, Unary::Not, Class::Integer)
    },
    doc: "All bits turned: `-1 - x`, for u8 `255 - x`. Integers only.",
    example: Example { graph: "bitwise_not([0, 5])", value: "[-1, -6]" },
};

const SHIFT_LEFT: Op = Op {
    name: "shift_left",
    kind: "LeftShift",
    node: "LeftShift",
    operator: "LeftShift",
    params: XY,
    build: |b, args| shift(b, args, Binary::ShiftLeft),
    doc: "`x << y`; both have one integer dtype. A count of the width or more gives 0, as does one below zero; a literal one below zero is a compile error.",
    example: Example { graph: "shift_left([1, 3], [4, 32])", value: "[16, 0]" },
};

const SHIFT_RIGHT: Op = Op {
    name: "shift_right",
    kind: "RightShift",
    node: "RightShift",
    operator: "RightShift",
    params: XY,
    build: |b, args| shift(b, args, Binary::ShiftRight),
    doc: "`x >> y`, arithmetic for signed integers; both have one integer dtype. A count of the width or more gives the sign, 0 or -1, as does one below zero; a literal one below zero is a compile error.",
    example: Example { graph: "shift_right([16, -16], 2)", value: "[4, -4]" },
};

const SELECT: Op = Op {
    name: "select",
    kind: "SelectV2",
    node: "SelectV2",
    operator: "",
    params: &[
        Param::required("condition", ParamKind::Condition),
        Param::required("x", ParamKind::Tensor),
        Param::required("y", ParamKind::Tensor),
    ],
    build: select,
    doc: "`x` where the condition is true, else `y`; all three broadcast together. Both sides are computed, so that a NaN on the side not taken does no harm.",
    example: Example { graph: "select([true, false], [1.0, 2.0], 0.0)", value: "[1.0, 0.0]" },
};

const CAST: Op = Op {
    name: "cast",
    kind: "Cast",
    node: "Cast",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::required("dtype", ParamKind::DType)],
    build: cast,
    doc: "The elements in another dtype. A float becomes an integer towards zero and stays in its range, NaN becomes 0; integers wrap; numbers become floats by rounding to the nearest, halves to even; a number becomes true where it is not 0 (NaN is not), and a bool 0 or 1.",
    example: Example { graph: "cast([1.9, -1.9, f32::NAN], i32)", value: "[1, -1, 0]" },
};
