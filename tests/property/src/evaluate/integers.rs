//! Integer arithmetic and bits: exact in 128 bits, then wrapped.

use super::{Outcome, map, zip};
use crate::dtype::DType;
use crate::tensor::{Element, Tensor};

/// A binary operator of [`super::arithmetic`] on integers of `dtype`. Division by zero gives -1, a remainder by zero
/// the left side.
pub fn binary(op: &str, dtype: DType, a: i64, b: i64) -> i64 {
    let (x, y) = (i128::from(a), i128::from(b));
    dtype.wrap(match op {
        "add" => x + y,
        "sub" => x - y,
        "mul" => x * y,
        "div" | "floor_div" if y == 0 => -1,
        "rem" | "floor_mod" if y == 0 => x,
        // Rust's integers truncate.
        "div" => x / y,
        "rem" => x % y,
        "floor_div" => x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0),
        "floor_mod" => x - y * (x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)),
        "pow" => return power(dtype, a, b),
        "minimum" => x.min(y),
        "maximum" => x.max(y),
        _ => panic!("`{op}` is no binary op"),
    })
}

/// A product of `exponent` times the base; for negative exponents the truncated quotient of 1 by the positive power.
fn power(dtype: DType, base: i64, exponent: i64) -> i64 {
    if exponent < 0 {
        return match base {
            0 | 1 => binary("div", dtype, 1, base),
            -1 => {
                if exponent % 2 == 0 {
                    1
                } else {
                    -1
                }
            }
            _ => 0,
        };
    }
    // Squares of squares: exponents can be as large as i64::MAX.
    let (mut result, mut square, mut rest) = (1, base, exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            result = binary("mul", dtype, result, square);
        }
        square = binary("mul", dtype, square, square);
        rest /= 2;
    }
    result
}

/// A unary op on an integer of `dtype`.
pub fn unary(op: &str, dtype: DType, a: i64) -> i64 {
    let x = i128::from(a);
    dtype.wrap(match op {
        "neg" => -x,
        "abs" => x.abs(),
        "sign" => x.signum(),
        "square" => x * x,
        "relu" => x.max(0),
        "floor" | "ceil" | "round" => x,
        _ => panic!("`{op}` takes no integers"),
    })
}

/// `bitwise_and`, `bitwise_or`, `bitwise_xor`, `shift_left` or `shift_right`.
pub fn bits(op: &str, x: &Tensor, y: &Tensor) -> Outcome {
    let dtype = x.dtype;
    zip(x, y, dtype, |a, b| {
        let (a, b) = (a.whole(), b.whole());
        let fits = (0..i64::from(dtype.bits())).contains(&b);
        Ok(Element::Whole(dtype.wrap(match op {
            "bitwise_and" => i128::from(a & b),
            "bitwise_or" => i128::from(a | b),
            "bitwise_xor" => i128::from(a ^ b),
            "shift_left" => {
                if fits {
                    i128::from(a) << b
                } else {
                    0
                }
            }
            "shift_right" => i128::from(a) >> if fits { b } else { 64 },
            _ => panic!("`{op}` is no op on bits"),
        })))
    })
}

/// Each bit flipped.
pub fn bitwise_not(x: &Tensor) -> Outcome {
    map(x, x.dtype, |a| Ok(Element::Whole(x.dtype.wrap(!i128::from(a.whole())))))
}

#[cfg(test)]
mod tests {
    use super::{binary, bits, bitwise_not, unary};
    use crate::dtype::DType::{I32, I64, U8};
    use crate::tensor::Tensor;

    #[test]
    fn arithmetic_wraps() {
        assert_eq!(binary("add", U8, 250, 10), 4);
        assert_eq!(binary("mul", I64, i64::MAX, 2), -2);
        assert_eq!(unary("neg", I32, i32::MIN.into()), i32::MIN.into());
        assert_eq!(unary("abs", I64, i64::MIN), i64::MIN);
        assert_eq!(unary("neg", U8, 1), 255);
    }

    #[test]
    fn division_is_defined_everywhere() {
        assert_eq!((binary("div", I32, 7, 0), binary("div", U8, 7, 0)), (-1, 255));
        assert_eq!((binary("rem", I32, -7, 0), binary("floor_mod", I32, -7, 0)), (-7, -7));
        assert_eq!(binary("div", I32, i32::MIN.into(), -1), i32::MIN.into());
        assert_eq!((binary("div", I32, -7, 2), binary("rem", I32, -7, 2)), (-3, -1));
        let floors =
            [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, -2)].map(|(a, b)| binary("floor_div", I32, a, b));
        assert_eq!(floors, [3, -4, -4, 3, -3]);
        let rests =
            [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, -2)].map(|(a, b)| binary("floor_mod", I32, a, b));
        assert_eq!(rests, [1, 1, -1, -1, 0]);
    }

    #[test]
    fn powers_wrap_and_negative_ones_truncate() {
        assert_eq!((binary("pow", I32, 3, 4), binary("pow", I32, 0, 0), binary("pow", U8, 2, 8)), (81, 1, 0));
        assert_eq!(binary("pow", I64, 3, 41), 3i64.wrapping_pow(41));
        let inverse = [2, 1, -1, 0].map(|base| binary("pow", I32, base, -3));
        assert_eq!(inverse, [0, 1, -1, -1]);
    }

    #[test]
    fn shifts_by_the_width_or_more_leave_zero_or_the_sign() {
        let x = Tensor::wholes(I32, &[3], &[1, -8, -8]);
        let y = Tensor::wholes(I32, &[3], &[31, 1, 32]);
        assert_eq!(bits("shift_left", &x, &y), Ok(Tensor::wholes(I32, &[3], &[i32::MIN.into(), -16, 0])));
        assert_eq!(bits("shift_right", &x, &y), Ok(Tensor::wholes(I32, &[3], &[0, -4, -1])));
        let (x, y) = (Tensor::wholes(U8, &[2], &[200, 200]), Tensor::wholes(U8, &[2], &[3, 9]));
        assert_eq!(bits("shift_right", &x, &y), Ok(Tensor::wholes(U8, &[2], &[25, 0])));
        assert_eq!(bitwise_not(&x), Ok(Tensor::wholes(U8, &[2], &[55, 55])));
    }
}
