//! Bits and shifts of integers.

use super::operations;
use crate::cpu::Integer;

operations! {
    /// Bits and shifts of an integer type.
    trait Bitwise for Integer;
    /// The conjunction of the bits; of booleans, the conjunction.
    fn and(a, b);
    /// The disjunction of the bits; of booleans, the disjunction.
    fn or(a, b);
    /// The exclusive disjunction of the bits; of booleans, whether they differ.
    fn xor(a, b);
    /// The complement of the bits. Of a boolean, see [`logical_not`].
    fn not(a);
    /// `a` shifted left by `count` bits; 0 where `count` is the width or more, or negative.
    fn shift_left(a, count);
    /// `a` shifted right by `count` bits, filled with the sign; where `count` is the width or more, or negative, all
    /// bits are the sign (0 for `u8`).
    fn shift_right(a, count);
}

/// 1 for 0, and 0 for everything else.
#[inline(always)]
pub fn logical_not(a: u8) -> u8 {
    u8::from(a == 0)
}

/// `$unsigned` is the type in which a negative count is a huge one.
macro_rules! integers {
    ($($type:ident $unsigned:ident;)+) => {$(
        impl Bitwise for $type {
            #[inline(always)]
            fn and(a: Self, b: Self) -> Self {
                a & b
            }
            #[inline(always)]
            fn or(a: Self, b: Self) -> Self {
                a | b
            }
            #[inline(always)]
            fn xor(a: Self, b: Self) -> Self {
                a ^ b
            }
            #[inline(always)]
            fn not(a: Self) -> Self {
                !a
            }
            #[inline(always)]
            fn shift_left(a: Self, count: Self) -> Self {
                let inside = (count as $unsigned) < Self::BITS as $unsigned;
                let shifted = a.wrapping_shl(count as u32);
                if inside { shifted } else { 0 }
            }
            #[inline(always)]
            fn shift_right(a: Self, count: Self) -> Self {
                // All bits of a signed type are its sign after one bit less than the width. The last shift is one
                // apart so that u8 becomes 0 there.
                let last = Self::BITS as $unsigned - 1;
                let inside = count as $unsigned <= last;
                let shifted = a >> Ord::min(count as $unsigned, last);
                if inside { shifted } else { shifted >> 1 }
            }
        }
    )+};
}

integers! {
    i32 u32;
    i64 u64;
    u8 u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_bit_by_bit() {
        let bit = |byte: u8, i: u32| u32::from(byte) / 2u32.pow(i) % 2 == 1;
        for a in 0..=u8::MAX {
            for b in 0..=u8::MAX {
                for i in 0..8 {
                    let (x, y) = (bit(a, i), bit(b, i));
                    assert_eq!(bit(and(a, b), i), x && y);
                    assert_eq!(bit(or(a, b), i), x || y);
                    assert_eq!(bit(xor(a, b), i), x != y);
                    assert_eq!(bit(not(a), i), !x);
                }
                let power = 2f64.powi(i32::from(b));
                assert_eq!(f64::from(shift_left(a, b)), f64::from(a) * power % 256.0, "{a} << {b}");
                assert_eq!(f64::from(shift_right(a, b)), (f64::from(a) / power).floor(), "{a} >> {b}");
            }
            assert_eq!(logical_not(a), if a == 0 { 1 } else { 0 });
        }
    }

    #[test]
    fn signed_shifts_are_products_and_floors() {
        for a in [0, 1, -1, 5, -5, i32::MAX, i32::MIN, 0x1234_5678] {
            for count in 0..32 {
                assert_eq!(
                    shift_left(a, count),
                    (i64::from(a) * 2i64.pow(count as u32)) as i32,
                    "{a} << {count}"
                );
                let floor = i64::from(a).div_euclid(2i64.pow(count as u32));
                assert_eq!(i64::from(shift_right(a, count)), floor, "{a} >> {count}");
            }
            for count in [32, 33, 64, i32::MAX, -1, -31, -32, i32::MIN] {
                let sign = if a < 0 { -1 } else { 0 };
                assert_eq!((shift_left(a, count), shift_right(a, count)), (0, sign), "{a} by {count}");
            }
        }
        for a in [0, 1, -1, i64::MAX, i64::MIN] {
            let sign = if a < 0 { -1 } else { 0 };
            for count in [64, 65, 1 << 32, 1 << 40, i64::MAX, -1, i64::MIN] {
                assert_eq!((shift_left(a, count), shift_right(a, count)), (0, sign), "{a} by {count}");
            }
            assert_eq!(shift_right(a, 63), sign);
            assert_eq!(shift_left(a, 63), if a % 2 == 0 { 0 } else { i64::MIN });
        }
    }
}
