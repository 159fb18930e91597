//! `graph!` and what runs it: tensor graphs compiled at `cargo build` into static placement plans.
//!
//! [`graph!`](macro@graph) is the language. A [`Session`] owns devices, options and memory and runs graphs; [`Config`] and
//! [`GpuOptions`] have TensorFlow's option names. Errors are values with TensorFlow's code names.
//!
//! ```
//! use graph_runtime::{Config, Session, graph};
//!
//! let g = graph! { |x: f32[2, 3], y: f32[3, 2]| matmul(x, y) };
//! let mut session = Session::new(Config::new())?;
//! let z = session.run(&g, (&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], &[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))?;
//! assert_eq!(z, ndarray::array![[22.0, 28.0], [49.0, 64.0]]);
//! # Ok::<(), graph_runtime::Error>(())
//! ```

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
#[doc = include_str!("../docs/ops.md")]
pub mod ops {}
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
#[doc = include_str!("../docs/language.md")]
pub use graph_macros::graph;
pub use memory::MemoryInfo;
pub use placement_log::{PlacedNode, Placement};
pub use session::{Loaded, Session};
