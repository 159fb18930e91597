//! Tokens to syntax tree.
//!
//! One pass from left to right over syn's token buffer; nothing is read twice, nothing is forked. A function that
//! meets a mistake returns it as `Err`; the nearest loop over statements, items or parameters reports it and goes on
//! behind the next `;` (or brace, or comma), so that one run tells of every mistake.

mod expressions;
mod habits;
mod items;
mod operands;
mod statements;
mod tokens;
mod types;

use super::{Block, Expr, ExprKind, Form, Function, MAX_NESTING, Program};
use crate::{Diagnostic, Diagnostics};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::parse::{ParseBuffer, ParseStream, Parser as _};
use tokens::{at_inner_attribute, keyword_at};

/// What a reading function returns; the error isn't reported yet.
type Parsed<T> = Result<T, Diagnostic>;

impl From<syn::Error> for Diagnostic {
    fn from(error: syn::Error) -> Self {
        Diagnostic::new(error.span(), error.to_string())
    }
}

pub(super) fn program(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Program> {
    if let Err(error) = check_nesting(tokens.clone()) {
        diagnostics.push(error);
        return None;
    }
    let reported = diagnostics.errors().len();
    let mut program = None;
    let read = |input: ParseStream<'_>| {
        program = Parser::new(diagnostics).program(input);
        Ok(())
    };
    // syn complains about every bracket that was left early; those are the ones whose mistake is reported already.
    let leftover = read.parse2(tokens);
    if let Err(error) = leftover
        && diagnostics.errors().len() == reported
    {
        diagnostics.push(error.into());
    }
    program
}

/// Refuses brackets that nest too deep. Walks without recursion, since even syn's buffer is filled by a recursive
/// function that would overflow the compiler's stack.
fn check_nesting(tokens: TokenStream) -> Parsed<()> {
    let mut open = vec![tokens.into_iter()];
    while let Some(innermost) = open.last_mut() {
        match innermost.next() {
            None => {
                open.pop();
            }
            Some(TokenTree::Group(group)) => {
                if open.len() > MAX_NESTING {
                    return Err(too_deep(group.span_open()));
                }
                open.push(group.stream().into_iter());
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("this nests more than {MAX_NESTING} deep"))
        .with_help("name the inner parts with `let`, or move them to a helper `fn`")
}

/// The most mistakes that one graph is told of.
const MAX_REPORTS: usize = 200;

/// The state that does not belong to one construct.
struct Parser<'a, 'd> {
    diagnostics: &'d mut Diagnostics,
    reports: usize,
    /// Where the invisible group around a `macro_rules` fragment ends, while inside of one: no operator behind that
    /// point belongs to the expression inside.
    limit: Option<Cursor<'a>>,
    /// How many angle blocks have been opened since the last bracket: a bare `>` closes the innermost of them.
    angle: usize,
    /// In `for x in HERE {`: a name in front of a brace is not a struct literal.
    before_block: bool,
    /// What ends the bracket that is being read, for "found `)`".
    closing: &'static str,
    /// Nesting of expressions so far.
    depth: usize,
    /// The height of the tallest tree read since somebody last took this number.
    height: usize,
    /// The token that was read last.
    last: Span,
    /// Named results that were read and not yet found to be a block's value.
    named: Option<Span>,
    /// The place behind the `>` that closed an angle block last.
    angle_closed: Option<Cursor<'a>>,
}

impl<'a, 'd> Parser<'a, 'd> {
    fn new(diagnostics: &'d mut Diagnostics) -> Self {
        Parser {
            diagnostics,
            reports: 0,
            limit: None,
            angle: 0,
            before_block: false,
            closing: tokens::END,
            depth: 0,
            height: 0,
            last: Span::call_site(),
            named: None,
            angle_closed: None,
        }
    }

    fn report(&mut self, error: Diagnostic) {
        // Whoever has this many mistakes reads the first few; and the collector compares each with all before it.
        if self.reports < MAX_REPORTS {
            self.reports += 1;
            self.diagnostics.push(error);
        }
    }

    /// Never `None` without a report.
    fn program(&mut self, input: &ParseBuffer<'a>) -> Option<Program> {
        let mut crate_path = None;
        let mut head_attributes = Vec::new();
        loop {
            let read = if keyword_at(input.cursor(), "crate", "=") {
                self.crate_path(input).map(|path| crate_path = Some(path))
            } else if at_inner_attribute(input.cursor()) {
                self.attribute(input).map(|attribute| head_attributes.push(attribute))
            } else {
                break;
            };
            if let Err(error) = read {
                self.report(error);
                self.skip_statement(input);
            }
        }
        let attributes = self.outer_attributes(input);
        let form = if items::starts_module(input.cursor()) {
            match self.module(input, attributes) {
                Ok(module) => Form::Module(module),
                Err(error) => {
                    self.report(error);
                    return None;
                }
            }
        } else {
            Form::Expression(self.expression_form(input, attributes))
        };
        Some(Program { crate_path, attributes: head_attributes, form })
    }

    /// `crate = path;`
    fn crate_path(&mut self, input: &ParseBuffer<'a>) -> Parsed<syn::Path> {
        self.bump_ident(input);
        self.expect(input, "=")?;
        let path = syn::Path::parse_mod_style(input)?;
        self.expect(input, ";")?;
        Ok(path)
    }

    /// `|x: f32[2]| BODY` or a body alone.
    fn expression_form(&mut self, input: &ParseBuffer<'a>, attributes: Vec<syn::Attribute>) -> Function {
        let start = input.span();
        let mut parameters = Vec::new();
        let mut result = None;
        if self.eat(input, "||").is_some() {
            result = self.result_type_if_any(input);
        } else if self.eat(input, "|").is_some() {
            parameters = self.inputs(input);
            result = self.result_type_if_any(input);
        }
        let mut body = self.block_until_end(input, attributes);
        body.span = tokens::join(start, self.last).unwrap_or(start);
        // `|x: f32[2]| { … }`: the braces are the body, not an expression in it.
        let body = match body {
            Block { statements, tail: Some(tail), span } if statements.is_empty() => match *tail {
                Expr { kind: ExprKind::Block(inner), .. } => inner,
                tail => Block { statements, tail: Some(Box::new(tail)), span },
            },
            other => other,
        };
        Function {
            attributes: Vec::new(),
            visibility: None,
            name: None,
            parameters,
            result,
            body,
            span: Span::call_site(),
        }
    }
}
