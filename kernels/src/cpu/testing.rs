//! What several tests need.

use graph_ir::DType;

use super::Element;
use super::scalar::{Cast, cast};

/// `count` numbers, the same in each run, of all bits (splitmix64).
pub(crate) fn pseudo_random(count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(|i| {
        let mut bits = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    })
}

/// Whole numbers from -3 to 3 as elements (0 to 3 for `u8`), the same in each run: small enough that sums of their
/// products are exact in each type but `f16` and `bf16`.
pub(crate) fn small_whole<T: Element>(count: usize) -> Vec<T>
where
    i32: Cast<T>,
{
    let least = if T::DTYPE == DType::U8 { 0 } else { -3 };
    pseudo_random(count).map(|bits| cast::<i32, T>(least + (bits >> 33) as i32 % (4 - least))).collect()
}

/// Panics unless both are NaN, or equal with the same sign of zero.
#[track_caller]
pub(crate) fn assert_same(found: f64, wanted: f64, what: impl core::fmt::Debug) {
    let same = found == wanted && found.is_sign_negative() == wanted.is_sign_negative();
    assert!(same || (found.is_nan() && wanted.is_nan()), "{what:?}: found {found:?}, wanted {wanted:?}");
}
