//! The accesses of each buffer, by the order of the steps: written once, read after that, and not while another
//! buffer has the same bytes. Buffers of 0 bytes need no step that writes them and conflict with nothing.

use super::order::Order;
use super::sweep::{Span, conflict};
use super::{At, Judge, PlanError, Rule, all_steps};
use crate::plan::{Place, Step};

pub(super) fn check(judge: &Judge<'_>, order: &Order) -> Result<(), PlanError> {
    let lives = lives(judge)?;
    check_outputs(judge)?;
    check_reads(judge, order, &lives)?;
    check_overlaps(judge, order, &lives)
}

/// The accesses of an arena buffer.
struct Life {
    write: At,
    /// Its last read on each lane that reads it.
    last_reads: Vec<At>,
}

impl Life {
    /// The last accesses: what is after these is after all.
    fn last(&self) -> impl Iterator<Item = At> {
        self.last_reads.iter().copied().chain([self.write])
    }

    /// Whether it is over before `other` begins: the one rule of reuse. A strict partial order, since the write of
    /// a life is among its own accesses.
    fn precedes(&self, other: &Life, order: &Order) -> bool {
        self.last().all(|access| order.before(access, other.write))
    }
}

fn reads_of(step: &Step) -> &[u32] {
    match step {
        Step::Launch(launch) => launch.reads,
        Step::Copy { from, .. } => std::slice::from_ref(from),
        Step::Signal(_) | Step::Wait(_) => &[],
    }
}

fn writes_of(step: &Step) -> &[u32] {
    match step {
        Step::Launch(launch) => launch.writes,
        Step::Copy { to, .. } => std::slice::from_ref(to),
        Step::Signal(_) | Step::Wait(_) => &[],
    }
}

/// The life of each arena buffer with bytes, by buffer; says which is written not once.
fn lives(judge: &Judge<'_>) -> Result<Vec<Option<Life>>, PlanError> {
    let buffers = judge.plan.buffers;
    let counts = |i: u32| {
        let buffer = &buffers[i as usize];
        buffer.bytes > 0 && matches!(buffer.place, Place::Arena { .. })
    };
    let mut lives: Vec<Option<Life>> = buffers.iter().map(|_| None).collect();
    for (at, step) in all_steps(judge.plan) {
        for &write in writes_of(step).iter().filter(|&&write| counts(write)) {
            if let Some(first) = lives[write as usize].replace(Life { write: at, last_reads: Vec::new() }) {
                let (buffer, first) = (judge.names.buffer(write), judge.names.step(first.write));
                let message =
                    format!("{buffer} is written twice: by {first}, and by {}", judge.names.step(at));
                return Err(judge.error(Rule::WrittenOnce, message));
            }
        }
    }
    if let Some(i) = (0..buffers.len() as u32).find(|&i| counts(i) && lives[i as usize].is_none()) {
        let reads = |step: &Step| reads_of(step).contains(&i);
        let reader = match all_steps(judge.plan).find(|(_, step)| reads(step)) {
            Some((at, _)) => format!("{} reads it", judge.names.step(at)),
            None => String::from("no step reads it either"),
        };
        let message = format!("no step writes {}; {reader}", judge.names.buffer(i));
        return Err(judge.error(Rule::WrittenOnce, message));
    }
    for (at, step) in all_steps(judge.plan) {
        for &read in reads_of(step) {
            let Some(life) = &mut lives[read as usize] else { continue };
            match life.last_reads.last_mut() {
                // Steps come lane by lane, so that the last one noted is the last one of its lane.
                Some(last) if last.lane == at.lane => *last = at,
                _ => life.last_reads.push(at),
            }
        }
    }
    Ok(lives)
}

fn check_outputs(judge: &Judge<'_>) -> Result<(), PlanError> {
    let plan = judge.plan;
    let mut written: Vec<Option<At>> = vec![None; plan.outputs.len()];
    for (at, step) in all_steps(plan) {
        for &write in writes_of(step) {
            let buffer = &plan.buffers[write as usize];
            let Place::Output(output) = buffer.place else { continue };
            if buffer.bytes == 0 {
                continue;
            }
            if let Some(first) = written[output as usize].replace(at) {
                let (name, first) = (judge.names.output(output), judge.names.step(first));
                let message = format!("{name} is written twice: by {first}, and by {}", judge.names.step(at));
                return Err(judge.error(Rule::OutputWritten, message));
            }
        }
    }
    for (i, output) in (0u32..).zip(plan.outputs) {
        if written[i as usize].is_none() && !output.dims.contains(&0) {
            let (name, node) = (judge.names.output(i), judge.names.node(output.node));
            let message = format!("no step writes {name}, the value of {node}");
            return Err(judge.error(Rule::OutputWritten, message));
        }
    }
    Ok(())
}

fn check_reads(judge: &Judge<'_>, order: &Order, lives: &[Option<Life>]) -> Result<(), PlanError> {
    for (at, step) in all_steps(judge.plan) {
        for &read in reads_of(step) {
            let Some(life) = &lives[read as usize] else { continue };
            if !order.before(life.write, at) {
                let (reader, writer) = (judge.names.step(at), judge.names.step(life.write));
                let buffer = judge.names.buffer(read);
                let message = format!("{reader} reads {buffer}, but may run before {writer} has written it");
                return Err(judge.error(Rule::ReadBeforeWrite, message));
            }
        }
    }
    Ok(())
}

fn check_overlaps(judge: &Judge<'_>, order: &Order, lives: &[Option<Life>]) -> Result<(), PlanError> {
    let mut spans: Vec<Vec<Span>> = vec![Vec::new(); judge.plan.slots.len()];
    for (i, buffer) in (0u32..).zip(judge.plan.buffers) {
        if let (Some(_), Place::Arena { slot, offset }) = (&lives[i as usize], buffer.place) {
            spans[slot as usize].push(Span { start: offset, end: offset + buffer.bytes, buffer: i });
        }
    }
    let life = |i: u32| lives[i as usize].as_ref();
    let precedes = |a: u32, b: u32| match (life(a), life(b)) {
        (Some(a), Some(b)) => a.precedes(b, order),
        // Spans are made of buffers with lives only.
        _ => false,
    };
    for spans in spans {
        if let Some((a, b)) = conflict(spans, precedes)
            && let (Some(first), Some(second)) = (life(a), life(b))
        {
            return Err(overlap(judge, order, [(a, first), (b, second)]));
        }
    }
    Ok(())
}

fn overlap(judge: &Judge<'_>, order: &Order, mut pair: [(u32, &Life); 2]) -> PlanError {
    if order.before(pair[1].1.write, pair[0].1.write) {
        pair.reverse();
    }
    let [(a, first), (b, second)] = pair;
    // Neither precedes the other, so that some access of the first is not before the write of the second.
    let late = first.last().find(|&access| !order.before(access, second.write)).unwrap_or(first.write);
    let verb = if late == first.write { "writes" } else { "reads" };
    let message = format!(
        "{} and {} share bytes and may be alive at one time: {} {verb} the former, and may run after {} has \
         written the latter",
        judge.names.buffer(a),
        judge.names.buffer(b),
        judge.names.step(late),
        judge.names.step(second.write),
    );
    judge.error(Rule::Overlap, message)
}
