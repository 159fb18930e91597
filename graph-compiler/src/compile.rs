//! The order of the passes after lowering, and what they leave for the printers.

use graph_ir::plan::ALIGNMENT;
use proc_macro2::TokenStream;

use crate::fuse::{self, Fused};
use crate::graph::{Graph, Type, verify};
use crate::lower::{self, Entry, NamedTypes};
use crate::memory::{self, Layout};
use crate::place::{self, Placement};
use crate::schedule::{self, Place, Schedule};
use crate::syntax::{Function, Program};
use crate::{Diagnostics, budget, emit, syntax};

/// A compiled entry: every decision, as plain data.
pub struct Compiled<'p> {
    pub function: &'p Function,
    /// Name (or empty) and type of each result.
    pub results: Vec<(String, Type)>,
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
        return diagnostics.to_tokens();
    };
    let (compiled, names) = self::program(&program, &mut diagnostics);
    if !diagnostics.is_empty() {
        return emit::errors(&program, &compiled, &diagnostics);
    }
    emit::run(&program, &compiled, &names)
}

/// The mistakes that [`expand`] would report.
pub fn diagnose(tokens: TokenStream) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    if let Some(program) = syntax::parse(tokens, &mut diagnostics) {
        self::program(&program, &mut diagnostics);
    }
    diagnostics
}

/// Every stage as text, one after the other: the syntax tree, then for each entry the graph, the placement, the
/// kernels, the schedule and the memory. As far as a wrong program goes, the mistakes come first.
pub fn explain(tokens: TokenStream) -> String {
    let mut diagnostics = Diagnostics::default();
    let mut text = String::new();
    if let Some(program) = syntax::parse(tokens, &mut diagnostics) {
        text = format!("syntax\n  {program}\n");
        let (compiled, _) = self::program(&program, &mut diagnostics);
        text.extend(compiled.iter().map(ToString::to_string));
    }
    let mistakes: String =
        diagnostics.errors().iter().map(|error| format!("error: {}\n", error.text())).collect();
    mistakes + &text
}

/// Every entry of a program through all passes.
fn program<'p>(program: &'p Program, diagnostics: &mut Diagnostics) -> (Vec<Compiled<'p>>, NamedTypes) {
    let lowered = lower::program(program, diagnostics);
    let compiled = lowered.entries.into_iter().map(|entry| self::entry(entry, diagnostics)).collect();
    (compiled, lowered.names)
}

/// The passes, in order. Each takes what the ones before it made; none changes it.
pub fn entry<'p>(entry: Entry<'p>, diagnostics: &mut Diagnostics) -> Compiled<'p> {
    let Entry { function, graph, results } = entry;
    check("lower", verify(&graph));
    let placement = place::run(&graph, diagnostics);
    let fused = fuse::run(&graph, &placement);
    let schedule = schedule::run(&graph, &placement, &fused);
    let layout = memory::run(&schedule);
    let compiled = Compiled { function, results, graph, placement, fused, schedule, layout };
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
