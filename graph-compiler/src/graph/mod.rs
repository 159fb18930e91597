//! The graph: what the user wrote, flat.
//!
//! Two layers. A [`Node`] is an op as the user wrote it (`softmax`): it has a name, a device request and a place in
//! the source, and is what logs and errors speak of. A [`Value`] is one tensor computed by one primitive ([`Prim`])
//! on behalf of a node; `softmax` is five of them. Every pass after lowering knows primitives only, so adding an op
//! adds no case to any pass. Values are in topological order: an operand's id is smaller than its user's.

mod builder;
mod names;
mod scalar;
mod text;
mod verify;

use std::rc::Rc;

use graph_ir::DType;
use proc_macro2::Span;

pub use builder::{Builder, broadcast_dims};
pub use names::{NameTable, check_name};
pub use scalar::Scalar;
pub use verify::verify;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl std::fmt::Debug for ValueId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl std::fmt::Debug for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Dtype and shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    pub dtype: DType,
    pub dims: Rc<[u64]>,
}

impl Type {
    pub fn new(dtype: DType, dims: &[u64]) -> Type {
        Type { dtype, dims: dims.into() }
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Number of elements. Lowering refuses shapes whose bytes pass `i64::MAX`, so this does not overflow.
    pub fn elements(&self) -> u64 {
        self.dims.iter().product()
    }

    pub fn bytes(&self) -> u64 {
        self.elements() * self.dtype.size()
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.dtype, self.dims)
    }
}

/// The graph of one entry.
#[derive(Default)]
pub struct Graph {
    pub name: String,
    pub nodes: Vec<Node>,
    pub values: Vec<Value>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    pub constants: Vec<Constant>,
    /// Device requests, merged over the enclosing blocks; entry 0 is "none".
    pub requests: Vec<Request>,
    pub budgets: Vec<Budget>,
}

pub struct Node {
    pub name: String,
    /// TensorFlow's op type.
    pub op: &'static str,
    pub request: u32,
    /// The node that this one must be placed with.
    pub colocate: Option<NodeId>,
    /// The `let` that names its result, or empty.
    pub binding: String,
    /// The op's token.
    pub span: Span,
}

pub struct Value {
    pub prim: Prim,
    pub ty: Type,
    pub node: NodeId,
}

pub struct Input {
    pub name: String,
    pub ty: Type,
    pub value: ValueId,
}

pub struct Output {
    /// Empty where results are not named.
    pub name: String,
    pub value: ValueId,
}

/// A device request after merging.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// `/device:GPU:1`, or empty for none.
    pub canonical: String,
    /// The innermost string as written.
    pub written: String,
}

pub struct Budget {
    pub canonical: String,
    pub written: String,
    pub bytes: u64,
    pub span: Span,
}

/// The data of a constant.
pub enum Constant {
    /// Row-major elements in little-endian bytes.
    Bytes(Vec<u8>),
    /// A Rust constant, named by the user; rustc checks its type.
    Path(syn::Path, Type),
}

/// A primitive. Operands of elementwise ones have the result's dims: broadcasting is a `Broadcast` of its own.
#[derive(Clone, PartialEq, Debug)]
pub enum Prim {
    Input(u32),
    Constant(u32),
    /// The same number everywhere.
    Fill(Scalar),
    /// The position along an axis.
    Iota {
        axis: usize,
    },
    Unary(Unary, ValueId),
    Binary(Binary, ValueId, ValueId),
    /// Condition (bool), then, else.
    Select(ValueId, ValueId, ValueId),
    Cast(ValueId),
    /// Dims are aligned at the last axis; size-1 axes are stretched.
    Broadcast(ValueId),
    /// Same elements in row-major order.
    Reshape(ValueId),
    /// Axis `i` of the result is axis `axes[i]` of the operand.
    Transpose {
        x: ValueId,
        axes: Vec<usize>,
    },
    /// Element `i` of an axis is element `start + i * step` of the operand's.
    Slice {
        x: ValueId,
        start: Vec<u64>,
        step: Vec<i64>,
    },
    /// The operand stands at offset `low`; `value` around it.
    Pad {
        x: ValueId,
        low: Vec<u64>,
        value: Scalar,
    },
    Concat {
        xs: Vec<ValueId>,
        axis: usize,
    },
    /// `x[.., indices, ..]`: the axis is replaced by the dims of `indices` (i32 or i64).
    Gather {
        x: ValueId,
        indices: ValueId,
        axis: usize,
    },
    /// The operand, with a check that each element (i32 or i64) is in `0..bound`.
    CheckIndex {
        x: ValueId,
        bound: u64,
    },
    /// Reduces `axes` (ascending) away. Sums and products of f16 and bf16 accumulate in f32 and round once.
    Reduce {
        op: Reduce,
        x: ValueId,
        axes: Vec<usize>,
    },
    /// Position (i64) of the first extreme element along an axis; NaN is the most extreme.
    ArgReduce {
        largest: bool,
        x: ValueId,
        axis: usize,
    },
    /// `[.., m, k] x [.., k, n]`, batch dims aligned at the last and stretched; transposed operands are stored so.
    MatMul {
        a: ValueId,
        b: ValueId,
        transpose_a: bool,
        transpose_b: bool,
    },
    /// f16 and bf16 accumulate in f32, and each sum is rounded once.
    CumSum {
        x: ValueId,
        axis: usize,
        exclusive: bool,
        reverse: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Neg,
    Abs,
    Sign,
    Sqrt,
    Rsqrt,
    Exp,
    Log,
    Log1p,
    Expm1,
    Sin,
    Cos,
    Tan,
    Tanh,
    Erf,
    Erfc,
    Floor,
    Ceil,
    Round,
    /// Bitwise for integers, logical for bool.
    Not,
    /// Result is bool.
    IsNan,
    /// Result is bool.
    IsFinite,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    FloorDiv,
    FloorMod,
    Pow,
    Maximum,
    Minimum,
    /// Bitwise for integers, logical for bool, as are `Or` and `Xor`.
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    /// Result is bool, as of all below.
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Binary {
    pub fn is_comparison(self) -> bool {
        use Binary::*;
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduce {
    Sum,
    Prod,
    Max,
    Min,
    /// bool
    Any,
    /// bool
    All,
}

impl Prim {
    /// Calls `f` on each operand, in order.
    pub fn operands(&self, mut f: impl FnMut(ValueId)) {
        match self {
            Prim::Input(_) | Prim::Constant(_) | Prim::Fill(_) | Prim::Iota { .. } => {}
            Prim::Unary(_, x) | Prim::Cast(x) | Prim::Broadcast(x) | Prim::Reshape(x) => f(*x),
            Prim::Transpose { x, .. }
            | Prim::Slice { x, .. }
            | Prim::Pad { x, .. }
            | Prim::CheckIndex { x, .. }
            | Prim::Reduce { x, .. }
            | Prim::ArgReduce { x, .. }
            | Prim::CumSum { x, .. } => f(*x),
            Prim::Binary(_, a, b) | Prim::MatMul { a, b, .. } => {
                f(*a);
                f(*b);
            }
            Prim::Gather { x, indices, .. } => {
                f(*x);
                f(*indices);
            }
            Prim::Select(c, a, b) => {
                f(*c);
                f(*a);
                f(*b);
            }
            Prim::Concat { xs, .. } => xs.iter().copied().for_each(f),
        }
    }
}

impl Graph {
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.0 as usize]
    }

    pub fn ty(&self, id: ValueId) -> &Type {
        &self.values[id.0 as usize].ty
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn value_ids(&self) -> impl DoubleEndedIterator<Item = ValueId> + use<> {
        (0..self.values.len() as u32).map(ValueId)
    }
}
