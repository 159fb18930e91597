//! Normalisations, and ops that positions go into.

use super::reductions::with_axes;
use super::{RANK_LIMIT, axes_text};
use crate::dtype::DType;
use crate::evaluate::{indexing, network};
use crate::generate::data::{self, ELEMENT_LIMIT, Style};
use crate::generate::state::{Generator, Value, broadcasting};
use crate::generate::text::Argument;
use crate::tensor::{Tensor, axis_of};

impl Generator {
    pub(super) fn softmax(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &with_axes, &|x| x.rank() > 0);
        let axis = Some(self.axis(x.dims().len())).filter(|_| self.random.chance(65));
        let result = network::softmax(&x.tensor, axis.unwrap_or(-1), op == "log_softmax").ok()?;
        let arguments = vec![Some(x.argument("x")), axis.map(|axis| Argument::new("axis", axis.to_string()))];
        let text = self.call_text(op, arguments, true);
        self.made(op, dtype, text, result, x.known)
    }

    pub(super) fn layer_norm(&mut self, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &with_axes, &|x| x.rank() > 0);
        let rank = x.dims().len();
        let axes = if self.random.chance(35) {
            None
        } else {
            let count = 1 + self.random.below(rank);
            Some(self.axes(rank, count))
        };
        let used = axes.clone().unwrap_or_else(|| vec![-1]);
        let mut sorted: Vec<usize> = used.iter().map(|&axis| axis_of(axis, rank)).collect();
        sorted.sort_unstable();
        let sizes: Vec<usize> = sorted.iter().map(|&axis| x.dims()[axis]).collect();
        let scale = self.parameter(dtype, &sizes);
        let bias = self.parameter(dtype, &sizes);
        // Numbers that every float dtype holds.
        let epsilon = self.random.chance(50).then(|| self.random.choose(&[0.5, 0.0625, 0.0009765625]));
        let result = network::layer_norm(
            &x.tensor,
            scale.as_ref().map(|scale| &*scale.tensor),
            bias.as_ref().map(|bias| &*bias.tensor),
            &used,
            epsilon.unwrap_or(1e-5),
        )
        .ok()?;
        let as_list = self.random.chance(20);
        let known = [&scale, &bias].iter().all(|x| x.as_ref().is_none_or(|x| x.known));
        let arguments = vec![
            Some(x.argument("x")),
            scale.map(|scale| scale.argument("scale")),
            bias.map(|bias| bias.argument("bias")),
            axes.map(|axes| Argument::new("axis", axes_text(&axes, as_list))),
            epsilon.map(|epsilon| Argument::new("epsilon", format!("{epsilon:?}"))),
        ];
        let text = self.call_text("layer_norm", arguments, true);
        self.made("layer_norm", dtype, text, result, x.known && known)
    }

    /// Nothing, a literal, or a tensor that stretches to these sizes.
    fn parameter(&mut self, dtype: DType, sizes: &[usize]) -> Option<Value> {
        match self.random.below(10) {
            0..4 => None,
            4 => Some(self.scalar_literal(dtype, Style::Tame)),
            _ => {
                let mut dims = broadcasting(&mut self.random, sizes);
                if crate::tensor::common_dims(&dims, sizes).is_none_or(|dims| dims != sizes) {
                    dims = sizes.to_vec();
                }
                let fits =
                    |x: &Tensor| crate::tensor::common_dims(&x.dims, sizes).is_some_and(|dims| dims == sizes);
                Some(self.operand(dtype, &|_| dims.clone(), &fits))
            }
        }
    }

    pub(super) fn one_hot(&mut self, dtype: DType) -> Option<()> {
        let depth = self.random.choose(&[1, 2, 3, 5, 8]);
        let dims = data::dims(&mut self.random);
        if dims.iter().product::<usize>() * depth > ELEMENT_LIMIT || dims.len() >= RANK_LIMIT {
            return None;
        }
        let positions = self.positions(dtype, &dims, depth)?;
        let target = self.random.choose(&DType::ALL);
        let result = indexing::one_hot(&positions.tensor, depth, target).ok()?;
        let says = target != DType::F32 || self.random.chance(20);
        let arguments = vec![
            Some(positions.argument("indices")),
            Some(Argument::new("depth", depth.to_string())),
            says.then(|| Argument::new("dtype", target.name())),
        ];
        let text = self.call_text("one_hot", arguments, !positions.literal);
        self.made("one_hot", dtype, text, result, positions.known)
    }

    /// Fresh indices below `bound`.
    fn positions(&mut self, dtype: DType, dims: &[usize], bound: usize) -> Option<Value> {
        if bound == 0 && !dims.contains(&0) {
            return None;
        }
        let tensor = data::tensor(&mut self.random, dtype, dims, Style::Below(bound));
        if dtype == DType::I32 && (1..=6).contains(&tensor.elements.len()) && self.random.chance(30) {
            return Some(self.literal(tensor));
        }
        Some(self.holding(tensor))
            .filter(|value| value.tensor.elements.iter().all(|element| (element.whole() as usize) < bound))
    }

    pub(super) fn gather(&mut self, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &with_axes, &|x| x.rank() > 0);
        let rank = x.dims().len();
        let axis = Some(self.axis(rank)).filter(|_| self.random.chance(70));
        let bound = x.dims()[axis_of(axis.unwrap_or(0), rank)];
        let dims = data::dims(&mut self.random);
        let elements = x.tensor.elements.len() / bound.max(1) * dims.iter().product::<usize>();
        if elements > ELEMENT_LIMIT || rank + dims.len() > RANK_LIMIT + 1 {
            return None;
        }
        let index_dtype = self.random.choose(&[DType::I32, DType::I64]);
        let positions = self.positions(index_dtype, &dims, bound)?;
        let result = indexing::gather(&x.tensor, &positions.tensor, axis.unwrap_or(0)).ok()?;
        let arguments = vec![
            Some(x.argument("x")),
            Some(positions.argument("indices")),
            axis.map(|axis| Argument::new("axis", axis.to_string())),
        ];
        let text = self.call_text("gather", arguments, true);
        self.made("gather", dtype, text, result, x.known && positions.known)
    }
}
