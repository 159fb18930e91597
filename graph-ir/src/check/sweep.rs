//! Which ranges of one memory conflict, given the order of their lives.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The bytes of a buffer: `start..end`, not empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) buffer: u32,
}

/// Two buffers that share bytes although neither `precedes` the other, if there are any.
///
/// `precedes` is a strict partial order. All buffers over one byte must be ordered among each other, that is, form a
/// chain. The sweep goes through the bytes from the left and keeps the chain of the buffers over the byte; a new one
/// is compared by halving, and where it has its place between two neighbours, transitivity orders it with the rest.
/// So n buffers take n log n comparisons, and a plan that reuses one range for thousands of values is judged fast.
pub(super) fn conflict(mut spans: Vec<Span>, precedes: impl Fn(u32, u32) -> bool) -> Option<(u32, u32)> {
    spans.sort_unstable();
    let mut chain: Vec<u32> = Vec::new();
    let mut ends: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for span in spans {
        while let Some(&Reverse((end, old))) = ends.peek()
            && end <= span.start
        {
            ends.pop();
            // `old` is in the chain, behind exactly those that precede it.
            let place = chain.partition_point(|&other| precedes(other, old));
            chain.remove(place);
        }
        let place = chain.partition_point(|&other| precedes(other, span.buffer));
        if let Some(&next) = chain.get(place)
            && !precedes(span.buffer, next)
        {
            return Some((next, span.buffer));
        }
        chain.insert(place, span.buffer);
        ends.push(Reverse((span.end, span.buffer)));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator with a fixed seed (the multiplier is Knuth's): numbers below `bound`.
    fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
        move |bound| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        }
    }

    /// Lives on two lanes: one precedes another if it ends first on both.
    fn random(seed: u64) -> (Vec<Span>, Vec<[(u64, u64); 2]>) {
        let mut number = numbers(seed);
        let mut spans = Vec::new();
        let mut lives = Vec::new();
        for buffer in 0..4 + seed as u32 % 5 {
            let start = number(12);
            spans.push(Span { start, end: start + 1 + number(6), buffer });
            let mut life = || {
                let start = number(40);
                (start, start + number(6))
            };
            lives.push([life(), life()]);
        }
        (spans, lives)
    }

    #[test]
    fn agrees_with_the_comparison_of_all_pairs() {
        let (mut sound, mut broken) = (0, 0);
        for seed in 0..4000 {
            let (spans, lives) = random(seed);
            let precedes = |a: u32, b: u32| (0..2).all(|i| lives[a as usize][i].1 < lives[b as usize][i].0);
            let conflicts = |a: &Span, b: &Span| {
                a.start < b.end
                    && b.start < a.end
                    && !precedes(a.buffer, b.buffer)
                    && !precedes(b.buffer, a.buffer)
            };
            let expected =
                spans.iter().enumerate().any(|(i, a)| spans[i + 1..].iter().any(|b| conflicts(a, b)));
            match conflict(spans.clone(), precedes) {
                Some((a, b)) => {
                    assert!(conflicts(&spans[a as usize], &spans[b as usize]), "seed {seed}: {a} and {b}");
                    broken += 1;
                }
                None => {
                    assert!(!expected, "seed {seed}: a conflict was not seen");
                    sound += 1;
                }
            }
        }
        assert!(sound > 200 && broken > 200, "both verdicts are tried: {sound} sound, {broken} broken");
    }

    #[test]
    fn neighbours_do_not_conflict() {
        let span = |start, end, buffer| Span { start, end, buffer };
        assert_eq!(conflict(vec![span(64, 128, 0), span(0, 64, 1)], |_, _| false), None);
        assert_eq!(conflict(vec![span(64, 128, 0), span(0, 65, 1)], |_, _| false), Some((1, 0)));
    }
}
