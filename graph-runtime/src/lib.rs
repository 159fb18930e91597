//! Runs the plans that `graph!` compiles.

mod bind;
mod binding;
mod config;
#[cfg(test)]
mod conformance;
mod devices;
mod error;
mod executor;
pub mod graph;
mod memory;
mod placement_log;
mod session;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use binding::Element;
pub use config::{Config, GpuOptions};
pub use devices::{DeviceInfo, DeviceList, list_devices};
pub use error::{Code, Error, Result};
pub use graph::Graph;
pub use graph_ir::DeviceType;
pub use graph_macros::graph;
pub use memory::MemoryInfo;
pub use placement_log::{PlacedNode, Placement};
pub use session::{Loaded, Session};
