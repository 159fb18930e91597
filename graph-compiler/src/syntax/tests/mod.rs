//! Programs to trees, mistakes to messages and places.

mod errors;
mod random;
mod trees;

use super::parse;
use crate::Diagnostics;
use proc_macro2::TokenStream;

/// The tree of a program without mistakes.
fn tree(source: &str) -> String {
    let mut diagnostics = Diagnostics::default();
    let tokens: TokenStream = source.parse().expect("the test's source has tokens");
    let program = parse(tokens, &mut diagnostics);
    let errors: Vec<String> = diagnostics.errors().iter().map(|error| error.text()).collect();
    assert!(errors.is_empty(), "{source}\n{errors:#?}");
    program.expect("a tree, since there are no errors").to_string()
}

/// The tree of an expression alone.
fn expression(source: &str) -> String {
    let whole = tree(source);
    let inner = whole.strip_prefix("(graph || {").and_then(|rest| rest.strip_suffix("})"));
    inner.unwrap_or_else(|| panic!("{source} is not an expression: {whole}")).to_string()
}

/// `line:column: text` of each mistake of a program.
fn mistakes(source: &str) -> Vec<String> {
    let mut diagnostics = Diagnostics::default();
    let tokens: TokenStream = source.parse().expect("the test's source has tokens");
    parse(tokens, &mut diagnostics);
    let line = |error: &crate::Diagnostic| {
        let start = error.span.start();
        format!("{}:{}: {}", start.line, start.column + 1, error.text().replace('\n', " | "))
    };
    diagnostics.errors().iter().map(line).collect()
}

#[test]
fn guide_expression_form() {
    assert_eq!(
        tree(
            r#"let a = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], name = "a");
               let b = constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name = "b");
               matmul(a, b)"#
        ),
        r#"(graph || {(let a (constant [[1.0 2.0 3.0] [4.0 5.0 6.0]] name="a")); (let b (constant [[1.0 2.0] [3.0 4.0] [5.0 6.0]] name="b")); (matmul a b)})"#
    );
    assert_eq!(
        tree("|x: f32[2, 3], y: f32[3, 2]| matmul(x, y)"),
        "(graph |x: f32[2 3], y: f32[3 2]| {(matmul x y)})"
    );
    assert_eq!(expression("a + b * c"), "(+ a (* b c))");
}

#[test]
fn guide_module_form() {
    assert_eq!(
        tree(
            r#"pub mod mlp {
                const BATCH: usize = 64;
                var w: f32[784, 10] = glorot_uniform(seed = 1);
                var b: f32[10] = zeros();

                fn logits(x) { matmul(x, w) + b }

                pub fn predict(x: f32[BATCH, 784]) -> f32[BATCH, 10] { softmax(logits(x)) }
                pub fn train(x: f32[BATCH, 784], y: i32[BATCH]) -> f32 {
                    let loss = mean(sparse_softmax_cross_entropy(logits(x), y));
                    for v in [w, b] { v -= 0.1 * grad(loss, v); }
                    loss
                }
            }"#
        ),
        "(mod pub mlp (const BATCH 64) (var w f32[784 10] (glorot_uniform seed=1)) (var b f32[10] (zeros)) \
         (fn logits |x| {(+ (matmul x w) b)}) \
         (pub fn predict |x: f32[BATCH 784]| -> f32[BATCH 10] {(softmax (logits x))}) \
         (pub fn train |x: f32[BATCH 784], y: i32[BATCH]| -> f32 \
         {(let loss (mean (sparse_softmax_cross_entropy (logits x) y))); \
         (for v [w b] {(-= v (* 0.1 (grad loss v)));}); loss}))"
    );
}
