//! `binding.tsv`: requests of single nodes, on sets of devices.

use graph_ir::{DeviceSpec, DeviceType};

use super::{Count, Row, cells, judge};
use crate::bind::{Request, bind};
use crate::devices::DeviceSet;

#[test]
fn requests_bind_as_in_the_placer() {
    let table = cells(include_str!("../../tests/data/binding.tsv"));
    let rows: Vec<Row> =
        table.iter().map(|cells| Row { kind: "binding", input: cells[0], expected: cells[5] }).collect();
    let count = judge(&rows, &["binding"], |row| {
        let cells = table.iter().find(|cells| cells[0] == row.input).expect("rows are made of the table");
        run(cells[1], cells[2], cells[3] == "1", row.expected)
    });
    assert_eq!(count, Count { same: 0, different: 0, no_meaning: 0 });
}

/// A node of the table: `name=kind[kernels](inputs) @request`.
struct Node {
    name: &'static str,
    op: &'static str,
    kernels: Vec<DeviceType>,
    written: &'static str,
}

fn node(text: &'static str) -> Node {
    let (definition, written) = text.split_once(" @").unwrap_or((text, ""));
    let (name, rest) = definition.split_once('=').expect("a name");
    let (op, rest) = rest.split_once('[').expect("an op");
    let (kernels, _inputs) = rest.split_once(']').expect("kernels");
    let kernels = kernels.split('+').filter(|&text| text != "none").map(device_type).collect();
    Node { name, op, kernels, written }
}

fn device_type(text: &str) -> DeviceType {
    match text {
        "CPU" => DeviceType::Cpu,
        "GPU" => DeviceType::Gpu,
        _ => panic!("no device type: {text}"),
    }
}

/// The deviation from `expected`, if any.
fn run(devices: &str, ops: &'static str, soft: bool, expected: &str) -> Result<(), String> {
    let devices = devices.split(' ').map(|name| name.split_once(':').expect("TYPE:N"));
    let set = DeviceSet::of(
        &devices.map(|(kind, index)| (device_type(kind), index.parse().unwrap())).collect::<Vec<_>>(),
    );
    let nodes: Vec<Node> = ops.split(" ; ").map(node).collect();
    let requests: Vec<Request<'_>> = nodes
        .iter()
        .map(|node| {
            // A slot is spoken of by its first node that is not a constant.
            let speaker = nodes.iter().find(|other| other.written == node.written && other.op != "Const").unwrap_or(node);
            let spec = match node.written {
                "" => DeviceSpec::EMPTY,
                written => DeviceSpec::parse(written).expect("the table has valid requests only"),
            };
            Request {
                spec,
                written: node.written,
                node: speaker.name,
                op: speaker.op,
                file: "graph.rs",
                line: 1,
                kernels: &node.kernels,
            }
        })
        .collect();
    match (bind(&requests, &set, soft), expected.strip_prefix("error InvalidArgument mentions: ")) {
        (Ok(bound), None) => {
            let short = |index: usize| {
                let device = set.get(index);
                format!("{}:{}", device.device_type, device.index)
            };
            let observed: Vec<String> =
                nodes.iter().zip(bound).map(|(node, index)| format!("{}={}", node.name, short(index))).collect();
            let observed = observed.join(" ");
            if observed == expected { Ok(()) } else { Err(observed) }
        }
        (Err(error), Some(pieces)) => {
            // Names and device strings have to be there; TensorFlow's own wording does not.
            let facts = pieces.split(" | ").filter(|piece| {
                piece.starts_with('/') || piece.starts_with("no supported kernel") || nodes.iter().any(|node| node.name == *piece)
            });
            let missing: Vec<&str> = facts.filter(|piece| !error.message.contains(*piece)).collect();
            let code_is_right = error.code == crate::Code::InvalidArgument;
            if missing.is_empty() && code_is_right { Ok(()) } else { Err(format!("{error}, without {missing:?}")) }
        }
        (Ok(bound), Some(_)) => Err(format!("bound to {bound:?}")),
        (Err(error), None) => Err(error.to_string()),
    }
}
