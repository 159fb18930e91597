//! Quotients and remainders.

use super::operations;
use crate::cpu::Element;

operations! {
    /// Quotients and remainders of a type that is computed in.
    trait Division for Element;
    /// `a / b`; integers truncate, `a / 0` is -1 (all bits set) and the least by -1 is itself.
    fn div(a, b);
    /// The remainder of the truncated quotient, with the sign of `a`; for integers `a % 0` is `a`.
    fn rem(a, b);
    /// The quotient rounded down, as NumPy's `floor_divide`; integers by zero as in [`div`].
    fn floor_div(a, b);
    /// The remainder of [`floor_div`], with the sign of `b`, as NumPy's `mod`; integers by zero as in [`rem`].
    fn floor_mod(a, b);
}

macro_rules! floats {
    ($($type:ident)+) => {$(
        impl Division for $type {
            #[inline(always)]
            fn div(a: Self, b: Self) -> Self {
                a / b
            }
            #[inline(always)]
            fn rem(a: Self, b: Self) -> Self {
                a % b
            }
            #[inline]
            fn floor_div(a: Self, b: Self) -> Self {
                if b == 0.0 {
                    return a / b;
                }
                let remainder = a % b;
                let mut quotient = (a - remainder) / b;
                if remainder != 0.0 && (b < 0.0) != (remainder < 0.0) {
                    quotient -= 1.0;
                }
                if quotient == 0.0 {
                    return (0.0 as Self).copysign(a / b);
                }
                // The quotient is whole but for rounding, which can leave it on either side.
                let floor = quotient.floor();
                if quotient - floor > 0.5 { floor + 1.0 } else { floor }
            }
            #[inline]
            fn floor_mod(a: Self, b: Self) -> Self {
                let remainder = a % b;
                if remainder == 0.0 {
                    (0.0 as Self).copysign(b)
                } else if (b < 0.0) != (remainder < 0.0) && !remainder.is_nan() {
                    remainder + b
                } else {
                    remainder
                }
            }
        }
    )+};
}

floats!(f32 f64);

/// Integers; `$down` says whether a quotient with remainder was rounded up by truncation.
macro_rules! integers {
    ($($type:ident |$remainder:ident, $b:ident| $down:expr;)+) => {$(
        impl Division for $type {
            #[inline(always)]
            fn div(a: Self, b: Self) -> Self {
                if b == 0 { !0 } else { a.wrapping_div(b) }
            }
            #[inline(always)]
            fn rem(a: Self, b: Self) -> Self {
                if b == 0 { a } else { a.wrapping_rem(b) }
            }
            #[inline(always)]
            fn floor_div(a: Self, $b: Self) -> Self {
                let $remainder = <Self as Division>::rem(a, $b);
                <Self as Division>::div(a, $b).wrapping_sub(Self::from($down))
            }
            #[inline(always)]
            fn floor_mod(a: Self, $b: Self) -> Self {
                let $remainder = <Self as Division>::rem(a, $b);
                if $down { $remainder.wrapping_add($b) } else { $remainder }
            }
        }
    )+};
}

integers! {
    i32 |remainder, b| b != 0 && remainder != 0 && (remainder < 0) != (b < 0);
    i64 |remainder, b| b != 0 && remainder != 0 && (remainder < 0) != (b < 0);
    u8 |_remainder, b| false;
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;
    use crate::cpu::testing::{assert_same, pseudo_random};

    const N: f64 = f64::NAN;
    const I: f64 = f64::INFINITY;

    /// Both operands of the tables below.
    const OPERANDS: [f64; 14] = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 3.0, -3.0, 0.1, -1e-30, 1e30, I, -I, N];

    // numpy.floor_divide and numpy.mod in f64, a row per left side, computed with NumPy 2.4.
    #[rustfmt::skip]
    const FLOOR_DIV: [[f64; 14]; 14] = [
        [N, N, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -0.0, N],
        [N, N, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, -0.0, 0.0, N],
        [I, -I, 1.0, -1.0, 0.0, -1.0, 0.0, -1.0, 9.0, -9.999999999999999e29, 0.0, 0.0, -1.0, N],
        [-I, I, -1.0, 1.0, -1.0, 0.0, -1.0, 0.0, -10.0, 9.999999999999999e29, -1.0, -1.0, 0.0, N],
        [I, -I, 2.0, -3.0, 1.0, -1.0, 0.0, -1.0, 24.0, -2.5e30, 0.0, 0.0, -1.0, N],
        [-I, I, -3.0, 2.0, -1.0, 1.0, -1.0, 0.0, -25.0, 2.5e30, -1.0, -1.0, 0.0, N],
        [I, -I, 3.0, -3.0, 1.0, -2.0, 1.0, -1.0, 29.0, -3e30, 0.0, 0.0, -1.0, N],
        [-I, I, -3.0, 3.0, -2.0, 1.0, -1.0, 1.0, -30.0, 3e30, -1.0, -1.0, 0.0, N],
        [I, -I, 0.0, -1.0, 0.0, -1.0, 0.0, -1.0, 1.0, -1e29, 0.0, 0.0, -1.0, N],
        [-I, I, -1.0, 0.0, -1.0, 0.0, -1.0, 0.0, -1.0, 1.0, -1.0, -1.0, 0.0, N],
        [I, -I, 1e30, -1e30, 4.0000000000000004e29, -4.0000000000000004e29, 3.333333333333333e29, -3.333333333333333e29, 1e31, -1e60, 1.0, 0.0, -1.0, N],
        [I, -I, N, N, N, N, N, N, N, N, N, N, N, N],
        [-I, I, N, N, N, N, N, N, N, N, N, N, N, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
    ];
    #[rustfmt::skip]
    const FLOOR_MOD: [[f64; 14]; 14] = [
        [N, N, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -0.0, N],
        [N, N, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -0.0, N],
        [N, N, 0.0, -0.0, 1.0, -1.5, 1.0, -2.0, 0.09999999999999995, -9.784059723363425e-31, 1.0, 1.0, -I, N],
        [N, N, 0.0, -0.0, 1.5, -1.0, 2.0, -1.0, 5.551115123125783e-17, -2.1594027663657615e-32, 1e30, I, -1.0, N],
        [N, N, 0.5, -0.5, 0.0, -0.0, 2.5, -0.5, 0.09999999999999987, -9.46014930840856e-31, 2.5, 2.5, -I, N],
        [N, N, 0.5, -0.5, 0.0, -0.0, 0.5, -2.5, 1.3877787807814457e-16, -5.398506915914404e-32, 1e30, I, -2.5, N],
        [N, N, 0.0, -0.0, 0.5, -2.0, 0.0, -0.0, 0.09999999999999984, -9.352179170090272e-31, 3.0, 3.0, -I, N],
        [N, N, 0.0, -0.0, 2.0, -0.5, 0.0, -0.0, 1.6653345369377348e-16, -6.478208299097284e-32, 1e30, I, -3.0, N],
        [N, N, 0.1, -0.9, 0.1, -2.4, 0.1, -2.9, 0.0, -8.156010891400358e-31, 0.1, 0.1, -I, N],
        [N, N, 1.0, -1e-30, 2.5, -1e-30, 3.0, -1e-30, 0.1, -0.0, 1e30, I, -1e-30, N],
        [N, N, 0.0, -0.0, 1.0, -1.5, 1.0, -2.0, 0.07495648791101958, -8.350102741677975e-32, 0.0, 1e30, -I, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
    ];
    // The same in f32; each value is exact in f64.
    #[rustfmt::skip]
    const FLOOR_DIV_F32: [[f64; 14]; 14] = [
        [N, N, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -0.0, N],
        [N, N, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, -0.0, 0.0, N],
        [I, -I, 1.0, -1.0, 0.0, -1.0, 0.0, -1.0, 9.0, -1.0000000150474662e30, 0.0, 0.0, -1.0, N],
        [-I, I, -1.0, 1.0, -1.0, 0.0, -1.0, 0.0, -10.0, 1.0000000150474662e30, -1.0, -1.0, 0.0, N],
        [I, -I, 2.0, -3.0, 1.0, -1.0, 0.0, -1.0, 24.0, -2.4999999620608018e30, 0.0, 0.0, -1.0, N],
        [-I, I, -3.0, 2.0, -1.0, 1.0, -1.0, 0.0, -25.0, 2.4999999620608018e30, -1.0, -1.0, 0.0, N],
        [I, -I, 3.0, -3.0, 1.0, -2.0, 1.0, -1.0, 29.0, -2.999999894026671e30, 0.0, 0.0, -1.0, N],
        [-I, I, -3.0, 3.0, -2.0, 1.0, -1.0, 1.0, -30.0, 2.999999894026671e30, -1.0, -1.0, 0.0, N],
        [I, -I, 0.0, -1.0, 0.0, -1.0, 0.0, -1.0, 1.0, -1.0000000150474662e29, 0.0, 0.0, -1.0, N],
        [-I, I, -1.0, 0.0, -1.0, 0.0, -1.0, 0.0, -1.0, 1.0, -1.0, -1.0, 0.0, N],
        [I, -I, 1.0000000150474662e30, -1.0000000150474662e30, 4.000000060189865e29, -4.000000060189865e29, 3.333333383491554e29, -3.333333383491554e29, 9.999999848243207e30, -I, 1.0, 0.0, -1.0, N],
        [I, -I, N, N, N, N, N, N, N, N, N, N, N, N],
        [-I, I, N, N, N, N, N, N, N, N, N, N, N, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
    ];
    #[rustfmt::skip]
    const FLOOR_MOD_F32: [[f64; 14]; 14] = [
        [N, N, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -0.0, N],
        [N, N, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, 0.0, -0.0, N],
        [N, N, 0.0, -0.0, 1.0, -1.5, 1.0, -2.0, 0.09999998658895493, -2.7278992102922333e-31, 1.0, 1.0, -I, N],
        [N, N, 0.0, -0.0, 1.5, -1.0, 2.0, -1.0, 1.4901161193847656e-08, -7.272100821418535e-31, 1.0000000150474662e30, I, -1.0, N],
        [N, N, 0.5, -0.5, 0.0, -0.0, 2.5, -0.5, 0.09999996423721313, -6.819748025730583e-31, 2.5, 2.5, -I, N],
        [N, N, 0.5, -0.5, 0.0, -0.0, 0.5, -2.5, 3.725290298461914e-08, -3.1802520059801853e-31, 1.0000000150474662e30, I, -2.5, N],
        [N, N, 0.0, -0.0, 0.5, -2.0, 0.0, -0.0, 0.09999995678663254, -8.1836976308767e-31, 3.0, 3.0, -I, N],
        [N, N, 0.0, -0.0, 2.0, -0.5, 0.0, -0.0, 4.470348358154297e-08, -1.8163024008340687e-31, 1.0000000150474662e30, I, -3.0, N],
        [N, N, 0.10000000149011612, -0.8999999761581421, 0.10000000149011612, -2.4000000953674316, 0.10000000149011612, -2.9000000953674316, 0.0, -4.701345457526148e-31, 0.10000000149011612, 0.10000000149011612, -I, N],
        [N, N, 1.0, -1.0000000031710769e-30, 2.5, -1.0000000031710769e-30, 3.0, -1.0000000031710769e-30, 0.10000000149011612, -0.0, 1.0000000150474662e30, I, -1.0000000031710769e-30, N],
        [N, N, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0493038073182106, -1.833184380502838e-31, 0.0, 1.0000000150474662e30, -I, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
        [N, N, N, N, N, N, N, N, N, N, N, N, N, N],
    ];

    #[test]
    fn floats_floor_as_in_numpy() {
        for (i, a) in OPERANDS.into_iter().enumerate() {
            for (j, b) in OPERANDS.into_iter().enumerate() {
                assert_same(floor_div(a, b), FLOOR_DIV[i][j], ("floor_div", a, b));
                assert_same(floor_mod(a, b), FLOOR_MOD[i][j], ("floor_mod", a, b));
                let (a, b) = (a as f32, b as f32);
                assert_same(f64::from(floor_div(a, b)), FLOOR_DIV_F32[i][j], ("floor_div", a, b));
                assert_same(f64::from(floor_mod(a, b)), FLOOR_MOD_F32[i][j], ("floor_mod", a, b));
            }
        }
    }

    #[test]
    fn floats_truncate() {
        assert_same(rem(-7.5, 2.0), -1.5, "sign of the left side");
        assert_same(rem(7.5, -2.0), 1.5, "sign of the left side");
        assert_same(rem(-4.0, 2.0), -0.0, "sign of zero");
        assert_same(rem(3.0, I), 3.0, "infinite divisor");
        assert_same(rem(I, 3.0), N, "infinite dividend");
        assert_same(rem(3.0, 0.0), N, "zero divisor");
        assert_same(div(1.0, -0.0), -I, "zero divisor");
        assert_same(div(0.0, 0.0), N, "zero by zero");
    }

    #[test]
    fn bytes_divide() {
        for a in 0..=u8::MAX {
            assert_eq!((div(a, 0), rem(a, 0), floor_div(a, 0), floor_mod(a, 0)), (255, a, 255, a));
            for b in 1..=u8::MAX {
                // The quotient is the count of subtractions that fit.
                let quotient = (1..=a).filter(|&q| u32::from(q) * u32::from(b) <= u32::from(a)).count() as u8;
                assert_eq!((div(a, b), floor_div(a, b)), (quotient, quotient));
                assert_eq!((rem(a, b), floor_mod(a, b)), (a - quotient * b, a - quotient * b));
            }
        }
    }

    #[test]
    fn integers_divide_by_their_definitions() {
        let corners = [0, 1, -1, 2, -2, 3, -3, 7, -7, i64::MIN, i64::MAX, i64::MIN + 1];
        let random = pseudo_random(40).map(|bits| (bits as i64) >> (bits % 64));
        let values: Vec<i64> = corners.into_iter().chain(random).collect();
        for &a in &values {
            for &b in &values {
                if b == 0 {
                    assert_eq!((div(a, b), rem(a, b), floor_div(a, b), floor_mod(a, b)), (-1, a, -1, a));
                    continue;
                }
                let (x, y) = (i128::from(a), i128::from(b));
                let floor = x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0);
                assert_eq!((div(a, b), rem(a, b)), ((x / y) as i64, (x % y) as i64), "{a} {b}");
                assert_eq!(
                    (floor_div(a, b), floor_mod(a, b)),
                    (floor as i64, (x - floor * y) as i64),
                    "{a} {b}"
                );
            }
        }
    }

    #[test]
    fn i32_divides_at_its_ends() {
        let least = i32::MIN;
        assert_eq!((div(least, -1), rem(least, -1)), (least, 0));
        assert_eq!((floor_div(least, -1), floor_mod(least, -1)), (least, 0));
        assert_eq!((div(least, 0), rem(least, 0), floor_div(7, 0), floor_mod(-7, 0)), (-1, least, -1, -7));
        assert_eq!((div(-7, 2), rem(-7, 2), floor_div(-7, 2), floor_mod(-7, 2)), (-3, -1, -4, 1));
        assert_eq!((div(7, -2), rem(7, -2), floor_div(7, -2), floor_mod(7, -2)), (-3, 1, -4, -1));
        assert_eq!((floor_div(-8, 2), floor_mod(-8, 2)), (-4, 0));
    }

    #[test]
    fn f16_quotients_are_the_nearest() {
        // f64 has more than twice the bits of f16, so that rounding its quotient again is exact.
        let values = (0..=u16::MAX).step_by(331).map(f16::from_bits);
        for a in values.clone() {
            for b in values.clone() {
                let wanted = crate::cpu::scalar::cast::<f64, f16>(f64::from(a) / f64::from(b));
                assert_same(f64::from(div(a, b)), f64::from(wanted), (a, b));
                let wanted = crate::cpu::scalar::cast::<f64, f16>(f64::from(a) % f64::from(b));
                assert_same(f64::from(rem(a, b)), f64::from(wanted), (a, b));
            }
        }
    }
}
