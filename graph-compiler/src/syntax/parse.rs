//! Tokens to syntax tree.
use super::Program;
use crate::Diagnostics;
use proc_macro2::TokenStream;

pub(super) fn program(_tokens: TokenStream, _diagnostics: &mut Diagnostics) -> Option<Program> {
    None
}
