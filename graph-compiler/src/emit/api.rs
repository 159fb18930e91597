//! What the user's program sees: a `Graph` value for an expression, a module with a `Model` for an item.

use std::collections::BTreeSet;
use std::fmt::Write;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

use super::kernel::rust_type;
use super::{plan, tokens};
use crate::compile::Compiled;
use crate::graph::{Constant, Type};
use crate::syntax::Module;

pub(super) fn expression(prelude: &TokenStream, entry: &Compiled<'_>, shadow: &TokenStream) -> TokenStream {
    let mut text = String::new();
    plan::write_items(&mut text, entry, "", "PLAN");
    let named = named_results(&mut text, entry, "Results");
    let items = tokens(&text);
    let paths = path_constants(entry, "");
    let inputs = tokens(&input_types(entry));
    let outputs = tokens(&output_types(entry, named.as_deref()));
    quote! {{
        #prelude
        #items
        #paths
        #shadow
        const _: () = __graph_rt::assert_abi(PLAN.abi);
        __graph_rt::Graph::<#inputs, #outputs>::new(&PLAN)
    }}
}

pub(super) fn module(
    prelude: &TokenStream,
    module: &Module,
    entries: &[Compiled<'_>],
    shadow: &TokenStream,
) -> TokenStream {
    let mut text = String::new();
    let mut paths = TokenStream::new();
    let mut methods = TokenStream::new();
    let mut fields = TokenStream::new();
    let mut loads = TokenStream::new();
    for (number, entry) in entries.iter().enumerate() {
        let Some(name) = entry.function.name.as_ref() else { continue };
        let prefix = format!("E{number}_");
        plan::write_items(&mut text, entry, &prefix, &format!("{prefix}PLAN"));
        let results = format!("{}Results", camel_case(&name.unraw().to_string()));
        let named = named_results(&mut text, entry, &results);
        paths.extend(path_constants(entry, &prefix));
        let (inputs, outputs) = (tokens(&input_types(entry)), tokens(&output_types(entry, named.as_deref())));
        let plan = Ident::new(&format!("{prefix}PLAN"), Span::call_site());
        methods.extend(entry_methods(entry, name, &outputs));
        fields.extend(quote!(#name: __graph_rt::Loaded<#inputs, #outputs>,));
        loads.extend(quote!(#name: __graph_rt::Loaded::load(
            session,
            &__graph_rt::Graph::<#inputs, #outputs>::new(&#plan),
        )?,));
    }
    let items = tokens(&text);
    let Module { attributes, visibility, name, .. } = module;
    let about =
        format!("The graph `{name}`: `load` it into a session, then call its entries on the `Model`.");
    quote! {
        #[doc = #about]
        #[allow(clippy::all, clippy::pedantic)]
        #(#attributes)*
        #visibility mod #name {
            #prelude
            #items
            #paths
            #shadow

            /// The entries of the graph, bound to the devices of a session.
            pub struct Model {
                #fields
            }

            /// Binds the graph to the devices of a session and reserves its memory.
            ///
            /// # Errors
            /// `InvalidArgument` when a device that the graph asks for is not there, `ResourceExhausted` when memory
            /// is too small.
            pub fn load(session: &__graph_rt::Session) -> __graph_rt::Result<Model> {
                __graph_rt::Ok(Model { #loads })
            }

            impl Model {
                #methods
            }
        }
    }
}

/// The items of a module with mistakes, as far as they are known, so that its users are judged by them. Nothing of it
/// ever runs, since the program does not build.
pub(super) fn skeleton(prelude: &TokenStream, module: &Module, entries: &[Compiled<'_>]) -> TokenStream {
    let mut text = String::new();
    let mut methods = TokenStream::new();
    let mut seen = BTreeSet::new();
    for entry in entries {
        let Some(name) = entry.function.name.as_ref() else { continue };
        let (into, plan) = (format_ident!("{name}_into"), format_ident!("{name}_plan"));
        if ![name, &into, &plan].iter().all(|name| seen.insert(name.to_string())) {
            continue;
        }
        let (generic, value) = match entry.results.is_empty() {
            false => {
                let results = format!("{}Results", camel_case(&name.unraw().to_string()));
                let named = named_results(&mut text, entry, &results);
                let outputs = tokens(&output_types(entry, named.as_deref()));
                (quote!(), quote!(<#outputs as __graph_rt::Outputs>::Value))
            }
            true => (quote!(T), quote!(T)),
        };
        let arguments: Vec<TokenStream> = entry
            .function
            .parameters
            .iter()
            .map(|parameter| {
                let found = entry.graph.inputs.iter().find(|input| parameter.name == input.name);
                let feed = found.map(|input| tokens(&input_type(&input.ty)));
                feed.map_or_else(
                    || quote!(impl __graph_rt::Sized),
                    |feed| quote!(impl __graph_rt::Feed<'a, #feed>),
                )
            })
            .collect();
        let visibility = &entry.function.visibility;
        methods.extend(quote! {
            #visibility fn #name<'a, #generic>(&mut self, #(_: #arguments,)*) -> __graph_rt::Result<#value> { loop {} }
            #visibility fn #into<'a>(&mut self, #(_: #arguments,)* _: impl __graph_rt::Sized) -> __graph_rt::Result<()> { loop {} }
            #visibility fn #plan(&self) -> &'static __graph_rt::Plan { loop {} }
        });
    }
    let items = tokens(&text);
    let Module { attributes, visibility, name, .. } = module;
    quote! {
        #[allow(missing_docs, clippy::all, clippy::pedantic)]
        #(#attributes)*
        #visibility mod #name {
            #prelude
            #items
            pub struct Model;
            pub fn load(_: &__graph_rt::Session) -> __graph_rt::Result<Model> { loop {} }
            impl Model { #methods }
        }
    }
}

/// `predict`, `predict_into` and `predict_plan`.
fn entry_methods(entry: &Compiled<'_>, name: &Ident, outputs: &TokenStream) -> TokenStream {
    let visibility = &entry.function.visibility;
    let names: Vec<&Ident> = entry.function.parameters.iter().map(|parameter| &parameter.name).collect();
    let feeds: Vec<TokenStream> =
        entry.graph.inputs.iter().map(|input| tokens(&input_type(&input.ty))).collect();
    let arguments = match &names[..] {
        [one] => quote!(#one),
        names => quote!((#(#names,)*)),
    };
    let (into, plan) = (format_ident!("{name}_into"), format_ident!("{name}_plan"));
    let about = format!("Runs `{name}`.");
    let about_into = format!("Runs `{name}` and writes its results into the caller's arrays.");
    let about_plan = format!("The static plan of `{name}`.");
    quote! {
        #[doc = #about]
        ///
        /// # Errors
        /// `InvalidArgument` when the shape of an input is not the declared one, `OutOfRange` when an index is.
        #visibility fn #name<'a>(
            &mut self,
            #(#names: impl __graph_rt::Feed<'a, #feeds>,)*
        ) -> __graph_rt::Result<<#outputs as __graph_rt::Outputs>::Value> {
            self.#name.run(#arguments)
        }

        #[doc = #about_into]
        ///
        /// # Errors
        /// As the method without `_into`, and `InvalidArgument` when the shape of an array is not the result's.
        #visibility fn #into<'a, 'o>(
            &mut self,
            #(#names: impl __graph_rt::Feed<'a, #feeds>,)*
            results: impl __graph_rt::Fetches<'o, #outputs>,
        ) -> __graph_rt::Result<()> {
            self.#name.run_into(#arguments, results)
        }

        #[doc = #about_plan]
        #visibility fn #plan(&self) -> &'static __graph_rt::Plan {
            self.#name.plan()
        }
    }
}

/// The user's Rust constants, with the types that the graph gives them: rustc compares. A `static` is not copied.
fn path_constants(entry: &Compiled<'_>, prefix: &str) -> TokenStream {
    let mut items = TokenStream::new();
    for (i, constant) in entry.graph.constants.iter().enumerate() {
        let Constant::Path(path, ty) = constant else { continue };
        let name = Ident::new(&format!("{prefix}C{i}"), Span::call_site());
        let ty = tokens(&array_type(ty));
        // The reference has the path's span: that is where rustc reports another type.
        let span = path.segments.last().map_or(Span::call_site(), |segment| segment.ident.span());
        let value = quote_spanned!(span=> &#path);
        items.extend(quote!(static #name: &#ty = #value;));
    }
    items
}

/// `[[f32; 3]; 2]`
fn array_type(ty: &Type) -> String {
    let element = element_type(ty.dtype);
    ty.dims.iter().rev().fold(element.to_owned(), |inner, dim| format!("[{inner}; {dim}usize]"))
}

/// The element type that users see: a bool is a `bool`.
fn element_type(dtype: graph_ir::DType) -> &'static str {
    match dtype {
        graph_ir::DType::Bool => "__graph_rt::Bool",
        dtype => rust_type(dtype),
    }
}

fn input_type(ty: &Type) -> String {
    match ty.rank() {
        0 => format!("__graph_rt::ScalarIn<{}>", element_type(ty.dtype)),
        rank => format!("__graph_rt::In<{}, __graph_rt::{}>", element_type(ty.dtype), dimension(rank)),
    }
}

fn output_type(ty: &Type) -> String {
    match ty.rank() {
        0 => format!("__graph_rt::ScalarOut<{}>", element_type(ty.dtype)),
        rank => format!("__graph_rt::Out<{}, __graph_rt::{}>", element_type(ty.dtype), dimension(rank)),
    }
}

fn dimension(rank: usize) -> String {
    if rank <= 6 { format!("Ix{rank}") } else { String::from("IxDyn") }
}

/// One alone, several as a tuple.
fn input_types(entry: &Compiled<'_>) -> String {
    let types: Vec<String> = entry.graph.inputs.iter().map(|input| input_type(&input.ty)).collect();
    listed(&types)
}

fn output_types(entry: &Compiled<'_>, named: Option<&str>) -> String {
    match named {
        Some(name) => format!("__graph_rt::NamedOut<{name}>"),
        None => plain_output_types(entry),
    }
}

fn plain_output_types(entry: &Compiled<'_>) -> String {
    listed(&entry.results.iter().map(|(_, ty)| output_type(ty)).collect::<Vec<_>>())
}

fn listed(types: &[String]) -> String {
    match types {
        [one] => one.clone(),
        types => format!("({})", types.iter().map(|ty| format!("{ty},")).collect::<String>()),
    }
}

/// The struct of named results, if they are named.
fn named_results(out: &mut String, entry: &Compiled<'_>, name: &str) -> Option<String> {
    let results = &entry.results;
    if results.iter().all(|(name, _)| name.is_empty()) {
        return None;
    }
    let fields: Vec<String> = results.iter().map(|(name, _)| field(name)).collect();
    let types: Vec<String> = results
        .iter()
        .map(|(_, ty)| format!("<{} as __graph_rt::Outputs>::Value", output_type(ty)))
        .collect();
    let _ = writeln!(
        out,
        "/// The results of `{}`.\n#[derive(__graph_rt::Debug, __graph_rt::Clone)]",
        entry.graph.name
    );
    let _ = writeln!(out, "pub struct {name} {{");
    for (field, ty) in fields.iter().zip(&types) {
        let _ = writeln!(out, "/// The result `{field}`.\npub {field}: {ty},");
    }
    let spec = plain_output_types(entry);
    let pattern = match &fields[..] {
        [one] => one.clone(),
        fields => format!("({},)", fields.join(",")),
    };
    let _ = writeln!(
        out,
        "}}\nimpl __graph_rt::Named for {name} {{ type Spec = {spec}; \
         fn from_values({pattern}: <Self::Spec as __graph_rt::Outputs>::Value) -> Self {{ {name} {{ {} }} }} }}",
        fields.join(",")
    );
    Some(name.to_owned())
}

/// The name as Rust writes it: a keyword needs `r#`.
fn field(name: &str) -> String {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

fn camel_case(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect::<String>())
                .unwrap_or_default()
        })
        .collect()
}
