//! Operands: names, literals, brackets, calls, block-like expressions, and what is attached to them.

use super::expressions::check_height;
use super::tokens::{Symbol, call_at, group_at, is_keyword, join, plain_name, symbol, symbol_at, word_at};
use super::{Parsed, Parser, habits};
use crate::Diagnostic;
use crate::syntax::{
    Argument, DeviceArgument, Expr, ExprKind, Index, IndexRange, Iterable, Number, StringLiteral,
    UnaryOperator,
};
use proc_macro2::{Delimiter, Ident, Literal, Span};
use syn::buffer::Cursor;
use syn::parse::ParseBuffer;

/// Longer numbers hold nothing that a dtype could; syn's reading of one takes quadratic time.
const LONGEST_NUMBER: usize = 400;

impl<'a> Parser<'a, '_> {
    /// Counts itself as one node.
    pub(super) fn primary(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        let span = input.span();
        let expr = self.node(|p| p.any_primary(input))?;
        check_height(self.height, span)?;
        Ok(expr)
    }

    fn any_primary(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        let cursor = input.cursor();
        if let Some((word, rest)) = cursor.ident() {
            return self.word(input, word, rest);
        }
        if let Some((literal, _)) = cursor.literal() {
            self.bump_literal(input);
            return literal_expression(literal);
        }
        if group_at(cursor, Delimiter::Parenthesis) {
            return self.parentheses(input);
        }
        if group_at(cursor, Delimiter::Bracket) {
            let (list, span) =
                self.group(input, Delimiter::Bracket, |p, content| p.comma_list(content, Self::list_entry))?;
            return Ok(Expr { kind: ExprKind::List(list), span: span.join() });
        }
        if group_at(cursor, Delimiter::Brace) {
            let body = self.block(input)?;
            let span = body.span;
            return Ok(Expr { kind: ExprKind::Block(body), span });
        }
        if let Some((lifetime, _)) = cursor.lifetime() {
            return Err(habits::lifetime(lifetime.apostrophe));
        }
        if let Some(found) = symbol(cursor) {
            if found.text == "::" {
                return self.path(input);
            }
            if let Some(error) = habits::prefix(&found) {
                return Err(error);
            }
        }
        Err(self.expected(input, "an expression"))
    }

    fn bump_literal(&mut self, input: &ParseBuffer<'a>) {
        if let Ok(literal) =
            input.step(|cursor| cursor.literal().ok_or_else(|| cursor.error("expected a literal")))
        {
            self.last = literal.span();
        }
    }

    /// `[1.0; 3]` is Rust's; everything else is an ordinary value.
    fn list_entry(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        let entry = self.value(input)?;
        if symbol_at(input.cursor(), ";") {
            return Err(Diagnostic::new(input.span(), "a list is written out: there is no `[value; count]`")
                .with_help("a tensor of equal numbers is `fill([3], 1.0)`"));
        }
        Ok(entry)
    }

    fn word(&mut self, input: &ParseBuffer<'a>, word: Ident, rest: Cursor<'a>) -> Parsed<Expr> {
        let text = word.to_string();
        let span = word.span();
        match text.as_str() {
            "true" | "false" => {
                self.bump_ident(input);
                return Ok(Expr { kind: ExprKind::Bool(text == "true"), span });
            }
            "super" | "self" | "Self" | "crate" => return self.path(input),
            "for" => return self.for_loop(input),
            _ => {}
        }
        if is_keyword(&text) {
            return Err(habits::keyword(&text, span).unwrap_or_else(|| self.expected(input, "an expression")));
        }
        if at_block_like(input.cursor()) {
            return self.block_like(input, &text);
        }
        if group_at(rest, Delimiter::Parenthesis) {
            self.bump_ident(input);
            let (arguments, close) = self.arguments(input)?;
            let span = join(span, close).unwrap_or(span);
            return Ok(Expr { kind: ExprKind::Call { function: word, arguments }, span });
        }
        match symbol(rest) {
            Some(next) if next.text == "::" => return self.path(input),
            Some(next) if next.text == "!" && any_group_at(next.rest) => {
                return Err(habits::macro_call(&text, span));
            }
            _ => {}
        }
        if group_at(rest, Delimiter::Brace) && !self.before_block && !self.at_limit(rest) {
            return Err(habits::structure(&text, span));
        }
        self.bump_ident(input);
        Ok(Expr { kind: ExprKind::Name(word), span })
    }

    /// `f32::NAN`, `super::WEIGHTS`
    fn path(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        let start = input.span();
        let cursor = input.cursor();
        let mut segments = 0;
        let mut ahead = cursor;
        if let Some(colons) = symbol(ahead).filter(|colons| colons.text == "::") {
            ahead = colons.rest;
            segments += 1;
        }
        // syn reads the same words again, but never more than once per path.
        while let Some((_, rest)) = ahead.ident() {
            segments += 1;
            let Some(colons) = symbol(rest).filter(|colons| colons.text == "::") else { break };
            if symbol_at(colons.rest, "<") {
                return Err(habits::turbofish(colons.span()));
            }
            ahead = colons.rest;
        }
        if segments < 2 {
            return Err(self
                .expected(input, "an expression")
                .with_help("a path has two parts or more: `super::WEIGHTS`"));
        }
        let path = syn::Path::parse_mod_style(input)?;
        let last = path.segments.last().map_or(start, |segment| segment.ident.span());
        self.last = last;
        let span = join(start, last).unwrap_or(last);
        if group_at(input.cursor(), Delimiter::Parenthesis) {
            return Err(Diagnostic::new(
                span,
                "only ops and the module's own functions can be called, by their names",
            )
            .with_help(
                "compute it in Rust and pass it in as an input or a `constant(super::NAME: f32[2, 3])`",
            ));
        }
        if symbol_at(input.cursor(), "!") {
            return Err(habits::macro_call("", span));
        }
        Ok(Expr { kind: ExprKind::Path(path), span })
    }

    /// `(a)`, `(a, b)`, `()`, `(first: a, second: b)`
    fn parentheses(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        enum Content {
            One(Expr),
            Tuple(Vec<Expr>),
            Named(Vec<(Ident, Expr)>),
        }
        let (content, span) = self.group(input, Delimiter::Parenthesis, |p, content| {
            let is_named = plain_name(content.cursor()).is_some_and(|(_, rest)| symbol_at(rest, ":"));
            if is_named {
                let list = p.comma_list(content, |p, content| {
                    let name = p.name(content, "the name of a result")?;
                    p.expect(content, ":")?;
                    Ok((name, p.value(content)?))
                })?;
                return Ok(Content::Named(list));
            }
            let mut list = Vec::new();
            while !content.is_empty() {
                list.push(p.value(content)?);
                if p.eat(content, ",").is_none() {
                    break;
                }
                if content.is_empty() {
                    return Ok(Content::Tuple(list));
                }
            }
            // One value without a comma is that value.
            Ok(match list.pop() {
                Some(only) if list.is_empty() => Content::One(only),
                Some(last) => {
                    list.push(last);
                    Content::Tuple(list)
                }
                None => Content::Tuple(list),
            })
        })?;
        let span = span.join();
        Ok(match content {
            Content::One(expr) => expr,
            Content::Tuple(list) => Expr { kind: ExprKind::Tuple(list), span },
            Content::Named(list) => {
                self.named = Some(span);
                Expr { kind: ExprKind::Named(list), span }
            }
        })
    }

    /// `(a, name = "b")`, with the place of its `)`.
    fn arguments(&mut self, input: &ParseBuffer<'a>) -> Parsed<(Vec<Argument>, Span)> {
        let (arguments, span) =
            self.group(input, Delimiter::Parenthesis, |p, content| p.comma_list(content, Self::argument))?;
        Ok((arguments, span.close()))
    }

    fn argument(&mut self, input: &ParseBuffer<'a>) -> Parsed<Argument> {
        let name = match plain_name(input.cursor()) {
            Some((name, rest)) if symbol_at(rest, "=") => {
                self.bump_ident(input);
                self.expect(input, "=")?;
                Some(name)
            }
            _ => None,
        };
        let value = self.value(input)?;
        if self.eat(input, ":").is_none() {
            return Ok(Argument { name, value });
        }
        let ty = self.tensor_type(input)?;
        self.height += 1;
        let span = join(value.span, ty.span).unwrap_or(value.span);
        Ok(Argument { name, value: Expr { kind: ExprKind::Typed { value: Box::new(value), ty }, span } })
    }

    /// `.0`, `.relu()`, `[0]`, as often as they come.
    pub(super) fn postfix(&mut self, input: &ParseBuffer<'a>, mut expr: Expr) -> Parsed<Expr> {
        loop {
            let cursor = input.cursor();
            if self.at_limit(cursor) || cursor.group(Delimiter::None).is_some() {
                return Ok(expr);
            }
            let span = input.span();
            match symbol(cursor) {
                Some(dot) if dot.text == "." => expr = self.behind_dot(input, expr, &dot)?,
                Some(_) => return Ok(expr),
                None if group_at(cursor, Delimiter::Bracket) => {
                    let (indices, brackets) = self
                        .group(input, Delimiter::Bracket, |p, content| p.comma_list(content, Self::index))?;
                    let span = join(expr.span, brackets.close()).unwrap_or(expr.span);
                    expr = Expr { kind: ExprKind::Index { base: Box::new(expr), indices }, span };
                }
                None if group_at(cursor, Delimiter::Parenthesis) => {
                    return Err(Diagnostic::new(span, "only a name can be called, not a value")
                        .with_help("write the op or helper by its name: `helper(x)`"));
                }
                None => return Ok(expr),
            }
            // What was read inside is counted as a sibling of the base; this is the node above both.
            self.height += 1;
            check_height(self.height, span)?;
        }
    }

    fn behind_dot(&mut self, input: &ParseBuffer<'a>, base: Expr, dot: &Symbol<'a>) -> Parsed<Expr> {
        self.bump_symbol(input, dot);
        let Some((literal, _)) = input.cursor().literal() else { return self.method(input, base) };
        let text = literal.to_string();
        let index_span = literal.span();
        let field = |base: Expr, digits: &str| -> Parsed<Expr> {
            let index = digits.parse().map_err(|_| {
                Diagnostic::new(
                    index_span,
                    format!("`.{text}` is no field: entries of a tuple or list are `.0`, `.1`…"),
                )
            })?;
            let span = join(base.span, index_span).unwrap_or(index_span);
            Ok(Expr { kind: ExprKind::Field { base: Box::new(base), index, index_span }, span })
        };
        // `x.0.1` arrives as `x`, `.`, `0.1`, and `x.0.` in front of a space as `0.`.
        let (expr, dot_behind) = match text.split_once('.') {
            None => (field(base, &text)?, false),
            Some((first, "")) => (field(base, first)?, true),
            Some((first, second)) => {
                let inner = field(base, first)?;
                self.height += 1;
                (field(inner, second)?, false)
            }
        };
        self.bump_literal(input);
        if dot_behind {
            self.height += 1;
            return self.method(input, expr);
        }
        Ok(expr)
    }

    fn method(&mut self, input: &ParseBuffer<'a>, receiver: Expr) -> Parsed<Expr> {
        let cursor = input.cursor();
        if word_at(cursor, "await") {
            let error = habits::keyword("await", input.span());
            return Err(error.unwrap_or_else(|| self.expected(input, "the name of an op")));
        }
        let function = self.name(input, "the name of an op, or the number of a field")?;
        if let Some(colons) = symbol(input.cursor()).filter(|colons| colons.text == "::") {
            return Err(habits::turbofish(colons.span()));
        }
        if !group_at(input.cursor(), Delimiter::Parenthesis) {
            return Err(Diagnostic::new(function.span(), format!("values have no field `{function}`"))
                .with_help(format!(
                    "an op is called: `.{function}()`; entries of a tuple or list are `.0`, `.1`"
                )));
        }
        let (arguments, close) = self.arguments(input)?;
        let span = join(receiver.span, close).unwrap_or(function.span());
        Ok(Expr { kind: ExprKind::Method { receiver: Box::new(receiver), function, arguments }, span })
    }

    /// One entry of `x[…]`.
    fn index(&mut self, input: &ParseBuffer<'a>) -> Parsed<Index> {
        let first_span = input.span();
        if let Some(span) = self.eat(input, "...") {
            return Ok(Index::Ellipsis(span));
        }
        let start = match self.range_mark(input) {
            Some(_) => None,
            None => Some(self.value(input)?),
        };
        let Some(inclusive) = self.range_mark(input) else {
            return match start {
                Some(position) => Ok(Index::At(position)),
                None => Err(self.expected(input, "an index")),
            };
        };
        let mark = self.eat(input, if inclusive { "..=" } else { ".." }).unwrap_or(first_span);
        let ends = |input: &ParseBuffer<'a>| {
            input.is_empty() || symbol(input.cursor()).is_some_and(|found| matches!(found.text, "," | ";"))
        };
        let stop = if ends(input) { None } else { Some(self.value(input)?) };
        if inclusive && stop.is_none() {
            return Err(self.expected(input, "the last position, behind `..=`"));
        }
        let step = match self.eat(input, ";") {
            Some(_) => Some(self.value(input)?),
            None => None,
        };
        let span = join(first_span, self.last).unwrap_or(mark);
        Ok(Index::Range(Box::new(IndexRange { start, stop, inclusive, step, span })))
    }

    /// Whether `..` (false) or `..=` (true) comes next.
    fn range_mark(&self, input: &ParseBuffer<'a>) -> Option<bool> {
        match symbol(input.cursor())?.text {
            ".." => Some(false),
            "..=" => Some(true),
            _ => None,
        }
    }

    /// `device(…) BODY`, `scope(…) BODY`, `colocate_with(…) BODY`
    fn block_like(&mut self, input: &ParseBuffer<'a>, word: &str) -> Parsed<Expr> {
        enum Head {
            Device(DeviceArgument),
            Scope(StringLiteral),
            Colocate(Box<Expr>),
        }
        self.bump_ident(input);
        let keyword = self.last;
        let (head, _) = self.group(input, Delimiter::Parenthesis, |p, content| {
            let head = match word {
                "device" => Head::Device(p.device_argument(content)?),
                "scope" => Head::Scope(p.string(content, "the name of the scope, a string")?),
                _ => Head::Colocate(Box::new(p.value(content)?)),
            };
            if p.eat(content, ",").is_some() && !content.is_empty() {
                return Err(Diagnostic::new(content.span(), format!("`{word}` takes one argument"))
                    .with_help("names of loop variables stand in the string: `\"/device:GPU:{i}\"`"));
            }
            Ok(head)
        })?;
        let body = self.block_or_angles(input, word)?;
        let span = join(keyword, self.last).unwrap_or(keyword);
        let kind = match head {
            Head::Device(device) => ExprKind::Device { device, body },
            Head::Scope(name) => ExprKind::Scope { name, body },
            Head::Colocate(anchor) => ExprKind::ColocateWith { anchor, body },
        };
        Ok(Expr { kind, span })
    }

    /// What stands between the parentheses of `device(…)`.
    pub(super) fn device_argument(&mut self, input: &ParseBuffer<'a>) -> Parsed<DeviceArgument> {
        if let Some((name, _)) = plain_name(input.cursor()) {
            if let Some(call) = symbol(input.cursor().ident().map_or(input.cursor(), |(_, rest)| rest))
                && call.text == "!"
            {
                return Err(habits::macro_call(&name.to_string(), name.span()));
            }
            self.bump_ident(input);
            return Ok(if name == "none" {
                DeviceArgument::None(name.span())
            } else {
                DeviceArgument::Name(name)
            });
        }
        let string =
            self.string(input, "a device: a string such as `\"/device:GPU:0\"`, a loop variable, or `none`")?;
        Ok(DeviceArgument::String(string))
    }

    pub(super) fn string(&mut self, input: &ParseBuffer<'a>, what: &str) -> Parsed<StringLiteral> {
        if let Some((literal, _)) = input.cursor().literal() {
            let span = literal.span();
            if let syn::Lit::Str(string) = syn::Lit::new(literal)
                && string.suffix().is_empty()
            {
                self.bump_literal(input);
                return Ok(StringLiteral { value: string.value(), span });
            }
        }
        Err(self.expected(input, what))
    }

    /// `for d in LIST { … }`
    fn for_loop(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        self.bump_ident(input);
        let keyword = self.last;
        let variable = self.pattern(input)?;
        if !word_at(input.cursor(), "in") {
            return Err(self.expected(input, "`in`"));
        }
        self.bump_ident(input);
        let before_block = std::mem::replace(&mut self.before_block, true);
        let iterable = self.iterable(input);
        self.before_block = before_block;
        let iterable = iterable?;
        if !group_at(input.cursor(), Delimiter::Brace) {
            return Err(self.expected(input, "`{`"));
        }
        let body = self.block(input)?;
        let span = join(keyword, self.last).unwrap_or(keyword);
        Ok(Expr { kind: ExprKind::For { variable, iterable, body }, span })
    }

    fn iterable(&mut self, input: &ParseBuffer<'a>) -> Parsed<Iterable> {
        let start = self.value(input)?;
        let Some(inclusive) = self.range_mark(input) else { return Ok(Iterable::Expr(Box::new(start))) };
        let mark = self.expect(input, if inclusive { "..=" } else { ".." })?;
        let end = self.value(input)?;
        let span = join(start.span, end.span).unwrap_or(mark);
        Ok(Iterable::Range { start: Box::new(start), end: Box::new(end), inclusive, span })
    }

    /// A number in front of a unit, for budgets.
    pub(super) fn whole_number(
        &mut self,
        input: &ParseBuffer<'a>,
        what: &str,
    ) -> Parsed<(syn::LitInt, Span)> {
        if let Some((literal, _)) = input.cursor().literal() {
            let span = literal.span();
            if literal.to_string().len() <= LONGEST_NUMBER
                && let syn::Lit::Int(number) = syn::Lit::new(literal)
            {
                self.bump_literal(input);
                return Ok((number, span));
            }
        }
        Err(self.expected(input, what))
    }
}

fn any_group_at(cursor: Cursor<'_>) -> bool {
    [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace]
        .iter()
        .any(|delimiter| group_at(cursor, *delimiter))
}

/// Whether an expression comes that ends with its block.
pub(super) fn at_block_like(cursor: Cursor<'_>) -> bool {
    ["device", "scope", "colocate_with"].iter().any(|word| call_at(cursor, word))
}

fn literal_expression(literal: Literal) -> Parsed<Expr> {
    let span = literal.span();
    let text = literal.to_string();
    let starts_as_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if starts_as_number && text.len() > LONGEST_NUMBER {
        return Err(Diagnostic::new(span, format!("this number has more than {LONGEST_NUMBER} characters")));
    }
    let kind = match syn::Lit::new(literal) {
        syn::Lit::Str(string) if string.suffix().is_empty() => ExprKind::String(string.value()),
        syn::Lit::Int(number) => signed(number.base10_digits(), false, number.suffix(), span),
        syn::Lit::Float(number) => signed(number.base10_digits(), true, number.suffix(), span),
        _ => {
            return Err(Diagnostic::new(span, "a graph has no literals of this kind")
                .with_help("numbers, `true`, `false` and plain strings are literals; a byte is `65u8`"));
        }
    };
    Ok(Expr { kind, span })
}

/// A literal made by another macro may carry a minus sign of its own.
fn signed(digits: &str, is_float: bool, suffix: &str, span: Span) -> ExprKind {
    let (is_negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    let mut digits = digits.to_string();
    if digits.ends_with('.') {
        digits.push('0');
    }
    let suffix = (!suffix.is_empty()).then(|| suffix.to_string());
    let number = ExprKind::Number(Number { digits, is_float, suffix });
    if !is_negative {
        return number;
    }
    let operand = Box::new(Expr { kind: number, span });
    ExprKind::Unary { operator: UnaryOperator::Negate, operator_span: span, operand }
}
