//! The error texts without rustc: every graph of `tests/ui` is diagnosed here, and its messages, places and helps are
//! those of the `.stderr` file beside it. What rustc finds itself (unused names, wrong arguments of a run) is not ours.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use graph_compiler::diagnose;
use proc_macro2::{TokenStream, TokenTree};

fn ui_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui")
}

/// The programs of every topic but `pass`, sorted.
fn programs() -> Vec<PathBuf> {
    let mut programs = Vec::new();
    for topic in std::fs::read_dir(ui_folder()).expect("tests/ui is there") {
        let topic = topic.expect("readable").path();
        if topic.file_name().is_some_and(|name| name == "pass") {
            continue;
        }
        for file in std::fs::read_dir(topic).expect("a topic is a folder") {
            let file = file.expect("readable").path();
            if file.extension().is_some_and(|extension| extension == "rs") {
                programs.push(file);
            }
        }
    }
    programs.sort();
    programs
}

/// The tokens between the braces of each `graph! { … }`.
fn calls(tokens: TokenStream, found: &mut Vec<TokenStream>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = |back: usize, text: &str| {
            i.checked_sub(back).and_then(|at| trees.get(at)).is_some_and(|tree| tree.to_string() == text)
        };
        match before(1, "!") && before(2, "graph") {
            true => found.push(group.stream()),
            false => calls(group.stream(), found),
        }
    }
}

/// As rustc prints it: the message, its further lines indented, the place.
fn ours(program: &Path) -> String {
    let source = std::fs::read_to_string(program).expect("readable");
    let tokens: TokenStream = source.parse().expect("the program lexes");
    let mut graphs = Vec::new();
    calls(tokens, &mut graphs);
    assert!(!graphs.is_empty(), "{} has no `graph!`", program.display());
    let mut text = String::new();
    for graph in graphs {
        for error in diagnose(graph).errors() {
            let start = error.span.start();
            let _ = writeln!(text, "error: {}", error.text().replace('\n', "\n       "));
            let _ = writeln!(text, "--> {}:{}", start.line, start.column + 1);
        }
    }
    text
}

/// The same parts of a `.stderr` file, as far as the compiler's own errors go.
fn expected(program: &Path) -> String {
    let text = std::fs::read_to_string(program.with_extension("stderr")).expect("a `.stderr` beside it");
    let mut out = String::new();
    for line in text.lines() {
        if let Some((_, place)) = line.split_once("--> ") {
            let mut parts = place.rsplitn(3, ':');
            let (column, line) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let _ = writeln!(out, "--> {line}:{column}");
        } else if line.starts_with("error: ") || line.starts_with("       ") {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

/// Mistakes that rustc's own lints and type checker report.
const RUSTC: [&str; 3] = ["calls", "unused", "constant_of_another_type"];

#[test]
fn the_texts_are_those_that_users_read() {
    let mut judged = 0;
    let mut wrong = String::new();
    for program in programs() {
        let name = program.to_string_lossy().into_owned();
        let found = ours(&program);
        if RUSTC.iter().any(|part| name.contains(part)) {
            assert_eq!(found, "", "{name} is right for the compiler");
            continue;
        }
        judged += 1;
        let expected = expected(&program);
        if found.trim_end() != expected.trim_end() {
            let _ = writeln!(wrong, "{name}\n--- found\n{found}--- expected\n{expected}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(judged >= 80, "only {judged} programs were judged");
}
