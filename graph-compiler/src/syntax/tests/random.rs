//! Whatever the tokens, the compiler returns: no panic, no endless loop, no overflow of the stack.

use proc_macro2::TokenStream;

const WORDS: &[&str] = &[
    "a",
    "x",
    "y",
    "i",
    "N",
    "f",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ">>",
    "|",
    ",",
    ";",
    ":",
    "=",
    ".",
    "..",
    "..=",
    "-",
    "+",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<=",
    ">=",
    "&",
    "^",
    "!",
    "<<",
    "->",
    "::",
    "#",
    "_",
    "0",
    "1",
    "2.5",
    "65536",
    "1e9",
    "3u8",
    "f32::NAN",
    "true",
    "let",
    "const",
    "var",
    "fn",
    "pub",
    "mod",
    "for",
    "in",
    "device",
    "scope",
    "colocate_with",
    "budget",
    "none",
    "name",
    "axis",
    "f32",
    "i32",
    "usize",
    "MiB",
    "crate",
    "if",
    "as",
    "return",
    "mut",
    "while",
    "match",
    "\"/gpu:0\"",
    "\"/gpu:{i}\"",
    "\"/cuda:0\"",
    "\"a\"",
    "|x: f32[2, 3]|",
    "f32[2]",
    "let a =",
    "pub mod m {",
    "pub fn f(x: f32[2])",
    "device(\"/gpu:1\") {",
    "device(\"/gpu:1\") <",
    "for i in 0..3 {",
    "x[",
    "sum(x)",
    "x.relu()",
    "matmul(x, x)",
    "concat([x, x])",
    "x + 1",
    "reshape(x, [-1])",
    "gather(x, 0)",
    "}",
];

/// Knuth's multiplier; the high bits are the good ones.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }
}

#[test]
fn twenty_thousand_random_texts_are_answered() {
    let mut random = Random(1);
    let (mut lexed, mut sound) = (0, 0);
    for _ in 0..20_000 {
        let length = 1 + random.below(30);
        let words: Vec<&str> = (0..length).map(|_| WORDS[random.below(WORDS.len())]).collect();
        let mut text = words.join(" ");
        // Most texts are not balanced: close what is open, so that more of them have tokens.
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
            let (opened, closed) = (text.matches(open).count(), text.matches(close).count());
            text.extend(std::iter::repeat_n(close, opened.saturating_sub(closed)));
        }
        let Ok(tokens) = text.parse::<TokenStream>() else { continue };
        lexed += 1;
        let printed = crate::expand(tokens).to_string();
        assert!(printed.parse::<TokenStream>().is_ok(), "{text}");
        sound += usize::from(!printed.contains("compile_error"));
    }
    assert!(lexed > 2_000, "only {lexed} texts had tokens");
    assert!(sound > 5, "only {sound} texts were graphs");
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    for (open, close) in
        [("(", ")"), ("{", "}"), ("[", "]"), ("relu(", ")"), ("-", ""), ("device(\"/gpu:0\") {", "}")]
    {
        let text = format!("|x: f32[2]| {}x{}", open.repeat(5_000), close.repeat(5_000));
        let tokens: TokenStream = text.parse().expect("balanced");
        let errors = crate::diagnose(tokens);
        assert!(
            errors.errors()[0].message.contains("nests more than"),
            "{open}: {}",
            errors.errors()[0].message
        );
    }
    for step in [" + x", ".relu()", "[..]"] {
        let text = format!("|x: f32[2]| x{}", step.repeat(5_000));
        let errors = crate::diagnose(text.parse().expect("balanced"));
        assert!(errors.errors()[0].message.contains("on top of each other"), "{step}");
    }
}
