//! Runs the plans that `graph!` compiles.

pub mod bind;
mod binding;
pub mod config;
pub mod devices;
pub mod error;
mod executor;
pub mod graph;
pub mod memory;
mod placement_log;
mod session;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use binding::Element;
pub use graph::Graph;
pub use graph_macros::graph;
pub use placement_log::{PlacedNode, Placement};
pub use session::{Loaded, Session};
