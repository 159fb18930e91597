//! Mistakes do not build, and say why; the right forms beside them do.
//!
//! `tests/ui/<topic>/<mistake>.rs` holds one mistake, the `.stderr` beside it what the user reads.

#[test]
fn mistakes_are_reported_under_their_token() {
    let cases = trybuild::TestCases::new();
    for topic in [
        "arguments",
        "budget",
        "calls",
        "device",
        "dtypes",
        "literals",
        "module",
        "names",
        "several",
        "shapes",
        "sizes",
        "syntax",
    ] {
        cases.compile_fail(format!("tests/ui/{topic}/*.rs"));
    }
    cases.pass("tests/ui/pass/*.rs");
}
