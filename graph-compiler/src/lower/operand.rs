//! What an expression of the language gives.

use std::collections::BTreeMap;

use graph_ir::DType;
use proc_macro2::Span;

use super::Literal;
use crate::graph::ValueId;

/// The value of an expression.
#[derive(Clone)]
pub(super) enum Operand {
    Tensor(ValueId),
    /// A number that has no dtype yet.
    Literal(Literal),
    /// A list: of numbers (a literal tensor), of tensors, of strings. Also a tuple.
    List(Vec<Item>),
    /// `(first: a, second: b)`
    Named(Vec<(String, Item)>),
    String(String),
    DType(DType),
    /// A statement, a block without a value.
    Unit,
    /// Something already reported: everything that uses it stays silent.
    Poison,
}

/// An operand with its place in the source.
#[derive(Clone)]
pub(super) struct Item {
    pub operand: Operand,
    pub span: Span,
    /// The name, where the expression is one.
    pub label: Option<String>,
}

impl Operand {
    /// For errors: what it is.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Operand::Tensor(_) => "a tensor",
            Operand::Literal(_) => "a number",
            Operand::List(_) => "a list",
            Operand::Named(_) => "named results",
            Operand::String(_) => "a string",
            Operand::DType(_) => "a dtype",
            Operand::Unit => "nothing",
            Operand::Poison => "an error",
        }
    }

    /// Whether it holds a tensor, at any depth.
    pub(super) fn has_tensor(&self) -> bool {
        match self {
            Operand::Tensor(_) => true,
            Operand::List(items) => items.iter().any(|item| item.operand.has_tensor()),
            _ => false,
        }
    }

    /// How many elements it has, at all depths.
    pub(super) fn size(&self) -> usize {
        match self {
            Operand::List(items) => items.iter().map(|item| item.operand.size()).sum(),
            Operand::Named(results) => results.iter().map(|(_, item)| item.operand.size()).sum(),
            _ => 1,
        }
    }

    pub(super) fn has_poison(&self) -> bool {
        match self {
            Operand::Poison => true,
            Operand::List(items) => items.iter().any(|item| item.operand.has_poison()),
            _ => false,
        }
    }

    /// Whether it is numbers only, at any depth.
    pub(super) fn is_literal(&self) -> bool {
        match self {
            Operand::Literal(_) => true,
            Operand::List(items) => items.iter().all(|item| item.operand.is_literal()),
            _ => false,
        }
    }
}

/// The names in scope, innermost frame last.
#[derive(Default)]
pub(super) struct Environment {
    frames: Vec<BTreeMap<String, Operand>>,
}

impl Environment {
    pub(super) fn push(&mut self) {
        self.frames.push(BTreeMap::new());
    }

    pub(super) fn pop(&mut self) {
        self.frames.pop();
    }

    pub(super) fn insert(&mut self, name: String, operand: Operand) {
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(name, operand);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Operand> {
        self.frames.iter().rev().find_map(|frame| frame.get(name))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.frames.iter().flat_map(|frame| frame.keys().map(String::as_str))
    }
}
