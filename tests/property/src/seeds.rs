//! Which programs are tested.

use std::ops::Range;

/// The seeds of every ordinary test run.
pub const DEFAULT: Range<u64> = 0..150;

/// The environment variable that selects other ones.
pub const VARIABLE: &str = "GRAPH_PROPERTY_SEEDS";

/// Reads `1000..1100`, or one seed alone.
///
/// # Errors
/// The text that is neither, with what is wanted.
pub fn parse(text: &str) -> Result<Range<u64>, String> {
    let wanted = || format!("{VARIABLE}={text:?} is no range of seeds; write 1000..1100, or one number");
    let number = |part: &str| part.trim().parse::<u64>().map_err(|_| wanted());
    match text.split_once("..") {
        Some((first, end)) => Ok(number(first)?..number(end)?),
        None => number(text).map(|seed| seed..seed + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn ranges_and_single_seeds_are_read() {
        assert_eq!(parse("1000..1100"), Ok(1000..1100));
        assert_eq!(parse("7"), Ok(7..8));
        assert!(parse("a..3").is_err_and(|error| error.contains("1000..1100")));
    }
}
