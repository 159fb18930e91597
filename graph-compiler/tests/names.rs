//! Node names are TensorFlow's: `names/op_names.tsv` is what its graph builder does, as data. Rows that have no meaning
//! here, or another outcome on purpose, stand in the tables below, each with its reason; none is passed over.

use graph_compiler::Diagnostics;
use graph_compiler::{lower, syntax};

/// Rows of the kinds `seq` and `api` that cannot be said: (a piece of the row, why).
const NO_MEANING: &[(&str, &str)] = &[
    ("NoOp", "every node has a value"),
    ("Placeholder", "inputs have names"),
    ("placeholder(", "inputs have names"),
    ("push None", "a scope is left at its brace; there is no way back to the top inside"),
    ("push \"\"", "as above"),
    ("/\"", "a name never ends in `/`: scopes are not entered again"),
    ("MatMul \"\"", "an empty name is a mistake, not a missing name"),
    ("a @ a", "there is no operator `@`"),
    ("Variable", "there are no variables"),
    ("group(", "there are no control edges"),
    ("random_normal", "there are no random ops"),
    ("shape(a)", "shapes are known at build time and are no nodes"),
];

/// Rows with another outcome: (input, outcome, why).
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("add_n([a])", "a(Const) AddN(AddN)", "every op makes its node"),
    ("add_n([a], name s)", "a(Const) s(AddN)", "as above"),
    ("reduce_sum(a)", "a(Const) Sum(Sum)", "axes are no tensors"),
];

/// The program of each `api` row.
const API: &[(&str, &str)] = &[
    ("constant(1.0)", "constant(1.0)"),
    (
        "a=constant(name a); b=constant(name b); matmul(a,b)",
        "let a = constant([[1.0]], name = \"a\"); let b = constant([[1.0]], name = \"b\"); matmul(a, b)",
    ),
    ("a + a", "A; a + a"),
    ("add(a,a)", "A; add(a, a)"),
    ("a + 1.0", "A; a + 1.0"),
    ("1.0 + a", "A; 1.0 + a"),
    ("a * a", "A; a * a"),
    ("a - a", "A; a - a"),
    ("a / a", "A; a / a"),
    ("-a", "A; -a"),
    ("matmul(a, [[1.]])", "A; matmul(a, [[1.0]])"),
    ("add_n([a,a])", "A; add_n([a, a])"),
    ("add_n([a])", "A; add_n([a])"),
    ("add_n([a], name s)", "A; add_n([a], name = \"s\")"),
    ("add_n([])", "add_n([])"),
    ("identity(a)", "A; identity(a)"),
    ("zeros([2])", "zeros([2])"),
    ("reduce_sum(a)", "A; sum(a)"),
];

/// `name(Type)` of each node, or `error:ValueError`.
fn nodes(program: &str) -> Vec<(String, &'static str)> {
    let mut diagnostics = Diagnostics::default();
    let tokens = program.parse().unwrap_or_else(|_| panic!("{program} does not lex"));
    let program = syntax::parse(tokens, &mut diagnostics);
    let lowered = program.as_ref().map(|program| lower::program(program, &mut diagnostics));
    if !diagnostics.is_empty() {
        return vec![("error:ValueError".to_owned(), "")];
    }
    let entries = lowered.map(|lowered| lowered.entries).unwrap_or_default();
    let nodes = entries.into_iter().flat_map(|entry| entry.graph.nodes);
    nodes.filter(|node| node.op != "Placeholder").map(|node| (node.name, node.op)).collect()
}

/// A `seq` row as a program. The operand of `MatMul` and `AddN` is the input `operand_`.
fn sequence(steps: &str) -> String {
    let mut program = String::from("|operand_: f32[1, 1]| { ");
    for step in steps.split(" | ") {
        let (word, name) = step.split_once(' ').unwrap_or((step, ""));
        let name_argument = if name.is_empty() { String::new() } else { format!(", name = {name}") };
        program.push_str(&match word {
            "push" => format!("scope({name}) {{ "),
            "pop" => String::from("}; "),
            "Const" => format!("constant([[1.0]]{name_argument}); "),
            "MatMul" => format!("matmul(operand_, operand_{name_argument}); "),
            "AddN" => format!("add_n([operand_]{name_argument}); "),
            other => panic!("no step `{other}`"),
        });
    }
    let open = program.matches('{').count() - program.matches('}').count();
    program.push_str(&"} ; ".repeat(open - 1));
    program.push_str("operand_ }");
    program
}

struct Row {
    kind: &'static str,
    input: &'static str,
    expected: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("names/op_names.tsv").lines().skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Row { kind: cells[0], input: cells[1], expected: cells[2] }
        })
        .collect()
}

fn has_meaning(input: &str) -> bool {
    !NO_MEANING.iter().any(|(piece, _)| input.contains(piece))
}

#[test]
fn sequences_of_ops_are_named_as_in_tensorflow() {
    let mut judged = 0;
    for Row { input, expected, .. } in rows().iter().filter(|row| row.kind == "seq" && has_meaning(row.input))
    {
        let found: Vec<String> = nodes(&sequence(input)).into_iter().map(|(name, _)| name).collect();
        let names: Vec<&str> = expected.split(' ').filter(|word| !word.starts_with('[')).collect();
        // A mistake stops nothing here, so that only the mistake is compared.
        let wanted = if expected.contains("error:") { vec!["error:ValueError"] } else { names };
        assert_eq!(found, wanted, "{input}");
        judged += 1;
    }
    assert_eq!(judged, 61, "rows judged");
}

#[test]
fn calls_make_the_nodes_of_tensorflow() {
    for Row { input, expected, .. } in rows().iter().filter(|row| row.kind == "api" && has_meaning(row.input))
    {
        let (_, program) =
            API.iter().find(|(row, _)| row == input).unwrap_or_else(|| panic!("no program for {input}"));
        let program = program.replace("A;", "let a = constant([[1.0]], name = \"a\");");
        let found: Vec<String> = nodes(&program)
            .into_iter()
            .map(|(name, op)| if op.is_empty() { name } else { format!("{name}({op})") })
            .collect();
        let different = DIFFERENT.iter().find(|(row, ..)| row == input);
        let expected = different.map_or(*expected, |(_, outcome, _)| outcome);
        assert_eq!(found.join(" "), expected, "{input}");
    }
    for (row, ..) in DIFFERENT {
        assert!(rows().iter().any(|known| known.input == *row), "no row `{row}`");
    }
}

/// Strings that TensorFlow's builder takes and that are refused here, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("a/", "means an absolute name there; here a scope is left at its brace"),
    ("a\\n", "a slip of the builder's pattern, which lets one newline through"),
    ("\\e", "an empty name means none there, and an empty scope the top level"),
];

#[test]
fn characters_of_names_are_those_of_tensorflow() {
    let unescape = |text: &str| {
        text.replace("\\x20", " ")
            .replace("\\t", "\t")
            .replace("\\e", "")
            .replace("\\n", "\n")
            .replace("\\\\", "\\")
    };
    for Row { input, expected, .. } in rows().iter().filter(|row| row.kind == "valid") {
        // Braces are the language's interpolation: doubled they stand for themselves.
        let text = unescape(input).replace('{', "{{").replace('}', "}}");
        let is_op = nodes(&format!("constant(1.0, name = {text:?})"))[0].0 != "error:ValueError";
        let is_scope = nodes(&format!("scope(\"outer\") {{ scope({text:?}) {{ constant(1.0) }} }}"))[0].0
            != "error:ValueError";
        let refused = REFUSED.iter().any(|(known, _)| known == input);
        let wanted = |part: &str| expected.contains(&format!("{part}=valid")) && !refused;
        assert_eq!((is_op, is_scope), (wanted("op"), wanted("scope")), "{input}");
    }
}
