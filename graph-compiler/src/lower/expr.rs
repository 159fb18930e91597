//! Statements and expressions.

use graph_ir::DType;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::suggest::{dtype_help, nearest};
use super::{Item, Literal, Lowering, Operand};
use crate::Diagnostic;
use crate::lower::literal::LiteralValue;
use crate::ops;
use crate::syntax::{BinaryOperator, Expr, ExprKind, Let, Pattern, Statement, UnaryOperator};

impl Lowering<'_, '_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(item) => self.let_statement(item),
            Statement::Const(item) => {
                let value = self.constant_value(item);
                self.environment.insert(item.name.unraw().to_string(), value);
            }
            Statement::Budget(budget) => self.budget(budget),
            Statement::Assign { target, span, .. } => {
                let known = self.lookup(&target.unraw().to_string()).is_some();
                let diagnostic = match known {
                    true => {
                        Diagnostic::new(*span, format!("`{target}` is no variable and cannot be assigned"))
                            .with_help(format!("bind the new value: `let {target} = …;`"))
                    }
                    false => self.unknown_name(target),
                };
                self.error(diagnostic);
            }
            Statement::Expr(expr) => {
                self.expr(expr);
            }
        }
    }

    fn let_statement(&mut self, item: &Let) {
        if let Pattern::Name(name) = &item.pattern {
            self.binding = Some(name.unraw().to_string());
        }
        let mut value = self.expr(&item.value);
        self.binding = None;
        if matches!(value.operand, Operand::Unit) && self.incomplete {
            value.operand = Operand::Poison;
        }
        if matches!(value.operand, Operand::Unit) {
            let text = "this has no value to give a name to";
            value.operand = self.error(
                Diagnostic::new(item.value.span, text)
                    .with_help("end the block with an expression without `;`"),
            );
        }
        if let Some(declared) = item.ty.as_ref() {
            let declared_type = self.tensor_type(declared);
            value.operand = match (declared_type, value.operand) {
                (None, _) | (_, Operand::Poison) => Operand::Poison,
                (Some(wanted), operand) => {
                    let item = Item { operand, span: value.span, label: None };
                    match self.tensor_of(item, Some(wanted.dtype)) {
                        None => Operand::Poison,
                        Some(x) if *self.graph.ty(x) == wanted => Operand::Tensor(x),
                        Some(x) => {
                            let message =
                                format!("declared as {wanted}, but the value is {}", self.graph.ty(x));
                            self.error(Diagnostic::new(declared.span, message))
                        }
                    }
                }
            };
        }
        value.label = None;
        self.bind(&item.pattern, value);
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Item {
        // The name of a `let` belongs to the outermost op of its value, not to those inside.
        let binding = self.binding.take();
        let span = expr.span;
        let item = |operand| Item { operand, span, label: None };
        match &expr.kind {
            ExprKind::Name(name) => {
                Item { operand: self.name(name), span, label: Some(name.unraw().to_string()) }
            }
            ExprKind::Path(path) => item(self.path(path, span)),
            ExprKind::Number(number) => item(match Literal::from_number(number, span) {
                Ok(literal) => Operand::Literal(literal),
                Err(diagnostic) => self.error(diagnostic),
            }),
            ExprKind::Bool(value) => {
                item(Operand::Literal(Literal { value: LiteralValue::Bool(*value), suffix: None, span }))
            }
            ExprKind::String(value) => item(Operand::String(value.clone())),
            ExprKind::List(exprs) | ExprKind::Tuple(exprs) => {
                let items = exprs.iter().map(|expr| self.expr(expr)).collect();
                item(self.list(items, span))
            }
            ExprKind::Named(fields) => {
                let mut results: Vec<(String, Item)> = Vec::new();
                for (name, expr) in fields {
                    if results.iter().any(|(known, _)| name == known) {
                        self.error(Diagnostic::new(name.span(), format!("two results are named `{name}`")));
                    }
                    let value = self.expr(expr);
                    results.push((name.unraw().to_string(), value));
                }
                item(Operand::Named(results))
            }
            ExprKind::Call { function, arguments } => item(self.call(function, None, arguments, binding)),
            ExprKind::Method { receiver, function, arguments } => {
                let receiver = self.expr(receiver);
                item(self.call(function, Some(receiver), arguments, binding))
            }
            ExprKind::Field { base, index, index_span } => {
                let base = self.expr(base);
                item(self.field(base, *index, *index_span))
            }
            ExprKind::Unary { operator, operator_span, operand } => {
                let operand = self.expr(operand);
                item(self.unary(*operator, *operator_span, operand, span, binding))
            }
            ExprKind::Binary { operator, operator_span, left, right } => {
                let left = self.expr(left);
                let right = self.expr(right);
                item(self.binary(*operator, *operator_span, left, right, span, binding))
            }
            ExprKind::Index { base, indices } => {
                let base = self.expr(base);
                item(self.index(base, indices, span, binding))
            }
            ExprKind::Typed { value, .. } => {
                let text = "a typed path stands only inside `constant(…)`";
                item(
                    self.error(
                        Diagnostic::new(value.span, text)
                            .with_help("write `constant(super::WEIGHTS: f32[2, 3])`"),
                    ),
                )
            }
            ExprKind::Device { device, body } => self.device_block(device, body, binding),
            ExprKind::Scope { name, body } => self.scope_block(name, body, binding),
            ExprKind::ColocateWith { anchor, body } => self.colocate_block(anchor, body, binding),
            ExprKind::For { variable, iterable, body } => item(self.for_loop(variable, iterable, body, span)),
            ExprKind::Block(block) => self.block(block, binding),
        }
    }

    fn name(&mut self, name: &Ident) -> Operand {
        let text = name.unraw().to_string();
        if let Some(operand) = self.lookup(&text) {
            return operand.clone();
        }
        if let Some(dtype) = DType::from_name(&text) {
            return Operand::DType(dtype);
        }
        if self.incomplete {
            return Operand::Poison;
        }
        let diagnostic = self.unknown_name(name);
        self.error(diagnostic)
    }

    pub(super) fn unknown_name(&self, name: &Ident) -> Diagnostic {
        let text = name.unraw().to_string();
        let diagnostic = Diagnostic::new(name.span(), format!("there is no tensor called `{text}` here"));
        let known = self.environment.names().chain(self.shared.consts.keys().map(String::as_str));
        if let Some(near) = nearest(&text, known) {
            return diagnostic.with_help(format!("did you mean `{near}`?"));
        }
        if let Some(help) = dtype_help(&text) {
            return diagnostic.with_help(help);
        }
        if ops::find(&text).is_some() || self.shared.helpers.contains_key(&text) {
            return diagnostic.with_help(format!("`{text}` is a function: call it, `{text}(…)`"));
        }
        let capital = text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if capital {
            return diagnostic.with_help(format!(
                "a macro cannot see Rust constants: as a size, define `const {text}: usize = …;` inside the graph; \
                 as data, write `constant({text}: f32[2, 3])`"
            ));
        }
        diagnostic.with_help(
            "a graph sees its inputs and its own `let`s; pass other arrays as inputs: `|x: f32[2, 3]| …`",
        )
    }

    fn path(&mut self, path: &syn::Path, span: Span) -> Operand {
        if let [dtype, constant] = &path.segments.iter().collect::<Vec<_>>()[..]
            && let Some(dtype) = DType::from_name(&dtype.ident.unraw().to_string())
        {
            let name = constant.ident.unraw().to_string();
            return match Literal::from_path(dtype, &name, span) {
                Some(literal) => Operand::Literal(literal),
                None => {
                    let help = match dtype.is_float() {
                        true => "NAN, INFINITY, NEG_INFINITY, MIN and MAX are known",
                        false => "MIN and MAX are known",
                    };
                    self.error(
                        Diagnostic::new(span, format!("`{dtype}` has no constant `{name}`")).with_help(help),
                    )
                }
            };
        }
        self.error(
            Diagnostic::new(span, "a Rust constant needs its type here, since a macro cannot see it")
                .with_help("write `constant(super::WEIGHTS: f32[2, 3])`; a size must be a `const` of the graph itself"),
        )
    }

    fn field(&mut self, base: Item, index: u32, span: Span) -> Operand {
        match base.operand {
            Operand::Poison => Operand::Poison,
            Operand::List(items) => match items.into_iter().nth(index as usize) {
                Some(item) => item.operand,
                None => self.error(Diagnostic::new(span, format!("the list has no element {index}"))),
            },
            other => {
                let message =
                    format!("`.{index}` takes an element of a list, and this is {}", other.describe());
                self.error(Diagnostic::new(span, message).with_help("index a tensor with brackets: `x[0]`"))
            }
        }
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        operator_span: Span,
        operand: Item,
        span: Span,
        binding: Option<String>,
    ) -> Operand {
        if let (UnaryOperator::Negate, Operand::Literal(literal)) = (operator, &operand.operand)
            && let Some(literal) = literal.negate(span)
        {
            return Operand::Literal(literal);
        }
        let name = match operator {
            UnaryOperator::Negate => "neg",
            UnaryOperator::Not if self.is_bool(&operand) => "logical_not",
            UnaryOperator::Not => "bitwise_not",
        };
        self.operator(name, operator_span, vec![operand], binding)
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        operator_span: Span,
        left: Item,
        right: Item,
        span: Span,
        binding: Option<String>,
    ) -> Operand {
        if let (Operand::Literal(a), Operand::Literal(b)) = (&left.operand, &right.operand) {
            match Literal::arithmetic(operator, a, b, span) {
                Ok(Some(literal)) => return Operand::Literal(literal),
                Ok(None) => {}
                Err(message) => return self.error(Diagnostic::new(operator_span, message)),
            }
        }
        use BinaryOperator as Op;
        let is_bool = self.is_bool(&left) || self.is_bool(&right);
        let name = match operator {
            Op::Add => "add",
            Op::Sub => "sub",
            Op::Mul => "mul",
            Op::Div => "div",
            Op::Rem => "rem",
            Op::Equal => "equal",
            Op::NotEqual => "not_equal",
            Op::Less => "less",
            Op::LessEqual => "less_equal",
            Op::Greater => "greater",
            Op::GreaterEqual => "greater_equal",
            Op::And if is_bool => "logical_and",
            Op::And => "bitwise_and",
            Op::Or if is_bool => "logical_or",
            Op::Or => "bitwise_or",
            Op::Xor if is_bool => "logical_xor",
            Op::Xor => "bitwise_xor",
            Op::ShiftLeft => "shift_left",
            Op::ShiftRight => "shift_right",
        };
        self.operator(name, operator_span, vec![left, right], binding)
    }

    fn is_bool(&self, item: &Item) -> bool {
        match &item.operand {
            Operand::Tensor(x) => self.graph.ty(*x).dtype == DType::Bool,
            Operand::Literal(literal) => literal.default_dtype() == DType::Bool,
            Operand::List(items) => items.first().is_some_and(|item| self.is_bool(item)),
            _ => false,
        }
    }
}
