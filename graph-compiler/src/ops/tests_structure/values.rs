//! Exact values: the example of every row, and the edges.

use graph_ir::DType;

use super::evaluate::{Tensor, evaluate};
use super::graph;

/// The ops whose primitives the evaluator of these tests knows.
fn rows() -> impl Iterator<Item = &'static crate::ops::Op> {
    use crate::ops::{constants, index, join, network, range, reduce, shape};
    [constants::OPS, range::OPS, reduce::OPS, shape::OPS, join::OPS, network::OPS, index::OPS]
        .into_iter()
        .flatten()
}

fn run(text: &str) -> (DType, Tensor) {
    let graph = graph(text);
    let results = evaluate(&graph).unwrap_or_else(|index| panic!("{text}: index {index}"));
    (graph.ty(graph.outputs[0].value).dtype, results[0].clone())
}

/// The first result of `text` is `value`, a literal.
fn check(text: &str, value: &str) {
    let (dtype, result) = run(text);
    let (_, expected) = run(&format!("constant({value}, dtype = {dtype})"));
    assert_eq!(result, expected, "{text}");
}

#[test]
fn the_example_of_each_row_is_right() {
    for op in rows() {
        assert!(
            op.example.graph.contains(&format!("{}(", op.name)),
            "{}: the example is of another op",
            op.name
        );
        check(op.example.graph, op.example.value);
    }
}

#[test]
fn reductions() {
    check("sum([[1, 2], [3, 4]])", "10");
    check("sum([[1, 2], [3, 4]], keepdims = true)", "[[10]]");
    check("sum([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [0, -1])", "[14, 22]");
    check("sum(zeros([0, 2]), 0)", "[0.0, 0.0]");
    check("prod(zeros([2, 0]), 1)", "[1.0, 1.0]");
    check("mean(zeros([2, 0]), 1)", "[f32::NAN, f32::NAN]");
    check("mean([1.0, 2.0], axis = [])", "[1.0, 2.0]");
    check("any(zeros([0], dtype = bool))", "false");
    check("all(zeros([0], dtype = bool))", "true");
    check("max([1.0, f32::NAN, 3.0])", "f32::NAN");
    check("min([[1.0, f32::NEG_INFINITY], [f32::INFINITY, 2.0]], 1)", "[f32::NEG_INFINITY, 2.0]");
    check("max(5)", "5");
    // 65504 is the largest f16: the sum passes it and the mean comes back.
    check("mean([65504f16, 65504.0])", "65504.0");
    check("sum([65504f16, 65504.0, -65504.0])", "65504.0");
    check("sum(fill([300], 1u8))", "44");
}

#[test]
fn positions_of_extremes() {
    check("argmax([[1, 9], [9, 2]])", "1");
    check("argmax([[1, 9], [9, 2]], keepdims = true)", "[[1]]");
    check("argmax([[1, 9], [9, 2]], axis = 0, keepdims = true)", "[[1, 0]]");
    check("argmax([1.0, f32::NAN, 3.0, f32::NAN])", "1");
    check("argmin([1.0, f32::NAN, -3.0])", "1");
    check("argmax([false, true, true])", "1");
    check("argmin([true, true, false])", "2");
    check("argmax(7.0)", "0");
}

#[test]
fn shapes() {
    check("transpose([[[1, 2], [3, 4], [5, 6]]], [1, 2, 0])", "[[[1], [2]], [[3], [4]], [[5], [6]]]");
    check("reverse([[1, 2], [3, 4]])", "[[4, 3], [2, 1]]");
    check("reverse([[1, 2], [3, 4]], -2)", "[[3, 4], [1, 2]]");
    check("tile([[1], [2]], [2, 3])", "[[1, 1, 1], [2, 2, 2], [1, 1, 1], [2, 2, 2]]");
    check("broadcast_to([[1], [2]], [2, 2, 2])", "[[[1, 1], [2, 2]], [[1, 1], [2, 2]]]");
    check("concat([[[1, 2]], [[3, 4]]], axis = -1)", "[[1, 2, 3, 4]]");
    check("stack([1.5, 2.5])", "[1.5, 2.5]");
    check("split([1, 2, 3, 4, 5], [1, -1])[1]", "[2, 3, 4, 5]");
    check("split([[1, 2, 3, 4]], 2, axis = 1)[1]", "[[3, 4]]");
    check("slice([1, 2, 3, 4, 5], -1, 0, step = -2)", "[5, 3]");
    check("pad([[1]], [[1, 0], [0, 2]])", "[[0, 0, 0], [1, 0, 0]]");
    check("pad(zeros([0, 1], dtype = i32), [[1, 1], [0, 1]], value = 7)", "[[7, 7], [7, 7]]");
    check("pad([true], [[1, 1]])", "[false, true, false]");
}

#[test]
fn networks() {
    let nan = "[f32::NAN, f32::NAN]";
    for op in ["softmax", "log_softmax", "layer_norm"] {
        check(&format!("{op}([f32::NAN, 1.0])"), nan);
        check(&format!("{op}([f32::INFINITY, 1.0])"), nan);
        check(&format!("{op}([f32::NEG_INFINITY, f32::NEG_INFINITY])"), nan);
    }
    check("softmax([f32::NEG_INFINITY, 1.0])", "[0.0, 1.0]");
    check("softmax([[1e30, 0.0], [1e30, 0.0]], axis = 0)", "[[0.5, 0.5], [0.5, 0.5]]");
    check("softmax([5.0])", "[1.0]");
    check("log_softmax([5.0])", "[0.0]");
    // The squares pass the range of f16, the result does not.
    check("layer_norm([1000f16, -1000.0])", "[1.0, -1.0]");
    check(
        "layer_norm([[1.0, 5.0], [3.0, 1.0]], [1.0, 10.0], axis = 0, epsilon = 0)",
        "[[-1.0, 1.0], [10.0, -10.0]]",
    );
    check("layer_norm([2.0, 2.0], bias = 3.0)", "[3.0, 3.0]");
    check("layer_norm([2.0, 2.0], epsilon = 0.0)", nan);
    check("layer_norm([1.0, 3.0], epsilon = 3)", "[-0.5, 0.5]");
}

#[test]
fn indexing() {
    check("one_hot([[1], [0]], 2, dtype = i32)", "[[[0, 1]], [[1, 0]]]");
    check("one_hot(1, 3, bool)", "[false, true, false]");
    check("gather([[1, 2], [3, 4]], 1)", "[3, 4]");
    check("gather([[1, 2], [3, 4]], [1, 1, 0], axis = -1)", "[[2, 2, 1], [4, 4, 3]]");
    check("gather([10, 20, 30], [[0, 2], [1, 1]])", "[[10, 30], [20, 20]]");
    check("cumsum([1, 2, 3], exclusive = true)", "[0, 1, 3]");
    check("cumsum([1, 2, 3], reverse = true)", "[6, 5, 3]");
    check("cumsum([1, 2, 3], exclusive = true, reverse = true)", "[5, 3, 0]");
    check("cumsum([[1, 2], [3, 4]])", "[[1, 2], [4, 6]]");
    check("cumsum([1.0, f32::NAN, 3.0])", "[1.0, f32::NAN, f32::NAN]");
}

#[test]
fn an_index_that_is_computed_is_checked_at_run_time() {
    for (text, index) in [
        ("gather([1, 2], argmax([1, 2, 3]))", 2),
        ("one_hot(argmax([1, 2, 3]), 2)", 2),
        ("gather([1, 2], sum([-1, 0]))", -1),
    ] {
        assert_eq!(evaluate(&graph(text)), Err(index), "{text}");
    }
}

#[test]
fn ranges() {
    check("range(4)", "[0, 1, 2, 3]");
    check("range(5, 0, -2)", "[5, 3, 1]");
    check("range(5, 0, -2, dtype = u8)", "[5, 3, 1]");
    check("range(1)", "[0]");
    check("range(1.0, 2.0, 0.25)", "[1.0, 1.25, 1.5, 1.75]");
    check("range(0, 1, 0.25, dtype = f16)", "[0.0, 0.25, 0.5, 0.75]");
    // Each element is rounded once, no error adds up.
    check("range(0, 1, 0.1)", "[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]");
    check("range(i64::MIN, i64::MAX, step = i64::MAX)", "[-9223372036854775808, -1, 9223372036854775806]");
    check("range(-2147483648, 2147483647, step = 2147483647)", "[-2147483648, -1, 2147483646]");
}

#[test]
fn a_huge_range_is_computed_by_the_device_in_f64() {
    let stands_in_the_program = |text: &str| !graph(text).constants.is_empty();
    assert!(stands_in_the_program("range(0, 1048576, 1.0)"));
    assert!(!stands_in_the_program("range(0, 1048577, 1.0)"));
    let primitives = graph("range(7, 1048584, 1.0)").to_string();
    let expected = "graph graph\n  \
        %0: f64[1048577] = Iota { axis: 0 }  // range (Range)\n  \
        %1: f64[1048577] = Fill(Float(1.0))  // range (Range)\n  \
        %2: f64[1048577] = Binary(Mul, %0, %1)  // range (Range)\n  \
        %3: f64[1048577] = Fill(Float(7.0))  // range (Range)\n  \
        %4: f64[1048577] = Binary(Add, %2, %3)  // range (Range)\n  \
        %5: f32[1048577] = Cast(%4)  // range (Range)\n  \
        return [%5]\n";
    assert_eq!(primitives, expected);
}

#[test]
fn constants() {
    check("eye(3)", "[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]");
    check("eye(1, 2, bool)", "[[true, false]]");
    check("ones(2, dtype = bool)", "[true, true]");
    check("fill([2], f64::NEG_INFINITY)", "[f64::NEG_INFINITY, f64::NEG_INFINITY]");
    check("fill([], -3)", "-3");
}
