//! The tables by themselves: indices, sizes, offsets. Afterwards every index in a table may be followed.

use super::{Judge, PlanError, Rule};
use crate::DType;
use crate::plan::{ABI, ALIGNMENT, Buffer, Place};

pub(super) fn check(judge: &Judge<'_>) -> Result<(), PlanError> {
    check_layout(judge)?;
    check_slots(judge)?;
    check_nodes(judge)?;
    check_outputs(judge)?;
    for (i, buffer) in (0u32..).zip(judge.plan.buffers) {
        check_indices(judge, i, buffer)?;
        check_size(judge, i, buffer)?;
        check_offset(judge, i, buffer)?;
        check_output_value(judge, i, buffer)?;
    }
    check_constants_apart(judge)
}

fn check_layout(judge: &Judge<'_>) -> Result<(), PlanError> {
    let plan = judge.plan;
    if plan.abi != ABI {
        let message = format!("it has layout {}, but this crate reads layout {ABI}", plan.abi);
        return Err(judge.error(Rule::Abi, message));
    }
    if plan.lanes.len() != plan.slots.len() {
        let message = format!("it has {} slots, but {} lanes", plan.slots.len(), plan.lanes.len());
        return Err(judge.error(Rule::Lanes, message));
    }
    Ok(())
}

fn check_slots(judge: &Judge<'_>) -> Result<(), PlanError> {
    let nodes = judge.plan.nodes.len();
    for (i, slot) in (0u32..).zip(judge.plan.slots) {
        let known = (slot.peak_node as usize) < nodes;
        if known || (slot.peak_node == u32::MAX && slot.arena_bytes == 0) {
            continue;
        }
        let message = match slot.peak_node {
            u32::MAX => {
                format!(
                    "{} has an arena of {} bytes, but no peak node",
                    judge.names.slot(i),
                    slot.arena_bytes
                )
            }
            node => format!("{} has peak node {node}, but the plan has {nodes} nodes", judge.names.slot(i)),
        };
        return Err(judge.error(Rule::PeakNode, message));
    }
    Ok(())
}

fn check_nodes(judge: &Judge<'_>) -> Result<(), PlanError> {
    judge.plan.nodes.iter().try_for_each(|node| {
        judge.in_range(node.slot, judge.plan.slots.len(), "slot", || format!("node `{}`", node.name))
    })
}

fn check_outputs(judge: &Judge<'_>) -> Result<(), PlanError> {
    (0u32..).zip(judge.plan.outputs).try_for_each(|(i, output)| {
        judge.in_range(output.node, judge.plan.nodes.len(), "node", || judge.names.output(i))
    })
}

fn check_indices(judge: &Judge<'_>, i: u32, buffer: &Buffer) -> Result<(), PlanError> {
    let plan = judge.plan;
    let name = || judge.names.buffer(i);
    judge.in_range(buffer.node, plan.nodes.len(), "node", name)?;
    match buffer.place {
        Place::Arena { slot, .. } => judge.in_range(slot, plan.slots.len(), "slot", name),
        Place::Constant { slot, constant, .. } => {
            judge.in_range(slot, plan.slots.len(), "slot", name)?;
            judge.in_range(constant, plan.constants.len(), "constant", name)
        }
        Place::Input(input) => judge.in_range(input, plan.inputs.len(), "input", name),
        Place::Output(output) => judge.in_range(output, plan.outputs.len(), "output", name),
    }
}

fn check_size(judge: &Judge<'_>, i: u32, buffer: &Buffer) -> Result<(), PlanError> {
    let plan = judge.plan;
    let (contents, wanted) = match buffer.place {
        Place::Arena { .. } => return Ok(()),
        Place::Constant { constant, .. } => {
            let data = plan.constants[constant as usize].data;
            (format!("constant {constant}"), Some(data.len() as u64))
        }
        Place::Input(input) => {
            let row = &plan.inputs[input as usize];
            (format!("{}[{}]", row.dtype, joined(row.dims)), tensor_bytes(row.dtype, row.dims))
        }
        Place::Output(output) => {
            let row = &plan.outputs[output as usize];
            (format!("{}[{}]", row.dtype, joined(row.dims)), tensor_bytes(row.dtype, row.dims))
        }
    };
    let wanted = match wanted {
        Some(bytes) if bytes == buffer.bytes => return Ok(()),
        Some(bytes) => format!("{bytes} bytes"),
        None => String::from("more bytes than 64 bits can count"),
    };
    let message =
        format!("{} has {} bytes, but {contents} takes {wanted}", judge.names.buffer(i), buffer.bytes);
    Err(judge.error(Rule::Size, message))
}

fn joined(dims: &[u64]) -> String {
    dims.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// `None` where the number does not fit.
fn tensor_bytes(dtype: DType, dims: &[u64]) -> Option<u64> {
    if dims.contains(&0) {
        return Some(0);
    }
    dims.iter().try_fold(dtype.size(), |bytes, &dim| bytes.checked_mul(dim))
}

fn check_offset(judge: &Judge<'_>, i: u32, buffer: &Buffer) -> Result<(), PlanError> {
    let (offset, memory, bytes) = match buffer.place {
        Place::Arena { slot, offset } => (offset, "arena", judge.plan.slots[slot as usize].arena_bytes),
        Place::Constant { slot, offset, .. } => {
            (offset, "memory for constants", judge.plan.slots[slot as usize].constant_bytes)
        }
        Place::Input(_) | Place::Output(_) => return Ok(()),
    };
    if !offset.is_multiple_of(ALIGNMENT) {
        let message = format!("{} is at offset {offset}, no multiple of {ALIGNMENT}", judge.names.buffer(i));
        return Err(judge.error(Rule::Alignment, message));
    }
    if offset.checked_add(buffer.bytes).is_none_or(|end| end > bytes) {
        let message = format!(
            "{} takes {} bytes at offset {offset}, but the {memory} of the slot has {bytes} bytes",
            judge.names.buffer(i),
            buffer.bytes
        );
        return Err(judge.error(Rule::Bounds, message));
    }
    Ok(())
}

fn check_output_value(judge: &Judge<'_>, i: u32, buffer: &Buffer) -> Result<(), PlanError> {
    let Place::Output(output) = buffer.place else { return Ok(()) };
    let wanted = judge.plan.outputs[output as usize].node;
    if wanted == buffer.node {
        return Ok(());
    }
    let message = format!(
        "{} holds {}, but {} is the value of {}",
        judge.names.buffer(i),
        judge.names.node(buffer.node),
        judge.names.output(output),
        judge.names.node(wanted)
    );
    Err(judge.error(Rule::Value, message))
}

/// Constants are never written in a run, so that they are alive all the time: order does not matter.
fn check_constants_apart(judge: &Judge<'_>) -> Result<(), PlanError> {
    let mut ranges: Vec<(u32, u64, u64, u32)> = Vec::new();
    for (i, buffer) in (0u32..).zip(judge.plan.buffers) {
        if let Place::Constant { slot, offset, .. } = buffer.place
            && buffer.bytes > 0
        {
            ranges.push((slot, offset, offset + buffer.bytes, i));
        }
    }
    ranges.sort_unstable();
    for pair in ranges.windows(2) {
        let [(slot, _, end, first), (next_slot, offset, _, second)] = [pair[0], pair[1]];
        if slot == next_slot && offset < end {
            let (first, second) = (judge.names.buffer(first), judge.names.buffer(second));
            let message = format!("{first} and {second} overlap where they are uploaded");
            return Err(judge.error(Rule::ConstantsOverlap, message));
        }
    }
    Ok(())
}
