//! The static plan: what is left of a graph after the compiler.
//!
//! A plan is plain data behind `&'static`. Indices are `u32` into the tables of the same plan; sizes and offsets are
//! bytes in `u64`. Example: the guide's graph `matmul(a, b)` on the default device is one slot, three nodes
//! (`a`, `b`, `MatMul`), two constants, three buffers and one lane with one `Launch`.

use crate::{CpuKernel, DType};

/// The number of this layout. Generated code asserts that it was made for the runtime's.
pub const ABI: u32 = 1;

/// Offsets in an arena are multiples of this, enough for the widest vector register and a cache line.
pub const ALIGNMENT: u64 = 64;

/// A compiled graph.
#[derive(Debug)]
pub struct Plan {
    /// [`ABI`] of the compiler that made it.
    pub abi: u32,
    /// What the user calls it: an entry's name, or `graph` for an expression.
    pub name: &'static str,
    /// The file of the macro call.
    pub file: &'static str,
    /// The devices that the graph asks for.
    pub slots: &'static [Slot],
    /// The nodes as the user wrote them, in program order: for logs, errors and reports.
    pub nodes: &'static [Node],
    /// Every place that holds a tensor during a run.
    pub buffers: &'static [Buffer],
    /// The data of the constants.
    pub constants: &'static [Constant],
    /// What the caller passes, in order.
    pub inputs: &'static [Input],
    /// What the caller gets, in order.
    pub outputs: &'static [Output],
    /// The kernels; several launches may share one.
    pub kernels: &'static [Kernel],
    /// The steps, one lane for each slot, in the order of `slots`.
    pub lanes: &'static [Lane],
    /// How many signals the lanes use.
    pub signals: u32,
}

impl Plan {
    /// The size of the plan's tables and names in bytes: what it takes in read-only memory beside the constants' data
    /// and the machine code of its kernels.
    pub fn bytes(&self) -> u64 {
        fn table<T>(rows: &[T]) -> usize {
            size_of_val(rows)
        }
        let Plan {
            abi: _,
            name,
            file,
            slots,
            nodes,
            buffers,
            constants,
            inputs,
            outputs,
            kernels,
            lanes,
            signals: _,
        } = self;
        let mut bytes = size_of::<Plan>() + name.len() + file.len();
        bytes += table(slots) + table(nodes) + table(buffers) + table(constants);
        bytes += table(inputs) + table(outputs) + table(kernels) + table(lanes);
        bytes += slots.iter().map(|slot| slot.request.len() + slot.written.len()).sum::<usize>();
        bytes += nodes.iter().map(|node| node.name.len() + node.op.len() + node.binding.len()).sum::<usize>();
        bytes += inputs.iter().map(|input| input.name.len() + table(input.dims)).sum::<usize>();
        bytes += outputs.iter().map(|output| output.name.len() + table(output.dims)).sum::<usize>();
        bytes += kernels.iter().map(|kernel| kernel.name.len()).sum::<usize>();
        for lane in *lanes {
            bytes += table(lane.steps);
            for step in lane.steps {
                if let Step::Launch(Launch { kernel: _, reads, writes, nodes, sites }) = step {
                    bytes += table(reads) + table(writes) + table(nodes) + table(sites);
                }
            }
        }
        bytes as u64
    }
}

/// A device that the graph names, or the default one.
#[derive(Debug)]
pub struct Slot {
    /// The request in canonical form (`/device:GPU:1`), or the empty string for the default device.
    pub request: &'static str,
    /// The request as the user wrote it, for errors.
    pub written: &'static str,
    /// Bytes that all temporary buffers need together.
    pub arena_bytes: u64,
    /// Bytes that the slot's constants need on a device with a memory of its own.
    pub constant_bytes: u64,
    /// The node that runs when the arena is fullest.
    pub peak_node: u32,
}

/// A node as the user wrote it.
#[derive(Debug)]
pub struct Node {
    /// Unique name, formed as TensorFlow does: `a`, `MatMul_1`, `tower_0/add`.
    pub name: &'static str,
    /// TensorFlow's op type: `Const`, `MatMul`.
    pub op: &'static str,
    /// Index of the slot that it is placed on.
    pub slot: u32,
    /// The `let` name that holds its result, or the empty string.
    pub binding: &'static str,
    /// Line of the op in `Plan::file`.
    pub line: u32,
    /// Column of the op, from 1.
    pub column: u32,
}

/// A place that holds one tensor.
#[derive(Debug)]
pub struct Buffer {
    /// Where it lies.
    pub place: Place,
    /// Size in bytes.
    pub bytes: u64,
    /// The node whose result it holds.
    pub node: u32,
}

/// Where a buffer lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In the memory of a slot, at an offset.
    Arena {
        /// Index of the slot.
        slot: u32,
        /// Bytes from the start of the slot's arena, a multiple of [`ALIGNMENT`].
        offset: u64,
    },
    /// The bytes of a constant, for a slot: on the host where they lie, elsewhere uploaded once at load.
    Constant {
        /// Index of the slot.
        slot: u32,
        /// Index of the constant.
        constant: u32,
        /// Where an uploaded copy lies: bytes from the start of the slot's constants.
        offset: u64,
    },
    /// The caller's array of this input, in host memory.
    Input(u32),
    /// The caller's array of this output, in host memory.
    Output(u32),
}

/// The data of a constant, row-major.
#[derive(Debug)]
pub struct Constant {
    /// The elements' bytes in the target's byte order.
    pub data: &'static [u8],
}

/// One argument of a run.
#[derive(Debug)]
pub struct Input {
    /// The parameter's name.
    pub name: &'static str,
    /// Element type.
    pub dtype: DType,
    /// Shape.
    pub dims: &'static [u64],
}

/// One result of a run.
#[derive(Debug)]
pub struct Output {
    /// Its name where results are named, else the empty string.
    pub name: &'static str,
    /// Element type.
    pub dtype: DType,
    /// Shape.
    pub dims: &'static [u64],
    /// The node that computes it.
    pub node: u32,
}

/// A kernel in each form that a device may run.
pub struct Kernel {
    /// A name for traces and the text form: `fused_add_relu`.
    pub name: &'static str,
    /// For CPUs and virtual GPUs.
    pub cpu: CpuKernel,
}

impl core::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Kernel").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The steps of one slot, in order.
#[derive(Debug)]
pub struct Lane {
    /// Run one after the other.
    pub steps: &'static [Step],
}

/// One step of a lane.
#[derive(Debug)]
pub enum Step {
    /// Run a kernel.
    Launch(Launch),
    /// Copy a buffer, possibly from another slot's memory, into one of this slot.
    Copy {
        /// Buffer to read.
        from: u32,
        /// Buffer to write, of the same size.
        to: u32,
    },
    /// Tell the lanes that wait for this signal that all earlier steps of this lane are done.
    Signal(u32),
    /// Go on only after this signal.
    Wait(u32),
}

/// A kernel with its operands.
#[derive(Debug)]
pub struct Launch {
    /// Index of the kernel.
    pub kernel: u32,
    /// Buffers read, in the kernel's order.
    pub reads: &'static [u32],
    /// Buffers written, in the kernel's order; none overlaps another operand.
    pub writes: &'static [u32],
    /// The nodes computed, the last one first.
    pub nodes: &'static [u32],
    /// The range checks of the kernel.
    pub sites: &'static [Site],
}

/// A range check inside a kernel.
#[derive(Debug)]
pub struct Site {
    /// The node that indexes.
    pub node: u32,
    /// Valid indices are `0..bound`.
    pub bound: u64,
}
