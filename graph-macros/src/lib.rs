//! The `graph!` macro. Use it through `graph_runtime`, which re-exports it.

use proc_macro::TokenStream;

/// Compiles a tensor graph into a static plan.
#[proc_macro]
pub fn graph(input: TokenStream) -> TokenStream {
    graph_compiler::expand(input.into()).into()
}
