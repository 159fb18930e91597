//! Parsing, printing and repairing names.

use graph_ir::device::{DeviceSpec, DeviceType, ParseError};

use super::{decode, rows};

const NAMES: &str = include_str!("../data/device_names.tsv");

/// The column of a number: `-` is "not set".
fn number(cell: &str) -> Option<u32> {
    (cell != "-").then(|| cell.parse().unwrap())
}

#[test]
fn every_name_has_its_verdict() {
    let (mut valid, mut invalid) = (0, 0);
    for row in rows::<12>(NAMES) {
        let [input, _, job, replica, task, device_type, index, _, _, ours, canonical, _] = row;
        let text = decode(input);
        let parsed = DeviceSpec::parse(&text);
        match ours {
            "valid" => {
                let device_type = match device_type {
                    "-" => None,
                    "CPU" | "cpu" => Some(DeviceType::Cpu),
                    "GPU" | "gpu" => Some(DeviceType::Gpu),
                    other => panic!("{input}: {other} is valid"),
                };
                let wanted = DeviceSpec {
                    job: (job != "-").then_some(job),
                    replica: number(replica),
                    task: number(task),
                    device_type,
                    index: number(index),
                };
                assert_eq!(parsed, Ok(wanted), "{input}");
                assert_eq!(wanted.to_string(), decode(canonical), "{input}");
                valid += 1;
            }
            "invalid" => {
                let error = parsed.expect_err(input);
                check_error(&text, &error);
                invalid += 1;
            }
            other => panic!("verdict {other}"),
        }
    }
    assert_eq!((valid, invalid), (103, 195));
}

/// What holds for every error.
fn check_error(text: &str, error: &ParseError<'_>) {
    assert_eq!(error.text(), text);
    let piece = text.get(error.start()..error.end()).unwrap_or_else(|| panic!("{text:?}: {error:?}"));
    assert_eq!(error.found(), piece);
    assert!(!piece.is_empty() || text.is_empty(), "{text:?}: {error:?} points at nothing");
    assert!(!error.to_string().is_empty());
    if let Some(suggestion) = error.suggestion() {
        match DeviceSpec::parse(&suggestion) {
            Ok(spec) if spec.is_empty() => assert_eq!(suggestion, "/device:*", "{text:?}"),
            Ok(spec) => assert_eq!(spec.to_string(), suggestion, "{text:?}"),
            Err(error) => panic!("{text:?}: suggestion {suggestion:?} does not parse: {error}"),
        }
    }
}

fn valid_inputs() -> Vec<String> {
    rows::<12>(NAMES).filter(|row| row[9] == "valid").map(|row| decode(row[0])).collect()
}

/// What goes wrong, and a name written with it.
type Slip = (&'static str, fn(&str) -> String);

/// A slip that loses nothing is repaired to the very name.
#[test]
fn lossless_slips_are_repaired_exactly() {
    let slips: [Slip; 10] = [
        ("no leading slash", |name| name[1..].to_owned()),
        ("trailing slash", |name| format!("{name}/")),
        ("doubled slashes", |name| name.replace('/', "//")),
        ("blanks around", |name| format!(" {name}\n")),
        ("blanks at the separators", |name| name.replace('/', " / ").replace(':', " : ")),
        ("equals signs", |name| name.replace(':', "=")),
        ("backslashes", |name| name.replace('/', "\\")),
        ("capital keywords", |name| {
            let capital = |part: &str| match part.split_once(':') {
                Some((keyword, value)) => format!("{}:{value}", keyword.to_uppercase()),
                None => part.to_uppercase(),
            };
            name.split('/').map(capital).collect::<Vec<_>>().join("/")
        }),
        ("full width", |name| {
            name.chars().map(|c| char::from_u32(c as u32 - 0x20 + 0xFF00).unwrap()).collect()
        }),
        ("quotes", |name| format!("\"{name}\"")),
    ];
    let mut repaired = 0;
    for name in valid_inputs() {
        let canonical = DeviceSpec::parse(&name).unwrap().to_string();
        let wanted = if canonical.is_empty() { "/device:*".to_owned() } else { canonical };
        for (slip, make) in &slips {
            let text = make(&name);
            match DeviceSpec::parse(&text) {
                // Some slips are none: `/GPU:0` stays valid in capitals, `/device` has no colon to lose.
                Ok(spec) => assert_eq!(spec, DeviceSpec::parse(&name).unwrap(), "{slip}: {text:?}"),
                Err(error) => {
                    assert_eq!(error.suggestion().as_ref(), Some(&wanted), "{slip}: {text:?}");
                    repaired += 1;
                }
            }
        }
    }
    assert!(repaired > 900, "only {repaired} slips were mistakes");
}

/// Texts near valid ones: never a panic, always a sound error or a name that survives printing.
#[test]
fn mutations_keep_the_invariants() {
    const ALPHABET: [char; 32] = [
        '/', ':', '*', '=', ',', ' ', '\t', '\n', '\0', '_', '-', '+', '.', '\\', '0', '1', '9', 'a', 'g',
        'G', 'p', 'P', 'u', 'C', 'j', 'é', 'а', '／', '０', '\u{301}', '\u{feff}', '😀',
    ];
    // Knuth's MMIX generator: the same mutations in every run.
    let mut state = 20_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let names: Vec<String> = rows::<12>(NAMES).map(|row| decode(row[0])).collect();
    let (mut valid, mut invalid, mut repaired) = (0_u32, 0_u32, 0_u32);
    for _ in 0..30_000 {
        let mut text: Vec<char> = names[random(names.len())].chars().collect();
        for _ in 0..=random(3) {
            let at = random(text.len() + 1);
            let character = ALPHABET[random(ALPHABET.len())];
            match random(5) {
                0 => text.insert(at, character),
                1 if at < text.len() => text[at] = character,
                2 if at < text.len() => drop(text.remove(at)),
                3 if at + 1 < text.len() => text.swap(at, at + 1),
                // The end of one name after the start of another.
                _ => {
                    text.truncate(at);
                    let other: Vec<char> = names[random(names.len())].chars().collect();
                    text.extend_from_slice(&other[random(other.len() + 1)..]);
                }
            }
        }
        let text: String = text.into_iter().collect();
        match DeviceSpec::parse(&text) {
            Ok(spec) => {
                valid += 1;
                if !spec.is_empty() {
                    assert_eq!(DeviceSpec::parse(&spec.to_string()), Ok(spec), "{text:?}");
                }
            }
            Err(error) => {
                invalid += 1;
                repaired += u32::from(error.suggestion().is_some());
                check_error(&text, &error);
            }
        }
    }
    assert!(valid > 500 && invalid > 20_000 && repaired > 10_000, "{valid} {invalid} {repaired}");
}
