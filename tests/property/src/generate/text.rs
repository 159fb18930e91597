//! How values, numbers and calls are written.

use super::random::Random;
use crate::dtype::DType;
use crate::tensor::{Element, Tensor};

/// How tightly the outermost part of an expression binds; higher binds tighter, as in Rust.
pub(crate) mod binding {
    /// Names, calls, indices, parenthesised expressions.
    pub(crate) const ATOM: u8 = 100;
    /// `-x`, `!x`.
    pub(crate) const UNARY: u8 = 90;
    /// `a == b` and the like, which do not chain.
    pub(crate) const COMPARISON: u8 = 1;
}

/// The operator of an op of two operands and how tightly it binds.
pub(crate) fn operator(op: &str) -> Option<(&'static str, u8)> {
    Some(match op {
        "mul" => ("*", 7),
        "div" => ("/", 7),
        "rem" => ("%", 7),
        "add" => ("+", 6),
        "sub" => ("-", 6),
        "shift_left" => ("<<", 5),
        "shift_right" => (">>", 5),
        "bitwise_and" | "logical_and" => ("&", 4),
        "bitwise_xor" | "logical_xor" => ("^", 3),
        "bitwise_or" | "logical_or" => ("|", 2),
        "equal" => ("==", binding::COMPARISON),
        "not_equal" => ("!=", binding::COMPARISON),
        "less" => ("<", binding::COMPARISON),
        "less_equal" => ("<=", binding::COMPARISON),
        "greater" => (">", binding::COMPARISON),
        "greater_equal" => (">=", binding::COMPARISON),
        _ => return None,
    })
}

/// The operator of an op of one operand.
pub(crate) fn prefix(op: &str) -> Option<&'static str> {
    match op {
        "neg" => Some("-"),
        "logical_not" | "bitwise_not" => Some("!"),
        _ => None,
    }
}

/// The expression, in parentheses where it binds less than `wanted`.
pub(crate) fn bound(text: &str, binds: u8, wanted: u8) -> String {
    if binds < wanted { format!("({text})") } else { text.to_owned() }
}

/// An element as a literal of the language beside a tensor of its dtype.
pub(crate) fn literal(random: &mut Random, dtype: DType, element: Element) -> String {
    match element {
        Element::Bool(truth) => truth.to_string(),
        Element::Whole(whole) => whole_literal(random, dtype, whole),
        Element::Float(real) => float_literal(random, dtype, real.value),
    }
}

fn whole_literal(random: &mut Random, dtype: DType, whole: i64) -> String {
    let (low, high) = dtype.integer_range();
    match whole {
        _ if random.chance(60) => whole.to_string(),
        _ if whole == high => format!("{}::MAX", dtype.name()),
        _ if whole == low => format!("{}::MIN", dtype.name()),
        _ if random.chance(20) => format!("{whole}{}", dtype.name()),
        16.. if random.chance(50) => format!("{whole:#x}"),
        1000.. => format!("{}_{:03}", whole / 1000, whole % 1000),
        _ => whole.to_string(),
    }
}

fn float_literal(random: &mut Random, dtype: DType, value: f64) -> String {
    let name = dtype.name();
    match value {
        _ if value.is_nan() => format!("{name}::NAN"),
        f64::INFINITY => format!("{name}::INFINITY"),
        f64::NEG_INFINITY => format!("{name}::NEG_INFINITY"),
        _ if value == dtype.largest() => format!("{name}::MAX"),
        _ if value == -dtype.largest() => format!("{name}::MIN"),
        _ => {
            let number = plain_float(dtype, value);
            // `0bf16` would begin a binary number.
            if random.chance(8) && !number.starts_with('0') { format!("{number}{name}") } else { number }
        }
    }
}

/// A finite float with a point, as short as reads back.
fn plain_float(dtype: DType, value: f64) -> String {
    if dtype == DType::F32 { format!("{:?}", value as f32) } else { format!("{value:?}") }
}

/// A number that stands for itself, without a tensor beside it: it has a point if and only if it is a float, and
/// says its dtype where that is not the default.
pub(crate) fn standing_literal(dtype: DType, element: Element) -> String {
    match element {
        Element::Bool(truth) => truth.to_string(),
        Element::Whole(whole) if dtype == DType::I32 => whole.to_string(),
        Element::Whole(whole) => format!("{whole}{}", dtype.name()),
        Element::Float(real) if dtype == DType::F32 => plain_float(dtype, real.value),
        // With a point in front of it, no suffix begins a binary number.
        Element::Float(real) => format!("{}{}", plain_float(dtype, real.value), dtype.name()),
    }
}

/// A nested list of literals; the shape is one that a list can show: no axis behind an empty one.
pub(crate) fn nested(random: &mut Random, x: &Tensor) -> String {
    list(&x.dims, &mut x.elements.iter().map(|&element| literal(random, x.dtype, element)))
}

fn list(dims: &[usize], literals: &mut dyn Iterator<Item = String>) -> String {
    match dims {
        [] => literals.next().unwrap_or_default(),
        [dim, rest @ ..] => {
            let entries: Vec<String> = (0..*dim).map(|_| list(rest, literals)).collect();
            format!("[{}]", entries.join(", "))
        }
    }
}

/// Whether a nested list can show this shape.
pub(crate) fn can_nest(dims: &[usize]) -> bool {
    match dims.iter().position(|&dim| dim == 0) {
        Some(axis) => axis + 1 == dims.len(),
        None => true,
    }
}

/// `[1, -2]`
pub(crate) fn wholes(numbers: &[i64]) -> String {
    format!("{numbers:?}")
}

/// `f32[2, 3]`, or for a scalar now and then only its dtype.
pub(crate) fn type_of(random: &mut Random, x: &Tensor) -> String {
    match x.rank() {
        0 if random.chance(50) => x.dtype.name().to_owned(),
        _ => format!("{}{:?}", x.dtype.name(), x.dims),
    }
}

/// One argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    name: &'static str,
    text: String,
    binds: u8,
}

impl Argument {
    /// An argument whose text needs no parentheses as one.
    pub(crate) fn new(name: &'static str, text: impl Into<String>) -> Argument {
        Argument { name, text: text.into(), binds: binding::ATOM }
    }

    /// An expression.
    pub(crate) fn expression(name: &'static str, text: &str, binds: u8) -> Argument {
        Argument { name, text: text.to_owned(), binds }
    }
}

/// A call: arguments in the order of the parameters, absent ones as `None`. Some are named, and named ones come in any
/// order. `receiver` says whether the first may stand before a point.
pub(crate) fn call(
    random: &mut Random,
    op: &str,
    arguments: Vec<Option<Argument>>,
    receiver: bool,
    name: Option<String>,
) -> String {
    let first_absent = arguments.iter().position(Option::is_none).unwrap_or(arguments.len());
    let mut positional = first_absent;
    if random.chance(25) {
        positional = random.below(first_absent + 1);
    }
    let method = receiver && positional > 0 && random.chance(30);
    let mut before = String::new();
    let mut listed = Vec::new();
    let mut named = Vec::new();
    for (i, argument) in arguments.into_iter().enumerate() {
        let Some(argument) = argument else { continue };
        if i == 0 && method {
            before = format!("{}.", bound(&argument.text, argument.binds, binding::ATOM));
        } else if i < positional {
            listed.push(argument.text);
        } else {
            named.push(format!("{} = {}", argument.name, argument.text));
        }
    }
    named.extend(name.map(|name| format!("name = \"{name}\"")));
    random.shuffle(&mut named);
    listed.extend(named);
    format!("{before}{op}({})", listed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{bound, can_nest, nested, standing_literal};
    use crate::dtype::DType;
    use crate::generate::random::Random;
    use crate::real::Real;
    use crate::tensor::{Element, Tensor};

    #[test]
    fn lists_nest_as_the_shape_says() {
        let x = Tensor::bools(&[2, 1], &[true, false]);
        assert_eq!(nested(&mut Random::new(0), &x), "[[true], [false]]");
        assert!(can_nest(&[2, 0]) && !can_nest(&[0, 2]) && can_nest(&[]));
    }

    #[test]
    fn standing_numbers_say_their_dtype() {
        let half = Element::Float(Real::exact(0.0));
        assert_eq!(standing_literal(DType::BF16, half), "0.0bf16");
        assert_eq!(standing_literal(DType::F32, half), "0.0");
        assert_eq!(standing_literal(DType::I64, Element::Whole(3)), "3i64");
        assert_eq!((bound("a + b", 6, 7), bound("a + b", 6, 6)), ("(a + b)".into(), "a + b".into()));
    }
}
