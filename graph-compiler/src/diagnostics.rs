//! Errors for the user of the macro: collected over the passes, printed all at once.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// One mistake.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The smallest wrong piece of source.
    pub span: Span,
    /// What is wrong, with the facts on both sides.
    pub message: String,
    /// The edit that repairs it, where one is likely.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span, message: message.into(), help: None }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says through which call of a helper the mistake came up: the same body may be right for other callers.
    pub fn in_call(mut self, helper: &str, call: Span) -> Self {
        let line = call.start().line;
        self.message = format!("{} (in the call of `{helper}` on line {line})", self.message);
        self
    }

    /// The text that rustc prints.
    pub fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {}", self.message, help),
            None => self.message.clone(),
        }
    }

    fn to_tokens(&self) -> TokenStream {
        let text = self.text();
        quote_spanned!(self.span=> ::core::compile_error! { #text })
    }
}

/// The mistakes of one macro call.
#[derive(Default, Debug)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a mistake, once: a loop that is unrolled finds the same one again and again.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let place = |d: &Diagnostic| format!("{:?}", d.span);
        let known = |d: &Diagnostic| d.message == diagnostic.message && place(d) == place(&diagnostic);
        if !self.errors.iter().any(known) {
            self.errors.push(diagnostic);
        }
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::new(span, message));
    }

    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    /// One `compile_error!` for each mistake. The last stands in tail position, so that in an expression the whole
    /// has the type of an error and rustc adds none of its own.
    pub fn to_tokens(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for error in &self.errors {
            tokens.extend(error.to_tokens());
        }
        tokens
    }
}
