//! Placement. In: a graph. Out: every node has a slot, which is a device that the graph asks for or the default one.
//! Which physical device a slot becomes is decided at load. Does not move values; `schedule` inserts the copies.
//!
//! The rules are TensorFlow's (core/common_runtime/placer.cc), applied to requests instead of devices: a request
//! wins; nodes tied by `colocate_with` share one, merged from all of theirs; a generator (no operands, one result) without a request of its own
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
    let mut table = graph.requests.clone();
    let requests = tied_requests(graph, &mut table, diagnostics);
    let chosen = follow_consumers(graph, &table, requests);
    let mut slots: Vec<Request> = Vec::new();
    let mut slot_of_request: Vec<Option<u32>> = vec![None; table.len()];
    let node_slots = chosen
        .iter()
        .map(|&request| {
            *slot_of_request[request as usize].get_or_insert_with(|| {
                slots.push(table[request as usize].clone());
                slots.len() as u32 - 1
            })
        })
        .collect();
    Placement { slots, node_slots }
}

/// The request of each node: its own, or what the nodes that are tied together ask for together.
fn tied_requests(graph: &Graph, table: &mut Vec<Request>, diagnostics: &mut Diagnostics) -> Vec<u32> {
    let mut requests: Vec<u32> = graph.nodes.iter().map(|node| node.request).collect();
    for node in &graph.nodes {
        // An anchor comes before the nodes tied to it, and is never tied itself.
        let Some(anchor) = node.colocate else { continue };
        let wanted = requests[anchor.0 as usize];
        match merge(table, wanted, node.request) {
            Some(merged) => requests[anchor.0 as usize] = merged,
            None => {
                let text = |request: u32| table[request as usize].written.as_str();
                let message = format!(
                    "`{}` is tied to `{}`, which is on {:?}, but asks for {:?}",
                    node.name,
                    graph.node(anchor).name,
                    text(wanted),
                    text(node.request)
                );
                diagnostics.push(
                    Diagnostic::new(node.span, message).with_help(
                        "take one of them away: the `colocate_with` or the device block inside it",
                    ),
                );
            }
        }
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        if let Some(anchor) = node.colocate {
            requests[i] = requests[anchor.0 as usize];
        }
    }
    requests
}

/// The request that satisfies both; `None` when they contradict each other. Request 0 asks for nothing.
fn merge(table: &mut Vec<Request>, one: u32, other: u32) -> Option<u32> {
    if other == 0 || one == other {
        return Some(one);
    }
    if one == 0 {
        return Some(other);
    }
    let (one, other) = (table[one as usize].clone(), table[other as usize].clone());
    let specs = (DeviceSpec::parse(&one.canonical).ok()?, DeviceSpec::parse(&other.canonical).ok()?);
    let canonical = DeviceSpec::merge_colocated(specs.0, specs.1, false).ok()?.to_string();
    let known = table.iter().position(|request| request.canonical == canonical);
    Some(known.unwrap_or_else(|| {
        table.push(Request { written: canonical.clone(), canonical });
        table.len() - 1
    }) as u32)
}

/// Moves generators to their consumers.
fn follow_consumers(graph: &Graph, table: &[Request], mut requests: Vec<u32>) -> Vec<u32> {
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
            && allows(table, requests[i], request)
        {
            requests[i] = request;
        }
    }
    requests
}

/// Whether a node that asks for `own` may stand where `other` asks to be: `own` asks for nothing more.
fn allows(table: &[Request], own: u32, other: u32) -> bool {
    if own == 0 || own == other {
        return true;
    }
    let text = |request: u32| table[request as usize].canonical.as_str();
    match (DeviceSpec::parse(text(own)), DeviceSpec::parse(text(other))) {
        (Ok(own), Ok(other)) => DeviceSpec::is_specification(own, other),
        _ => false,
    }
}
