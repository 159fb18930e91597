//! Numbers as written: exact until a dtype is known.

use graph_ir::DType;
use proc_macro2::Span;

use crate::Diagnostic;
use crate::graph::Scalar;
use crate::syntax::{BinaryOperator, Number};

/// A number, or `true` or `false`, with its place in the source.
#[derive(Clone, Debug)]
pub struct Literal {
    pub value: LiteralValue,
    /// The dtype that the user wrote behind it, as in `1f64` or `f32::NAN`.
    pub suffix: Option<DType>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum LiteralValue {
    Int(i128),
    /// The nearest f64, and the nearest f32 (which rounding the f64 need not give).
    Float(f64, f32),
    Bool(bool),
}

impl LiteralValue {
    pub fn float(value: f64) -> LiteralValue {
        LiteralValue::Float(value, value as f32)
    }
}

impl Literal {
    pub fn int(value: i128, span: Span) -> Literal {
        Literal { value: LiteralValue::Int(value), suffix: None, span }
    }

    pub fn from_number(number: &Number, span: Span) -> Result<Literal, Diagnostic> {
        let suffix = match number.suffix.as_deref() {
            None | Some("usize") => None,
            Some(name) => {
                Some(DType::from_name(name).filter(|dtype| *dtype != DType::Bool).ok_or_else(|| {
                    Diagnostic::new(span, format!("`{name}` is no dtype of a number"))
                        .with_help("the dtypes are f32, f64, f16, bf16, i32, i64 and u8")
                })?)
            }
        };
        let malformed = || Diagnostic::new(span, format!("`{}` cannot be read as a number", number.digits));
        let as_float = number.is_float || suffix.is_some_and(DType::is_float);
        let value = if as_float {
            let double = number.digits.parse::<f64>().map_err(|_| malformed())?;
            LiteralValue::Float(double, number.digits.parse::<f32>().map_err(|_| malformed())?)
        } else {
            LiteralValue::Int(number.digits.parse::<i128>().map_err(|_| malformed())?)
        };
        Ok(Literal { value, suffix, span })
    }

    /// `f32::NAN`, `i32::MAX` and the like.
    pub fn from_path(dtype: DType, constant: &str, span: Span) -> Option<Literal> {
        let value = match (dtype, constant) {
            (DType::I32, "MAX") => LiteralValue::Int(i32::MAX.into()),
            (DType::I32, "MIN") => LiteralValue::Int(i32::MIN.into()),
            (DType::I64, "MAX") => LiteralValue::Int(i64::MAX.into()),
            (DType::I64, "MIN") => LiteralValue::Int(i64::MIN.into()),
            (DType::U8, "MAX") => LiteralValue::Int(u8::MAX.into()),
            (DType::U8, "MIN") => LiteralValue::Int(0),
            (DType::Bool, _) => return None,
            (d, _) if !d.is_float() => return None,
            (_, "NAN") => LiteralValue::Float(f64::NAN, f32::NAN),
            (_, "INFINITY") => LiteralValue::Float(f64::INFINITY, f32::INFINITY),
            (_, "NEG_INFINITY") => LiteralValue::Float(f64::NEG_INFINITY, f32::NEG_INFINITY),
            (DType::F32, "MAX") => LiteralValue::float(f32::MAX.into()),
            (DType::F32, "MIN") => LiteralValue::float(f32::MIN.into()),
            (DType::F32, "MIN_POSITIVE") => LiteralValue::float(f32::MIN_POSITIVE.into()),
            (DType::F32, "EPSILON") => LiteralValue::float(f32::EPSILON.into()),
            (DType::F64, "MAX") => LiteralValue::float(f64::MAX),
            (DType::F64, "MIN") => LiteralValue::float(f64::MIN),
            (DType::F64, "MIN_POSITIVE") => LiteralValue::float(f64::MIN_POSITIVE),
            (DType::F64, "EPSILON") => LiteralValue::float(f64::EPSILON),
            (DType::F16, "MAX") => LiteralValue::float(65504.0),
            (DType::F16, "MIN") => LiteralValue::float(-65504.0),
            (DType::BF16, "MAX") => LiteralValue::float(3.3895313892515355e38),
            (DType::BF16, "MIN") => LiteralValue::float(-3.3895313892515355e38),
            _ => return None,
        };
        Some(Literal { value, suffix: Some(dtype), span })
    }

    /// The dtype that it has by itself.
    pub fn default_dtype(&self) -> DType {
        self.suffix.unwrap_or(match self.value {
            LiteralValue::Int(_) => DType::I32,
            LiteralValue::Float(..) => DType::F32,
            LiteralValue::Bool(_) => DType::Bool,
        })
    }

    /// The dtype of a list of literals: the first suffix, else float when one has a point. An empty list is f32.
    pub fn common_dtype(literals: &[Literal]) -> DType {
        if let Some(suffix) = literals.iter().find_map(|literal| literal.suffix) {
            return suffix;
        }
        let float = literals.iter().find(|literal| matches!(literal.value, LiteralValue::Float(..)));
        float.or(literals.first()).map_or(DType::F32, Literal::default_dtype)
    }

    /// The number as an element of `dtype`: never rounded to another kind, never out of range in silence.
    pub fn to_scalar(&self, dtype: DType) -> Result<Scalar, Diagnostic> {
        if let Some(suffix) = self.suffix.filter(|suffix| *suffix != dtype) {
            return Err(Diagnostic::new(
                self.span,
                format!("this number is {suffix}, and {dtype} is needed beside it"),
            )
            .with_help(format!("leave the type of the number out, or write `cast(constant(…), {dtype})`")));
        }
        match (self.value, dtype) {
            (LiteralValue::Bool(value), DType::Bool) => Ok(Scalar::Bool(value)),
            (LiteralValue::Int(value), d) if d.is_integer() => {
                let (low, high) = integer_range(d);
                if (low..=high).contains(&value) {
                    Ok(Scalar::Int(value as i64))
                } else {
                    let message = format!("{value} does not fit in {d} ({low} to {high})");
                    Err(Diagnostic { help: wider_help(value, d), ..Diagnostic::new(self.span, message) })
                }
            }
            (LiteralValue::Int(value), d) if d.is_float() => self.float(value as f64, value as f32, d),
            (LiteralValue::Float(double, single), d) if d.is_float() => self.float(double, single, d),
            (LiteralValue::Bool(_), d) => {
                Err(Diagnostic::new(self.span, format!("this is a bool, and {d} is needed"))
                    .with_help(format!("write a number, or `cast(x, {d})` for a tensor of bools")))
            }
            (_, DType::Bool) => Err(Diagnostic::new(self.span, "this is a number, and bool is needed")
                .with_help("write `true` or `false`, or compare: `x != 0`")),
            (LiteralValue::Float(double, _), d) => Err(Diagnostic::new(
                self.span,
                format!("{double:?} is not a whole number, and {d} is needed"),
            )
            .with_help(format!("write a whole number, or convert the {d} tensor beside it: `cast(x, f32)`"))),
            (LiteralValue::Int(_), _) => unreachable!("integers, floats and bool are all dtypes"),
        }
    }

    fn float(&self, double: f64, single: f32, dtype: DType) -> Result<Scalar, Diagnostic> {
        let (value, largest) = match dtype {
            DType::F64 => (double, f64::MAX),
            DType::F32 => (f64::from(single), f64::from(f32::MAX)),
            // Numbers that round to infinity start half a place above the largest one.
            DType::F16 => (double, 65519.999999999),
            _ => (double, 3.3961775292304957e38),
        };
        if double.is_finite() && (value.is_infinite() || value.abs() > largest) {
            return Err(Diagnostic::new(self.span, format!("{double:?} is too large for {dtype}"))
                .with_help(format!("write `{dtype}::INFINITY` if that is meant")));
        }
        Ok(Scalar::Float(value))
    }

    /// A whole number for a size, an axis or a count.
    pub fn to_i64(&self) -> Option<i64> {
        self.to_i128()?.try_into().ok()
    }

    /// The number as a whole one, if it is written without a point.
    pub fn to_i128(&self) -> Option<i128> {
        match self.value {
            LiteralValue::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The number as the nearest f64; `None` for a bool.
    pub fn to_f64(&self) -> Option<f64> {
        match self.value {
            LiteralValue::Int(value) => Some(value as f64),
            LiteralValue::Float(double, _) => Some(double),
            LiteralValue::Bool(_) => None,
        }
    }

    pub fn negate(&self, span: Span) -> Option<Literal> {
        let value = match self.value {
            LiteralValue::Int(value) => LiteralValue::Int(value.checked_neg()?),
            LiteralValue::Float(double, single) => LiteralValue::Float(-double, -single),
            LiteralValue::Bool(_) => return None,
        };
        Some(Literal { value, suffix: self.suffix, span })
    }

    /// Arithmetic on numbers known at build time; `Ok(None)` when the operator is none for numbers.
    pub fn arithmetic(
        operator: BinaryOperator,
        left: &Literal,
        right: &Literal,
        span: Span,
    ) -> Result<Option<Literal>, String> {
        use BinaryOperator as Op;
        let suffix = match (left.suffix, right.suffix) {
            (Some(a), Some(b)) if a != b => return Err(format!("one number is {a}, the other {b}")),
            (a, b) => a.or(b),
        };
        let value = match (left.value, right.value) {
            (LiteralValue::Int(a), LiteralValue::Int(b)) => {
                let overflow = || String::from("the result is too large");
                let divisor = || String::from("division by zero");
                LiteralValue::Int(match operator {
                    Op::Add => a.checked_add(b).ok_or_else(overflow)?,
                    Op::Sub => a.checked_sub(b).ok_or_else(overflow)?,
                    Op::Mul => a.checked_mul(b).ok_or_else(overflow)?,
                    Op::Div => a.checked_div(b).ok_or_else(divisor)?,
                    Op::Rem => a.checked_rem(b).ok_or_else(divisor)?,
                    _ => return Ok(None),
                })
            }
            (LiteralValue::Bool(_), _) | (_, LiteralValue::Bool(_)) => return Ok(None),
            (a, b) => {
                let float = |value| match value {
                    LiteralValue::Int(value) => value as f64,
                    LiteralValue::Float(value, _) => value,
                    LiteralValue::Bool(_) => unreachable!("matched above"),
                };
                let (a, b) = (float(a), float(b));
                LiteralValue::float(match operator {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Div => a / b,
                    Op::Rem => a % b,
                    _ => return Ok(None),
                })
            }
        };
        Ok(Some(Literal { value, suffix, span }))
    }
}

/// The repair for a whole number that `dtype` does not hold, where a wider integer does.
fn wider_help(value: i128, dtype: DType) -> Option<String> {
    let holds = |wide: &DType| {
        let (low, high) = integer_range(*wide);
        (low..=high).contains(&value)
    };
    let wide = [DType::I32, DType::I64].into_iter().find(holds)?;
    Some(format!(
        "{wide} holds it: convert the {dtype} tensor beside it, `cast(x, {wide})`; a number without one is \
         written `{value}{wide}`"
    ))
}

fn integer_range(dtype: DType) -> (i128, i128) {
    match dtype {
        DType::I32 => (i32::MIN.into(), i32::MAX.into()),
        DType::I64 => (i64::MIN.into(), i64::MAX.into()),
        _ => (0, 255),
    }
}
