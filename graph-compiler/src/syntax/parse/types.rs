//! Types, parameters, results and patterns.

use super::tokens::{group_at, join, keyword_at, plain_name, symbol_at, word_at};
use super::{Parsed, Parser, habits};
use crate::Diagnostic;
use crate::syntax::{BinaryOperator, Expr, ExprKind, Parameter, Pattern, ResultType, TensorType};
use proc_macro2::{Delimiter, Ident, Span};
use syn::parse::ParseBuffer;

const TYPE_HELP: &str = "a type is a dtype and a shape: `f32[2, 3]`; a scalar is `f32`";

impl<'a> Parser<'a, '_> {
    /// `f32[BATCH, 10]`
    pub(super) fn tensor_type(&mut self, input: &ParseBuffer<'a>) -> Parsed<TensorType> {
        if let Some(error) = habits::foreign_type(input.cursor()) {
            return Err(error);
        }
        let Some((dtype, _)) = plain_name(input.cursor()) else {
            return Err(self.expected(input, "a type").with_help(TYPE_HELP));
        };
        self.bump_ident(input);
        let mut dims = Vec::new();
        let mut span = dtype.span();
        if group_at(input.cursor(), Delimiter::Bracket) {
            let read =
                self.group(input, Delimiter::Bracket, |p, content| p.comma_list(content, Self::dim))?;
            dims = read.0;
            span = join(span, read.1.close()).unwrap_or(span);
        }
        Ok(TensorType { dtype, dims, span })
    }

    fn dim(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        if word_at(input.cursor(), "_") || symbol_at(input.cursor(), "?") {
            let error = self.expected(input, "a size");
            return Err(error.with_help(
                "every size is known at build time: a number, a `const` of the graph, or arithmetic on them",
            ));
        }
        let dim = self.value(input)?;
        match &dim.kind {
            ExprKind::Binary { operator: BinaryOperator::LessEqual, operator_span, left, .. } => {
                let bounded = match &left.kind {
                    ExprKind::Name(name) => format!("`{name} <= …`"),
                    _ => "`<=` in a shape".to_string(),
                };
                Err(Diagnostic::new(
                    *operator_span,
                    format!("a bounded size ({bounded}) is reserved: it isn't part of the language yet"),
                )
                .with_help(
                    "write several sizes as several entries from one helper: \
                     `pub fn predict_1(x: f32[1, 784]) { head(x) }`",
                ))
            }
            _ => Ok(dim),
        }
    }

    /// The inputs of the expression form, behind the first `|`, with the last one.
    pub(super) fn inputs(&mut self, input: &ParseBuffer<'a>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        loop {
            if self.eat(input, "|").is_some() {
                return parameters;
            }
            match self.parameter(input) {
                Ok(parameter) => {
                    self.require_type(&parameter);
                    parameters.push(parameter);
                }
                Err(error) => {
                    self.report(error);
                    self.skip_until(input, &[",", "|", ";"]);
                }
            }
            if self.eat(input, ",").is_none() && !symbol_at(input.cursor(), "|") {
                let error = self.expected(input, "`,` or `|`");
                self.report(error);
                self.skip_until(input, &["|", ";"]);
                self.eat(input, "|");
                return parameters;
            }
        }
    }

    /// The parameters of a function, between its parentheses. Mistakes are reported here, so that the body is read
    /// in any case.
    pub(super) fn parameters(&mut self, input: &ParseBuffer<'a>) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        while !input.is_empty() {
            match self.parameter(input) {
                Ok(parameter) => parameters.push(parameter),
                Err(error) => {
                    self.report(error);
                    self.skip_until(input, &[","]);
                }
            }
            if self.eat(input, ",").is_none() && !input.is_empty() {
                let error = self.expected(input, "`,` or `)`");
                self.report(error);
                self.skip_until(input, &[","]);
                self.eat(input, ",");
            }
        }
        Ok(parameters)
    }

    fn skip_until(&mut self, input: &ParseBuffer<'a>, stops: &[&str]) {
        while !input.is_empty() && !stops.iter().any(|stop| symbol_at(input.cursor(), stop)) {
            if !self.bump_tree(input) {
                return;
            }
        }
    }

    fn parameter(&mut self, input: &ParseBuffer<'a>) -> Parsed<Parameter> {
        self.refuse_binding_words(input)?;
        let name = self.name(input, "the name of a parameter")?;
        let ty = match self.eat(input, ":") {
            Some(_) => Some(self.tensor_type(input)?),
            None => None,
        };
        Ok(Parameter { name, ty })
    }

    /// Inputs come from outside: nothing else says what they are.
    pub(super) fn require_type(&mut self, parameter: &Parameter) {
        if parameter.ty.is_none() {
            let name = &parameter.name;
            self.report(
                Diagnostic::new(name.span(), format!("the input `{name}` needs a type"))
                    .with_help(format!("write its dtype and shape: `{name}: f32[2, 3]`")),
            );
        }
    }

    /// `-> TYPE`, if it is there. A mistake is reported here, and what follows up to the body is skipped.
    pub(super) fn result_type_if_any(&mut self, input: &ParseBuffer<'a>) -> Option<ResultType> {
        self.eat(input, "->")?;
        match self.result_type(input) {
            Ok(result) => Some(result),
            Err(error) => {
                self.report(error);
                while !group_at(input.cursor(), Delimiter::Brace) && !symbol_at(input.cursor(), ";") {
                    if !self.bump_tree(input) {
                        break;
                    }
                }
                None
            }
        }
    }

    fn result_type(&mut self, input: &ParseBuffer<'a>) -> Parsed<ResultType> {
        if !group_at(input.cursor(), Delimiter::Parenthesis) {
            return Ok(ResultType::One(self.tensor_type(input)?));
        }
        let is_named = input
            .cursor()
            .group(Delimiter::Parenthesis)
            .is_some_and(|(inside, ..)| inside.ident().is_some_and(|(_, rest)| symbol_at(rest, ":")));
        if is_named {
            let (list, span) = self.group(input, Delimiter::Parenthesis, |p, content| {
                p.comma_list(content, |p, content| -> Parsed<(Ident, TensorType)> {
                    let name = p.name(content, "the name of a result")?;
                    p.expect(content, ":")?;
                    Ok((name, p.tensor_type(content)?))
                })
            })?;
            return Ok(ResultType::Named(list, span.join()));
        }
        let (list, span) =
            self.group(input, Delimiter::Parenthesis, |p, content| p.comma_list(content, Self::tensor_type))?;
        Ok(ResultType::Tuple(list, span.join()))
    }

    /// The type of a `const`: all that may stand there means the same.
    pub(super) fn const_type(&mut self, input: &ParseBuffer<'a>) -> Parsed<()> {
        let help = "a `const` is a whole number: `usize`, `i64` or `u64`, or no type at all; \
                    other values are `let`s or `var`s";
        match input.cursor().ident() {
            Some((ty, _)) if matches!(ty.to_string().as_str(), "usize" | "i64" | "u64") => {
                self.bump_ident(input);
                Ok(())
            }
            _ => Err(self.expected(input, "`usize`, `i64` or `u64`").with_help(help)),
        }
    }

    /// What `let` and `for` bind.
    pub(super) fn pattern(&mut self, input: &ParseBuffer<'a>) -> Parsed<Pattern> {
        self.refuse_binding_words(input)?;
        let cursor = input.cursor();
        for delimiter in [Delimiter::Parenthesis, Delimiter::Bracket] {
            if group_at(cursor, delimiter) {
                return self.nested(input.span(), |p| {
                    let (list, span) =
                        p.group(input, delimiter, |p, content| p.comma_list(content, Self::pattern))?;
                    Ok(Pattern::Tuple(list, span.join()))
                });
            }
        }
        if word_at(cursor, "_") {
            self.bump_ident(input);
            return Ok(Pattern::Wild(self.last));
        }
        let name = self.name(input, "a name or `(a, b)`")?;
        if group_at(input.cursor(), Delimiter::Parenthesis) || group_at(input.cursor(), Delimiter::Brace) {
            return Err(Diagnostic::new(
                name.span(),
                format!("`{name}` can't be matched: there are no structs here"),
            )
            .with_help("take a tuple or list apart with `(a, b)`"));
        }
        Ok(Pattern::Name(name))
    }

    /// `mut x`, `ref x`, `&x`
    fn refuse_binding_words(&mut self, input: &ParseBuffer<'a>) -> Parsed<()> {
        let cursor = input.cursor();
        let span: Span = input.span();
        if word_at(cursor, "mut") {
            return Err(Diagnostic::new(span, "a value of a graph never changes, there is no `mut`").with_help(
                "write `let` again under the same name; state that lives from run to run is a `var` of the module",
            ));
        }
        if word_at(cursor, "ref") || symbol_at(cursor, "&") {
            return Err(
                Diagnostic::new(span, "there are no references in a graph").with_help("write the name alone")
            );
        }
        if word_at(cursor, "self") || keyword_at(cursor, "self", ":") {
            return Err(Diagnostic::new(span, "functions of a graph have no `self`")
                .with_help("the module's `var`s are in scope by their names"));
        }
        Ok(())
    }
}
