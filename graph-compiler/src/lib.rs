//! The pipeline from `graph!` text to a static plan.
#![allow(missing_docs, reason = "an internal library of the macro; its users are graph-macros and the tests")]

pub mod diagnostics;
pub mod graph;
pub mod lower;
pub mod ops;
pub mod syntax;

pub use diagnostics::{Diagnostic, Diagnostics};
