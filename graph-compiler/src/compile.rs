//! The order of the passes after lowering, and what they leave for the printers.

use graph_ir::plan::ALIGNMENT;
use proc_macro2::TokenStream;

use crate::fuse::{self, Fused};
use crate::graph::{Graph, verify};
use crate::lower::{self, Entry};
use crate::memory::{self, Layout};
use crate::place::{self, Placement};
use crate::schedule::{self, Place, Schedule};
use crate::syntax::Function;
use crate::{Diagnostics, budget, emit, syntax};

/// A compiled entry: every decision, as plain data.
pub struct Compiled<'p> {
    pub function: &'p Function,
    pub graph: Graph,
    pub placement: Placement,
    pub fused: Fused,
    pub schedule: Schedule,
    pub layout: Layout,
}

impl Compiled<'_> {
    /// Where an uploaded copy of each constant lies among the constants of its slot: the offset by buffer, 0 for
    /// buffers that are none, and the size of the whole by slot.
    pub fn constant_offsets(&self) -> (Vec<u64>, Vec<u64>) {
        let mut sizes = vec![0u64; self.placement.slots.len()];
        let offsets = self.schedule.buffers.iter().map(|buffer| match buffer.place {
            Place::Constant(_) => {
                let size = &mut sizes[buffer.slot as usize];
                let offset = *size;
                *size += buffer.bytes.next_multiple_of(ALIGNMENT);
                offset
            }
            Place::Arena | Place::Input(_) | Place::Output(_) => 0,
        });
        (offsets.collect(), sizes)
    }

    pub fn constant_bytes(&self, slot: u32) -> u64 {
        self.constant_offsets().1[slot as usize]
    }
}

/// Tokens of the macro call to tokens of the expansion. Total: wrong input gives `compile_error!`s.
pub fn expand(tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let Some(program) = syntax::parse(tokens, &mut diagnostics) else {
        return emit::errors(None, &diagnostics);
    };
    let lowered = lower::program(&program, &mut diagnostics);
    let compiled: Vec<Compiled<'_>> =
        lowered.entries.into_iter().map(|entry| self::entry(entry, &mut diagnostics)).collect();
    if !diagnostics.is_empty() {
        return emit::errors(Some(&program), &diagnostics);
    }
    emit::run(&program, &compiled, &lowered.names)
}

/// The passes, in order. Each takes what the ones before it made; none changes it.
pub fn entry<'p>(entry: Entry<'p>, diagnostics: &mut Diagnostics) -> Compiled<'p> {
    let Entry { function, graph } = entry;
    check("lower", verify(&graph));
    let placement = place::run(&graph, diagnostics);
    let fused = fuse::run(&graph, &placement);
    let schedule = schedule::run(&graph, &placement, &fused);
    let layout = memory::run(&schedule);
    let compiled = Compiled { function, graph, placement, fused, schedule, layout };
    budget::check(&compiled, diagnostics);
    compiled
}

/// In debug builds a broken graph stops the compiler at the pass that broke it.
fn check(pass: &str, verdict: Result<(), String>) {
    if cfg!(debug_assertions)
        && let Err(rule) = verdict
    {
        unreachable!("the pass `{pass}` broke the graph: {rule}");
    }
}
