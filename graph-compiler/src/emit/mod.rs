//! Emission: everything decided to Rust. The plan and the kernels are written as text and given to rustc's own lexer
//! at once, which is many times faster than building tokens one by one. The names in it cannot clash with the
//! user's: everything is reached through one hidden import, `__graph_rt`, and even `f32` is spelled through it.

mod api;
mod kernel;
mod names;
mod plan;

use proc_macro2::TokenStream;
use quote::quote;

use crate::Diagnostics;
use crate::compile::Compiled;
use crate::lower::NamedTypes;
use crate::syntax::{Form, Program};

/// The expansion of a sound program.
pub fn run(program: &Program, compiled: &[Compiled<'_>], names: &NamedTypes) -> TokenStream {
    let prelude = prelude(program);
    let shadow = names::run(program, names);
    match &program.form {
        Form::Expression(_) => {
            let [entry] = compiled else { unreachable!("an expression is one entry") };
            api::expression(&prelude, entry, &shadow)
        }
        Form::Module(module) => api::module(&prelude, module, compiled, &shadow),
    }
}

/// The one way from the printed code to everything else.
fn prelude(program: &Program) -> TokenStream {
    let runtime = match &program.crate_path {
        Some(path) => quote!(#path),
        None => quote!(::graph_runtime),
    };
    quote! {
        #[allow(unused_imports)]
        use #runtime::__private as __graph_rt;
    }
}

/// Text to tokens. The text is ours, so that a failure is a bug of the printer.
fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| unreachable!("the printed Rust does not lex: {error}\n{text}"))
}

/// The expansion of a program with mistakes: one `compile_error!` for each. A module has its items all the same, so
/// that its users add no errors of their own; an expression has the type of an error already.
pub fn errors(program: &Program, compiled: &[Compiled<'_>], diagnostics: &Diagnostics) -> TokenStream {
    let errors = diagnostics.to_tokens();
    match &program.form {
        Form::Module(module) => {
            let skeleton = api::skeleton(&prelude(program), module, compiled);
            quote!(#errors #skeleton)
        }
        Form::Expression(_) => quote!({ #errors }),
    }
}
