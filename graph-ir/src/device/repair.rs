//! Device names: the valid name that a faulty one was probably meant to be.
//!
//! In: a text that does not parse. Out: the canonical form of a name, or nothing. The text is read again by looser
//! rules (any case, slash and colon optional, other spellings of the keywords); whatever still has no plausible
//! reading gives no suggestion, since a wrong one is worse than the error alone.

use super::lookalike::fold;
use super::{DeviceSpec, DeviceType, MAXIMUM_INDEX};

/// What to write where the text does not say anything.
const EXAMPLE: &str = "/device:GPU:0";

pub(super) fn suggest(text: &str) -> Option<String> {
    let text = fold(text);
    // A block has one device; of a list, the first one.
    let first = text.split([',', ';']).find(|piece| !piece.trim().is_empty()).unwrap_or("");
    let mut draft = Draft::default();
    let mut has_parts = false;
    let mut has_unknown = false;
    for part in first.split('/').map(str::trim).filter(|part| !part.is_empty()) {
        has_parts = true;
        match draft.part(part) {
            Reading::Understood => {}
            Reading::Unknown => has_unknown = true,
            Reading::Hopeless => return None,
        }
    }
    if !has_parts {
        return Some(EXAMPLE.to_owned());
    }
    // A stray part may go where the rest names a device; without one it was perhaps the device.
    if has_unknown && draft.device_type.is_none() {
        return None;
    }
    let spec = draft.spec();
    let suggestion = if spec.is_empty() { "/device:*".to_owned() } else { spec.to_string() };
    DeviceSpec::parse(&suggestion).is_ok().then_some(suggestion)
}

enum Reading {
    Understood,
    /// No known keyword.
    Unknown,
    /// A known keyword whose value has no plausible reading: leaving it out would change the meaning.
    Hopeless,
}

/// The fields read so far. Of a part given twice the last value stands, as in TensorFlow, but `*` replaces nothing.
#[derive(Default)]
struct Draft {
    job: Option<String>,
    replica: Option<u32>,
    task: Option<u32>,
    device_type: Option<DeviceType>,
    index: Option<u32>,
    /// The index is 0 because the text has none, so that `/gpu/1` may still give one.
    index_is_guessed: bool,
}

enum Keyword<'a> {
    Job,
    Replica,
    Task,
    Device,
    Type(TypeWord<'a>),
}

/// A word that means a device type, perhaps with an index glued to it: `gpu0`.
struct TypeWord<'a> {
    device_type: DeviceType,
    glued: &'a str,
}

enum Number {
    Any,
    Value(u32),
}

impl Draft {
    fn spec(&self) -> DeviceSpec<'_> {
        DeviceSpec {
            job: self.job.as_deref(),
            replica: self.replica,
            task: self.task,
            device_type: self.device_type,
            index: self.index,
        }
    }

    /// Reads one part, which is trimmed and not empty.
    fn part(&mut self, part: &str) -> Reading {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.bare_number(part);
        }
        let word = &part[..part.find([':', '=', ' ']).unwrap_or(part.len())];
        let value = part[word.len()..].trim_start_matches([':', '=', ' ']);
        let understood = match keyword(word) {
            None => return Reading::Unknown,
            Some(Keyword::Job) => self.job(value),
            Some(Keyword::Replica) => set(&mut self.replica, value),
            Some(Keyword::Task) => set(&mut self.task, value),
            Some(Keyword::Device) => self.device(value),
            Some(Keyword::Type(word)) => self.device_of(word, Some(value)),
        };
        if understood.is_some() { Reading::Understood } else { Reading::Hopeless }
    }

    /// `/gpu/1`, or a device known by its number alone, as other systems count GPUs.
    fn bare_number(&mut self, digits: &str) -> Reading {
        if self.index.is_some() && !self.index_is_guessed {
            return Reading::Unknown;
        }
        self.index_is_guessed = false;
        self.device_type = self.device_type.or(Some(DeviceType::Gpu));
        match set(&mut self.index, digits) {
            Some(()) => Reading::Understood,
            None => Reading::Hopeless,
        }
    }

    fn job(&mut self, value: &str) -> Option<()> {
        let name = value.split(':').next().unwrap_or("").trim();
        if name == "*" {
            return Some(());
        }
        let name = match name {
            "" => "localhost".to_owned(),
            _ => name.replace(['-', '.', ' '], "_").trim_start_matches('_').to_owned(),
        };
        let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_word || !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        self.job = Some(name);
        Some(())
    }

    /// Reads what follows `device:`.
    fn device(&mut self, value: &str) -> Option<()> {
        if value.is_empty() {
            let word = TypeWord { device_type: DeviceType::Gpu, glued: "" };
            return self.device_of(word, Some(""));
        }
        if let Some(rest) = value.strip_prefix('*') {
            return match number(rest.trim_start_matches([':', ' ', '*'])) {
                None | Some(Number::Any) => Some(()),
                Some(Number::Value(_)) => {
                    let word = TypeWord { device_type: DeviceType::Gpu, glued: "" };
                    self.device_of(word, Some(rest))
                }
            };
        }
        if value.bytes().all(|byte| byte.is_ascii_digit()) {
            let word = TypeWord { device_type: DeviceType::Gpu, glued: value };
            return self.device_of(word, None);
        }
        let word_length = value.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(value.len());
        let (word, rest) = value.split_at(word_length);
        let word = type_word(word)?;
        self.device_of(word, (!rest.is_empty()).then_some(rest))
    }

    /// Takes a type and what follows it; `None` is the long form without an index, which means any.
    fn device_of(&mut self, word: TypeWord<'_>, rest: Option<&str>) -> Option<()> {
        let rest = rest.map(|rest| rest.trim_start_matches([':', '=', '.', ' ']));
        self.index_is_guessed = word.glued.is_empty() && rest == Some("");
        let index = match rest {
            None if word.glued.is_empty() => Number::Any,
            None | Some("") if !word.glued.is_empty() => number(word.glued)?,
            None | Some("") => Number::Value(0),
            Some(text) => number(text)?,
        };
        if self.device_type != Some(word.device_type) {
            self.index = None;
        }
        self.device_type = Some(word.device_type);
        if let Number::Value(value) = index {
            self.index = Some(value);
        }
        Some(())
    }
}

fn set(field: &mut Option<u32>, value: &str) -> Option<()> {
    let value = if value.is_empty() { "0" } else { value };
    if let Number::Value(value) = number(value)? {
        *field = Some(value);
    }
    Some(())
}

/// Reads a number with a sign, with `_` between digits, or with punctuation behind it (`0-3`, `1.0`, `0:1`). One that
/// is too large gives 0, the index that always exists.
fn number(text: &str) -> Option<Number> {
    let text = text.trim().trim_start_matches(['+', '-']).trim_start();
    if text.starts_with('*') {
        return Some(Number::Any);
    }
    let length = text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    let (digits, rest) = text.split_at(length);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(char::is_alphanumeric) {
        return None;
    }
    let value = digits.replace('_', "").parse().ok().filter(|value| *value <= MAXIMUM_INDEX);
    Some(Number::Value(value.unwrap_or(0)))
}

fn keyword(word: &str) -> Option<Keyword<'_>> {
    const PARTS: [&str; 4] = ["job", "replica", "task", "device"];
    let lower = word.to_lowercase();
    let exact = match lower.as_str() {
        "dev" | "physical_device" | "logical_device" => Some("device"),
        lower => PARTS.into_iter().find(|part| *part == lower),
    };
    // A type comes before a near part, so that `/cup:0` is a CPU.
    let part = match exact {
        Some(part) => part,
        None => match type_word(word) {
            Some(word) => return Some(Keyword::Type(word)),
            None => nearest(&lower, &PARTS)?,
        },
    };
    Some(match part {
        "job" => Keyword::Job,
        "replica" => Keyword::Replica,
        "task" => Keyword::Task,
        _ => Keyword::Device,
    })
}

fn type_word(word: &str) -> Option<TypeWord<'_>> {
    let lower = word.to_lowercase();
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let glued = &word[letters.len()..];
    if let Some(device_type) = exact_type(&letters.to_lowercase()) {
        return Some(TypeWord { device_type, glued });
    }
    // `XLA_GPU`, `gpu_0`.
    let mut segments = lower.split('_').filter_map(exact_type);
    if let (Some(device_type), None) = (segments.next(), segments.next()) {
        let glued = if letters.ends_with('_') { glued } else { "" };
        return Some(TypeWord { device_type, glued });
    }
    let device_type = exact_type(nearest(&lower, &["cpu", "gpu"])?)?;
    Some(TypeWord { device_type, glued: "" })
}

fn exact_type(lower: &str) -> Option<DeviceType> {
    match lower {
        "cpu" | "host" => Some(DeviceType::Cpu),
        "gpu" | "cuda" | "nvidia" => Some(DeviceType::Gpu),
        _ => None,
    }
}

/// The one candidate that a slip of the fingers turns into `word`. A word between two, like `tpu`, has none.
fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let close = |candidate: &str| distance(word, candidate) <= if candidate.len() > 4 { 2 } else { 1 };
    let mut found = candidates.iter().copied().filter(|candidate| close(candidate));
    match (found.next(), found.next()) {
        (Some(candidate), None) => Some(candidate),
        _ => None,
    }
}

/// Characters inserted, dropped, replaced or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    // The candidates are short; a long word is far from all of them, and the table would be large.
    if left.len().abs_diff(right.len()) > 2 {
        return left.len().abs_diff(right.len());
    }
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}
