//! Reductions and running sums.

use super::axes_text;
use crate::dtype::DType;
use crate::evaluate::{indexing, reduce};
use crate::generate::data;
use crate::generate::random::Random;
use crate::generate::state::Generator;
use crate::generate::text::Argument;
use crate::tensor::Tensor;

impl Generator {
    pub(super) fn reduce(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let needs_elements = matches!(op, "max" | "min");
        let x = self.operand(dtype, &data::dims, &|_| true);
        let rank = x.dims().len();
        let axes = match self.random.below(10) {
            0..3 => None,
            _ if rank == 0 => None,
            3..8 => Some(vec![self.axis(rank)]),
            8 if self.random.chance(20) => Some(Vec::new()),
            _ => {
                let count = 1 + self.random.below(rank);
                Some(self.axes(rank, count))
            }
        };
        let reduced = reduced_dims(&x.tensor, axes.as_deref());
        if needs_elements && reduced.contains(&0) {
            return None;
        }
        let keepdims = self.random.chance(35);
        let result = reduce::reduce(op, &x.tensor, axes.as_deref(), keepdims).ok()?;
        let as_list = self.random.chance(20);
        let arguments = vec![
            Some(x.argument("x")),
            axes.map(|axes| Argument::new("axis", axes_text(&axes, as_list))),
            self.flag("keepdims", keepdims),
        ];
        let text = self.call_text(op, arguments, true);
        self.made(op, dtype, text, result, x.known)
    }

    /// A flag: left out where it is false, most of the time.
    pub(super) fn flag(&mut self, name: &'static str, flag: bool) -> Option<Argument> {
        (flag || self.random.chance(8)).then(|| Argument::new(name, flag.to_string()))
    }

    pub(super) fn position(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &data::dims, &|x| !x.elements.is_empty());
        let rank = x.dims().len();
        let axis = if rank == 0 || self.random.chance(30) { None } else { Some(self.axis(rank)) };
        let axes = axis.map(|axis| vec![axis]);
        if reduced_dims(&x.tensor, axes.as_deref()).contains(&0) {
            return None;
        }
        let keepdims = self.random.chance(30);
        let result = reduce::position(op, &x.tensor, axis, keepdims).ok()?;
        let arguments = vec![
            Some(x.argument("x")),
            axis.map(|axis| Argument::new("axis", axis.to_string())),
            self.flag("keepdims", keepdims),
        ];
        let text = self.call_text(op, arguments, true);
        self.made(op, dtype, text, result, x.known)
    }

    pub(super) fn cumsum(&mut self, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &with_axes, &|x| x.rank() > 0);
        let axis = if self.random.chance(30) { None } else { Some(self.axis(x.dims().len())) };
        let (exclusive, reverse) = (self.random.chance(35), self.random.chance(35));
        let result = indexing::cumsum(&x.tensor, axis.unwrap_or(0), exclusive, reverse).ok()?;
        let arguments = vec![
            Some(x.argument("x")),
            axis.map(|axis| Argument::new("axis", axis.to_string())),
            self.flag("exclusive", exclusive),
            self.flag("reverse", reverse),
        ];
        let text = self.call_text("cumsum", arguments, true);
        self.made("cumsum", dtype, text, result, x.known)
    }
}

fn reduced_dims(x: &Tensor, axes: Option<&[i64]>) -> Vec<usize> {
    match axes {
        None => x.dims.clone(),
        Some(axes) => axes.iter().map(|&axis| x.dims[crate::tensor::axis_of(axis, x.rank())]).collect(),
    }
}

/// A shape of one axis or more.
pub(super) fn with_axes(random: &mut Random) -> Vec<usize> {
    loop {
        let dims = data::dims(random);
        if !dims.is_empty() {
            return dims;
        }
    }
}
