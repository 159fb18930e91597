//! Builds the kernel of one stored value: follows its operands down to memory, with an index for each.

use std::collections::BTreeMap;

use super::affine::{Affine, delinear, linear};
use super::nest::{Expr, Nest, Reduction, ReductionKind, Region};
use super::{Body, Kernel};
use crate::graph::{Graph, NodeId, Prim, ValueId};
use crate::place::Placement;

pub(super) fn kernel(graph: &Graph, placement: &Placement, stored: &[bool], root: ValueId) -> Kernel {
    let value = graph.value(root);
    let mut builder = KernelBuilder {
        graph,
        stored,
        root,
        reads: Vec::new(),
        nodes: vec![value.node],
        sites: Vec::new(),
        region: Region::default(),
        memo: vec![BTreeMap::new()],
        temporaries: 0,
    };
    let body = builder.body();
    let KernelBuilder { reads, nodes, sites, .. } = builder;
    Kernel { slot: placement.slot(value.node), reads, write: root, nodes, body, sites }
}

struct KernelBuilder<'g> {
    graph: &'g Graph,
    stored: &'g [bool],
    root: ValueId,
    reads: Vec<ValueId>,
    nodes: Vec<NodeId>,
    sites: Vec<(NodeId, u64)>,
    /// The region being filled.
    region: Region,
    /// Temporaries known in each enclosing region, by value and index.
    memo: Vec<BTreeMap<(ValueId, Vec<Affine>), u32>>,
    temporaries: u32,
}

impl KernelBuilder<'_> {
    fn body(&mut self) -> Body {
        let value = self.graph.value(self.root);
        match &value.prim {
            Prim::MatMul { a, b, transpose_a, transpose_b } => {
                self.reads = vec![*a, *b];
                self.matmul(*a, *b, *transpose_a, *transpose_b)
            }
            Prim::CumSum { x, axis, exclusive, reverse } => {
                self.reads = vec![*x];
                let dims = &value.ty.dims;
                let (outer, inner) = (dims[..*axis].iter().product(), dims[axis + 1..].iter().product());
                let (n, dtype) = (dims[*axis], value.ty.dtype);
                Body::CumSum { dtype, outer, n, inner, exclusive: *exclusive, reverse: *reverse }
            }
            Prim::Reduce { op, x, axes } => {
                let axes = axes.clone();
                self.nest(Some((ReductionKind::Fold(*op), *x, axes)))
            }
            Prim::ArgReduce { largest, x, axis } => {
                self.nest(Some((ReductionKind::Position { largest: *largest }, *x, vec![*axis])))
            }
            _ => self.nest(None),
        }
    }

    fn matmul(&self, a: ValueId, b: ValueId, transpose_a: bool, transpose_b: bool) -> Body {
        let (left, right, result) = (self.graph.ty(a), self.graph.ty(b), self.graph.ty(self.root));
        let rank = result.rank();
        let rows = if transpose_a { 1 } else { 2 };
        let (m, n) = (result.dims[rank - 2], result.dims[rank - 1]);
        let k = left.dims[left.rank() - (3 - rows)];
        let mut batch = Vec::new();
        for axis in 0..rank - 2 {
            let stride = |dims: &[u64]| match (axis + dims.len()).checked_sub(rank) {
                Some(own) if dims[own] != 1 => dims[own + 1..].iter().product(),
                _ => 0,
            };
            batch.push([result.dims[axis], stride(&left.dims), stride(&right.dims)]);
        }
        let elements = [left.elements(), right.elements(), result.elements()];
        Body::MatMul { dtype: result.dtype, m, n, k, transpose_a, transpose_b, batch, elements }
    }

    fn nest(&mut self, reduced: Option<(ReductionKind, ValueId, Vec<usize>)>) -> Body {
        let ty = self.graph.ty(self.root).clone();
        let loops = ty.dims.to_vec();
        let index: Vec<Affine> =
            loops.iter().enumerate().map(|(i, &n)| Affine::variable(i as u32, n)).collect();
        let store = linear(&index, &loops);
        let reduction = match reduced {
            None => {
                self.region.result = self.compute(self.root, &index);
                None
            }
            Some((kind, x, axes)) => {
                let source = self.graph.ty(x).clone();
                let mut outer = index.iter();
                let mut inner = Vec::new();
                let position: Vec<Affine> = (0..source.rank())
                    .map(|axis| {
                        if axes.contains(&axis) {
                            let number = (loops.len() + inner.len()) as u32;
                            inner.push(source.dims[axis]);
                            Affine::variable(number, source.dims[axis])
                        } else {
                            outer.next().cloned().unwrap_or_default()
                        }
                    })
                    .collect();
                self.region.result = self.value(x, &position);
                Some(Reduction { kind, loops: inner, dtype: source.dtype })
            }
        };
        let operands = self.reads.iter().map(|&read| {
            let ty = self.graph.ty(read);
            (ty.dtype, ty.elements())
        });
        let mut nest = Nest {
            loops,
            store,
            result: (ty.dtype, ty.elements()),
            reduction,
            operands: operands.collect(),
            body: std::mem::take(&mut self.region),
        };
        nest.collapse();
        Body::Nest(nest)
    }

    fn push(&mut self, expr: Expr) -> u32 {
        let number = self.temporaries;
        self.temporaries += 1;
        self.region.statements.push((number, expr));
        number
    }

    /// The element of a value at an index: read where it has memory, else computed.
    fn value(&mut self, id: ValueId, index: &[Affine]) -> u32 {
        // Views and numbers are not worth remembering: what they lead to is.
        let key = (id, index.to_vec());
        if let Some(known) = self.memo.iter().rev().find_map(|known| known.get(&key)) {
            return *known;
        }
        let temporary =
            if self.stored[id.0 as usize] { self.load(id, index) } else { self.compute(id, index) };
        if let Some(known) = self.memo.last_mut() {
            known.insert(key, temporary);
        }
        temporary
    }

    fn load(&mut self, id: ValueId, index: &[Affine]) -> u32 {
        let operand = match self.reads.iter().position(|&read| read == id) {
            Some(operand) => operand,
            None => {
                self.reads.push(id);
                self.reads.len() - 1
            }
        };
        let index = linear(index, &self.graph.ty(id).dims);
        self.push(Expr::Load { operand: operand as u32, index })
    }

    fn compute(&mut self, id: ValueId, index: &[Affine]) -> u32 {
        let graph = self.graph;
        let value = graph.value(id);
        let dtype = value.ty.dtype;
        if !self.nodes.contains(&value.node) {
            self.nodes.push(value.node);
        }
        match &value.prim {
            Prim::Input(_) | Prim::Constant(_) => self.load(id, index),
            Prim::Fill(scalar) => self.push(Expr::Number(*scalar, dtype)),
            Prim::Iota { axis } => self.push(Expr::Position(index[*axis].clone(), dtype)),
            Prim::Unary(op, x) => {
                let from = graph.ty(*x).dtype;
                let x = self.value(*x, index);
                self.push(Expr::Unary(*op, x, from))
            }
            Prim::Binary(op, a, b) => {
                let from = graph.ty(*a).dtype;
                let (a, b) = (self.value(*a, index), self.value(*b, index));
                self.push(Expr::Binary(*op, a, b, from))
            }
            Prim::Select(condition, a, b) => {
                let condition = self.value(*condition, index);
                let (a, b) = (self.value(*a, index), self.value(*b, index));
                self.push(Expr::Select(condition, a, b, dtype))
            }
            Prim::Cast(x) => {
                let from = graph.ty(*x).dtype;
                let x = self.value(*x, index);
                self.push(Expr::Cast { x, from, to: dtype })
            }
            Prim::Broadcast(x) => {
                let dims = &graph.ty(*x).dims;
                let skipped = index.len() - dims.len();
                let stretched: Vec<Affine> = dims
                    .iter()
                    .zip(&index[skipped..])
                    .map(|(&dim, part)| if dim == 1 { Affine::default() } else { part.clone() })
                    .collect();
                self.value(*x, &stretched)
            }
            Prim::Reshape(x) => {
                let index = reshape_index(index, &value.ty.dims, &graph.ty(*x).dims);
                self.value(*x, &index)
            }
            Prim::Transpose { x, axes } => {
                let mut from = vec![Affine::default(); axes.len()];
                axes.iter().zip(index).for_each(|(&axis, part)| from[axis] = part.clone());
                self.value(*x, &from)
            }
            Prim::Slice { x, start, step } => {
                let from: Vec<Affine> = index
                    .iter()
                    .zip(start.iter().zip(step))
                    .map(|(part, (&start, &step))| part.scale(step).offset(start as i64))
                    .collect();
                self.value(*x, &from)
            }
            Prim::Pad { x, low, value } => {
                let (x, value) = (*x, *value);
                let dims = graph.ty(x).dims.clone();
                let from: Vec<Affine> =
                    index.iter().zip(low).map(|(part, &low)| part.offset(-(low as i64))).collect();
                let inside = bounds(&from, &dims);
                self.choose(inside, |this| this.value(x, &from), |this| this.push(Expr::Number(value, dtype)))
            }
            Prim::Concat { xs, axis } => self.concat(xs, *axis, index),
            Prim::Gather { x, indices, axis } => {
                let indices_type = graph.ty(*indices);
                let rank = indices_type.rank();
                let found = self.value(*indices, &index[*axis..axis + rank]);
                let mut from = index[..*axis].to_vec();
                from.push(Affine::temporary(found, graph.ty(*x).dims[*axis]));
                from.extend_from_slice(&index[axis + rank..]);
                self.value(*x, &from)
            }
            Prim::CheckIndex { x, bound } => {
                let x = self.value(*x, index);
                let site = self.sites.len() as u32;
                self.sites.push((value.node, *bound));
                self.push(Expr::Check { x, site, bound: *bound, dtype })
            }
            Prim::Reduce { .. } | Prim::ArgReduce { .. } | Prim::MatMul { .. } | Prim::CumSum { .. } => {
                unreachable!("{id:?} has memory in any case")
            }
        }
    }

    fn concat(&mut self, xs: &[ValueId], axis: usize, index: &[Affine]) -> u32 {
        let [x, rest @ ..] = xs else { unreachable!("a concat has operands") };
        let dim = self.graph.ty(*x).dims[axis];
        if rest.is_empty() {
            return self.value(*x, index);
        }
        let inside = bounds(&index[axis..=axis], &[dim]);
        self.choose(
            inside,
            |this| this.value(*x, index),
            |this| {
                let mut from = index.to_vec();
                from[axis] = from[axis].offset(-(dim as i64));
                this.concat(rest, axis, &from)
            },
        )
    }

    /// The first region where every form is in its range. Decided here where the ranges of the forms allow.
    fn choose(
        &mut self,
        inside: Option<Vec<(Affine, i64, i64)>>,
        then: impl FnOnce(&mut Self) -> u32,
        otherwise: impl FnOnce(&mut Self) -> u32,
    ) -> u32 {
        match inside {
            None => otherwise(self),
            Some(inside) if inside.is_empty() => then(self),
            Some(inside) => {
                let then = self.nested(then);
                let otherwise = self.nested(otherwise);
                self.push(Expr::If { inside, then, otherwise })
            }
        }
    }

    fn nested(&mut self, fill: impl FnOnce(&mut Self) -> u32) -> Region {
        let outer = std::mem::take(&mut self.region);
        self.memo.push(BTreeMap::new());
        let result = fill(self);
        self.memo.pop();
        let mut region = std::mem::replace(&mut self.region, outer);
        region.result = result;
        region
    }
}

/// The conditions under which each part lies in `0..dim`, without those that always hold; `None` when one never does.
fn bounds(index: &[Affine], dims: &[u64]) -> Option<Vec<(Affine, i64, i64)>> {
    let mut conditions = Vec::new();
    for (part, &dim) in index.iter().zip(dims) {
        let (low, high) = part.range();
        if high < 0 || low >= i128::from(dim) {
            return None;
        }
        if low < 0 || high >= i128::from(dim) {
            conditions.push((part.clone(), 0, dim as i64));
        }
    }
    Some(conditions)
}

/// The index into `from` of the element at `index` in `to`, both with the same elements. Axes are matched in groups
/// of equal size first, so that quotients and remainders stay inside a group.
fn reshape_index(index: &[Affine], to: &[u64], from: &[u64]) -> Vec<Affine> {
    if to.contains(&0) || from.contains(&0) {
        return vec![Affine::default(); from.len()];
    }
    let mut result = Vec::with_capacity(from.len());
    let (mut i, mut j) = (0, 0);
    while i < to.len() || j < from.len() {
        let (start_i, start_j) = (i, j);
        let (mut left, mut right) = (1u64, 1u64);
        if i < to.len() {
            left = to[i];
            i += 1;
        }
        if j < from.len() {
            right = from[j];
            j += 1;
        }
        while left != right {
            if left < right {
                left *= to[i];
                i += 1;
            } else {
                right *= from[j];
                j += 1;
            }
        }
        let position = linear(&index[start_i..i], &to[start_i..i]);
        result.extend(delinear(&position, &from[start_j..j]));
    }
    result
}
