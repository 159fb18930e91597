//! What `log_device_placement(true)` prints, in TensorFlow's form, to stderr and to the `log` crate.

use std::fmt::{Display, Formatter};

use graph_ir::Plan;

use crate::devices::DeviceSet;

/// Where each node of a graph runs, in program order. `Display` prints one line a node:
/// `MatMul: (MatMul): /job:localhost/replica:0/task:0/device:GPU:0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// One entry for each node.
    pub nodes: Vec<PlacedNode>,
}

/// A node and its device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedNode {
    /// The node's name: `MatMul_1`.
    pub name: &'static str,
    /// TensorFlow's op type: `MatMul`.
    pub op: &'static str,
    /// Full name of the device.
    pub device: String,
}

impl Placement {
    pub(crate) fn new(plan: &'static Plan, set: &DeviceSet, devices: &[usize]) -> Placement {
        let device = |slot: u32| set.get(devices[slot as usize]).name().to_owned();
        let placed = |node: &'static graph_ir::plan::Node| PlacedNode {
            name: node.name,
            op: node.op,
            device: device(node.slot),
        };
        Placement { nodes: plan.nodes.iter().map(placed).collect() }
    }

    /// The device of the node called `name`.
    pub fn device(&self, name: &str) -> Option<&str> {
        self.nodes.iter().find(|node| node.name == name).map(|node| node.device.as_str())
    }
}

impl Display for PlacedNode {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ({}): {}", self.name, self.op, self.device)
    }
}

impl Display for Placement {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.nodes.iter().try_for_each(|node| writeln!(f, "{node}"))
    }
}

/// `Device mapping:` and a line for each device that has a physical one.
pub(crate) fn device_mapping(set: &DeviceSet) {
    for line in set.device_mapping() {
        emit(&line);
    }
}

pub(crate) fn placement(placement: &Placement) {
    placement.nodes.iter().for_each(|node| emit(&node.to_string()));
}

fn emit(line: &str) {
    eprintln!("{line}");
    log::info!(target: "graph_runtime::placement", "{line}");
}
