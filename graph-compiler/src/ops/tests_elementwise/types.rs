//! Every elementwise op with every dtype: the result's type, or an error that names the wrong operand.

use graph_ir::DType;

use super::{complaint, graph, result_type};
use crate::ops::{Op, ParamKind, arithmetic, compare, functions};

const FLOATS: &str = "f32 f64 f16 bf16";
const INTEGERS: &str = "i32 i64 u8";
const NUMBERS: &str = "f32 f64 f16 bf16 i32 i64 u8";
const BOOL: &str = "bool";
const ANY: &str = "f32 f64 f16 bf16 i32 i64 u8 bool";

/// Ops, the dtypes that they take, and whether the result is bool instead of their operands' dtype.
const UNARY: &[(&str, &str, bool)] = &[
    ("neg abs sign square relu floor ceil round", NUMBERS, false),
    ("sqrt rsqrt exp log log1p expm1 sin cos tan tanh sigmoid gelu erf softplus", FLOATS, false),
    ("is_nan is_finite", FLOATS, true),
    ("logical_not", BOOL, false),
    ("bitwise_not", INTEGERS, false),
];

const BINARY: &[(&str, &str, bool)] = &[
    ("add sub mul div rem floor_div floor_mod pow minimum maximum", NUMBERS, false),
    ("equal not_equal", ANY, true),
    ("less less_equal greater greater_equal", NUMBERS, true),
    ("logical_and logical_or logical_xor", BOOL, false),
    ("bitwise_and bitwise_or bitwise_xor shift_left shift_right", INTEGERS, false),
];

/// Ops whose operands are not one or two tensors alike; each has a test of its own here.
const OTHERS: &str = "add_n clip select cast";

fn elementwise() -> impl Iterator<Item = &'static Op> {
    [arithmetic::OPS, functions::OPS, compare::OPS].into_iter().flatten()
}

/// One case for each op, dtype: whether it is taken, and whether the result is bool.
fn cases(
    table: &'static [(&'static str, &'static str, bool)],
) -> impl Iterator<Item = (&'static str, DType, bool, bool)> {
    table.iter().flat_map(|&(names, dtypes, to_bool)| {
        names.split(' ').flat_map(move |name| {
            DType::ALL.into_iter().map(move |dtype| {
                let taken = dtypes.split(' ').any(|known| known == dtype.name());
                (name, dtype, taken, to_bool)
            })
        })
    })
}

fn assert_refuses(text: &str, name: &str, under: &str, found: &str) {
    let complaint = complaint(text);
    assert_eq!(complaint.under, under, "{text}: {}", complaint.text);
    let (start, end) = (format!("`{name}`: takes "), format!("; `{under}` is {found}\nhelp: "));
    assert!(
        complaint.text.starts_with(&start) && complaint.text.contains(&end),
        "{text}: {}",
        complaint.text
    );
}

#[test]
fn every_elementwise_op_is_in_these_tables() {
    let tables = UNARY.iter().chain(BINARY).map(|(names, ..)| *names).chain([OTHERS]);
    let mut known: Vec<&str> = tables.flat_map(|names| names.split(' ')).collect();
    let mut rows: Vec<&str> = elementwise().map(|op| op.name).collect();
    known.sort_unstable();
    rows.sort_unstable();
    assert_eq!(known, rows);
}

#[test]
fn ops_of_one_operand() {
    for (name, dtype, taken, to_bool) in cases(UNARY) {
        let text = format!("|x: {dtype}[2, 3]| {name}(x)");
        if taken {
            let result = if to_bool { DType::Bool } else { dtype };
            assert_eq!(result_type(&text), format!("{result}[2, 3]"), "{text}");
            assert_eq!(result_type(&format!("|x: {dtype}| x.{name}()")), format!("{result}[]"), "{text}");
            assert_eq!(result_type(&format!("|x: {dtype}[0]| {name}(x)")), format!("{result}[0]"), "{text}");
        } else {
            assert_refuses(&text, name, "x", &format!("{dtype}[2, 3]"));
        }
    }
}

#[test]
fn ops_of_two_operands() {
    const SHAPES: [[&str; 3]; 6] = [
        ["[2, 3]", "[2, 3]", "[2, 3]"],
        ["[2, 3]", "[3]", "[2, 3]"],
        ["[4, 1]", "[1, 5]", "[4, 5]"],
        ["[]", "[2]", "[2]"],
        ["[1]", "[0]", "[0]"],
        ["[]", "[]", "[]"],
    ];
    for (name, dtype, taken, to_bool) in cases(BINARY) {
        if !taken {
            let text = format!("|a: {dtype}[3], b: {dtype}[3]| {name}(a, b)");
            assert_refuses(&text, name, "a", &format!("{dtype}[3]"));
            continue;
        }
        let result = if to_bool { DType::Bool } else { dtype };
        for [left, right, both] in SHAPES {
            let text = format!("|a: {dtype}{left}, b: {dtype}{right}| {name}(a, b)");
            assert_eq!(result_type(&text), format!("{result}{both}"), "{text}");
            let text = format!("|a: {dtype}{left}, b: {dtype}{right}| {name}(b, a)");
            assert_eq!(result_type(&text), format!("{result}{both}"), "{text}");
        }
    }
}

#[test]
fn literals_take_the_dtype_beside_them() {
    for (name, dtype, taken, to_bool) in cases(BINARY) {
        if !taken {
            continue;
        }
        let result = if to_bool { DType::Bool } else { dtype };
        let number = if dtype == DType::Bool { "true" } else { "1" };
        let text = format!("|a: {dtype}[3]| {name}(a, {number})");
        assert_eq!(result_type(&text), format!("{result}[3]"), "{text}");
        let text = format!("|a: {dtype}[3]| {name}([[{number}], [{number}]], a)");
        assert_eq!(result_type(&text), format!("{result}[2, 3]"), "{text}");
    }
}

#[test]
fn operands_of_two_dtypes_are_refused() {
    for (name, left, taken, _) in cases(BINARY) {
        for right in DType::ALL.into_iter().filter(|right| taken && *right != left) {
            let text = format!("|a: {left}[3], b: {right}[3]| {name}(a, b)");
            let complaint = complaint(&text);
            assert!(complaint.text.contains(&format!("`b` is {right}[3]")), "{text}: {}", complaint.text);
            assert!(complaint.text.contains("\nhelp: "), "{text}: {}", complaint.text);
            assert_eq!(complaint.under, "b", "{text}");
        }
    }
}

/// A repair for two dtypes of arithmetic is taken when it is made.
#[test]
fn casts_that_errors_propose_are_right() {
    for (left, right) in DType::ALL.into_iter().flat_map(|left| DType::ALL.map(|right| (left, right))) {
        if left == right {
            continue;
        }
        for operator in ["+", "<", "==", "%"] {
            let expression = |a: &str, b: &str| format!("|a: {left}[3], b: {right}[3]| {a} {operator} {b}");
            let text = complaint(&expression("a", "b")).text;
            let proposed = |name: &str| {
                let start = text.find(&format!("`cast({name}, "))? + 1;
                text[start..].split('`').next().map(str::to_owned)
            };
            let (a, b) = (proposed("a"), proposed("b"));
            assert!(a.is_some() || b.is_some(), "{left} {operator} {right}: {text}");
            let repaired = expression(a.as_deref().unwrap_or("a"), b.as_deref().unwrap_or("b"));
            let result = result_type(&repaired);
            assert!(result != "bool[3]" || operator == "<" || operator == "==", "{repaired}: {result}");
        }
    }
}

#[test]
fn clip_takes_numbers_of_one_dtype() {
    for dtype in DType::ALL {
        let text = format!("|x: {dtype}[2, 3]| clip(x, 0, 1)");
        if dtype == DType::Bool {
            let text = format!("|x: {dtype}[2, 3]| clip(x, false, true)");
            assert_refuses(&text, "clip", "x", "bool[2, 3]");
            continue;
        }
        assert_eq!(result_type(&text), format!("{dtype}[2, 3]"));
        let text = format!("|x: {dtype}[3], low: {dtype}[2, 1], high: {dtype}[4, 1, 1]| clip(x, low, high)");
        assert_eq!(result_type(&text), format!("{dtype}[4, 2, 3]"));
    }
}

#[test]
fn select_takes_any_two_alike() {
    for dtype in DType::ALL {
        let text = format!("|c: bool[2, 1], x: {dtype}[3], y: {dtype}| select(c, x, y)");
        assert_eq!(result_type(&text), format!("{dtype}[2, 3]"));
        let text = format!("|c: bool, x: {dtype}[3], y: {dtype}[2, 1]| select(c, x, y)");
        assert_eq!(result_type(&text), format!("{dtype}[2, 3]"));
        if dtype != DType::Bool {
            let text = format!("|c: {dtype}[2]| select(c, 1, 2)");
            assert_refuses(&text, "select", "c", &format!("{dtype}[2]"));
            assert_eq!(result_type(&format!("|x: {dtype}[2]| select(true, x, 0)")), format!("{dtype}[2]"));
        }
    }
    assert_eq!(result_type("select([true, false], 1, 2.5)"), "f32[2]");
}

#[test]
fn casts_go_from_every_dtype_to_every_dtype() {
    for (from, to) in DType::ALL.into_iter().flat_map(|from| DType::ALL.map(|to| (from, to))) {
        let text = format!("|x: {from}[2, 3]| cast(x, {to})");
        assert_eq!(result_type(&text), format!("{to}[2, 3]"), "{text}");
        // Also one that changes nothing stands for its node: it has a name and a device.
        let graph = graph(&text);
        let node = graph.node(graph.value(graph.outputs[0].value).node);
        assert_eq!((node.op, node.name.as_str()), ("Cast", "Cast"), "{text}");
    }
}

#[test]
fn add_n_takes_numbers() {
    for dtype in DType::ALL {
        for count in 1..4 {
            let text = format!("|x: {dtype}[2]| add_n([{}])", vec!["x"; count].join(", "));
            if dtype == DType::Bool {
                assert!(complaint(&text).text.starts_with("`add_n`: takes a number"), "{text}");
            } else {
                assert_eq!(result_type(&text), format!("{dtype}[2]"), "{text}");
            }
        }
    }
}

#[test]
fn a_result_is_made_by_the_node_of_its_op() {
    for op in elementwise() {
        let dtype =
            match UNARY.iter().chain(BINARY).find(|(names, ..)| names.split(' ').any(|n| n == op.name)) {
                Some((_, BOOL, _)) => "bool",
                // Integers where they are taken: rounding them changes nothing, and still is a node.
                Some((_, INTEGERS | NUMBERS | ANY, _)) => "i32",
                _ => "f32",
            };
        let arguments: Vec<String> = op
            .params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Tensors => String::from("[x]"),
                ParamKind::Condition => String::from("true"),
                ParamKind::DType => String::from(dtype),
                _ => String::from("x"),
            })
            .collect();
        let text = format!("|x: {dtype}[2]| {}({})", op.name, arguments.join(", "));
        let graph = graph(&text);
        let node = graph.node(graph.value(graph.outputs[0].value).node);
        assert_eq!((node.op, node.name.as_str()), (op.kind, op.node), "{text}");
    }
}

#[test]
fn operators_are_the_ops_with_tensorflows_names() {
    let expected = [
        ("f32", "a + b", "AddV2", "add"),
        ("f32", "a - b", "Sub", "sub"),
        ("f32", "a * b", "Mul", "mul"),
        ("f32", "a / b", "RealDiv", "truediv"),
        ("f32", "a % b", "Mod", "mod"),
        ("f32", "-a", "Neg", "Neg"),
        ("f32", "a == b", "Equal", "Equal"),
        ("f32", "a != b", "NotEqual", "NotEqual"),
        ("f32", "a < b", "Less", "Less"),
        ("f32", "a <= b", "LessEqual", "LessEqual"),
        ("f32", "a > b", "Greater", "Greater"),
        ("f32", "a >= b", "GreaterEqual", "GreaterEqual"),
        ("bool", "a & b", "LogicalAnd", "and"),
        ("bool", "a | b", "LogicalOr", "or"),
        ("bool", "a ^ b", "LogicalXor", "xor"),
        ("bool", "!a", "LogicalNot", "LogicalNot"),
        ("i32", "a & b", "BitwiseAnd", "BitwiseAnd"),
        ("i32", "a | b", "BitwiseOr", "BitwiseOr"),
        ("i32", "a ^ b", "BitwiseXor", "BitwiseXor"),
        ("i32", "!a", "Invert", "Invert"),
        ("i32", "a << b", "LeftShift", "LeftShift"),
        ("i32", "a >> b", "RightShift", "RightShift"),
    ];
    for (dtype, expression, kind, name) in expected {
        let graph = graph(&format!("|a: {dtype}[2], b: {dtype}[2]| ({expression}, b)"));
        let node = graph.node(graph.value(graph.outputs[0].value).node);
        assert_eq!((node.op, node.name.as_str()), (kind, name), "{expression}");
    }
}
