//! Scopes, the other merges, and comparisons.

use graph_ir::device::{DeviceSpec, DeviceType, MergeConflict};

use super::{decode, rows};

const MERGES: &str = include_str!("../data/device_merge.tsv");

/// The rows of one rule set, without its name, and the rest of the last column.
fn merge_rows(rules: &str) -> impl Iterator<Item = [&'static str; 3]> {
    rows::<4>(MERGES).filter_map(move |[outer, inner, merged, source]| {
        (source.split_once(';').unwrap().0 == rules).then_some([outer, inner, merged])
    })
}

#[test]
fn every_rule_set_is_tested() {
    let mut counts = std::collections::BTreeMap::new();
    for row in rows::<4>(MERGES) {
        *counts.entry(row[3].split_once(';').unwrap().0).or_insert(0) += 1;
    }
    let wanted = [
        ("coloc", 17),
        ("coloc-soft", 9),
        ("eager", 16),
        ("match", 14),
        ("override", 22),
        ("scope", 79),
        ("spec", 13),
        ("unset", 18),
    ];
    assert!(counts.into_iter().eq(wanted));
}

/// A name in a merge row. The empty name and an index without a type can't be written, but they can be built.
fn spec(text: &'static str) -> Option<DeviceSpec<'static>> {
    match text {
        "\\e" | "/" => Some(DeviceSpec::EMPTY),
        "/device:*:0" => Some(DeviceSpec { index: Some(0), ..DeviceSpec::EMPTY }),
        "/device:*:1" => Some(DeviceSpec { index: Some(1), ..DeviceSpec::EMPTY }),
        "/device:*:2" => Some(DeviceSpec { index: Some(2), ..DeviceSpec::EMPTY }),
        _ => DeviceSpec::parse(text).ok(),
    }
}

/// A level of a scope row.
#[derive(Clone, Copy)]
enum Level {
    /// A device string, or `None`.
    Scope(Option<DeviceSpec<'static>>),
    /// `fn->x`: when its turn comes it replaces what was gathered inside of it.
    Function(DeviceSpec<'static>),
    /// `fn->op.device`: returns what was gathered inside of it.
    Identity,
    /// `colocate_with(x)`: hides the outer levels; the device of its anchor, if it has one, replaces the result.
    Colocate(DeviceSpec<'static>),
}

/// Reads a level; the error is the string that does not parse.
fn level(text: &'static str) -> Result<Level, &'static str> {
    let argument = |text| spec(text).ok_or(text);
    if text == "None" {
        Ok(Level::Scope(None))
    } else if text == "fn->op.device" {
        Ok(Level::Identity)
    } else if let Some(result) = text.strip_prefix("fn->") {
        argument(result).map(Level::Function)
    } else if let Some(anchor) = text.strip_prefix("colocate_with(") {
        argument(anchor.strip_suffix(')').unwrap()).map(Level::Colocate)
    } else {
        argument(text).map(|spec| Level::Scope(Some(spec)))
    }
}

/// What a stack of levels asks for, from the primitives of [`DeviceSpec`].
fn resolve(levels: &[Level]) -> DeviceSpec<'static> {
    // The levels inside the last function; the function's result takes the place of all that they gather.
    let mut inside: Vec<Option<DeviceSpec<'static>>> = Vec::new();
    let mut anchor = None;
    for level in levels.iter().rev() {
        match *level {
            Level::Scope(scope) => {
                inside.insert(0, scope);
                if scope.is_none() {
                    break;
                }
            }
            Level::Function(result) => inside = vec![Some(result)],
            Level::Identity => inside = vec![Some(DeviceSpec::resolve_scopes(&inside))],
            Level::Colocate(device) => {
                anchor = Some(device).filter(|device| !device.is_empty());
                inside.insert(0, None);
                break;
            }
        }
    }
    anchor.unwrap_or(DeviceSpec::resolve_scopes(&inside))
}

/// Scope rows whose result differs here: outer, inner, ours, why.
const SCOPE_DIFFERENCES: [[&str; 4]; 5] = [
    [
        "/device:GPU:2",
        "/device:*:*",
        "/device:GPU:2",
        "a star leaves the type open, Python keeps it as a type's name",
    ],
    ["/job:ps", "/job:*", "/job:ps", "a star leaves the job open, Python keeps it as a job's name"],
    [
        "/device:GPU:0",
        "/device:GPU",
        "/device:GPU:0",
        "the full form needs no index, only Python's parser wants one",
    ],
    ["/task:1", "/task:*", "/task:1", "a star is a task, only Python's parser refuses it"],
    ["/replica:1", "/replica:*", "/replica:1", "a star is a replica, only Python's parser refuses it"],
];

/// Scope rows with a string that only Python's looser parser takes, so that they can't be written here: outer, inner,
/// the string, what the row gives once the string is replaced by its suggestion, why.
const PYTHON_ROWS: [(&str, &str, &str, Option<&str>, &str); 8] = [
    (
        "/device:GPU:1",
        "/cpu",
        "/cpu",
        Some("/device:CPU:0"),
        "Python leaves the index open, the suggestion does not",
    ),
    (
        "/gpu:1",
        "/gpu",
        "/gpu",
        Some("/device:GPU:0"),
        "Python leaves the index open, the suggestion does not",
    ),
    ("/device:Gpu:1", "/job:a", "/device:Gpu:1", Some("/job:a/device:GPU:1"), "Python takes any type"),
    ("gpu:1", "/job:a", "gpu:1", Some("/job:a/device:GPU:1"), "Python needs no leading slash"),
    ("/job:a", "GPU:0", "GPU:0", Some("/job:a/device:GPU:0"), "Python needs no leading slash"),
    ("/job:a", "cpu:0", "cpu:0", Some("/job:a/device:CPU:0"), "Python needs no leading slash"),
    (
        "/device:GPU:1/",
        "/job:a/",
        "/device:GPU:1/",
        Some("/job:a/device:GPU:1"),
        "Python drops a trailing slash",
    ),
    (
        "/task:1/cpu:0 > /job:boo/device:GPU:0 > /job:muu/cpu:2",
        "/job:muu/device:MyFunnyDevice:2",
        "/job:muu/device:MyFunnyDevice:2",
        None,
        "Python takes any type",
    ),
];

/// The row's result with each string that does not parse replaced by its suggestion.
fn resolve_repaired(outer: &'static str, inner: &'static str) -> Option<String> {
    let mut levels = Vec::new();
    for text in outer.split(" > ").chain([inner]) {
        levels.push(match level(text) {
            Ok(level) => level,
            Err(text) => {
                let suggestion = DeviceSpec::parse(text).unwrap_err().suggestion()?;
                Level::Scope(Some(DeviceSpec::parse(suggestion.leak()).unwrap()))
            }
        });
    }
    Some(resolve(&levels).to_string())
}

#[test]
fn nested_scopes_merge() {
    let (mut same, mut different, mut python, mut value_errors, mut type_errors) = (0, 0, 0, 0, 0);
    for [outer, inner, merged] in merge_rows("scope") {
        let row = format!("{outer} > {inner}");
        let levels: Result<Vec<Level>, &str> = outer.split(" > ").chain([inner]).map(level).collect();
        if let Some([_, _, ours, _]) = SCOPE_DIFFERENCES.iter().find(|[o, i, ..]| (*o, *i) == (outer, inner))
        {
            let result = resolve(&levels.unwrap()).to_string();
            assert_eq!(result, *ours, "{row}");
            assert_ne!(result, decode(merged), "{row} is no difference");
            different += 1;
            continue;
        }
        match (levels, merged) {
            (Ok(levels), _) => {
                assert_eq!(resolve(&levels).to_string(), decode(merged), "{row}");
                same += 1;
            }
            (Err(_), "error: ValueError") => value_errors += 1,
            // `fn->None`: a function must return a device. The graph language has no functions that return none.
            (Err(text), "error: TypeError") => {
                assert_eq!(text, "None", "{row}");
                type_errors += 1;
            }
            (Err(text), _) => {
                let listed = PYTHON_ROWS.iter().find(|(o, i, ..)| (*o, *i) == (outer, inner)).expect(&row);
                let (_, _, faulty, repaired, _) = listed;
                assert_eq!(text, *faulty, "{row}");
                assert_eq!(resolve_repaired(outer, inner).as_deref(), *repaired, "{row}");
                python += 1;
            }
        }
    }
    assert_eq!((same, different, python), (57, SCOPE_DIFFERENCES.len(), PYTHON_ROWS.len()));
    assert_eq!((value_errors, type_errors), (7, 2));
}

/// Eager mode lays the scopes over the name of the first CPU; `None` innermost means automatic placement.
///
/// Graphs are never eager: the rows are here since [`DeviceSpec::local`] and `merge` are all they need.
#[test]
fn eager_scopes_merge_over_the_first_cpu() {
    let (mut same, mut refused) = (0, 0);
    for [outer, inner, merged] in merge_rows("eager") {
        let scopes: Result<Vec<_>, &str> = outer
            .split(" > ")
            .chain([inner])
            .map(|text| if text == "None" { Ok(None) } else { spec(text).ok_or(text).map(Some) })
            .collect();
        match scopes {
            Ok(scopes) => {
                let result = if inner == "None" {
                    DeviceSpec::EMPTY
                } else {
                    let base = DeviceSpec::local(DeviceType::Cpu, 0);
                    DeviceSpec::merge(base, DeviceSpec::resolve_scopes(&scopes))
                };
                assert_eq!(result.to_string(), decode(merged), "{outer} > {inner}");
                same += 1;
            }
            // `GPU:1` and `/GPU`, which only Python takes, and `/bar:muu`, which nothing takes.
            Err(text) => {
                assert!(["GPU:1", "/GPU", "/bar:muu"].contains(&text), "{text}");
                refused += 1;
            }
        }
    }
    assert_eq!((same, refused), (13, 3));
}

/// Asserts each row of `rules` by `merge`, which gives the printed result or the text of the conflict.
fn check_merges(
    rules: &str,
    count: usize,
    merge: impl Fn(DeviceSpec<'static>, DeviceSpec<'static>) -> Result<DeviceSpec<'static>, MergeConflict>,
) {
    let mut seen = 0;
    for [outer, inner, merged] in merge_rows(rules) {
        let result = match merge(spec(outer).unwrap(), spec(inner).unwrap()) {
            Ok(spec) => spec.to_string(),
            Err(conflict) => format!("error: InvalidArgument ({conflict})"),
        };
        assert_eq!(result, decode(merged), "{rules}: {outer} > {inner}");
        seen += 1;
    }
    assert_eq!(seen, count, "{rules}");
}

#[test]
fn the_other_merges_follow_the_vectors() {
    check_merges("override", 22, |target, other| target.merge_override(other));
    check_merges("unset", 18, |target, other| Ok(target.merge_unset(other)));
    check_merges("coloc", 17, |target, other| target.merge_colocated(other, false));
    check_merges("coloc-soft", 9, |target, other| target.merge_colocated(other, true));
}

#[test]
fn specifications_follow_the_vectors() {
    let mut seen = 0;
    for [outer, inner, holds] in merge_rows("spec") {
        let result = DeviceSpec::is_specification(spec(outer).unwrap(), spec(inner).unwrap());
        assert_eq!(result.to_string(), holds, "{outer} > {inner}");
        seen += 1;
    }
    assert_eq!(seen, 13);
}

#[test]
fn requests_match_full_names() {
    let (mut same, mut different) = (0, 0);
    for [pattern, name, holds] in merge_rows("match") {
        let name = spec(name).unwrap();
        let result = spec(pattern).map(|pattern| DeviceSpec::is_complete_specification(pattern, name));
        match pattern {
            // Lower case means the same type here; in C++ it matches nothing.
            "/device:gpu:1" => assert_eq!((result, holds), (Some(true), "false")),
            // Too large to be an index here; C++ cuts it down to 1.
            "/device:GPU:4294967297" => assert_eq!((result, holds), (None, "true")),
            _ => {
                assert_eq!(result.map(|holds| holds.to_string()).as_deref(), Some(holds), "{pattern}");
                same += 1;
                continue;
            }
        }
        different += 1;
    }
    assert_eq!((same, different), (12, 2));
}
