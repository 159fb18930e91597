//! Tests of every op that is not elementwise: from program text over lowering to a verified graph.

mod errors;
mod evaluate;
mod types;
mod values;

use crate::Diagnostics;
use crate::graph::{Graph, verify};
use crate::{lower, syntax};

/// An error as the user sees it: the source under it, and the text.
#[derive(PartialEq, Eq, Debug)]
struct Complaint {
    under: String,
    text: String,
}

/// Lowers a program in expression form and verifies its graph.
fn lower_text(text: &str) -> Result<Graph, Vec<Complaint>> {
    let tokens = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut diagnostics = Diagnostics::default();
    let program = syntax::parse(tokens, &mut diagnostics);
    let graph = program.and_then(|program| {
        lower::program(&program, &mut diagnostics).entries.into_iter().next().map(|entry| entry.graph)
    });
    if !diagnostics.is_empty() {
        let complaint = |error: &crate::Diagnostic| Complaint {
            under: error.span.source_text().unwrap_or_default(),
            text: error.text(),
        };
        return Err(diagnostics.errors().iter().map(complaint).collect());
    }
    let graph = graph.unwrap_or_else(|| panic!("{text}: no error and no graph"));
    verify(&graph).unwrap_or_else(|rule| panic!("{text}: {rule}\n{graph}"));
    Ok(graph)
}

fn graph(text: &str) -> Graph {
    lower_text(text).unwrap_or_else(|complaints| panic!("{text}: {complaints:?}"))
}

/// The types of the results: `f32[2, 3] i64[]`.
fn result_types(text: &str) -> String {
    let graph = graph(text);
    let types: Vec<String> = graph.outputs.iter().map(|output| graph.ty(output.value).to_string()).collect();
    types.join(" ")
}
