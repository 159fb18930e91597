//! Binding: which device each slot of a plan is, on this machine.
//!
//! The rules are those of TensorFlow's placer for one node:
//!
//! - candidates are the devices that match the request and for whose type there is a kernel;
//! - of several, GPUs come before CPUs and low numbers before high ones; so a slot that asks for nothing is GPU:0 where
//!   there is a GPU and CPU:0 elsewhere;
//! - without a candidate, soft placement drops type and index of the request and looks again; **not** "the CPU": a
//!   missing GPU:2 becomes GPU:0, and so does a missing CPU:9. Job, replica and task are never dropped.
//!
//! One difference, on purpose: numbers are compared as numbers, so GPU:2 comes before GPU:10, where TensorFlow compares
//! names as text. It shows only in sets without a GPU:0, which no configuration makes.

mod message;

use graph_ir::plan::Slot;
use graph_ir::{DeviceSpec, DeviceType, Plan};

use crate::devices::{Device, DeviceSet};
use crate::{Error, Result};

/// What a slot asks for, and how to speak of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    /// The request; empty for the default slot.
    pub(crate) spec: DeviceSpec<'a>,
    /// The request as the user wrote it, for errors; empty for the default slot.
    pub(crate) written: &'a str,
    /// The first node of the slot that is not a constant.
    pub(crate) node: &'a str,
    /// That node's op type.
    pub(crate) op: &'a str,
    /// The file where the node stands.
    pub(crate) file: &'a str,
    /// Its line there.
    pub(crate) line: u32,
    /// The device types that have all kernels of the slot.
    pub(crate) kernels: &'a [DeviceType],
}

/// Every op has a kernel for every device type, and so has every slot.
const KERNELS: &[DeviceType] = &[DeviceType::Cpu, DeviceType::Gpu];

impl Request<'static> {
    /// The requests of a plan's slots, in their order.
    ///
    /// # Errors
    /// `Internal` when a request is malformed, which the compiler excludes.
    pub(crate) fn of_plan(plan: &'static Plan) -> Result<Vec<Request<'static>>> {
        (0_u32..).zip(plan.slots).map(|(index, slot)| Request::of_slot(plan, index, slot)).collect()
    }

    fn of_slot(plan: &'static Plan, index: u32, slot: &'static Slot) -> Result<Request<'static>> {
        let spec = match slot.request {
            "" => DeviceSpec::EMPTY,
            request => DeviceSpec::parse(request)
                .map_err(|error| Error::internal(format!("plan `{}`, slot {index}: {error}", plan.name)))?,
        };
        let mut nodes = plan.nodes.iter().filter(|node| node.slot == index);
        let first = nodes.clone().next();
        let node = nodes.find(|node| node.op != "Const").or(first);
        Ok(Request {
            spec,
            written: if slot.written.is_empty() { slot.request } else { slot.written },
            // A slot without nodes is not spoken of by the compiler, but need not be an error here.
            node: node.map_or(plan.name, |node| node.name),
            op: node.map_or("NoOp", |node| node.op),
            file: plan.file,
            line: node.map_or(0, |node| node.line),
            kernels: KERNELS,
        })
    }
}

/// For each request the index of its device in `devices`; `soft` is `Config::allow_soft_placement`.
///
/// # Errors
/// `InvalidArgument` for the first request that no device can serve. It names the node, its place in the source, the
/// request as written and the devices that exist.
pub(crate) fn bind(requests: &[Request<'_>], devices: &DeviceSet, soft: bool) -> Result<Vec<usize>> {
    requests
        .iter()
        .map(|request| {
            let relaxed = DeviceSpec { device_type: None, index: None, ..request.spec };
            choose(request.spec, request.kernels, devices)
                .or_else(|| if soft { choose(relaxed, request.kernels, devices) } else { None })
                .ok_or_else(|| message::unserved(request, devices, soft))
        })
        .collect()
}

/// The best device that matches `spec` and has one of `kernels`.
pub(crate) fn choose(spec: DeviceSpec<'_>, kernels: &[DeviceType], devices: &DeviceSet) -> Option<usize> {
    let candidates = devices.devices().iter().enumerate();
    candidates
        .filter(|(_, device)| matches(spec, device) && kernels.contains(&device.device_type))
        .min_by_key(|(_, device)| (rank(device.device_type), device.index))
        .map(|(position, _)| position)
}

/// GPUs first.
fn rank(device_type: DeviceType) -> u8 {
    match device_type {
        DeviceType::Gpu => 0,
        DeviceType::Cpu => 1,
    }
}

/// Whether each part that the request sets is the device's.
fn matches(spec: DeviceSpec<'_>, device: &Device) -> bool {
    in_this_process(spec)
        && spec.device_type.is_none_or(|device_type| device_type == device.device_type)
        && spec.index.is_none_or(|index| index == device.index)
}

/// Whether the request means this process, which is `/job:localhost/replica:0/task:0`.
fn in_this_process(spec: DeviceSpec<'_>) -> bool {
    let here = DeviceSpec::local(DeviceType::Cpu, 0);
    (spec.job.is_none() || spec.job == here.job)
        && (spec.replica.is_none() || spec.replica == here.replica)
        && (spec.task.is_none() || spec.task == here.task)
}

#[cfg(test)]
mod tests;
