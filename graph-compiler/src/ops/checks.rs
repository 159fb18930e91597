//! Checks that many ops share. Each returns an error that points at the argument that is wrong.

use std::cmp::Ordering;

use graph_ir::DType;
use proc_macro2::Span;

use super::{Args, Built, Class};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Constant, Prim, Scalar, Unary, ValueId, broadcast_dims};

impl Args<'_> {
    /// Argument `i` has a dtype of `class`.
    pub fn require(&self, b: &Builder<'_>, i: usize, class: Class) -> Result<DType, Diagnostic> {
        let dtype = b.dtype(self.tensor(i));
        if class.has(dtype) {
            return Ok(dtype);
        }
        let help = class_help(self.written_or_dots(i), class, dtype);
        Err(self.wrong_class(b, i, class).with_help(help))
    }

    /// Arguments `i` and `j` have one dtype, which is of `class`.
    pub fn require_both(
        &self,
        b: &Builder<'_>,
        i: usize,
        j: usize,
        class: Class,
    ) -> Result<DType, Diagnostic> {
        let (left, right) = (b.dtype(self.tensor(i)), b.dtype(self.tensor(j)));
        if class.has(left) && class.has(right) {
            self.same_dtype(b, i, j)?;
            return Ok(left);
        }
        let (wrong, other, dtype) = if class.has(left) { (j, left, right) } else { (i, right, left) };
        // A bool beside a number is repaired in one step only by the number's own dtype.
        if class == Class::Number && class.has(other) {
            let help = format!("convert it: {}", self.conversion(wrong, other));
            return Err(self.wrong_class(b, wrong, class).with_help(help));
        }
        let help = class_help(self.written_or_dots(wrong), class, dtype);
        Err(self.wrong_class(b, wrong, class).with_help(help))
    }

    pub(super) fn wrong_class(&self, b: &Builder<'_>, i: usize, class: Class) -> Diagnostic {
        self.error(i, format_args!("takes {}; {}", class.describe(), self.describe(b.graph, i)))
    }

    /// The name of argument `i` where it has one; an operand of an operator may be any expression.
    pub(super) fn written_or_dots(&self, i: usize) -> &str {
        match (&self.entries[i].label, self.is_operator) {
            (Some(label), _) => label,
            (None, true) => "…",
            (None, false) => self.op.params[i].name,
        }
    }

    fn conversion(&self, i: usize, dtype: DType) -> String {
        format!("`cast({}, {dtype})`", self.written_or_dots(i))
    }

    /// Arguments `i` and `j` have one dtype.
    pub fn same_dtype(&self, b: &Builder<'_>, i: usize, j: usize) -> Result<(), Diagnostic> {
        let (left, right) = (b.dtype(self.tensor(i)), b.dtype(self.tensor(j)));
        if left == right {
            return Ok(());
        }
        let one = |i: usize, dtype: DType| match (&self.entries[i].label, self.is_operator) {
            (None, true) => format!("convert {}: {}", self.subject(i), self.conversion(i, dtype)),
            _ => format!("convert one of them: {}", self.conversion(i, dtype)),
        };
        let help = match wider(left, right) {
            Some(dtype) if dtype == left => one(j, left),
            Some(_) => one(i, right),
            // f16 and bf16: neither holds the other.
            None => format!(
                "neither holds the other, convert both: {} and {}",
                self.conversion(i, DType::F32),
                self.conversion(j, DType::F32)
            ),
        };
        let facts = format!("{} and {}", self.describe(b.graph, i), self.describe(b.graph, j));
        let span = if self.is_operator { self.span } else { self.span(j) };
        Err(self.error_at(span, format_args!("dtypes differ, {facts}")).with_help(help))
    }

    /// The dims to which arguments `i` and `j` are stretched together, of elements of `i`'s dtype.
    pub fn broadcast(&self, b: &Builder<'_>, i: usize, j: usize) -> Result<Vec<u64>, Diagnostic> {
        let (left, right) = (b.ty(self.tensor(i)), b.ty(self.tensor(j)));
        let Some(dims) = broadcast_dims(&left.dims, &right.dims) else {
            let facts = format!("{} and {}", self.describe(b.graph, i), self.describe(b.graph, j));
            let span = if self.is_operator { self.span } else { self.span(j) };
            return Err(self
                .error_at(span, format_args!("shapes do not fit, {facts}"))
                .with_help("sizes are compared from the last axis; each pair must be equal or hold a 1"));
        };
        self.check_size(j, left.dtype, &dims)?;
        Ok(dims)
    }

    /// "`x`, which is f32[2, 3]": tensor argument `i` for errors about its axes.
    pub fn whole(&self, b: &Builder<'_>, i: usize) -> String {
        format!("{}, which is {}", self.subject(i), b.graph.ty(self.tensor(i)))
    }

    /// Argument `i` as it may stand in a repair: its name in the program, else the parameter's.
    pub fn written(&self, i: usize) -> &str {
        self.entries[i].label.as_deref().unwrap_or(self.op.params[i].name)
    }

    /// An axis among `rank`, counted from the end when negative; `whole` says in errors what has these axes.
    pub fn axis_among(&self, axis: i64, span: Span, rank: usize, whole: &str) -> Result<usize, Diagnostic> {
        let wrapped = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
        if (0..rank as i64).contains(&wrapped) {
            return Ok(wrapped as usize);
        }
        let valid = match rank {
            0 => String::from("a scalar has no axes"),
            1 => String::from("the only axis is 0 (or -1)"),
            2 => String::from("the axes are 0 and 1 (or -2 and -1)"),
            _ => format!("the axes are 0 to {} (or -{rank} to -1)", rank - 1),
        };
        Err(self.error_at(span, format_args!("there is no axis {axis} in {whole}; {valid}")))
    }

    /// The axis of tensor argument `of` that parameter `i` names; `default` when it is absent.
    pub fn axis(&self, b: &Builder<'_>, of: usize, i: usize, default: i64) -> Result<usize, Diagnostic> {
        let rank = b.ty(self.tensor(of)).rank();
        self.axis_among(self.int(i).unwrap_or(default), self.span(i), rank, &self.whole(b, of))
    }

    /// The axes of tensor argument `of` that parameter `i` names, in the order given; every axis when it is absent.
    pub fn axes(&self, b: &Builder<'_>, of: usize, i: usize) -> Result<Vec<usize>, Diagnostic> {
        let rank = b.ty(self.tensor(of)).rank();
        let Some(given) = self.ints(i) else { return Ok((0..rank).collect()) };
        self.distinct_axes(given, rank, &self.whole(b, of))
    }

    /// Axes among `rank`, in the order given, each at most once.
    pub fn distinct_axes(
        &self,
        given: &[(i64, Span)],
        rank: usize,
        whole: &str,
    ) -> Result<Vec<usize>, Diagnostic> {
        let mut axes = Vec::with_capacity(given.len());
        for &(written, span) in given {
            let axis = self.axis_among(written, span, rank, whole)?;
            if axes.contains(&axis) {
                let meant = if written < 0 { format!(" (as {written})") } else { String::new() };
                return Err(self.error_at(span, format_args!("axis {axis} is given twice{meant}")));
            }
            axes.push(axis);
        }
        Ok(axes)
    }

    /// Dims from the list of parameter `i`: no negative ones, and a tensor whose bytes fit in an i64.
    pub fn shape(&self, i: usize, dtype: DType) -> Result<Vec<u64>, Diagnostic> {
        let mut dims = Vec::new();
        for &(dim, span) in self.ints(i).unwrap_or_default() {
            let dim = u64::try_from(dim)
                .map_err(|_| self.error_at(span, format_args!("a size is negative: {dim}")))?;
            dims.push(dim);
        }
        self.check_size(i, dtype, &dims)?;
        Ok(dims)
    }

    /// Refuses a result too large to address. Zero sizes do not hide the others, so that strides stay in range.
    pub fn check_size(&self, i: usize, dtype: DType, dims: &[u64]) -> Result<(), Diagnostic> {
        let bytes = dims.iter().try_fold(dtype.size(), |bytes, &dim| bytes.checked_mul(dim.max(1)));
        match bytes {
            Some(bytes) if bytes <= i64::MAX as u64 => Ok(()),
            _ => Err(self.error(i, format_args!("{dtype}{dims:?} has more than 2^63 bytes"))),
        }
    }
}

fn class_help(name: &str, class: Class, dtype: DType) -> String {
    match class {
        Class::Float => format!("convert it: `cast({name}, f32)`"),
        Class::Number => format!("convert it: `cast({name}, i32)`, or use a logical op"),
        Class::Bool if dtype.is_integer() => {
            format!("compare it: `{name} != 0`; `& | ^ !` work on the bits of integers")
        }
        Class::Bool => format!("compare it: `{name} != 0.0`"),
        Class::Integer | Class::Bits => format!("convert it: `cast({name}, i32)`"),
        Class::Any => String::new(),
    }
}

/// The one of two distinct dtypes to which the other is converted: floats before integers before bool, then the
/// larger; `None` where neither holds the other's values, not even roughly.
fn wider(a: DType, b: DType) -> Option<DType> {
    let rank = |dtype: DType| match dtype {
        DType::F64 => 6,
        DType::F32 => 5,
        DType::F16 | DType::BF16 => 4,
        DType::I64 => 3,
        DType::I32 => 2,
        DType::U8 => 1,
        DType::Bool => 0,
    };
    match rank(a).cmp(&rank(b)) {
        Ordering::Greater => Some(a),
        Ordering::Less => Some(b),
        Ordering::Equal => None,
    }
}

/// An elementwise op of two operands of one dtype of `class`.
pub(super) fn binary(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    op: Binary,
    class: Class,
) -> Result<Built, Diagnostic> {
    args.require_both(b, 0, 1, class)?;
    args.broadcast(b, 0, 1)?;
    Ok(Built::One(b.binary(op, args.tensor(0), args.tensor(1))))
}

/// An elementwise op of one operand of `class`.
pub(super) fn unary(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    op: Unary,
    class: Class,
) -> Result<Built, Diagnostic> {
    args.require(b, 0, class)?;
    Ok(Built::One(b.unary(op, args.tensor(0))))
}

/// A zero that is known here is no divisor of integers.
pub(super) fn refuse_zero_divisor(b: &Builder<'_>, args: &Args<'_>) -> Result<(), Diagnostic> {
    if known_integer(b, args.tensor(1), |divisor| divisor == 0).is_none() {
        return Ok(());
    }
    let message = match viewed(b, args.tensor(1)) {
        Prim::Fill(_) => format!("{} is 0", args.subject(1)),
        _ => format!("{} has a 0 among its elements", args.subject(1)),
    };
    let x = args.written_or_dots(0);
    Err(args.error(1, message).with_help(format!(
        "write another divisor, or divide floats, where the result is infinity or NaN: `cast({x}, f32)`"
    )))
}

/// A negative number that is known here is no shift count.
pub(super) fn refuse_negative_count(b: &Builder<'_>, args: &Args<'_>) -> Result<(), Diagnostic> {
    let Some(count) = known_integer(b, args.tensor(1), |count| count < 0) else { return Ok(()) };
    let (other, sign) = match args.op.name {
        "shift_left" => ("right", ">>"),
        _ => ("left", "<<"),
    };
    let (x, size) = (args.written_or_dots(0), count.unsigned_abs());
    Err(match viewed(b, args.tensor(1)) {
        Prim::Constant(_) => args
            .error(1, format_args!("one of the counts is negative: {count}"))
            .with_help(format!("shift these elements to the {other}, and choose with `select`")),
        _ => args
            .error(1, format_args!("the count is negative: {count}"))
            .with_help(format!("shift to the {other} instead: `{x} {sign} {size}`")),
    })
}

/// What a value is a view of, through other shapes of it.
fn viewed<'b>(b: &'b Builder<'_>, x: ValueId) -> &'b Prim {
    match &b.graph.value(x).prim {
        Prim::Broadcast(x) | Prim::Reshape(x) | Prim::Transpose { x, .. } => viewed(b, *x),
        prim => prim,
    }
}

/// The first integer that `x` is known to hold and `wanted` picks. Seen through what only copies elements.
fn known_integer(b: &Builder<'_>, x: ValueId, wanted: fn(i64) -> bool) -> Option<i64> {
    let value = b.graph.value(x);
    match &value.prim {
        Prim::Fill(Scalar::Int(n)) => Some(*n).filter(|n| wanted(*n)),
        Prim::Broadcast(x) | Prim::Reshape(x) | Prim::Transpose { x, .. } => known_integer(b, *x, wanted),
        Prim::Constant(index) => {
            let Constant::Bytes(bytes) = &b.graph.constants[*index as usize] else { return None };
            let dtype = value.ty.dtype;
            let element = |bytes: &[u8]| {
                let mut wide = [if dtype != DType::U8 && bytes.last()? & 0x80 != 0 { 0xff } else { 0 }; 8];
                wide[..bytes.len()].copy_from_slice(bytes);
                Some(i64::from_le_bytes(wide))
            };
            if !dtype.is_integer() {
                return None;
            }
            bytes.chunks_exact(dtype.size() as usize).filter_map(element).find(|n| wanted(*n))
        }
        _ => None,
    }
}
