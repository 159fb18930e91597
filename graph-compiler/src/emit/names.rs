//! The graph's names once more, as code that never runs and that editors understand: each `let`, input and helper
//! with the user's own tokens and a type that shows dtype, shape and device. Hover, go-to-definition and rename work
//! on it, and rustc's own lints warn of unused ones.
//!
//! Example: `let y = device("/gpu:1") { x + x };` becomes `{ uses(&x); uses(&x); } let y: Tensor<F32, Shape1<4>,
//! Gpu<1>> = tensor();`.

use graph_ir::{DeviceSpec, DeviceType};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::kernel::rust_type;
use crate::lower::{NamedType, NamedTypes};
use crate::syntax::{
    Block, Const, DeviceArgument, Expr, ExprKind, Form, Function, Index, Item, Iterable, Pattern, Program,
    ResultType, Statement, StringLiteral, TensorType,
};

pub(super) fn run(program: &Program, names: &NamedTypes) -> TokenStream {
    let mut printer = Printer { names, scopes: vec![Vec::new()] };
    let body = match &program.form {
        Form::Expression(function) => printer.function_body(function),
        Form::Module(module) => printer.items(&module.items),
    };
    let attributes = program.attributes.iter().map(|attribute| {
        let meta = &attribute.meta;
        quote!(#[#meta])
    });
    quote! {
        #(#attributes)*
        const _: fn() = || { #body };
    }
}

struct Printer<'n> {
    names: &'n NamedTypes,
    /// Names bound so far, innermost scope last: only those are printed as used.
    scopes: Vec<Vec<String>>,
}

impl Printer<'_> {
    fn items(&mut self, items: &[Item]) -> TokenStream {
        let mut out = TokenStream::new();
        for item in items {
            match item {
                Item::Const(item) => out.extend(self.constant(item)),
                Item::Function(function) if function.visibility.is_none() => {
                    if let Some(name) = &function.name {
                        self.declare(name);
                    }
                }
                Item::Device { items, .. } => out.extend(self.items(items)),
                Item::Function(_) | Item::Variable(_) | Item::Budget(_) => {}
            }
        }
        for item in items {
            let Item::Function(function) = item else { continue };
            self.scopes.push(Vec::new());
            let body = self.function_body(function);
            self.scopes.pop();
            match (&function.visibility, &function.name) {
                (None, Some(name)) => {
                    out.extend(quote_spanned!(name.span()=> fn #name() { #body }));
                }
                _ => out.extend(quote!({ #body })),
            }
        }
        out
    }

    fn function_body(&mut self, function: &Function) -> TokenStream {
        let mut out = TokenStream::new();
        for parameter in &function.parameters {
            out.extend(parameter.ty.as_ref().map(|ty| self.dims(ty)));
            out.extend(self.binding(&parameter.name, &quote!()));
        }
        match &function.result {
            Some(ResultType::One(ty)) => out.extend(self.dims(ty)),
            Some(ResultType::Tuple(types, _)) => types.iter().for_each(|ty| out.extend(self.dims(ty))),
            Some(ResultType::Named(types, _)) => types.iter().for_each(|(_, ty)| out.extend(self.dims(ty))),
            None => {}
        }
        out.extend(self.block(&function.body));
        out
    }

    fn declare(&mut self, name: &Ident) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.unraw().to_string());
        }
    }

    fn is_known(&self, name: &str) -> bool {
        self.scopes.iter().flatten().any(|known| known == name)
    }

    fn constant(&mut self, item: &Const) -> TokenStream {
        let uses = self.expr(&item.value);
        self.declare(&item.name);
        let name = &item.name;
        let value = self.names.constant(name).unwrap_or_default();
        // The whole item has the user's span, or rustc would not warn of an unused one.
        let item = quote_spanned!(name.span()=> const #name: __graph_rt::I64 = #value;);
        quote!(#item #uses)
    }

    /// `let name: Tensor<…> = tensor();`
    fn binding(&mut self, name: &Ident, attributes: &TokenStream) -> TokenStream {
        // A capital could be a constant of the user's, which a `let` cannot shadow.
        if name.unraw().to_string().starts_with(|first: char| first.is_uppercase()) {
            return TokenStream::new();
        }
        self.declare(name);
        match self.names.get(name) {
            Some(named) => {
                let ty = tensor_type(named);
                quote!(#attributes let #name: #ty = __graph_rt::names::tensor();)
            }
            None => quote!(#attributes let #name: __graph_rt::names::Value = __graph_rt::names::value();),
        }
    }

    fn pattern(&mut self, pattern: &Pattern, attributes: &TokenStream) -> TokenStream {
        match pattern {
            Pattern::Name(name) => self.binding(name, attributes),
            Pattern::Wild(_) => TokenStream::new(),
            Pattern::Tuple(patterns, _) => {
                patterns.iter().map(|pattern| self.pattern(pattern, attributes)).collect()
            }
        }
    }

    fn block(&mut self, block: &Block) -> TokenStream {
        self.scopes.push(Vec::new());
        let mut out = TokenStream::new();
        for statement in &block.statements {
            match statement {
                Statement::Let(item) => {
                    if let Some(ty) = &item.ty {
                        out.extend(self.dims(ty));
                    }
                    out.extend(self.expr(&item.value));
                    let attributes = &item.attributes;
                    out.extend(self.pattern(&item.pattern, &quote!(#(#attributes)*)));
                }
                Statement::Const(item) => out.extend(self.constant(item)),
                Statement::Budget(budget) => out.extend(self.string(&budget.device)),
                Statement::Assign { value, .. } => out.extend(self.expr(value)),
                Statement::Expr(expr) => out.extend(self.expr(expr)),
            }
        }
        if let Some(tail) = &block.tail {
            out.extend(self.expr(tail));
        }
        self.scopes.pop();
        quote!({ #out })
    }

    fn dims(&mut self, ty: &TensorType) -> TokenStream {
        ty.dims.iter().map(|dim| self.expr(dim)).collect()
    }

    fn uses(&self, name: &Ident) -> TokenStream {
        match self.is_known(&name.unraw().to_string()) {
            true => quote!(__graph_rt::names::uses(&#name);),
            false => TokenStream::new(),
        }
    }

    /// The loop variables that a string names.
    fn string(&self, text: &StringLiteral) -> TokenStream {
        interpolated(&text.value)
            .filter(|name| self.is_known(name))
            .map(|name| use_at(name, text.span))
            .collect()
    }

    fn expr(&mut self, expr: &Expr) -> TokenStream {
        match &expr.kind {
            ExprKind::Name(name) => self.uses(name),
            ExprKind::Path(_) | ExprKind::Number(_) | ExprKind::Bool(_) => TokenStream::new(),
            ExprKind::String(value) => self.string(&StringLiteral { value: value.clone(), span: expr.span }),
            ExprKind::List(exprs) | ExprKind::Tuple(exprs) => {
                // A list of numbers uses nothing; most long lists are such.
                exprs.iter().map(|expr| self.expr(expr)).collect()
            }
            ExprKind::Named(fields) => fields.iter().map(|(_, expr)| self.expr(expr)).collect(),
            ExprKind::Call { function, arguments } => {
                let mut out = self.uses(function);
                out.extend(
                    arguments.iter().map(|argument| self.expr(&argument.value)).collect::<TokenStream>(),
                );
                out
            }
            ExprKind::Method { receiver, function, arguments } => {
                let mut out = self.uses(function);
                out.extend(self.expr(receiver));
                out.extend(
                    arguments.iter().map(|argument| self.expr(&argument.value)).collect::<TokenStream>(),
                );
                out
            }
            ExprKind::Field { base, .. } => self.expr(base),
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                let mut out = self.expr(left);
                out.extend(self.expr(right));
                out
            }
            ExprKind::Index { base, indices } => {
                let mut out = self.expr(base);
                for index in indices {
                    match index {
                        Index::At(at) => out.extend(self.expr(at)),
                        Index::Range(range) => {
                            for part in [&range.start, &range.stop, &range.step].into_iter().flatten() {
                                out.extend(self.expr(part));
                            }
                        }
                        Index::Ellipsis(_) => {}
                    }
                }
                out
            }
            ExprKind::Typed { ty, .. } => self.dims(ty),
            ExprKind::Device { device, body } => {
                let mut out = match device {
                    DeviceArgument::String(text) => self.string(text),
                    DeviceArgument::Name(name) => self.uses(name),
                    DeviceArgument::None(_) => TokenStream::new(),
                };
                out.extend(self.block(body));
                out
            }
            ExprKind::Scope { name, body } => {
                let mut out = self.string(name);
                out.extend(self.block(body));
                out
            }
            ExprKind::ColocateWith { anchor, body } => {
                let mut out = self.expr(anchor);
                out.extend(self.block(body));
                out
            }
            ExprKind::For { variable, iterable, body } => {
                let mut out = match iterable {
                    Iterable::Range { start, end, .. } => {
                        let mut out = self.expr(start);
                        out.extend(self.expr(end));
                        out
                    }
                    Iterable::Expr(expr) => self.expr(expr),
                };
                self.scopes.push(Vec::new());
                let binding = self.pattern(variable, &quote!());
                let body = self.block(body);
                self.scopes.pop();
                out.extend(quote!({ #binding #body }));
                out
            }
            ExprKind::Block(block) => self.block(block),
        }
    }
}

/// The names between braces: `{i}`.
fn interpolated(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name.trim())
}

fn use_at(name: &str, span: Span) -> TokenStream {
    match syn::parse_str::<Ident>(name) {
        Ok(mut name) => {
            name.set_span(span);
            quote_spanned!(Span::call_site()=> __graph_rt::names::uses(&#name);)
        }
        Err(_) => TokenStream::new(),
    }
}

fn tensor_type(named: &NamedType) -> TokenStream {
    let element = match named.ty.dtype {
        graph_ir::DType::Bool => "__graph_rt::Bool",
        dtype => rust_type(dtype),
    };
    let dims: Vec<String> = named.ty.dims.iter().map(|dim| format!("{dim}u64")).collect();
    let shape = match dims.len() {
        0 => String::from("__graph_rt::names::Scalar"),
        rank @ 1..=6 => format!("__graph_rt::names::Shape{rank}<{}>", dims.join(", ")),
        _ => String::from("__graph_rt::names::Shape"),
    };
    let device = match DeviceSpec::parse(&named.request) {
        Err(_) => String::from("Default"),
        Ok(DeviceSpec { device_type: Some(device_type), index: Some(index), .. }) => match device_type {
            DeviceType::Cpu => format!("Cpu<{index}u32>"),
            DeviceType::Gpu => format!("Gpu<{index}u32>"),
        },
        Ok(_) => String::from("Elsewhere"),
    };
    super::tokens(&format!("__graph_rt::names::Tensor<{element}, {shape}, __graph_rt::names::{device}>"))
}
