//! Which GPUs a session uses, and how much of their memory.

use super::visible::parse_visible;
use super::MOST_DEVICES;
use crate::memory::{Growth, MIB};
use crate::{Error, Result};

/// Options for GPUs, real and virtual, with TensorFlow's names where it has the option.
///
/// Three options set a limit, and at most one of them may be used: `per_process_gpu_memory_fraction` (of each GPU's
/// total), `memory_limit` (exact bytes of each GPU), `virtual_devices` (each device its own). Without them the limit
/// is all that the GPU has.
///
/// ```
/// use graph_runtime::GpuOptions;
///
/// let options = GpuOptions::new().allow_growth(true).per_process_gpu_memory_fraction(0.4);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[must_use]
pub struct GpuOptions {
    allow_growth: Option<bool>,
    pub(crate) fraction: Option<f64>,
    pub(crate) memory_limit: Option<u64>,
    pub(crate) visible_device_list: String,
    pub(crate) virtual_devices: Vec<Vec<u64>>,
}

impl GpuOptions {
    /// The defaults: all GPUs, exactly the memory that the loaded plans need.
    pub fn new() -> GpuOptions {
        GpuOptions::default()
    }

    /// When memory is taken from a GPU. There are three states:
    ///
    /// - not called: exactly what the loaded plans need is taken, when they are loaded (TensorFlow has no such state);
    /// - `false`: the first plan loaded takes the whole limit at once, TensorFlow's default;
    /// - `true`: a region of 2 MiB at first, then regions of twice the size. A plan's memory is contiguous and cannot
    ///   span two regions, so 60 and 40 MiB do not fit into a limit of 100 MiB, as they do in the other states.
    ///
    /// In the last two, memory is kept until the session is dropped. No environment variable overrides this option
    /// (TensorFlow has `TF_FORCE_GPU_ALLOW_GROWTH`), and it may be combined with every limit.
    pub fn allow_growth(mut self, allow: bool) -> GpuOptions {
        self.allow_growth = Some(allow);
        self
    }

    /// Limits each GPU to this fraction of its **total** memory: more than 0, at most 1. TensorFlow takes 0 as "not
    /// set" and more than 1 as a wish for unified memory; both are errors here.
    pub fn per_process_gpu_memory_fraction(mut self, fraction: f64) -> GpuOptions {
        self.fraction = Some(fraction);
        self
    }

    /// Limits each GPU to so many bytes; a GPU that has less is used whole.
    pub fn memory_limit(mut self, bytes: u64) -> GpuOptions {
        self.memory_limit = Some(bytes);
        self
    }

    /// Which GPUs are used, and in which order: with `"5,3"`, GPU 5 of the machine is `/device:GPU:0` and GPU 3 is
    /// `/device:GPU:1`. The numbers are those that `CUDA_VISIBLE_DEVICES`, if set, leaves to the process; the names
    /// count from 0 without gaps. `""` means all, `"-1"` none; an entry may also be written `GPU:5`.
    ///
    /// Where there is no GPU at all the list selects nothing and is no error, so that it may stay in a program that
    /// also runs on machines without one. Unlike TensorFlow, another type's name (`CPU:0`) and `-1` beside other
    /// entries are errors.
    pub fn visible_device_list(mut self, list: &str) -> GpuOptions {
        self.visible_device_list = list.to_owned();
        self
    }

    /// Splits GPUs: for each GPU of [`visible_device_list`](GpuOptions::visible_device_list) (without one, for each
    /// GPU) a list of memory limits **in MiB** (2^20 bytes), each of which makes a device; an empty list makes one
    /// device with all the memory. `[[1024, 2048], []]` makes GPU:0 and GPU:1 of the first GPU, GPU:2 of the second.
    ///
    /// Unlike TensorFlow, limits that together exceed the GPU's memory are an error.
    pub fn virtual_devices(mut self, limits_in_mib: Vec<Vec<u64>>) -> GpuOptions {
        self.virtual_devices = limits_in_mib;
        self
    }

    /// The growth of each GPU's memory.
    pub(crate) fn growth(&self) -> Growth {
        match self.allow_growth {
            None => Growth::Exact,
            Some(false) => Growth::Whole,
            Some(true) => Growth::Growing,
        }
    }

    /// What can be judged without knowing the GPUs.
    pub(super) fn validate(&self) -> Result<()> {
        self.validate_fraction()?;
        if self.memory_limit == Some(0) {
            return Err(Error::invalid_argument("memory_limit = 0: a limit is at least 1 byte; help: leave it out"));
        }
        parse_visible(&self.visible_device_list)?;
        self.validate_virtual_devices()?;
        let limits = [
            ("per_process_gpu_memory_fraction", self.fraction.is_some()),
            ("memory_limit", self.memory_limit.is_some()),
            ("virtual_devices", !self.virtual_devices.is_empty()),
        ];
        let used: Vec<&str> = limits.into_iter().filter_map(|(name, used)| used.then_some(name)).collect();
        match used.len() {
            0 | 1 => Ok(()),
            _ => Err(Error::invalid_argument(format!(
                "{} are set together, but each is a limit of the same memory: they exclude each other; help: keep one",
                used.join(" and ")
            ))),
        }
    }

    fn validate_fraction(&self) -> Result<()> {
        // NaN fails the comparison, too.
        let Some(fraction) = self.fraction.filter(|&fraction| !(fraction > 0.0 && fraction <= 1.0)) else {
            return Ok(());
        };
        let help = match fraction {
            0.0 => "; help: leave the option out to set no limit".to_owned(),
            // From 2 on nobody means TensorFlow's unified memory.
            2.0..=100.0 => format!("; help: {fraction} per cent is {}", fraction / 100.0),
            1.0..2.0 => "; help: unified memory, which TensorFlow gives above 1, does not exist here".to_owned(),
            _ => String::new(),
        };
        Err(Error::invalid_argument(format!(
            "per_process_gpu_memory_fraction = {fraction}: it must be more than 0 and at most 1{help}"
        )))
    }

    fn validate_virtual_devices(&self) -> Result<()> {
        for (gpu, limits) in self.virtual_devices.iter().enumerate() {
            for limit in limits {
                if *limit == 0 || limit.checked_mul(MIB).is_none() {
                    return Err(Error::invalid_argument(format!(
                        "virtual_devices: entry {gpu} has a limit of {limit} MiB: it must be from 1 to {}",
                        u64::MAX / MIB
                    )));
                }
            }
        }
        let devices: usize = self.virtual_devices.iter().map(|limits| limits.len().max(1)).sum();
        if devices > MOST_DEVICES as usize {
            return Err(Error::invalid_argument(format!("virtual_devices: {devices} devices; at most {MOST_DEVICES} are possible")));
        }
        Ok(())
    }
}
