//! The arguments of one call, matched to the parameters of its op.

use graph_ir::DType;
use proc_macro2::Span;

use super::Op;
use crate::Diagnostic;
use crate::graph::{Constant, Graph, Scalar, ValueId};
use crate::lower::Literal;

/// One argument.
pub struct Entry {
    pub value: EntryValue,
    pub span: Span,
    /// The name that the user gave to the tensor, where the argument is a plain name.
    pub label: Option<String>,
}

pub enum EntryValue {
    Absent,
    Tensor(ValueId),
    /// With the span of each.
    Tensors(Vec<(ValueId, Span)>),
    Int(i64),
    Ints(Vec<(i64, Span)>),
    /// With the span of each pair.
    Pairs(Vec<([i64; 2], Span)>),
    Flag(bool),
    Number(Literal),
    DType(DType),
    /// Elements in row-major order and their dims.
    Literal {
        dims: Vec<u64>,
        elements: Vec<Literal>,
    },
    /// A Rust constant.
    Path(Constant, DType, Vec<u64>),
}

/// The arguments of one call, one entry for each parameter, in order. The accessors take the parameter's position;
/// lowering has checked that the kinds fit, so that asking for another kind is a bug of the op's row.
pub struct Args<'a> {
    pub op: &'static Op,
    /// The op's token.
    pub span: Span,
    /// Whether it was written as an operator, for the wording of errors.
    pub is_operator: bool,
    pub entries: &'a [Entry],
}

impl Args<'_> {
    pub fn has(&self, i: usize) -> bool {
        !matches!(self.entries[i].value, EntryValue::Absent)
    }

    pub fn span(&self, i: usize) -> Span {
        if self.has(i) { self.entries[i].span } else { self.span }
    }

    pub fn tensor(&self, i: usize) -> ValueId {
        self.optional(i)
            .unwrap_or_else(|| unreachable!("`{}`: parameter {i} is a required tensor", self.op.name))
    }

    pub fn optional(&self, i: usize) -> Option<ValueId> {
        match &self.entries[i].value {
            EntryValue::Tensor(x) => Some(*x),
            _ => None,
        }
    }

    pub fn tensors(&self, i: usize) -> &[(ValueId, Span)] {
        match &self.entries[i].value {
            EntryValue::Tensors(xs) => xs,
            _ => &[],
        }
    }

    pub fn int(&self, i: usize) -> Option<i64> {
        match &self.entries[i].value {
            EntryValue::Int(n) => Some(*n),
            _ => None,
        }
    }

    pub fn ints(&self, i: usize) -> Option<&[(i64, Span)]> {
        match &self.entries[i].value {
            EntryValue::Ints(ns) => Some(ns),
            _ => None,
        }
    }

    pub fn pairs(&self, i: usize) -> &[([i64; 2], Span)] {
        match &self.entries[i].value {
            EntryValue::Pairs(pairs) => pairs,
            _ => &[],
        }
    }

    pub fn flag(&self, i: usize, default: bool) -> bool {
        match &self.entries[i].value {
            EntryValue::Flag(flag) => *flag,
            _ => default,
        }
    }

    pub fn dtype(&self, i: usize) -> Option<DType> {
        match &self.entries[i].value {
            EntryValue::DType(dtype) => Some(*dtype),
            _ => None,
        }
    }

    pub fn number(&self, i: usize) -> Option<&Literal> {
        match &self.entries[i].value {
            EntryValue::Number(literal) => Some(literal),
            _ => None,
        }
    }

    /// The number as an element of `dtype`, or an error at it when it is not one.
    pub fn scalar(&self, i: usize, dtype: DType) -> Result<Option<Scalar>, Diagnostic> {
        self.number(i).map(|literal| self.literal_scalar(literal, dtype)).transpose()
    }

    /// A number among the arguments as an element of `dtype`. Where the call asks for that dtype, this is the help.
    pub fn literal_scalar(&self, literal: &Literal, dtype: DType) -> Result<Scalar, Diagnostic> {
        literal.to_scalar(dtype).map_err(|error| {
            let error = Diagnostic { message: format!("{}: {}", self.title(), error.message), ..error };
            let asked = self.entries.iter().any(|entry| matches!(entry.value, EntryValue::DType(_)));
            let own = literal.default_dtype();
            match asked && own != dtype {
                true => error.with_help(format!("write `dtype = {own}`, or leave `dtype` out")),
                false => error,
            }
        })
    }

    pub fn entry(&self, i: usize) -> &EntryValue {
        &self.entries[i].value
    }

    /// "`w` is f32[2, 3]", "the left side is f32[2, 3]" or "argument `x` is f32[2, 3]".
    pub fn describe(&self, graph: &Graph, i: usize) -> String {
        let ty = match &self.entries[i].value {
            EntryValue::Tensor(x) => graph.ty(*x).to_string(),
            _ => String::from("no tensor"),
        };
        format!("{} is {ty}", self.subject(i))
    }

    /// "`w`", "the left side" or "argument `x`".
    pub fn subject(&self, i: usize) -> String {
        match (&self.entries[i].label, self.is_operator) {
            (Some(label), _) => format!("`{label}`"),
            (None, true) if self.op.params.len() == 1 => String::from("the operand"),
            (None, true) => String::from(if i == 0 { "the left side" } else { "the right side" }),
            (None, false) => format!("argument `{}`", self.op.params[i].name),
        }
    }

    /// How the op is called in errors.
    pub fn title(&self) -> String {
        format!("`{}`", self.op.name)
    }

    pub fn error(&self, i: usize, message: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::new(self.span(i), format!("{}: {message}", self.title()))
    }

    pub fn error_at(&self, span: Span, message: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::new(span, format!("{}: {message}", self.title()))
    }
}
