//! The complete texts for the typical mistakes, and what they point at.

use super::{complaint, graph};

/// Program, the source under the error, its text, its help.
type Mistake = [&'static str; 4];

const CLASS: &str = "takes a number (any dtype but bool)";
const INTEGER: &str = "takes an integer (i32, i64 or u8)";
const FLOAT: &str = "takes a float (f32, f64, f16 or bf16)";
const SIZES: &str = "sizes are compared from the last axis; each pair must be equal or hold a 1";
const DIVISOR: &str = "write another divisor, or divide floats, where the result is infinity or NaN:";

#[track_caller]
fn assert_told(mistakes: &[Mistake]) {
    for [program, under, message, help] in mistakes {
        let complaint = complaint(program);
        let fill = |text: &str| {
            text.replace("NUMBER", CLASS)
                .replace("INTEGER", INTEGER)
                .replace("FLOAT", FLOAT)
                .replace("SIZES", SIZES)
                .replace("DIVISOR", DIVISOR)
        };
        let (message, help) = (fill(message), fill(help));
        let text = if help.is_empty() { message } else { format!("{message}\nhelp: {help}") };
        assert_eq!((complaint.under.as_str(), complaint.text), (*under, text), "{program}");
    }
}

#[test]
fn dtypes_differ() {
    assert_told(&[
        [
            "|a: f32[2], b: f64[2]| a + b",
            "+",
            "`add`: dtypes differ, `a` is f32[2] and `b` is f64[2]",
            "convert one of them: `cast(a, f64)`",
        ],
        [
            "|a: f32[2], n: i32[2]| add(a, n)",
            "n",
            "`add`: dtypes differ, `a` is f32[2] and `n` is i32[2]",
            "convert one of them: `cast(n, f32)`",
        ],
        [
            "|a: f16[2], b: bf16[2]| a * b",
            "*",
            "`mul`: dtypes differ, `a` is f16[2] and `b` is bf16[2]",
            "neither holds the other, convert both: `cast(a, f32)` and `cast(b, f32)`",
        ],
        [
            "|a: f32[2], b: i32[2]| (a * 2.0) + (b * 2)",
            "+",
            "`add`: dtypes differ, the left side is f32[2] and the right side is i32[2]",
            "convert the right side: `cast(…, f32)`",
        ],
        [
            "|a: f32[2], b: i32[2]| maximum(a, b * 2)",
            "b * 2",
            "`maximum`: dtypes differ, `a` is f32[2] and argument `y` is i32[2]",
            "convert one of them: `cast(y, f32)`",
        ],
        [
            "|a: u8[2], b: bool[2]| a == b",
            "==",
            "`equal`: dtypes differ, `a` is u8[2] and `b` is bool[2]",
            "convert one of them: `cast(b, u8)`",
        ],
        [
            "|a: i32[2], b: i64[2]| a << b",
            "<<",
            "`shift_left`: dtypes differ, `a` is i32[2] and `b` is i64[2]",
            "convert one of them: `cast(a, i64)`",
        ],
        [
            "|c: bool[2], a: f32[2], b: i32[2]| select(c, a, b)",
            "b",
            "`select`: dtypes differ, `a` is f32[2] and `b` is i32[2]",
            "convert one of them: `cast(b, f32)`",
        ],
        [
            "|a: f32[2], n: i32[2]| clip(a, n, 1.0)",
            "n",
            "`clip`: dtypes differ, `a` is f32[2] and `n` is i32[2]",
            "convert one of them: `cast(n, f32)`",
        ],
    ]);
}

#[test]
fn shapes_do_not_fit() {
    assert_told(&[
        [
            "|a: f32[2, 3], b: f32[2]| a + b",
            "+",
            "`add`: shapes do not fit, `a` is f32[2, 3] and `b` is f32[2]",
            "SIZES",
        ],
        [
            "|a: f32[2, 3], b: f32[2]| maximum(a, b)",
            "b",
            "`maximum`: shapes do not fit, `a` is f32[2, 3] and `b` is f32[2]",
            "SIZES",
        ],
        [
            "|a: f32[2, 3]| a + [1, 2]",
            "+",
            "`add`: shapes do not fit, `a` is f32[2, 3] and the right side is f32[2]",
            "SIZES",
        ],
        [
            "|c: bool[2], a: f32[3], b: f32[3]| select(c, a, b)",
            "c",
            "`select`: shapes do not fit, `c` is bool[2], and the sides are [3] together",
            "SIZES",
        ],
        [
            "|a: f32[2], b: f32[3]| add_n([a, b])",
            "b",
            "`add_n`: the tensors differ, the first is f32[2] and number 2 is f32[3]",
            "all tensors of the sum have one dtype and shape",
        ],
        ["add_n([])", "[]", "`add_n`: the list is empty", "a sum needs at least one tensor"],
    ]);
}

#[test]
fn results_can_be_too_large() {
    assert_told(&[
        [
            "|a: u8[1099511627776, 1], b: u8[1, 1099511627776]| a + b",
            "b",
            "`add`: u8[1099511627776, 1099511627776] has more than 2^63 bytes",
            "",
        ],
        [
            "|x: u8[2000000000, 1, 1], y: u8[2000000000, 1], z: u8[2000000000]| clip(x, y, z)",
            "z",
            "`clip`: u8[2000000000, 2000000000, 2000000000] has more than 2^63 bytes",
            "",
        ],
        [
            "|c: bool[2000000000, 1, 1], x: u8[2000000000, 1], y: u8[2000000000]| select(c, x, y)",
            "c",
            "`select`: u8[2000000000, 2000000000, 2000000000] has more than 2^63 bytes",
            "",
        ],
        [
            "|a: u8[4611686018427387904]| cast(a, f64)",
            "a",
            "`cast`: f64[4611686018427387904] has more than 2^63 bytes",
            "",
        ],
        [
            "|a: f16[4000000000000000000]| sigmoid(a)",
            "a",
            "`sigmoid`: f32[4000000000000000000] has more than 2^63 bytes",
            "",
        ],
    ]);
}

#[test]
fn bools_are_no_numbers() {
    assert_told(&[
        ["|a: i32[2], b: bool[2]| a + b", "b", "`add`: NUMBER; `b` is bool[2]", "convert it: `cast(b, i32)`"],
        ["|b: bool[2], a: f32[2]| b * a", "b", "`mul`: NUMBER; `b` is bool[2]", "convert it: `cast(b, f32)`"],
        [
            "|a: bool[2], b: bool[2]| a + b",
            "a",
            "`add`: NUMBER; `a` is bool[2]",
            "convert it: `cast(a, i32)`, or use a logical op",
        ],
        [
            "|a: bool[2]| -a",
            "a",
            "`neg`: NUMBER; `a` is bool[2]",
            "convert it: `cast(a, i32)`, or use a logical op",
        ],
        [
            "|a: bool[2], b: bool[2]| a < b",
            "a",
            "`less`: NUMBER; `a` is bool[2]",
            "convert it: `cast(a, i32)`, or use a logical op",
        ],
        ["|a: bool[2]| sqrt(a)", "a", "`sqrt`: FLOAT; `a` is bool[2]", "convert it: `cast(a, f32)`"],
        [
            "|a: bool[2]| add_n([a])",
            "a",
            "`add_n`: NUMBER; the first tensor is bool[2]",
            "convert them: `cast(x, i32)`, or use `|`",
        ],
        [
            "|a: bool[2]| bitwise_not(a)",
            "a",
            "`bitwise_not`: INTEGER; `a` is bool[2]",
            "use `logical_not` for bools",
        ],
        [
            "|a: bool[2]| bitwise_xor(a, a)",
            "a",
            "`bitwise_xor`: INTEGER; `a` is bool[2]",
            "use `logical_xor` for bools",
        ],
    ]);
}

#[test]
fn numbers_are_no_bools() {
    assert_told(&[
        [
            "|a: i32[2]| logical_not(a)",
            "a",
            "`logical_not`: takes bool; `a` is i32[2]",
            "compare it: `a != 0`; `& | ^ !` work on the bits of integers",
        ],
        [
            "|a: i32[2], b: bool[2]| a & b",
            "a",
            "`logical_and`: takes bool; `a` is i32[2]",
            "compare it: `a != 0`; `& | ^ !` work on the bits of integers",
        ],
        [
            "|a: f32[2], b: f32[2]| (a > 0.0) & b",
            "b",
            "`logical_and`: takes bool; `b` is f32[2]",
            "compare it: `b != 0.0`",
        ],
        [
            "|c: f32[2]| select(c, 1.0, 2.0)",
            "c",
            "`select`: takes bool; `c` is f32[2]",
            "compare it: `c != 0.0`",
        ],
    ]);
}

#[test]
fn floats_have_no_bits() {
    assert_told(&[
        [
            "|a: f32[2]| !a",
            "a",
            "`bitwise_not`: INTEGER; `a` is f32[2]",
            "`!` takes bools and integers; compare first: `a == 0.0`",
        ],
        [
            "|a: f32[2]| !(a * 2.0)",
            "a * 2.0",
            "`bitwise_not`: INTEGER; the operand is f32[2]",
            "`!` takes bools and integers; compare first: `… == 0.0`",
        ],
        [
            "|a: f32[2], b: f32[2]| a & b",
            "a",
            "`bitwise_and`: INTEGER; `a` is f32[2]",
            "`& | ^` take bools and integers; put comparisons in parentheses: `(a > 0.0) & …`",
        ],
        [
            "|a: i32[2], b: f32[2]| bitwise_or(a, b)",
            "b",
            "`bitwise_or`: INTEGER; `b` is f32[2]",
            "convert it: `cast(b, i32)`",
        ],
        ["|a: f32[2]| a << 1", "a", "`shift_left`: INTEGER; `a` is f32[2]", "convert it: `cast(a, i32)`"],
        ["|a: i32[2]| exp(a)", "a", "`exp`: FLOAT; `a` is i32[2]", "convert it: `cast(a, f32)`"],
    ]);
}

#[test]
fn literals_that_do_not_fit() {
    assert_told(&[
        [
            "|a: u8[2]| a + 300",
            "300",
            "300 does not fit in u8 (0 to 255)",
            "i32 holds it: write `300i32`, and convert the u8 tensor beside it: `cast(x, i32)`",
        ],
        [
            "|a: u8[2]| a << -1",
            "-1",
            "-1 does not fit in u8 (0 to 255)",
            "i32 holds it: write `-1i32`, and convert the u8 tensor beside it: `cast(x, i32)`",
        ],
        [
            "|a: i32[2]| a * 3000000000",
            "3000000000",
            "3000000000 does not fit in i32 (-2147483648 to 2147483647)",
            "i64 holds it: write `3000000000i64`, and convert the i32 tensor beside it: `cast(x, i64)`",
        ],
        [
            "|a: i64[2]| a + 99999999999999999999",
            "99999999999999999999",
            "99999999999999999999 does not fit in i64 (-9223372036854775808 to 9223372036854775807)",
            "",
        ],
        [
            "|a: i32[2]| a + 1.5",
            "1.5",
            "1.5 is not a whole number, and i32 is needed",
            "write a whole number, or convert the i32 tensor beside it: `cast(x, f32)`",
        ],
        [
            "|a: i32[2]| clip(a, 0.0, 6.0)",
            "0.0",
            "0.0 is not a whole number, and i32 is needed",
            "write a whole number, or convert the i32 tensor beside it: `cast(x, f32)`",
        ],
        [
            "|a: f32[2]| a + 1f64",
            "1f64",
            "this number is f64, and f32 is needed beside it",
            "leave the type of the number out, or write `cast(constant(…), f32)`",
        ],
        [
            "|a: f16[2]| a * 70000",
            "70000",
            "70000.0 is too large for f16",
            "write `f16::INFINITY` if that is meant",
        ],
        [
            "|a: f32[2]| a + true",
            "true",
            "this is a bool, and f32 is needed",
            "write a number, or `cast(x, f32)` for a tensor of bools",
        ],
        [
            "|a: bool[2]| a & 1",
            "1",
            "this is a number, and bool is needed",
            "write `true` or `false`, or compare: `x != 0`",
        ],
        [
            "select(1, 2, 3)",
            "1",
            "this is a number, and bool is needed",
            "write `true` or `false`, or compare: `x != 0`",
        ],
    ]);
}

#[test]
fn zero_divisors_that_are_known() {
    assert_told(&[
        ["|a: i32[2]| a / 0", "0", "`div`: the right side is 0", "DIVISOR `cast(a, f32)`"],
        [
            "|a: i32[2]| a % [1, 0]",
            "[1, 0]",
            "`rem`: the right side has a 0 among its elements",
            "DIVISOR `cast(a, f32)`",
        ],
        ["|a: i32[2]| floor_div(a, 0)", "0", "`floor_div`: argument `y` is 0", "DIVISOR `cast(a, f32)`"],
        [
            "|a: u8[2]| floor_mod(a, [3, 0])",
            "[3, 0]",
            "`floor_mod`: argument `y` has a 0 among its elements",
            "DIVISOR `cast(a, f32)`",
        ],
        [
            "|a: i64[2]| a / broadcast_to(constant(0i64), [2])",
            "broadcast_to(constant(0i64), [2])",
            "`div`: the right side is 0",
            "DIVISOR `cast(a, f32)`",
        ],
        [
            "|a: i32[2]| { let z = zeros([2], dtype = i32); a / z }",
            "z",
            "`div`: `z` is 0",
            "DIVISOR `cast(a, f32)`",
        ],
        ["|a: i32[2]| (a + 1) / 0", "0", "`div`: the right side is 0", "DIVISOR `cast(…, f32)`"],
    ]);
}

#[test]
fn divisors_that_are_no_mistake() {
    for divisor in ["1", "[1, -256]", "256", "65536", "b", "b - b", "cast(false, i32)"] {
        graph(&format!("|a: i32[2], b: i32[2]| (a / {divisor}, a % {divisor}, b)"));
    }
    // A float divided by zero is infinite or NaN, as the user may want.
    for dtype in ["f32", "f64", "f16", "bf16"] {
        graph(&format!("|a: {dtype}[2]| (a / 0, a % [0, 1], floor_div(a, 0.0), floor_mod(a, -0.0))"));
    }
}

#[test]
fn negative_shift_counts_that_are_known() {
    assert_told(&[
        [
            "|a: i32[2]| a << -1",
            "-1",
            "`shift_left`: the count is negative: -1",
            "shift to the right instead: `a >> 1`",
        ],
        [
            "|a: i64[2]| shift_right(a, [1, -3])",
            "[1, -3]",
            "`shift_right`: one of the counts is negative: -3",
            "shift these elements to the left, and choose with `select`",
        ],
    ]);
    // The width and more are no mistake, nor is what is not known here.
    graph("|a: i32[2], b: i32[2]| (a << 0, a << 32, a >> [31, 2147483647], a << b)");
    graph("|a: u8[2]| (a << 8, a >> [128, 255])");
}

#[test]
fn casts_to_what_is_no_dtype() {
    assert_told(&[
        [
            "|a: f32[2]| cast(a)",
            "cast",
            "`cast`: argument `dtype` is missing",
            "it is called `cast(x, dtype)`",
        ],
        [
            "|a: f32[2]| cast(a, 32)",
            "32",
            "`cast`: `dtype` takes a dtype, such as f32, and this is a number",
            "",
        ],
        [
            "|a: f32[2]| cast(a, int32)",
            "int32",
            "there is no tensor called `int32` here",
            "did you mean the dtype `i32`?",
        ],
        [
            "|a: f32[2]| cast(a, u16)",
            "u16",
            "there is no tensor called `u16` here",
            "`u16` is no dtype here; the whole ones are i32, i64 and u8",
        ],
    ]);
}
