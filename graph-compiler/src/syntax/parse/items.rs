//! The module form: `pub mod name { items }`.

use super::statements::misplaced_attribute;
use super::tokens::{call_at, closing_angles, group_at, plain_name, symbol, symbol_at, word_at};
use super::{Parsed, Parser, habits};
use crate::Diagnostic;
use crate::syntax::{Function, Item, Module, Variable};
use proc_macro2::Delimiter;
use syn::buffer::Cursor;
use syn::parse::ParseBuffer;

mod keyword {
    syn::custom_keyword!(var);
    syn::custom_keyword!(budget);
    syn::custom_keyword!(device);
}

/// Whether the graph is a module, or was meant as one.
pub(super) fn starts_module(cursor: Cursor<'_>) -> bool {
    word_at(cursor, "mod") || word_at(cursor, "pub")
}

impl<'a> Parser<'a, '_> {
    /// `pub mod name { … }`
    pub(super) fn module(
        &mut self,
        input: &ParseBuffer<'a>,
        attributes: Vec<syn::Attribute>,
    ) -> Parsed<Module> {
        let visibility: syn::Visibility = input.parse()?;
        if !word_at(input.cursor(), "mod") {
            return Err(self
                .expected(input, "`mod`")
                .with_help("functions and variables stand in a module: `graph! { pub mod name { … } }`"));
        }
        self.bump_ident(input);
        let name = self.name(input, "the name of the module")?;
        let (items, _) = self.group(input, Delimiter::Brace, |p, content| Ok(p.items(content)))?;
        if !input.is_empty() {
            let error = Diagnostic::new(input.span(), "one `graph!` holds one module, and nothing behind it")
                .with_help("write another `graph! { … }` for what follows");
            self.report(error);
        }
        Ok(Module { attributes, visibility, name, items })
    }

    /// Items up to the end of the bracket, or to the `>` of an angle block.
    fn items(&mut self, input: &ParseBuffer<'a>) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.at_items_end(input) {
            if self.eat(input, ";").is_some() {
                continue;
            }
            let before = input.cursor();
            match self.item(input) {
                Ok(item) => items.push(item),
                Err(error) => {
                    self.report(error);
                    self.skip_item(input);
                }
            }
            if input.cursor() == before && !self.at_items_end(input) {
                self.bump_tree(input);
            }
        }
        items
    }

    fn at_items_end(&self, input: &ParseBuffer<'a>) -> bool {
        input.is_empty() || self.angle > 0 && closing_angles(input.cursor()) > 0
    }

    fn item(&mut self, input: &ParseBuffer<'a>) -> Parsed<Item> {
        self.height = 0;
        self.named = None;
        let attributes = self.outer_attributes(input);
        let visibility_span = input.span();
        let visibility: syn::Visibility = input.parse()?;
        let visibility = match visibility {
            syn::Visibility::Inherited => None,
            written => Some(written),
        };
        self.refuse_qualifiers(input);

        let lookahead = input.lookahead1();
        if lookahead.peek(syn::Token![fn]) {
            return Ok(Item::Function(self.function(input, attributes, visibility)?));
        }
        if let Some(attribute) = attributes.iter().find(|attribute| !attribute.path().is_ident("doc")) {
            self.report(misplaced_attribute(attribute));
        }
        if visibility.is_some() {
            self.report(
                Diagnostic::new(visibility_span, "only functions are `pub`: they are what Rust calls")
                    .with_help("leave out the `pub`"),
            );
        }
        if lookahead.peek(syn::Token![const]) {
            return Ok(Item::Const(self.const_item(input)?));
        }
        if lookahead.peek(keyword::var) {
            return Ok(Item::Variable(self.variable(input)?));
        }
        if lookahead.peek(keyword::budget) && call_at(input.cursor(), "budget") {
            return Ok(Item::Budget(self.budget(input)?));
        }
        if lookahead.peek(keyword::device) && call_at(input.cursor(), "device") {
            return self.nested(input.span(), |p| p.device_item(input));
        }
        if input.is_empty() {
            return Err(self.expected(input, "an item behind this"));
        }
        let cursor = input.cursor();
        if let Some((word, _)) = cursor.ident() {
            let text = word.to_string();
            if matches!(text.as_str(), "let" | "static") {
                return Err(Diagnostic::new(word.span(), format!("`{text}` does not stand in a module"))
                    .with_help("state is a `var`: `var w: f32[2] = zeros();`; a size is a `const`; other values are `let`s of a function"));
            }
            if text == "mod" {
                return Err(Diagnostic::new(word.span(), "modules of a graph do not nest")
                    .with_help("write another `graph! { pub mod name { … } }`"));
            }
            if text != "fn"
                && let Some(error) = habits::keyword(&text, word.span())
            {
                return Err(error);
            }
        }
        Err(lookahead.error().into())
    }

    /// `async fn`, `unsafe fn`, `const fn`, `extern "C" fn`: reported, and left out.
    fn refuse_qualifiers(&mut self, input: &ParseBuffer<'a>) {
        loop {
            let cursor = input.cursor();
            let Some((word, rest)) = cursor.ident() else { return };
            let text = word.to_string();
            let is_qualifier = match text.as_str() {
                "async" | "unsafe" | "extern" => true,
                "const" => word_at(rest, "fn") || word_at(rest, "unsafe") || word_at(rest, "async"),
                _ => false,
            };
            if !is_qualifier {
                return;
            }
            let error = Diagnostic::new(word.span(), format!("functions of a graph are never `{text}`"));
            self.report(error.with_help("leave it out"));
            self.bump_ident(input);
            if text == "extern" && input.cursor().literal().is_some() {
                self.bump_tree(input);
            }
        }
    }

    /// `fn name(x, y: f32[2]) -> f32[2] { … }`
    fn function(
        &mut self,
        input: &ParseBuffer<'a>,
        attributes: Vec<syn::Attribute>,
        visibility: Option<syn::Visibility>,
    ) -> Parsed<Function> {
        self.bump_ident(input);
        let name = self.name(input, "the name of the function")?;
        if symbol_at(input.cursor(), "<") {
            return Err(Diagnostic::new(input.span(), "functions of a graph take no type parameters")
                .with_help("a helper fits every shape and dtype that its ops allow: leave out the types of its parameters"));
        }
        let (parameters, _) = self.group(input, Delimiter::Parenthesis, Self::parameters)?;
        if visibility.is_some() {
            for parameter in &parameters {
                self.require_type(parameter);
            }
        }
        let result = self.result_type_if_any(input);
        if !group_at(input.cursor(), Delimiter::Brace) {
            return Err(self.expected(input, "`{`, the body of the function"));
        }
        let body = self.block(input)?;
        let span = name.span();
        Ok(Function { attributes, visibility, name: Some(name), parameters, result, body, span })
    }

    /// `var w: f32[784, 10] = value;`
    fn variable(&mut self, input: &ParseBuffer<'a>) -> Parsed<Variable> {
        self.bump_ident(input);
        let keyword = self.last;
        let name = self.name(input, "the name of the variable")?;
        if self.eat(input, ":").is_none() {
            return Err(Diagnostic::new(name.span(), format!("the variable `{name}` needs a type"))
                .with_help(format!("write its dtype and shape: `var {name}: f32[2, 3] = …;`")));
        }
        let ty = self.tensor_type(input)?;
        if symbol_at(input.cursor(), ";") {
            return Err(Diagnostic::new(name.span(), format!("the variable `{name}` needs a first value"))
                .with_help(format!("write `var {name}: … = zeros();`")));
        }
        self.expect(input, "=")?;
        let value = self.value(input)?;
        self.semicolon(input)?;
        Ok(Variable { keyword, name, ty, value })
    }

    /// `device("…") { items }`
    fn device_item(&mut self, input: &ParseBuffer<'a>) -> Parsed<Item> {
        self.bump_ident(input);
        let (device, _) = self.group(input, Delimiter::Parenthesis, |p, content| {
            let device = p.device_argument(content)?;
            p.eat(content, ",");
            Ok(device)
        })?;
        let items = if group_at(input.cursor(), Delimiter::Brace) {
            self.group(input, Delimiter::Brace, |p, content| Ok(p.items(content)))?.0
        } else {
            self.angles(input, "device", Self::items)?.0
        };
        Ok(Item::Device { device, items })
    }

    /// After a mistake: behind the next `;` or `{ … }`, or in front of what starts an item.
    fn skip_item(&mut self, input: &ParseBuffer<'a>) {
        let mut first = true;
        while !self.at_items_end(input) {
            let cursor = input.cursor();
            if !first && starts_item(cursor) {
                return;
            }
            first = false;
            match symbol(cursor) {
                Some(found) => {
                    self.bump_symbol(input, &found);
                    if found.text == ";" {
                        return;
                    }
                }
                None => {
                    let is_braces = group_at(cursor, Delimiter::Brace);
                    if !self.bump_tree(input) || is_braces {
                        return;
                    }
                }
            }
        }
    }
}

fn starts_item(cursor: Cursor<'_>) -> bool {
    let Some((word, rest)) = cursor.ident() else { return symbol_at(cursor, "#") };
    match word.to_string().as_str() {
        "fn" | "pub" | "const" | "mod" => true,
        "var" => plain_name(rest).is_some(),
        _ => false,
    }
}
