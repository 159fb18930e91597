//! The macro's input: no tokens panic the compiler, and whatever it prints is Rust tokens again.
//!
//! Even first byte: the rest is program text. Odd: each byte is a word of the language, so that whole programs come up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

const WORDS: &[&str] = &[
    "a", "b", "x", "y", "i", "d", "n", "N", "f", "g", "(", ")", "[", "]", "{", "}", "<", ">", "|", ",", ";", ":", "=", ".",
    "..", "..=", "-", "+", "*", "/", "%", "==", "!=", "<=", ">=", "&", "^", "!", "<<", ">>", "->", "::", "#", "_", "0", "1",
    "2", "3", "4", "7", "100", "65536", "0.5", "1.0", "1e9", "9223372036854775807", "3f32", "2i64", "f32::NAN", "true",
    "false", "let", "const", "var", "fn", "pub", "mod", "for", "in", "device", "scope", "colocate_with", "budget", "none",
    "name", "axis", "axes", "keepdims", "shape", "dtype", "f32", "f64", "f16", "bf16", "i32", "i64", "u8", "bool", "usize",
    "MiB", "crate", "\"/gpu:0\"", "\"/device:GPU:{i}\"", "\"/cpu:0\"", "\"/cuda:0\"", "\"a\"", "\"x_{i}\"", "|x: f32[2, 3]|",
    "|x: f32[4], y: i32[4]|", "f32[2, 3]", "i32[0]", "f32[N]", "let a =", "let b =", "pub mod m {", "pub fn f(x: f32[2, 3])",
    "device(\"/gpu:1\") {", "for i in 0..3 {", "x[", "name = \"a\"", "axis = 1", "constant", "zeros", "fill", "range", "eye",
    "add", "sub", "div", "rem", "neg", "exp", "log", "tanh", "relu", "gelu", "pow", "maximum", "clip", "select", "cast",
    "matmul", "add_n", "sum", "mean", "prod", "max", "any", "argmax", "reshape", "transpose", "expand_dims", "squeeze",
    "broadcast_to", "concat", "stack", "split", "slice", "pad", "reverse", "tile", "softmax", "log_softmax", "layer_norm",
    "one_hot", "gather", "cumsum", "x + x", "x + 1", "matmul(x, x, transpose_b = true)", "sum(x)", "x.relu()", "[0, 1]",
    "[[1, 2], [3, 4]]", "[-1]", "[a, b]",
];

fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else { return };
    let text = match kind % 2 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        _ => rest.iter().map(|byte| WORDS[usize::from(*byte) % WORDS.len()]).collect::<Vec<_>>().join(" "),
    };
    let Ok(tokens) = text.parse::<TokenStream>() else { return };
    let printed = graph_compiler::expand(tokens).to_string();
    assert!(printed.parse::<TokenStream>().is_ok());
});
