//! Schedule. In: kernels with their slots. Out: one ordered lane of steps for each slot, with a copy for every value
//! that is read on another slot than its own, and a signal and a wait around each copy between two lanes. Does not
//! decide addresses; `memory` does.
//!
//! A copy between slots is a step of the reading lane: it waits for the writer's signal and then pulls. Arrays of the
//! caller are ready before the run and need no signal.

use std::collections::BTreeMap;

use crate::fuse::{Fused, Kernel};
use crate::graph::{Graph, NodeId, Prim, ValueId};
use crate::place::Placement;

/// A buffer of the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Arena,
    /// Index of the constant in the graph.
    Constant(u32),
    Input(u32),
    Output(u32),
}

#[derive(Debug)]
pub struct Buffer {
    pub place: Place,
    /// For arena buffers and constants.
    pub slot: u32,
    pub bytes: u64,
    pub value: ValueId,
    pub node: NodeId,
}

#[derive(Debug)]
pub enum Step {
    /// Index of the kernel in `Fused`, and its buffers.
    Launch {
        kernel: u32,
        reads: Vec<u32>,
        write: u32,
    },
    Copy {
        from: u32,
        to: u32,
    },
    Signal(u32),
    Wait(u32),
}

/// The lanes, and the buffers that their steps name.
pub struct Schedule {
    pub lanes: Vec<Vec<Step>>,
    pub buffers: Vec<Buffer>,
    pub signals: u32,
    /// The order in which the steps were made, as lane and position: one in which a single thread may run them.
    pub order: Vec<(u32, u32)>,
}

pub fn run(graph: &Graph, placement: &Placement, fused: &Fused) -> Schedule {
    let mut scheduler = Scheduler {
        graph,
        placement,
        schedule: Schedule {
            lanes: placement.slots.iter().map(|_| Vec::new()).collect(),
            buffers: Vec::new(),
            signals: 0,
            order: Vec::new(),
        },
        buffers: BTreeMap::new(),
        hosts: BTreeMap::new(),
        signals: BTreeMap::new(),
    };
    for (i, kernel) in fused.kernels.iter().enumerate() {
        scheduler.launch(i as u32, kernel);
    }
    for (i, output) in graph.outputs.iter().enumerate() {
        scheduler.output(i as u32, output.value);
    }
    scheduler.schedule
}

struct Scheduler<'g> {
    graph: &'g Graph,
    placement: &'g Placement,
    schedule: Schedule,
    /// The buffer of a value on a slot.
    buffers: BTreeMap<(ValueId, u32), u32>,
    /// The caller's array of an input.
    hosts: BTreeMap<u32, u32>,
    /// The signal that follows the step which computes a value.
    signals: BTreeMap<ValueId, u32>,
}

impl Scheduler<'_> {
    fn push(&mut self, lane: u32, step: Step) {
        let steps = &mut self.schedule.lanes[lane as usize];
        self.schedule.order.push((lane, steps.len() as u32));
        steps.push(step);
    }

    fn buffer(&mut self, place: Place, slot: u32, value: ValueId) -> u32 {
        let source = self.graph.value(value);
        self.schedule.buffers.push(Buffer {
            place,
            slot,
            bytes: source.ty.bytes(),
            value,
            node: source.node,
        });
        self.schedule.buffers.len() as u32 - 1
    }

    fn own_slot(&self, value: ValueId) -> u32 {
        self.placement.slot(self.graph.value(value).node)
    }

    fn launch(&mut self, number: u32, kernel: &Kernel) {
        let reads = kernel.reads.iter().map(|&read| self.fetch(read, kernel.slot)).collect();
        let write = self.buffer(Place::Arena, kernel.slot, kernel.write);
        self.buffers.insert((kernel.write, kernel.slot), write);
        self.push(kernel.slot, Step::Launch { kernel: number, reads, write });
    }

    /// The buffer that holds a value on a slot, with the steps that bring it there.
    fn fetch(&mut self, value: ValueId, slot: u32) -> u32 {
        if let Some(&known) = self.buffers.get(&(value, slot)) {
            return known;
        }
        let buffer = match self.graph.value(value).prim {
            Prim::Constant(constant) => self.buffer(Place::Constant(constant), slot, value),
            Prim::Input(input) => {
                let from = self.host_input(input, value, slot);
                let to = self.buffer(Place::Arena, slot, value);
                self.push(slot, Step::Copy { from, to });
                to
            }
            _ => {
                let owner = self.own_slot(value);
                let to = self.buffer(Place::Arena, slot, value);
                // A value without elements has no step that computes it, and nothing to wait for.
                if let Some(&from) = self.buffers.get(&(value, owner)) {
                    let signal = self.signal(value, owner);
                    self.push(slot, Step::Wait(signal));
                    self.push(slot, Step::Copy { from, to });
                }
                to
            }
        };
        self.buffers.insert((value, slot), buffer);
        buffer
    }

    fn host_input(&mut self, input: u32, value: ValueId, slot: u32) -> u32 {
        match self.hosts.get(&input) {
            Some(&known) => known,
            None => {
                let buffer = self.buffer(Place::Input(input), slot, value);
                self.hosts.insert(input, buffer);
                buffer
            }
        }
    }

    fn signal(&mut self, value: ValueId, owner: u32) -> u32 {
        if let Some(&known) = self.signals.get(&value) {
            return known;
        }
        let signal = self.schedule.signals;
        self.schedule.signals += 1;
        self.signals.insert(value, signal);
        self.push(owner, Step::Signal(signal));
        signal
    }

    fn output(&mut self, number: u32, value: ValueId) {
        let slot = self.own_slot(value);
        let to = self.buffer(Place::Output(number), slot, value);
        if self.graph.ty(value).elements() == 0 {
            return;
        }
        let from = match self.graph.value(value).prim {
            Prim::Input(input) => self.host_input(input, value, slot),
            _ => self.fetch(value, slot),
        };
        self.push(slot, Step::Copy { from, to });
    }
}
