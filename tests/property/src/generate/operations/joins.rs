//! Tensors joined, taken apart, framed and sliced.

use super::RANK_LIMIT;
use super::reductions::with_axes;
use crate::dtype::DType;
use crate::evaluate::join::{self, Range};
use crate::evaluate::{arithmetic, shape};
use crate::generate::data::{self, ELEMENT_LIMIT, Style};
use crate::generate::state::{Generator, Value};
use crate::generate::text::{self, Argument, binding};
use crate::tensor::{Element, Tensor, axis_of};

impl Generator {
    /// `add_n`, `concat` or `stack` of one to four tensors.
    pub(super) fn join(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let first = match op {
            "concat" => self.operand(dtype, &with_axes, &|x| x.rank() > 0),
            _ => self.operand(dtype, &data::dims, &|x| x.rank() < RANK_LIMIT),
        };
        let dims = first.dims().to_vec();
        let rank = if op == "stack" { dims.len() + 1 } else { dims.len() };
        let axis = match op {
            "add_n" => None,
            _ => Some(self.axis(rank)).filter(|_| self.random.chance(75)),
        };
        let free = (op == "concat").then(|| axis_of(axis.unwrap_or(0), rank));
        let mut inputs = vec![first];
        for _ in 0..self.random.below(4) {
            let fits = |x: &Tensor| {
                x.rank() == dims.len()
                    && (0..dims.len()).all(|axis| Some(axis) == free || x.dims[axis] == dims[axis])
            };
            let other = self.operand(
                dtype,
                &|random| {
                    let mut own = dims.clone();
                    if let Some(free) = free {
                        own[free] = random.choose(&[0, 1, 2, 3]);
                    }
                    own
                },
                &fits,
            );
            inputs.push(other);
        }
        let tensors: Vec<Tensor> = inputs.iter().map(|x| (*x.tensor).clone()).collect();
        if tensors.iter().map(|x| x.elements.len()).sum::<usize>() > ELEMENT_LIMIT {
            return None;
        }
        let result = match op {
            "concat" => join::concat(&tensors, axis.unwrap_or(0)),
            "stack" => join::stack(&tensors, axis.unwrap_or(0)),
            _ => {
                tensors[1..].iter().try_fold(tensors[0].clone(), |sum, x| arithmetic::binary("add", &sum, x))
            }
        };
        let list: Vec<&str> = inputs.iter().map(|x| x.text.as_str()).collect();
        let arguments = vec![
            Some(Argument::new("inputs", format!("[{}]", list.join(", ")))),
            axis.map(|axis| Argument::new("axis", axis.to_string())),
        ];
        let text = self.call_text(op, arguments, false);
        let known = inputs.iter().all(|x| x.known);
        self.made(op, dtype, text, result.ok()?, known)
    }

    /// A list of parts, which is named, indexed or joined again.
    pub(super) fn split(&mut self, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &with_axes, &|x| x.rank() > 0);
        let axis = Some(self.axis(x.dims().len())).filter(|_| self.random.chance(75));
        let at = axis_of(axis.unwrap_or(0), x.dims().len());
        let (sizes, parts) = self.parts(x.dims()[at]);
        let tensors = join::split(&x.tensor, &sizes, at as i64).ok()?;
        let arguments = vec![
            Some(x.argument("x")),
            Some(Argument::new("parts", parts)),
            axis.map(|axis| Argument::new("axis", axis.to_string())),
        ];
        let (text, _) = self.call_text("split", arguments, true);
        match self.random.below(4) {
            0 => {
                let part = self.random.below(tensors.len());
                let text =
                    if self.random.chance(50) { format!("{text}.{part}") } else { format!("{text}[{part}]") };
                self.made("split", dtype, (text, binding::ATOM), tensors[part].clone(), x.known)
            }
            1 => {
                let joined = join::concat(&tensors, at as i64).ok()?;
                let text = format!("concat({text}, axis = {at})");
                self.made("split", dtype, (text, binding::ATOM), joined, x.known)
            }
            _ => {
                let names: Vec<String> = tensors.iter().map(|_| self.name("v")).collect();
                let (open, close) = self.random.choose(&[("(", ")"), ("[", "]")]);
                // A tuple of one is no list.
                let pattern = match &names[..] {
                    [only] => format!("[{only}]"),
                    names => format!("{open}{}{close}", names.join(", ")),
                };
                self.line(format!("let {pattern} = {text};"));
                self.state.covered.push(("split", dtype));
                for (name, tensor) in names.into_iter().zip(tensors) {
                    self.named(name, tensor, x.known);
                }
                Some(())
            }
        }
    }

    /// Sizes of the parts of an axis, and how they are written.
    fn parts(&mut self, size: usize) -> (Vec<i64>, String) {
        let counts: Vec<usize> = (1..=5).filter(|count| size.is_multiple_of(*count)).collect();
        if self.random.chance(55) {
            let count = self.random.choose(&counts);
            return (vec![(size / count) as i64; count], count.to_string());
        }
        let mut rest = size;
        let mut sizes: Vec<i64> = Vec::new();
        for _ in 0..self.random.below(3) {
            let part = self.random.below(rest + 1);
            sizes.push(part as i64);
            rest -= part;
        }
        sizes.push(rest as i64);
        if self.random.chance(40) {
            let open = self.random.below(sizes.len());
            sizes[open] = -1;
        }
        let text = text::wholes(&sizes);
        (sizes, text)
    }

    pub(super) fn slice(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let count = self.random.below(x.dims().len() + 1);
        let has_step = self.random.chance(50);
        let (mut starts, mut stops, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        let mut ranges: Vec<Range> = x.dims().iter().map(|&dim| Range::whole(dim)).collect();
        for (range, &dim) in ranges.iter_mut().zip(&x.dims()[..count]) {
            let bound = dim as i64 + 2;
            let (start, stop) = (self.random.between(-bound, bound), self.random.between(-bound, bound));
            let step = if has_step { self.random.choose(&[1, 2, 3, -1, -2]) } else { 1 };
            *range = Range::of_python(dim, Some(start), Some(stop), step);
            starts.push(start);
            stops.push(stop);
            steps.push(step);
        }
        let arguments = vec![
            Some(x.argument("x")),
            Some(Argument::new("start", text::wholes(&starts))),
            Some(Argument::new("stop", text::wholes(&stops))),
            has_step.then(|| Argument::new("step", text::wholes(&steps))),
        ];
        let text = self.call_text("slice", arguments, true);
        self.made("slice", dtype, text, join::taken(&x.tensor, &ranges), x.known)
    }

    /// `x[1, .., 2..;-1, ...]`
    pub(super) fn index(&mut self, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &with_axes, &|x| x.rank() > 0);
        let rank = x.dims().len();
        let given = 1 + self.random.below(rank);
        let mut ranges: Vec<Range> = x.dims().iter().map(|&dim| Range::whole(dim)).collect();
        // The ellipsis moves the entries behind it to the last axes.
        let ellipsis = self.random.chance(25).then(|| self.random.below(given + 1));
        let mut entries = Vec::new();
        let mut dropped = Vec::new();
        for entry in 0..given {
            if ellipsis == Some(entry) {
                entries.push(String::from("..."));
            }
            let axis = if ellipsis.is_some_and(|at| entry >= at) { rank - given + entry } else { entry };
            let dim = x.dims()[axis];
            if dim > 0 && self.random.chance(35) {
                let position = self.random.below(dim) as i64;
                let written = if self.random.chance(35) { position - dim as i64 } else { position };
                ranges[axis] = Range { start: position, step: 1, count: 1 };
                dropped.push(axis as i64);
                entries.push(written.to_string());
            } else {
                let (range, text) = self.range_of(dim);
                ranges[axis] = range;
                entries.push(text);
            }
        }
        if ellipsis == Some(given) {
            entries.push(String::from("..."));
        }
        let taken = join::taken(&x.tensor, &ranges);
        let result = shape::squeeze(&taken, Some(&dropped)).ok()?;
        let base = text::bound(&x.text, x.binds, binding::ATOM);
        let text = format!("{base}[{}]", entries.join(", "));
        self.made("index", dtype, (text, binding::ATOM), result, x.known)
    }

    /// `start..stop;step` of an axis.
    fn range_of(&mut self, dim: usize) -> (Range, String) {
        let bound = dim as i64 + 1;
        let start = self.random.chance(55).then(|| self.random.between(-bound, bound));
        let stop = self.random.chance(55).then(|| self.random.between(-bound, bound));
        let step = self.random.chance(40).then(|| self.random.choose(&[1, 2, 3, -1, -2]));
        let written = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
        let step_text = step.map_or_else(String::new, |step| format!(";{step}"));
        // Up to and with a position, forwards: what `..` gives for the position behind it.
        if let Some(last) = stop
            && step.unwrap_or(1) > 0
            && self.random.chance(25)
        {
            let behind = if last == -1 { None } else { Some(last + 1) };
            let range = Range::of_python(dim, start, behind, step.unwrap_or(1));
            return (range, format!("{}..={last}{step_text}", written(start)));
        }
        let range = Range::of_python(dim, start, stop, step.unwrap_or(1));
        (range, format!("{}..{}{step_text}", written(start), written(stop)))
    }

    pub(super) fn pad(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let pairs: Vec<[usize; 2]> = x
            .dims()
            .iter()
            .map(|_| [self.random.choose(&[0, 0, 1, 2]), self.random.choose(&[0, 1, 3])])
            .collect();
        let elements: usize =
            x.dims().iter().zip(&pairs).map(|(dim, pair)| dim + pair[0] + pair[1]).product();
        if elements > ELEMENT_LIMIT {
            return None;
        }
        let value = self.random.chance(60).then(|| self.scalar_literal(dtype, Style::Any));
        let element = value.as_ref().map_or(Element::small(dtype, 0), |value| value.tensor.elements[0]);
        let result = join::pad(&x.tensor, &pairs, element).ok()?;
        let arguments = vec![
            Some(x.argument("x")),
            Some(Argument::new("paddings", format!("{pairs:?}"))),
            value.as_ref().map(|value: &Value| value.argument("value")),
        ];
        let text = self.call_text("pad", arguments, true);
        self.made("pad", dtype, text, result, x.known)
    }
}
