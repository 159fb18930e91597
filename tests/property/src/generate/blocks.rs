//! Statements that hold others: blocks, loops and calls of helpers.

use super::data;
use super::random::Random;
use super::recipe::Recipe;
use super::state::{Generator, Value};
use super::text::{self, binding};
use crate::dtype::DType;
use crate::evaluate::{arithmetic, join, shape};
use crate::tensor::Tensor;

/// Blocks nest this deep.
const DEPTH: usize = 4;

/// Requests of device blocks. The tests have three virtual GPUs.
const DEVICES: [&str; 8] = [
    "\"/cpu:0\"",
    "\"/gpu:0\"",
    "\"/gpu:1\"",
    "\"/gpu:1\"",
    "\"/device:GPU:2\"",
    "\"/device:CPU:0\"",
    "\"/job:localhost/device:GPU:0\"",
    "none",
];

/// A function of a module.
pub(super) struct Helper {
    name: String,
    parameters: usize,
    recipe: Recipe,
}

impl Helper {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its definition.
    pub(super) fn lines(&self) -> Vec<String> {
        let parameters: Vec<String> = (0..self.parameters).map(|i| format!("p{i}")).collect();
        let (steps, last) = self.recipe.write(&parameters, "");
        let body = indented([steps, vec![last]].concat());
        [vec![format!("fn {}({}) {{", self.name, parameters.join(", "))], body, vec!["}".into()]].concat()
    }
}

/// The lines one level deeper.
pub(super) fn indented(lines: Vec<String>) -> Vec<String> {
    lines
        .into_iter()
        .flat_map(|line| line.lines().map(|line| format!("    {line}")).collect::<Vec<_>>())
        .collect()
}

impl Generator {
    pub(super) fn helpers(&mut self) -> Vec<Helper> {
        (0..1 + self.random.below(2))
            .map(|i| {
                let parameters = 1 + self.random.below(2);
                let recipe = Recipe::random(&mut self.random, parameters, false);
                Helper { name: format!("helper_{i}"), parameters, recipe }
            })
            .collect()
    }

    /// A random statement.
    pub(super) fn statement(&mut self, helpers: &[Helper]) {
        let saved = self.state.clone();
        let nested = self.depth() < DEPTH;
        let made = match self.random.below(100) {
            0..16 if nested => self.block(helpers),
            16..27 => self.looped(),
            27..60 if !helpers.is_empty() => {
                let helper = &helpers[self.random.below(helpers.len())];
                self.helped(helper)
            }
            _ => {
                let (op, dtype) = self.random_pair();
                self.attempt(op, dtype)
            }
        };
        if made.is_none() {
            self.state = saved;
        }
    }

    /// A device block, a scope, a colocation or plain braces around a few statements.
    fn block(&mut self, helpers: &[Helper]) -> Option<()> {
        let mut angles = false;
        let outer = self.colocated;
        let head = match self.random.below(10) {
            0 => String::new(),
            1 => {
                let dtype = self.random.choose(&DType::ALL);
                let anchor = self.existing(dtype, &|_| true)?;
                self.colocated = true;
                format!("colocate_with({}) ", anchor.text)
            }
            2.. if self.colocated => return None,
            2 => format!("scope(\"tower_{}\") ", self.random.below(3)),
            _ => {
                angles = self.angles && self.random.chance(70);
                format!("device({}) ", self.random.choose(&DEVICES))
            }
        };
        self.open();
        for _ in 0..1 + self.random.below(3) {
            self.statement(helpers);
        }
        self.colocated = outer;
        let (lines, leaves) = self.close(3);
        let (open, close) = if angles { ("<", ">") } else { ("{", "}") };
        let tail = match &leaves[..] {
            [] => return None,
            [only] => only.text.clone(),
            leaves => format!("({})", texts(leaves).join(", ")),
        };
        if let [only] = &leaves[..]
            && lines.is_empty()
            && !head.is_empty()
            && !angles
            && self.random.chance(50)
        {
            self.inline(format!("({head}{{ {tail} }})"), (*only.tensor).clone(), only.known);
            return Some(());
        }
        let names: Vec<String> = leaves.iter().map(|_| self.name("v")).collect();
        let pattern = match &names[..] {
            [only] => only.clone(),
            names => format!("({})", names.join(", ")),
        };
        let body = indented([lines, vec![tail]].concat()).join("\n");
        self.line(format!("let {pattern} = {head}{open}\n{body}\n{close};"));
        for (name, value) in names.into_iter().zip(leaves) {
            self.named(name, (*value.tensor).clone(), value.known);
        }
        Some(())
    }

    /// A call of a helper, as a function or as a method.
    fn helped(&mut self, helper: &Helper) -> Option<()> {
        let dtype = self.number_dtype();
        let first = self.any(dtype);
        let mut arguments = vec![first];
        while arguments.len() < helper.parameters {
            let other = self.partner(dtype, arguments[0].dims());
            // A helper's step on two literals would be a number.
            if other.literal {
                return None;
            }
            arguments.push(other);
        }
        let tensors: Vec<Tensor> = arguments.iter().map(|value| (*value.tensor).clone()).collect();
        let result = helper.recipe.evaluate(&tensors, 0).ok()?;
        let listed = texts(&arguments);
        let text = if self.random.chance(25) {
            let receiver = text::bound(&arguments[0].text, arguments[0].binds, binding::ATOM);
            format!("{receiver}.{}({})", helper.name, listed[1..].join(", "))
        } else {
            format!("{}({})", helper.name, listed.join(", "))
        };
        if result.elements.len() > data::ELEMENT_LIMIT {
            return None;
        }
        self.inline(text, result, false);
        Some(())
    }

    fn number_dtype(&mut self) -> DType {
        loop {
            let dtype = self.random.choose(&DType::ALL);
            if Recipe::takes(dtype) {
                return dtype;
            }
        }
    }

    /// A loop, of which the results are joined.
    fn looped(&mut self) -> Option<()> {
        let dtype = self.number_dtype();
        let (head, rounds, parts, names) = self.rounds(dtype)?;
        let recipe = Recipe::random(&mut self.random, parts.len(), rounds == Rounds::Numbers);
        let count = parts[0].len();
        let mut results = Vec::new();
        for round in 0..count {
            let arguments: Vec<Tensor> = parts.iter().map(|part| part[round].clone()).collect();
            results.push(recipe.evaluate(&arguments, round as i64).ok()?);
        }
        let (steps, last) = recipe.write(&names, "i");
        let mut body = [steps, vec![last]].concat();
        let device = match rounds {
            _ if self.colocated => None,
            Rounds::Numbers if self.random.chance(40) && count <= 3 => Some("\"/gpu:{i}\""),
            Rounds::Devices => Some("d"),
            _ => None,
        };
        if let Some(device) = device {
            body = [vec![format!("device({device}) {{")], indented(body), vec!["}".into()]].concat();
        }
        let mut head = head;
        let uses_number = names.iter().any(|name| name.contains("[i]"))
            || recipe.uses_round()
            || device.is_some_and(|device| device.contains("{i}"));
        if rounds == Rounds::Numbers && !uses_number {
            head = head.replacen("for i in", "for _ in", 1);
        }
        let text = format!("{head} {{\n{}\n}}", indented(body).join("\n"));
        let elements: usize = results.iter().map(|x| x.elements.len()).sum();
        if elements > data::ELEMENT_LIMIT || results[0].rank() >= 5 {
            return None;
        }
        let same = results.iter().all(|x| x.dims == results[0].dims);
        let op = match (same, results[0].rank()) {
            (true, 0) => self.random.choose(&["add_n", "stack"]),
            (true, _) => self.random.choose(&["add_n", "stack", "concat"]),
            (false, _) => return None,
        };
        let result = match op {
            "add_n" => {
                results[1..].iter().try_fold(results[0].clone(), |sum, x| arithmetic::binary("add", &sum, x))
            }
            "stack" => join::stack(&results, 0),
            _ => join::concat(&results, 0),
        };
        let result = result.ok()?;
        if self.random.chance(50) {
            self.inline(format!("{op}({text})"), result, false);
            return Some(());
        }
        let list = self.name("list");
        self.line(format!("let {list} = {text};"));
        self.inline(format!("{op}({list})"), result, false);
        Some(())
    }

    /// The head of a loop, what its variable is, for each operand of the body what it is in each round, and how the
    /// operands are written.
    #[expect(clippy::type_complexity, reason = "the four parts of one loop, taken apart where it is called")]
    fn rounds(&mut self, dtype: DType) -> Option<(String, Rounds, Vec<Vec<Tensor>>, Vec<String>)> {
        let count = 2 + self.random.below(2);
        match self.random.below(4) {
            0 => {
                let x = self.operand(dtype, &|random| divisible(random, count), &|x| {
                    x.rank() > 0 && x.dims[0] > 0 && x.dims[0].is_multiple_of(count)
                });
                let size = (x.dims()[0] / count) as i64;
                let parts = join::split(&x.tensor, &vec![size; count], 0).ok()?;
                let head = format!("for part in split({}, {count})", x.text);
                Some((head, Rounds::Parts, vec![parts], vec!["part".into()]))
            }
            1 => {
                let x = self.any(dtype);
                let devices: Vec<String> = (0..count).map(|i| format!("\"/gpu:{i}\"")).collect();
                let head = format!("for d in [{}]", devices.join(", "));
                let (name, part) = self.in_every_round(x, count);
                Some((head, Rounds::Devices, vec![part], vec![name]))
            }
            2 => {
                // `x[i]`
                let x = self.operand(dtype, &|random| divisible(random, count), &|x| {
                    x.rank() > 0 && x.dims[0] >= count
                });
                let x = self.short(x);
                let name = text::bound(&x.text, x.binds, binding::ATOM);
                let rows = (0..count)
                    .map(|i| {
                        let mut ranges: Vec<join::Range> =
                            x.dims().iter().map(|&dim| join::Range::whole(dim)).collect();
                        ranges[0] = join::Range { start: i as i64, step: 1, count: 1 };
                        shape::squeeze(&join::taken(&x.tensor, &ranges), Some(&[0]))
                    })
                    .collect::<Result<Vec<Tensor>, _>>()
                    .ok()?;
                Some((self.numbers(count), Rounds::Numbers, vec![rows], vec![format!("{name}[i]")]))
            }
            _ => {
                let x = self.any(dtype);
                let y = self.partner(dtype, x.dims());
                let mut parts = Vec::new();
                let mut names = Vec::new();
                let operands = if y.literal { vec![x] } else { vec![x, y] };
                for operand in operands {
                    let (name, part) = self.in_every_round(operand, count);
                    parts.push(part);
                    names.push(name);
                }
                Some((self.numbers(count), Rounds::Numbers, parts, names))
            }
        }
    }

    fn in_every_round(&mut self, x: Value, count: usize) -> (String, Vec<Tensor>) {
        let x = self.short(x);
        (text::bound(&x.text, x.binds, binding::ATOM), vec![(*x.tensor).clone(); count])
    }

    fn numbers(&mut self, count: usize) -> String {
        match self.random.chance(30) {
            true => format!("for i in 0..={}", count - 1),
            false => format!("for i in 0..{count}"),
        }
    }
}

/// What a loop goes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rounds {
    Numbers,
    Devices,
    Parts,
}

fn texts(values: &[Value]) -> Vec<String> {
    values.iter().map(|value| value.text.clone()).collect()
}

/// A shape whose first size is a multiple of `count`, not 0.
fn divisible(random: &mut Random, count: usize) -> Vec<usize> {
    let mut dims = data::dims(random);
    if dims.is_empty() {
        dims.push(1);
    }
    dims[0] = count * (1 + random.below(2));
    dims
}
