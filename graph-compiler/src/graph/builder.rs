//! Makes primitives. Callers have checked what users can get wrong; here a misfit is a bug of an op, and `verify`
//! finds it.

use graph_ir::DType;

use super::{Binary, Graph, NodeId, Prim, Reduce, Scalar, Type, Unary, Value, ValueId};

/// Adds primitives to a graph on behalf of one node.
pub struct Builder<'g> {
    pub graph: &'g mut Graph,
    pub node: NodeId,
}

impl Builder<'_> {
    pub fn ty(&self, x: ValueId) -> Type {
        self.graph.ty(x).clone()
    }

    pub fn dtype(&self, x: ValueId) -> DType {
        self.graph.ty(x).dtype
    }

    pub fn dims(&self, x: ValueId) -> Vec<u64> {
        self.graph.ty(x).dims.to_vec()
    }

    pub fn push(&mut self, prim: Prim, ty: Type) -> ValueId {
        let id = ValueId(self.graph.values.len() as u32);
        self.graph.values.push(Value { prim, ty, node: self.node });
        id
    }

    pub fn fill(&mut self, value: Scalar, dtype: DType, dims: &[u64]) -> ValueId {
        self.push(Prim::Fill(value), Type::new(dtype, dims))
    }

    /// A whole number of `like`'s type.
    pub fn whole_like(&mut self, like: ValueId, n: i64) -> ValueId {
        let ty = self.ty(like);
        self.push(Prim::Fill(Scalar::whole(ty.dtype, n)), ty)
    }

    /// A float of `like`'s type.
    pub fn float_like(&mut self, like: ValueId, x: f64) -> ValueId {
        let ty = self.ty(like);
        self.push(Prim::Fill(Scalar::Float(x)), ty)
    }

    pub fn iota(&mut self, dtype: DType, dims: &[u64], axis: usize) -> ValueId {
        self.push(Prim::Iota { axis }, Type::new(dtype, dims))
    }

    pub fn unary(&mut self, op: Unary, x: ValueId) -> ValueId {
        let mut ty = self.ty(x);
        if matches!(op, Unary::IsNan | Unary::IsFinite) {
            ty.dtype = DType::Bool;
        }
        self.push(Prim::Unary(op, x), ty)
    }

    /// Elementwise; both are first stretched to their common dims, which must exist.
    pub fn binary(&mut self, op: Binary, a: ValueId, b: ValueId) -> ValueId {
        let dims = broadcast_dims(&self.graph.ty(a).dims, &self.graph.ty(b).dims).unwrap_or_default();
        let (a, b) = (self.broadcast(a, &dims), self.broadcast(b, &dims));
        let mut ty = self.ty(a);
        if op.is_comparison() {
            ty.dtype = DType::Bool;
        }
        self.push(Prim::Binary(op, a, b), ty)
    }

    /// Condition, then, else: all stretched to `dims`.
    pub fn select(&mut self, condition: ValueId, a: ValueId, b: ValueId, dims: &[u64]) -> ValueId {
        let condition = self.broadcast(condition, dims);
        let (a, b) = (self.broadcast(a, dims), self.broadcast(b, dims));
        let ty = self.ty(a);
        self.push(Prim::Select(condition, a, b), ty)
    }

    pub fn cast(&mut self, x: ValueId, dtype: DType) -> ValueId {
        let ty = self.ty(x);
        if ty.dtype == dtype {
            return x;
        }
        self.push(Prim::Cast(x), Type { dtype, dims: ty.dims })
    }

    pub fn broadcast(&mut self, x: ValueId, dims: &[u64]) -> ValueId {
        let ty = self.ty(x);
        if *ty.dims == *dims {
            return x;
        }
        self.push(Prim::Broadcast(x), Type::new(ty.dtype, dims))
    }

    pub fn reshape(&mut self, x: ValueId, dims: &[u64]) -> ValueId {
        let ty = self.ty(x);
        if *ty.dims == *dims {
            return x;
        }
        self.push(Prim::Reshape(x), Type::new(ty.dtype, dims))
    }

    pub fn transpose(&mut self, x: ValueId, axes: &[usize]) -> ValueId {
        let ty = self.ty(x);
        if axes.iter().enumerate().all(|(i, &axis)| i == axis) {
            return x;
        }
        let dims: Vec<u64> = axes.iter().map(|&axis| ty.dims[axis]).collect();
        self.push(Prim::Transpose { x, axes: axes.to_vec() }, Type::new(ty.dtype, &dims))
    }

    pub fn slice(&mut self, x: ValueId, start: Vec<u64>, step: Vec<i64>, dims: &[u64]) -> ValueId {
        let dtype = self.dtype(x);
        self.push(Prim::Slice { x, start, step }, Type::new(dtype, dims))
    }

    /// `low` and `high` elements of `value` before and after each axis.
    pub fn pad(&mut self, x: ValueId, low: Vec<u64>, high: &[u64], value: Scalar) -> ValueId {
        let ty = self.ty(x);
        let dims: Vec<u64> = (0..ty.rank()).map(|axis| low[axis] + ty.dims[axis] + high[axis]).collect();
        self.push(Prim::Pad { x, low, value }, Type::new(ty.dtype, &dims))
    }

    pub fn concat(&mut self, xs: &[ValueId], axis: usize) -> ValueId {
        let mut dims = self.dims(xs[0]);
        dims[axis] = xs.iter().map(|x| self.graph.ty(*x).dims[axis]).sum();
        let dtype = self.dtype(xs[0]);
        self.push(Prim::Concat { xs: xs.to_vec(), axis }, Type::new(dtype, &dims))
    }

    pub fn gather(&mut self, x: ValueId, indices: ValueId, axis: usize) -> ValueId {
        let ty = self.ty(x);
        let indices = self.check_index(indices, ty.dims[axis]);
        let mut dims = ty.dims[..axis].to_vec();
        dims.extend(self.graph.ty(indices).dims.iter());
        dims.extend(&ty.dims[axis + 1..]);
        self.push(Prim::Gather { x, indices, axis }, Type::new(ty.dtype, &dims))
    }

    pub fn check_index(&mut self, x: ValueId, bound: u64) -> ValueId {
        let ty = self.ty(x);
        self.push(Prim::CheckIndex { x, bound }, ty)
    }

    /// The same tensor as a value of this node, so that the node's device and name hold for it.
    pub fn pass(&mut self, x: ValueId) -> ValueId {
        let ty = self.ty(x);
        self.push(Prim::Reshape(x), ty)
    }

    /// `x` in the dtype that sums over it are computed in: f32 for f16 and bf16, else its own.
    pub fn widen(&mut self, x: ValueId) -> ValueId {
        match self.dtype(x) {
            DType::F16 | DType::BF16 => self.cast(x, DType::F32),
            _ => x,
        }
    }

    /// Axes must be ascending and distinct; they are removed.
    pub fn reduce(&mut self, op: Reduce, x: ValueId, axes: &[usize]) -> ValueId {
        let ty = self.ty(x);
        if axes.is_empty() {
            return x;
        }
        let dims = without_axes(&ty.dims, axes);
        self.push(Prim::Reduce { op, x, axes: axes.to_vec() }, Type::new(ty.dtype, &dims))
    }

    /// Like `reduce`, but the axes stay with size 1.
    pub fn reduce_keep(&mut self, op: Reduce, x: ValueId, axes: &[usize]) -> ValueId {
        let mut dims = self.dims(x);
        axes.iter().for_each(|&axis| dims[axis] = 1);
        let reduced = self.reduce(op, x, axes);
        self.reshape(reduced, &dims)
    }

    pub fn arg_reduce(&mut self, largest: bool, x: ValueId, axis: usize) -> ValueId {
        let dims = without_axes(&self.graph.ty(x).dims, &[axis]);
        self.push(Prim::ArgReduce { largest, x, axis }, Type::new(DType::I64, &dims))
    }

    pub fn matmul(
        &mut self,
        a: ValueId,
        b: ValueId,
        transpose_a: bool,
        transpose_b: bool,
        dims: &[u64],
    ) -> ValueId {
        let dtype = self.dtype(a);
        self.push(Prim::MatMul { a, b, transpose_a, transpose_b }, Type::new(dtype, dims))
    }

    pub fn cumsum(&mut self, x: ValueId, axis: usize, exclusive: bool, reverse: bool) -> ValueId {
        let ty = self.ty(x);
        self.push(Prim::CumSum { x, axis, exclusive, reverse }, ty)
    }
}

fn without_axes(dims: &[u64], axes: &[usize]) -> Vec<u64> {
    dims.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, dim)| *dim).collect()
}

/// NumPy's broadcasting: aligned at the last axis, equal sizes or 1.
pub fn broadcast_dims(a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    let rank = a.len().max(b.len());
    let at = |dims: &[u64], i: usize| (i + dims.len()).checked_sub(rank).map_or(1, |i| dims[i]);
    (0..rank)
        .map(|i| match (at(a, i), at(b, i)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}
