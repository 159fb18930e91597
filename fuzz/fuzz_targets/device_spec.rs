//! Device names: no text panics, errors point into the text, suggestions and printed names parse, merging obeys its laws.
//! A line break separates two names, which are merged.
#![no_main]

use graph_ir::device::{DeviceSpec, MAXIMUM_INDEX};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (outer, inner) = text.split_once('\n').unwrap_or((text, ""));
    let outer = check(outer);
    let inner = check(inner);
    check(text);
    if let (Some(outer), Some(inner)) = (outer, inner) {
        check_merges(outer, inner);
    }
});

fn check(text: &str) -> Option<DeviceSpec<'_>> {
    match DeviceSpec::parse(text) {
        Ok(spec) => {
            let printed = spec.to_string();
            assert_eq!(spec.is_empty(), printed.is_empty());
            if !spec.is_empty() {
                assert_eq!(DeviceSpec::parse(&printed), Ok(spec));
            }
            assert!(spec.index.is_none() || spec.device_type.is_some());
            assert!(
                [spec.replica, spec.task, spec.index]
                    .into_iter()
                    .flatten()
                    .all(|number| number <= MAXIMUM_INDEX)
            );
            Some(spec)
        }
        Err(error) => {
            assert_eq!(text.get(error.start()..error.end()), Some(error.found()));
            assert!(!error.to_string().is_empty());
            if let Some(suggestion) = error.suggestion() {
                let spec = DeviceSpec::parse(&suggestion).expect("a suggestion parses");
                assert!(suggestion == spec.to_string() || suggestion == "/device:*");
            }
            None
        }
    }
}

fn check_merges(outer: DeviceSpec<'_>, inner: DeviceSpec<'_>) {
    let merged = DeviceSpec::merge(outer, inner);
    assert!(DeviceSpec::is_specification(inner, merged));
    assert_eq!(merged, DeviceSpec::resolve_scopes(&[Some(outer), Some(inner)]));
    assert_eq!(inner, DeviceSpec::resolve_scopes(&[Some(outer), None, Some(inner)]));
    assert_eq!(merged, inner.merge_unset(outer));
    assert!(outer.merge_override(inner).is_err() || outer.merge_override(inner) == Ok(merged));
    if let Ok(both) = outer.merge_colocated(inner, false) {
        assert_eq!(both, merged);
        assert_eq!(inner.merge_colocated(outer, true), Ok(both));
        assert!(DeviceSpec::is_specification(outer, both));
    }
    if let (Ok(left), Ok(right)) = (outer.merge_colocated(inner, true), inner.merge_colocated(outer, true)) {
        assert_eq!(left, right);
    }
}
