//! What the generated tests call: a session, the data of inputs, and the comparison of results.

use std::fmt::Debug;

use graph_runtime::{Config, Session};
use ndarray::{Array, ArrayViewD, Dimension, IxDyn};

/// Results may be this many times farther from the evaluator's than its bound says: it is of first order only.
const SLACK: f64 = 2.0;

/// An element type, and the type that its data is written in.
pub(crate) trait Number: Copy + Debug + 'static {
    /// f64, i64 or bool.
    type Stored: Copy + Debug;

    /// The element that holds this data.
    fn from_stored(stored: Self::Stored) -> Self;

    /// Whether it is the expected element, or within `error` of it. NaN is NaN, and the sign of zeros is free.
    fn is_near(self, expected: Self::Stored, error: f64) -> bool;
}

macro_rules! floats {
    ($($ty:ty, $from:expr, $to:expr;)*) => {$(
        impl Number for $ty {
            type Stored = f64;

            fn from_stored(stored: f64) -> Self {
                $from(stored)
            }

            fn is_near(self, expected: f64, error: f64) -> bool {
                let found: f64 = $to(self);
                // Equal infinities have no difference.
                found == expected
                    || found.is_nan() && expected.is_nan()
                    || (found - expected).abs() <= SLACK * error
            }
        }
    )*};
}

floats! {
    f32, |stored| stored as f32, f64::from;
    f64, |stored| stored, |found| found;
    half::f16, half::f16::from_f64, half::f16::to_f64;
    half::bf16, half::bf16::from_f64, half::bf16::to_f64;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            type Stored = i64;

            fn from_stored(stored: i64) -> Self {
                <$ty>::try_from(stored).expect("the generator keeps to the dtype")
            }

            fn is_near(self, expected: i64, _error: f64) -> bool {
                i64::from(self) == expected
            }
        }
    )*};
}

integers!(i32, i64, u8);

impl Number for bool {
    type Stored = bool;

    fn from_stored(stored: bool) -> bool {
        stored
    }

    fn is_near(self, expected: bool, _error: f64) -> bool {
        self == expected
    }
}

/// A session with the three GPUs that the programs name.
pub(crate) fn session() -> Session {
    Session::new(Config::new().virtual_gpus(3)).expect("virtual GPUs need nothing")
}

/// The array of an input.
pub(crate) fn input<T: Number, D: Dimension>(dims: &[usize], data: &[T::Stored]) -> Array<T, D> {
    let elements = data.iter().map(|&stored| T::from_stored(stored)).collect();
    let array = Array::from_shape_vec(IxDyn(dims), elements).expect("as many elements as the shape says");
    array.into_dimensionality().expect("the type has the rank of the shape")
}

/// The number of an input without axes.
pub(crate) fn scalar<T: Number>(data: T::Stored) -> T {
    T::from_stored(data)
}

/// Compares result `output` with the expected elements, whose bounds are `errors`, all 0 when there are none.
pub(crate) fn expect<T: Number>(
    output: usize,
    found: ArrayViewD<'_, T>,
    dims: &[usize],
    expected: &[T::Stored],
    errors: &[f64],
) {
    assert_eq!(found.shape(), dims, "the shape of result {output}");
    let mut wrong = Vec::new();
    for (i, ((index, &element), &expected)) in found.indexed_iter().zip(expected).enumerate() {
        let error = errors.get(i).copied().unwrap_or(0.0);
        if !element.is_near(expected, error) {
            let index = index.slice().to_vec();
            wrong.push(format!("at {index:?} {element:?}, expected {expected:?} within {:e}", SLACK * error));
        }
    }
    let count = wrong.len();
    wrong.truncate(8);
    assert!(wrong.is_empty(), "result {output} has {count} wrong elements:\n{}", wrong.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::{Number, expect};
    use ndarray::arr1;

    #[test]
    fn bounds_are_kept() {
        assert!(1.0f32.is_near(1.0, 0.0) && f32::NAN.is_near(f64::NAN, 0.0) && (-0.0f64).is_near(0.0, 0.0));
        assert!(f32::INFINITY.is_near(f64::INFINITY, 0.0) && !f32::INFINITY.is_near(1e300, 1.0));
        assert!(1.1f64.is_near(1.0, 0.06) && !1.2f64.is_near(1.0, 0.06));
        assert!(!f32::NAN.is_near(1.0, 10.0) && !1.0f32.is_near(f64::NAN, 10.0));
        assert!(!3i32.is_near(4, 10.0) && !true.is_near(false, 1.0));
    }

    #[test]
    #[should_panic(expected = "at [1] 2, expected 3")]
    fn a_wrong_element_is_shown() {
        expect::<i32>(0, arr1(&[1, 2]).view().into_dyn(), &[2], &[1, 3], &[]);
    }
}
