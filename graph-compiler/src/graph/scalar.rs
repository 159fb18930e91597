//! Numbers known at build time.

use graph_ir::DType;

/// One number; the dtype stands beside it.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    Float(f64),
    Int(i64),
    Bool(bool),
}

impl PartialEq for Scalar {
    /// Same bits: NaN equals itself, and 0.0 differs from -0.0.
    fn eq(&self, other: &Scalar) -> bool {
        match (self, other) {
            (Scalar::Float(a), Scalar::Float(b)) => a.to_bits() == b.to_bits(),
            (Scalar::Int(a), Scalar::Int(b)) => a == b,
            (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
            _ => false,
        }
    }
}

impl Scalar {
    /// Zero of a dtype.
    pub fn zero(dtype: DType) -> Scalar {
        Scalar::whole(dtype, 0)
    }

    /// A small whole number of a dtype; for bool, whether it is not 0.
    pub fn whole(dtype: DType, n: i64) -> Scalar {
        match dtype {
            DType::Bool => Scalar::Bool(n != 0),
            d if d.is_float() => Scalar::Float(n as f64),
            _ => Scalar::Int(n),
        }
    }

    /// Appends the little-endian bytes of the number in `dtype`. The number must be of the dtype's kind and in its
    /// range; floats are rounded to nearest even.
    pub fn write(self, dtype: DType, bytes: &mut Vec<u8>) {
        match (dtype, self) {
            (DType::F32, Scalar::Float(x)) => bytes.extend((x as f32).to_le_bytes()),
            (DType::F64, Scalar::Float(x)) => bytes.extend(x.to_le_bytes()),
            (DType::F16, Scalar::Float(x)) => bytes.extend(round_to_bits(x, 10, 15).to_le_bytes()),
            (DType::BF16, Scalar::Float(x)) => bytes.extend(round_to_bits(x, 7, 127).to_le_bytes()),
            (DType::I32, Scalar::Int(x)) => bytes.extend((x as i32).to_le_bytes()),
            (DType::I64, Scalar::Int(x)) => bytes.extend(x.to_le_bytes()),
            (DType::U8, Scalar::Int(x)) => bytes.push(x as u8),
            (DType::Bool, Scalar::Bool(x)) => bytes.push(x as u8),
            (dtype, scalar) => unreachable!("{scalar:?} is not a {dtype}"),
        }
    }
}

/// The 16 bits of `x` in the binary format with `mantissa` explicit bits and exponent bias `bias`, rounded once to
/// nearest even. IEEE 754-2019, 4.3.1.
fn round_to_bits(x: f64, mantissa: u32, bias: i32) -> u16 {
    let sign = ((x.to_bits() >> 48) & 0x8000) as u16;
    let exponent_mask = (2 * bias + 1) as u16;
    let infinity = exponent_mask << mantissa;
    if x.is_nan() {
        return sign | infinity | 1 << (mantissa - 1);
    }
    let magnitude = x.abs();
    // The exponent of the last place: subnormals share that of the smallest normal number.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    if exponent > bias {
        return sign | infinity;
    }
    // Scaling by a power of two is exact here: the result is below 2^(mantissa + 1).
    let units = (magnitude * 2f64.powi(mantissa as i32 - exponent)).round_ties_even() as u32;
    let base = ((exponent + bias - 1) as u32) << mantissa;
    // A carry out of the mantissa moves into the exponent, up to infinity, as the formats are made.
    sign | (base + units) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(dtype: DType, x: f64) -> u16 {
        let mut bytes = Vec::new();
        Scalar::Float(x).write(dtype, &mut bytes);
        u16::from_le_bytes([bytes[0], bytes[1]])
    }

    #[test]
    fn half_constants_have_the_right_bits() {
        assert_eq!(bits(DType::F16, 1.0), 0x3c00);
        assert_eq!(bits(DType::F16, -2.0), 0xc000);
        assert_eq!(bits(DType::F16, 65504.0), 0x7bff);
        assert_eq!(bits(DType::F16, 65519.0), 0x7bff);
        assert_eq!(bits(DType::F16, 65520.0), 0x7c00);
        assert_eq!(bits(DType::F16, 5.960464477539063e-8), 0x0001);
        assert_eq!(bits(DType::F16, 2.98e-8), 0x0000);
        assert_eq!(bits(DType::F16, 6.103515625e-5), 0x0400);
        assert_eq!(bits(DType::F16, -0.0), 0x8000);
        assert_eq!(bits(DType::F16, f64::INFINITY), 0x7c00);
        assert_eq!(bits(DType::F16, f64::NAN) & 0x7e00, 0x7e00);
        assert_eq!(bits(DType::BF16, 1.0), 0x3f80);
        assert_eq!(bits(DType::BF16, 3.0), 0x4040);
        assert_eq!(bits(DType::BF16, 1e300), 0x7f80);
        // Halfway cases go to the even neighbour.
        assert_eq!(bits(DType::F16, 1.0 + 1.0 / 2048.0), 0x3c00);
        assert_eq!(bits(DType::F16, 1.0 + 3.0 / 2048.0), 0x3c02);
    }
}
