//! Operators: precedence as in Rust, by one loop with a stack of its own, so that neither long chains nor deep
//! precedence cost recursion.

use super::tokens::{closing_angles, group_at, join, plain_name, symbol};
use super::{Parsed, Parser, habits};
use crate::Diagnostic;
use crate::syntax::{BinaryOperator, Expr, ExprKind, MAX_HEIGHT, UnaryOperator};
use proc_macro2::{Delimiter, Span};
use syn::buffer::Cursor;
use syn::parse::ParseBuffer;

/// Higher binds tighter.
fn precedence(operator: BinaryOperator) -> u32 {
    use BinaryOperator::{
        Add, And, Div, Equal, Greater, GreaterEqual, Less, LessEqual, Mul, NotEqual, Or, Rem, ShiftLeft,
        ShiftRight, Sub, Xor,
    };
    match operator {
        Mul | Div | Rem => 7,
        Add | Sub => 6,
        ShiftLeft | ShiftRight => 5,
        And => 4,
        Xor => 3,
        Or => 2,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => COMPARISON,
    }
}

const COMPARISON: u32 = 1;

fn binary_operator(text: &str) -> Option<BinaryOperator> {
    Some(match text {
        "+" => BinaryOperator::Add,
        "-" => BinaryOperator::Sub,
        "*" => BinaryOperator::Mul,
        "/" => BinaryOperator::Div,
        "%" => BinaryOperator::Rem,
        "==" => BinaryOperator::Equal,
        "!=" => BinaryOperator::NotEqual,
        "<" => BinaryOperator::Less,
        "<=" => BinaryOperator::LessEqual,
        ">" => BinaryOperator::Greater,
        ">=" => BinaryOperator::GreaterEqual,
        "&" => BinaryOperator::And,
        "|" => BinaryOperator::Or,
        "^" => BinaryOperator::Xor,
        "<<" => BinaryOperator::ShiftLeft,
        ">>" => BinaryOperator::ShiftRight,
        _ => return None,
    })
}

/// An operator that waits for its right side.
struct Pending {
    operator: BinaryOperator,
    span: Span,
}

/// A finished side and the height of its tree.
struct Side {
    expr: Expr,
    height: usize,
}

impl<'a> Parser<'a, '_> {
    /// An expression that is used as a value here and now: named results are no value.
    pub(super) fn value(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        let expr = self.expr(input)?;
        self.refuse_named()?;
        Ok(expr)
    }

    pub(super) fn refuse_named(&mut self) -> Parsed<()> {
        match self.named.take() {
            Some(span) => Err(Diagnostic::new(span, "named results are not a value that can be used here")
                .with_help("they stand at the end of a function; a tuple `(a, b)` can stand anywhere")),
            None => Ok(()),
        }
    }

    /// Any expression, as far as it goes.
    pub(super) fn expr(&mut self, input: &ParseBuffer<'a>) -> Parsed<Expr> {
        self.nested(input.span(), |p| p.operations(input, input.cursor()))
    }

    /// `at` is where `input` is, but may stand inside an invisible group that starts there.
    fn operations(&mut self, input: &ParseBuffer<'a>, at: Cursor<'a>) -> Parsed<Expr> {
        let outer = self.height;
        let first = self.side(input, at)?;
        let last = self.continue_operations(input, first)?;
        self.height = outer.max(last.height);
        Ok(last.expr)
    }

    /// Goes on behind an expression that was read already, of height `self.height`: `{ … }.relu() + 1`.
    pub(super) fn continue_expression(&mut self, input: &ParseBuffer<'a>, expr: Expr) -> Parsed<Expr> {
        let expr = self.postfix(input, expr)?;
        let first = Side { expr, height: self.height };
        let last = self.continue_operations(input, first)?;
        self.height = last.height;
        Ok(last.expr)
    }

    fn continue_operations(&mut self, input: &ParseBuffer<'a>, first: Side) -> Parsed<Side> {
        let mut sides: Vec<Side> = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        let mut right = first;
        while let Some(next) = self.infix(input, &right.expr)? {
            let binding = precedence(next.operator);
            if binding == COMPARISON
                && let Some(first) = pending.first()
                && precedence(first.operator) == COMPARISON
            {
                return Err(Diagnostic::new(next.span, "comparisons do not chain")
                    .with_help("compare twice and join with `&`: `(a < b) & (b < c)`"));
            }
            while let Some(top) = pending.pop_if(|top| precedence(top.operator) >= binding) {
                right = combine(sides.pop(), top, right)?;
            }
            sides.push(right);
            pending.push(next);
            right = self.side(input, input.cursor())?;
        }
        while let Some(top) = pending.pop() {
            right = combine(sides.pop(), top, right)?;
        }
        Ok(right)
    }

    fn side(&mut self, input: &ParseBuffer<'a>, at: Cursor<'a>) -> Parsed<Side> {
        self.height = 0;
        let expr = self.operand(input, at)?;
        Ok(Side { expr, height: self.height })
    }

    /// Takes a binary operator if one comes next.
    fn infix(&mut self, input: &ParseBuffer<'a>, left: &Expr) -> Parsed<Option<Pending>> {
        let cursor = input.cursor();
        if self.at_limit(cursor) || cursor.group(Delimiter::None).is_some() {
            return Ok(None);
        }
        let Some(found) = symbol(cursor) else {
            return match cursor.ident() {
                Some((word, rest)) if word == "as" => Err(habits::cast(word.span(), left, rest)),
                _ => Ok(None),
            };
        };
        let operator = binary_operator(found.text);
        if self.angle > 0 {
            if found.text.starts_with('>') {
                let closes = closing_angles(cursor) <= self.angle && !found.text.ends_with('=');
                if closes && !(found.text == ">" && is_right_side(found.rest)) {
                    return Ok(None);
                }
                let error = bare_in_angle_block(found.span(), found.text);
                self.bump_symbol(input, &found);
                return Err(error);
            }
            if matches!(operator, Some(BinaryOperator::Less | BinaryOperator::LessEqual)) {
                return Err(bare_in_angle_block(found.span(), found.text));
            }
        }
        let Some(operator) = operator else {
            return match habits::infix(&found, left) {
                // Ranges belong to `for` and to indices, which look for them themselves.
                Some(error) if !found.text.starts_with("..") => Err(error),
                _ => Ok(None),
            };
        };
        self.bump_symbol(input, &found);
        Ok(Some(Pending { operator, span: found.span() }))
    }

    pub(super) fn at_limit(&self, cursor: Cursor<'a>) -> bool {
        self.limit.is_some_and(|limit| cursor >= limit)
    }

    /// A sign and what it applies to, or an operand with all that is attached to it.
    fn operand(&mut self, input: &ParseBuffer<'a>, at: Cursor<'a>) -> Parsed<Expr> {
        if let Some((inside, span, rest)) = at.group(Delimiter::None) {
            if inside.eof() {
                return Err(Diagnostic::new(span.join(), "expected an expression, found nothing"));
            }
            // A single word is no more than that word: it may be called, for example.
            if !inside.ident().is_some_and(|(_, behind)| behind.eof()) {
                let whole = self.fragment(input, inside, rest)?;
                return self.postfix(input, whole);
            }
        }
        let Some(sign) = symbol(at) else {
            let primary = self.primary(input)?;
            return self.postfix(input, primary);
        };
        let operator = match sign.text {
            "-" => UnaryOperator::Negate,
            "!" => UnaryOperator::Not,
            _ => {
                let primary = self.primary(input)?;
                return self.postfix(input, primary);
            }
        };
        self.bump_symbol(input, &sign);
        let operand = self.node(|p| p.nested(sign.span(), |p| p.operand(input, input.cursor())))?;
        let operator_span = sign.span();
        let span = join(operator_span, operand.span).unwrap_or(operator_span);
        Ok(Expr { kind: ExprKind::Unary { operator, operator_span, operand: Box::new(operand) }, span })
    }

    /// The expression in an invisible group, which is what a `macro_rules` fragment such as `$x:expr` becomes. It is
    /// one operand, whatever operators it has inside.
    fn fragment(&mut self, input: &ParseBuffer<'a>, inside: Cursor<'a>, rest: Cursor<'a>) -> Parsed<Expr> {
        let outer = self.limit.replace(rest);
        let result = self.nested(input.span(), |p| p.operations(input, inside));
        self.limit = outer;
        let expr = result?;
        if input.cursor() < rest {
            return Err(self.expected(input, "an operator or the end of the macro's fragment"));
        }
        Ok(expr)
    }
}

fn combine(left: Option<Side>, pending: Pending, right: Side) -> Parsed<Side> {
    let Pending { operator, span: operator_span } = pending;
    // Every pending operator was pushed together with its left side.
    let Some(left) = left else {
        return Err(Diagnostic::new(operator_span, "this operator has no left side"));
    };
    let height = left.height.max(right.height) + 1;
    check_height(height, operator_span)?;
    let span = join(left.expr.span, right.expr.span).unwrap_or(operator_span);
    let (left, right) = (Box::new(left.expr), Box::new(right.expr));
    Ok(Side { expr: Expr { kind: ExprKind::Binary { operator, operator_span, left, right }, span }, height })
}

/// Keeps trees so low that a recursive walk over one does not overflow the stack.
pub(super) fn check_height(height: usize, span: Span) -> Parsed<()> {
    if height <= MAX_HEIGHT {
        return Ok(());
    }
    Err(Diagnostic::new(
        span,
        format!("this expression has more than {MAX_HEIGHT} operations on top of each other"),
    )
    .with_help("name parts of it with `let`; many terms are added by `add_n([a, b, c])`"))
}

/// Whether something follows that cannot stand behind a block, but behind a comparison's `>`.
fn is_right_side(cursor: Cursor<'_>) -> bool {
    cursor.literal().is_some() || plain_name(cursor).is_some() || group_at(cursor, Delimiter::Parenthesis)
}

/// A comparison or shift that an angle block's `>` could be mistaken for.
pub(super) fn bare_in_angle_block(span: Span, text: &str) -> Diagnostic {
    let what = if text.starts_with(">>") { "shift" } else { "comparison" };
    Diagnostic::new(span, format!("`{text}` stands bare in a block `< … >`, where `>` closes the block"))
        .with_help(format!("put the {what} in parentheses: `(a {text} b)`, or write the block with braces"))
}
