//! TensorFlow's behaviour as data, and where this crate differs on purpose.
//!
//! The rows are copies in `tests/data`; its README lists, row by row, what is different here and what has no meaning
//! here. A row is judged by its own expectation, or by the README's, or counted as meaningless: none is passed over.

mod binding;
mod growth;
mod memory;

/// One row: a kind, an input, and what is expected.
struct Row {
    kind: &'static str,
    input: &'static str,
    expected: &'static str,
}

/// What the README says of a row.
enum Exception {
    NoMeaning,
    Different(&'static str),
}

/// The rows of the README's table, as (kind, input) and exception.
fn exceptions() -> Vec<((&'static str, &'static str), Exception)> {
    let table = include_str!("../../tests/data/README.md").lines().filter_map(|line| line.strip_prefix("| "));
    let cells = table.map(|line| line.split(" | ").map(|cell| cell.trim_matches('`')).collect::<Vec<_>>());
    cells
        .filter(|cells| cells[0] != "kind")
        .map(|cells| {
            let [kind, input, here, _why] = cells[..] else { panic!("not four cells: {cells:?}") };
            let exception = if here == "no meaning" { Exception::NoMeaning } else { Exception::Different(here) };
            ((kind, input), exception)
        })
        .collect()
}

/// How many rows were judged as TensorFlow's, judged as ours, and found to have no meaning.
#[derive(PartialEq, Debug, Default)]
struct Count {
    same: usize,
    different: usize,
    no_meaning: usize,
}

/// Runs all rows: `run` gives the deviation from the expectation, if any.
fn judge(rows: &[Row], kinds: &[&str], run: impl Fn(&Row) -> Result<(), String>) -> Count {
    let exceptions: Vec<_> = exceptions().into_iter().filter(|((kind, _), _)| kinds.contains(kind)).collect();
    let mut count = Count::default();
    let mut failures = Vec::new();
    for row in rows {
        let exception = exceptions.iter().find(|(key, _)| *key == (row.kind, row.input));
        let expected = match exception {
            Some((_, Exception::NoMeaning)) => {
                count.no_meaning += 1;
                continue;
            }
            Some((_, Exception::Different(here))) => {
                count.different += 1;
                here
            }
            None => {
                count.same += 1;
                row.expected
            }
        };
        if let Err(observed) = run(&Row { expected, ..*row }) {
            failures.push(format!("{} {}\n  expected {expected}\n  observed {observed}", row.kind, row.input));
        }
    }
    assert!(failures.is_empty(), "{} rows fail\n{}", failures.len(), failures.join("\n"));
    // A line of the README that belongs to no row would be a claim that nothing tests.
    assert_eq!(count.different + count.no_meaning, exceptions.len(), "each exception is one row's");
    count
}

/// The rows of a table after its heading, as cells.
fn cells(table: &'static str) -> Vec<Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect()).collect()
}

/// `expected` is either a value, or `error CODE (REASON)`, whose reason is a part of the message.
fn compare(expected: &str, observed: Result<String, crate::Error>) -> Result<(), String> {
    let text = match &observed {
        Ok(value) => value.clone(),
        Err(error) => error.to_string(),
    };
    let agrees = match (expected.strip_prefix("error "), &observed) {
        (None, Ok(value)) => value == expected,
        (Some(error), Err(observed)) => {
            let (code, reason) = error.split_once(" (").unwrap_or((error, ")"));
            code == observed.code.name() && observed.message.contains(our_words(reason.trim_end_matches(')')))
        }
        _ => false,
    };
    if agrees { Ok(()) } else { Err(text) }
}

/// The part of our message that says what `reason` of the table says.
fn our_words(reason: &str) -> &str {
    match reason {
        "not a number" => "is not a number",
        "id out of range" => "is out of range",
        "duplicate" => "is a duplicate",
        "a CPU device is required" => "every session needs a CPU device",
        "fraction and virtual devices exclude each other" => "exclude each other",
        "list and virtual device counts differ" => "but visible_device_list =",
        "valid GPUs and virtual device counts differ" => "but this machine has",
        same => same,
    }
}
