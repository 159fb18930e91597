//! Device names against the vectors made by running TensorFlow: `../data/device_names.tsv`, `../data/device_merge.tsv`.
//!
//! A cell writes the empty string as `\e`, a character as `\t \n \r \\ \xHH \u{H..}`; `-` is "not set". Each test
//! counts the rows it saw, so that a row can't drop out unseen; rows that this crate answers differently from
//! TensorFlow on purpose stand in a table with the reason and are asserted too.

mod merges;
mod names;

/// The cells of each row below the header, still escaped.
fn rows<const COLUMNS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells.try_into().unwrap_or_else(|_| panic!("{COLUMNS} cells wanted: {line}"))
    })
}

fn decode(cell: &str) -> String {
    if cell == "\\e" {
        return String::new();
    }
    let mut text = String::new();
    let mut rest = cell;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let kind = escape.chars().next().expect("an escape is not cut off");
        let code = |digits: &str| char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap();
        let (character, after) = match kind {
            't' => ('\t', &escape[1..]),
            'n' => ('\n', &escape[1..]),
            'r' => ('\r', &escape[1..]),
            '\\' => ('\\', &escape[1..]),
            'x' => (code(&escape[1..3]), &escape[3..]),
            'u' => {
                let (digits, after) = escape[2..].split_once('}').unwrap();
                (code(digits), after)
            }
            other => panic!("unknown escape \\{other} in {cell}"),
        };
        text.push(character);
        rest = after;
    }
    text + rest
}

#[test]
fn cells_decode() {
    assert_eq!(decode("\\e"), "");
    assert_eq!(decode("a\\x20\\t\\n\\r\\\\b\\u{feff}c"), "a \t\n\r\\b\u{feff}c");
}
