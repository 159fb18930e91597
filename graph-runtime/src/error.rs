//! The one error type of the runtime.

use std::fmt;

/// What kind of failure it was, with TensorFlow's names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Code {
    /// An option, a device string or an argument that cannot be right on this machine.
    InvalidArgument,
    /// Something asked for by name does not exist.
    NotFound,
    /// A memory limit, or the memory itself, is used up.
    ResourceExhausted,
    /// An index outside of its tensor.
    OutOfRange,
    /// The operation needs a state that is not there yet, or no longer.
    FailedPrecondition,
    /// A broken invariant of this crate: a bug here, not in the caller.
    Internal,
    /// Legal, but not supported yet.
    Unimplemented,
    /// Something of that name exists already.
    AlreadyExists,
    /// TensorFlow gives no kind to this failure; the message says what it is.
    Unknown,
}

impl Code {
    /// TensorFlow's name, such as `InvalidArgument`.
    pub const fn name(self) -> &'static str {
        match self {
            Code::InvalidArgument => "InvalidArgument",
            Code::NotFound => "NotFound",
            Code::ResourceExhausted => "ResourceExhausted",
            Code::OutOfRange => "OutOfRange",
            Code::FailedPrecondition => "FailedPrecondition",
            Code::Internal => "Internal",
            Code::Unimplemented => "Unimplemented",
            Code::AlreadyExists => "AlreadyExists",
            Code::Unknown => "Unknown",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A failure of the runtime: its kind and a message with the facts and, where one is likely, the repair.
///
/// Prints as `InvalidArgument: …`. The wording may change between versions; match on [`code`](Error::code).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Error {
    /// The kind of failure.
    pub code: Code,
    /// What is wrong, the facts on both sides, and a repair.
    pub message: String,
}

/// A result of the runtime.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of this kind; user code that has to answer with the runtime's type may make one, too.
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        Error { code, message: message.into() }
    }

    pub(crate) fn invalid_argument(message: impl Into<String>) -> Error {
        Error::new(Code::InvalidArgument, message)
    }

    pub(crate) fn resource_exhausted(message: impl Into<String>) -> Error {
        Error::new(Code::ResourceExhausted, message)
    }

    pub(crate) fn out_of_range(message: impl Into<String>) -> Error {
        Error::new(Code::OutOfRange, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Error {
        Error::new(Code::Internal, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::{Code, Error};

    #[test]
    fn prints_the_code_before_the_message() {
        let error = Error::new(Code::ResourceExhausted, "no room");
        assert_eq!(error.to_string(), "ResourceExhausted: no room");
        assert_eq!(format!("{:>10}", Code::NotFound), "  NotFound");
    }

    #[test]
    fn crosses_threads_as_a_boxed_error() {
        let boxed: Box<dyn std::error::Error + Send + Sync> = Error::new(Code::Internal, "broken").into();
        assert_eq!(boxed.to_string(), "Internal: broken");
    }
}
