//! What syntax mistakes are called, and where.

use super::mistakes;

#[test]
fn one_mistake_each() {
    for (source, wanted) in ERRORS {
        assert_eq!(mistakes(source), [*wanted], "{source}");
    }
}

#[test]
fn several_mistakes_are_reported_once_each() {
    let found =
        mistakes("|x: f32[2]| {\n let a = x as f64;\n let mut b = x;\n let c = x && x;\n a + b + c\n}");
    let places: Vec<&str> = found.iter().map(|text| text.split(": ").next().unwrap_or_default()).collect();
    assert_eq!(places, ["2:12", "3:6", "4:12"], "{found:#?}");
}

const ERRORS: &[(&str, &str)] = &[
    ("|x: f32[2]| x @ x", "1:15: there is no operator `@` | help: write `matmul(x, x)`"),
    ("|x: f32[2]| x as f64", "1:15: there is no `as` in a graph | help: write `cast(x, f64)`"),
    (
        "|x: bool[2]| x && x",
        "1:16: there is no `&&`: both sides are always computed | help: use `&`: `x & x`",
    ),
    (
        "|x: bool[2]| x || x",
        "1:16: there is no `||`: both sides are always computed | help: use `|`: `x | x`",
    ),
    (
        "|x: f32[2]| 0.0 < x < 1.0",
        "1:21: comparisons do not chain | help: compare twice and join with `&`: `(a < b) & (b < c)`",
    ),
    (
        "|x: f32[2]| relu(&x)",
        "1:18: there are no references in a graph | help: write the value alone, without `&`",
    ),
    (
        "|x: f32[2]| *x",
        "1:13: there is nothing to dereference in a graph | help: write the value alone, without `*`",
    ),
    ("|x: f32[2]| x +", "1:15: expected an expression, found the end of the graph"),
    (
        "|x: f32[2]| { let mut y = x; y }",
        "1:19: a value of a graph never changes, there is no `mut` | help: write `let` again under the same name; state that lives from run to run is a `var` of the module",
    ),
    (
        "|x: f32[2]| { return x; }",
        "1:15: there is no `return` | help: the last expression, without `;`, is the value",
    ),
    (
        "|x: f32[2]| { if x { x } else { x } }",
        "1:15: there is no `if`: a graph has no branches | help: compute both and choose: `select(condition, a, b)`",
    ),
    (
        "|x: f32[2]| { while x { x } }",
        "1:15: a graph has no loop that is decided at run time | help: `for i in 0..4 { … }` is unrolled at build time; loop around the run in Rust for more",
    ),
    (
        "|x: f32[2]| { match x { } }",
        "1:15: there is no `match`: a graph has no branches | help: compute the cases and choose: `select(condition, a, b)`",
    ),
    (
        "|x: f32[2]| { x + x x }",
        "1:19: `;` is missing behind this, before `x` | help: end the statement with `;`",
    ),
    (
        r##"|x: f32[2]| device("/gpu:0") < x + x"##,
        "1:30: this block is never closed: `device(…) <` has no `>` | help: write `>` behind its last line, or use braces: `{ … }`",
    ),
    (
        r##"|x: f32[2]| device("/gpu:0") < x > 0.0 >"##,
        "1:34: `>` stands bare in a block `< … >`, where `>` closes the block | help: put the comparison in parentheses: `(a > b)`, or write the block with braces",
    ),
    (
        r##"|x: f32[2]| device("/gpu:0") < x < x >"##,
        "1:34: `<` stands bare in a block `< … >`, where `>` closes the block | help: put the comparison in parentheses: `(a < b)`, or write the block with braces",
    ),
    (
        "|x: f32[2]| device() { x }",
        r##"1:20: expected a device: a string such as `"/device:GPU:0"`, a loop variable, or `none`, found `)`"##,
    ),
    (
        "|x: f32[2]| device(3) { x }",
        r##"1:20: expected a device: a string such as `"/device:GPU:0"`, a loop variable, or `none`, found `3`"##,
    ),
    (
        r##"|x: f32[2]| device("/gpu:0") x"##,
        "1:30: expected `{`, found `x` | help: `device(…)` needs a block: `device(…) { … }`",
    ),
    ("|x: f32[2]| scope(a) { x }", "1:19: expected the name of the scope, a string, found `a`"),
    (
        "|x: f32[2]| for i { x }",
        "1:17: `i` can't be matched: there are no structs here | help: take a tuple or list apart with `(a, b)`",
    ),
    ("|x: f32[2]| for i in 0.. { x }", "1:30: expected `{`, found the end of the graph"),
    ("|x: f32[2]| x[0..=]", "1:19: expected the last position, behind `..=`, found `]`"),
    ("|x: f32[2]| x[;2]", "1:15: expected an expression, found `;`"),
    (
        "|x: f32[2]| sum(x, axis: 1)",
        "1:26: expected a type, found `1` | help: a type is a dtype and a shape: `f32[2, 3]`; a scalar is `f32`",
    ),
    ("|x: f32[2]| sum(x, axis = )", "1:27: expected an expression, found `)`"),
    (
        "|x: f32| x.foo",
        "1:12: values have no field `foo` | help: an op is called: `.foo()`; entries of a tuple or list are `.0`, `.1`",
    ),
    ("|x| x", "1:2: the input `x` needs a type | help: write its dtype and shape: `x: f32[2, 3]`"),
    ("|x: f32[2] x", "1:12: expected `,` or `|`, found `x`"),
    (
        "|x: f32[BATCH <= 64]| x",
        "1:15: a bounded size (`BATCH <= …`) is reserved: it isn't part of the language yet | help: write several sizes as several entries from one helper: `pub fn predict_1(x: f32[1, 784]) { head(x) }`",
    ),
    (r##"|x: f32[2]| { budget("/gpu:0"); x }"##, "1:30: expected `,`, found `)`"),
    (
        "|x: f32[2]| { let y: f32[2]; y }",
        "1:28: expected `=`, found `;` | help: a value is given where it is declared: `let x = …;`",
    ),
    ("mod m { fn }", "1:12: expected the name of the function, found `}`"),
    (
        "mod m { struct A; }",
        "1:9: a graph has no types of its own | help: several results are a tuple `(a, b)`, or named: `(first: a, second: b)`",
    ),
    (
        "mod m { pub fn f(x) -> f32 { x } }",
        "1:18: the input `x` needs a type | help: write its dtype and shape: `x: f32[2, 3]`",
    ),
    ("mod m { pub fn f(x: f32[2]) }", "1:29: expected `{`, the body of the function, found `}`"),
    (
        "mod m { var w: f32[2]; }",
        "1:13: the variable `w` needs a first value | help: write `var w: … = zeros();`",
    ),
    ("mod { }", "1:5: expected the name of the module, found `{`"),
    (
        "'c'",
        "1:1: a graph has no literals of this kind | help: numbers, `true`, `false` and plain strings are literals; a byte is `65u8`",
    ),
    (
        "|x: f32[2]| vec![x]",
        "1:13: Rust's macros can't be called in a graph: `vec!` | help: a list is `[a, b, c]`",
    ),
    (
        "|x: f32[2]| |y| y",
        "1:13: there are no closures in a graph | help: write a helper in the module: `fn name(x) { … }`",
    ),
    (
        "|x: f32[2]| x?",
        "1:14: there is no `?`: nothing inside a graph returns an error | help: leave it out; running the graph returns a `Result`",
    ),
    (
        "|x: f32[2]| async { x }",
        "1:13: there is no `async` in a graph | help: leave it out: the plan runs what it can at once",
    ),
    (
        "#[test] |x: f32[2]| x",
        "1:1: an attribute has no effect here | help: attributes stand on the module, on functions and on `let`",
    ),
];
