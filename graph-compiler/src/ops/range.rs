//! Evenly spaced numbers.

use graph_ir::DType;

use super::constants::scalar_tensor;
use super::{Args, Built, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Scalar, ValueId};
use crate::lower::Literal;

pub(super) const OPS: &[Op] = &[RANGE];

/// Floats up to this many are computed at build time; more are computed by the device, to keep the program small.
const CONSTANT_LIMIT: u64 = 1 << 20;

const START: usize = 0;
const STOP: usize = 1;
const STEP: usize = 2;

const RANGE: Op = Op {
    name: "range",
    kind: "Range",
    node: "range",
    operator: "",
    params: &[
        Param::required("start", ParamKind::Number),
        Param::optional("stop", ParamKind::Number),
        Param::optional("step", ParamKind::Number),
        Param::optional("dtype", ParamKind::DType),
    ],
    build: range,
    doc: "The numbers `start`, `start + step`, … before `stop`, as a vector; `range(n)` is `range(0, n)`, and `step` \
          is 1. It has `ceil((stop - start) / step)` elements, none when `stop` lies on the other side. The parts \
          are known at build time. Whole numbers give i32 and one with a point f32, unless `dtype` or a suffix says \
          otherwise; floats are `start + i * step` in f64, rounded once.",
    example: Example { graph: "range(2, 10, step = 3)", value: "[2, 5, 8]" },
};

fn range(b: &mut Builder<'_>, args: &Args<'_>) -> Result<Built, Diagnostic> {
    let given = |i: usize| args.number(i).cloned();
    let Some(first) = given(START) else { unreachable!("`start` is required") };
    // One number alone is where to stop.
    let (start, stop, stop_at) = match given(STOP) {
        Some(stop) => (first, stop, STOP),
        None => (Literal::int(0, args.span), first, START),
    };
    let step = given(STEP).unwrap_or_else(|| Literal::int(1, args.span));
    let parts = [start, stop, step];
    let dtype = args.dtype(3).unwrap_or_else(|| Literal::common_dtype(&parts));
    if dtype == DType::Bool {
        let message = "a range is of numbers, and bool is asked for";
        let at = if args.has(3) { 3 } else { START };
        return Err(args.error(at, message).with_help("write numbers, and a dtype such as i32 or f32"));
    }
    let zero_step = || args.error(STEP, "the step is 0, so that the range has no end");
    let at = [START, stop_at, STEP];
    if dtype.is_float() {
        let [start, stop, step] = finite_parts(args, &parts, at, dtype)?;
        if step == 0.0 {
            return Err(zero_step());
        }
        floats(b, args, dtype, start, stop, step).map(Built::One)
    } else {
        let [start, stop, step] = [
            whole_number(args, &parts[0], dtype)?,
            whole_number(args, &parts[1], dtype)?,
            whole_number(args, &parts[2], dtype)?,
        ];
        if step == 0 {
            return Err(zero_step());
        }
        integers(b, args, dtype, start, stop, step).map(Built::One)
    }
}

/// The number as it is, even where it does not fit in `dtype`: the end of a range is not one of its elements.
fn whole_number(args: &Args<'_>, literal: &Literal, dtype: DType) -> Result<i128, Diagnostic> {
    let fits_suffix = literal.suffix.is_none_or(|suffix| suffix == dtype);
    match literal.to_i128() {
        Some(number) if fits_suffix => Ok(number),
        _ => match args.literal_scalar(literal, dtype) {
            Err(diagnostic) => Err(diagnostic),
            Ok(scalar) => unreachable!("{scalar:?} is no whole {dtype}"),
        },
    }
}

fn finite_parts(
    args: &Args<'_>,
    parts: &[Literal; 3],
    at: [usize; 3],
    dtype: DType,
) -> Result<[f64; 3], Diagnostic> {
    let mut numbers = [0.0; 3];
    for (i, part) in parts.iter().enumerate() {
        args.literal_scalar(part, dtype)?;
        // The number as written, not as rounded to the dtype: 0.1 ten times is 1.0.
        numbers[i] = part.to_f64().unwrap_or(f64::NAN);
        if !numbers[i].is_finite() {
            let name = args.op.params[at[i]].name;
            return Err(
                args.error(at[i], format_args!("`{name}` must be finite, and this is {:?}", numbers[i]))
            );
        }
    }
    Ok(numbers)
}

fn floats(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    dtype: DType,
    start: f64,
    stop: f64,
    step: f64,
) -> Result<ValueId, Diagnostic> {
    // The conversion saturates: what is negative becomes 0, and what is too large is refused below.
    let count = ((stop - start) / step).ceil() as u64;
    check_count(args, dtype, count)?;
    if count <= CONSTANT_LIMIT {
        let elements: Vec<Scalar> = (0..count).map(|i| Scalar::Float(start + i as f64 * step)).collect();
        return Ok(scalar_tensor(b, dtype, &[count], &elements));
    }
    check_count(args, DType::F64, count)?;
    let position = b.iota(DType::F64, &[count], 0);
    let step = b.float_like(position, step);
    let offset = b.binary(Binary::Mul, position, step);
    let start = b.float_like(position, start);
    let element = b.binary(Binary::Add, offset, start);
    Ok(b.cast(element, dtype))
}

fn integers(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    dtype: DType,
    start: i128,
    stop: i128,
    step: i128,
) -> Result<ValueId, Diagnostic> {
    let count =
        if (stop > start) == (step > 0) { stop.abs_diff(start).div_ceil(step.unsigned_abs()) } else { 0 };
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    check_count(args, dtype, count)?;
    if count == 0 {
        return Ok(b.iota(dtype, &[0], 0));
    }
    let offset = i128::from(count - 1) * step;
    let last = start + offset;
    if !(holds(dtype, start) && holds(dtype, last)) {
        let message = format!("the elements are from {start} to {last}, and {dtype} does not hold them all");
        let error = args.error(START, message);
        return Err(match dtype {
            DType::I64 => error,
            _ => error.with_help("ask for a wider dtype: `dtype = i64`"),
        });
    }
    // An offset can leave the dtype though start and sum stay inside. i64 wraps, and the sum wraps it back.
    let narrow = [offset, step, i128::from(count - 1)].into_iter().all(|number| holds(dtype, number));
    let wide = if narrow { dtype } else { DType::I64 };
    check_count(args, wide, count)?;
    let mut element = b.iota(wide, &[count], 0);
    if step != 1 && count > 1 {
        let step = b.whole_like(element, step as i64);
        element = b.binary(Binary::Mul, element, step);
    }
    if start != 0 {
        let start = b.whole_like(element, start as i64);
        element = b.binary(Binary::Add, element, start);
    }
    Ok(b.cast(element, dtype))
}

/// Refuses a range that no memory holds.
fn check_count(args: &Args<'_>, dtype: DType, count: u64) -> Result<(), Diagnostic> {
    if count <= i64::MAX as u64 / dtype.size() {
        return Ok(());
    }
    // A count that saturated is no fact to show.
    let message = match count {
        u64::MAX => String::from("the range has more than 2^63 elements"),
        count => format!("{count} elements of {dtype} are more than 2^63 bytes"),
    };
    Err(args.error_at(args.span, message).with_help("take a larger step, or fewer elements"))
}

/// Whether the integer dtype has this number.
fn holds(dtype: DType, number: i128) -> bool {
    match dtype {
        DType::I32 => i32::try_from(number).is_ok(),
        DType::I64 => i64::try_from(number).is_ok(),
        _ => u8::try_from(number).is_ok(),
    }
}
