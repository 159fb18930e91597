//! Calls of helper functions, which are inlined.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::{Item, Lowering, Operand};
use crate::Diagnostic;
use crate::syntax::{Argument, Function, Parameter, ResultType};

/// How deep helpers may call each other.
const CALL_DEPTH: usize = 64;

impl Lowering<'_, '_> {
    pub(super) fn inline(
        &mut self,
        helper: &Function,
        span: Span,
        receiver: Option<Item>,
        arguments: &[Argument],
        binding: Option<String>,
    ) -> Operand {
        let name = helper.name.as_ref().map(|name| name.unraw().to_string()).unwrap_or_default();
        let mut values: Vec<Option<Item>> = helper.parameters.iter().map(|_| None).collect();
        let mut sound = true;
        let mut position = 0;
        let mut given: Vec<(Option<&Ident>, Item)> = receiver.into_iter().map(|item| (None, item)).collect();
        for argument in arguments {
            let item = self.expr(&argument.value);
            given.push((argument.name.as_ref(), item));
        }
        for (wanted, item) in given {
            let slot = match wanted {
                None => {
                    position += 1;
                    Some(position - 1).filter(|i| *i < values.len())
                }
                Some(wanted) => helper.parameters.iter().position(|parameter| parameter.name == *wanted),
            };
            match slot {
                Some(slot) if values[slot].is_none() => values[slot] = Some(item),
                Some(slot) => {
                    let message = format!("`{name}`: `{}` is given twice", helper.parameters[slot].name);
                    self.error(Diagnostic::new(item.span, message));
                    sound = false;
                }
                None => {
                    let message = match wanted {
                        Some(wanted) => format!("`{name}` has no parameter `{wanted}`"),
                        None => format!("`{name}` takes {} arguments", values.len()),
                    };
                    self.error(Diagnostic::new(wanted.map_or(item.span, Ident::span), message));
                    sound = false;
                }
            }
        }
        for (parameter, value) in helper.parameters.iter().zip(&values) {
            if value.is_none() && sound {
                self.error(Diagnostic::new(
                    span,
                    format!("`{name}`: argument `{}` is missing", parameter.name),
                ));
                sound = false;
            }
        }
        if self.calls.iter().any(|(known, _)| *known == name) {
            return self.error(Diagnostic::new(span, format!("`{name}` calls itself")).with_help(
                "helpers are inlined, so that a helper cannot be recursive; use `for i in 0..n { … }`",
            ));
        }
        if self.calls.len() >= CALL_DEPTH {
            return self.error(
                Diagnostic::new(span, format!("helpers call each other more than {CALL_DEPTH} deep"))
                    .with_help("write the body of one of them where it is called"),
            );
        }
        if !sound || !self.unroll(span) {
            return Operand::Poison;
        }
        let outer = std::mem::take(&mut self.environment);
        self.environment.push();
        self.calls.push((name, span));
        for (parameter, value) in helper.parameters.iter().zip(values) {
            let Some(value) = value else { continue };
            self.parameter(parameter, value);
        }
        let result = self.block(&helper.body, binding);
        if let Some(ResultType::One(declared)) = &helper.result
            && let (Operand::Tensor(x), Some(wanted)) = (&result.operand, self.tensor_type(declared))
            && *self.graph.ty(*x) != wanted
        {
            let message = format!("the result is declared as {wanted}, the body gives {}", self.graph.ty(*x));
            self.error(Diagnostic::new(declared.span, message));
        }
        self.calls.pop();
        self.environment = outer;
        result.operand
    }

    fn parameter(&mut self, parameter: &Parameter, value: Item) {
        let mut operand = value.operand;
        if let Some(declared) = &parameter.ty
            && let Some(wanted) = self.tensor_type(declared)
        {
            let item = Item { operand, span: value.span, label: value.label };
            operand = match self.tensor_of(item, Some(wanted.dtype)) {
                None => Operand::Poison,
                Some(x) if *self.graph.ty(x) == wanted => Operand::Tensor(x),
                Some(x) => {
                    let facts = format!(
                        "`{}` is declared as {wanted}, and {} is given",
                        parameter.name,
                        self.graph.ty(x)
                    );
                    self.error(Diagnostic::new(value.span, facts))
                }
            };
        }
        if let Operand::Tensor(x) = operand {
            self.name_tensor(&parameter.name, x);
        }
        self.environment.insert(parameter.name.unraw().to_string(), operand);
    }
}
