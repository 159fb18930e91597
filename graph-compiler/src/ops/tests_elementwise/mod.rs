//! Tests of the elementwise ops: from program text over lowering to a verified graph.

mod errors;
mod evaluate;
mod rows;
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

/// The only error of a wrong program.
fn complaint(text: &str) -> Complaint {
    let mut complaints = match lower_text(text) {
        Ok(graph) => panic!("{text}: no error\n{graph}"),
        Err(complaints) => complaints,
    };
    assert_eq!(complaints.len(), 1, "{text}: {complaints:?}");
    complaints.remove(0)
}

/// The type of the only result: `f32[2, 3]`.
fn result_type(text: &str) -> String {
    let graph = graph(text);
    let [output] = &graph.outputs[..] else { panic!("{text}: one result") };
    graph.ty(output.value).to_string()
}
