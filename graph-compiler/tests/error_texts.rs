//! The error texts without rustc: every graph of `tests/ui` is diagnosed here, and its messages, places and helps are
//! those of the `.stderr` file beside it. What rustc finds itself (unused names, wrong arguments of a run) is not ours.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use graph_compiler::diagnose;
use proc_macro2::{LineColumn, TokenStream, TokenTree};

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

/// One `graph! { … }`: where it stands, and the tokens between its braces.
struct Call {
    start: LineColumn,
    tokens: TokenStream,
}

fn calls(tokens: TokenStream, found: &mut Vec<Call>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = |back: usize, text: &str| {
            i.checked_sub(back).and_then(|at| trees.get(at)).is_some_and(|tree| tree.to_string() == text)
        };
        match before(1, "!") && before(2, "graph") {
            true => found.push(Call { start: trees[i - 2].span().start(), tokens: group.stream() }),
            false => calls(group.stream(), found),
        }
    }
}

/// A mistake: its text, and the source from where to where it lies under. On stable Rust a macro cannot join spans,
/// so that rustc underlines one token of them: the place in the `.stderr` file is inside ours.
struct Mistake {
    text: String,
    start: (usize, usize),
    end: (usize, usize),
}

fn ours(program: &Path) -> Vec<Mistake> {
    let source = std::fs::read_to_string(program).expect("readable");
    let tokens: TokenStream = source.parse().expect("the program lexes");
    let mut graphs = Vec::new();
    calls(tokens, &mut graphs);
    assert!(!graphs.is_empty(), "{} has no `graph!`", program.display());
    let mut mistakes = Vec::new();
    for graph in graphs {
        for error in diagnose(graph.tokens).errors() {
            let place = |place: LineColumn| match place {
                // What concerns the graph as a whole points at the macro call, here the start of the text.
                LineColumn { line: 1, column: 0 } => (graph.start.line, graph.start.column + 1),
                LineColumn { line, column } => (line, column + 1),
            };
            mistakes.push(Mistake {
                text: format!("error: {}", error.text().replace('\n', "\n       ")),
                start: place(error.span.start()),
                end: place(error.span.end()),
            });
        }
    }
    mistakes
}

/// The mistakes of a `.stderr` file.
fn expected(program: &Path) -> Vec<Mistake> {
    let text = std::fs::read_to_string(program.with_extension("stderr")).expect("a `.stderr` beside it");
    let mut mistakes: Vec<Mistake> = Vec::new();
    for line in text.lines() {
        if line.starts_with("error: ") {
            mistakes.push(Mistake { text: line.to_owned(), start: (0, 0), end: (0, 0) });
        }
        let Some(last) = mistakes.last_mut() else { continue };
        if let Some((_, place)) = line.split_once("--> ") {
            let mut numbers = place.rsplitn(3, ':').map(|number| number.parse().unwrap_or(0));
            let (column, line) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            (last.start, last.end) = ((line, column), (line, column));
        } else if line.starts_with("       ") {
            last.text.push('\n');
            last.text.push_str(line);
        }
    }
    mistakes
}

fn same(found: &[Mistake], expected: &[Mistake]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            found.text == expected.text && found.start <= expected.start && expected.start <= found.end
        })
}

fn listed(mistakes: &[Mistake]) -> String {
    let line = |mistake: &Mistake| format!("{}\n--> {:?}\n", mistake.text, mistake.start);
    mistakes.iter().map(line).collect()
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
            assert!(found.is_empty(), "{name} is right for the compiler:\n{}", listed(&found));
            continue;
        }
        judged += 1;
        let expected = expected(&program);
        if !same(&found, &expected) {
            let _ =
                writeln!(wrong, "{name}\n--- found\n{}--- expected\n{}", listed(&found), listed(&expected));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(judged >= 80, "only {judged} programs were judged");
}
