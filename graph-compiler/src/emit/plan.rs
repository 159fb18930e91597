//! The plan as the text of a `static`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::kernel::write_kernel;
use crate::compile::Compiled;
use crate::fuse::{Body, Kernel};
use crate::graph::Constant;
use crate::schedule::{Place, Step};

/// The kernels, constants and the plan of one entry, as items; the plan is called `plan_name`. Constants that are
/// Rust constants of the user are not part of the text: the caller prints those, as `{prefix}C{index}`.
pub(super) fn write_items(out: &mut String, compiled: &Compiled<'_>, prefix: &str, plan_name: &str) {
    let kernels = unique_kernels(out, compiled, prefix);
    for (i, constant) in compiled.graph.constants.iter().enumerate() {
        if let Constant::Bytes(bytes) = constant {
            let _ = write!(
                out,
                "static {prefix}C{i}: __graph_rt::Aligned<{}> = __graph_rt::Aligned(*b\"",
                bytes.len()
            );
            bytes.iter().for_each(|byte| write_byte(out, *byte));
            out.push_str("\");\n");
        }
    }
    let _ = writeln!(out, "#[allow(clippy::all, clippy::pedantic)]");
    let _ = writeln!(out, "static {plan_name}: __graph_rt::Plan = __graph_rt::Plan {{");
    let _ = writeln!(
        out,
        "abi: {}u32, name: {:?}, file: __graph_rt::file!(),",
        graph_ir::plan::ABI,
        compiled.graph.name
    );
    write_tables(out, compiled, prefix);
    out.push_str("kernels: &[");
    for (i, name) in kernels.names.iter().enumerate() {
        let _ = write!(out, "__graph_rt::Kernel {{ name: {name:?}, cpu: {prefix}K{i} }},");
    }
    out.push_str("],\n");
    write_lanes(out, compiled, &kernels.numbers);
    let _ = writeln!(out, "signals: {}u32 }};", compiled.schedule.signals);
}

struct Kernels {
    names: Vec<String>,
    /// The printed kernel of each launch.
    numbers: Vec<u32>,
}

/// Prints each distinct kernel once.
fn unique_kernels(out: &mut String, compiled: &Compiled<'_>, prefix: &str) -> Kernels {
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let mut kernels = Kernels { names: Vec::new(), numbers: Vec::new() };
    for kernel in &compiled.fused.kernels {
        let mut text = String::new();
        write_kernel(&mut text, "", &kernel.body);
        let next = known.len() as u32;
        let number = *known.entry(text).or_insert(next);
        if number == next {
            kernels.names.push(kernel_name(compiled, kernel));
            write_kernel(out, &format!("{prefix}K{number}"), &kernel.body);
        }
        kernels.numbers.push(number);
    }
    kernels
}

/// `fused_add_relu`: the ops in it, the result's last, at most four.
fn kernel_name(compiled: &Compiled<'_>, kernel: &Kernel) -> String {
    let mut ops: Vec<String> =
        kernel.nodes.iter().rev().map(|node| compiled.graph.node(*node).op.to_lowercase()).collect();
    ops.dedup();
    let more = ops.len().saturating_sub(4);
    ops.drain(..more);
    match (&kernel.body, &ops[..]) {
        (Body::Nest(_), [_, _, ..]) => format!("fused_{}", ops.join("_")),
        _ => ops.join("_"),
    }
}

fn write_byte(out: &mut String, byte: u8) {
    match byte {
        b'"' | b'\\' => {
            out.push('\\');
            out.push(byte as char);
        }
        0x20..=0x7e => out.push(byte as char),
        0 => out.push_str("\\0"),
        _ => {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
}

fn write_tables(out: &mut String, compiled: &Compiled<'_>, prefix: &str) {
    let graph = &compiled.graph;
    let (constant_offsets, constant_bytes) = compiled.constant_offsets();
    out.push_str("slots: &[");
    for (i, slot) in compiled.placement.slots.iter().enumerate() {
        let arena = &compiled.layout.arenas[i];
        let _ = write!(
            out,
            "__graph_rt::slot({:?}, {:?}, {}, {}, {}),",
            slot.canonical,
            slot.written,
            arena.bytes,
            constant_bytes[i],
            arena.peak_node.map_or(u32::MAX, |node| node.0)
        );
    }
    out.push_str("],\nnodes: &[");
    for (node, slot) in graph.nodes.iter().zip(&compiled.placement.node_slots) {
        let start = node.span.start();
        let _ = write!(
            out,
            "__graph_rt::node({:?}, {:?}, {slot}, {:?}, {}, {}),",
            node.name,
            node.op,
            node.binding,
            start.line,
            start.column + 1
        );
    }
    out.push_str("],\nbuffers: &[");
    for (i, buffer) in compiled.schedule.buffers.iter().enumerate() {
        let (slot, bytes, node) = (buffer.slot, buffer.bytes, buffer.node.0);
        let _ = match buffer.place {
            Place::Arena => {
                write!(out, "__graph_rt::arena({slot}, {}, {bytes}, {node}),", compiled.layout.offsets[i])
            }
            Place::Constant(constant) => {
                write!(
                    out,
                    "__graph_rt::constant({slot}, {constant}, {}, {bytes}, {node}),",
                    constant_offsets[i]
                )
            }
            Place::Input(input) => write!(out, "__graph_rt::input({input}, {bytes}, {node}),"),
            Place::Output(output) => write!(out, "__graph_rt::output({output}, {bytes}, {node}),"),
        };
    }
    out.push_str("],\nconstants: &[");
    for (i, constant) in graph.constants.iter().enumerate() {
        let _ = match constant {
            Constant::Bytes(_) => write!(out, "__graph_rt::Constant {{ data: &{prefix}C{i}.0 }},"),
            Constant::Path(..) => {
                write!(out, "__graph_rt::Constant {{ data: __graph_rt::bytes_of({prefix}C{i}) }},")
            }
        };
    }
    out.push_str("],\ninputs: &[");
    for input in &graph.inputs {
        let _ = write!(
            out,
            "__graph_rt::Input {{ name: {:?}, dtype: __graph_rt::DType::{:?}, dims: &{:?} }},",
            input.name, input.ty.dtype, input.ty.dims
        );
    }
    out.push_str("],\noutputs: &[");
    for output in &graph.outputs {
        let value = graph.value(output.value);
        let _ = write!(
            out,
            "__graph_rt::Output {{ name: {:?}, dtype: __graph_rt::DType::{:?}, dims: &{:?}, node: {} }},",
            output.name, value.ty.dtype, value.ty.dims, value.node.0
        );
    }
    out.push_str("],\n");
}

fn write_lanes(out: &mut String, compiled: &Compiled<'_>, numbers: &[u32]) {
    out.push_str("lanes: &[");
    for lane in &compiled.schedule.lanes {
        out.push_str("__graph_rt::Lane { steps: &[");
        for step in lane {
            let _ = match step {
                Step::Copy { from, to } => write!(out, "__graph_rt::copy({from}, {to}),"),
                Step::Signal(signal) => write!(out, "__graph_rt::signal({signal}),"),
                Step::Wait(signal) => write!(out, "__graph_rt::wait({signal}),"),
                Step::Launch { kernel, reads, write } => {
                    let number = numbers[*kernel as usize];
                    let kernel = &compiled.fused.kernels[*kernel as usize];
                    let nodes: Vec<u32> = kernel.nodes.iter().map(|node| node.0).collect();
                    let _ =
                        write!(out, "__graph_rt::launch({number}, &{reads:?}, &[{write}], &{nodes:?}, &[");
                    for (node, bound) in &kernel.sites {
                        let _ = write!(out, "__graph_rt::Site {{ node: {}, bound: {bound} }},", node.0);
                    }
                    write!(out, "]),")
                }
            };
        }
        out.push_str("] },");
    }
    out.push_str("],\n");
}
