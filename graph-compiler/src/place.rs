//! Placement. In: a graph. Out: every node has a slot, which is a device that the graph asks for or the default one.
//! Which physical device a slot becomes is decided at load. Does not move values; `schedule` inserts the copies.
//!
//! The rules are TensorFlow's (core/common_runtime/placer.cc), applied to requests instead of devices: a request
//! wins; nodes tied by `colocate_with` share one; a generator (no operands, one result) without a request of its own
//! goes where all its consumers are; everything else goes to the default device.

use graph_ir::DeviceSpec;

use crate::graph::{Graph, NodeId, Request};
use crate::{Diagnostic, Diagnostics};

/// Where everything is.
pub struct Placement {
    /// In order of first use by a node.
    pub slots: Vec<Request>,
    /// The slot of each node.
    pub node_slots: Vec<u32>,
}

impl Placement {
    pub fn slot(&self, node: NodeId) -> u32 {
        self.node_slots[node.0 as usize]
    }
}

pub fn run(graph: &Graph, diagnostics: &mut Diagnostics) -> Placement {
    let requests = tied_requests(graph, diagnostics);
    let chosen = follow_consumers(graph, requests);
    let mut slots: Vec<Request> = Vec::new();
    let mut slot_of_request: Vec<Option<u32>> = vec![None; graph.requests.len()];
    let node_slots = chosen
        .iter()
        .map(|&request| {
            *slot_of_request[request as usize].get_or_insert_with(|| {
                slots.push(graph.requests[request as usize].clone());
                slots.len() as u32 - 1
            })
        })
        .collect();
    Placement { slots, node_slots }
}

/// The request of each node: its own, or that of the node it is tied to.
fn tied_requests(graph: &Graph, diagnostics: &mut Diagnostics) -> Vec<u32> {
    let mut requests: Vec<u32> = graph.nodes.iter().map(|node| node.request).collect();
    for (i, node) in graph.nodes.iter().enumerate() {
        let Some(anchor) = node.colocate else { continue };
        // An anchor comes before the nodes tied to it, and is never tied itself.
        let wanted = requests[anchor.0 as usize];
        if node.request != 0 && node.request != wanted {
            let text = |request: u32| match graph.requests[request as usize].written.as_str() {
                "" => String::from("the default device"),
                written => format!("{written:?}"),
            };
            let message = format!(
                "`{}` is tied to `{}`, which is on {}, but asks for {}",
                node.name,
                graph.node(anchor).name,
                text(wanted),
                text(node.request)
            );
            diagnostics.push(
                Diagnostic::new(node.span, message)
                    .with_help("take one of them away: the `colocate_with` or the device block inside it"),
            );
        }
        requests[i] = wanted;
    }
    requests
}

/// Moves generators to their consumers.
fn follow_consumers(graph: &Graph, mut requests: Vec<u32>) -> Vec<u32> {
    #[derive(Clone, Copy)]
    enum Consumers {
        None,
        On(u32),
        Several,
    }
    let mut consumers = vec![Consumers::None; graph.nodes.len()];
    let mut is_generator = vec![true; graph.nodes.len()];
    for value in &graph.values {
        value.prim.operands(|operand| {
            let producer = graph.value(operand).node;
            if producer == value.node {
                return;
            }
            is_generator[value.node.0 as usize] = false;
            let request = requests[value.node.0 as usize];
            let seen = &mut consumers[producer.0 as usize];
            *seen = match *seen {
                Consumers::None => Consumers::On(request),
                Consumers::On(known) if known == request => Consumers::On(known),
                _ => Consumers::Several,
            };
        });
    }
    let tied: Vec<bool> = {
        let mut tied = vec![false; graph.nodes.len()];
        for node in &graph.nodes {
            if let Some(anchor) = node.colocate {
                tied[anchor.0 as usize] = true;
            }
        }
        tied
    };
    for (i, node) in graph.nodes.iter().enumerate() {
        if !is_generator[i] || node.colocate.is_some() || tied[i] {
            continue;
        }
        if let Consumers::On(request) = consumers[i]
            && allows(graph, requests[i], request)
        {
            requests[i] = request;
        }
    }
    requests
}

/// Whether a node that asks for `own` may stand where `other` asks to be: `own` asks for nothing more.
fn allows(graph: &Graph, own: u32, other: u32) -> bool {
    if own == 0 || own == other {
        return true;
    }
    let text = |request: u32| graph.requests[request as usize].canonical.as_str();
    match (DeviceSpec::parse(text(own)), DeviceSpec::parse(text(other))) {
        (Ok(own), Ok(other)) => DeviceSpec::is_specification(own, other),
        _ => false,
    }
}
