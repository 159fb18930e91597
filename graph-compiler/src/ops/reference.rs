//! The reference of the ops, printed from their rows: `graph-runtime/docs/ops.md`, whose examples are doctests.

use std::fmt::Write;

use super::{Op, ParamKind, all};

/// The whole text.
pub fn reference() -> String {
    let mut out = String::from(
        "# The ops of `graph!`\n\nPrinted from the ops' own rows; each example is a test. Every op can be written as a call, \
         `relu(x)`, or as a\nmethod, `x.relu()`, and takes `name = \"…\"` for the name of its node. A literal among tensors takes \
         their dtype.\n\n",
    );
    for op in all() {
        let _ = write!(out, "{}", entry(op));
    }
    // One blank line at the end would be one too many for editors.
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn entry(op: &Op) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "## {}\n", op.name);
    let _ = writeln!(out, "`{}` · node type `{}`{}\n", signature(op), op.kind, operator(op));
    let _ = writeln!(out, "{}\n", op.doc);
    let value = match op.example.value {
        list if list.starts_with('[') => format!("ndarray::array!{list}"),
        other => other.to_owned(),
    };
    let _ = writeln!(out, "```");
    let _ = writeln!(out, "# use graph_runtime::{{Config, Session, graph}};");
    let _ = writeln!(out, "# let mut session = Session::new(Config::new())?;");
    let _ = writeln!(out, "let g = graph! {{ {} }};", op.example.graph);
    let _ = writeln!(out, "assert_eq!(session.run(&g, ())?, {value});");
    let _ = writeln!(out, "# Ok::<(), graph_runtime::Error>(())");
    let _ = writeln!(out, "```\n");
    out
}

fn signature(op: &Op) -> String {
    let params: Vec<String> = op
        .params
        .iter()
        .map(|param| match param.required {
            true => format!("{}: {}", param.name, kind(param.kind)),
            false => format!("{} = {}", param.name, kind(param.kind)),
        })
        .collect();
    format!("{}({})", op.name, params.join(", "))
}

fn kind(kind: ParamKind) -> &'static str {
    match kind {
        ParamKind::Tensor => "tensor",
        ParamKind::Condition => "bool tensor",
        ParamKind::Index => "integer tensor",
        ParamKind::Tensors => "[tensor, …]",
        ParamKind::Int => "whole number",
        ParamKind::Ints => "[whole number, …]",
        ParamKind::Pairs => "[[low, high], …]",
        ParamKind::Flag => "true or false",
        ParamKind::Number => "number",
        ParamKind::DType => "dtype",
        ParamKind::IntOrInts => "whole number or [whole number, …]",
        ParamKind::Literal => "numbers",
    }
}

fn operator(op: &Op) -> String {
    let symbol = match op.name {
        "add" => "x + y",
        "sub" => "x - y",
        "mul" => "x * y",
        "div" => "x / y",
        "rem" => "x % y",
        "neg" => "-x",
        "equal" => "x == y",
        "not_equal" => "x != y",
        "less" => "x < y",
        "less_equal" => "x <= y",
        "greater" => "x > y",
        "greater_equal" => "x >= y",
        "logical_and" | "bitwise_and" => "x & y",
        "logical_or" | "bitwise_or" => "x | y",
        "logical_xor" | "bitwise_xor" => "x ^ y",
        "logical_not" | "bitwise_not" => "!x",
        "shift_left" => "x << y",
        "shift_right" => "x >> y",
        _ => return String::new(),
    };
    format!(" · operator `{symbol}`")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ops_reference_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../graph-runtime/docs/ops.md");
        let text = super::reference();
        if std::env::var_os("GRAPH_BLESS").is_some() {
            std::fs::write(path, &text).expect("the folder of the documentation is there");
        }
        let known = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            known == text,
            "the rows have changed: GRAPH_BLESS=1 cargo test -p graph-compiler ops_reference"
        );
    }
}
