//! The syntax tree: what the user wrote, with spans, nothing decided.
//!
//! Trees are bounded. No path through expressions and blocks has more than [`MAX_HEIGHT`] nodes, so a recursive walk
//! (and the compiler's own drop) needs a bounded stack; `a + b + c` leans to the left and takes one node per operator.
//! A consumer that recurses must get by with its stack divided by `MAX_HEIGHT` per level: 2 KiB on a test thread.
//! Only `[…]`, `(…)`, `{…}`, blocks and signs nest inside each other, at most [`MAX_NESTING`] deep.
//!
//! Spans: stable rustc can't join two spans, so inside the macro a node that has no token around the whole of it
//! points at its most telling token: an operation at its operator, a call at the function's name, a block-like
//! expression at its keyword. Brackets, literals and names are covered whole.

use proc_macro2::{Ident, Span, TokenStream};

/// The most nodes on a path from the root of an expression to a leaf, through the blocks within it.
pub const MAX_HEIGHT: usize = 1000;

/// How deep brackets, blocks and signs may nest in the source.
pub const MAX_NESTING: usize = 128;

/// The input of one macro call.
pub struct Program {
    /// `crate = path;`: where the runtime crate is, if not at `::graph_runtime`.
    pub crate_path: Option<syn::Path>,
    /// `#![…]` at the head, e.g. `#![allow(unused)]`.
    pub attributes: Vec<syn::Attribute>,
    pub form: Form,
}

pub enum Form {
    /// `graph! { |x: f32[2]| … }` or `graph! { … }`
    Expression(Function),
    /// `graph! { pub mod name { … } }`
    Module(Module),
}

pub struct Module {
    pub attributes: Vec<syn::Attribute>,
    pub visibility: syn::Visibility,
    pub name: Ident,
    pub items: Vec<Item>,
}

pub enum Item {
    Const(Const),
    Variable(Variable),
    Function(Function),
    Budget(Budget),
    /// `device("…") { var … }` around items.
    Device {
        device: DeviceArgument,
        items: Vec<Item>,
    },
}

/// `const BATCH: usize = 64;`
pub struct Const {
    pub name: Ident,
    pub value: Expr,
}

/// `var w: f32[784, 10] = EXPR;`
pub struct Variable {
    pub keyword: Span,
    pub name: Ident,
    pub ty: TensorType,
    pub value: Expr,
}

/// A helper (`fn`), an entry (`pub fn`), or the body of the expression form.
pub struct Function {
    pub attributes: Vec<syn::Attribute>,
    /// `Some` for an entry: the tokens `pub` or `pub(crate)`.
    pub visibility: Option<syn::Visibility>,
    /// `None` in the expression form.
    pub name: Option<Ident>,
    pub parameters: Vec<Parameter>,
    pub result: Option<ResultType>,
    pub body: Block,
    /// Where to point when the whole is meant.
    pub span: Span,
}

pub struct Parameter {
    pub name: Ident,
    /// Required for entries and inputs, optional for helpers.
    pub ty: Option<TensorType>,
}

pub enum ResultType {
    One(TensorType),
    /// `(f32[2], i32[])`
    Tuple(Vec<TensorType>, Span),
    /// `(probabilities: f32[2], label: i32[])`
    Named(Vec<(Ident, TensorType)>, Span),
}

/// `f32[BATCH, 10]`; a scalar is `f32` or `f32[]`.
pub struct TensorType {
    pub dtype: Ident,
    pub dims: Vec<Expr>,
    /// Dtype and brackets.
    pub span: Span,
}

pub struct Block {
    pub statements: Vec<Statement>,
    /// The value of the block: an expression without `;` at its end.
    pub tail: Option<Box<Expr>>,
    pub span: Span,
}

pub enum Statement {
    Let(Let),
    Const(Const),
    Budget(Budget),
    /// `v = e`, `v += e`, `v -= e`, `v *= e`, `v /= e`
    Assign {
        target: Ident,
        operator: Option<BinaryOperator>,
        value: Expr,
        span: Span,
    },
    /// An expression with its `;`, or a block-like one in the middle of a block.
    Expr(Expr),
}

pub struct Let {
    pub attributes: Vec<syn::Attribute>,
    pub pattern: Pattern,
    pub ty: Option<TensorType>,
    pub value: Expr,
}

pub enum Pattern {
    Name(Ident),
    /// `(a, b)` or `[a, b]`: takes a tuple or list apart.
    Tuple(Vec<Pattern>, Span),
    /// `_`
    Wild(Span),
}

/// `budget("/device:GPU:0", 64 MiB);`
pub struct Budget {
    pub device: StringLiteral,
    pub bytes: u64,
    pub span: Span,
}

pub struct StringLiteral {
    pub value: String,
    pub span: Span,
}

pub enum DeviceArgument {
    /// `"/device:GPU:{i}"`
    String(StringLiteral),
    /// `none`
    None(Span),
    /// A loop variable that holds a string.
    Name(Ident),
}

pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

pub enum ExprKind {
    Name(Ident),
    /// `f32::NAN`, `i32::MAX`, `super::WEIGHTS`: two or more segments.
    Path(syn::Path),
    Number(Number),
    Bool(bool),
    String(String),
    /// `[a, b, c]`
    List(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `(first: a, second: b)`: named results.
    Named(Vec<(Ident, Expr)>),
    Call {
        function: Ident,
        arguments: Vec<Argument>,
    },
    /// `x.relu()`; `receiver` is the first argument.
    Method {
        receiver: Box<Expr>,
        function: Ident,
        arguments: Vec<Argument>,
    },
    /// `list.0` or a tuple's field.
    Field {
        base: Box<Expr>,
        index: u32,
        index_span: Span,
    },
    /// `-x`, `!x`
    Unary {
        operator: UnaryOperator,
        operator_span: Span,
        operand: Box<Expr>,
    },
    /// `a + b`
    Binary {
        operator: BinaryOperator,
        operator_span: Span,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `x[0, 1..3, ..;2]`
    Index {
        base: Box<Expr>,
        indices: Vec<Index>,
    },
    /// `PATH: f32[2, 3]` as the argument of `constant`.
    Typed {
        value: Box<Expr>,
        ty: TensorType,
    },
    Device {
        device: DeviceArgument,
        body: Block,
    },
    /// `scope("tower_0") { … }`
    Scope {
        name: StringLiteral,
        body: Block,
    },
    ColocateWith {
        anchor: Box<Expr>,
        body: Block,
    },
    /// `for i in 0..4 { … }`: unrolled; its value is the list of the bodies' values.
    For {
        variable: Pattern,
        iterable: Iterable,
        body: Block,
    },
    Block(Block),
}

pub enum Iterable {
    /// `0..4` or `0..=3`
    Range { start: Box<Expr>, end: Box<Expr>, inclusive: bool, span: Span },
    /// A list of strings, numbers or tensors, or something that evaluates to a list.
    Expr(Box<Expr>),
}

/// A number as written, without its minus sign; the suffix (`1.0f64`) is split off.
pub struct Number {
    /// Digits without underscores, e.g. `1.5e-3` or `42`; hexadecimal, octal and binary ones are made decimal.
    pub digits: String,
    /// Whether it has a point or an exponent.
    pub is_float: bool,
    pub suffix: Option<String>,
}

/// `value`, `name = value`
pub struct Argument {
    pub name: Option<Ident>,
    pub value: Expr,
}

/// One entry between the brackets of `x[…]`, with NumPy's meaning of negative positions and steps.
pub enum Index {
    /// `3`: drops the axis.
    At(Expr),
    /// `start..stop;step`
    Range(Box<IndexRange>),
    /// `...`: as many full ranges as are needed.
    Ellipsis(Span),
}

/// `start..stop;step`, each part optional.
pub struct IndexRange {
    pub start: Option<Expr>,
    pub stop: Option<Expr>,
    pub inclusive: bool,
    pub step: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    Negate,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOperator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// Parses the tokens of one macro call. Whatever the input, it returns: errors go to `diagnostics`, and the part of
/// the tree that could be read comes back, `None` when nothing could.
pub fn parse(tokens: TokenStream, diagnostics: &mut crate::Diagnostics) -> Option<Program> {
    parse::program(tokens, diagnostics)
}

mod parse;
mod print;
#[cfg(test)]
mod tests;
