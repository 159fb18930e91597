//! The lanes of a plan as text.

use core::fmt;
use std::collections::BTreeMap;

use super::names::Names;
use super::table;
use crate::check::{At, all_steps};
use crate::plan::{Place, Step};

pub(super) fn write(f: &mut fmt::Formatter<'_>, names: &Names<'_>) -> fmt::Result {
    let links = Links::new(names);
    for (lane, row) in (0u32..).zip(names.0.lanes) {
        writeln!(f, "\nlane {lane}: {}", names.device(lane))?;
        let mut rows = Vec::new();
        for (step, what) in (0u32..).zip(row.steps) {
            rows.extend(links.step(At { lane, step }, what));
        }
        table::write(f, 2, &rows)?;
    }
    Ok(())
}

/// Who is at the other end of a buffer or a signal.
struct Links<'n> {
    names: &'n Names<'n>,
    /// The steps that read a buffer.
    readers: BTreeMap<u32, Vec<At>>,
    givers: BTreeMap<u32, At>,
    waiters: BTreeMap<u32, Vec<At>>,
}

impl<'n> Links<'n> {
    fn new(names: &'n Names<'n>) -> Links<'n> {
        let mut links =
            Links { names, readers: BTreeMap::new(), givers: BTreeMap::new(), waiters: BTreeMap::new() };
        for (at, step) in all_steps(names.0) {
            match step {
                Step::Launch(launch) => {
                    for &read in launch.reads {
                        let readers = links.readers.entry(read).or_default();
                        if readers.last() != Some(&at) {
                            readers.push(at);
                        }
                    }
                }
                Step::Copy { from, .. } => links.readers.entry(*from).or_default().push(at),
                Step::Signal(signal) => {
                    links.givers.entry(*signal).or_insert(at);
                }
                Step::Wait(signal) => links.waiters.entry(*signal).or_default().push(at),
            }
        }
        links
    }

    /// The rows of a step: its number, its kind, and the rest; a launch has one more for each operand.
    fn step(&self, at: At, step: &Step) -> Vec<Vec<String>> {
        let line = |kind: &str, rest: String| vec![at.step.to_string(), kind.to_owned(), rest];
        match step {
            Step::Launch(launch) => {
                let kernel =
                    self.names.0.kernels.get(launch.kernel as usize).map_or("?", |kernel| kernel.name);
                let mut rows =
                    vec![line("launch", format!("{kernel} for {}", self.names.nodes(launch.nodes)))];
                let mut operand = |kind: &str, buffer: u32| {
                    let (value, place) = (self.names.value(buffer), self.names.local_place(buffer));
                    rows.push(vec![String::new(), String::new(), format!("{kind} {value} {place}")]);
                };
                launch.reads.iter().for_each(|&read| operand("reads ", read));
                launch.writes.iter().for_each(|&write| operand("writes", write));
                rows
            }
            Step::Copy { from, to } => vec![line("copy", self.copy(*from, *to))],
            Step::Signal(signal) => {
                let waiters = self.waiters.get(signal).map_or(&[][..], |waiters| waiters);
                let rest = match waiters {
                    [] => String::from("which nobody waits for"),
                    _ => format!("for {}", some(waiters, |at| format!("lane {} step {}", at.lane, at.step))),
                };
                vec![line("signal", format!("{signal} {rest}"))]
            }
            Step::Wait(signal) => {
                let rest = match self.givers.get(signal) {
                    Some(giver) => format!("from lane {} step {}", giver.lane, giver.step),
                    None => String::from("which nobody gives"),
                };
                vec![line("wait", format!("{signal} {rest}"))]
            }
        }
    }

    /// What goes from where to where, and who wants it there.
    fn copy(&self, from: u32, to: u32) -> String {
        let buffers = self.names.0.buffers;
        let bytes = buffers.get(from as usize).map_or(0, |buffer| buffer.bytes);
        let (value, source, target) = (self.names.value(from), self.names.place(from), self.names.place(to));
        let moved = format!("{value} from {source}, to {target}, {bytes} bytes");
        if let Some(Place::Output(_)) = buffers.get(to as usize).map(|buffer| buffer.place) {
            return moved;
        }
        match self.readers.get(&to) {
            Some(readers) => format!("{moved}: read there by {}", some(readers, |at| self.reader(at))),
            None => format!("{moved}: read there by nobody"),
        }
    }

    fn reader(&self, at: At) -> String {
        let lane = &self.names.0.lanes[at.lane as usize];
        match &lane.steps[at.step as usize] {
            // The first node is the one whose result is written.
            Step::Launch(launch) => self.names.nodes(&launch.nodes[..launch.nodes.len().min(1)]),
            Step::Copy { to, .. } => format!("the copy to {}", self.names.place(*to)),
            Step::Signal(_) | Step::Wait(_) => unreachable!("it reads nothing"),
        }
    }
}

/// The first three; a value may have hundreds of readers.
fn some(steps: &[At], name: impl Fn(At) -> String) -> String {
    let mut text = steps.iter().take(3).map(|&at| name(at)).collect::<Vec<_>>().join(", ");
    if steps.len() > 3 {
        text.push_str(&format!(" and {} more", steps.len() - 3));
    }
    text
}
