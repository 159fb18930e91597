//! Each kind of node as a tree.

use super::{expression, tree};

#[test]
fn operators_bind_as_in_rust() {
    for (source, wanted) in [
        ("a + b * c - d", "(- (+ a (* b c)) d)"),
        ("a * b / c % d", "(% (/ (* a b) c) d)"),
        ("a << b + c", "(<< a (+ b c))"),
        ("a & b ^ c | d", "(| (^ (& a b) c) d)"),
        ("a + b == c * d", "(== (+ a b) (* c d))"),
        ("-a.abs() * b", "(* (- (.abs a)) b)"),
        ("!a & !b", "(& (! a) (! b))"),
        ("- - a", "(- (- a))"),
        ("(a + b) * c", "(* (+ a b) c)"),
        ("a != b", "(!= a b)"),
        ("a >= b", "(>= a b)"),
    ] {
        assert_eq!(expression(source), wanted, "{source}");
    }
}

#[test]
fn operands_and_what_follows_them() {
    for (source, wanted) in [
        ("1", "1"),
        ("2.5f64", "2.5'f64"),
        ("f32::NAN", "f32::NAN"),
        ("true", "true"),
        ("[1, 2, 3]", "[1 2 3]"),
        ("[]", "[]"),
        ("(a, b)", "(tuple a b)"),
        ("(a,)", "(tuple a)"),
        ("a.0", "(.0 a)"),
        ("f(a, axis = 1)", "(f a axis=1)"),
        ("a.sum(axis = -1).relu()", "(.relu (.sum a axis=(- 1)))"),
        ("constant(super::W: f32[2, 3])", "(constant (typed super::W f32[2 3]))"),
    ] {
        assert_eq!(expression(source), wanted, "{source}");
    }
}

#[test]
fn slices() {
    for (source, wanted) in [
        ("x[0]", "(index x 0)"),
        ("x[0, 1..3]", "(index x 0 1..3)"),
        ("x[.., ..;-1]", "(index x .. ..;(- 1))"),
        ("x[1..=2, ...]", "(index x 1..=2 ...)"),
        ("x[..3;2]", "(index x ..3;2)"),
    ] {
        assert_eq!(expression(source), wanted, "{source}");
    }
}

#[test]
fn blocks_with_braces_and_with_angle_brackets_are_the_same() {
    for (braces, angles) in [
        (r#"device("/gpu:0") { x }"#, r#"device("/gpu:0") < x >"#),
        (r#"device("/gpu:0") { let y = x; y + y }"#, r#"device("/gpu:0") < let y = x; y + y >"#),
        (r#"device("/gpu:0") { device("/gpu:1") { x } }"#, r#"device("/gpu:0") < device("/gpu:1") < x >>"#),
        (r#"device("/gpu:0") { (x > y) }"#, r#"device("/gpu:0") < (x > y) >"#),
        (r#"device("/gpu:0") { x == y }"#, r#"device("/gpu:0") < x == y >"#),
        (r#"device("/gpu:0") { f([x > y]) }"#, r#"device("/gpu:0") < f([x > y]) >"#),
        (r#"device("/gpu:0") { x }.relu() + 1"#, r#"device("/gpu:0") < x >.relu() + 1"#),
        (r#"device(none) { x }"#, r#"device(none) < x >"#),
    ] {
        assert_eq!(expression(angles), expression(braces), "{angles}");
    }
}

#[test]
fn loops_scopes_and_ties() {
    for (source, wanted) in [
        (
            r#"for d in ["/gpu:0", "/gpu:1"] { device(d) { x } }"#,
            r#"(for d ["/gpu:0" "/gpu:1"] {(device d {x})})"#,
        ),
        ("for i in 0..4 { x }", "(for i (.. 0 4) {x})"),
        ("for i in 1..=N { x }", "(for i (..= 1 N) {x})"),
        ("for (i, p) in pairs { p }", "(for (i p) pairs {p})"),
        (r#"scope("t_{i}") { x }"#, r#"(scope "t_{i}" {x})"#),
        ("colocate_with(y) { x }", "(colocate_with y {x})"),
    ] {
        assert_eq!(expression(source), wanted, "{source}");
    }
}

#[test]
fn statements_attributes_and_comments() {
    assert_eq!(
        tree(
            "|x: f32[2]| {
                // a comment
                #[allow(unused)] let y = x; /* another */
                let (a, b) = (x, y);
                let c: f32[2] = a;
                const N: usize = 2;
                budget(\"/gpu:0\", 64 MiB);
                c
            }"
        ),
        "(graph |x: f32[2]| {(#[allow(unused)] let y x); (let (a b) (tuple x y)); (let c : f32[2] a); (const N 2); (budget \"/gpu:0\" 67108864); c})"
    );
}

#[test]
fn results_and_entries() {
    assert_eq!(
        tree(
            "pub mod m { fn h(x) { x } pub fn f(x: f32[]) -> (a: f32, b: i32[2]) { (a: h(x), b: [1, 2]) } }"
        ),
        "(mod pub m (fn h |x| {x}) (pub fn f |x: f32| -> (a: f32 b: i32[2]) {(named a: (h x) b: [1 2])}))"
    );
    assert_eq!(tree("crate = my::rt; |x: f32| x"), "(crate my::rt) (graph |x: f32| {x})");
}
