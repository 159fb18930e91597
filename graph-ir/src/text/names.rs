//! What the rows of a plan are called, in its text and in errors about it. A wrong index has a name too, since errors
//! speak of broken plans.

use crate::Plan;
use crate::check::At;
use crate::plan::{Place, Step};

pub(crate) struct Names<'p>(pub(crate) &'p Plan);

impl Names<'_> {
    /// `` node `MatMul_1` ``
    pub(crate) fn node(&self, i: u32) -> String {
        match self.0.nodes.get(i as usize) {
            Some(node) => format!("node `{}`", node.name),
            None => format!("node {i}, which does not exist"),
        }
    }

    /// `` `MatMul_1` ``: the node whose result a buffer holds, where it is clear that a value is meant.
    pub(crate) fn value(&self, buffer: u32) -> String {
        match self.0.buffers.get(buffer as usize) {
            Some(row) => self.nodes(&[row.node]),
            None => String::from("?"),
        }
    }

    /// `` `add`, `relu` ``
    pub(crate) fn nodes(&self, nodes: &[u32]) -> String {
        let name = |&i: &u32| match self.0.nodes.get(i as usize) {
            Some(node) => format!("`{}`", node.name),
            None => format!("?{i}"),
        };
        nodes.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// `slot 1 (/device:GPU:1)`
    pub(crate) fn slot(&self, i: u32) -> String {
        format!("slot {i} ({})", self.device(i))
    }

    /// `/device:GPU:1`
    pub(crate) fn device(&self, slot: u32) -> &'static str {
        match self.0.slots.get(slot as usize) {
            Some(slot) if slot.request.is_empty() => "default device",
            Some(slot) => slot.request,
            None => "no such slot",
        }
    }

    /// `` input `x` ``
    pub(crate) fn input(&self, i: u32) -> String {
        match self.0.inputs.get(i as usize) {
            Some(input) => format!("input `{}`", input.name),
            None => format!("input {i}, which does not exist"),
        }
    }

    /// `output 0` or `` output `loss` ``
    pub(crate) fn output(&self, i: u32) -> String {
        match self.0.outputs.get(i as usize) {
            Some(output) if !output.name.is_empty() => format!("output `{}`", output.name),
            Some(_) => format!("output {i}"),
            None => format!("output {i}, which does not exist"),
        }
    }

    /// `slot 0, arena 64..80`
    pub(crate) fn place(&self, buffer: u32) -> String {
        let Some(row) = self.0.buffers.get(buffer as usize) else { return String::from("nowhere") };
        match row.place {
            Place::Arena { slot, .. } | Place::Constant { slot, .. } => {
                format!("slot {slot}, {}", self.local_place(buffer))
            }
            Place::Input(_) | Place::Output(_) => self.local_place(buffer),
        }
    }

    /// `arena 64..80`: where the slot is clear.
    pub(crate) fn local_place(&self, buffer: u32) -> String {
        let Some(row) = self.0.buffers.get(buffer as usize) else { return String::from("nowhere") };
        let range = |offset: u64| format!("{offset}..{}", offset.saturating_add(row.bytes));
        match row.place {
            Place::Arena { offset, .. } => format!("arena {}", range(offset)),
            Place::Constant { constant, offset, .. } => format!("constant {constant} {}", range(offset)),
            Place::Input(input) => self.input(input),
            Place::Output(output) => self.output(output),
        }
    }

    /// ``buffer 3 (`MatMul_1`; slot 0, arena 64..80)``
    pub(crate) fn buffer(&self, i: u32) -> String {
        format!("buffer {i} ({}; {})", self.value(i), self.place(i))
    }

    /// ``lane 1 step 3 (launch of `fused_add_relu` for `relu`, `add`)``
    pub(crate) fn step(&self, at: At) -> String {
        let step = self.0.lanes.get(at.lane as usize).and_then(|lane| lane.steps.get(at.step as usize));
        let what = match step {
            Some(Step::Launch(launch)) => {
                let kernel = self.0.kernels.get(launch.kernel as usize).map_or("?", |kernel| kernel.name);
                format!("launch of `{kernel}` for {}", self.nodes(launch.nodes))
            }
            Some(Step::Copy { from, .. }) => format!("copy of {}", self.value(*from)),
            Some(Step::Signal(signal)) => format!("signal {signal}"),
            Some(Step::Wait(signal)) => format!("wait for signal {signal}"),
            None => String::from("which does not exist"),
        };
        format!("lane {} step {} ({what})", at.lane, at.step)
    }
}
