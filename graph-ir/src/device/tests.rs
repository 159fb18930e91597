//! Errors: their places, their texts, their suggestions. The verdicts are in `tests/device_conformance.rs`.

use super::{DeviceSpec, DeviceType, ParseError, ParseErrorKind, Part};

fn error(text: &str) -> ParseError<'_> {
    match DeviceSpec::parse(text) {
        Ok(spec) => panic!("{text:?} parses, as {spec:?}"),
        Err(error) => error,
    }
}

/// Each text with its mistake between `«` and `»`.
#[test]
fn errors_cover_the_faulty_piece() {
    use ParseErrorKind as Kind;
    let cases: &[(&str, ParseErrorKind)] = &[
        ("«»", Kind::Empty),
        ("«/»", Kind::Empty),
        ("« »", Kind::Blank),
        ("« \t»/gpu:0 ", Kind::Blank),
        ("/gpu:«\u{b} \r\n»0", Kind::Blank),
        ("/gpu:0« »", Kind::Blank),
        ("/nonsense« »:0", Kind::Blank),
        ("«／»device:GPU:０", Kind::NotAscii),
        ("/device:GPU:«０»", Kind::NotAscii),
        ("/job:gr«öß»e", Kind::NotAscii),
        ("/gpu:0«\u{a0}» ", Kind::NotAscii),
        ("«gpu:0»", Kind::MissingSlash),
        ("«job:a»/gpu:0", Kind::MissingSlash),
        ("«\\gpu:0»", Kind::MissingSlash),
        ("«//»", Kind::EmptyPart),
        ("«//»gpu:0", Kind::EmptyPart),
        ("/job:a«//»gpu:0", Kind::EmptyPart),
        ("/gpu:0«/»", Kind::EmptyPart),
        ("/«gpu0»", Kind::UnknownPart),
        ("/«cuda»:0/task:1", Kind::UnknownPart),
        ("/task:1/«JOB»:a", Kind::UnknownPart),
        ("/«:0»/task:1", Kind::UnknownPart),
        ("/«jobs»/task:1", Kind::UnknownPart),
        ("/gpu:0/task:1/«cpu:0»", Kind::RepeatedPart(Part::Device)),
        ("/job:*/«job:*»/task:1", Kind::RepeatedPart(Part::Job)),
        ("/replica:0/«replica»", Kind::RepeatedPart(Part::Replica)),
        ("/task:0/«task:0»", Kind::RepeatedPart(Part::Task)),
        ("/job«=»foo", Kind::MissingColon),
        ("/gpu«=»0/job:a", Kind::MissingColon),
        ("/device:GPU«.»0", Kind::MissingColon),
        ("/device:GPU«*»:0", Kind::MissingColon),
        ("/«job»", Kind::MissingValue(Part::Job)),
        ("/«replica:»/task:0", Kind::MissingValue(Part::Replica)),
        ("/«task:»", Kind::MissingValue(Part::Task)),
        ("/«device:»", Kind::MissingValue(Part::Device)),
        ("/«device:*:»", Kind::MissingValue(Part::Device)),
        ("/«gpu»", Kind::MissingIndex(DeviceType::Gpu)),
        ("/«CPU:»/job:a", Kind::MissingIndex(DeviceType::Cpu)),
        ("/«device:gpu:»", Kind::MissingIndex(DeviceType::Gpu)),
        ("/job:«1a»", Kind::InvalidJob),
        ("/job:«foo-bar»/task:1", Kind::InvalidJob),
        ("/job:«:0»", Kind::InvalidJob),
        ("/job:«**»", Kind::InvalidJob),
        ("/device:«GPY»:1", Kind::UnknownType),
        ("/device:«Gpu»/job:a", Kind::UnknownType),
        ("/device:«:0»", Kind::UnknownType),
        ("/device:«**»", Kind::UnknownType),
        ("/gpu:«-1»", Kind::InvalidNumber(Part::Device)),
        ("/gpu:«:1»", Kind::InvalidNumber(Part::Device)),
        ("/device:*:«x»", Kind::InvalidNumber(Part::Device)),
        ("/replica:«1x»/task:0", Kind::InvalidNumber(Part::Replica)),
        ("/task:«99999999999999999999999x»", Kind::InvalidNumber(Part::Task)),
        ("/gpu:«2147483648»", Kind::NumberTooLarge(Part::Device)),
        ("/task:«18446744073709551616»/gpu:0", Kind::NumberTooLarge(Part::Task)),
        ("/replica:«99999999999999999999999999999999»", Kind::NumberTooLarge(Part::Replica)),
        ("/gpu:0«:1»", Kind::TextAfterValue(Part::Device)),
        ("/gpu:*«:»", Kind::TextAfterValue(Part::Device)),
        ("/job:localhost«:2222»/task:0", Kind::TextAfterValue(Part::Job)),
        ("/job:*«:0»", Kind::TextAfterValue(Part::Job)),
        ("/device:«*:0»/job:a", Kind::IndexWithoutType),
    ];
    for (marked, kind) in cases {
        let (before, rest) = marked.split_once('«').unwrap();
        let (piece, after) = rest.split_once('»').unwrap();
        let text = format!("{before}{piece}{after}");
        let error = error(&text);
        let range = before.len()..before.len() + piece.len();
        assert_eq!((error.start()..error.end(), error.kind()), (range, *kind), "{marked}");
        assert_eq!((error.found(), error.text()), (piece, text.as_str()));
    }
}

#[test]
fn messages_say_what_was_found_and_wanted() {
    let cases = [
        ("", "the device name says nothing: expected parts such as `/device:GPU:0`"),
        ("/gpu: 0", "a device name holds no blanks, but there is one at byte 5"),
        ("/gpu:０", "a device name is plain ASCII, but `０` (U+FF10) is not"),
        ("/job:новый", "a device name is plain ASCII, but `новый` (U+043D, U+043E, U+0432, …) is not"),
        ("gpu:0", "each part of a device name starts with `/`, but `gpu:0` does not"),
        ("/gpu:0/", "nothing follows the `/` at byte 6: expected a part such as `device:GPU:0`"),
        (
            "/gpu0",
            "`gpu0` is no part of a device name: expected `job`, `replica`, `task`, `device`, `cpu` or `gpu`, and `:`",
        ),
        ("/Device:GPU:0", "keywords are lower case: expected `device`, found `Device`"),
        ("/gpu:0/cpu:0", "the device is given a second time, by `cpu:0`: expected it once"),
        ("/job=a", "expected `:`, found `=`"),
        ("/job:", "`job:` has no value: expected a job name such as `worker`"),
        ("/task", "`task` has no value: expected a number such as `0`, or `*` for any"),
        ("/device", "`device` has no value: expected `CPU` or `GPU` and an index, such as `GPU:0`"),
        ("/gpu", "`gpu` does not say which GPU: expected an index, as in `/device:GPU:0`, or `*` for any"),
        ("/job:1a", "`1a` is no job name: expected a letter, then letters, digits and `_`"),
        ("/device:GPY:1", "`GPY` is no device type: expected `CPU` or `GPU`"),
        ("/gpu:-1", "`-1` is no device index: expected digits, or `*` for any"),
        ("/task:x", "`x` is no task: expected digits, or `*` for any"),
        ("/gpu:2147483648", "the device index 2147483648 is too large: the largest is 2147483647"),
        ("/gpu:0:1", "`:1` follows a complete device part: expected `/` or the end"),
        ("/device:*:1", "`*:1` is an index without a device type: expected `CPU` or `GPU` before it"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text).to_string(), message, "{text:?}");
    }
}

/// Control characters must not reach a terminal.
#[test]
fn messages_escape_what_they_quote() {
    let message = error("/device:\u{1b}[31m:0").to_string();
    assert_eq!(message, "`\\u{1b}[31m` is no device type: expected `CPU` or `GPU`");
}

#[test]
fn usual_slips_have_a_suggestion() {
    let cases = [
        // Nothing said.
        ("", "/device:GPU:0"),
        ("/", "/device:GPU:0"),
        ("  ", "/device:GPU:0"),
        ("/device:", "/device:GPU:0"),
        // No leading slash.
        ("gpu:0", "/device:GPU:0"),
        ("device:GPU:0", "/device:GPU:0"),
        ("GPU:1", "/device:GPU:1"),
        ("cpu", "/device:CPU:0"),
        ("job:a/task:1", "/job:a/task:1"),
        ("\\device:GPU:0", "/device:GPU:0"),
        // As other systems write it.
        ("cuda:0", "/device:GPU:0"),
        ("/cuda:0", "/device:GPU:0"),
        ("cuda", "/device:GPU:0"),
        ("/device:CUDA:3", "/device:GPU:3"),
        ("/device:XLA_GPU:1", "/device:GPU:1"),
        ("/physical_device:GPU:0", "/device:GPU:0"),
        ("1", "/device:GPU:1"),
        ("/device:1", "/device:GPU:1"),
        // The index glued, missing, signed, too large, or more than one.
        ("gpu0", "/device:GPU:0"),
        ("/gpu0", "/device:GPU:0"),
        ("/device:GPU12", "/device:GPU:12"),
        ("/gpu_1", "/device:GPU:1"),
        ("/gpu/1", "/device:GPU:1"),
        ("/device:GPU/1", "/device:GPU:1"),
        ("/gpu", "/device:GPU:0"),
        ("/gpu:", "/device:GPU:0"),
        ("/gpu:-1", "/device:GPU:1"),
        ("/device:GPU:+2", "/device:GPU:2"),
        ("/gpu:0-3", "/device:GPU:0"),
        ("/gpu:1_0", "/device:GPU:10"),
        ("/device:GPU:0,1", "/device:GPU:0"),
        ("/device:*:3", "/device:GPU:3"),
        ("/device:GPU:2147483648", "/device:GPU:0"),
        ("/task:99999999999999999999999/gpu:1", "/task:0/device:GPU:1"),
        // Blanks inside and around.
        (" /gpu:0 ", "/device:GPU:0"),
        ("/gpu: 0", "/device:GPU:0"),
        ("/gpu 0", "/device:GPU:0"),
        ("/ device : GPU : 1 / job : a", "/job:a/device:GPU:1"),
        ("/gpu:0\r\n", "/device:GPU:0"),
        // Slashes.
        ("/gpu:0/", "/device:GPU:0"),
        ("//job:a///gpu:0//", "/job:a/device:GPU:0"),
        // Capitals.
        ("/JOB:Ps/Task:1/DEVICE:GPU:0", "/job:Ps/task:1/device:GPU:0"),
        ("/device:Gpu:0", "/device:GPU:0"),
        ("/gPU:2", "/device:GPU:2"),
        ("/device:Cpu", "/device:CPU:*"),
        // Look-alikes: full-width, Cyrillic `с`, `р`, `е`, Greek `Ρ`, Arabic digits, script g, invisible marks, quotes.
        ("／device:GPU:０", "/device:GPU:0"),
        ("／ｄｅｖｉｃｅ：ＧＰＵ：１", "/device:GPU:1"),
        ("/dеviсе:GPU:0", "/device:GPU:0"),
        ("/сpu:0", "/device:CPU:0"),
        ("/device:GΡU:0", "/device:GPU:0"),
        ("/gpu:٣", "/device:GPU:3"),
        ("/ɡpu:0", "/device:GPU:0"),
        ("/device:𝐆𝐏𝐔:𝟏", "/device:GPU:1"),
        ("\u{feff}/gpu:0\u{200b}", "/device:GPU:0"),
        ("“/gpu:0”", "/device:GPU:0"),
        // A part twice: the last one that says something, as TensorFlow reads it.
        ("/gpu:0/gpu:1", "/device:GPU:1"),
        ("/gpu:1/device:CPU", "/device:CPU:*"),
        ("/job:a/job:b", "/job:b"),
        ("/job:a/job:*", "/job:a"),
        // Near words.
        ("/device:GPY:1", "/device:GPU:1"),
        ("/cup:0", "/device:CPU:0"),
        ("/devcie:GPU:0", "/device:GPU:0"),
        ("/jbo:a/taks:1/replcia:2", "/job:a/replica:2/task:1"),
        ("/device:GPÜ:0", "/device:GPU:0"),
        // `=` for `:`.
        ("/job=foo", "/job:foo"),
        ("/device=GPU=1", "/device:GPU:1"),
        ("gpu=1", "/device:GPU:1"),
        // The rest.
        ("/job:foo-bar/gpu:0", "/job:foo_bar/device:GPU:0"),
        ("/job:localhost:2222/gpu:0", "/job:localhost/device:GPU:0"),
        ("/job:a/gpu:1/extra", "/job:a/device:GPU:1"),
    ];
    for (text, suggestion) in cases {
        assert_eq!(error(text).suggestion().as_deref(), Some(suggestion), "{text:?}");
    }
}

/// Each has no reading, or two, or one that would silently drop what it asks for.
#[test]
fn hopeless_texts_have_no_suggestion() {
    let texts = [
        "foobar",
        "/foo:bar",
        "/tpu:0",
        "/device:XPU:1",
        "/device:TPU:0",
        "/job:a/tpu:0",
        "/gpu:one",
        "/gpu:0x1",
        "/job:привет/gpu:0",
        "/job:1a",
        "/task:x/gpu:0",
        "grpc://localhost:2222",
    ];
    for text in texts {
        assert_eq!(error(text).suggestion(), None, "{text:?}");
    }
}

#[test]
fn parsing_and_merging_run_at_build_time() {
    const OUTER: DeviceSpec<'static> = match DeviceSpec::parse("/job:worker/task:1/gpu:1") {
        Ok(spec) => spec,
        Err(_) => DeviceSpec::EMPTY,
    };
    const FAULT: usize = match DeviceSpec::parse("/gpu:x") {
        Ok(_) => 0,
        Err(error) => error.start(),
    };
    const MERGED: DeviceSpec<'static> = DeviceSpec::resolve_scopes(&[
        Some(OUTER),
        Some(DeviceSpec { replica: Some(2), ..DeviceSpec::EMPTY }),
    ]);
    const FITS: bool = DeviceSpec::is_specification(OUTER, MERGED);
    assert_eq!(MERGED.to_string(), "/job:worker/replica:2/task:1/device:GPU:1");
    assert_eq!((FAULT, FITS), (5, true));
}

#[test]
fn emptiness_and_completeness_follow_the_fields() {
    let local = DeviceSpec::local(DeviceType::Gpu, 3);
    assert_eq!(local.to_string(), "/job:localhost/replica:0/task:0/device:GPU:3");
    assert_eq!(DeviceSpec::parse(&local.to_string()), Ok(local));
    assert!(local.is_fully_specified() && !local.is_empty());
    assert!(DeviceSpec::EMPTY.is_empty() && !DeviceSpec::EMPTY.is_fully_specified());
    assert_eq!(DeviceSpec::default(), DeviceSpec::EMPTY);
    assert_eq!(DeviceSpec::parse("/job:*/device:*"), Ok(DeviceSpec::EMPTY));
    for without in [
        DeviceSpec { job: None, ..local },
        DeviceSpec { replica: None, ..local },
        DeviceSpec { task: None, ..local },
        DeviceSpec { device_type: None, ..local },
        DeviceSpec { index: None, ..local },
    ] {
        assert!(!without.is_fully_specified() && !without.is_empty(), "{without:?}");
        assert!(DeviceSpec::is_complete_specification(without, local));
        assert!(!DeviceSpec::is_complete_specification(without, without), "{without:?} names no device");
    }
    let index_alone = DeviceSpec { index: Some(1), ..DeviceSpec::EMPTY };
    assert_eq!((index_alone.to_string().as_str(), index_alone.is_empty()), ("", false));
}
