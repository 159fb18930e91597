//! What users see of the devices.

use std::fmt;

use graph_ir::DeviceType;

use super::{Device, DeviceSet};
use crate::Result;
use crate::config::Config;
use crate::memory::bytes_text;

/// A device as a session would have it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The full name, `/job:localhost/replica:0/task:0/device:GPU:0`.
    pub name: String,
    /// CPU or GPU.
    pub device_type: DeviceType,
    /// Bytes of its memory that the session may use; `None` for a CPU, which has no limit.
    pub memory_limit: Option<u64>,
    /// What it physically is.
    pub description: String,
}

impl fmt::Display for DeviceInfo {
    /// One line: name, limit, description.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.memory_limit.map_or("no limit".to_owned(), bytes_text);
        write!(f, "{} (memory: {limit}) -> {}", self.name, self.description)
    }
}

/// The devices of a configuration, and why there is no GPU where there is none. Prints one line for each.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DeviceList {
    /// CPUs, then GPUs, each by number.
    pub devices: Vec<DeviceInfo>,
    /// Why there is no GPU; `None` where there is one.
    pub why_no_gpu: Option<String>,
}

impl DeviceList {
    pub(super) fn of(set: &DeviceSet) -> DeviceList {
        DeviceList { devices: set.list(), why_no_gpu: set.absence().map(str::to_owned) }
    }
}

impl fmt::Display for DeviceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (line, device) in self.devices.iter().enumerate() {
            write!(f, "{}{device}", if line == 0 { "" } else { "\n" })?;
        }
        match &self.why_no_gpu {
            Some(reason) => write!(f, "\nno GPU: {reason}"),
            None => Ok(()),
        }
    }
}

/// The devices that a session with `config` would have. It takes no memory on any of them.
///
/// ```
/// use graph_runtime::{Config, list_devices};
///
/// let list = list_devices(&Config::new().virtual_gpus(2))?;
/// assert_eq!(list.devices[2].name, "/job:localhost/replica:0/task:0/device:GPU:1");
/// println!("{list}");
/// # Ok::<(), graph_runtime::Error>(())
/// ```
///
/// # Errors
/// As `Session::new`: an option that is wrong, by itself or on this machine.
pub fn list_devices(config: &Config) -> Result<DeviceList> {
    Ok(DeviceList::of(&DeviceSet::open(config)?))
}

impl DeviceSet {
    /// What users see.
    pub(crate) fn list(&self) -> Vec<DeviceInfo> {
        self.devices().iter().map(Device::describe).collect()
    }
}

impl Device {
    fn describe(&self) -> DeviceInfo {
        DeviceInfo {
            name: self.name.clone(),
            device_type: self.device_type,
            memory_limit: self.memory.info().limit,
            description: self.physical.clone().unwrap_or_else(|| "the host's processors and memory".to_owned()),
        }
    }
}
