//! Which step happens before which, in whatever way the lanes run.
//!
//! The lanes are walked as the executor does, each as far as its waits let it. Every lane carries a vector clock: for
//! each lane, how many of its steps are known to be done. A signal takes the clock of its lane along, a wait joins
//! it. Clocks change at waits only, so that a step has the number of a clock and not a clock of its own.

use std::collections::BTreeMap;

use super::{At, Judge, PlanError, Rule, all_steps};
use crate::plan::Step;

pub(super) struct Order {
    /// For each lane, how many of its steps are done.
    clocks: Vec<Vec<u32>>,
    /// By lane and step, the clock with which the step starts. Its entry for the step's own lane is stale; within a
    /// lane, positions tell.
    clock_of: Vec<Vec<u32>>,
}

impl Order {
    /// Walks the lanes; says which signal is given not once, or where the walk ends too early.
    pub(super) fn new(judge: &Judge<'_>) -> Result<Order, PlanError> {
        let givers = givers(judge)?;
        let lanes = judge.plan.lanes;
        let mut order = Order {
            clocks: (0..lanes.len()).map(|_| vec![0; lanes.len()]).collect(),
            clock_of: vec![Vec::new(); lanes.len()],
        };
        // The clock that each lane has reached; at first one for each lane, with nothing done.
        let mut current: Vec<u32> = (0..lanes.len() as u32).collect();
        let mut given: Vec<Option<Vec<u32>>> = vec![None; givers.len()];
        loop {
            let mut moved = false;
            for lane in 0..lanes.len() {
                moved |= order.advance(lane, lanes[lane].steps, &mut current[lane], &mut given);
            }
            if !moved {
                break;
            }
        }
        let stuck: Vec<At> = (0u32..)
            .zip(&order.clock_of)
            .map(|(lane, done)| At { lane, step: done.len() as u32 })
            .filter(|at| (at.step as usize) < lanes[at.lane as usize].steps.len())
            .collect();
        if stuck.is_empty() { Ok(order) } else { Err(deadlock(judge, &stuck, &givers)) }
    }

    /// Runs a lane up to a wait for a signal that is not given yet. Whether it came to run at least one step.
    fn advance(
        &mut self,
        lane: usize,
        steps: &[Step],
        current: &mut u32,
        given: &mut [Option<Vec<u32>>],
    ) -> bool {
        let start = self.clock_of[lane].len();
        for (position, step) in steps.iter().enumerate().skip(start) {
            match step {
                Step::Wait(signal) => {
                    let Some(theirs) = &given[*signal as usize] else { break };
                    let own = &self.clocks[*current as usize];
                    let joined = own.iter().zip(theirs).map(|(own, their)| *own.max(their)).collect();
                    // The wait itself starts before it knows more.
                    self.clock_of[lane].push(*current);
                    *current = self.clocks.len() as u32;
                    self.clocks.push(joined);
                    continue;
                }
                Step::Signal(signal) => {
                    let mut clock = self.clocks[*current as usize].clone();
                    clock[lane] = position as u32;
                    given[*signal as usize] = Some(clock);
                }
                Step::Launch(_) | Step::Copy { .. } => {}
            }
            self.clock_of[lane].push(*current);
        }
        self.clock_of[lane].len() > start
    }

    /// Whether `a` is done when `b` starts, in every run. A strict partial order.
    pub(super) fn before(&self, a: At, b: At) -> bool {
        if a.lane == b.lane {
            return a.step < b.step;
        }
        let clock = self.clock_of[b.lane as usize][b.step as usize];
        self.clocks[clock as usize][a.lane as usize] > a.step
    }
}

/// The step that gives each signal.
fn givers(judge: &Judge<'_>) -> Result<Vec<At>, PlanError> {
    let mut givers: BTreeMap<u32, At> = BTreeMap::new();
    for (at, step) in all_steps(judge.plan) {
        if let Step::Signal(signal) = step
            && let Some(first) = givers.insert(*signal, at)
        {
            let (first, second) = (judge.names.step(first), judge.names.step(at));
            let message = format!("signal {signal} is given twice: by {first}, and by {second}");
            return Err(judge.error(Rule::Signal, message));
        }
    }
    if let Some(missing) = (0..judge.plan.signals).find(|signal| !givers.contains_key(signal)) {
        let waits = |step: &Step| matches!(step, Step::Wait(signal) if *signal == missing);
        let waiting = match all_steps(judge.plan).find(|(_, step)| waits(step)) {
            Some((at, _)) => format!("{} waits for it", judge.names.step(at)),
            None => String::from("no step waits for it either"),
        };
        return Err(judge.error(Rule::Signal, format!("no step gives signal {missing}; {waiting}")));
    }
    Ok(givers.into_values().collect())
}

fn deadlock(judge: &Judge<'_>, stuck: &[At], givers: &[At]) -> PlanError {
    let lines = stuck.iter().map(|&at| {
        let giver = match judge.plan.lanes[at.lane as usize].steps[at.step as usize] {
            Step::Wait(signal) => judge.names.step(givers[signal as usize]),
            _ => unreachable!("a lane stops at a wait only"),
        };
        format!("{} is never reached by {giver}", judge.names.step(at))
    });
    judge.error(Rule::Deadlock, format!("the lanes stop for ever: {}", lines.collect::<Vec<_>>().join("; ")))
}
