//! Every stage of small graphs as text: `stages/<name>.graph` is the program, `<name>.txt` its stages.
//! `GRAPH_BLESS=1 cargo test -p graph-compiler --test stages` rewrites the texts: read the diff.

use std::path::Path;

use graph_compiler::explain;

#[test]
fn each_stage_of_each_graph_is_as_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stages");
    let mut wrong = Vec::new();
    let mut judged = 0;
    let mut programs: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "graph"))
        .collect();
    programs.sort();
    for program in programs {
        let source = std::fs::read_to_string(&program).expect("readable");
        let found = explain(source.parse().expect("the program lexes"));
        let file = program.with_extension("txt");
        if std::env::var_os("GRAPH_BLESS").is_some() {
            std::fs::write(&file, &found).expect("writable");
        }
        let expected = std::fs::read_to_string(&file).expect("a text beside each graph");
        if found != expected {
            wrong.push(format!("{}\n--- found\n{found}\n--- expected\n{expected}", program.display()));
        }
        judged += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged >= 9, "only {judged} graphs were judged");
}
