//! Lowering: syntax tree to graphs, one for each entry.
//!
//! Scopes, loops and helper functions are unrolled here, and every op is checked and typed as it is made, since
//! literals take the dtype of the tensor beside them and helpers are generic over shapes: what a name means can
//! depend on types. Out: flat graphs whose every value has a type; mistakes of the user are in `Diagnostics`, each
//! once, and whatever uses a wrong value is `Poison` and stays silent.

mod argument;
mod call;
mod control;
mod device;
mod expr;
mod helper;
mod index;
mod literal;
mod operand;
pub(crate) mod suggest;
mod tensor;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use graph_ir::DType;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use crate::graph::{
    Budget, Builder, Graph, Input, NameTable, Node, NodeId, Output, Prim, Request, Type, ValueId,
};
use crate::syntax::{self, Block, Expr, Form, Function, Pattern, Program, ResultType, TensorType};
use crate::{Diagnostic, Diagnostics};

pub(crate) use index::numpy_range;
pub use literal::Literal;
use operand::{Environment, Item, Operand};

/// A lowered entry, with what the typed names in the expansion need.
pub struct Entry<'p> {
    pub function: &'p Function,
    pub graph: Graph,
    /// Name (or empty) and type of each result; of a wrong graph what is declared, and empty if that is unknown, too.
    pub results: Vec<(String, Type)>,
}

/// The types of the tensors that the user named, by the identity of the name's token in the syntax tree.
#[derive(Default)]
pub struct NamedTypes {
    types: HashMap<*const Ident, NamedType>,
    constants: HashMap<*const Ident, i64>,
}

/// Type and place of a named tensor.
#[derive(Clone)]
pub struct NamedType {
    pub ty: Type,
    /// Canonical request, empty for the default.
    pub request: String,
}

impl NamedTypes {
    pub fn get(&self, name: &Ident) -> Option<&NamedType> {
        self.types.get(&std::ptr::from_ref(name))
    }

    /// The value of a `const`.
    pub fn constant(&self, name: &Ident) -> Option<i64> {
        self.constants.get(&std::ptr::from_ref(name)).copied()
    }
}

/// One result as the user declared it.
struct DeclaredResult {
    /// Empty where results are not named.
    name: String,
    /// `None` when the type is wrong, which is reported already.
    ty: Option<Type>,
}

/// What the items of a module have in common.
struct Shared<'p> {
    /// Every name that an item has taken.
    names: BTreeSet<String>,
    consts: BTreeMap<String, Operand>,
    helpers: BTreeMap<String, &'p Function>,
    budgets: Vec<&'p syntax::Budget>,
    /// Whether the parser has reported mistakes.
    incomplete: bool,
}

pub struct Lowered<'p> {
    pub entries: Vec<Entry<'p>>,
    pub names: NamedTypes,
}

/// Lowers every entry of a program.
pub fn program<'p>(program: &'p Program, diagnostics: &mut Diagnostics) -> Lowered<'p> {
    let mut names = NamedTypes::default();
    let mut shared = Shared {
        names: BTreeSet::new(),
        consts: BTreeMap::new(),
        helpers: BTreeMap::new(),
        budgets: Vec::new(),
        incomplete: !diagnostics.is_empty(),
    };
    let mut functions: Vec<&'p Function> = Vec::new();
    match &program.form {
        Form::Expression(function) => functions.push(function),
        Form::Module(module) => collect(&module.items, &mut shared, &mut functions, &mut names, diagnostics),
    }
    check_method_names(&functions, diagnostics);
    let mut entries = Vec::new();
    for function in functions {
        let mut lowering = Lowering::new(&shared, diagnostics, &mut names);
        let results = lowering.entry(function);
        let graph = lowering.graph;
        entries.push(Entry { function, graph, results });
    }
    Lowered { entries, names }
}

/// `pub fn f(…)` gives the methods `f`, `f_into` and `f_plan`, which another entry may not take.
fn check_method_names(entries: &[&Function], diagnostics: &mut Diagnostics) {
    let names: BTreeSet<String> =
        entries.iter().filter_map(|entry| Some(entry.name.as_ref()?.to_string())).collect();
    for name in entries.iter().filter_map(|entry| entry.name.as_ref()) {
        let text = name.to_string();
        let base = text.strip_suffix("_into").or_else(|| text.strip_suffix("_plan"));
        if let Some(base) = base.filter(|base| names.contains(*base)) {
            let message = format!("`{text}` is a method that comes with the entry `{base}`");
            diagnostics
                .push(Diagnostic::new(name.span(), message).with_help("give one of them another name"));
        }
    }
}

fn collect<'p>(
    items: &'p [syntax::Item],
    shared: &mut Shared<'p>,
    entries: &mut Vec<&'p Function>,
    names: &mut NamedTypes,
    diagnostics: &mut Diagnostics,
) {
    for item in items {
        let name = match item {
            syntax::Item::Const(item) => Some(&item.name),
            syntax::Item::Function(function) => function.name.as_ref(),
            _ => None,
        };
        if let Some(name) = name
            && !shared.names.insert(name.unraw().to_string())
        {
            diagnostics.error(name.span(), format!("`{name}` is defined twice in this graph"));
        }
        match item {
            syntax::Item::Const(item) => {
                let mut lowering = Lowering::new(shared, diagnostics, names);
                let value = lowering.constant_value(item);
                shared.consts.insert(item.name.unraw().to_string(), value);
            }
            syntax::Item::Variable(variable) => diagnostics.push(
                Diagnostic::new(variable.keyword, "variables are not part of this version of the language")
                    .with_help("pass the tensor as an input of the entry: `pub fn f(w: f32[2, 3], …)`"),
            ),
            syntax::Item::Function(function) if function.visibility.is_some() => entries.push(function),
            syntax::Item::Function(function) => {
                if let Some(name) = &function.name {
                    shared.helpers.insert(name.unraw().to_string(), function);
                }
            }
            syntax::Item::Budget(budget) => shared.budgets.push(budget),
            syntax::Item::Device { items, .. } => collect(items, shared, entries, names, diagnostics),
        }
    }
}

/// The state of lowering one entry.
struct Lowering<'s, 'p> {
    shared: &'s Shared<'p>,
    diagnostics: &'s mut Diagnostics,
    named: &'s mut NamedTypes,
    graph: Graph,
    environment: Environment,
    names: NameTable,
    /// The current name scope with its `/`, or empty.
    scope: String,
    /// Merged device requests, innermost last: indices into `graph.requests`.
    devices: Vec<u32>,
    colocate: Option<NodeId>,
    /// Helpers being inlined, for recursion and for errors.
    calls: Vec<(String, Span)>,
    /// Rounds of loops and calls of helpers so far.
    unrolled: u32,
    /// The `let` name that the next op's node gets as its binding.
    binding: Option<String>,
    /// The parser has left out what it could not read: a name or a value that is missing may stand there.
    incomplete: bool,
}

impl<'s, 'p> Lowering<'s, 'p> {
    fn new(shared: &'s Shared<'p>, diagnostics: &'s mut Diagnostics, named: &'s mut NamedTypes) -> Self {
        let graph = Graph { requests: vec![Request::default()], ..Graph::default() };
        Lowering {
            shared,
            diagnostics,
            named,
            graph,
            environment: Environment::default(),
            names: NameTable::default(),
            scope: String::new(),
            devices: vec![0],
            colocate: None,
            calls: Vec::new(),
            unrolled: 0,
            binding: None,
            incomplete: shared.incomplete,
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) -> Operand {
        let diagnostic = match self.calls.last() {
            Some((helper, span)) => diagnostic.in_call(helper, *span),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
        Operand::Poison
    }

    fn constant_value(&mut self, item: &syntax::Const) -> Operand {
        self.environment.push();
        let value = self.expr(&item.value);
        self.environment.pop();
        match value.operand {
            Operand::Literal(literal) if literal.to_i64().is_some() => {
                let value = literal.to_i64().unwrap_or_default();
                self.named.constants.insert(std::ptr::from_ref(&item.name), value);
                Operand::Literal(literal)
            }
            Operand::Poison => Operand::Poison,
            _ => self.error(
                Diagnostic::new(
                    item.value.span,
                    format!("`{}` must be a whole number known here", item.name),
                )
                .with_help(
                    "a graph's `const` is a number, another `const` of the graph, or arithmetic on them",
                ),
            ),
        }
    }

    /// Gives name and type of each result, as far as known.
    fn entry(&mut self, function: &'p Function) -> Vec<(String, Type)> {
        self.graph.name =
            function.name.as_ref().map_or_else(|| String::from("graph"), |name| name.unraw().to_string());
        self.environment.push();
        let mut seen: Vec<String> = Vec::new();
        for parameter in &function.parameters {
            let name = parameter.name.unraw().to_string();
            if seen.contains(&name) {
                self.error(Diagnostic::new(
                    parameter.name.span(),
                    format!("input `{name}` is declared twice"),
                ));
            }
            seen.push(name.clone());
            let Some(ty) = parameter.ty.as_ref().and_then(|ty| self.tensor_type(ty)) else {
                self.environment.insert(name, Operand::Poison);
                continue;
            };
            let node = self.node("Placeholder", &name, parameter.name.span());
            let index = self.graph.inputs.len() as u32;
            let mut builder = Builder { graph: &mut self.graph, node };
            let value = builder.push(Prim::Input(index), ty.clone());
            self.graph.nodes[node.0 as usize].binding = name.clone();
            self.graph.inputs.push(Input { name: name.clone(), ty, value });
            self.name_tensor(&parameter.name, value);
            self.environment.insert(name, Operand::Tensor(value));
        }
        for budget in &self.shared.budgets {
            self.budget(budget);
        }
        let result = self.block(&function.body, None);
        let declared = self.declared_results(function);
        self.outputs(function, declared.as_deref(), result);
        self.environment.pop();
        let outputs = &self.graph.outputs;
        let declared = declared.filter(|declared| declared.len() != outputs.len());
        let known = declared
            .map(|declared| declared.into_iter().map(|result| Some((result.name, result.ty?))).collect());
        known
            .unwrap_or_else(|| {
                let output = |output: &Output| (output.name.clone(), self.graph.ty(output.value).clone());
                Some(outputs.iter().map(output).collect())
            })
            .unwrap_or_default()
    }

    fn declared_results(&mut self, function: &Function) -> Option<Vec<DeclaredResult>> {
        let declared: Vec<(String, &TensorType)> = match function.result.as_ref()? {
            ResultType::One(ty) => vec![(String::new(), ty)],
            ResultType::Tuple(types, _) => types.iter().map(|ty| (String::new(), ty)).collect(),
            ResultType::Named(types, _) => {
                types.iter().map(|(name, ty)| (name.unraw().to_string(), ty)).collect()
            }
        };
        Some(
            declared
                .into_iter()
                .map(|(name, ty)| DeclaredResult { name, ty: self.tensor_type(ty) })
                .collect(),
        )
    }

    fn outputs(&mut self, function: &Function, declared: Option<&[DeclaredResult]>, result: Item) {
        let span = result.span;
        let results: Vec<(String, Item)> = match result.operand {
            Operand::Poison => return,
            Operand::Unit if self.incomplete => return,
            Operand::Unit => {
                let text = "the graph gives no value";
                self.error(
                    Diagnostic::new(function.span, text)
                        .with_help("end it with an expression that has no `;` behind it"),
                );
                return;
            }
            Operand::Named(results) => results,
            Operand::List(items) if !Operand::List(items.clone()).is_literal() => {
                items.into_iter().map(|item| (String::new(), item)).collect()
            }
            operand => vec![(String::new(), Item { operand, span, label: None })],
        };
        if let Some(declared) = declared
            && declared.len() != results.len()
        {
            let facts = format!("{} results are declared, the body gives {}", declared.len(), results.len());
            self.error(Diagnostic::new(span, facts));
            return;
        }
        for (i, (name, item)) in results.into_iter().enumerate() {
            let wanted = declared.map(|declared| &declared[i]);
            let wanted_type = wanted.and_then(|wanted| wanted.ty.clone());
            let item_span = item.span;
            let Some(value) = self.tensor_of(item, wanted_type.as_ref().map(|ty| ty.dtype)) else { continue };
            let ty = self.graph.ty(value).clone();
            if let Some(wanted) = wanted_type.filter(|wanted| *wanted != ty) {
                let message = format!("the result is declared as {wanted}, the body gives {ty}");
                self.error(Diagnostic::new(item_span, message));
            }
            let name = match wanted {
                Some(wanted) if name.is_empty() => wanted.name.clone(),
                Some(wanted) if wanted.name != name => {
                    let message =
                        format!("this result is named `{name}`, the declaration says `{}`", wanted.name);
                    self.error(Diagnostic::new(item_span, message));
                    name
                }
                _ => name,
            };
            self.graph.outputs.push(Output { name, value });
        }
    }

    /// A type as written, with its sizes computed.
    fn tensor_type(&mut self, ty: &TensorType) -> Option<Type> {
        let name = ty.dtype.unraw().to_string();
        let Some(dtype) = DType::from_name(&name) else {
            let mut diagnostic = Diagnostic::new(ty.dtype.span(), format!("`{name}` is no dtype"));
            let names = DType::ALL.iter().map(|dtype| dtype.name());
            diagnostic = match suggest::nearest(&name, names) {
                Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
                None => diagnostic.with_help("the dtypes are f32, f64, f16, bf16, i32, i64, u8 and bool"),
            };
            self.error(diagnostic);
            return None;
        };
        let mut dims = Vec::with_capacity(ty.dims.len());
        let mut sound = true;
        for dim in &ty.dims {
            match self.dim(dim) {
                Some(dim) => dims.push(dim),
                None => sound = false,
            }
        }
        if !sound {
            return None;
        }
        let bytes = dims.iter().try_fold(dtype.size(), |bytes, &dim| bytes.checked_mul(dim.max(1)));
        if bytes.is_none_or(|bytes| bytes > i64::MAX as u64) {
            self.error(Diagnostic::new(ty.span, format!("{dtype}{dims:?} has more than 2^63 bytes")));
            return None;
        }
        Some(Type::new(dtype, &dims))
    }

    /// A size: a whole number known here.
    fn dim(&mut self, expr: &Expr) -> Option<u64> {
        let item = self.expr(expr);
        match item.operand {
            Operand::Poison => None,
            Operand::Literal(literal) => match literal.to_i64() {
                Some(dim) if dim >= 0 => Some(dim as u64),
                Some(dim) => {
                    self.error(Diagnostic::new(expr.span, format!("a size is negative: {dim}")));
                    None
                }
                None => {
                    self.error(Diagnostic::new(expr.span, "a size is a whole number"));
                    None
                }
            },
            operand => {
                let message =
                    format!("a size is a number known at build time, and this is {}", operand.describe());
                self.error(Diagnostic::new(expr.span, message));
                None
            }
        }
    }

    /// Makes a node; `wanted` is made unique inside the current scope.
    fn node(&mut self, kind: &'static str, wanted: &str, span: Span) -> NodeId {
        let name = self.names.unique(&format!("{}{wanted}", self.scope));
        self.node_named(kind, name, span)
    }

    /// Makes a node with a name that is unique already.
    fn node_named(&mut self, kind: &'static str, name: String, span: Span) -> NodeId {
        let id = NodeId(self.graph.nodes.len() as u32);
        let request = self.devices.last().copied().unwrap_or(0);
        let colocate = self.colocate;
        self.graph.nodes.push(Node { name, op: kind, request, colocate, binding: String::new(), span });
        id
    }

    /// Records type and place of a name for the typed names in the expansion; the first use of a helper counts.
    fn name_tensor(&mut self, name: &Ident, value: ValueId) {
        let ty = self.graph.ty(value).clone();
        let node = self.graph.node(self.graph.value(value).node);
        let request = self.graph.requests[node.request as usize].canonical.clone();
        self.named.types.entry(std::ptr::from_ref(name)).or_insert(NamedType { ty, request });
    }

    /// Binds a pattern.
    fn bind(&mut self, pattern: &Pattern, item: Item) {
        match pattern {
            Pattern::Wild(_) => {}
            Pattern::Name(name) => {
                if let Operand::Tensor(value) = item.operand {
                    self.name_tensor(name, value);
                }
                self.environment.insert(name.unraw().to_string(), item.operand);
            }
            Pattern::Tuple(patterns, span) => match item.operand {
                Operand::List(items) if items.len() == patterns.len() => {
                    patterns.iter().zip(items).for_each(|(pattern, item)| self.bind(pattern, item));
                }
                operand => {
                    match &operand {
                        Operand::Poison => {}
                        Operand::List(items) => {
                            let message = format!("{} names for a list of {}", patterns.len(), items.len());
                            self.error(Diagnostic::new(*span, message));
                        }
                        other => {
                            let message =
                                format!("only a list can be taken apart, and this is {}", other.describe());
                            self.error(Diagnostic::new(*span, message));
                        }
                    }
                    for pattern in patterns {
                        self.bind(pattern, Item { operand: Operand::Poison, span: item.span, label: None });
                    }
                }
            },
        }
    }

    /// A block in a frame of its own; the name of its `let` belongs to the tail.
    fn block(&mut self, block: &Block, binding: Option<String>) -> Item {
        self.environment.push();
        for statement in &block.statements {
            self.statement(statement);
        }
        let item = match &block.tail {
            Some(tail) => {
                self.binding = binding;
                self.expr(tail)
            }
            None => Item { operand: Operand::Unit, span: block.span, label: None },
        };
        self.environment.pop();
        item
    }

    fn budget(&mut self, budget: &syntax::Budget) {
        let Some(canonical) = self.device_string(&budget.device) else { return };
        let written = budget.device.value.clone();
        self.graph.budgets.push(Budget { canonical, written, bytes: budget.bytes, span: budget.span });
    }
}
