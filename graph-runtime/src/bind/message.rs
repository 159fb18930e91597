//! The texts of requests that cannot be served.

use graph_ir::DeviceType;

use super::{Request, in_this_process, matches};
use crate::Error;
use crate::config::MOST_DEVICES;
use crate::devices::DeviceSet;

/// Why no device serves `request`.
pub(super) fn unserved(request: &Request<'_>, devices: &DeviceSet, soft: bool) -> Error {
    let Request { spec, written, node, op, file, line, kernels } = *request;
    let subject = match written {
        "" => format!("{node}: node that asks for no device ({file}:{line})"),
        _ => format!("{node}: node was asked to run on {written:?} ({file}:{line})"),
    };
    let text = if !in_this_process(spec) {
        format!(
            "{subject}, but this process is \"/job:localhost/replica:0/task:0\", and a graph over several processes is \
             not supported yet; {}; help: leave job, replica and task out, or name this process's",
            devices.existing()
        )
    } else if let Some(device_type) = devices.devices().iter().find(|device| matches(spec, device)) {
        let lacking = spec.device_type.unwrap_or(device_type.device_type);
        format!(
            "{subject}, but {op} has no supported kernel for {lacking} devices; it has kernels for: {}; {}{}",
            listed(kernels),
            devices.existing(),
            if soft || written.is_empty() { "" } else { "; help: `Config::allow_soft_placement(true)` runs it where it has one" },
        )
    } else if soft {
        // Soft placement has dropped type and index and still found nothing: no device has a kernel.
        format!(
            "{subject}, and neither there nor, with soft placement, on any other device {op} has a kernel; it has \
             kernels for: {}; {}",
            listed(kernels),
            devices.existing()
        )
    } else {
        format!("{subject}, but {}; help: {}", devices.existing(), repair(request, devices))
    };
    Error::invalid_argument(text)
}

fn listed(kernels: &[DeviceType]) -> String {
    match kernels {
        [] => "nothing".to_owned(),
        _ => kernels.iter().map(|device_type| device_type.name()).collect::<Vec<_>>().join(", "),
    }
}

/// What makes a missing device exist, and what does without it.
fn repair(request: &Request<'_>, devices: &DeviceSet) -> String {
    let soft = "`Config::allow_soft_placement(true)` takes the default device instead";
    let needed = request.spec.index.map_or(1, |index| index.saturating_add(1));
    match (request.spec.device_type, devices.absence()) {
        (Some(DeviceType::Gpu) | None, Some(reason)) => format!("{soft}; there is no GPU: {reason}"),
        // No option makes so many.
        _ if needed > MOST_DEVICES => soft.to_owned(),
        (Some(DeviceType::Cpu), _) => {
            format!("{soft}, `Config::device_count(DeviceType::Cpu, {needed})` makes the device")
        }
        (_, None) => format!("{soft}, `Config::virtual_gpus({needed})` makes virtual GPUs"),
    }
}
