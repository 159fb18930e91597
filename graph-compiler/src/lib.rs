//! The pipeline from `graph!` text to a static plan, as an ordinary library: [`expand`] is the macro.
//!
//! `syntax` (tokens to tree) → `lower` (tree to graphs: scopes, loops and helpers unrolled, every op checked and
//! typed) → `place` (node to device slot) → `fuse` (primitives to kernels) → `schedule` (kernels and copies to one
//! lane for each slot) → `memory` (buffer to arena offset) → `budget` (peaks against what the user allows) → `emit`
//! (tokens). Each pass is one function of its module, takes what the passes before it made, and changes none of it.
#![allow(missing_docs, reason = "an internal library of the macro; its users are graph-macros and the tests")]

pub mod budget;
pub mod compile;
pub mod diagnostics;
pub mod emit;
pub mod fuse;
pub mod graph;
pub mod lower;
pub mod memory;
pub mod ops;
pub mod place;
pub mod schedule;
pub mod syntax;
mod text;

pub use compile::{diagnose, expand, explain};
pub use diagnostics::{Diagnostic, Diagnostics};
