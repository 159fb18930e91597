//! Options of a session.
//!
//! They belong to the session that is made with them and to no other one. Nothing is checked while they are set:
//! `Session::new` checks them all, and answers `InvalidArgument` with the option, its value and what is allowed.

mod gpu_options;
mod visible;

use std::ffi::OsStr;

use graph_ir::DeviceType;

pub use gpu_options::GpuOptions;
pub(crate) use visible::{Visible, parse_visible};

use crate::memory::MIB;
use crate::{Code, Error, Result};

/// The environment variable that gives virtual GPUs to a program whose [`Config`] does not say how many.
pub(crate) const VIRTUAL_GPUS_VARIABLE: &str = "GRAPH_VIRTUAL_GPUS";

/// More devices of a type than this are a mistake: each has threads of its own.
pub(crate) const MOST_DEVICES: u32 = 256;

/// Options of a session, with TensorFlow's names where it has the option.
///
/// ```
/// use graph_runtime::{Config, GpuOptions};
///
/// let config = Config::new()
///     .log_device_placement(true)
///     .virtual_gpus(4)
///     .gpu_options(GpuOptions::new().visible_device_list("3,1"));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[must_use]
pub struct Config {
    log_device_placement: bool,
    allow_soft_placement: bool,
    pub(crate) gpu_options: GpuOptions,
    virtual_gpus: Option<u32>,
    virtual_gpu_memory: Option<u64>,
    cpu_count: Option<u32>,
    gpu_count: Option<u32>,
}

impl Config {
    /// The defaults: no placement log, no soft placement, real GPUs only.
    pub fn new() -> Config {
        Config::default()
    }

    /// Whether to log the physical devices at the start, and for each node the device it is placed on.
    pub fn log_device_placement(mut self, log: bool) -> Config {
        self.log_device_placement = log;
        self
    }

    /// Whether a node whose device does not exist here runs on the default device instead of being an error. Type and
    /// index of the request are then dropped; job, replica and task never are.
    pub fn allow_soft_placement(mut self, allow: bool) -> Config {
        self.allow_soft_placement = allow;
        self
    }

    /// Which GPUs are used, and how much of their memory.
    pub fn gpu_options(mut self, options: GpuOptions) -> Config {
        self.gpu_options = options;
        self
    }

    /// Makes `count` GPUs (at most 256) that CPU threads play, each with a memory and an order of work of its own, so
    /// that a program for several GPUs runs anywhere. Without this option the environment variable
    /// `GRAPH_VIRTUAL_GPUS` says how many; 0 here means none, whatever the variable says.
    pub fn virtual_gpus(mut self, count: u32) -> Config {
        self.virtual_gpus = Some(count);
        self
    }

    /// The memory of each virtual GPU in bytes; without this option 1 GiB. Pages that nobody writes to cost nothing.
    pub fn virtual_gpu_memory(mut self, bytes: u64) -> Config {
        self.virtual_gpu_memory = Some(bytes);
        self
    }

    /// GPUs: at most `count` of those that [`GpuOptions::visible_device_list`] leaves, the first ones of it; 0 touches
    /// no GPU at all. CPUs: exactly `count` CPU devices (1 to 256, else one), which share the host's memory.
    pub fn device_count(mut self, device_type: DeviceType, count: u32) -> Config {
        match device_type {
            DeviceType::Cpu => self.cpu_count = Some(count),
            DeviceType::Gpu => self.gpu_count = Some(count),
        }
        self
    }

    /// What can be judged without knowing the devices.
    pub(crate) fn validate(&self) -> Result<()> {
        self.gpu_options.validate()?;
        if self.virtual_gpu_memory == Some(0) {
            return Err(Error::invalid_argument("virtual_gpu_memory = 0: a virtual GPU needs at least 1 byte"));
        }
        if let Some(count) = self.virtual_gpus.filter(|&count| count > MOST_DEVICES) {
            return Err(Error::invalid_argument(format!("virtual_gpus = {count}: at most {MOST_DEVICES} are possible")));
        }
        match self.cpu_count {
            Some(0) => Err(Error::new(
                Code::NotFound,
                "device_count(CPU) = 0: every session needs a CPU device; help: leave the option out to have one",
            )),
            Some(count) if count > MOST_DEVICES => {
                Err(Error::invalid_argument(format!("device_count(CPU) = {count}: at most {MOST_DEVICES} are possible")))
            }
            _ => Ok(()),
        }
    }

    /// Whether to log where nodes run.
    pub(crate) fn logs_device_placement(&self) -> bool {
        self.log_device_placement
    }

    /// Whether a missing device is replaced.
    pub(crate) fn softens_placement(&self) -> bool {
        self.allow_soft_placement
    }

    /// How many CPU devices there are.
    pub(crate) fn cpu_count(&self) -> u32 {
        self.cpu_count.unwrap_or(1)
    }

    /// How many GPUs there may be at most.
    pub(crate) fn gpu_count(&self) -> u32 {
        self.gpu_count.unwrap_or(u32::MAX)
    }

    /// The memory of each virtual GPU in bytes.
    pub(crate) fn gpu_memory_of_virtual(&self) -> u64 {
        self.virtual_gpu_memory.unwrap_or(1024 * MIB)
    }

    /// How many virtual GPUs there are; `variable` is the value of [`VIRTUAL_GPUS_VARIABLE`], where an empty one is as
    /// good as none.
    pub(crate) fn virtual_gpu_count(&self, variable: Option<&OsStr>) -> Result<u32> {
        if let Some(count) = self.virtual_gpus {
            return Ok(count);
        }
        let Some(value) = variable.filter(|value| !value.is_empty()) else { return Ok(0) };
        match value.to_str().and_then(|text| text.trim().parse().ok()) {
            Some(count) if count <= MOST_DEVICES => Ok(count),
            _ => Err(Error::invalid_argument(format!(
                "the environment variable {VIRTUAL_GPUS_VARIABLE} is {value:?}, which is not a number of virtual GPUs \
                 from 0 to {MOST_DEVICES}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests;
