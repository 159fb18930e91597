//! Short constructors for the rows of a plan's tables, as printed code calls them.

use crate::plan::{Buffer, Launch, Node, Place, Site, Slot, Step};

/// A [`Slot`].
pub const fn slot(
    request: &'static str,
    written: &'static str,
    arena_bytes: u64,
    constant_bytes: u64,
    peak_node: u32,
) -> Slot {
    Slot { request, written, arena_bytes, constant_bytes, peak_node }
}

/// A [`Node`].
pub const fn node(
    name: &'static str,
    op: &'static str,
    slot: u32,
    binding: &'static str,
    line: u32,
    column: u32,
) -> Node {
    Node { name, op, slot, binding, line, column }
}

/// A [`Buffer`] in the memory of a slot.
pub const fn arena(slot: u32, offset: u64, bytes: u64, node: u32) -> Buffer {
    Buffer { place: Place::Arena { slot, offset }, bytes, node }
}

/// A [`Buffer`] that is a constant.
pub const fn constant(slot: u32, constant: u32, offset: u64, bytes: u64, node: u32) -> Buffer {
    Buffer { place: Place::Constant { slot, constant, offset }, bytes, node }
}

/// A [`Buffer`] that is the caller's input.
pub const fn input(input: u32, bytes: u64, node: u32) -> Buffer {
    Buffer { place: Place::Input(input), bytes, node }
}

/// A [`Buffer`] that is the caller's output.
pub const fn output(output: u32, bytes: u64, node: u32) -> Buffer {
    Buffer { place: Place::Output(output), bytes, node }
}

/// [`Step::Launch`].
pub const fn launch(
    kernel: u32,
    reads: &'static [u32],
    writes: &'static [u32],
    nodes: &'static [u32],
    sites: &'static [Site],
) -> Step {
    Step::Launch(Launch { kernel, reads, writes, nodes, sites })
}

/// [`Step::Copy`].
pub const fn copy(from: u32, to: u32) -> Step {
    Step::Copy { from, to }
}

/// [`Step::Signal`].
pub const fn signal(signal: u32) -> Step {
    Step::Signal(signal)
}

/// [`Step::Wait`].
pub const fn wait(signal: u32) -> Step {
    Step::Wait(signal)
}
