//! The devices of a session: which there are, what they are called, what memory they have.
//!
//! CPUs come first, then GPUs, each numbered from 0 without gaps. Order is by number (GPU:2 before GPU:10), where
//! TensorFlow orders names as text; with its numbers, too, being dense, both prefer GPU:0.

mod info;
mod physical;

use std::ffi::OsStr;

use graph_ir::{DeviceSpec, DeviceType, Plan};

pub use info::{DeviceInfo, DeviceList, list_devices};

use crate::bind;
use crate::config::{Config, VIRTUAL_GPUS_VARIABLE, parse_visible};
use crate::memory::{Block, MIB, Memory, MemoryInfo, bytes_text, fraction_limit};
use crate::{Code, Error, Result};
use physical::{PhysicalGpu, physical_gpus};

/// One device of a session.
#[derive(Debug)]
pub(crate) struct Device {
    name: String,
    /// CPU or GPU.
    pub(crate) device_type: DeviceType,
    /// The number in the name.
    pub(crate) index: u32,
    /// What it physically is, for GPUs: `device: 1, name: Virtual GPU, …`.
    pub(crate) physical: Option<String>,
    /// Its memory, with total and limit.
    pub(crate) memory: Memory,
}

/// The devices of a session, CPUs before GPUs, by number.
#[derive(Debug)]
pub(crate) struct DeviceSet {
    devices: Vec<Device>,
    /// Why there is no GPU, where there is none.
    absence: Option<String>,
}

impl DeviceSet {
    /// The devices that `config` leaves of this machine's.
    ///
    /// # Errors
    /// `InvalidArgument` for an option that is wrong, by itself or on this machine; `NotFound` without a CPU;
    /// `Unknown`, as TensorFlow has it, if `virtual_devices` has more or fewer lists than there are GPUs.
    pub(crate) fn open(config: &Config) -> Result<DeviceSet> {
        DeviceSet::open_with(config, std::env::var_os(VIRTUAL_GPUS_VARIABLE).as_deref())
    }

    /// [`open`](DeviceSet::open) with this value of `GRAPH_VIRTUAL_GPUS`.
    pub(crate) fn open_with(config: &Config, virtual_gpus: Option<&OsStr>) -> Result<DeviceSet> {
        config.validate()?;
        let mut devices: Vec<Device> = (0..config.cpu_count()).map(Device::cpu).collect();
        let present = if config.gpu_count() == 0 { Vec::new() } else { physical_gpus(config, virtual_gpus)? };
        let list = &config.gpu_options.visible_device_list;
        let selected = parse_visible(list)?.select(list, present.len())?;
        let used = &selected[..selected.len().min(config.gpu_count() as usize)];
        check_virtual_device_count(config, selected.len(), used.len())?;
        for (position, &id) in used.iter().enumerate() {
            for limit in limits(config, &present[id], position)? {
                let index = devices.len() as u32 - config.cpu_count();
                devices.push(Device::gpu(index, &present[id], limit, config));
            }
        }
        let absence = used.is_empty().then(|| why_no_gpu(config, present.len()));
        Ok(DeviceSet { devices, absence })
    }

    /// All devices.
    pub(crate) fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// Why there is no GPU; absent where there is one.
    pub(crate) fn absence(&self) -> Option<&str> {
        self.absence.as_deref()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.devices.len()
    }

    /// The device at a position that binding gave.
    pub(crate) fn get(&self, position: usize) -> &Device {
        &self.devices[position]
    }

    /// The lines that the placement log says before the nodes': a heading, and `NAME -> DESCRIPTION` for each device
    /// that has a description; never for a CPU.
    pub(crate) fn device_mapping(&self) -> Vec<String> {
        let described = |device: &Device| Some(format!("{} -> {}", device.name, device.physical.as_ref()?));
        let mut lines: Vec<String> = self.devices.iter().filter_map(described).collect();
        match lines.is_empty() {
            true => lines.push("Device mapping: no known devices.".to_owned()),
            false => lines.insert(0, "Device mapping:".to_owned()),
        }
        lines
    }

    /// The account of the device called `device`; of several that a partial name leaves, of the best one, as if a node
    /// asked for it.
    ///
    /// # Errors
    /// `InvalidArgument` when the name is malformed or no device has it.
    pub(crate) fn memory(&self, device: &str) -> Result<MemoryInfo> {
        let spec = DeviceSpec::parse(device).map_err(|error| Error::invalid_argument(error.to_string()))?;
        match bind::choose(spec, &[DeviceType::Cpu, DeviceType::Gpu], self) {
            Some(position) => Ok(self.devices[position].memory.info()),
            None => Err(Error::invalid_argument(format!("there is no {device:?}; {}", self.existing()))),
        }
    }

    /// The names of all devices, for errors.
    pub(crate) fn existing(&self) -> String {
        let names: Vec<&str> = self.devices.iter().map(Device::name).collect();
        format!("only these devices exist: {}", names.join(", "))
    }

    /// A set of such devices, without regard to what can be configured.
    #[cfg(test)]
    pub(crate) fn of(devices: &[(DeviceType, u32)]) -> DeviceSet {
        let config = Config::new();
        let mut devices: Vec<Device> = devices
            .iter()
            .map(|&(device_type, index)| match device_type {
                DeviceType::Cpu => Device::cpu(index),
                DeviceType::Gpu => Device::gpu(index, &PhysicalGpu::of_virtual(index, MIB), MIB, &config),
            })
            .collect();
        devices.sort_by_key(|device| (device.device_type, device.index));
        let has_gpu = devices.iter().any(|device| device.device_type == DeviceType::Gpu);
        DeviceSet { devices, absence: (!has_gpu).then(|| why_no_gpu(&config, 0)) }
    }
}

impl Device {
    /// The full name, `/job:localhost/replica:0/task:0/device:GPU:0`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it works on the host's memory itself, so that constants and the caller's arrays need no copy. A virtual
    /// GPU does not: it copies, as a real one would.
    pub(crate) fn is_host(&self) -> bool {
        self.device_type == DeviceType::Cpu
    }

    /// Memory for a plan.
    ///
    /// # Errors
    /// `ResourceExhausted`, with plan, device, sizes and repair.
    pub(crate) fn reserve(&self, bytes: u64, plan: &Plan) -> Result<Block> {
        self.memory.reserve(bytes).map_err(|error| {
            let message = format!("loading `{}` ({}): {}", plan.name, plan.file, error.message);
            Error { message, ..error }
        })
    }

    fn cpu(index: u32) -> Device {
        let name = DeviceSpec::local(DeviceType::Cpu, index).to_string();
        Device {
            memory: Memory::host(&name),
            name,
            device_type: DeviceType::Cpu,
            index,
            physical: None,
        }
    }

    fn gpu(index: u32, gpu: &PhysicalGpu, limit: u64, config: &Config) -> Device {
        let name = DeviceSpec::local(DeviceType::Gpu, index).to_string();
        let remedy = if limit < gpu.total {
            "raise the limit that the GPU options set, or place a part of the graph on another device"
        } else {
            gpu.more_memory()
        };
        Device {
            memory: Memory::limited(&name, gpu.total, limit, config.gpu_options.growth(), remedy),
            name,
            device_type: DeviceType::Gpu,
            index,
            physical: Some(gpu.to_string()),
        }
    }
}

/// TensorFlow's three checks, in its order and with its codes.
fn check_virtual_device_count(config: &Config, selected: usize, used: usize) -> Result<()> {
    let lists = config.gpu_options.virtual_devices.len();
    let list = &config.gpu_options.visible_device_list;
    let help = "help: give one list for each GPU, an empty one for a GPU that is not to be split";
    if lists == 0 {
        Ok(())
    } else if used < lists {
        Err(Error::new(
            Code::Unknown,
            format!("virtual_devices has {lists} lists, but there are not enough GPUs for them: {used}; {help}"),
        ))
    } else if !list.is_empty() && selected != lists {
        Err(Error::new(
            Code::InvalidArgument,
            format!("virtual_devices has {lists} lists, but visible_device_list = {list:?} has {selected} GPUs; {help}"),
        ))
    } else if selected != lists {
        Err(Error::new(
            Code::Unknown,
            format!("virtual_devices has {lists} lists, but this machine has {selected} GPUs; {help}"),
        ))
    } else {
        Ok(())
    }
}

/// The limit in bytes of each device that the GPU at `position` of the list becomes.
fn limits(config: &Config, gpu: &PhysicalGpu, position: usize) -> Result<Vec<u64>> {
    let options = &config.gpu_options;
    if let Some(lists) = options.virtual_devices.get(position).filter(|lists| !lists.is_empty()) {
        let wanted = lists.iter().map(|&mib| u128::from(mib)).sum::<u128>();
        if wanted * u128::from(MIB) > u128::from(gpu.total) {
            return Err(Error::new(
                Code::InvalidArgument,
                format!(
                    "virtual_devices: the limits of entry {position} are {lists:?} MiB, together {wanted} MiB, but GPU \
                     {} has {}; help: lower them, or {}",
                    gpu.id,
                    bytes_text(gpu.total),
                    gpu.more_memory(),
                ),
            ));
        }
        return Ok(lists.iter().map(|mib| mib * MIB).collect());
    }
    let limit = match (options.fraction, options.memory_limit) {
        (Some(fraction), _) => fraction_limit(gpu.total, fraction),
        (None, Some(limit)) => limit.min(gpu.total),
        (None, None) => gpu.total,
    };
    Ok(vec![limit])
}

fn why_no_gpu(config: &Config, present: usize) -> String {
    if config.gpu_count() == 0 {
        "device_count(GPU) = 0 leaves none".to_owned()
    } else if present > 0 {
        format!("visible_device_list = {:?} hides all {present}", config.gpu_options.visible_device_list)
    } else {
        physical::WHY_NONE.to_owned()
    }
}

#[cfg(test)]
mod tests;
