//! Comparisons, logic, bits, and what depends on them, elementwise with broadcasting.

use super::checks::{binary, unary};
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
        return Err(args.error(0, format_args!("shapes do not fit, {facts}")));
    };
    Ok(Built::One(b.select(args.tensor(0), args.tensor(1), args.tensor(2), &dims)))
}

const EQUAL: Op = Op {
    name: "equal",
    kind: "Equal",
    node: "Equal",
    operator: "Equal",
    params: XY,
    build: |b, args| binary(b, args, Binary::Equal, Class::Any),
    doc: "`x == y`, as bool. NaN equals nothing.",
    example: Example { graph: "equal([1, 2], 2)", value: "[false, true]" },
};

const NOT_EQUAL: Op = Op {
    name: "not_equal",
    kind: "NotEqual",
    node: "NotEqual",
    operator: "NotEqual",
    params: XY,
    build: |b, args| binary(b, args, Binary::NotEqual, Class::Any),
    doc: "`x != y`, as bool. NaN differs from everything.",
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
    doc: "Whether both are true.",
    example: Example { graph: "logical_and([true, true], [true, false])", value: "[true, false]" },
};

const LOGICAL_OR: Op = Op {
    name: "logical_or",
    kind: "LogicalOr",
    node: "LogicalOr",
    operator: "or",
    params: XY,
    build: |b, args| binary(b, args, Binary::Or, Class::Bool),
    doc: "Whether one is true.",
    example: Example { graph: "logical_or([true, false], false)", value: "[true, false]" },
};

const LOGICAL_XOR: Op = Op {
    name: "logical_xor",
    kind: "LogicalXor",
    node: "LogicalXor",
    operator: "xor",
    params: XY,
    build: |b, args| binary(b, args, Binary::Xor, Class::Bool),
    doc: "Whether exactly one is true.",
    example: Example { graph: "logical_xor([true, false], true)", value: "[false, true]" },
};

const LOGICAL_NOT: Op = Op {
    name: "logical_not",
    kind: "LogicalNot",
    node: "LogicalNot",
    operator: "LogicalNot",
    params: X,
    build: |b, args| unary(b, args, Unary::Not, Class::Bool),
    doc: "The opposite.",
    example: Example { graph: "logical_not([true, false])", value: "[false, true]" },
};

const BITWISE_AND: Op = Op {
    name: "bitwise_and",
    kind: "BitwiseAnd",
    node: "BitwiseAnd",
    operator: "BitwiseAnd",
    params: XY,
    build: |b, args| binary(b, args, Binary::And, Class::Integer),
    doc: "The bits set in both.",
    example: Example { graph: "bitwise_and([6, 5], 3)", value: "[2, 1]" },
};

const BITWISE_OR: Op = Op {
    name: "bitwise_or",
    kind: "BitwiseOr",
    node: "BitwiseOr",
    operator: "BitwiseOr",
    params: XY,
    build: |b, args| binary(b, args, Binary::Or, Class::Integer),
    doc: "The bits set in one.",
    example: Example { graph: "bitwise_or([6, 5], 3)", value: "[7, 7]" },
};

const BITWISE_XOR: Op = Op {
    name: "bitwise_xor",
    kind: "BitwiseXor",
    node: "BitwiseXor",
    operator: "BitwiseXor",
    params: XY,
    build: |b, args| binary(b, args, Binary::Xor, Class::Integer),
    doc: "The bits set in exactly one.",
    example: Example { graph: "bitwise_xor([6, 5], 3)", value: "[5, 6]" },
};

const BITWISE_NOT: Op = Op {
    name: "bitwise_not",
    kind: "Invert",
    node: "Invert",
    operator: "Invert",
    params: X,
    build: |b, args| unary(b, args, Unary::Not, Class::Integer),
    doc: "All bits turned.",
    example: Example { graph: "bitwise_not([0, 5])", value: "[-1, -6]" },
};

const SHIFT_LEFT: Op = Op {
    name: "shift_left",
    kind: "LeftShift",
    node: "LeftShift",
    operator: "LeftShift",
    params: XY,
    build: |b, args| binary(b, args, Binary::ShiftLeft, Class::Integer),
    doc: "`x << y`. A count of the width or more, or below zero, gives 0.",
    example: Example { graph: "shift_left([1, 3], [4, 32])", value: "[16, 0]" },
};

const SHIFT_RIGHT: Op = Op {
    name: "shift_right",
    kind: "RightShift",
    node: "RightShift",
    operator: "RightShift",
    params: XY,
    build: |b, args| binary(b, args, Binary::ShiftRight, Class::Integer),
    doc: "`x >> y`, arithmetic for signed integers. A count of the width or more, or below zero, gives the sign: 0 or -1.",
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
    doc: "`x` where the condition is true, else `y`; all three broadcast together. Both sides are computed.",
    example: Example { graph: "select([true, false], [1.0, 2.0], 0.0)", value: "[1.0, 0.0]" },
};

const CAST: Op = Op {
    name: "cast",
    kind: "Cast",
    node: "Cast",
    operator: "",
    params: &[Param::required("x", ParamKind::Tensor), Param::required("dtype", ParamKind::DType)],
    build: |b, args| {
        let dtype = args.dtype(1).unwrap_or(b.dtype(args.tensor(0)));
        Ok(Built::One(b.cast(args.tensor(0), dtype)))
    },
    doc: "The elements in another dtype. A float becomes an integer towards zero and stays in its range, NaN becomes 0; integers wrap; floats round to the nearest, halves to even; a number becomes true where it is not 0.",
    example: Example { graph: "cast([1.9, -1.9, f32::NAN], i32)", value: "[1, -1, 0]" },
};
