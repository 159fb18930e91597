//! Sizes of memories: limits, and how sizes are printed.

/// Bytes of a MiB.
pub(crate) const MIB: u64 = 1 << 20;

/// What `per_process_gpu_memory_fraction` allows of a device's **total** memory, whatever is free, rounded down.
///
/// TensorFlow takes other limits where the fraction is unset: what is free, minus a reserve for its own libraries.
/// Here the limit is then the device's total: blocks are as large as the plans need, and there are no libraries.
pub(crate) fn fraction_limit(total: u64, fraction: f64) -> u64 {
    // The conversion saturates, and `fraction <= 1` but for rounding.
    ((total as f64 * fraction) as u64).min(total)
}

/// `1536 bytes` or, for a MiB and more, `2097152 bytes (2 MiB)`.
pub(crate) fn bytes_text(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..MIB => format!("{bytes} bytes"),
        _ if bytes.is_multiple_of(MIB) => format!("{bytes} bytes ({} MiB)", bytes / MIB),
        _ => format!("{bytes} bytes ({:.1} MiB)", bytes as f64 / MIB as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::{MIB, bytes_text, fraction_limit};

    #[test]
    fn a_fraction_never_exceeds_the_total() {
        for total in [0, 1, 1000, u64::MAX - 1, u64::MAX] {
            assert_eq!(fraction_limit(total, 1.0), total.min(fraction_limit(total, 1.0)));
            assert!(fraction_limit(total, 0.5) <= total / 2 + 1);
        }
        assert_eq!(fraction_limit(1000, 1.0), 1000);
        assert_eq!(fraction_limit(1000, 0.4), 400);
        assert_eq!(fraction_limit(3, 0.5), 1);
    }

    #[test]
    fn sizes_print_exactly_and_for_people() {
        assert_eq!(bytes_text(0), "0 bytes");
        assert_eq!(bytes_text(1), "1 byte");
        assert_eq!(bytes_text(MIB - 1), "1048575 bytes");
        assert_eq!(bytes_text(2 * MIB), "2097152 bytes (2 MiB)");
        assert_eq!(bytes_text(3 * MIB / 2), "1572864 bytes (1.5 MiB)");
    }
}
