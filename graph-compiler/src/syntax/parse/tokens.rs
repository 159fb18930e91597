//! Looking at tokens, taking them, and skipping them after a mistake.

use super::{MAX_NESTING, Parsed, Parser, too_deep};
use crate::Diagnostic;
use proc_macro2::extra::DelimSpan;
use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenTree};
use syn::buffer::Cursor;
use syn::parse::ParseBuffer;

/// Two and three characters that make one symbol when nothing stands between them.
const LONG_SYMBOLS: [&str; 24] = [
    "...", "..=", "<<=", ">>=", "..", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "=>", "::", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=",
];

/// An operator or a mark.
pub(super) struct Symbol<'a> {
    pub(super) text: &'static str,
    first: Span,
    last: Span,
    pub(super) rest: Cursor<'a>,
}

impl Symbol<'_> {
    pub(super) fn span(&self) -> Span {
        join(self.first, self.last).unwrap_or(self.first)
    }
}

/// What stands behind the last token of a graph.
pub(super) const END: &str = "the end of the graph";

/// Both spans and what lies between, where the compiler lets us: not in a macro on stable Rust.
pub(super) fn join(first: Span, last: Span) -> Option<Span> {
    first.join(last)
}

/// The longest symbol at the cursor.
pub(super) fn symbol(cursor: Cursor<'_>) -> Option<Symbol<'_>> {
    let (punct, mut rest) = cursor.punct()?;
    let first = punct.span();
    let mut found = [(punct.as_char(), first, rest); 3];
    let mut length = 1;
    let mut joint = punct.spacing() == Spacing::Joint;
    while joint && length < 3 {
        let Some((next, behind)) = rest.punct() else { break };
        found[length] = (next.as_char(), next.span(), behind);
        length += 1;
        joint = next.spacing() == Spacing::Joint;
        rest = behind;
    }
    if length > 1 {
        for text in LONG_SYMBOLS {
            let characters = text.len();
            if characters <= length
                && text.chars().eq(found[..characters].iter().map(|(character, ..)| *character))
            {
                let (_, last, rest) = found[characters - 1];
                return Some(Symbol { text, first, last, rest });
            }
        }
    }
    let (character, last, rest) = found[0];
    Some(Symbol { text: single(character), first, last, rest })
}

fn single(character: char) -> &'static str {
    const SINGLE: &str = "+-*/%<>=&|^!~.,;:#$?@";
    match SINGLE.find(character) {
        Some(at) => &SINGLE[at..at + 1],
        None => "\\",
    }
}

/// How many `>` stand together at the cursor.
pub(super) fn closing_angles(mut cursor: Cursor<'_>) -> usize {
    let mut count = 0;
    while let Some((punct, rest)) = cursor.punct() {
        if punct.as_char() != '>' {
            break;
        }
        count += 1;
        if punct.spacing() == Spacing::Alone {
            break;
        }
        cursor = rest;
    }
    count
}

pub(super) fn symbol_at(cursor: Cursor<'_>, text: &str) -> bool {
    symbol(cursor).is_some_and(|found| found.text == text)
}

/// Whether the word `keyword` and then the symbol `text` come next.
pub(super) fn keyword_at(cursor: Cursor<'_>, keyword: &str, text: &str) -> bool {
    cursor.ident().is_some_and(|(ident, rest)| ident == keyword && symbol_at(rest, text))
}

pub(super) fn word_at(cursor: Cursor<'_>, word: &str) -> bool {
    cursor.ident().is_some_and(|(ident, _)| ident == word)
}

pub(super) fn group_at(cursor: Cursor<'_>, delimiter: Delimiter) -> bool {
    cursor.group(delimiter).is_some()
}

/// Whether a call-like construct `word(…)` comes next.
pub(super) fn call_at(cursor: Cursor<'_>, word: &str) -> bool {
    cursor.ident().is_some_and(|(ident, rest)| ident == word && group_at(rest, Delimiter::Parenthesis))
}

/// `#!`
pub(super) fn at_inner_attribute(cursor: Cursor<'_>) -> bool {
    symbol(cursor).is_some_and(|hash| hash.text == "#" && symbol_at(hash.rest, "!"))
}

/// A name that Rust doesn't keep for itself.
pub(super) fn plain_name(cursor: Cursor<'_>) -> Option<(Ident, Cursor<'_>)> {
    cursor.ident().filter(|(ident, _)| !is_keyword(&ident.to_string()))
}

pub(super) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "_" | "as"
            | "async"
            | "await"
            | "abstract"
            | "become"
            | "box"
            | "break"
            | "const"
            | "continue"
            | "crate"
            | "do"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "false"
            | "final"
            | "fn"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "macro"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "override"
            | "priv"
            | "pub"
            | "ref"
            | "return"
            | "self"
            | "Self"
            | "static"
            | "struct"
            | "super"
            | "trait"
            | "true"
            | "try"
            | "type"
            | "typeof"
            | "unsafe"
            | "unsized"
            | "use"
            | "virtual"
            | "where"
            | "while"
            | "yield"
    )
}

impl<'a> Parser<'a, '_> {
    /// What stands at the cursor, for "found …".
    pub(super) fn found(&self, mut cursor: Cursor<'a>) -> String {
        while let Some((inside, _, rest)) = cursor.group(Delimiter::None) {
            cursor = if inside.eof() { rest } else { inside };
        }
        if let Some(symbol) = symbol(cursor) {
            return format!("`{}`", symbol.text);
        }
        match cursor.token_tree() {
            None => self.closing.to_string(),
            Some((TokenTree::Group(group), _)) => match group.delimiter() {
                Delimiter::Parenthesis => "`(`".to_string(),
                Delimiter::Bracket => "`[`".to_string(),
                _ => "`{`".to_string(),
            },
            Some((TokenTree::Ident(ident), _)) => format!("`{ident}`"),
            Some((TokenTree::Punct(_), _)) => "a lifetime".to_string(),
            Some((TokenTree::Literal(literal), _)) => {
                let text = literal.to_string();
                if text.chars().count() <= 24 { format!("`{text}`") } else { "a literal".to_string() }
            }
        }
    }

    /// "expected …, found …" at the next token.
    pub(super) fn expected(&self, input: &ParseBuffer<'a>, what: &str) -> Diagnostic {
        let found = self.found(input.cursor());
        // The end of the graph has no place of its own: the last token stands for it.
        let span = if found == END { self.last } else { input.span() };
        Diagnostic::new(span, format!("expected {what}, found {found}"))
    }

    /// Takes `count` characters of punctuation, which the caller has seen.
    fn bump_characters(&mut self, input: &ParseBuffer<'a>, count: usize) {
        for _ in 0..count {
            // A refusal would mean that the caller looked elsewhere; then nothing is taken, and recovery skips on.
            let taken = input.step(|cursor| cursor.punct().ok_or_else(|| cursor.error("expected a symbol")));
            if let Ok(punct) = taken {
                self.last = punct.span();
            }
        }
    }

    pub(super) fn bump_symbol(&mut self, input: &ParseBuffer<'a>, symbol: &Symbol<'a>) {
        self.bump_characters(input, symbol.text.len());
    }

    /// Takes one `>` of possibly several.
    pub(super) fn bump_closing_angle(&mut self, input: &ParseBuffer<'a>) {
        self.bump_characters(input, 1);
    }

    /// Takes any word, keyword or not; without one nothing is taken.
    pub(super) fn bump_ident(&mut self, input: &ParseBuffer<'a>) {
        if let Ok(ident) = input.step(|cursor| cursor.ident().ok_or_else(|| cursor.error("expected a word")))
        {
            self.last = ident.span();
        }
    }

    /// Takes one token or bracket with all it holds, whatever it is; false at the end.
    pub(super) fn bump_tree(&mut self, input: &ParseBuffer<'a>) -> bool {
        input.step(|cursor| cursor.token_tree().ok_or_else(|| cursor.error("expected a token"))).is_ok()
    }

    /// Takes the symbol if it comes next.
    pub(super) fn eat(&mut self, input: &ParseBuffer<'a>, text: &str) -> Option<Span> {
        let found = symbol(input.cursor()).filter(|found| found.text == text)?;
        self.bump_symbol(input, &found);
        Some(found.span())
    }

    pub(super) fn expect(&mut self, input: &ParseBuffer<'a>, text: &str) -> Parsed<Span> {
        self.eat(input, text).ok_or_else(|| self.expected(input, &format!("`{text}`")))
    }

    pub(super) fn name(&mut self, input: &ParseBuffer<'a>, what: &str) -> Parsed<Ident> {
        match plain_name(input.cursor()) {
            Some((name, _)) => {
                self.bump_ident(input);
                Ok(name)
            }
            None => {
                let error = self.expected(input, what);
                Err(match input.cursor().ident() {
                    Some((word, _)) if word != "_" => {
                        error.with_help(format!("`{word}` is a keyword of Rust; choose another name"))
                    }
                    _ => error,
                })
            }
        }
    }

    /// Reads a bracket to its end. State that belongs to the outside is put aside and comes back in any case.
    pub(super) fn group<T>(
        &mut self,
        input: &ParseBuffer<'a>,
        delimiter: Delimiter,
        read: impl FnOnce(&mut Self, &ParseBuffer<'a>) -> Parsed<T>,
    ) -> Parsed<(T, DelimSpan)> {
        let (span, content) = open(input, delimiter)?;
        let outer = (self.angle, self.before_block, self.closing);
        (self.angle, self.before_block) = (0, false);
        self.closing = match delimiter {
            Delimiter::Parenthesis => "`)`",
            Delimiter::Bracket => "`]`",
            _ => "`}`",
        };
        let result = read(self, &content).and_then(|value| {
            if content.is_empty() {
                Ok(value)
            } else {
                Err(self.expected(&content, &format!("`,` or {}", self.closing)))
            }
        });
        (self.angle, self.before_block, self.closing) = outer;
        self.last = span.close();
        result.map(|value| (value, span))
    }

    /// `a, b, c` with or without a last comma, up to the end of a bracket.
    pub(super) fn comma_list<T>(
        &mut self,
        input: &ParseBuffer<'a>,
        mut read: impl FnMut(&mut Self, &ParseBuffer<'a>) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut list = Vec::new();
        while !input.is_empty() {
            list.push(read(self, input)?);
            if input.is_empty() {
                break;
            }
            if self.eat(input, ",").is_none() {
                return Err(self.expected(input, &format!("`,` or {}", self.closing)));
            }
        }
        Ok(list)
    }

    /// Guards a recursion of the parser itself.
    pub(super) fn nested<T>(&mut self, span: Span, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(too_deep(span));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Counts one node above whatever `read` reads.
    pub(super) fn node<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::take(&mut self.height);
        let result = read(self);
        self.height = outer.max(self.height + 1);
        result
    }

    /// After a mistake: behind the next `;`, or in front of a `let`, the `>` of an angle block, or the end.
    pub(super) fn skip_statement(&mut self, input: &ParseBuffer<'a>) {
        let mut first = true;
        let mut open_angles = 0;
        let mut after_parentheses = false;
        while !input.is_empty() {
            let cursor = input.cursor();
            if !first && word_at(cursor, "let") {
                return;
            }
            first = false;
            let was_after_parentheses = std::mem::replace(&mut after_parentheses, false);
            match symbol(cursor) {
                Some(found) if found.text == ";" => {
                    self.bump_symbol(input, &found);
                    return;
                }
                Some(found) if self.angle > 0 && matches!(found.text, ">" | ">>") => {
                    if open_angles == 0 {
                        return;
                    }
                    open_angles -= 1;
                    self.bump_closing_angle(input);
                }
                Some(found) => {
                    // Only an angle block has a `<` right behind its arguments.
                    if found.text == "<" && was_after_parentheses {
                        open_angles += 1;
                    }
                    self.bump_symbol(input, &found);
                }
                None => {
                    after_parentheses = group_at(cursor, Delimiter::Parenthesis);
                    if !self.bump_tree(input) {
                        return;
                    }
                }
            }
        }
    }
}

/// The spans and the inside of a bracket.
fn open<'a>(input: &ParseBuffer<'a>, delimiter: Delimiter) -> syn::Result<(DelimSpan, ParseBuffer<'a>)> {
    let content;
    let span = match delimiter {
        Delimiter::Parenthesis => syn::parenthesized!(content in input).span,
        Delimiter::Bracket => syn::bracketed!(content in input).span,
        _ => syn::braced!(content in input).span,
    };
    Ok((span, content))
}
