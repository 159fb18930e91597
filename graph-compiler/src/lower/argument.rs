//! The value that each kind of parameter takes.

use proc_macro2::Span;

use super::literal::LiteralValue;
use super::tensor::flatten;
use super::{Item, Literal, Lowering, Operand};
use crate::Diagnostic;
use crate::ops::{Entry, EntryValue, Op, Param, ParamKind};
use graph_ir::DType;

impl Lowering<'_, '_> {
    pub(super) fn entry_value(
        &mut self,
        op: &'static Op,
        param: &Param,
        item: Option<Item>,
        like: Option<DType>,
        node: &str,
        op_span: Span,
    ) -> Option<Entry> {
        let Some(item) = item else {
            return Some(Entry { value: EntryValue::Absent, span: op_span, label: None });
        };
        let (span, label) = (item.span, item.label.clone());
        let constant_name = format!("{node}/{}", param.name);
        let value = match param.kind {
            ParamKind::Tensor => self.named_tensor(item, like, &constant_name).map(EntryValue::Tensor),
            ParamKind::Condition => {
                self.named_tensor(item, Some(DType::Bool), &constant_name).map(EntryValue::Tensor)
            }
            ParamKind::Index => {
                // An empty list has no number that says what it is, and its default would be f32.
                let mut literals = Vec::new();
                flatten(&item.operand, &mut literals);
                let dtype = Some(DType::I32).filter(|_| literals.is_empty());
                self.named_tensor(item, dtype, &constant_name).map(EntryValue::Tensor)
            }
            ParamKind::Tensors => self.tensor_list(item, like, &constant_name, op),
            ParamKind::Int => self.whole(item, op, param).map(EntryValue::Int),
            ParamKind::Ints => self.wholes(item, op, param).map(EntryValue::Ints),
            ParamKind::IntOrInts => match item.operand {
                Operand::List(_) => self.wholes(item, op, param).map(EntryValue::Ints),
                _ => self.whole(item, op, param).map(EntryValue::Int),
            },
            ParamKind::Pairs => self.pairs(item, op, param).map(EntryValue::Pairs),
            ParamKind::Flag => match item.operand {
                Operand::Literal(Literal { value: LiteralValue::Bool(flag), .. }) => {
                    Some(EntryValue::Flag(flag))
                }
                other => self.wrong_kind(op, param, "`true` or `false`", &other, span),
            },
            ParamKind::Number => match item.operand {
                Operand::Literal(literal) => Some(EntryValue::Number(literal)),
                other => self.wrong_kind(op, param, "a number known at build time", &other, span),
            },
            ParamKind::DType => match item.operand {
                Operand::DType(dtype) => Some(EntryValue::DType(dtype)),
                other => self.wrong_kind(op, param, "a dtype, such as f32", &other, span),
            },
            ParamKind::Literal => self.literal(item, op),
        }?;
        Some(Entry { value, span, label })
    }

    fn wrong_kind<T>(
        &mut self,
        op: &Op,
        param: &Param,
        wanted: &str,
        found: &Operand,
        span: Span,
    ) -> Option<T> {
        let text =
            format!("`{}`: `{}` takes {wanted}, and this is {}", op.name, param.name, found.describe());
        let diagnostic = Diagnostic::new(span, text);
        self.error(match other_op(op, param, found) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        });
        None
    }

    fn tensor_list(&mut self, item: Item, like: Option<DType>, name: &str, op: &Op) -> Option<EntryValue> {
        let span = item.span;
        let Operand::List(items) = item.operand else {
            let text =
                format!("`{}` takes a list of tensors, and this is {}", op.name, item.operand.describe());
            self.error(Diagnostic::new(span, text).with_help(format!("write `{}([a, b])`", op.name)));
            return None;
        };
        let mut tensors = Vec::with_capacity(items.len());
        for item in items {
            let span = item.span;
            tensors.push((self.named_tensor(item, like, name)?, span));
        }
        Some(EntryValue::Tensors(tensors))
    }

    fn whole(&mut self, item: Item, op: &Op, param: &Param) -> Option<i64> {
        let span = item.span;
        match &item.operand {
            Operand::Literal(literal) if literal.to_i64().is_some() => literal.to_i64(),
            Operand::Literal(literal) => {
                let found = match (literal.to_i128(), literal.to_f64()) {
                    (Some(_), _) => String::from("more than 64 bits hold"),
                    (None, Some(number)) => format!("{number:?}"),
                    (None, None) => String::from("a bool"),
                };
                let text =
                    format!("`{}`: `{}` takes a whole number, and this is {found}", op.name, param.name);
                self.error(Diagnostic::new(span, text));
                None
            }
            other => {
                let other = other.clone();
                let wanted = match &other {
                    Operand::List(_) => "one whole number",
                    _ => "a whole number known at build time",
                };
                self.wrong_kind(op, param, wanted, &other, span)
            }
        }
    }

    fn wholes(&mut self, item: Item, op: &Op, param: &Param) -> Option<Vec<(i64, Span)>> {
        let span = item.span;
        match item.operand {
            Operand::List(items) => items
                .into_iter()
                .map(|item| {
                    let span = item.span;
                    self.whole(item, op, param).map(|n| (n, span))
                })
                .collect(),
            operand => {
                let item = Item { operand, span, label: None };
                self.whole(item, op, param).map(|n| vec![(n, span)])
            }
        }
    }

    fn pairs(&mut self, item: Item, op: &Op, param: &Param) -> Option<Vec<([i64; 2], Span)>> {
        let span = item.span;
        let Operand::List(items) = item.operand else {
            return self.wrong_kind(
                op,
                param,
                "a list of pairs, such as [[1, 1], [0, 2]]",
                &item.operand,
                span,
            );
        };
        let mut pairs = Vec::with_capacity(items.len());
        for item in items {
            let span = item.span;
            let numbers = self.wholes(item, op, param)?;
            let [(low, _), (high, _)] = numbers[..] else {
                let count = match numbers.len() {
                    1 => String::from("1 number"),
                    count => format!("{count} numbers"),
                };
                let text = format!("`{}`: `{}` takes pairs, and this is {count}", op.name, param.name);
                self.error(
                    Diagnostic::new(span, text).with_help("write a list of pairs, such as [[1, 1], [0, 2]]"),
                );
                return None;
            };
            pairs.push(([low, high], span));
        }
        Some(pairs)
    }
}

/// The op that is likely meant where a tensor stands for a number.
fn other_op(op: &Op, param: &Param, found: &Operand) -> Option<&'static str> {
    if !found.has_tensor() {
        return None;
    }
    Some(match (op.name, param.name) {
        ("max", "axis") => "`max` reduces over axes; the larger of two tensors is `maximum(x, y)`",
        ("min", "axis") => "`min` reduces over axes; the smaller of two tensors is `minimum(x, y)`",
        ("fill", "value") => "repeat a tensor with `broadcast_to(x, shape)`",
        _ => return None,
    })
}
