//! Device names: what is wrong with a text that is none.

use super::{DeviceType, MAXIMUM_INDEX, repair};

/// A part of a device name, as `/keyword:value`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// `/job:NAME`
    Job,
    /// `/replica:N`
    Replica,
    /// `/task:N`
    Task,
    /// `/device:TYPE:N`, or short `/cpu:N`, `/gpu:N`.
    Device,
}

impl Part {
    /// The keyword of the part's full form.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Job => "job",
            Part::Replica => "replica",
            Part::Task => "task",
            Part::Device => "device",
        }
    }

    /// What stands after the keyword.
    const fn value_form(self) -> &'static str {
        match self {
            Part::Job => "a job name such as `worker`",
            Part::Replica | Part::Task => "a number such as `0`, or `*` for any",
            Part::Device => "`CPU` or `GPU` and an index, such as `GPU:0`",
        }
    }
}

/// What kind of mistake a text has. The examples mark the range of the error with `^`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The text is empty or a lone `/`: an empty request is a mistake. The range is the whole text.
    Empty,
    /// A run of ASCII blanks, anywhere.
    Blank,
    /// A run of characters outside ASCII, some of which look like ASCII.
    NotAscii,
    /// The first part has no slash: `gpu:0/job:a`, `^^^^^`.
    MissingSlash,
    /// A doubled or trailing slash; the range is the slashes: `//gpu:0`, `^^`.
    EmptyPart,
    /// No part begins like this; the range is the keyword: `/gpu0`, `·^^^^`.
    UnknownPart,
    /// The part was given before; the range is the second one: `/gpu:0/gpu:1`, `·······^^^^^`.
    RepeatedPart(Part),
    /// Another character stands where `:` belongs: `/job=a`, `····^`.
    MissingColon,
    /// The part ends after its keyword; the range is the part: `/job:`, `·^^^^`.
    MissingValue(Part),
    /// The device part ends after its type; the range is the part: `/gpu`, `·^^^`.
    MissingIndex(DeviceType),
    /// The job is not an ASCII letter followed by letters, digits and `_`; the range is the job.
    InvalidJob,
    /// The device type is neither CPU nor GPU; the range is the type.
    UnknownType,
    /// The value is neither digits nor `*`; the range is the value.
    InvalidNumber(Part),
    /// The number is above [`MAXIMUM_INDEX`]; the range is the number.
    NumberTooLarge(Part),
    /// Something follows a complete part: `/gpu:0:1`, `······^^`.
    TextAfterValue(Part),
    /// An index of no type; the range is what follows `device:`: `/device:*:1`, `········^^^`.
    IndexWithoutType,
}

/// Why a text is not a device name, and where.
///
/// [`Display`](core::fmt::Display) says what was found and what was wanted; [`suggestion`](ParseError::suggestion) is
/// the repair, for the caller to present.
///
/// ```
/// let error = graph_ir::DeviceSpec::parse("/job:a/cuda:0").unwrap_err();
/// assert_eq!(error.found(), "cuda");
/// assert_eq!(error.suggestion().as_deref(), Some("/job:a/device:GPU:0"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParseError<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    kind: ParseErrorKind,
}

impl<'a> ParseError<'a> {
    pub(super) const fn new(text: &'a str, start: usize, end: usize, kind: ParseErrorKind) -> ParseError<'a> {
        ParseError { text, start, end, kind }
    }

    /// The whole text that was parsed.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Byte offset in [`text`](ParseError::text) where the faulty piece starts, on a character boundary.
    pub const fn start(&self) -> usize {
        self.start
    }

    /// Byte offset just after the faulty piece, on a character boundary; equals `start` only for the empty text.
    pub const fn end(&self) -> usize {
        self.end
    }

    /// The faulty piece of the text.
    pub const fn found(&self) -> &'a str {
        self.text.split_at(self.end).0.split_at(self.start).1
    }

    /// What kind of mistake it is.
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// A valid device name in canonical form that the writer may have meant, or `None` where any would be a guess.
    pub fn suggestion(&self) -> Option<String> {
        repair::suggest(self.text)
    }
}

impl core::fmt::Display for ParseError<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let found = self.found().escape_debug();
        match self.kind {
            ParseErrorKind::Empty => {
                f.write_str("the device name says nothing: expected parts such as `/device:GPU:0`")
            }
            ParseErrorKind::Blank => {
                write!(f, "a device name holds no blanks, but there is one at byte {}", self.start)
            }
            ParseErrorKind::NotAscii => {
                write!(f, "a device name is plain ASCII, but `{found}` (")?;
                for (number, character) in self.found().chars().take(3).enumerate() {
                    let separator = if number == 0 { "" } else { ", " };
                    write!(f, "{separator}U+{:04X}", character as u32)?;
                }
                let more = if self.found().chars().nth(3).is_some() { ", …" } else { "" };
                write!(f, "{more}) is not")
            }
            ParseErrorKind::MissingSlash => {
                write!(f, "each part of a device name starts with `/`, but `{found}` does not")
            }
            ParseErrorKind::EmptyPart => {
                write!(
                    f,
                    "nothing follows the `/` at byte {}: expected a part such as `device:GPU:0`",
                    self.start
                )
            }
            ParseErrorKind::UnknownPart => {
                match KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(self.found())) {
                    Some(keyword) => {
                        write!(f, "keywords are lower case: expected `{keyword}`, found `{found}`")
                    }
                    None => write!(
                        f,
                        "`{found}` is no part of a device name: expected `job`, `replica`, `task`, `device`, `cpu` \
                         or `gpu`, and `:`"
                    ),
                }
            }
            ParseErrorKind::RepeatedPart(part) => {
                write!(f, "the {} is given a second time, by `{found}`: expected it once", part.name())
            }
            ParseErrorKind::MissingColon => write!(f, "expected `:`, found `{found}`"),
            ParseErrorKind::MissingValue(part) => {
                write!(f, "`{found}` has no value: expected {}", part.value_form())
            }
            ParseErrorKind::MissingIndex(device_type) => {
                write!(f, "`{found}` does not say which {device_type}: expected an index, as in ")?;
                write!(f, "`/device:{device_type}:0`, or `*` for any")
            }
            ParseErrorKind::InvalidJob => {
                write!(f, "`{found}` is no job name: expected a letter, then letters, digits and `_`")
            }
            ParseErrorKind::UnknownType => {
                write!(f, "`{found}` is no device type: expected `CPU` or `GPU`")
            }
            ParseErrorKind::InvalidNumber(part) => {
                write!(f, "`{found}` is no {}: expected digits, or `*` for any", number_name(part))
            }
            ParseErrorKind::NumberTooLarge(part) => {
                write!(f, "the {} {found} is too large: the largest is {MAXIMUM_INDEX}", number_name(part))
            }
            ParseErrorKind::TextAfterValue(part) => {
                write!(f, "`{found}` follows a complete {} part: expected `/` or the end", part.name())
            }
            ParseErrorKind::IndexWithoutType => {
                write!(f, "`{found}` is an index without a device type: expected `CPU` or `GPU` before it")
            }
        }
    }
}

const KEYWORDS: [&str; 6] = ["job", "replica", "task", "device", "cpu", "gpu"];

const fn number_name(part: Part) -> &'static str {
    match part {
        Part::Device => "device index",
        Part::Job | Part::Replica | Part::Task => part.name(),
    }
}

impl core::error::Error for ParseError<'_> {}
