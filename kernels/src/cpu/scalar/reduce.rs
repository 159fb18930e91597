//! What reductions need besides the operations themselves.

use super::{greater, is_nan, less};
use crate::cpu::Element;

/// The value in the type that accumulates: f32 for f16 and bf16, else its own.
#[inline(always)]
pub fn widen<T: Element>(x: T) -> T::Wide {
    x.widen()
}

/// An accumulated value, rounded once to the element type.
#[inline(always)]
pub fn narrow<T: Element>(x: T::Wide) -> T {
    T::narrow(x)
}

/// The position of the most extreme element met: the first one of equals; a NaN is more extreme than any number, and
/// the first NaN stays. NumPy's `argmax` and `argmin`.
#[derive(Clone, Copy, Debug)]
pub struct Best<T, const LARGEST: bool> {
    best: Option<T>,
    position: i64,
    next: i64,
}

impl<T: Element, const LARGEST: bool> Best<T, LARGEST> {
    /// Nothing met yet.
    #[expect(clippy::new_without_default, reason = "made by printed code only")]
    #[inline(always)]
    pub fn new() -> Self {
        Best { best: None, position: 0, next: 0 }
    }

    /// Meets the next element.
    #[inline(always)]
    pub fn meet(&mut self, x: T) {
        let beats = match self.best {
            None => true,
            Some(best) if is_nan(best) != 0 => false,
            Some(best) => is_nan(x) != 0 || if LARGEST { greater(x, best) } else { less(x, best) } != 0,
        };
        if beats {
            self.best = Some(x);
            self.position = self.next;
        }
        self.next += 1;
    }

    /// Where the most extreme element was, counted from 0; 0 when none was met.
    #[inline(always)]
    pub fn position(self) -> i64 {
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position<const LARGEST: bool>(elements: &[f32]) -> i64 {
        let mut best = Best::<f32, LARGEST>::new();
        elements.iter().for_each(|x| best.meet(*x));
        best.position()
    }

    #[test]
    fn ties_go_to_the_first_and_nan_is_the_extreme() {
        assert_eq!(position::<true>(&[1.0, 3.0, 3.0, 2.0]), 1);
        assert_eq!(position::<false>(&[2.0, 1.0, 1.0]), 1);
        assert_eq!(position::<true>(&[1.0, f32::NAN, 5.0, f32::NAN]), 1);
        assert_eq!(position::<false>(&[f32::NAN, -5.0]), 0);
        assert_eq!(position::<true>(&[-0.0, 0.0]), 0);
        assert_eq!(position::<true>(&[f32::NEG_INFINITY, f32::NEG_INFINITY]), 0);
    }
}
