//! The definitions that build time and run time share: device names, dtypes and the static [`plan::Plan`].
//!
//! Everything here can be built in a `const`: the macro prints a plan as Rust, rustc checks it and puts it into
//! read-only memory, and the runtime reads it where it lies. Widths are fixed (`u32`, `u64`), never `usize`, since
//! the machine that compiles and the machine that runs may differ. The crate depends on nothing.

pub mod args;
pub mod check;
pub mod device;
pub mod dtype;
pub mod make;
pub mod plan;
mod text;

pub use args::{CpuKernel, Fault, KernelArgs};
pub use check::{PlanError, Rule};
pub use device::{DeviceSpec, DeviceType};
pub use dtype::DType;
pub use plan::Plan;
