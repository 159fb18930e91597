//! Trees as short text: `a + b.relu()` is `(+ a (.relu b))`.

use super::{
    Argument, BinaryOperator, Block, Budget, Const, DeviceArgument, Expr, ExprKind, Form, Function, Index,
    IndexRange, Item, Iterable, Parameter, Pattern, Program, ResultType, Statement, TensorType,
    UnaryOperator, Variable,
};
use quote::ToTokens;
use std::fmt::{Display, Formatter};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&program(self))
    }
}

fn program(program: &Program) -> String {
    let mut parts = Vec::new();
    if let Some(path) = &program.crate_path {
        parts.push(format!("(crate {})", path_text(path)));
    }
    parts.extend(program.attributes.iter().map(attribute));
    parts.push(match &program.form {
        Form::Expression(body) => function(body),
        Form::Module(module) => {
            let mut words = vec!["mod".to_string()];
            words.extend(module.attributes.iter().map(attribute));
            words.push(visibility(&module.visibility));
            words.push(module.name.to_string());
            words.extend(module.items.iter().map(item));
            list(words)
        }
    });
    parts.join(" ")
}

fn list(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!("({})", words.join(" "))
}

fn attribute(attribute: &syn::Attribute) -> String {
    attribute.to_token_stream().to_string().replace(' ', "")
}

fn visibility(visibility: &syn::Visibility) -> String {
    visibility.to_token_stream().to_string().replace(' ', "")
}

fn path_text(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn item(item: &Item) -> String {
    match item {
        Item::Const(item) => constant(item),
        Item::Variable(Variable { keyword: _, name, ty, value }) => {
            list(["var".into(), name.to_string(), tensor(ty), expr(value)])
        }
        Item::Function(item) => function(item),
        Item::Budget(item) => budget(item),
        Item::Device { device: name, items } => {
            list(["device".into(), device(name)].into_iter().chain(items.iter().map(self::item)))
        }
    }
}

fn constant(Const { name, value }: &Const) -> String {
    list(["const".into(), name.to_string(), expr(value)])
}

fn budget(Budget { device, bytes, span: _ }: &Budget) -> String {
    format!("(budget {:?} {bytes})", device.value)
}

fn function(function: &Function) -> String {
    let Function { attributes, visibility, name, parameters, result, body, span: _ } = function;
    let mut words: Vec<String> = attributes.iter().map(attribute).collect();
    words.extend(visibility.as_ref().map(self::visibility));
    words.push(name.as_ref().map_or("graph".to_string(), |name| format!("fn {name}")));
    let parameters: Vec<String> = parameters
        .iter()
        .map(|Parameter { name, ty }| match ty {
            Some(ty) => format!("{name}: {}", tensor(ty)),
            None => name.to_string(),
        })
        .collect();
    words.push(format!("|{}|", parameters.join(", ")));
    words.extend(result.as_ref().map(|result| match result {
        ResultType::One(ty) => format!("-> {}", tensor(ty)),
        ResultType::Tuple(types, _) => format!("-> {}", list(types.iter().map(tensor))),
        ResultType::Named(types, _) => {
            format!("-> {}", list(types.iter().map(|(name, ty)| format!("{name}: {}", tensor(ty)))))
        }
    }));
    words.push(block(body));
    list(words)
}

fn tensor(TensorType { dtype, dims, span: _ }: &TensorType) -> String {
    if dims.is_empty() {
        return dtype.to_string();
    }
    let dims: Vec<String> = dims.iter().map(expr).collect();
    format!("{dtype}[{}]", dims.join(" "))
}

/// `{statement; statement; tail}`
fn block(Block { statements, tail, span: _ }: &Block) -> String {
    let mut words: Vec<String> = statements.iter().map(|one| format!("{};", statement(one))).collect();
    words.extend(tail.as_deref().map(expr));
    format!("{{{}}}", words.join(" "))
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Let(one) => {
            let mut words: Vec<String> = one.attributes.iter().map(attribute).collect();
            words.extend(["let".to_string(), pattern(&one.pattern)]);
            words.extend(one.ty.as_ref().map(|ty| format!(": {}", tensor(ty))));
            words.push(expr(&one.value));
            list(words)
        }
        Statement::Const(one) => constant(one),
        Statement::Budget(one) => budget(one),
        Statement::Assign { target, operator, value, span: _ } => {
            let operator = operator.map_or("", binary);
            format!("({operator}= {target} {})", expr(value))
        }
        Statement::Expr(one) => expr(one),
    }
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Name(name) => name.to_string(),
        Pattern::Tuple(parts, _) => list(parts.iter().map(self::pattern)),
        Pattern::Wild(_) => "_".to_string(),
    }
}

fn device(device: &DeviceArgument) -> String {
    match device {
        DeviceArgument::String(string) => format!("{:?}", string.value),
        DeviceArgument::None(_) => "none".to_string(),
        DeviceArgument::Name(name) => name.to_string(),
    }
}

fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Sub => "-",
        BinaryOperator::Mul => "*",
        BinaryOperator::Div => "/",
        BinaryOperator::Rem => "%",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
    }
}

fn arguments(arguments: &[Argument]) -> impl Iterator<Item = String> {
    arguments.iter().map(|Argument { name, value }| match name {
        Some(name) => format!("{name}={}", expr(value)),
        None => expr(value),
    })
}

fn expr(Expr { kind, span: _ }: &Expr) -> String {
    match kind {
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Path(path) => path_text(path),
        ExprKind::Number(number) => {
            assert_eq!(
                number.is_float,
                number.digits.contains(['.', 'e']),
                "a float has a point or an exponent"
            );
            format!(
                "{}{}",
                number.digits,
                number.suffix.as_deref().map_or(String::new(), |s| format!("'{s}"))
            )
        }
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::String(value) => format!("{value:?}"),
        ExprKind::List(entries) => format!("[{}]", entries.iter().map(expr).collect::<Vec<_>>().join(" ")),
        ExprKind::Tuple(entries) => list(["tuple".to_string()].into_iter().chain(entries.iter().map(expr))),
        ExprKind::Named(entries) => list(
            ["named".to_string()]
                .into_iter()
                .chain(entries.iter().map(|(name, value)| format!("{name}: {}", expr(value)))),
        ),
        ExprKind::Call { function, arguments: given } => {
            list([function.to_string()].into_iter().chain(arguments(given)))
        }
        ExprKind::Method { receiver, function, arguments: given } => {
            list([format!(".{function}"), expr(receiver)].into_iter().chain(arguments(given)))
        }
        ExprKind::Field { base, index, index_span: _ } => format!("(.{index} {})", expr(base)),
        ExprKind::Unary { operator, operator_span: _, operand } => {
            let operator = match operator {
                UnaryOperator::Negate => "-",
                UnaryOperator::Not => "!",
            };
            format!("({operator} {})", expr(operand))
        }
        ExprKind::Binary { operator, operator_span: _, left, right } => {
            format!("({} {} {})", binary(*operator), expr(left), expr(right))
        }
        ExprKind::Index { base, indices } => {
            list(["index".to_string(), expr(base)].into_iter().chain(indices.iter().map(index)))
        }
        ExprKind::Typed { value, ty } => format!("(typed {} {})", expr(value), tensor(ty)),
        ExprKind::Device { device: name, body } => format!("(device {} {})", device(name), block(body)),
        ExprKind::Scope { name, body } => format!("(scope {:?} {})", name.value, block(body)),
        ExprKind::ColocateWith { anchor, body } => {
            format!("(colocate_with {} {})", expr(anchor), block(body))
        }
        ExprKind::For { variable, iterable, body } => {
            let over = match iterable {
                Iterable::Range { start, end, inclusive, span: _ } => {
                    format!("({} {} {})", if *inclusive { "..=" } else { ".." }, expr(start), expr(end))
                }
                Iterable::Expr(list) => expr(list),
            };
            format!("(for {} {over} {})", pattern(variable), block(body))
        }
        ExprKind::Block(body) => block(body),
    }
}

fn index(index: &Index) -> String {
    match index {
        Index::At(position) => expr(position),
        Index::Ellipsis(_) => "...".to_string(),
        Index::Range(range) => {
            let IndexRange { start, stop, inclusive, step, span: _ } = &**range;
            let part = |part: &Option<Expr>| part.as_ref().map_or(String::new(), expr);
            let mark = if *inclusive { "..=" } else { ".." };
            let step = step.as_ref().map_or(String::new(), |step| format!(";{}", expr(step)));
            format!("{}{mark}{}{step}", part(start), part(stop))
        }
    }
}
