//! Memory. In: the lanes. Out: an offset in its slot's arena for every buffer, with reuse; the size of each arena and
//! what lives in it when it is fullest.
//!
//! A buffer lives from the step that writes it to the last step that reads it. Where another lane reads it, the own
//! lane may reuse the bytes only after it has waited for a signal that the other lane gave after reading; without
//! such a wait the bytes stay taken to the end of the run.

use std::collections::BTreeMap;

use graph_ir::plan::ALIGNMENT;

use crate::graph::NodeId;
use crate::schedule::{Place, Schedule, Step};

/// Where the buffers are.
pub struct Layout {
    /// The offset of each buffer of the schedule; 0 where it is not in an arena.
    pub offsets: Vec<u64>,
    pub arenas: Vec<Arena>,
}

#[derive(Default)]
pub struct Arena {
    pub bytes: u64,
    /// The node whose buffer filled it to the brim.
    pub peak_node: Option<NodeId>,
    /// The buffers that are alive then, largest first.
    pub peak_buffers: Vec<u32>,
}

pub fn run(schedule: &Schedule) -> Layout {
    let lives = lives(schedule);
    let mut layout = Layout { offsets: vec![0; schedule.buffers.len()], arenas: Vec::new() };
    for lane in 0..schedule.lanes.len() as u32 {
        layout.arenas.push(arena(schedule, lane, &lives, &mut layout.offsets));
    }
    layout
}

/// First and last position in the own lane at which the buffer's bytes are taken; `None` where it has no arena.
type Life = Option<(u32, u32)>;

fn lives(schedule: &Schedule) -> Vec<Life> {
    let mut lives: Vec<Life> = vec![None; schedule.buffers.len()];
    // Reads from other lanes, as lane and position.
    let mut foreign: Vec<Vec<(u32, u32)>> = vec![Vec::new(); schedule.buffers.len()];
    for (lane, steps) in schedule.lanes.iter().enumerate() {
        for (position, step) in steps.iter().enumerate() {
            let (lane, position) = (lane as u32, position as u32);
            let mut touch = |buffer: u32| {
                let info = &schedule.buffers[buffer as usize];
                if info.place != Place::Arena {
                    return;
                }
                if info.slot == lane {
                    let life = lives[buffer as usize].get_or_insert((position, position));
                    life.0 = life.0.min(position);
                    life.1 = life.1.max(position);
                } else {
                    foreign[buffer as usize].push((lane, position));
                }
            };
            match step {
                Step::Launch { reads, write, .. } => {
                    reads.iter().copied().for_each(&mut touch);
                    touch(*write);
                }
                Step::Copy { from, to } => {
                    touch(*from);
                    touch(*to);
                }
                Step::Signal(_) | Step::Wait(_) => {}
            }
        }
    }
    let clocks = Clocks::new(schedule);
    for (buffer, reads) in foreign.iter().enumerate() {
        if let (Some(life), false) = (&mut lives[buffer], reads.is_empty()) {
            let slot = schedule.buffers[buffer].slot;
            life.1 = life.1.max(clocks.known_done(schedule, slot, reads));
        }
    }
    lives
}

/// For each wait of a lane, how far it then knows the other lanes to be.
struct Clocks {
    /// By lane: position of the wait, and for every lane the number of steps known to be done.
    waits: Vec<Vec<(u32, Vec<u32>)>>,
}

impl Clocks {
    fn new(schedule: &Schedule) -> Clocks {
        let lanes = schedule.lanes.len();
        let mut clocks = vec![vec![0u32; lanes]; lanes];
        let mut at_signal: Vec<Vec<u32>> = vec![Vec::new(); schedule.signals as usize];
        let mut waits = vec![Vec::new(); lanes];
        for &(lane, position) in &schedule.order {
            let lane = lane as usize;
            match &schedule.lanes[lane][position as usize] {
                Step::Signal(signal) => at_signal[*signal as usize] = clocks[lane].clone(),
                Step::Wait(signal) => {
                    for (own, other) in clocks[lane].iter_mut().zip(&at_signal[*signal as usize]) {
                        *own = (*own).max(*other);
                    }
                    waits[lane].push((position, clocks[lane].clone()));
                }
                Step::Launch { .. } | Step::Copy { .. } => {}
            }
            clocks[lane][lane] = position + 1;
        }
        Clocks { waits }
    }

    /// The first position of `lane` at which all the given steps are known to be done, else the end of the lane.
    fn known_done(&self, schedule: &Schedule, lane: u32, steps: &[(u32, u32)]) -> u32 {
        let done = |clock: &[u32]| steps.iter().all(|&(other, position)| clock[other as usize] > position);
        let waits = &self.waits[lane as usize];
        // Clocks only grow, so that the first wait that knows all is found by halving.
        let first = waits.partition_point(|(_, clock)| !done(clock));
        match waits.get(first) {
            Some((position, _)) => *position,
            None => schedule.lanes[lane as usize].len() as u32,
        }
    }
}

/// Gives offsets in the order of the lane: best fit among the free ranges.
fn arena(schedule: &Schedule, lane: u32, lives: &[Life], offsets: &mut [u64]) -> Arena {
    let mut starts: Vec<(u32, u32)> = Vec::new();
    for (buffer, life) in lives.iter().enumerate() {
        if let Some((start, _)) = life
            && schedule.buffers[buffer].slot == lane
            && schedule.buffers[buffer].bytes > 0
        {
            starts.push((*start, buffer as u32));
        }
    }
    starts.sort_unstable();
    let mut ends: BTreeMap<(u32, u32), ()> = BTreeMap::new();
    let mut free = FreeList::default();
    let mut arena = Arena::default();
    let mut used = 0;
    let mut peak = 0;
    let mut fullest = 0;
    for (start, buffer) in starts {
        // What was read last before this step is free now; an operand of the step itself is not.
        while let Some((&(end, old), ())) = ends.first_key_value()
            && end < start
        {
            ends.remove(&(end, old));
            let size = aligned(schedule.buffers[old as usize].bytes);
            free.give_back(offsets[old as usize], size);
            used -= size;
        }
        let size = aligned(schedule.buffers[buffer as usize].bytes);
        offsets[buffer as usize] = free.take(size);
        used += size;
        let end = lives[buffer as usize].map_or(start, |(_, end)| end);
        ends.insert((end, buffer), ());
        if used > peak {
            peak = used;
            arena.peak_node = Some(schedule.buffers[buffer as usize].node);
            fullest = start;
        }
    }
    arena.bytes = free.top;
    if peak > 0 {
        let alive = |&buffer: &u32| {
            let own = &schedule.buffers[buffer as usize];
            let life = lives[buffer as usize].filter(|_| own.slot == lane && own.bytes > 0);
            life.is_some_and(|(start, end)| start <= fullest && fullest <= end)
        };
        arena.peak_buffers = (0..lives.len() as u32).filter(alive).collect();
    }
    arena
        .peak_buffers
        .sort_by_key(|&buffer| (std::cmp::Reverse(schedule.buffers[buffer as usize].bytes), buffer));
    arena
}

fn aligned(bytes: u64) -> u64 {
    bytes.next_multiple_of(ALIGNMENT)
}

/// Free ranges below `top`, by offset; none touches another.
#[derive(Default)]
struct FreeList {
    ranges: BTreeMap<u64, u64>,
    top: u64,
}

impl FreeList {
    /// The smallest range that fits; else the free end is lengthened, or a new end begins.
    fn take(&mut self, size: u64) -> u64 {
        let best = self
            .ranges
            .iter()
            .filter(|(_, free)| **free >= size)
            .min_by_key(|(offset, free)| (**free, **offset));
        if let Some((&offset, &free)) = best {
            self.ranges.remove(&offset);
            if free > size {
                self.ranges.insert(offset + size, free - size);
            }
            return offset;
        }
        let start = match self.ranges.last_key_value() {
            Some((&offset, &free)) if offset + free == self.top => {
                self.ranges.remove(&offset);
                offset
            }
            _ => self.top,
        };
        self.top = start + size;
        start
    }

    fn give_back(&mut self, mut offset: u64, mut size: u64) {
        if let Some((&before, &free)) = self.ranges.range(..offset).next_back()
            && before + free == offset
        {
            self.ranges.remove(&before);
            offset = before;
            size += free;
        }
        if let Some(&free) = self.ranges.get(&(offset + size)) {
            self.ranges.remove(&(offset + size));
            size += free;
        }
        self.ranges.insert(offset, size);
    }
}
