//! Calls: of ops, and of helper functions, which are inlined.

use proc_macro2::{Ident, Span};

use super::suggest::{alias, nearest};
use super::{CALL_DEPTH, Item, Literal, Lowering, Operand};
use crate::Diagnostic;
use crate::graph::{Builder, Constant, ValueId, check_name};
use crate::ops::{self, Args, Built, Entry, EntryValue, Op, Param, ParamKind};
use crate::syntax::{Argument, ExprKind, Function};
use graph_ir::DType;

impl Lowering<'_, '_> {
    pub(super) fn call(
        &mut self,
        function: &Ident,
        receiver: Option<Item>,
        arguments: &[Argument],
        binding: Option<String>,
    ) -> Operand {
        let name = function.to_string();
        if let Some(helper) = self.shared.helpers.get(&name).copied() {
            return self.inline(helper, function.span(), receiver, arguments);
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
        let name = function.to_string();
        let diagnostic =
            Diagnostic::new(function.span(), format!("there is no op or helper called `{name}`"));
        let known = ops::all().map(|op| op.name).chain(self.shared.helpers.keys().map(String::as_str));
        match alias(&name).or_else(|| nearest(&name, known)) {
            Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
            None => diagnostic.with_help("the ops are listed in the documentation of `graph!`"),
        }
    }

    fn inline(
        &mut self,
        helper: &Function,
        span: Span,
        receiver: Option<Item>,
        arguments: &[Argument],
    ) -> Operand {
        let name = helper.name.as_ref().map(ToString::to_string).unwrap_or_default();
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
        if self.calls.iter().any(|(known, _)| *known == name) || self.calls.len() >= CALL_DEPTH {
            return self.error(Diagnostic::new(span, format!("`{name}` calls itself")).with_help(
                "helpers are inlined, so that a helper cannot be recursive; use `for i in 0..n { … }`",
            ));
        }
        if !sound {
            return Operand::Poison;
        }
        let outer = std::mem::take(&mut self.environment);
        self.environment.push();
        self.calls.push((name, span));
        for (parameter, value) in helper.parameters.iter().zip(values) {
            let Some(value) = value else { continue };
            self.parameter(parameter, value);
        }
        let result = self.block(&helper.body);
        if let Some(crate::syntax::ResultType::One(declared)) = &helper.result
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

    fn parameter(&mut self, parameter: &crate::syntax::Parameter, value: Item) {
        let mut operand = value.operand;
        if let Some(declared) = &parameter.ty
            && let Some(wanted) = self.tensor_type(declared)
        {
            let item = Item { operand, span: value.span, label: value.label };
            operand = match self.to_tensor(item, Some(wanted.dtype)) {
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
        self.environment.insert(parameter.name.to_string(), operand);
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

    fn entry_value(
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
                Operand::Literal(Literal { value: super::literal::LiteralValue::Bool(flag), .. }) => {
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

    fn literal(&mut self, item: Item, op: &Op) -> Option<EntryValue> {
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
    pub(super) fn to_tensor(&mut self, item: Item, dtype: Option<DType>) -> Option<ValueId> {
        let name = format!("{}Const", self.scope);
        match item.operand {
            Operand::Tensor(x) => Some(x),
            _ => {
                let unique = self.names.unique(&name);
                self.constant_or_error(item, dtype, unique)
            }
        }
    }

    fn named_tensor(&mut self, item: Item, dtype: Option<DType>, name: &str) -> Option<ValueId> {
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

fn first_tensor(operand: &Operand) -> Option<ValueId> {
    match operand {
        Operand::Tensor(x) => Some(*x),
        Operand::List(items) => items.iter().find_map(|item| first_tensor(&item.operand)),
        _ => None,
    }
}

fn flatten(operand: &Operand, literals: &mut Vec<Literal>) {
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
            let text = name.to_string();
            let diagnostic = Diagnostic::new(name.span(), format!("`{}` has no argument `{text}`", op.name));
            match nearest(&text, op.params.iter().map(|param| param.name)) {
                Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
                None => diagnostic.with_help(format!("it is called {}", signature(op))),
            }
        }
    }
}
