//! The program as far as it is written: values that can be used, lines, inputs.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::data::{self, ELEMENT_LIMIT, Style};
use super::random::Random;
use super::text::{self, Argument, binding};
use crate::dtype::DType;
use crate::tensor::{Element, Tensor, common_dims};

/// Programs have this many inputs at most.
const INPUT_LIMIT: usize = 4;

/// Longer expressions get a name.
const LINE_LENGTH: usize = 150;

/// An expression with what it gives.
#[derive(Clone, Debug)]
pub(super) struct Value {
    id: usize,
    pub(super) text: String,
    pub(super) binds: u8,
    pub(super) tensor: Rc<Tensor>,
    /// Whether it is known at build time: made of literals alone.
    pub(super) known: bool,
    /// Whether it is written where it is used, without a name.
    inline: bool,
    /// Whether it is a number without a tensor's methods.
    pub(super) literal: bool,
}

impl Value {
    /// The value as an argument.
    pub(super) fn argument(&self, name: &'static str) -> Argument {
        Argument::expression(name, &self.text, self.binds)
    }

    pub(super) fn dims(&self) -> &[usize] {
        &self.tensor.dims
    }
}

/// An input of the program.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its data.
    pub tensor: Tensor,
}

/// A block that is being written.
#[derive(Clone, Default, Debug)]
struct Scope {
    lines: Vec<String>,
    values: Vec<Value>,
}

/// Everything that a failed attempt gives back.
#[derive(Clone, Default, Debug)]
pub(super) struct State {
    pub(super) inputs: Vec<Input>,
    scopes: Vec<Scope>,
    used: BTreeSet<usize>,
    names: usize,
    /// Ops written so far, with their dtypes.
    pub(super) covered: Vec<(&'static str, DType)>,
}

/// Writes one program.
pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) state: State,
    /// Whether blocks may have angle brackets, so that every `<` and `>` needs parentheses.
    pub(super) angles: bool,
    /// Whether it is inside of `colocate_with`, where no block may ask for a device.
    pub(super) colocated: bool,
    /// Whether operands are fresh and harmless, for ops that found none that decide them.
    pub(super) tame: bool,
}

impl Generator {
    pub(super) fn new(random: Random) -> Generator {
        let state = State { scopes: vec![Scope::default()], ..State::default() };
        Generator { random, state, angles: false, colocated: false, tame: false }
    }

    pub(super) fn name(&mut self, stem: &str) -> String {
        self.state.names += 1;
        format!("{stem}{}", self.state.names)
    }

    pub(super) fn line(&mut self, line: String) {
        if let Some(scope) = self.state.scopes.last_mut() {
            scope.lines.push(line);
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.state.scopes.len()
    }

    fn value(&mut self, text: String, binds: u8, tensor: Tensor, known: bool, inline: bool) -> Value {
        self.state.names += 1;
        let id = self.state.names;
        Value { id, text, binds, tensor: Rc::new(tensor), known, inline, literal: false }
    }

    /// A literal that stands beside a tensor of its dtype.
    pub(super) fn literal(&mut self, tensor: Tensor) -> Value {
        let mut text = text::nested(&mut self.random, &tensor);
        if let [Element::Float(real)] = tensor.elements[..]
            && tensor.rank() == 0
            && real.value.fract() == 0.0
            && real.value.abs() < 1e6
            && (real.value != 0.0 || real.value.is_sign_positive())
            && self.random.chance(40)
        {
            text = format!("{}", real.value as i64);
        }
        let binds = if text.starts_with('-') { binding::UNARY } else { binding::ATOM };
        let mut value = self.value(text, binds, tensor, true, false);
        value.literal = true;
        value
    }

    /// Records an op and its result, which is bound to a name or stays an expression.
    pub(super) fn made(
        &mut self,
        op: &'static str,
        dtype: DType,
        (text, binds): (String, u8),
        tensor: Tensor,
        known: bool,
    ) -> Option<()> {
        if tensor.elements.len() > ELEMENT_LIMIT || tensor.rank() > 6 {
            return None;
        }
        self.state.covered.push((op, dtype));
        let inline = text.len() < LINE_LENGTH && self.random.chance(35);
        let value = self.value(text, binds, tensor, known, inline);
        self.add(value);
        Some(())
    }

    /// Makes a value usable in the innermost block.
    pub(super) fn add(&mut self, mut value: Value) {
        if !value.inline {
            value = self.bound(value);
        }
        if let Some(scope) = self.state.scopes.last_mut() {
            scope.values.push(value);
        }
    }

    /// Writes `let name = value;`.
    fn bound(&mut self, mut value: Value) -> Value {
        let name = self.name("v");
        let line = if self.random.chance(8) {
            let declared = text::type_of(&mut self.random, &value.tensor);
            format!("let {name}: {declared} = {};", value.text)
        } else {
            format!("let {name} = {};", value.text)
        };
        self.line(line);
        (value.text, value.binds, value.inline) = (name, binding::ATOM, false);
        value
    }

    /// The value under a name, if it is written in more than a few letters: for places that use it several times.
    pub(super) fn short(&mut self, value: Value) -> Value {
        if value.text.len() > 24 { self.bound(value) } else { value }
    }

    /// Makes values of names that a line has bound.
    pub(super) fn named(&mut self, name: String, tensor: Tensor, known: bool) {
        let value = self.value(name, binding::ATOM, tensor, known, false);
        if let Some(scope) = self.state.scopes.last_mut() {
            scope.values.push(value);
        }
    }

    /// An expression that may be used once, such as a block.
    pub(super) fn inline(&mut self, text: String, tensor: Tensor, known: bool) {
        let value = self.value(text, binding::ATOM, tensor, known, true);
        self.add(value);
    }

    /// A value that is there and that `want` likes, rather one that nobody used yet.
    pub(super) fn existing(&mut self, dtype: DType, want: &dyn Fn(&Tensor) -> bool) -> Option<Value> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (i, scope) in self.state.scopes.iter().enumerate() {
            for (j, value) in scope.values.iter().enumerate() {
                // A device block that is written here would be inside of `colocate_with`.
                let asks = value.inline
                    && ["device(", "colocate_with("].iter().any(|word| value.text.contains(word));
                if value.tensor.dtype == dtype && want(&value.tensor) && !(asks && self.colocated) {
                    found.push((i, j));
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        let is_used =
            |state: &State, (i, j): (usize, usize)| state.used.contains(&state.scopes[i].values[j].id);
        let mut chosen = self.random.choose(&found);
        if is_used(&self.state, chosen) {
            chosen = self.random.choose(&found);
        }
        Some(self.take(chosen))
    }

    /// The dtype of a value that nobody used yet.
    pub(super) fn unused_dtype(&mut self) -> Option<DType> {
        let values = self.state.scopes.iter().flat_map(|scope| &scope.values);
        let unused = values.filter(|value| !self.state.used.contains(&value.id));
        let dtypes: Vec<DType> = unused.map(|value| value.tensor.dtype).collect();
        if dtypes.is_empty() { None } else { Some(self.random.choose(&dtypes)) }
    }

    fn take(&mut self, (scope, position): (usize, usize)) -> Value {
        let values = &mut self.state.scopes[scope].values;
        let value = if values[position].inline { values.remove(position) } else { values[position].clone() };
        self.state.used.insert(value.id);
        value
    }

    /// An operand: one that is there, else a fresh one of the shape that `dims` gives.
    pub(super) fn operand(
        &mut self,
        dtype: DType,
        dims: &dyn Fn(&mut Random) -> Vec<usize>,
        want: &dyn Fn(&Tensor) -> bool,
    ) -> Value {
        if !self.tame
            && self.random.chance(72)
            && let Some(value) = self.existing(dtype, want)
        {
            return value;
        }
        let dims = dims(&mut self.random);
        self.fresh(dtype, &dims)
    }

    /// An operand of any shape.
    pub(super) fn any(&mut self, dtype: DType) -> Value {
        self.operand(dtype, &data::dims, &|_| true)
    }

    /// An operand that broadcasts with one of shape `other`.
    pub(super) fn partner(&mut self, dtype: DType, other: &[usize]) -> Value {
        if self.random.chance(25) {
            let style = self.style();
            return self.scalar_literal(dtype, style);
        }
        if let Some(&last) = other.last()
            && (1..=8).contains(&last)
            && self.random.chance(8)
        {
            let style = self.style();
            let list = data::tensor(&mut self.random, dtype, &[last], style);
            return self.literal(list);
        }
        let fits = |tensor: &Tensor| {
            common_dims(&tensor.dims, other)
                .is_some_and(|dims| dims.iter().product::<usize>() <= ELEMENT_LIMIT)
        };
        self.operand(dtype, &|random| broadcasting(random, other), &fits)
    }

    pub(super) fn scalar_literal(&mut self, dtype: DType, style: Style) -> Value {
        let scalar = data::tensor(&mut self.random, dtype, &[], style);
        self.literal(scalar)
    }

    pub(super) fn style(&self) -> Style {
        if self.tame { Style::Tame } else { Style::Any }
    }

    /// A fresh tensor: an input, or a constant in one of its forms.
    pub(super) fn fresh(&mut self, dtype: DType, dims: &[usize]) -> Value {
        let style = self.style();
        let tensor = data::tensor(&mut self.random, dtype, dims, style);
        self.holding(tensor)
    }

    /// A value of this data, or where there is no room for it, of other data in its shape.
    pub(super) fn holding(&mut self, tensor: Tensor) -> Value {
        let has_room = self.state.inputs.len() < INPUT_LIMIT;
        let can_list = tensor.elements.len() <= 40 && text::can_nest(&tensor.dims);
        if has_room && (!can_list || self.random.chance(55)) {
            return self.input(tensor);
        }
        if can_list {
            let text = self.constant_text(&tensor);
            return self.value(text, binding::ATOM, tensor, true, false);
        }
        let (text, tensor) = self.filled(tensor.dtype, &tensor.dims);
        self.value(text, binding::ATOM, tensor, true, false)
    }

    fn input(&mut self, tensor: Tensor) -> Value {
        let name = format!("x{}", self.state.inputs.len());
        self.state.inputs.push(Input { name: name.clone(), tensor: tensor.clone() });
        let value = self.value(name, binding::ATOM, tensor, false, false);
        self.state.scopes[0].values.push(value.clone());
        self.state.used.insert(value.id);
        value
    }

    /// `constant([…])`
    pub(super) fn constant_text(&mut self, tensor: &Tensor) -> String {
        let dtype = tensor.dtype;
        let list = text::nested(&mut self.random, tensor);
        let is_default =
            matches!(dtype, DType::F32 | DType::I32 | DType::Bool) && !tensor.elements.is_empty();
        let says = !is_default || self.random.chance(20);
        let arguments =
            vec![Some(Argument::new("value", list)), says.then(|| Argument::new("dtype", dtype.name()))];
        self.call_text("constant", arguments, false).0
    }

    /// A constant of many elements: `zeros`, `ones`, `fill` or numbers in a row.
    fn filled(&mut self, dtype: DType, dims: &[usize]) -> (String, Tensor) {
        let shape = format!("{dims:?}");
        let count: usize = dims.iter().product();
        let name = dtype.name();
        if dtype != DType::Bool && count <= 256 && self.random.chance(60) {
            let elements = (0..count).map(|i| Element::small(dtype, i as i64)).collect();
            // The last number of the longest row is 255, which u8 and bf16 hold.
            let text = format!("reshape(range({count}, dtype = {name}), {shape})");
            return (text, Tensor::new(dtype, dims, elements));
        }
        let number = self.random.between(0, 1);
        let op = if number == 0 { "zeros" } else { "ones" };
        let tensor = Tensor::new(dtype, dims, vec![Element::small(dtype, number); count]);
        (format!("{op}({shape}, dtype = {name})"), tensor)
    }

    /// A call, now and then with a node name.
    pub(super) fn call_text(
        &mut self,
        op: &str,
        arguments: Vec<Option<Argument>>,
        receiver: bool,
    ) -> (String, u8) {
        let name = self.random.chance(8).then(|| self.name("node_"));
        (text::call(&mut self.random, op, arguments, receiver, name), binding::ATOM)
    }

    /// `x op y` or `op(x, y)`.
    pub(super) fn binary_text(&mut self, op: &str, x: &Value, y: &Value) -> (String, u8) {
        if let Some((operator, binds)) = text::operator(op)
            && self.random.chance(70)
        {
            // Comparisons do not chain, and operators of one kind group from the left.
            let left = if binds == binding::COMPARISON { binds + 1 } else { binds };
            let text = format!(
                "{} {operator} {}",
                text::bound(&x.text, x.binds, left),
                text::bound(&y.text, y.binds, binds + 1)
            );
            return match self.angles && operator.contains(['<', '>']) {
                true => (format!("({text})"), binding::ATOM),
                false => (text, binds),
            };
        }
        let receiver = !x.literal;
        self.call_text(op, vec![Some(x.argument("x")), Some(y.argument("y"))], receiver)
    }

    /// `-x`, `!x` or `op(x)`.
    pub(super) fn unary_text(&mut self, op: &str, x: &Value) -> (String, u8) {
        if let Some(operator) = text::prefix(op)
            && self.random.chance(70)
        {
            return (format!("{operator}{}", text::bound(&x.text, x.binds, binding::ATOM)), binding::UNARY);
        }
        self.call_text(op, vec![Some(x.argument("x"))], true)
    }

    /// Begins a block inside the current one.
    pub(super) fn open(&mut self) {
        self.state.scopes.push(Scope::default());
    }

    /// Ends the innermost block: its lines, and its values that nobody used, at most `limit` of them, all else joined
    /// by dtype.
    pub(super) fn close(&mut self, limit: usize) -> (Vec<String>, Vec<Value>) {
        let mut leaves = self.leaves();
        if leaves.len() > limit {
            leaves = self.joined(leaves);
        }
        let scope = self.state.scopes.pop().unwrap_or_default();
        (scope.lines, leaves)
    }

    fn leaves(&mut self) -> Vec<Value> {
        let Some(scope) = self.state.scopes.last() else { return Vec::new() };
        let unused = scope.values.iter().filter(|value| !self.state.used.contains(&value.id));
        unused.cloned().collect()
    }

    /// One flat tensor for each dtype.
    fn joined(&mut self, leaves: Vec<Value>) -> Vec<Value> {
        let mut results = Vec::new();
        for dtype in DType::ALL {
            let own: Vec<&Value> = leaves.iter().filter(|value| value.tensor.dtype == dtype).collect();
            let flat: Vec<String> =
                own.iter().map(|value| format!("reshape({}, [-1])", value.text)).collect();
            match own[..] {
                [] => {}
                [only] => results.push(only.clone()),
                _ => {
                    let elements: Vec<Element> =
                        own.iter().flat_map(|value| value.tensor.elements.clone()).collect();
                    let tensor = Tensor::new(dtype, &[elements.len()], elements);
                    let text = format!("concat([{}])", flat.join(", "));
                    results.push(self.value(text, binding::ATOM, tensor, false, true));
                }
            }
        }
        results
    }
}

/// A random shape that broadcasts with `other`.
pub(super) fn broadcasting(random: &mut Random, other: &[usize]) -> Vec<usize> {
    let mut dims: Vec<usize> = other.iter().map(|&dim| if random.chance(25) { 1 } else { dim }).collect();
    while !dims.is_empty() && random.chance(20) {
        dims.remove(0);
    }
    // A size of 1 of the other may be stretched, and axes may stand before it.
    for axis in 0..dims.len() {
        let own = other[axis + other.len() - dims.len()];
        let count: usize = dims.iter().chain(other).product();
        if own == 1 && count < 200 && random.chance(25) {
            dims[axis] = random.choose(&[2, 3]);
        }
    }
    let count: usize = common_dims(&dims, other).map_or(1, |dims| dims.iter().product());
    if dims.len() == other.len() && dims.len() < 4 && count < 300 && random.chance(8) {
        dims.insert(0, random.choose(&[1, 2, 3]));
    }
    dims
}
