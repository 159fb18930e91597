//! Loops, unrolled here, and the limits that keep unrolling finite in practice.

use super::literal::LiteralValue;
use super::{Item, Literal, Lowering, Operand};
use proc_macro2::Span;

use crate::Diagnostic;
use crate::syntax::{Block, Expr, Iterable, Pattern};

/// A loop may be unrolled this often.
const LOOP_LIMIT: i128 = 1 << 16;

/// The rounds of all loops and the calls of helpers in one entry: nested loops and helpers that call helpers multiply.
const UNROLL_LIMIT: u32 = 1 << 18;

/// The elements of one list, at all depths: lists of lists multiply, too.
const LIST_LIMIT: usize = 1 << 22;

impl Lowering<'_, '_> {
    pub(super) fn for_loop(
        &mut self,
        variable: &Pattern,
        iterable: &Iterable,
        body: &Block,
        span: Span,
    ) -> Operand {
        let items = match iterable {
            Iterable::Range { start, end, inclusive, span } => {
                let (Some(start), Some(end)) = (self.bound(start), self.bound(end)) else {
                    return Operand::Poison;
                };
                let end = if *inclusive { end + 1 } else { end };
                if end - start > LOOP_LIMIT {
                    let message = format!("a loop is unrolled, and this one has {} rounds", end - start);
                    return self
                        .error(Diagnostic::new(*span, message).with_help("the limit is 65536 rounds"));
                }
                let literal = |i| Operand::Literal(Literal::int(i, *span));
                (start..end).map(|i| Item { operand: literal(i), span: *span, label: None }).collect()
            }
            Iterable::Expr(expr) => match self.expr(expr) {
                Item { operand: Operand::List(items), .. } => items,
                Item { operand: Operand::Poison, .. } => return Operand::Poison,
                Item { operand, .. } => {
                    let message =
                        format!("`for` goes over a list or a range, and this is {}", operand.describe());
                    return self.error(Diagnostic::new(expr.span, message).with_help(
                        "`for i in 0..4`, `for d in [\"/gpu:0\", \"/gpu:1\"]`, `for part in split(x, 2)`",
                    ));
                }
            },
        };
        let mut results = Vec::with_capacity(items.len());
        let mut has_values = false;
        for item in items {
            if !self.unroll(span) {
                return Operand::Poison;
            }
            self.environment.push();
            self.bind(variable, item);
            let result = self.block(body, None);
            self.environment.pop();
            has_values |= !matches!(result.operand, Operand::Unit);
            results.push(result);
        }
        if has_values { self.list(results, span) } else { Operand::Unit }
    }

    /// Counts a round of a loop or a call of a helper; false, and reported once, when there are too many.
    pub(super) fn unroll(&mut self, span: Span) -> bool {
        self.unrolled = self.unrolled.saturating_add(1);
        if self.unrolled == UNROLL_LIMIT {
            let message =
                format!("the loops and helpers of this graph unroll to more than {UNROLL_LIMIT} rounds");
            self.error(
                Diagnostic::new(span, message)
                    .with_help("write it with ops on larger tensors instead of a loop"),
            );
        }
        self.unrolled < UNROLL_LIMIT
    }

    /// A list, unless it has grown out of bounds.
    pub(super) fn list(&mut self, items: Vec<Item>, span: Span) -> Operand {
        let list = Operand::List(items);
        if list.size() <= LIST_LIMIT {
            return list;
        }
        let message = format!("a list has more than {LIST_LIMIT} elements");
        self.error(
            Diagnostic::new(span, message).with_help("pass large data as an input or as a Rust constant"),
        )
    }

    pub(super) fn bound(&mut self, expr: &Expr) -> Option<i128> {
        let item = self.expr(expr);
        match item.operand {
            Operand::Poison => None,
            Operand::Literal(Literal { value: LiteralValue::Int(value), .. }) => Some(value),
            other => {
                let message =
                    format!("a bound of a loop is a whole number known here, not {}", other.describe());
                self.error(Diagnostic::new(expr.span, message));
                None
            }
        }
    }
}
