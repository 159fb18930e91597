//! What users see of a device's memory.

use std::fmt;

use super::limit::bytes_text;

/// The account of one device's memory in one session, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MemoryInfo {
    /// What the device has; `None` for the host, whose memory everybody shares.
    pub total: Option<u64>,
    /// What this session may use of it; `None` for the host, which has no limit.
    pub limit: Option<u64>,
    /// What is taken from the machine now, used or not.
    pub reserved: u64,
    /// What loaded plans use now. With `allow_growth` set to either value, each block counts in units of 256 bytes.
    pub in_use: u64,
    /// The largest `in_use` so far.
    pub peak_in_use: u64,
}

impl fmt::Display for MemoryInfo {
    /// One line: `1024 bytes in use, peak 2048 bytes, reserved 2097152 bytes (2 MiB), limit …, total …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let optional = |bytes: Option<u64>| bytes.map_or("none".to_owned(), bytes_text);
        write!(
            f,
            "{} in use, peak {}, reserved {}, limit {}, total {}",
            bytes_text(self.in_use),
            bytes_text(self.peak_in_use),
            bytes_text(self.reserved),
            optional(self.limit),
            self.total.map_or("unknown".to_owned(), bytes_text),
        )
    }
}
