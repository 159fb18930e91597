//! Tensors from nothing.

use crate::dtype::DType;
use crate::evaluate::constants;
use crate::generate::data::{self, Style};
use crate::generate::state::Generator;
use crate::generate::text::{self, Argument, binding};
use crate::tensor::Element;

impl Generator {
    pub(super) fn constant(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let dims = data::dims(&mut self.random);
        let shape = text::wholes(&dims.iter().map(|&dim| dim as i64).collect::<Vec<i64>>());
        let written = |default: DType, says: bool| {
            (dtype != default || says).then(|| Argument::new("dtype", dtype.name()))
        };
        let says = self.random.chance(30);
        match op {
            "constant" => {
                let tensor = data::tensor(&mut self.random, dtype, &dims, Style::Any);
                if tensor.elements.len() > 40 || !text::can_nest(&dims) {
                    return None;
                }
                let text = self.constant_text(&tensor);
                self.made(op, dtype, (text, binding::ATOM), tensor, true)
            }
            "zeros" | "ones" => {
                let value = Element::small(dtype, (op == "ones").into());
                let tensor = constants::fill(dtype, &dims, value).ok()?;
                let arguments = vec![Some(Argument::new("shape", shape)), written(DType::F32, says)];
                let text = self.call_text(op, arguments, false);
                self.made(op, dtype, text, tensor, true)
            }
            "fill" => {
                let kind = self.random.below(100);
                let value = data::element(&mut self.random, dtype, Style::Any, kind);
                let is_special = matches!(value, Element::Float(real) if !real.value.is_finite());
                let (number, dtype_argument) = if says || is_special {
                    let number = text::literal(&mut self.random, dtype, value);
                    (number, Some(Argument::new("dtype", dtype.name())))
                } else {
                    (text::standing_literal(dtype, value), None)
                };
                let arguments = vec![
                    Some(Argument::new("shape", shape)),
                    Some(Argument::new("value", number)),
                    dtype_argument,
                ];
                let text = self.call_text(op, arguments, false);
                self.made(op, dtype, text, constants::fill(dtype, &dims, value).ok()?, true)
            }
            "eye" => {
                let (rows, columns) = (data::size(&mut self.random), data::size(&mut self.random));
                let square = self.random.chance(40);
                let columns = if square { rows } else { columns };
                let arguments = vec![
                    Some(Argument::new("rows", rows.to_string())),
                    (!square).then(|| Argument::new("columns", columns.to_string())),
                    written(DType::F32, says),
                ];
                let text = self.call_text(op, arguments, false);
                self.made(op, dtype, text, constants::eye(dtype, rows, columns).ok()?, true)
            }
            _ => self.range(dtype),
        }
    }

    /// Whole numbers, or for floats now and then quarters, in which all numbers are held.
    fn range(&mut self, dtype: DType) -> Option<()> {
        let scale = if dtype.is_float() && self.random.chance(50) { 4 } else { 1 };
        let alone = self.random.chance(30);
        let (mut start, mut stop, mut step) = (
            self.random.between(-9, 12),
            self.random.between(-9, 40),
            self.random.choose(&[1, 1, 2, 3, -1, -2]),
        );
        if alone {
            (start, stop, step) = (0, stop.max(0), 1);
            if scale > 1 {
                step = scale;
            }
        }
        // Backwards, most of the time down.
        if step < 0 && start < stop && self.random.chance(80) {
            (start, stop) = (stop, start);
        }
        if dtype == DType::U8 {
            (start, stop) = (start.abs(), stop.abs());
        }
        let tensor = constants::range(dtype, start, stop, step, scale).ok()?;
        let number = |n: i64| match scale {
            1 => n.to_string(),
            _ => format!("{:?}", n as f64 / scale as f64),
        };
        let default = if scale == 1 { DType::I32 } else { DType::F32 };
        let steps = if alone { None } else { Some(step).filter(|&step| step != 1 || self.random.chance(30)) };
        if scale > 1 && !alone && steps.is_none() {
            return None;
        }
        let arguments = vec![
            Some(Argument::new("start", number(if alone { stop } else { start }))),
            (!alone).then(|| Argument::new("stop", number(stop))),
            steps.map(|step| Argument::new("step", number(step))),
            (dtype != default).then(|| Argument::new("dtype", dtype.name())),
        ];
        let text = self.call_text("range", arguments, false);
        self.made("range", dtype, text, tensor, true)
    }
}
