//! The judge of plans: an independent verifier that shares no code with the compiler.
//!
//! A plan that passes is safe to run: every index is in its table, every buffer in its memory, every step reads
//! values that earlier steps have written, the lanes come to their ends, and no two buffers that are alive at one
//! time share bytes. What the kernels compute is not judged.
//!
//! The parts build on each other: `tables` makes the indices of the tables safe to follow, `steps` those of the
//! lanes, `order` finds out which step happens before which, and `memory` judges the accesses by that order.

mod memory;
mod order;
mod rule;
mod steps;
mod sweep;
mod tables;

#[cfg(test)]
pub(crate) mod drafts;
#[cfg(test)]
mod tests;

pub use rule::Rule;

use crate::Plan;
use crate::plan::{Lane, Step};
use crate::text::names::Names;

/// The first rule that a plan breaks, with the facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError {
    plan: &'static str,
    rule: Rule,
    message: String,
}

impl PlanError {
    /// The rule that is broken.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What is wrong, with the names of buffers, nodes, lanes and steps, without the repair.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl core::fmt::Display for PlanError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "plan `{}`: {}\nhelp: {}", self.plan, self.message, self.rule.repair())
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Judges the plan by every [`Rule`].
    ///
    /// # Errors
    /// The first broken rule, with the names of what breaks it. Plans of the compiler pass; one that does not is a
    /// bug of the compiler, and running it would be unsound.
    pub fn check(&self) -> Result<(), PlanError> {
        let judge = Judge { plan: self, names: Names(self) };
        tables::check(&judge)?;
        steps::check(&judge)?;
        let order = order::Order::new(&judge)?;
        memory::check(&judge, &order)
    }
}

/// The plan under judgement.
struct Judge<'p> {
    plan: &'p Plan,
    names: Names<'p>,
}

impl Judge<'_> {
    fn error(&self, rule: Rule, message: String) -> PlanError {
        PlanError { plan: self.plan.name, rule, message }
    }

    /// That `index`, named by `what`, is one of the `count` rows of the table `rows`.
    fn in_range(
        &self,
        index: u32,
        count: usize,
        rows: &str,
        what: impl Fn() -> String,
    ) -> Result<(), PlanError> {
        if (index as usize) < count {
            return Ok(());
        }
        Err(self.error(Rule::Index, format!("{} names {rows} {index}, but the plan has {count}", what())))
    }
}

/// A step of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct At {
    pub(crate) lane: u32,
    pub(crate) step: u32,
}

/// Every step of the plan, lane by lane.
pub(crate) fn all_steps(plan: &Plan) -> impl Iterator<Item = (At, &'static Step)> {
    (0u32..).zip(plan.lanes).flat_map(|(lane, Lane { steps })| {
        (0u32..).zip(*steps).map(move |(step, what)| (At { lane, step }, what))
    })
}
