//! Statements and expressions.

use graph_ir::DType;
use proc_macro2::{Ident, Span};

use super::suggest::nearest;
use super::{Item, Literal, Lowering, Operand};
use crate::Diagnostic;
use crate::graph::{Builder, Type, ValueId};
use crate::lower::literal::LiteralValue;
use crate::ops;
use crate::syntax::{
    BinaryOperator, Block, Expr, ExprKind, Index, Iterable, Let, Pattern, Statement, UnaryOperator,
};

/// A loop may be unrolled this often.
const LOOP_LIMIT: i128 = 1 << 16;

impl Lowering<'_, '_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(item) => self.let_statement(item),
            Statement::Const(item) => {
                let value = self.constant_value(item);
                self.environment.insert(item.name.to_string(), value);
            }
            Statement::Budget(budget) => self.budget(budget),
            Statement::Assign { target, span, .. } => {
                let known = self.lookup(&target.to_string()).is_some();
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
            self.binding = Some(name.to_string());
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
                    match self.to_tensor(item, Some(wanted.dtype)) {
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
            ExprKind::Name(name) => Item { operand: self.name(name), span, label: Some(name.to_string()) },
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
                item(Operand::List(exprs.iter().map(|expr| self.expr(expr)).collect()))
            }
            ExprKind::Named(fields) => {
                let mut results: Vec<(String, Item)> = Vec::new();
                for (name, expr) in fields {
                    if results.iter().any(|(known, _)| name == known) {
                        self.error(Diagnostic::new(name.span(), format!("two results are named `{name}`")));
                    }
                    let value = self.expr(expr);
                    results.push((name.to_string(), value));
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
            ExprKind::Device { device, body } => {
                self.with_binding(binding, |this| this.device_block(device, body))
            }
            ExprKind::Scope { name, body } => self.with_binding(binding, |this| this.scope_block(name, body)),
            ExprKind::ColocateWith { anchor, body } => {
                self.with_binding(binding, |this| this.colocate_block(anchor, body))
            }
            ExprKind::For { variable, iterable, body } => item(self.for_loop(variable, iterable, body)),
            ExprKind::Block(block) => self.with_binding(binding, |this| this.block(block)),
        }
    }

    /// A block passes its `let` name on to its own last `let`-less op: the tail.
    fn with_binding(&mut self, _binding: Option<String>, run: impl FnOnce(&mut Self) -> Item) -> Item {
        run(self)
    }

    fn name(&mut self, name: &Ident) -> Operand {
        let text = name.to_string();
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
        let text = name.to_string();
        let diagnostic = Diagnostic::new(name.span(), format!("there is no tensor called `{text}` here"));
        let known = self.environment.names().chain(self.shared.consts.keys().map(String::as_str));
        if let Some(near) = nearest(&text, known) {
            return diagnostic.with_help(format!("did you mean `{near}`?"));
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
            && let Some(dtype) = DType::from_name(&dtype.ident.to_string())
        {
            let name = constant.ident.to_string();
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

    fn for_loop(&mut self, variable: &Pattern, iterable: &Iterable, body: &Block) -> Operand {
        let items = match iterable {
            Iterable::Range { start, end, inclusive, span } => {
                let (Some(start), Some(end)) = (self.bound(start), self.bound(end)) else {
                    return Operand::Poison;
                };
                let end = if *inclusive { end + 1 } else { end };
                if end - start > LOOP_LIMIT {
                    let message = format!("a loop is unrolled, and this one has {} rounds", end - start);
                    return self
                        .error(Diagnostic::new(*span, message).with_help("the limit is 65536 rounds"));
                }
                let literal = |i| Operand::Literal(Literal::int(i, *span));
                (start..end).map(|i| Item { operand: literal(i), span: *span, label: None }).collect()
            }
            Iterable::Expr(expr) => match self.expr(expr) {
                Item { operand: Operand::List(items), .. } => items,
                Item { operand: Operand::Poison, .. } => return Operand::Poison,
                Item { operand, .. } => {
                    let message =
                        format!("`for` goes over a list or a range, and this is {}", operand.describe());
                    return self.error(Diagnostic::new(expr.span, message).with_help(
                        "`for i in 0..4`, `for d in [\"/gpu:0\", \"/gpu:1\"]`, `for part in split(x, 2)`",
                    ));
                }
            },
        };
        let mut results = Vec::with_capacity(items.len());
        let mut has_values = false;
        for item in items {
            self.environment.push();
            self.bind(variable, item);
            let result = self.block(body);
            self.environment.pop();
            has_values |= !matches!(result.operand, Operand::Unit);
            results.push(result);
        }
        if has_values { Operand::List(results) } else { Operand::Unit }
    }

    fn bound(&mut self, expr: &Expr) -> Option<i128> {
        let item = self.expr(expr);
        match item.operand {
            Operand::Poison => None,
            Operand::Literal(Literal { value: LiteralValue::Int(value), .. }) => Some(value),
            other => {
                let message =
                    format!("a bound of a loop is a whole number known here, not {}", other.describe());
                self.error(Diagnostic::new(expr.span, message));
                None
            }
        }
    }

    fn index(&mut self, base: Item, indices: &[Index], span: Span, binding: Option<String>) -> Operand {
        // A list is indexed like a tuple.
        if let (Operand::List(items), [Index::At(at)]) = (&base.operand, indices)
            && !base.operand.is_literal()
        {
            let items = items.clone();
            let Some(position) = self.bound(at) else { return Operand::Poison };
            let found = usize::try_from(position).ok().and_then(|position| items.into_iter().nth(position));
            return match found {
                Some(item) => item.operand,
                None => self.error(Diagnostic::new(at.span, format!("the list has no element {position}"))),
            };
        }
        let label = base.label.clone();
        let Some(x) = self.to_tensor(base, None) else { return Operand::Poison };
        let ty = self.graph.ty(x).clone();
        match self.index_ranges(&ty, indices, span, label.as_deref().unwrap_or("the tensor")) {
            Some(ranges) => self.strided_slice(x, ranges, span, binding),
            None => Operand::Poison,
        }
    }

    fn index_ranges(&mut self, ty: &Type, indices: &[Index], span: Span, what: &str) -> Option<Vec<Range>> {
        let given = indices.iter().filter(|index| !matches!(index, Index::Ellipsis(_))).count();
        let ellipses = indices.len() - given;
        if given > ty.rank() || ellipses > 1 {
            let message = match ellipses {
                0 | 1 => format!("{given} positions for {what}, which is {ty}"),
                _ => String::from("`...` stands at most once"),
            };
            self.error(Diagnostic::new(span, message));
            return None;
        }
        let mut ranges: Vec<Range> = Vec::new();
        let mut sound = true;
        for index in indices {
            let axis = ranges.len();
            match index {
                Index::Ellipsis(_) => {
                    (given..ty.rank()).for_each(|_| {
                        let dim = ty.dims[ranges.len()];
                        ranges.push(Range { start: 0, step: 1, count: dim, keep: true });
                    });
                }
                Index::At(at) => match self.bound(at) {
                    Some(position) => {
                        let dim = i128::from(ty.dims[axis]);
                        let wrapped = if position < 0 { position + dim } else { position };
                        if !(0..dim).contains(&wrapped) {
                            let message = format!(
                                "position {position} is outside axis {axis} of {what}, which is {ty}"
                            );
                            self.error(Diagnostic::new(at.span, message));
                            sound = false;
                        }
                        ranges.push(Range { start: wrapped.max(0) as u64, step: 1, count: 1, keep: false });
                    }
                    None => {
                        sound = false;
                        ranges.push(Range { start: 0, step: 1, count: 1, keep: false });
                    }
                },
                Index::Range { start, stop, inclusive, step, span } => {
                    let part = |this: &mut Self, expr: &Option<Expr>| match expr {
                        None => Some(None),
                        Some(expr) => this.bound(expr).map(Some),
                    };
                    let (start, stop, step) = (part(self, start), part(self, stop), part(self, step));
                    let (Some(start), Some(mut stop), Some(step)) = (start, stop, step) else { return None };
                    let step = step.unwrap_or(1);
                    if *inclusive {
                        // `..=-1` is up to the end, `..=3` up to and with 3.
                        stop =
                            stop.and_then(|stop| if stop == -1 { None } else { Some(stop + step.signum()) });
                    }
                    match numpy_range(ty.dims[axis], start, stop, step) {
                        Some(range) => ranges.push(range),
                        None => {
                            self.error(Diagnostic::new(*span, "the step of a slice is 0"));
                            return None;
                        }
                    }
                }
            }
        }
        for axis in ranges.len()..ty.rank() {
            ranges.push(Range { start: 0, step: 1, count: ty.dims[axis], keep: true });
        }
        sound.then_some(ranges)
    }

    fn strided_slice(
        &mut self,
        x: ValueId,
        ranges: Vec<Range>,
        span: Span,
        binding: Option<String>,
    ) -> Operand {
        let node = self.node("StridedSlice", "strided_slice", span);
        self.graph.nodes[node.0 as usize].binding = binding.unwrap_or_default();
        let mut builder = Builder { graph: &mut self.graph, node };
        let counts: Vec<u64> = ranges.iter().map(|range| range.count).collect();
        let start = ranges.iter().map(|range| range.start).collect();
        let step = ranges.iter().map(|range| range.step).collect();
        let sliced = builder.slice(x, start, step, &counts);
        let kept: Vec<u64> = ranges.iter().filter(|range| range.keep).map(|range| range.count).collect();
        Operand::Tensor(builder.reshape(sliced, &kept))
    }
}

/// One axis of a slice.
pub(crate) struct Range {
    pub(crate) start: u64,
    pub(crate) step: i64,
    pub(crate) count: u64,
    /// Whether the axis stays.
    pub(crate) keep: bool,
}

/// `start:stop:step` over an axis of `dim` elements, with the meaning that Python gives to absent and negative
/// parts; `None` when the step is 0. Python language reference, "slicings"; `slice.indices`.
pub(crate) fn numpy_range(dim: u64, start: Option<i128>, stop: Option<i128>, step: i128) -> Option<Range> {
    let size = i128::from(dim);
    let clamp = |position: i128, low: i128, high: i128| {
        let position = if position < 0 { position + size } else { position };
        position.clamp(low, high)
    };
    let count = match step.signum() {
        0 => return None,
        1 => {
            let (start, stop) =
                (start.map_or(0, |p| clamp(p, 0, size)), stop.map_or(size, |p| clamp(p, 0, size)));
            (start, (stop - start + step - 1).max(0) / step)
        }
        _ => {
            let start = start.map_or(size - 1, |p| clamp(p, -1, size - 1));
            let stop = stop.map_or(-1, |p| clamp(p, -1, size - 1));
            (start, (start - stop - step - 1).max(0) / -step)
        }
    };
    let (start, count) = count;
    let step = step.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    Some(Range { start: if count == 0 { 0 } else { start as u64 }, step, count: count as u64, keep: true })
}

#[cfg(test)]
mod tests {
    use super::numpy_range;

    fn positions(dim: u64, start: Option<i128>, stop: Option<i128>, step: i128) -> Vec<i64> {
        let range = numpy_range(dim, start, stop, step).expect("the step is not 0");
        (0..range.count as i64).map(|i| range.start as i64 + i * range.step).collect()
    }

    #[test]
    fn slices_are_those_of_python() {
        assert_eq!(positions(5, None, None, 1), [0, 1, 2, 3, 4]);
        assert_eq!(positions(5, None, None, -1), [4, 3, 2, 1, 0]);
        assert_eq!(positions(5, Some(1), Some(-1), 2), [1, 3]);
        assert_eq!(positions(5, Some(-2), None, 1), [3, 4]);
        assert_eq!(positions(5, Some(10), None, -2), [4, 2, 0]);
        assert_eq!(positions(5, Some(4), Some(1), -1), [4, 3, 2]);
        assert_eq!(positions(5, Some(4), Some(1), 1), [0i64; 0]);
        assert_eq!(positions(0, None, None, -1), [0i64; 0]);
        assert_eq!(positions(5, Some(-100), Some(100), 3), [0, 3]);
        assert!(numpy_range(5, None, None, 0).is_none());
    }
}
