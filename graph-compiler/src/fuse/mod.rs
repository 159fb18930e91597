//! Fusion: primitives to kernels. In: a placed graph. Out: the values that get memory, and for each one that is
//! computed the kernel that computes it. Values without memory are computed inside the kernels of their users.
//!
//! A kernel is a loop nest ([`nest::Nest`]) or a call of a hand-written one. Fusion never crosses slots, and never
//! computes an element twice: a value that has two users, or a user that reads its elements more than once, gets
//! memory, unless it is free (a view, a number, a position).

pub mod affine;
mod build;
pub mod nest;

use crate::graph::{Graph, NodeId, Prim, ValueId};
use crate::place::Placement;
use nest::Nest;

/// A kernel with its operands.
pub struct Kernel {
    pub slot: u32,
    pub reads: Vec<ValueId>,
    pub write: ValueId,
    /// The nodes computed, that of the result first.
    pub nodes: Vec<NodeId>,
    pub body: Body,
    /// Range checks: the node that indexes, and its bound.
    pub sites: Vec<(NodeId, u64)>,
}

/// What a kernel does. Equal bodies are printed once.
#[derive(Debug)]
pub enum Body {
    Nest(Nest),
    /// The hand-written product; sizes are those of one matrix.
    MatMul {
        dtype: graph_ir::DType,
        m: u64,
        n: u64,
        k: u64,
        transpose_a: bool,
        transpose_b: bool,
        /// Size, and strides of both operands in elements (0 where stretched); outermost first.
        batch: Vec<[u64; 3]>,
        /// Elements of the operands and the result.
        elements: [u64; 3],
    },
    /// The hand-written scan, along the middle of three axes.
    CumSum {
        dtype: graph_ir::DType,
        outer: u64,
        n: u64,
        inner: u64,
        exclusive: bool,
        reverse: bool,
    },
}

/// The kernels of a graph in an order in which they can run, and what has memory.
pub struct Fused {
    pub kernels: Vec<Kernel>,
    /// For each value, whether it has memory.
    pub stored: Vec<bool>,
}

/// One fused expression has at most this many primitives, so that rustc's work stays linear in the graph.
const LARGEST: u32 = 200;

pub fn run(graph: &Graph, placement: &Placement) -> Fused {
    let live = live_values(graph);
    let stored = stored_values(graph, placement, &live);
    let mut kernels = Vec::new();
    for id in graph.value_ids() {
        let value = graph.value(id);
        let computed = !matches!(value.prim, Prim::Input(_) | Prim::Constant(_));
        if live[id.0 as usize] && stored[id.0 as usize] && computed && value.ty.elements() > 0 {
            kernels.push(build::kernel(graph, placement, &stored, id));
        }
    }
    Fused { kernels, stored }
}

/// Values that an output needs.
fn live_values(graph: &Graph) -> Vec<bool> {
    let mut live = vec![false; graph.values.len()];
    for output in &graph.outputs {
        live[output.value.0 as usize] = true;
    }
    for id in graph.value_ids().rev() {
        if live[id.0 as usize] {
            graph.value(id).prim.operands(|operand| live[operand.0 as usize] = true);
        }
    }
    live
}

/// How the elements of a value are read by code that does not store it.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// Reads of an element, as far as two: more is no different.
    reads: u32,
    /// It is an output, an operand of a hand-written kernel, or read on another slot.
    must_store: bool,
    /// Primitives on the longest way to the store that it is computed for.
    depth: u32,
}

fn stored_values(graph: &Graph, placement: &Placement, live: &[bool]) -> Vec<bool> {
    let mut uses = vec![Uses::default(); graph.values.len()];
    let mut stored = vec![false; graph.values.len()];
    for output in &graph.outputs {
        uses[output.value.0 as usize].must_store = true;
    }
    // Users come before their operands, so that all that is asked of a value is known when it is reached.
    for id in graph.value_ids().rev() {
        let index = id.0 as usize;
        if !live[index] {
            continue;
        }
        let value = graph.value(id);
        let own = uses[index];
        stored[index] = own.must_store
            || match cost(&value.prim) {
                Cost::Memory => true,
                Cost::Free => own.depth > LARGEST && !is_number(&value.prim),
                Cost::Computed => own.reads > 1 || own.depth > LARGEST,
            };
        let (reads, depth) = if stored[index] { (1, 1) } else { (own.reads, own.depth + 1) };
        let slot = placement.slot(value.node);
        let is_call = matches!(value.prim, Prim::MatMul { .. } | Prim::CumSum { .. });
        value.prim.operands(|operand| {
            let source = graph.value(operand);
            let number = is_number(&source.prim);
            let again = if reads_again(graph, id, operand) { 2 } else { 1 };
            let asked = &mut uses[operand.0 as usize];
            asked.reads = (asked.reads + reads * again).min(2);
            asked.must_store |= is_call || (!number && placement.slot(source.node) != slot);
            asked.depth = asked.depth.max(depth);
        });
    }
    stored
}

/// Whether it takes no operand and no memory.
fn is_number(prim: &Prim) -> bool {
    matches!(prim, Prim::Fill(_) | Prim::Iota { .. })
}

enum Cost {
    /// Has memory in any case.
    Memory,
    /// Costs nothing by itself: a number, a position, or a view, whose operand counts instead.
    Free,
    Computed,
}

fn cost(prim: &Prim) -> Cost {
    match prim {
        Prim::Input(_)
        | Prim::Constant(_)
        | Prim::Reduce { .. }
        | Prim::ArgReduce { .. }
        | Prim::MatMul { .. }
        | Prim::CumSum { .. } => Cost::Memory,
        Prim::Fill(_)
        | Prim::Iota { .. }
        | Prim::Broadcast(_)
        | Prim::Reshape(_)
        | Prim::Transpose { .. }
        | Prim::Slice { .. }
        | Prim::CheckIndex { .. } => Cost::Free,
        Prim::Unary(..)
        | Prim::Binary(..)
        | Prim::Select(..)
        | Prim::Cast(_)
        | Prim::Pad { .. }
        | Prim::Concat { .. }
        | Prim::Gather { .. } => Cost::Computed,
    }
}

/// Whether `user` reads an element of its operand more than once.
fn reads_again(graph: &Graph, user: ValueId, operand: ValueId) -> bool {
    let result = graph.ty(user).elements();
    match &graph.value(user).prim {
        Prim::Broadcast(x) => result > graph.ty(*x).elements(),
        Prim::Gather { x, indices, .. } => operand == *x || result > graph.ty(*indices).elements(),
        _ => false,
    }
}
