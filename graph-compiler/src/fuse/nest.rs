//! A loop nest: the form of every generated kernel, whatever it is printed as.
//!
//! Example: `sum(x * 2.0, axis = 1)` of a `[3, 4]` tensor has the loops `[3]`, the reduced loops `[4]`, and the body
//! `t0 = load 0 [4*i0 + i1]; t1 = 2.0; t2 = t0 * t1`, whose result is summed.

use graph_ir::DType;

use super::affine::Affine;
use crate::graph::{Binary, Reduce, Scalar, Unary};

/// Loops over the result, perhaps loops that are reduced, and what is computed inside.
#[derive(Debug)]
pub struct Nest {
    /// Extents of the loops over the result; loop variable `i` is `loops[i]`.
    pub loops: Vec<u64>,
    /// Where the result goes.
    pub store: Affine,
    /// Dtype and number of elements of the result.
    pub result: (DType, u64),
    pub reduction: Option<Reduction>,
    pub body: Region,
    /// Dtype and number of elements of each operand.
    pub operands: Vec<(DType, u64)>,
}

#[derive(Debug)]
pub struct Reduction {
    pub kind: ReductionKind,
    /// Extents of the inner loops; their variables follow those of the result.
    pub loops: Vec<u64>,
    /// Dtype of what is reduced.
    pub dtype: DType,
}

#[derive(Clone, Copy, Debug)]
pub enum ReductionKind {
    Fold(Reduce),
    /// Position of the first extreme element.
    Position {
        largest: bool,
    },
}

/// Statements in order; temporaries are numbered over the whole kernel, and a region sees those of its parents.
#[derive(Debug, Default)]
pub struct Region {
    pub statements: Vec<(u32, Expr)>,
    pub result: u32,
}

/// What a temporary is.
#[derive(Debug)]
pub enum Expr {
    /// Element `index` of operand `operand`.
    Load {
        operand: u32,
        index: Affine,
    },
    Number(Scalar, DType),
    /// An index as an element.
    Position(Affine, DType),
    Unary(Unary, u32, DType),
    Binary(Binary, u32, u32, DType),
    Select(u32, u32, u32, DType),
    Cast {
        x: u32,
        from: DType,
        to: DType,
    },
    /// Checks that an index is in `0..bound`; reports site `site` and goes on with 0 where it is not.
    Check {
        x: u32,
        site: u32,
        bound: u64,
        dtype: DType,
    },
    /// One of two regions, the first where every form lies in its range. Only that one is run.
    If {
        inside: Vec<(Affine, i64, i64)>,
        then: Region,
        otherwise: Region,
    },
}

impl Region {
    /// Calls `f` on every index form in the region.
    pub fn forms(&self, f: &mut impl FnMut(&Affine)) {
        for (_, expr) in &self.statements {
            match expr {
                Expr::Load { index, .. } => f(index),
                Expr::Position(form, _) => f(form),
                Expr::If { inside, then, otherwise } => {
                    inside.iter().for_each(|(form, ..)| f(form));
                    then.forms(f);
                    otherwise.forms(f);
                }
                _ => {}
            }
        }
    }

    fn forms_mut(&mut self, f: &mut impl FnMut(&mut Affine)) {
        for (_, expr) in &mut self.statements {
            match expr {
                Expr::Load { index, .. } => f(index),
                Expr::Position(form, _) => f(form),
                Expr::If { inside, then, otherwise } => {
                    inside.iter_mut().for_each(|(form, ..)| f(form));
                    then.forms_mut(f);
                    otherwise.forms_mut(f);
                }
                _ => {}
            }
        }
    }
}

impl Nest {
    /// Merges neighbouring loops that every index form walks as one, and drops loops of one round, so that an
    /// elementwise kernel over any rank is one loop.
    pub fn collapse(&mut self) {
        let outer = self.loops.len();
        let inner = self.reduction.as_ref().map_or(0, |reduction| reduction.loops.len());
        let mut extents = self.loops.clone();
        extents.extend(self.reduction.iter().flat_map(|reduction| &reduction.loops));
        // For each variable: the one that it is merged into, and its weight there.
        let mut merged: Vec<Option<u64>> = vec![None; extents.len()];
        for i in (0..outer + inner).rev() {
            let next = i + 1;
            let same_kind = next < outer || (i >= outer && next < outer + inner);
            if extents[i] <= 1 || !same_kind {
                continue;
            }
            // Skip over loops of one round and loops merged already.
            let Some(next) = (next..if i < outer { outer } else { outer + inner }).find(|&j| extents[j] > 1)
            else {
                continue;
            };
            if self.can_merge(i as u32, next as u32, extents[next]) {
                merged[i] = Some(extents[next]);
                let total = extents[i] * extents[next];
                self.replace(i as u32, next as u32, extents[next], total);
                extents[next] = total;
                extents[i] = 1;
            }
        }
        self.renumber(&extents, outer);
    }

    fn can_merge(&self, i: u32, next: u32, extent: u64) -> bool {
        let mut fits = true;
        let mut check = |form: &Affine| {
            let weight = form.coefficient(next).checked_mul(extent as i64);
            fits &= weight == Some(form.coefficient(i))
                && !form.mentions_inside(i)
                && !form.mentions_inside(next);
        };
        check(&self.store);
        self.body.forms(&mut check);
        // An argument's position is counted along its loop, which is alone: nothing to merge there.
        fits
    }

    /// Variable `i` is gone, `next` runs over both.
    fn replace(&mut self, i: u32, next: u32, _extent: u64, total: u64) {
        self.each_form(|form| {
            *form = form.substitute(|index, extent| match index {
                _ if index == i => Affine::default(),
                _ if index == next => Affine::variable(next, total),
                _ => Affine::variable(index, extent),
            });
        });
    }

    fn renumber(&mut self, extents: &[u64], outer: usize) {
        let mut numbers = vec![0u32; extents.len()];
        let mut count = 0;
        for (i, &extent) in extents.iter().enumerate() {
            numbers[i] = count;
            count += u32::from(extent != 1);
        }
        self.loops = extents[..outer].iter().copied().filter(|&extent| extent != 1).collect();
        if let Some(reduction) = &mut self.reduction {
            reduction.loops = extents[outer..].iter().copied().filter(|&extent| extent != 1).collect();
        }
        self.each_form(|form| {
            *form = form.substitute(|index, extent| Affine::variable(numbers[index as usize], extent));
        });
    }

    fn each_form(&mut self, mut f: impl FnMut(&mut Affine)) {
        f(&mut self.store);
        self.body.forms_mut(&mut f);
    }
}
