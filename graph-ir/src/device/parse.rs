//! Device names: the parser.
//!
//! ```text
//! name   = part { part }                       each of job, replica, task, device at most once, in any order
//! part   = "/job:" (word | "*") | "/replica:" (number | "*") | "/task:" (number | "*") | device
//! device = "/device:" ("CPU" | "cpu" | "GPU" | "gpu") [":" (number | "*")]
//!        | "/" ("CPU" | "cpu" | "GPU" | "gpu") ":" (number | "*")
//!        | "/device:*" [":*"]
//! word   = letter { letter | digit | "_" }     ASCII
//! number = digit { digit }                     at most 2147483647
//! ```

use super::{DeviceSpec, DeviceType, MAXIMUM_INDEX, ParseError, ParseErrorKind, Part};

pub(super) const fn parse(text: &str) -> Result<DeviceSpec<'_>, ParseError<'_>> {
    if let Some(error) = foreign_character(text) {
        return Err(error);
    }
    let bytes = text.as_bytes();
    if bytes.is_empty() || (bytes.len() == 1 && bytes[0] == b'/') {
        return Err(ParseError::new(text, 0, bytes.len(), ParseErrorKind::Empty));
    }
    if bytes[0] != b'/' {
        let end = find(bytes, b'/', 0, bytes.len());
        return Err(ParseError::new(text, 0, end, ParseErrorKind::MissingSlash));
    }
    let mut reader =
        Reader { text, spec: DeviceSpec::EMPTY, job: false, replica: false, task: false, device: false };
    let mut start = 1;
    loop {
        let end = find(bytes, b'/', start, bytes.len());
        if start == end {
            // The slash before, and the one after unless the text ends here.
            let last = if end < bytes.len() { end + 1 } else { end };
            return Err(ParseError::new(text, start - 1, last, ParseErrorKind::EmptyPart));
        }
        if let Err(error) = reader.part(start, end) {
            return Err(error);
        }
        if end == bytes.len() {
            return Ok(reader.spec);
        }
        start = end + 1;
    }
}

/// The fields read so far, and which parts were given: `/job:*` gives a part and sets nothing.
struct Reader<'a> {
    text: &'a str,
    spec: DeviceSpec<'a>,
    job: bool,
    replica: bool,
    task: bool,
    device: bool,
}

impl<'a> Reader<'a> {
    /// Reads `text[start..end]`, which is not empty and holds no slash.
    const fn part(&mut self, start: usize, end: usize) -> Result<(), ParseError<'a>> {
        let bytes = self.text.as_bytes();
        let keyword_end = word_end(bytes, start, end);
        let (part, short_type) = match slice(bytes, start, keyword_end) {
            b"job" => (Part::Job, None),
            b"replica" => (Part::Replica, None),
            b"task" => (Part::Task, None),
            b"device" => (Part::Device, None),
            b"cpu" | b"CPU" => (Part::Device, Some(DeviceType::Cpu)),
            b"gpu" | b"GPU" => (Part::Device, Some(DeviceType::Gpu)),
            _ => {
                let end = find(bytes, b':', start, end);
                // `/:0` has no keyword to point at; the part is.
                let end = if end == start { find(bytes, b'/', start, bytes.len()) } else { end };
                return Err(ParseError::new(self.text, start, end, ParseErrorKind::UnknownPart));
            }
        };
        let given = match part {
            Part::Job => &mut self.job,
            Part::Replica => &mut self.replica,
            Part::Task => &mut self.task,
            Part::Device => &mut self.device,
        };
        if *given {
            return Err(ParseError::new(self.text, start, end, ParseErrorKind::RepeatedPart(part)));
        }
        *given = true;
        if keyword_end < end && bytes[keyword_end] != b':' {
            return Err(self.missing_colon(keyword_end));
        }
        let value = keyword_end + 1;
        if value >= end {
            let kind = match short_type {
                Some(device_type) => ParseErrorKind::MissingIndex(device_type),
                None => ParseErrorKind::MissingValue(part),
            };
            return Err(ParseError::new(self.text, start, end, kind));
        }
        let number = match (part, short_type) {
            (Part::Job, _) => return self.job(value, end),
            (Part::Device, None) => return self.device(start, value, end),
            _ => self.number(part, value, end),
        };
        let number = match number {
            Ok(number) => number,
            Err(error) => return Err(error),
        };
        match part {
            Part::Replica => self.spec.replica = number,
            Part::Task => self.spec.task = number,
            // The short form: the other two have returned.
            Part::Job | Part::Device => {
                self.spec.device_type = short_type;
                self.spec.index = number;
            }
        }
        Ok(())
    }

    const fn job(&mut self, start: usize, end: usize) -> Result<(), ParseError<'a>> {
        let bytes = self.text.as_bytes();
        let job_end = find(bytes, b':', start, end);
        let is_star = job_end == start + 1 && bytes[start] == b'*';
        let is_word = job_end > start
            && bytes[start].is_ascii_alphabetic()
            && word_end(bytes, start, job_end) == job_end;
        if !is_star && !is_word {
            let last = if job_end == start { end } else { job_end };
            return Err(ParseError::new(self.text, start, last, ParseErrorKind::InvalidJob));
        }
        if job_end < end {
            return Err(ParseError::new(self.text, job_end, end, ParseErrorKind::TextAfterValue(Part::Job)));
        }
        if is_word {
            self.spec.job = Some(self.text.split_at(job_end).0.split_at(start).1);
        }
        Ok(())
    }

    /// Reads what follows `/device:`; `part` is where the part starts.
    const fn device(&mut self, part: usize, start: usize, end: usize) -> Result<(), ParseError<'a>> {
        let bytes = self.text.as_bytes();
        let type_end = find(bytes, b':', start, end);
        let is_open = type_end == start + 1 && bytes[start] == b'*';
        let word = word_end(bytes, start, type_end);
        self.spec.device_type = match slice(bytes, start, word) {
            b"CPU" | b"cpu" => Some(DeviceType::Cpu),
            b"GPU" | b"gpu" => Some(DeviceType::Gpu),
            _ if is_open => None,
            _ => {
                let last = if type_end == start { end } else { type_end };
                return Err(ParseError::new(self.text, start, last, ParseErrorKind::UnknownType));
            }
        };
        if !is_open && word < type_end {
            return Err(self.missing_colon(word));
        }
        if type_end == end {
            return Ok(());
        }
        if type_end + 1 == end {
            let kind = match self.spec.device_type {
                Some(device_type) => ParseErrorKind::MissingIndex(device_type),
                None => ParseErrorKind::MissingValue(Part::Device),
            };
            return Err(ParseError::new(self.text, part, end, kind));
        }
        self.spec.index = match self.number(Part::Device, type_end + 1, end) {
            Ok(index) => index,
            Err(error) => return Err(error),
        };
        if is_open && self.spec.index.is_some() {
            return Err(ParseError::new(self.text, start, end, ParseErrorKind::IndexWithoutType));
        }
        Ok(())
    }

    /// Reads a number that `part` holds; `None` is `*`.
    const fn number(&self, part: Part, start: usize, end: usize) -> Result<Option<u32>, ParseError<'a>> {
        let bytes = self.text.as_bytes();
        let value_end = find(bytes, b':', start, end);
        let value = match slice(bytes, start, value_end) {
            b"*" => None,
            digits => match decimal(digits) {
                Some(value) if value <= MAXIMUM_INDEX as u64 => Some(value as u32),
                Some(_) => {
                    let kind = ParseErrorKind::NumberTooLarge(part);
                    return Err(ParseError::new(self.text, start, value_end, kind));
                }
                None => {
                    let last = if value_end == start { end } else { value_end };
                    return Err(ParseError::new(self.text, start, last, ParseErrorKind::InvalidNumber(part)));
                }
            },
        };
        if value_end < end {
            return Err(ParseError::new(self.text, value_end, end, ParseErrorKind::TextAfterValue(part)));
        }
        Ok(value)
    }

    const fn missing_colon(&self, at: usize) -> ParseError<'a> {
        ParseError::new(self.text, at, at + 1, ParseErrorKind::MissingColon)
    }
}

/// The first run of blanks or of non-ASCII characters. Past this check each byte is a character.
const fn foreign_character(text: &str) -> Option<ParseError<'_>> {
    let bytes = text.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        let kind = character_fault(bytes[start]);
        if let Some(found) = kind {
            let mut end = start + 1;
            while end < bytes.len() {
                match character_fault(bytes[end]) {
                    Some(next) if next as u8 == found as u8 => end += 1,
                    _ => break,
                }
            }
            let kind = match found {
                CharacterFault::Blank => ParseErrorKind::Blank,
                CharacterFault::NotAscii => ParseErrorKind::NotAscii,
            };
            return Some(ParseError::new(text, start, end, kind));
        }
        start += 1;
    }
    None
}

#[derive(Clone, Copy)]
enum CharacterFault {
    Blank,
    NotAscii,
}

const fn character_fault(byte: u8) -> Option<CharacterFault> {
    match byte {
        b' ' | b'\t'..=b'\r' => Some(CharacterFault::Blank),
        0x80.. => Some(CharacterFault::NotAscii),
        _ => None,
    }
}

/// Where `wanted` first stands in `bytes[start..end]`, or `end`.
const fn find(bytes: &[u8], wanted: u8, start: usize, end: usize) -> usize {
    let mut at = start;
    while at < end && bytes[at] != wanted {
        at += 1;
    }
    at
}

/// The end of the letters, digits and `_` that begin at `start`.
const fn word_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let mut at = start;
    while at < end && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
        at += 1;
    }
    at
}

const fn slice(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.split_at(end).0.split_at(start).1
}

/// The value of a run of digits, stopping at the first value above [`MAXIMUM_INDEX`]; `None` for anything else.
const fn decimal(digits: &[u8]) -> Option<u64> {
    let mut value = 0;
    let mut at = 0;
    while at < digits.len() {
        if !digits[at].is_ascii_digit() {
            return None;
        }
        if value <= MAXIMUM_INDEX as u64 {
            value = value * 10 + (digits[at] - b'0') as u64;
        }
        at += 1;
    }
    if digits.is_empty() { None } else { Some(value) }
}
