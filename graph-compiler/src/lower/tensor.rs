//! Operands to tensors: literals become constants.

use super::{Item, Literal, Lowering, Operand};
use crate::Diagnostic;
use crate::graph::{Builder, ValueId};
use crate::ops::{self, EntryValue, Op};
use graph_ir::DType;

impl Lowering<'_, '_> {
    pub(super) fn literal(&mut self, item: Item, op: &Op) -> Option<EntryValue> {
        if item.operand.has_tensor() {
            let text = format!("`{}` takes numbers, and this is a tensor already", op.name);
            self.error(
                Diagnostic::new(item.span, text)
                    .with_help("use the tensor itself; `stack([a, b])` joins tensors"),
            );
            return None;
        }
        if !item.operand.is_literal() {
            let text = format!("`{}` takes numbers, and this is {}", op.name, item.operand.describe());
            self.error(Diagnostic::new(item.span, text));
            return None;
        }
        let mut elements = Vec::new();
        let dims = self.literal_dims(&item, &mut elements)?;
        Some(EntryValue::Literal { dims, elements })
    }

    /// The dims of a nested list of numbers; all lists of one level have the same length.
    fn literal_dims(&mut self, item: &Item, elements: &mut Vec<Literal>) -> Option<Vec<u64>> {
        match &item.operand {
            Operand::Literal(literal) => {
                elements.push(literal.clone());
                Some(Vec::new())
            }
            Operand::List(items) => {
                let mut inner: Option<Vec<u64>> = None;
                for item in items {
                    let dims = self.literal_dims(item, elements)?;
                    let first = inner.get_or_insert_with(|| dims.clone());
                    if *first != dims {
                        let (shape, wanted) = (describe_dims(&dims), describe_dims(first));
                        let message =
                            format!("a ragged list: the entries before are {wanted}, this one is {shape}");
                        self.error(
                            Diagnostic::new(item.span, message).with_help("every row needs the same length"),
                        );
                        return None;
                    }
                }
                let mut dims = inner.unwrap_or_default();
                dims.insert(0, items.len() as u64);
                Some(dims)
            }
            _ => None,
        }
    }

    /// The tensor of an operand; a literal becomes a constant of `dtype`, or of its own default.
    pub(super) fn tensor_of(&mut self, item: Item, dtype: Option<DType>) -> Option<ValueId> {
        let name = format!("{}Const", self.scope);
        self.named_tensor(item, dtype, &name)
    }

    /// As `tensor_of`, with the wish for the constant's name.
    pub(super) fn named_tensor(&mut self, item: Item, dtype: Option<DType>, name: &str) -> Option<ValueId> {
        match item.operand {
            Operand::Tensor(x) => Some(x),
            _ => {
                let unique = self.names.unique(name);
                self.constant_or_error(item, dtype, unique)
            }
        }
    }

    fn constant_or_error(&mut self, item: Item, dtype: Option<DType>, name: String) -> Option<ValueId> {
        if !item.operand.is_literal() {
            let help = match &item.operand {
                Operand::Poison => return None,
                Operand::List(_) if item.operand.has_tensor() => {
                    Some("join tensors with `stack` or `concat`")
                }
                _ => None,
            };
            let diagnostic = Diagnostic::new(
                item.span,
                format!("a tensor is wanted here, and this is {}", item.operand.describe()),
            );
            self.error(match help {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic,
            });
            return None;
        }
        let mut elements = Vec::new();
        let dims = self.literal_dims(&item, &mut elements)?;
        let dtype = dtype.unwrap_or_else(|| Literal::common_dtype(&elements));
        let node = self.node_named("Const", name, item.span);
        let mut builder = Builder { graph: &mut self.graph, node };
        match ops::literal_tensor(&mut builder, dtype, &dims, &elements) {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                self.error(diagnostic);
                None
            }
        }
    }
}

pub(super) fn first_tensor(operand: &Operand) -> Option<ValueId> {
    match operand {
        Operand::Tensor(x) => Some(*x),
        Operand::List(items) => items.iter().find_map(|item| first_tensor(&item.operand)),
        _ => None,
    }
}

pub(super) fn flatten(operand: &Operand, literals: &mut Vec<Literal>) {
    match operand {
        Operand::Literal(literal) => literals.push(literal.clone()),
        Operand::List(items) => items.iter().for_each(|item| flatten(&item.operand, literals)),
        _ => {}
    }
}

fn describe_dims(dims: &[u64]) -> String {
    match dims {
        [] => String::from("a number"),
        [n] => format!("a list of {n}"),
        dims => format!("a nested list of shape {dims:?}"),
    }
}
