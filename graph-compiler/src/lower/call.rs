//! Calls of ops: arguments to parameters, then the op's own rule.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::suggest::{alias, nearest};
use super::tensor::{first_tensor, flatten};
use super::{Item, Literal, Lowering, Operand};
use crate::Diagnostic;
use crate::graph::{Builder, Constant, check_name};
use crate::ops::{self, Args, Built, Entry, EntryValue, Op, Param, ParamKind};
use crate::syntax::{Argument, ExprKind};
use graph_ir::DType;

impl Lowering<'_, '_> {
    pub(super) fn call(
        &mut self,
        function: &Ident,
        receiver: Option<Item>,
        arguments: &[Argument],
        binding: Option<String>,
    ) -> Operand {
        let name = function.unraw().to_string();
        if let Some(helper) = self.shared.helpers.get(&name).copied() {
            return self.inline(helper, function.span(), receiver, arguments, binding);
        }
        let Some(op) = ops::find(&name) else {
            // Mistakes in the arguments are worth reporting all the same.
            arguments.iter().for_each(|argument| {
                self.expr(&argument.value);
            });
            let diagnostic = self.unknown_op(function);
            return self.error(diagnostic);
        };
        self.op_call(op, function.span(), receiver, arguments, binding)
    }

    fn unknown_op(&self, function: &Ident) -> Diagnostic {
        let name = function.unraw().to_string();
        let diagnostic =
            Diagnostic::new(function.span(), format!("there is no op or helper called `{name}`"));
        let known = ops::all().map(|op| op.name).chain(self.shared.helpers.keys().map(String::as_str));
        match alias(&name).or_else(|| nearest(&name, known)) {
            Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
            None => diagnostic.with_help("the ops are listed in the documentation of `graph!`"),
        }
    }

    fn op_call(
        &mut self,
        op: &'static Op,
        span: Span,
        receiver: Option<Item>,
        arguments: &[Argument],
        binding: Option<String>,
    ) -> Operand {
        let mut items: Vec<Option<Item>> = op.params.iter().map(|_| None).collect();
        let mut path = None;
        let mut node_name = None;
        let mut sound = true;
        let mut position = 0;
        if let Some(receiver) = receiver {
            items[0] = Some(receiver);
            position = 1;
        }
        for argument in arguments {
            let slot = match &argument.name {
                None => {
                    position += 1;
                    Some(position - 1).filter(|i| *i < op.params.len())
                }
                Some(name) if name == "name" => {
                    match self.node_name(argument) {
                        Some(name) => node_name = Some(name),
                        None => sound = false,
                    }
                    continue;
                }
                Some(name) => op.params.iter().position(|param| *name == param.name),
            };
            if slot == Some(0)
                && op.params[0].kind == ParamKind::Literal
                && let ExprKind::Typed { value, ty } = &argument.value.kind
            {
                path = self.typed_path(value, ty);
                sound &= path.is_some();
                continue;
            }
            let item = self.expr(&argument.value);
            match slot {
                Some(slot) if items[slot].is_none() => items[slot] = Some(item),
                Some(slot) => {
                    let message =
                        format!("`{}`: argument `{}` is given twice", op.name, op.params[slot].name);
                    self.error(Diagnostic::new(item.span, message));
                    sound = false;
                }
                None => {
                    let diagnostic = too_many(op, argument, item.span);
                    self.error(diagnostic);
                    sound = false;
                }
            }
        }
        for (param, item) in op.params.iter().zip(&items) {
            if param.required && item.is_none() && path.is_none() && sound {
                let text = format!("`{}`: argument `{}` is missing", op.name, param.name);
                self.error(Diagnostic::new(span, text).with_help(format!("it is called {}", signature(op))));
                sound = false;
            }
        }
        if !sound {
            return Operand::Poison;
        }
        self.apply(op, span, items, path, node_name, false, binding)
    }

    /// `name = "a"`
    fn node_name(&mut self, argument: &Argument) -> Option<String> {
        let ExprKind::String(value) = &argument.value.kind else {
            self.error(
                Diagnostic::new(argument.value.span, "a node's name is a string")
                    .with_help("write `name = \"a\"`"),
            );
            return None;
        };
        let text = crate::syntax::StringLiteral { value: value.clone(), span: argument.value.span };
        let name = self.interpolated(&text)?;
        if let Err(reason) = check_name(&name, !self.scope.is_empty()) {
            self.error(Diagnostic::new(
                argument.value.span,
                format!("{name:?} cannot name a node: {reason}"),
            ));
            return None;
        }
        Some(name)
    }

    fn typed_path(
        &mut self,
        value: &crate::syntax::Expr,
        ty: &crate::syntax::TensorType,
    ) -> Option<EntryValue> {
        let wanted = self.tensor_type(ty)?;
        let path = match &value.kind {
            ExprKind::Path(path) => path.clone(),
            ExprKind::Name(name) => syn::Path::from(name.clone()),
            _ => {
                self.error(Diagnostic::new(value.span, "the path of a Rust constant is wanted here"));
                return None;
            }
        };
        let dims = wanted.dims.to_vec();
        Some(EntryValue::Path(Constant::Path(path, wanted.clone()), wanted.dtype, dims))
    }

    pub(super) fn operator(
        &mut self,
        name: &'static str,
        span: Span,
        items: Vec<Item>,
        binding: Option<String>,
    ) -> Operand {
        let Some(op) = ops::find(name) else { unreachable!("`{name}` is an op") };
        self.apply(op, span, items.into_iter().map(Some).collect(), None, None, true, binding)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one call, each from another place")]
    fn apply(
        &mut self,
        op: &'static Op,
        span: Span,
        items: Vec<Option<Item>>,
        path: Option<EntryValue>,
        node_name: Option<String>,
        is_operator: bool,
        binding: Option<String>,
    ) -> Operand {
        if items.iter().flatten().any(|item| item.operand.has_poison()) {
            return Operand::Poison;
        }
        let default = if is_operator && !op.operator.is_empty() { op.operator } else { op.node };
        let wanted = node_name.as_deref().unwrap_or(default);
        let name = self.names.unique(&format!("{}{wanted}", self.scope));
        let like = self.adopted_dtype(op, &items);
        let mut entries: Vec<Entry> = Vec::with_capacity(items.len());
        for (param, item) in op.params.iter().zip(items) {
            let Some(entry) = self.entry_value(op, param, item, like, &name, span) else {
                return Operand::Poison;
            };
            entries.push(entry);
        }
        if let Some(path) = path {
            entries[0].value = path;
        }
        let node = self.node_named(op.kind, name, span);
        self.graph.nodes[node.0 as usize].binding = binding.unwrap_or_default();
        let mut builder = Builder { graph: &mut self.graph, node };
        match (op.build)(&mut builder, &Args { op, span, is_operator, entries: &entries }) {
            Ok(Built::One(value)) => Operand::Tensor(value),
            Ok(Built::List(values)) => {
                let item = |value| Item { operand: Operand::Tensor(value), span, label: None };
                Operand::List(values.into_iter().map(item).collect())
            }
            Err(diagnostic) => self.error(diagnostic),
        }
    }

    /// The dtype that literals among the arguments take: that of the first tensor beside them, else the first
    /// suffix or point among the literals.
    fn adopted_dtype(&self, op: &Op, items: &[Option<Item>]) -> Option<DType> {
        let same = |param: &Param| matches!(param.kind, ParamKind::Tensor | ParamKind::Tensors);
        let mut tensors = op.params.iter().zip(items).filter(|(param, _)| same(param));
        let found = tensors.find_map(|(_, item)| first_tensor(&item.as_ref()?.operand));
        if let Some(value) = found {
            return Some(self.graph.ty(value).dtype);
        }
        let mut literals = Vec::new();
        for (_, item) in op.params.iter().zip(items).filter(|(param, _)| same(param)) {
            if let Some(item) = item {
                flatten(&item.operand, &mut literals);
            }
        }
        Some(Literal::common_dtype(&literals)).filter(|_| !literals.is_empty())
    }
}

/// `matmul(a, b, transpose_a = …, transpose_b = …)`
fn signature(op: &Op) -> String {
    let params: Vec<String> = op
        .params
        .iter()
        .map(|param| if param.required { param.name.to_owned() } else { format!("{} = …", param.name) })
        .collect();
    format!("`{}({})`", op.name, params.join(", "))
}

fn too_many(op: &Op, argument: &Argument, span: Span) -> Diagnostic {
    match &argument.name {
        None => {
            let count = op.params.len();
            let noun = if count == 1 { "argument" } else { "arguments" };
            Diagnostic::new(span, format!("`{}` takes {count} {noun} at most", op.name))
                .with_help(format!("it is called {}", signature(op)))
        }
        Some(name) => {
            let text = name.unraw().to_string();
            let diagnostic = Diagnostic::new(name.span(), format!("`{}` has no argument `{text}`", op.name));
            match nearest(&text, op.params.iter().map(|param| param.name)) {
                Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
                None => diagnostic.with_help(format!("it is called {}", signature(op))),
            }
        }
    }
}
