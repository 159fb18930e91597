//! Blocks and the statements in them, with recovery at `;`.

use super::operands::at_block_like;
use super::tokens::{
    at_inner_attribute, call_at, closing_angles, group_at, join, plain_name, symbol, symbol_at, word_at,
};
use super::{Parsed, Parser, habits};
use crate::Diagnostic;
use crate::syntax::{BinaryOperator, Block, Budget, Const, Expr, ExprKind, Let, Statement};
use proc_macro2::{Delimiter, Span};
use syn::buffer::Cursor;
use syn::parse::ParseBuffer;

/// What one step through a block found.
enum Step {
    Statement(Statement),
    /// The expression that the block ends with.
    Tail(Expr),
    /// Something that was reported already.
    Nothing,
}

impl<'a> Parser<'a, '_> {
    /// `{ … }`; mistakes inside are reported here.
    pub(super) fn block(&mut self, input: &ParseBuffer<'a>) -> Parsed<Block> {
        let (mut block, span) =
            self.group(input, Delimiter::Brace, |p, content| Ok(p.block_until_end(content, Vec::new())))?;
        block.span = span.join();
        Ok(block)
    }

    /// `{ … }` or `< … >`
    pub(super) fn block_or_angles(&mut self, input: &ParseBuffer<'a>, word: &str) -> Parsed<Block> {
        if group_at(input.cursor(), Delimiter::Brace) {
            return self.block(input);
        }
        self.angles(input, word, |p, input| p.block_until_end(input, Vec::new())).map(|(mut block, span)| {
            block.span = span;
            block
        })
    }

    /// `< … >` around whatever `read` reads; it stops in front of the `>`.
    pub(super) fn angles<T>(
        &mut self,
        input: &ParseBuffer<'a>,
        word: &str,
        read: impl FnOnce(&mut Self, &ParseBuffer<'a>) -> T,
    ) -> Parsed<(T, Span)> {
        let Some(open) = self.eat(input, "<") else {
            let example = format!("`{word}(…)` needs a block: `{word}(…) {{ … }}`");
            return Err(self.expected(input, "`{`").with_help(example));
        };
        let before_block = std::mem::replace(&mut self.before_block, false);
        self.angle += 1;
        let value = read(self, input);
        self.angle -= 1;
        self.before_block = before_block;
        if closing_angles(input.cursor()) == 0 {
            return Err(Diagnostic::new(
                open,
                format!("this block is never closed: `{word}(…) <` has no `>`"),
            )
            .with_help("write `>` behind its last line, or use braces: `{ … }`"));
        }
        self.bump_closing_angle(input);
        self.angle_closed = Some(input.cursor());
        let span = join(open, self.last).unwrap_or(open);
        Ok((value, span))
    }

    /// Statements up to the end of the bracket, or to the `>` of an angle block. `attributes` were read already and
    /// belong to the first statement.
    pub(super) fn block_until_end(
        &mut self,
        input: &ParseBuffer<'a>,
        attributes: Vec<syn::Attribute>,
    ) -> Block {
        let start = input.span();
        let mut pending = Some(attributes).filter(|attributes| !attributes.is_empty());
        let mut statements = Vec::new();
        let mut tail = None;
        while !self.at_block_end(input) {
            if pending.is_none() && self.eat(input, ";").is_some() {
                continue;
            }
            let before = input.cursor();
            let attributes = match pending.take() {
                Some(attributes) => attributes,
                None => self.outer_attributes(input),
            };
            match self.statement(input, attributes) {
                Ok(Step::Statement(statement)) => statements.push(statement),
                Ok(Step::Tail(expr)) => tail = Some(Box::new(expr)),
                Ok(Step::Nothing) => {}
                Err(error) => {
                    self.report(error);
                    self.skip_statement(input);
                }
            }
            if input.cursor() == before && !self.at_block_end(input) {
                self.bump_tree(input);
            }
        }
        if let Some(attribute) = pending.iter().flatten().next() {
            self.report(misplaced_attribute(attribute));
        }
        Block { statements, tail, span: start }
    }

    fn at_block_end(&self, input: &ParseBuffer<'a>) -> bool {
        input.is_empty() || self.angle > 0 && closing_angles(input.cursor()) > 0
    }

    /// `#[…]`, any number; mistakes are reported here.
    pub(super) fn outer_attributes(&mut self, input: &ParseBuffer<'a>) -> Vec<syn::Attribute> {
        let mut attributes = Vec::new();
        while symbol_at(input.cursor(), "#") {
            let span = input.span();
            let is_inner = at_inner_attribute(input.cursor());
            match self.attribute(input) {
                Ok(_) if is_inner => self.report(
                    Diagnostic::new(span, "`#![…]` stands at the very beginning of the graph")
                        .with_help("write `#[…]` in front of the item or `let` that it is for"),
                ),
                Ok(attribute) => attributes.push(attribute),
                Err(error) => {
                    self.report(error);
                    self.eat(input, "#");
                    self.eat(input, "!");
                    if group_at(input.cursor(), Delimiter::Bracket) {
                        self.bump_tree(input);
                    }
                }
            }
        }
        attributes
    }

    /// One `#[…]` or `#![…]`, left alone when it is wrong.
    pub(super) fn attribute(&mut self, input: &ParseBuffer<'a>) -> Parsed<syn::Attribute> {
        let cursor = input.cursor();
        let mut behind = symbol(cursor).map_or(cursor, |hash| hash.rest);
        if let Some(mark) = symbol(behind).filter(|mark| mark.text == "!") {
            behind = mark.rest;
        }
        let Some((inside, span, _)) = behind.group(Delimiter::Bracket) else {
            return Err(self.expected(input, "an attribute `#[…]`"));
        };
        // syn reads expressions in attributes by recursion without a limit.
        if is_long(inside) {
            return Err(Diagnostic::new(span.join(), "this attribute is too long for a graph"));
        }
        let read = if at_inner_attribute(cursor) {
            syn::Attribute::parse_inner
        } else {
            syn::Attribute::parse_outer
        };
        let mut attributes = read(input)?;
        self.last = span.close();
        attributes.pop().ok_or_else(|| self.expected(input, "an attribute `#[…]`"))
    }

    fn statement(&mut self, input: &ParseBuffer<'a>, attributes: Vec<syn::Attribute>) -> Parsed<Step> {
        self.height = 0;
        self.named = None;
        let cursor = input.cursor();
        if word_at(cursor, "let") {
            return Ok(Step::Statement(Statement::Let(self.let_statement(input, attributes)?)));
        }
        if let Some(attribute) = attributes.iter().find(|attribute| !attribute.path().is_ident("doc")) {
            self.report(misplaced_attribute(attribute));
        }
        if let Some((word, rest)) = cursor.ident() {
            let text = word.to_string();
            if text == "const" {
                return Ok(Step::Statement(Statement::Const(self.const_item(input)?)));
            }
            if call_at(cursor, "budget") {
                return Ok(Step::Statement(Statement::Budget(self.budget(input)?)));
            }
            if text == "var" && plain_name(rest).is_some() {
                return Err(Diagnostic::new(
                    word.span(),
                    "a `var` stands in a module, not in a block: it lives from run to run",
                )
                .with_help("write it into `graph! { pub mod name { … } }`"));
            }
            if habits::ends_with_braces(&text)
                && let Some(error) = habits::keyword(&text, word.span())
            {
                self.report(error);
                self.skip_braced(input);
                return Ok(Step::Nothing);
            }
            if let Some(operator) = symbol(rest).and_then(|found| assignment(found.text))
                && plain_name(cursor).is_some()
            {
                return Ok(Step::Statement(self.assignment(input, operator)?));
            }
        }
        self.expression_statement(input)
    }

    /// `let pattern: type = value;`
    fn let_statement(&mut self, input: &ParseBuffer<'a>, attributes: Vec<syn::Attribute>) -> Parsed<Let> {
        self.bump_ident(input);
        let pattern = self.pattern(input)?;
        let ty = match self.eat(input, ":") {
            Some(_) => Some(self.tensor_type(input)?),
            None => None,
        };
        if symbol_at(input.cursor(), ";") {
            return Err(self
                .expected(input, "`=`")
                .with_help("a value is given where it is declared: `let x = …;`"));
        }
        self.expect(input, "=")?;
        let value = self.value(input)?;
        if word_at(input.cursor(), "else") {
            return Err(Diagnostic::new(
                input.span(),
                "there is no `let … else`: a pattern of a graph always fits",
            )
            .with_help("leave out the `else { … }`"));
        }
        self.semicolon(input)?;
        Ok(Let { attributes, pattern, ty, value })
    }

    /// `const NAME: usize = value;`
    pub(super) fn const_item(&mut self, input: &ParseBuffer<'a>) -> Parsed<Const> {
        self.bump_ident(input);
        let name = self.name(input, "the name of the constant")?;
        if self.eat(input, ":").is_some() {
            self.const_type(input)?;
        }
        self.expect(input, "=")?;
        let value = self.value(input)?;
        self.semicolon(input)?;
        Ok(Const { name, value })
    }

    /// `budget("/device:GPU:0", 64 MiB);`
    pub(super) fn budget(&mut self, input: &ParseBuffer<'a>) -> Parsed<Budget> {
        self.bump_ident(input);
        let keyword = self.last;
        let ((device, bytes), _) = self.group(input, Delimiter::Parenthesis, |p, content| {
            let device = p.string(content, "a device, a string such as `\"/device:GPU:0\"`")?;
            p.expect(content, ",")?;
            let bytes = p.bytes(content)?;
            p.eat(content, ",");
            Ok((device, bytes))
        })?;
        let span = join(keyword, self.last).unwrap_or(keyword);
        self.semicolon(input)?;
        Ok(Budget { device, bytes, span })
    }

    /// `64 MiB`, `64MiB`, `1024`
    fn bytes(&mut self, input: &ParseBuffer<'a>) -> Parsed<u64> {
        const HELP: &str = "a size is a whole number and a unit: B, KiB, MiB, GiB (powers of 1024), KB, MB, GB (powers of 1000)";
        let (number, span) =
            self.whole_number(input, "a whole number of bytes").map_err(|error| error.with_help(HELP))?;
        let mut unit = number.suffix().to_string();
        let mut unit_span = span;
        if unit.is_empty()
            && let Some((word, _)) = input.cursor().ident()
        {
            self.bump_ident(input);
            unit = word.to_string();
            unit_span = word.span();
        }
        let factor: u64 = match unit.as_str() {
            "" | "B" => 1,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            "KB" => 1000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            _ => {
                return Err(
                    Diagnostic::new(unit_span, format!("`{unit}` is not a unit of memory")).with_help(HELP)
                );
            }
        };
        let count: Option<u64> = number.base10_digits().parse().ok();
        count.and_then(|count| count.checked_mul(factor)).ok_or_else(|| {
            Diagnostic::new(span, "this is more memory than 64 bits can count")
                .with_help(format!("the most is {} bytes", u64::MAX))
        })
    }

    /// `v = e;`, `v -= e;`
    fn assignment(&mut self, input: &ParseBuffer<'a>, operator: Assignment) -> Parsed<Statement> {
        let target = self.name(input, "a variable")?;
        let Some(found) = symbol(input.cursor()) else { return Err(self.expected(input, "`=`")) };
        let operator = match operator {
            Assignment::Plain => None,
            Assignment::With(operator) => Some(operator),
            Assignment::Unknown => {
                let plain = &found.text[..found.text.len() - 1];
                return Err(Diagnostic::new(found.span(), format!("there is no `{}`", found.text))
                    .with_help(format!("write `{target} = {target} {plain} …;`")));
            }
        };
        self.bump_symbol(input, &found);
        let value = self.value(input)?;
        let span = join(target.span(), value.span).unwrap_or(found.span());
        self.semicolon(input)?;
        Ok(Statement::Assign { target, operator, value, span })
    }

    fn expression_statement(&mut self, input: &ParseBuffer<'a>) -> Parsed<Step> {
        let cursor = input.cursor();
        let block_like = cursor.group(Delimiter::None).is_none()
            && (at_block_like(cursor) || word_at(cursor, "for") || group_at(cursor, Delimiter::Brace));
        let mut ends_itself = block_like;
        let expr = if block_like {
            let expr = self.nested(input.span(), |p| p.primary(input))?;
            if symbol_at(input.cursor(), ".") {
                ends_itself = false;
                self.continue_expression(input, expr)?
            } else {
                expr
            }
        } else {
            self.expr(input)?
        };
        if self.eat(input, ";").is_some() {
            self.refuse_named()?;
            return Ok(Step::Statement(Statement::Expr(expr)));
        }
        if self.at_block_end(input) {
            if matches!(expr.kind, ExprKind::Named(_)) {
                self.named = None;
            }
            self.refuse_named()?;
            return Ok(Step::Tail(expr));
        }
        self.refuse_named()?;
        if ends_itself {
            self.refuse_operator_behind_block(input)?;
        } else {
            self.semicolon(input)?;
        }
        Ok(Step::Statement(Statement::Expr(expr)))
    }

    /// As in Rust, a block at the start of a statement is the whole of it.
    fn refuse_operator_behind_block(&self, input: &ParseBuffer<'a>) -> Parsed<()> {
        match symbol(input.cursor()) {
            Some(found)
                if matches!(
                    found.text,
                    "+" | "/" | "%" | "^" | "==" | "!=" | "<=" | ">=" | "<" | ">" | ">>" | "<<"
                ) =>
            {
                Err(Diagnostic::new(
                    found.span(),
                    format!("`{}` has no left side: the block before it ended the statement", found.text),
                )
                .with_help("put the block in parentheses, or name its value: `let part = device(…) { … };`"))
            }
            _ => Ok(()),
        }
    }

    /// The `;` that ends a statement. If it was only forgotten, that is reported, and the next statement is read.
    pub(super) fn semicolon(&mut self, input: &ParseBuffer<'a>) -> Parsed<()> {
        if self.eat(input, ";").is_some() {
            return Ok(());
        }
        let cursor = input.cursor();
        if let Some(found) = symbol(cursor) {
            match found.text {
                "=" => {
                    return Err(Diagnostic::new(found.span(), "this can't be assigned to")
                        .with_help("only a `var` of the module can: `v = …;`, `v -= …;`"));
                }
                ".." | "..=" => {
                    return Err(habits::prefix(&found).unwrap_or_else(|| self.expected(input, "`;`")));
                }
                // A new statement, or something that an error about a missing `;` describes best.
                "-" | "!" | "#" | "&" | "*" | "|" | "::" => {}
                _ if self.angle > 0 && found.text.starts_with('>') => {
                    if starts_operand(found.rest) {
                        let error = super::expressions::bare_in_angle_block(found.span(), found.text);
                        self.bump_symbol(input, &found);
                        return Err(error);
                    }
                }
                text if assignment(text).is_some() => {
                    return Err(Diagnostic::new(found.span(), "this can't be assigned to")
                        .with_help("only a `var` of the module can: `v = …;`, `v -= …;`"));
                }
                _ => return Err(self.expected(input, "`;` or an operator")),
            }
        }
        let error =
            Diagnostic::new(self.last, format!("`;` is missing behind this, before {}", self.found(cursor)));
        let help = if self.angle_closed == Some(cursor) {
            "end the statement with `;`; if the `>` was meant as a comparison, put it in parentheses: `(a > b)`"
        } else {
            "end the statement with `;`"
        };
        self.report(error.with_help(help));
        Ok(())
    }

    /// Behind `if … { … } else { … }` and the like.
    fn skip_braced(&mut self, input: &ParseBuffer<'a>) {
        while !input.is_empty() {
            if self.eat(input, ";").is_some() {
                return;
            }
            let is_braces = group_at(input.cursor(), Delimiter::Brace);
            if !self.bump_tree(input) {
                return;
            }
            if is_braces && !word_at(input.cursor(), "else") {
                return;
            }
        }
    }
}

pub(super) fn misplaced_attribute(attribute: &syn::Attribute) -> Diagnostic {
    let span = attribute.pound_token.spans[0];
    Diagnostic::new(
        join(span, attribute.bracket_token.span.close()).unwrap_or(span),
        "an attribute has no effect here",
    )
    .with_help("attributes stand on the module, on functions and on `let`")
}

#[derive(Clone, Copy)]
enum Assignment {
    Plain,
    With(BinaryOperator),
    /// `%=` and the like, which Rust has.
    Unknown,
}

fn assignment(text: &str) -> Option<Assignment> {
    Some(match text {
        "=" => Assignment::Plain,
        "+=" => Assignment::With(BinaryOperator::Add),
        "-=" => Assignment::With(BinaryOperator::Sub),
        "*=" => Assignment::With(BinaryOperator::Mul),
        "/=" => Assignment::With(BinaryOperator::Div),
        "%=" | "^=" | "&=" | "|=" | "<<=" | ">>=" => Assignment::Unknown,
        _ => return None,
    })
}

/// Whether the right side of a comparison could stand here.
fn starts_operand(cursor: Cursor<'_>) -> bool {
    plain_name(cursor).is_some()
        || cursor.literal().is_some()
        || group_at(cursor, Delimiter::Parenthesis)
        || group_at(cursor, Delimiter::Bracket)
        || symbol_at(cursor, "-")
}

fn is_long(mut cursor: Cursor<'_>) -> bool {
    const MOST: usize = 64;
    for _ in 0..MOST {
        let Some((_, rest)) = cursor.token_tree() else { return false };
        cursor = rest;
    }
    true
}
