//! Judges a graph: types of operands and results fit each primitive. Run between passes in tests and debug builds;
//! it shares no code with the builder.

use graph_ir::DType;

use super::{Graph, Prim, Type, ValueId};

/// The first broken rule, or nothing.
pub fn verify(graph: &Graph) -> Result<(), String> {
    for id in graph.value_ids() {
        let value = graph.value(id);
        let mut ordered = true;
        value.prim.operands(|operand| ordered &= operand < id);
        if !ordered {
            return Err(format!("{id:?} uses a value that is not before it"));
        }
        if value.node.0 as usize >= graph.nodes.len() {
            return Err(format!("{id:?} belongs to no node"));
        }
        if let Some(rule) = broken_rule(graph, id) {
            return Err(format!("{id:?} = {:?}: {rule}", value.prim));
        }
    }
    for output in &graph.outputs {
        if output.value.0 as usize >= graph.values.len() {
            return Err(format!("output {:?} is no value", output.value));
        }
    }
    Ok(())
}

fn broken_rule(graph: &Graph, id: ValueId) -> Option<String> {
    let ty = |id: ValueId| graph.ty(id);
    let result = ty(id);
    let require = |ok: bool, rule: &str| if ok { None } else { Some(rule.to_owned()) };
    let same = |a: &Type, b: &Type| a == b;
    match &graph.value(id).prim {
        Prim::Input(i) => require((*i as usize) < graph.inputs.len(), "there is no such input"),
        Prim::Constant(i) => require((*i as usize) < graph.constants.len(), "there is no such constant"),
        Prim::Fill(_) => None,
        Prim::Iota { axis } => require(*axis < result.rank(), "the axis is there"),
        Prim::Unary(op, x) => {
            let to_bool = matches!(op, super::Unary::IsNan | super::Unary::IsFinite);
            let dtype = if to_bool { DType::Bool } else { ty(*x).dtype };
            require(result.dims == ty(*x).dims && result.dtype == dtype, "the result is like the operand")
        }
        Prim::Binary(op, a, b) => {
            let dtype = if op.is_comparison() { DType::Bool } else { ty(*a).dtype };
            require(same(ty(*a), ty(*b)), "both operands are alike").or_else(|| {
                require(
                    result.dims == ty(*a).dims && result.dtype == dtype,
                    "the result is like the operands",
                )
            })
        }
        Prim::Select(c, a, b) => require(
            ty(*c).dtype == DType::Bool
                && ty(*c).dims == result.dims
                && same(ty(*a), ty(*b))
                && same(ty(*a), result),
            "a bool chooses between two of the result's type",
        ),
        Prim::Cast(x) => require(ty(*x).dims == result.dims, "the dims stay"),
        Prim::Broadcast(x) => {
            let offset = result.rank().checked_sub(ty(*x).rank());
            let fits = offset.is_some_and(|offset| {
                ty(*x).dims.iter().zip(&result.dims[offset..]).all(|(from, to)| from == to || *from == 1)
            });
            require(fits && ty(*x).dtype == result.dtype, "the operand stretches to the result")
        }
        Prim::Reshape(x) => require(
            ty(*x).dtype == result.dtype && ty(*x).elements() == result.elements(),
            "the elements stay",
        ),
        Prim::Transpose { x, axes } => {
            let mut seen = vec![false; axes.len()];
            axes.iter().for_each(|&axis| seen[axis] = true);
            let dims = axes.iter().zip(result.dims.iter()).all(|(&axis, dim)| ty(*x).dims[axis] == *dim);
            require(seen.iter().all(|seen| *seen) && dims, "the axes are a permutation")
        }
        Prim::Slice { x, start, step } => {
            let inside = (0..result.rank()).all(|axis| {
                let count = result.dims[axis];
                let last = start[axis] as i64 + step[axis] * (count as i64 - 1);
                count == 0
                    || (start[axis] < ty(*x).dims[axis] && (0..ty(*x).dims[axis] as i64).contains(&last))
            });
            require(inside, "the slice lies inside the operand")
        }
        Prim::Pad { x, low, .. } => {
            let fits = (0..result.rank()).all(|axis| low[axis] + ty(*x).dims[axis] <= result.dims[axis]);
            require(fits, "the operand lies inside the result")
        }
        Prim::Concat { xs, axis } => {
            let total: u64 = xs.iter().map(|x| ty(*x).dims[*axis]).sum();
            require(total == result.dims[*axis], "the parts add up")
        }
        Prim::Gather { x, indices, axis } => {
            let mut dims = ty(*x).dims[..*axis].to_vec();
            dims.extend(ty(*indices).dims.iter());
            dims.extend(&ty(*x).dims[axis + 1..]);
            let whole = matches!(ty(*indices).dtype, DType::I32 | DType::I64);
            require(*dims == *result.dims && whole, "the indices' dims replace the axis")
        }
        Prim::CheckIndex { x, .. } => require(same(ty(*x), result), "the result is like the operand"),
        Prim::Reduce { x, axes, .. } => {
            let kept = ty(*x).dims.iter().enumerate().filter(|(axis, _)| !axes.contains(axis));
            let dims: Vec<u64> = kept.map(|(_, dim)| *dim).collect();
            require(*dims == *result.dims && ty(*x).dtype == result.dtype, "the axes are gone")
        }
        Prim::ArgReduce { x, axis, .. } => require(
            ty(*x).rank() == result.rank() + 1 && *axis < ty(*x).rank() && result.dtype == DType::I64,
            "the axis is gone and the result is i64",
        ),
        Prim::MatMul { a, b, transpose_a, transpose_b } => {
            let (a, b) = (ty(*a), ty(*b));
            let at = |ty: &Type, back: usize| ty.dims[ty.rank() - back];
            let (m, k) = if *transpose_a { (at(a, 1), at(a, 2)) } else { (at(a, 2), at(a, 1)) };
            let (k2, n) = if *transpose_b { (at(b, 1), at(b, 2)) } else { (at(b, 2), at(b, 1)) };
            require(k == k2 && at(result, 2) == m && at(result, 1) == n, "the sizes fit")
        }
        Prim::CumSum { x, .. } => require(same(ty(*x), result), "the result is like the operand"),
    }
}
