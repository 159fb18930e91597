//! Each step by itself: indices, and what a step of a lane may reach. Afterwards every index in a lane may be
//! followed.

use super::{At, Judge, PlanError, Rule, all_steps};
use crate::plan::{Buffer, Launch, Place, Step};

pub(super) fn check(judge: &Judge<'_>) -> Result<(), PlanError> {
    for (at, step) in all_steps(judge.plan) {
        match step {
            Step::Launch(launch) => {
                check_indices(judge, at, launch)?;
                check_reads(judge, at, launch)?;
                check_writes(judge, at, launch)?;
                check_operands_apart(judge, at, launch)?;
            }
            Step::Copy { from, to } => check_copy(judge, at, *from, *to)?,
            Step::Signal(signal) | Step::Wait(signal) => {
                judge.in_range(*signal, judge.plan.signals as usize, "signal", || judge.names.step(at))?;
            }
        }
    }
    Ok(())
}

fn check_indices(judge: &Judge<'_>, at: At, launch: &Launch) -> Result<(), PlanError> {
    let plan = judge.plan;
    let name = || judge.names.step(at);
    judge.in_range(launch.kernel, plan.kernels.len(), "kernel", name)?;
    for &node in launch.nodes.iter().chain(launch.sites.iter().map(|site| &site.node)) {
        judge.in_range(node, plan.nodes.len(), "node", name)?;
    }
    for &buffer in launch.reads.iter().chain(launch.writes) {
        judge.in_range(buffer, plan.buffers.len(), "buffer", name)?;
    }
    Ok(())
}

fn check_reads(judge: &Judge<'_>, at: At, launch: &Launch) -> Result<(), PlanError> {
    for &read in launch.reads {
        match judge.plan.buffers[read as usize].place {
            Place::Arena { slot, .. } | Place::Constant { slot, .. } if slot == at.lane => {}
            _ => {
                let (step, buffer) = (judge.names.step(at), judge.names.buffer(read));
                let message = format!("{step} reads {buffer}, which is not in the memory of its slot");
                return Err(judge.error(Rule::LaunchReads, message));
            }
        }
    }
    Ok(())
}

fn check_writes(judge: &Judge<'_>, at: At, launch: &Launch) -> Result<(), PlanError> {
    for &write in launch.writes {
        let Buffer { place, node, .. } = judge.plan.buffers[write as usize];
        let step = || judge.names.step(at);
        let buffer = || judge.names.buffer(write);
        if !matches!(place, Place::Arena { slot, .. } if slot == at.lane) {
            let message = format!("{} writes {}, which is not in the arena of its slot", step(), buffer());
            return Err(judge.error(Rule::LaunchWrites, message));
        }
        if !launch.nodes.contains(&node) {
            let message = format!("{} writes {}, but does not compute that node", step(), buffer());
            return Err(judge.error(Rule::Value, message));
        }
        let slot = judge.plan.nodes[node as usize].slot;
        if slot != at.lane {
            let (node, slot) = (judge.names.node(node), judge.names.slot(slot));
            let message = format!("{} computes {node}, which is placed on {slot}", step());
            return Err(judge.error(Rule::Placement, message));
        }
    }
    Ok(())
}

fn check_operands_apart(judge: &Judge<'_>, at: At, launch: &Launch) -> Result<(), PlanError> {
    for (i, &write) in launch.writes.iter().enumerate() {
        for &other in launch.reads.iter().chain(&launch.writes[i + 1..]) {
            if share_bytes(&judge.plan.buffers[write as usize], &judge.plan.buffers[other as usize]) {
                let (write, other) = (judge.names.buffer(write), judge.names.buffer(other));
                let message = format!("{} writes {write}, over its operand {other}", judge.names.step(at));
                return Err(judge.error(Rule::OperandsOverlap, message));
            }
        }
    }
    Ok(())
}

/// Whether two buffers overlap in one arena. Empty ones overlap nothing.
fn share_bytes(a: &Buffer, b: &Buffer) -> bool {
    match (a.place, b.place) {
        (Place::Arena { slot, offset }, Place::Arena { slot: other_slot, offset: other }) => {
            slot == other_slot
                && a.bytes > 0
                && b.bytes > 0
                && offset < other + b.bytes
                && other < offset + a.bytes
        }
        _ => false,
    }
}

fn check_copy(judge: &Judge<'_>, at: At, from: u32, to: u32) -> Result<(), PlanError> {
    for buffer in [from, to] {
        judge.in_range(buffer, judge.plan.buffers.len(), "buffer", || judge.names.step(at))?;
    }
    let (source, target) = (&judge.plan.buffers[from as usize], &judge.plan.buffers[to as usize]);
    let error = |rule, what: String| Err(judge.error(rule, format!("{} {what}", judge.names.step(at))));
    let name = |buffer| judge.names.buffer(buffer);
    if let Place::Output(_) = source.place {
        return error(Rule::CopyReads, format!("reads {}, which is the caller's to read", name(from)));
    }
    let may_write = match target.place {
        Place::Arena { slot, .. } => slot == at.lane,
        Place::Output(_) => true,
        Place::Constant { .. } | Place::Input(_) => false,
    };
    if !may_write {
        let message = format!("writes {}, which is neither in its slot's arena nor an output", name(to));
        return error(Rule::CopyWrites, message);
    }
    if source.bytes != target.bytes {
        let (ours, theirs) = (source.bytes, target.bytes);
        let message = format!("copies {}, {ours} bytes, to {}, {theirs} bytes", name(from), name(to));
        return error(Rule::CopySize, message);
    }
    if source.node != target.node {
        return error(
            Rule::Value,
            format!("copies {} to {}, which holds another value", name(from), name(to)),
        );
    }
    Ok(())
}
