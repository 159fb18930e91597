//! What people write out of habit and the language doesn't have: one error each, with the way to say it here.

use super::tokens::{Symbol, group_at, symbol, symbol_at};
use crate::Diagnostic;
use crate::syntax::{Expr, ExprKind};
use proc_macro2::{Delimiter, Span};
use syn::buffer::Cursor;

/// A keyword of Rust where an expression or statement is wanted.
pub(super) fn keyword(word: &str, span: Span) -> Option<Diagnostic> {
    let (message, help) = match word {
        "if" => (
            "there is no `if`: a graph has no branches",
            "compute both and choose: `select(condition, a, b)`",
        ),
        "match" => (
            "there is no `match`: a graph has no branches",
            "compute the cases and choose: `select(condition, a, b)`",
        ),
        "while" | "loop" => (
            "a graph has no loop that is decided at run time",
            "`for i in 0..4 { … }` is unrolled at build time; loop around the run in Rust for more",
        ),
        "return" => ("there is no `return`", "the last expression, without `;`, is the value"),
        "break" | "continue" => (
            "a loop of a graph can't be left early: it is unrolled at build time",
            "choose the range or list of the `for`",
        ),
        "unsafe" => ("there is no `unsafe` in a graph", "leave it out"),
        "async" | "await" => {
            ("there is no `async` in a graph", "leave it out: the plan runs what it can at once")
        }
        "move" => ("there are no closures in a graph", "write a helper in the module: `fn name(x) { … }`"),
        "let" => ("`let` is a statement, not a value", "write it on a line of its own, ended by `;`"),
        "mut" | "ref" => ("a value of a graph never changes or moves", "write the name alone"),
        "fn" => {
            ("functions stand in a module, not in a block", "write it into `graph! { pub mod name { … } }`")
        }
        "struct" | "enum" | "union" | "trait" | "impl" | "type" => (
            "a graph has no types of its own",
            "several results are a tuple `(a, b)`, or named: `(first: a, second: b)`",
        ),
        "use" | "extern" => (
            "nothing can be imported into a graph",
            "every op is known by its name; a Rust constant is `constant(super::NAME: f32[2, 3])`",
        ),
        "static" => {
            ("there is no `static` in a graph", "state is a `var` of the module: `var w: f32[2] = zeros();`")
        }
        "mod" | "pub" => {
            ("this does not stand inside a block", "one `graph! { … }` holds one module or one expression")
        }
        "dyn" | "where" | "yield" | "try" | "macro" | "do" | "box" => {
            return Some(Diagnostic::new(span, format!("there is no `{word}` in a graph")));
        }
        _ => return None,
    };
    Some(Diagnostic::new(span, message).with_help(help))
}

/// Whether a statement that starts with this word ends with its braces, as in `if x { … } else { … }`.
pub(super) fn ends_with_braces(word: &str) -> bool {
    matches!(
        word,
        "if" | "match"
            | "while"
            | "loop"
            | "unsafe"
            | "async"
            | "fn"
            | "struct"
            | "enum"
            | "union"
            | "trait"
            | "impl"
            | "mod"
    )
}

/// A symbol in front of an operand.
pub(super) fn prefix(symbol: &Symbol<'_>) -> Option<Diagnostic> {
    let (message, help) = match symbol.text {
        "&" | "&&" => ("there are no references in a graph", "write the value alone, without `&`"),
        "*" => ("there is nothing to dereference in a graph", "write the value alone, without `*`"),
        "|" | "||" => {
            ("there are no closures in a graph", "write a helper in the module: `fn name(x) { … }`")
        }
        ".." | "..=" => (
            "a range is not a value",
            "ranges stand in `for i in 0..4` and in brackets: `x[1..3]`; as a tensor, `range(0, 4)`",
        ),
        "..." => ("`...` is not a value", "it stands in brackets: `x[..., 0]`"),
        "+" => ("there is no sign `+`", "leave it out"),
        _ => return None,
    };
    Some(Diagnostic::new(symbol.span(), message).with_help(help))
}

/// A symbol behind an operand that looks like an operator.
pub(super) fn infix(symbol: &Symbol<'_>, left: &Expr) -> Option<Diagnostic> {
    let right = next_word(symbol.rest);
    let right = right.as_deref().unwrap_or("…");
    let left = name_of(left);
    let span = symbol.span();
    Some(match symbol.text {
        "&&" | "||" => {
            let single = &symbol.text[..1];
            Diagnostic::new(span, format!("there is no `{}`: both sides are always computed", symbol.text))
                .with_help(format!("use `{single}`: `{left} {single} {right}`"))
        }
        "@" => Diagnostic::new(span, "there is no operator `@`")
            .with_help(format!("write `matmul({left}, {right})`")),
        "?" => Diagnostic::new(span, "there is no `?`: nothing inside a graph returns an error")
            .with_help("leave it out; running the graph returns a `Result`"),
        ".." | "..=" => Diagnostic::new(span, "a range is not a value").with_help(
            "ranges stand in `for i in 0..4` and in brackets: `x[1..3]`; as a tensor, `range(0, 4)`",
        ),
        _ => return None,
    })
}

/// `x as f64`
pub(super) fn cast(span: Span, left: &Expr, rest: Cursor<'_>) -> Diagnostic {
    let dtype = next_word(rest);
    let dtype = dtype.as_deref().unwrap_or("f32");
    Diagnostic::new(span, "there is no `as` in a graph")
        .with_help(format!("write `cast({}, {dtype})`", name_of(left)))
}

/// `vec![…]`, `format!(…)`
pub(super) fn macro_call(name: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::new(span, format!("Rust's macros can't be called in a graph: `{name}!`"));
    match name {
        "vec" => error.with_help("a list is `[a, b, c]`"),
        "format" | "concat" => {
            error.with_help("names of loop variables stand in the string: `\"/device:GPU:{i}\"`")
        }
        "println" | "print" | "dbg" | "eprintln" => {
            error.with_help("return the value as a result, and print it in Rust")
        }
        _ => error.with_help(
            "compute it in Rust and pass it in as an input or a `constant(super::NAME: f32[2, 3])`",
        ),
    }
}

/// `constant::<f32>(…)`
pub(super) fn turbofish(span: Span) -> Diagnostic {
    Diagnostic::new(span, "nothing in a graph takes type arguments")
        .with_help("a literal takes a suffix (`1.0f64`), a value takes `cast(x, f64)`, a `let` takes a type")
}

/// `Point { x: 1 }`
pub(super) fn structure(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("`{name} {{ … }}`: there are no structs in a graph"))
        .with_help("several values are a tuple `(a, b)`; named results are `(first: a, second: b)`")
}

pub(super) fn lifetime(span: Span) -> Diagnostic {
    Diagnostic::new(span, "there are no lifetimes and no labels in a graph").with_help("leave it out")
}

/// A type of Rust where `f32[2, 3]` is wanted.
pub(super) fn foreign_type(cursor: Cursor<'_>) -> Option<Diagnostic> {
    let help = "a type is a dtype and a shape: `f32[2, 3]`; a scalar is `f32`";
    if symbol_at(cursor, "&") {
        return Some(Diagnostic::new(cursor.span(), "there are no references in a graph").with_help(help));
    }
    if group_at(cursor, Delimiter::Bracket) {
        return Some(
            Diagnostic::new(cursor.span(), "the dtype stands in front of the brackets")
                .with_help("`[f32; 3]` is `f32[3]` here, `[[f32; 3]; 2]` is `f32[2, 3]`"),
        );
    }
    let (name, rest) = cursor.ident()?;
    let next = symbol(rest)?;
    let text = match next.text {
        "<" => format!("`{name}<…>` is not a type of a graph"),
        "::" => format!("`{name}::…` is not a type of a graph"),
        _ => return None,
    };
    Some(Diagnostic::new(name.span(), text).with_help(help))
}

fn next_word(cursor: Cursor<'_>) -> Option<String> {
    cursor.ident().map(|(word, _)| word.to_string())
}

/// The expression's name where it is short enough to show.
fn name_of(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.to_string(),
        _ => "…".to_string(),
    }
}
