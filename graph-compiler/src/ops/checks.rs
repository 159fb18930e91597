//! Checks that many ops share. Each returns an error that points at the argument that is wrong.

use graph_ir::DType;
use proc_macro2::Span;

use super::{Args, Built, Class};
use crate::Diagnostic;
use crate::graph::{Binary, Builder, Constant, Prim, Scalar, Unary, broadcast_dims};

impl Args<'_> {
    /// Argument `i` has a dtype of `class`.
    pub fn require(&self, b: &Builder<'_>, i: usize, class: Class) -> Result<DType, Diagnostic> {
        let dtype = b.dtype(self.tensor(i));
        if class.has(dtype) {
            return Ok(dtype);
        }
        let error = self.error(i, format_args!("takes {}; {}", class.describe(), self.describe(b.graph, i)));
        Err(error.with_help(self.class_help(i, class, dtype)))
    }

    fn class_help(&self, i: usize, class: Class, dtype: DType) -> String {
        let name = self.entries[i].label.clone().unwrap_or_else(|| self.op.params[i].name.to_owned());
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

    /// Arguments `i` and `j` have one dtype.
    pub fn same_dtype(&self, b: &Builder<'_>, i: usize, j: usize) -> Result<(), Diagnostic> {
        let (left, right) = (b.dtype(self.tensor(i)), b.dtype(self.tensor(j)));
        if left == right {
            return Ok(());
        }
        let name =
            |i: usize| self.entries[i].label.clone().unwrap_or_else(|| self.op.params[i].name.to_owned());
        let help = match wider(left, right) {
            Some(dtype) if dtype == left => format!("convert one of them: `cast({}, {left})`", name(j)),
            Some(_) => format!("convert one of them: `cast({}, {right})`", name(i)),
            None => format!("convert one of them: `cast({}, {left})`", name(j)),
        };
        let facts = format!("{} and {}", self.describe(b.graph, i), self.describe(b.graph, j));
        let span = if self.is_operator { self.span } else { self.span(j) };
        Err(self.error_at(span, format_args!("dtypes differ, {facts}")).with_help(help))
    }

    /// The dims to which arguments `i` and `j` are stretched together.
    pub fn broadcast(&self, b: &Builder<'_>, i: usize, j: usize) -> Result<Vec<u64>, Diagnostic> {
        let (left, right) = (b.ty(self.tensor(i)), b.ty(self.tensor(j)));
        broadcast_dims(&left.dims, &right.dims).ok_or_else(|| {
            let facts = format!("{} and {}", self.describe(b.graph, i), self.describe(b.graph, j));
            let span = if self.is_operator { self.span } else { self.span(j) };
            self.error_at(span, format_args!("shapes do not fit, {facts}"))
                .with_help("sizes are compared from the last axis; each pair must be equal or hold a 1")
        })
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

/// The dtype that holds every value of both, where one of them does.
fn wider(a: DType, b: DType) -> Option<DType> {
    let rank = |dtype: DType| match dtype {
        DType::F64 => 2,
        DType::F32 => 1,
        DType::F16 | DType::BF16 => 0,
        DType::I64 => 2,
        DType::I32 => 1,
        DType::U8 => 0,
        DType::Bool => 0,
    };
    match (a.is_float(), b.is_float()) {
        (true, false) => Some(a),
        (false, true) => Some(b),
        _ if rank(a) > rank(b) => Some(a),
        _ if rank(a) < rank(b) => Some(b),
        _ => None,
    }
}

/// An elementwise op of two operands of one dtype of `class`.
pub(super) fn binary(
    b: &mut Builder<'_>,
    args: &Args<'_>,
    op: Binary,
    class: Class,
) -> Result<Built, Diagnostic> {
    args.require(b, 0, class)?;
    args.same_dtype(b, 0, 1)?;
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
    let y = args.tensor(1);
    let ty = b.ty(y);
    if !ty.dtype.is_integer() {
        return Ok(());
    }
    let has_zero = match &b.graph.value(y).prim {
        Prim::Fill(Scalar::Int(0)) => true,
        Prim::Constant(constant) => match &b.graph.constants[*constant as usize] {
            Constant::Bytes(bytes) => {
                bytes.chunks(ty.dtype.size() as usize).any(|element| element.iter().all(|byte| *byte == 0))
            }
            Constant::Path(..) => false,
        },
        _ => false,
    };
    if has_zero {
        return Err(args.error(1, "the divisor is 0").with_help("divide by another number"));
    }
    Ok(())
}
