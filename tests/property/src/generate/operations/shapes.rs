//! The same elements in another shape or order.

use super::reductions::with_axes;
use super::{RANK_LIMIT, axes_text};
use crate::dtype::DType;
use crate::evaluate::shape;
use crate::generate::data::ELEMENT_LIMIT;
use crate::generate::random::Random;
use crate::generate::state::Generator;
use crate::generate::text::{self, Argument};

impl Generator {
    pub(super) fn reshape(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let mut sizes = factors(&mut self.random, x.tensor.elements.len());
        let others = |sizes: &[i64], open: usize| -> i64 {
            sizes.iter().enumerate().filter(|(i, _)| *i != open).map(|(_, size)| size).product()
        };
        if !sizes.is_empty() && self.random.chance(50) {
            let open = self.random.below(sizes.len());
            if others(&sizes, open) != 0 {
                sizes[open] = -1;
            }
        }
        let result = shape::reshape(&x.tensor, &sizes).ok()?;
        let arguments = vec![Some(x.argument("x")), Some(Argument::new("shape", text::wholes(&sizes)))];
        let text = self.call_text("reshape", arguments, true);
        self.made("reshape", dtype, text, result, x.known)
    }

    pub(super) fn reorder(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let rank = x.dims().len();
        let axes = if rank == 0 || self.random.chance(30) {
            None
        } else {
            let count = if op == "transpose" { rank } else { 1 + self.random.below(rank) };
            Some(self.axes(rank, count))
        };
        let (result, parameter) = match op {
            "transpose" => (shape::transpose(&x.tensor, axes.as_deref()), "axes"),
            _ => (shape::reverse(&x.tensor, axes.as_deref()), "axis"),
        };
        let as_list = op == "transpose" || self.random.chance(30);
        let arguments =
            vec![Some(x.argument("x")), axes.map(|axes| Argument::new(parameter, axes_text(&axes, as_list)))];
        let text = self.call_text(op, arguments, true);
        self.made(op, dtype, text, result.ok()?, x.known)
    }

    pub(super) fn expand_dims(&mut self, dtype: DType) -> Option<()> {
        let x = self.operand(dtype, &with_axes, &|x| x.rank() < RANK_LIMIT);
        let count = if x.dims().len() + 2 <= RANK_LIMIT && self.random.chance(20) { 2 } else { 1 };
        let axes = self.axes(x.dims().len() + count, count);
        let result = shape::expand_dims(&x.tensor, &axes).ok()?;
        let as_list = self.random.chance(20);
        let arguments = vec![Some(x.argument("x")), Some(Argument::new("axis", axes_text(&axes, as_list)))];
        let text = self.call_text("expand_dims", arguments, true);
        self.made("expand_dims", dtype, text, result, x.known)
    }

    pub(super) fn squeeze(&mut self, dtype: DType) -> Option<()> {
        let with_one = |random: &mut Random| {
            let mut dims = with_axes(random);
            let axis = random.below(dims.len());
            dims[axis] = 1;
            dims
        };
        let x = self.operand(dtype, &with_one, &|x| x.dims.contains(&1));
        let ones: Vec<usize> = (0..x.dims().len()).filter(|&axis| x.dims()[axis] == 1).collect();
        let rank = x.dims().len() as i64;
        let axes = if self.random.chance(35) {
            None
        } else {
            let count = 1 + self.random.below(ones.len());
            let chosen = self.axes(ones.len(), count);
            let axes = chosen.iter().map(|&i| {
                let axis = ones[crate::tensor::axis_of(i, ones.len())] as i64;
                if i < 0 { axis - rank } else { axis }
            });
            Some(axes.collect::<Vec<i64>>())
        };
        let result = shape::squeeze(&x.tensor, axes.as_deref()).ok()?;
        let as_list = self.random.chance(20);
        let arguments =
            vec![Some(x.argument("x")), axes.map(|axes| Argument::new("axis", axes_text(&axes, as_list)))];
        let text = self.call_text("squeeze", arguments, true);
        self.made("squeeze", dtype, text, result, x.known)
    }

    pub(super) fn broadcast_to(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let mut dims = x.dims().to_vec();
        for dim in &mut dims {
            if *dim == 1 && self.random.chance(60) {
                *dim = self.random.choose(&[0, 1, 2, 3, 5]);
            }
        }
        while dims.len() < RANK_LIMIT && self.random.chance(30) {
            dims.insert(0, self.random.choose(&[1, 2, 3]));
        }
        if dims.iter().product::<usize>() > ELEMENT_LIMIT {
            return None;
        }
        let result = shape::broadcast_to(&x.tensor, &dims).ok()?;
        let arguments = vec![Some(x.argument("x")), Some(Argument::new("shape", format!("{dims:?}")))];
        let text = self.call_text("broadcast_to", arguments, true);
        self.made("broadcast_to", dtype, text, result, x.known)
    }

    pub(super) fn tile(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let multiples: Vec<usize> =
            x.dims().iter().map(|_| self.random.choose(&[1, 1, 2, 2, 3, 0])).collect();
        if x.tensor.elements.len() * multiples.iter().product::<usize>() > ELEMENT_LIMIT {
            return None;
        }
        let result = shape::tile(&x.tensor, &multiples).ok()?;
        let arguments =
            vec![Some(x.argument("x")), Some(Argument::new("multiples", format!("{multiples:?}")))];
        let text = self.call_text("tile", arguments, true);
        self.made("tile", dtype, text, result, x.known)
    }
}

/// Sizes whose product is `count`, a few of them 1.
fn factors(random: &mut Random, count: usize) -> Vec<i64> {
    let mut rest = count;
    let mut sizes: Vec<i64> = Vec::new();
    if count == 0 {
        sizes.push(0);
        rest = random.choose(&[1, 2, 3, 6]);
    }
    let mut divisor = 2;
    while rest > 1 {
        if rest.is_multiple_of(divisor) {
            // Few axes: many factors join one that is there.
            let place = random.below(sizes.len() + 1);
            let joins = sizes.len() >= RANK_LIMIT - 1 || random.chance(50);
            match sizes.iter().position(|&size| size != 0) {
                Some(first) if joins => {
                    let place = if sizes.get(place).is_some_and(|&size| size != 0) { place } else { first };
                    sizes[place] *= divisor as i64;
                }
                _ => sizes.insert(place, divisor as i64),
            }
            rest /= divisor;
        } else {
            divisor += 1;
        }
    }
    while sizes.len() < RANK_LIMIT && random.chance(25) {
        sizes.insert(random.below(sizes.len() + 1), 1);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::factors;
    use crate::generate::random::Random;

    #[test]
    fn factors_make_the_count() {
        let mut random = Random::new(9);
        for count in 0..300 {
            let sizes = factors(&mut random, count);
            assert_eq!(sizes.iter().product::<i64>(), count as i64);
            assert!(sizes.len() <= 5);
        }
    }
}
