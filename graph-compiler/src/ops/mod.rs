//! The ops of the language. All that is known of one stands in one row: names, parameters, the checks and
//! primitives (`build`), its documentation and a tested example. Adding an op touches its row and nothing else:
//! derivatives, placement, fusion and both printers know primitives only.

mod args;
mod arithmetic;
mod checks;
mod compare;
mod constants;
mod functions;
mod index;
mod join;
mod linalg;
mod network;
mod range;
mod reduce;
mod reference;
mod shape;
#[cfg(test)]
mod tests_structure;

use graph_ir::DType;

use crate::Diagnostic;
use crate::graph::{Builder, ValueId};

pub use args::{Args, Entry, EntryValue};
pub use constants::literal_tensor;
pub use reference::reference;

/// One op.
pub struct Op {
    /// As written in the language: `matmul`.
    pub name: &'static str,
    /// TensorFlow's op type, as the placement log shows it: `MatMul`, `AddV2`.
    pub kind: &'static str,
    /// The name of a node that the user does not name: `MatMul`, `Add`.
    pub node: &'static str,
    /// The name of a node written as an operator (`add` for `+`), where there is one.
    pub operator: &'static str,
    pub params: &'static [Param],
    /// Checks the arguments and makes the primitives. The first argument that is wrong is reported at its span.
    pub build: fn(&mut Builder<'_>, &Args<'_>) -> Result<Built, Diagnostic>,
    /// What it does, in Markdown: shapes, dtypes, edge cases, source of a formula.
    pub doc: &'static str,
    /// A graph and the value that it gives, as `ndarray::array!` takes it; a doctest runs it.
    pub example: Example,
}

pub struct Example {
    pub graph: &'static str,
    pub value: &'static str,
}

/// What an op gives.
pub enum Built {
    One(ValueId),
    List(Vec<ValueId>),
}

pub struct Param {
    pub name: &'static str,
    pub kind: ParamKind,
    pub required: bool,
}

impl Param {
    pub const fn required(name: &'static str, kind: ParamKind) -> Param {
        Param { name, kind, required: true }
    }

    pub const fn optional(name: &'static str, kind: ParamKind) -> Param {
        Param { name, kind, required: false }
    }
}

/// Parameters of ops of one tensor.
const X: &[Param] = &[Param::required("x", ParamKind::Tensor)];

/// Parameters of ops of two tensors.
const XY: &[Param] = &[Param::required("x", ParamKind::Tensor), Param::required("y", ParamKind::Tensor)];

/// What a parameter takes. Literal tensors take the dtype of the first tensor among the `Tensor` and `Tensors`
/// arguments, else their own default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A tensor or a literal.
    Tensor,
    /// A bool tensor or literal.
    Condition,
    /// An integer tensor, or a literal, which becomes i32.
    Index,
    /// A list of tensors.
    Tensors,
    /// A whole number known at build time.
    Int,
    /// A list of whole numbers, or one.
    Ints,
    /// A whole number, or a list of them with another meaning.
    IntOrInts,
    /// A list of pairs of whole numbers: `[[1, 2], [0, 0]]`.
    Pairs,
    /// `true` or `false`.
    Flag,
    /// A number known at build time.
    Number,
    /// The name of a dtype.
    DType,
    /// A nested list of numbers, or a typed path to a Rust constant.
    Literal,
}

/// Every op, in the order of the documentation.
pub fn all() -> impl Iterator<Item = &'static Op> {
    [
        constants::OPS,
        range::OPS,
        arithmetic::OPS,
        functions::OPS,
        compare::OPS,
        reduce::OPS,
        linalg::OPS,
        shape::OPS,
        join::OPS,
        network::OPS,
        index::OPS,
    ]
    .into_iter()
    .flatten()
}

/// The op called `name`.
pub fn find(name: &str) -> Option<&'static Op> {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    static BY_NAME: OnceLock<HashMap<&'static str, &'static Op>> = OnceLock::new();
    BY_NAME.get_or_init(|| all().map(|op| (op.name, op)).collect()).get(name).copied()
}

/// The sets of dtypes that ops ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Float,
    Integer,
    /// Everything but bool.
    Number,
    Bool,
    /// Integers and bool.
    Bits,
    Any,
}

impl Class {
    pub fn has(self, dtype: DType) -> bool {
        match self {
            Class::Float => dtype.is_float(),
            Class::Integer => dtype.is_integer(),
            Class::Number => dtype != DType::Bool,
            Class::Bool => dtype == DType::Bool,
            Class::Bits => !dtype.is_float(),
            Class::Any => true,
        }
    }

    pub fn describe(self) -> &'static str {
        match self {
            Class::Float => "a float (f32, f64, f16 or bf16)",
            Class::Integer => "an integer (i32, i64 or u8)",
            Class::Number => "a number (any dtype but bool)",
            Class::Bool => "bool",
            Class::Bits => "an integer or bool",
            Class::Any => "any dtype",
        }
    }
}
