//! The GPUs of the machine, before options choose among them.
//!
//! A new kind of GPU is a variant of [`Kind`], and its GPUs are added by [`physical_gpus`].

use std::ffi::OsStr;
use std::fmt;

use crate::Result;
use crate::config::Config;

/// A GPU, real or played.
#[derive(Clone, Debug)]
pub(crate) struct PhysicalGpu {
    /// Its number on this machine, which `visible_device_list` means.
    pub(crate) id: u32,
    /// Its memory in bytes.
    pub(crate) total: u64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// CPU threads and host memory, as `Config::virtual_gpus` asks.
    Virtual,
}

/// Why a machine has no GPU, as far as this version can know.
pub(super) const WHY_NONE: &str = "this version does not drive real GPUs yet, and no virtual ones were asked for; \
     help: `Config::virtual_gpus(n)` or the environment variable GRAPH_VIRTUAL_GPUS=n makes some";

/// The GPUs of this machine, numbered from 0; `virtual_gpus` is the value of `GRAPH_VIRTUAL_GPUS`.
pub(super) fn physical_gpus(config: &Config, virtual_gpus: Option<&OsStr>) -> Result<Vec<PhysicalGpu>> {
    let count = config.virtual_gpu_count(virtual_gpus)?;
    Ok((0..count).map(|id| PhysicalGpu::of_virtual(id, config.gpu_memory_of_virtual())).collect())
}

impl PhysicalGpu {
    pub(super) fn of_virtual(id: u32, total: u64) -> PhysicalGpu {
        PhysicalGpu { id, total, kind: Kind::Virtual }
    }

    /// What to do when its whole memory is not enough: the help line of an error.
    pub(super) fn more_memory(&self) -> &'static str {
        match self.kind {
            Kind::Virtual => "raise `Config::virtual_gpu_memory`",
        }
    }
}

impl fmt::Display for PhysicalGpu {
    /// TensorFlow's description of a physical device, whose keys stay; a virtual GPU is on no bus, and says so.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Virtual => write!(f, "device: {}, name: Virtual GPU (CPU threads), pci bus id: none", self.id),
        }
    }
}
