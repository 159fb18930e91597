//! The text form of a plan, for people: what lies where, what runs in which order, and why a copy is there.
//!
//! The same plan gives the same text. A broken plan has a text, too: what an index misses is said in its place.

mod lanes;
pub(crate) mod names;
mod table;

#[cfg(test)]
mod tests;

use core::fmt;

use crate::Plan;
use crate::plan::{Buffer, Input, Node, Output, Place, Slot};
use names::Names;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names(self);
        writeln!(f, "plan `{}`, {}", self.name, self.file)?;
        section(f, "inputs", &inputs(&names))?;
        section(f, "outputs", &outputs(&names))?;
        section(f, "slots", &slots(&names))?;
        section(f, "nodes", &nodes(&names))?;
        section(f, "buffers", &buffers(&names))?;
        lanes::write(f, &names)
    }
}

/// A heading and its rows; nothing if there are none.
fn section(f: &mut fmt::Formatter<'_>, heading: &str, rows: &[Vec<String>]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{heading}")?;
    table::write(f, 2, rows)
}

fn inputs(names: &Names<'_>) -> Vec<Vec<String>> {
    let row = |(i, input): (usize, &Input)| {
        vec![i.to_string(), format!("`{}`", input.name), format!("{}{:?}", input.dtype, input.dims)]
    };
    names.0.inputs.iter().enumerate().map(row).collect()
}

fn outputs(names: &Names<'_>) -> Vec<Vec<String>> {
    let row = |(i, output): (usize, &Output)| {
        let name = if output.name.is_empty() { String::from("-") } else { format!("`{}`", output.name) };
        let shape = format!("{}{:?}", output.dtype, output.dims);
        vec![i.to_string(), name, shape, format!("the value of {}", names.node(output.node))]
    };
    names.0.outputs.iter().enumerate().map(row).collect()
}

fn slots(names: &Names<'_>) -> Vec<Vec<String>> {
    let row = |(i, slot): (u32, &Slot)| {
        let device = match slot.written {
            "" => names.device(i).to_owned(),
            written if written == slot.request => names.device(i).to_owned(),
            written => format!("{}, written {written:?}", names.device(i)),
        };
        let peak = match slot.peak_node {
            u32::MAX => String::new(),
            node => format!("fullest at {}", names.nodes(&[node])),
        };
        let (arena, constants) = (slot.arena_bytes, slot.constant_bytes);
        vec![
            i.to_string(),
            device,
            format!("arena {arena} bytes"),
            format!("constants {constants} bytes"),
            peak,
        ]
    };
    (0u32..).zip(names.0.slots).map(row).collect()
}

fn nodes(names: &Names<'_>) -> Vec<Vec<String>> {
    let row = |(i, node): (usize, &Node)| {
        let binding = if node.binding.is_empty() { String::new() } else { format!("let {}", node.binding) };
        vec![
            i.to_string(),
            format!("`{}`", node.name),
            node.op.to_owned(),
            format!("slot {}", node.slot),
            format!("{}:{}", node.line, node.column),
            binding,
        ]
    };
    names.0.nodes.iter().enumerate().map(row).collect()
}

fn buffers(names: &Names<'_>) -> Vec<Vec<String>> {
    let row = |(i, buffer): (u32, &Buffer)| {
        let slot = match buffer.place {
            Place::Arena { slot, .. } | Place::Constant { slot, .. } => format!("slot {slot}"),
            Place::Input(_) | Place::Output(_) => String::from("caller"),
        };
        vec![i.to_string(), names.value(i), format!("{} bytes", buffer.bytes), slot, names.local_place(i)]
    };
    (0u32..).zip(names.0.buffers).map(row).collect()
}
