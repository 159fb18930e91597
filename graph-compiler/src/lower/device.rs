//! Device blocks, name scopes and colocation.

use graph_ir::DeviceSpec;
use proc_macro2::Span;
use syn::ext::IdentExt;

use super::{Item, Lowering, Operand};
use crate::Diagnostic;
use crate::graph::{Request, check_name};
use crate::syntax::{Block, DeviceArgument, Expr, StringLiteral};

impl Lowering<'_, '_> {
    pub(super) fn device_block(
        &mut self,
        device: &DeviceArgument,
        body: &Block,
        binding: Option<String>,
    ) -> Item {
        let request = match device {
            DeviceArgument::None(_) => Some(0),
            DeviceArgument::String(text) => self.device_string(text).map(|inner| self.request(&inner, text)),
            DeviceArgument::Name(name) => match self.environment.get(&name.unraw().to_string()).cloned() {
                Some(Operand::String(value)) => {
                    let text = StringLiteral { value, span: name.span() };
                    self.device_string(&text).map(|inner| self.request(&inner, &text))
                }
                Some(Operand::Poison) => None,
                Some(other) => {
                    let message = format!("a device is a string, and `{name}` is {}", other.describe());
                    self.error(Diagnostic::new(name.span(), message));
                    None
                }
                None => {
                    self.error(
                        Diagnostic::new(name.span(), format!("there is no device string called `{name}`"))
                            .with_help("write it in quotes: `device(\"/device:GPU:0\")`; `none` forgets the outer ones"),
                    );
                    None
                }
            },
        };
        let current = self.devices.last().copied().unwrap_or(0);
        self.devices.push(request.unwrap_or(current));
        let item = self.block(body, binding);
        self.devices.pop();
        item
    }

    /// The request of a block: its own string laid over the enclosing one, field by field.
    fn request(&mut self, inner: &str, text: &StringLiteral) -> u32 {
        let outer = self.devices.last().copied().unwrap_or(0);
        let outer = &self.graph.requests[outer as usize].canonical;
        let canonical = match (DeviceSpec::parse(outer), DeviceSpec::parse(inner)) {
            (Ok(outer), Ok(inner)) => DeviceSpec::merge(outer, inner).to_string(),
            // No enclosing block: the empty request does not parse.
            _ => inner.to_owned(),
        };
        let written = self.interpolated(text).unwrap_or_default();
        let request = Request { canonical, written };
        let known = self.graph.requests.iter().position(|known| known.canonical == request.canonical);
        known.unwrap_or_else(|| {
            self.graph.requests.push(request);
            self.graph.requests.len() - 1
        }) as u32
    }

    /// Interpolates and checks a device string; gives its canonical form.
    pub(super) fn device_string(&mut self, text: &StringLiteral) -> Option<String> {
        let written = self.interpolated(text)?;
        match DeviceSpec::parse(&written) {
            Ok(spec) => Some(spec.to_string()),
            Err(error) => {
                let mut message = format!("{written:?} is no device: {error}");
                let faulty = &written[error.start()..error.end()];
                if !faulty.is_empty() && faulty != written {
                    message = format!(
                        "{message}\n  here: {written}\n        {}",
                        caret(&written, error.start(), error.end())
                    );
                }
                let mut diagnostic = Diagnostic::new(text.span, message);
                if let Some(suggestion) = error.suggestion() {
                    diagnostic = diagnostic.with_help(format!("did you mean {suggestion:?}?"));
                }
                self.error(diagnostic);
                None
            }
        }
    }

    pub(super) fn scope_block(
        &mut self,
        name: &StringLiteral,
        body: &Block,
        binding: Option<String>,
    ) -> Item {
        let saved = self.scope.clone();
        if let Some(wanted) = self.interpolated(name) {
            match check_name(&wanted, !self.scope.is_empty()) {
                Ok(()) => {
                    let unique = self.names.unique(&format!("{saved}{wanted}"));
                    self.scope = format!("{unique}/");
                }
                Err(reason) => {
                    self.error(Diagnostic::new(
                        name.span,
                        format!("{wanted:?} cannot name a scope: {reason}"),
                    ));
                }
            }
        }
        let item = self.block(body, binding);
        self.scope = saved;
        item
    }

    pub(super) fn colocate_block(&mut self, anchor: &Expr, body: &Block, binding: Option<String>) -> Item {
        let item = self.expr(anchor);
        let saved = self.colocate;
        match item.operand {
            Operand::Tensor(value) => {
                let node = self.graph.value(value).node;
                self.colocate = Some(self.graph.node(node).colocate.unwrap_or(node));
            }
            Operand::Poison => {}
            other => {
                let message = format!("`colocate_with` takes a tensor, and this is {}", other.describe());
                self.error(Diagnostic::new(anchor.span, message));
            }
        }
        // As in TensorFlow: the enclosing device blocks do not reach inside.
        self.devices.push(0);
        let item = self.block(body, binding);
        self.devices.pop();
        self.colocate = saved;
        item
    }

    /// Replaces `{name}` by a loop variable's number or string; `{{` and `}}` stand for braces.
    pub(super) fn interpolated(&mut self, text: &StringLiteral) -> Option<String> {
        if !text.value.contains(['{', '}']) {
            return Some(text.value.clone());
        }
        match self.interpolate(&text.value) {
            Ok(result) => Some(result),
            Err(message) => {
                self.interpolation_error(text.span, message);
                None
            }
        }
    }

    fn interpolation_error(&mut self, span: Span, message: String) {
        if !message.is_empty() {
            self.error(Diagnostic::new(span, message).with_help("write `{{` for a brace"));
        }
    }

    fn interpolate(&self, text: &str) -> Result<String, String> {
        let mut result = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            result.push_str(&rest[..at]);
            let tail = &rest[at..];
            if tail.starts_with("{{") || tail.starts_with("}}") {
                result.push_str(&tail[..1]);
                rest = &tail[2..];
                continue;
            }
            if tail.starts_with('}') {
                return Err(format!("{text:?} has a `}}` without a `{{`"));
            }
            let Some(end) = tail.find('}') else { return Err(format!("{text:?} has a `{{` without a `}}`")) };
            let name = tail[1..end].trim();
            match self.lookup(name) {
                Some(Operand::Literal(literal)) => match literal.to_i64() {
                    Some(number) => result.push_str(&number.to_string()),
                    None => return Err(format!("`{{{name}}}` is not a whole number")),
                },
                Some(Operand::String(string)) => result.push_str(string),
                Some(Operand::Poison) => return Err(String::new()),
                Some(other) => {
                    return Err(format!(
                        "`{{{name}}}` must be a number or a string, and it is {}",
                        other.describe()
                    ));
                }
                None => {
                    return Err(format!("`{{{name}}}`: there is no loop variable or `const` of that name"));
                }
            }
            rest = &tail[end + 1..];
        }
        Ok(result + rest)
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Operand> {
        self.environment.get(name).or_else(|| self.shared.consts.get(name))
    }
}

/// A line of `^` under a byte range of `text`.
fn caret(text: &str, start: usize, end: usize) -> String {
    let before = text[..start].chars().count();
    let width = text[start..end].chars().count().max(1);
    format!("{}{}", " ".repeat(before), "^".repeat(width))
}
