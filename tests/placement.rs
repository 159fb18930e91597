//! TensorFlow's placer as data: the rows of `placement/placement.tsv` that can be said in the language, as programs that
//! are placed and run. `placement/README.md` has the others, each with its reason; no row is passed over.

use std::collections::BTreeSet;

use graph_ir::DeviceType;
use graph_runtime::{Config, Graph, Placement, Session, graph};

/// A row of the table.
struct Row {
    id: &'static str,
    devices: &'static str,
    soft: bool,
    expected: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("placement/placement.tsv").lines().skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Row { id: cells[0], devices: cells[1], soft: cells[3] == "1", expected: cells[5] }
        })
        .collect()
}

fn row(id: &str) -> Row {
    rows().into_iter().find(|row| row.id == id).unwrap_or_else(|| panic!("no row `{id}`"))
}

/// The session that a row asks for: as many CPUs and virtual GPUs as it lists.
fn session(row: &Row) -> Session {
    let count = |kind: &str| row.devices.split(' ').filter(|name| name.starts_with(kind)).count() as u32;
    let config = Config::new()
        .virtual_gpus(count("GPU"))
        .device_count(DeviceType::Cpu, count("CPU"))
        .allow_soft_placement(row.soft);
    Session::new(config).expect("the options are right")
}

/// `a=GPU:0 b=CPU:0`, for the nodes that the row names.
fn short(placement: &Placement, expected: &str) -> String {
    let pairs = expected.split(' ').map(|pair| {
        let (name, _) = pair.split_once('=').expect("name=device");
        let device = placement.device(name).unwrap_or_else(|| panic!("no node `{name}`"));
        let device = device.strip_prefix("/job:localhost/replica:0/task:0/device:").expect("a local device");
        format!("{name}={device}")
    });
    pairs.collect::<Vec<_>>().join(" ")
}

/// Judges a program by its row. `wanted` replaces what the row expects where this project differs on purpose.
fn judge<O: graph_runtime::graph::Outputs>(id: &str, graph: &Graph<(), O>, wanted: Option<&str>) {
    let row = row(id);
    let session = session(&row);
    let placed = session.placement(graph);
    let expected = wanted.unwrap_or(row.expected);
    match expected.strip_prefix("error InvalidArgument mentions: ") {
        None => {
            let placement = placed.unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(short(&placement, expected), expected, "{id}");
        }
        Some(facts) => {
            let error = placed.err().unwrap_or_else(|| panic!("{id} is no error"));
            assert_eq!(error.code, graph_runtime::Code::InvalidArgument, "{id}");
            for fact in facts.split(" | ") {
                assert!(error.message.contains(fact), "{id}: {fact:?} is not in {error}");
            }
        }
    }
}

/// One test for each row: `id => { program }`, with `as "…"` where another outcome is wanted.
macro_rules! rows {
    ($($name:ident $id:literal $(as $wanted:literal)? => { $($program:tt)* })+) => {
        const SAID: &[&str] = &[$($id),+];
        $(
            #[test]
            fn $name() {
                let wanted: Option<&str> = None $(.or(Some($wanted)))?;
                judge($id, &graph! { $($program)* }, wanted);
            }
        )+
    };
}

rows! {
    default_gpu "tut-default-gpu" => {
        let a = constant([[1.0, 2.0]], name = "a");
        let b = constant([[1.0], [2.0]], name = "b");
        matmul(a, b)
    }
    default_of_two_gpus "tut-default-2gpu" => {
        let a = constant([[1.0, 2.0]], name = "a");
        let b = constant([[1.0], [2.0]], name = "b");
        matmul(a, b)
    }
    no_gpu "tut-cpu-only-host" => {
        let a = constant([[1.0, 2.0]], name = "a");
        let b = constant([[1.0], [2.0]], name = "b");
        matmul(a, b)
    }
    constants_on_the_cpu "tut-manual-cpu-inputs" => {
        let (a, b) = device("/cpu:0") {
            (constant([[1.0, 2.0]], name = "a"), constant([[1.0], [2.0]], name = "b"))
        };
        matmul(a, b)
    }
    one_gpu_of_two "tut-manual-gpu1" => {
        device("/device:GPU:1") {
            let a = constant([[1.0, 2.0]], name = "a");
            let b = constant([[1.0], [2.0]], name = "b");
            matmul(a, b)
        }
    }
    missing_gpu "tut-missing-gpu2" => {
        device("/device:GPU:2") {
            let a = constant([[1.0, 2.0]], name = "a");
            let b = constant([[1.0], [2.0]], name = "b");
            matmul(a, b)
        }
    }
    missing_gpu_softened "tut-missing-gpu2-soft" => {
        device("/device:GPU:2") {
            let a = constant([[1.0, 2.0]], name = "a");
            let b = constant([[1.0], [2.0]], name = "b");
            matmul(a, b)
        }
    }
    missing_gpu_softened_to_the_cpu "tut-missing-gpu-cpu-host-soft" => {
        device("/device:GPU:2") {
            let a = constant([[1.0, 2.0]], name = "a");
            let b = constant([[1.0], [2.0]], name = "b");
            matmul(a, b)
        }
    }
    towers "tut-towers" => {
        let c = for i in 2..4 {
            device("/device:GPU:{i}") {
                let a = constant([[1.0, 2.0]], name = "a{i}");
                let b = constant([[1.0], [2.0]], name = "b{i}");
                matmul(a, b, name = "m{i}")
            }
        };
        device("/cpu:0") { add_n(c, name = "sum") }
    }
    towers_with_an_unplaced_sum "tut-towers-unplaced-sum" => {
        let c = for i in 2..4 {
            device("/device:GPU:{i}") {
                let a = constant([[1.0, 2.0]], name = "a{i}");
                let b = constant([[1.0], [2.0]], name = "b{i}");
                matmul(a, b, name = "m{i}")
            }
        };
        add_n(c, name = "sum")
    }
    towers_without_their_gpu "tut-towers-missing-gpu3" => {
        let c = for i in 2..4 {
            device("/device:GPU:{i}") {
                let a = constant([[1.0, 2.0]], name = "a{i}");
                let b = constant([[1.0], [2.0]], name = "b{i}");
                matmul(a, b, name = "m{i}")
            }
        };
        device("/cpu:0") { add_n(c, name = "sum") }
    }
    towers_without_their_gpu_softened "tut-towers-missing-gpu3-soft" => {
        let c = for i in 2..4 {
            device("/device:GPU:{i}") {
                let a = constant([[1.0, 2.0]], name = "a{i}");
                let b = constant([[1.0], [2.0]], name = "b{i}");
                matmul(a, b, name = "m{i}")
            }
        };
        device("/cpu:0") { add_n(c, name = "sum") }
    }
    type_without_index "partial-type" => {
        (device("/device:GPU:*") { range(3, name = "a") }, device("/device:CPU") { range(3, name = "b") })
    }
    stars "partial-all-stars" => {
        device("/job:*/replica:*/task:*/device:*:*") { range(3, name = "a") }
    }
    job_alone "partial-job" as "v=GPU:0" => {
        device("/job:localhost") { range(3, name = "v") }
    }
    full_name "full-spec" => {
        device("/job:localhost/replica:0/task:0/device:GPU:1") { range(3, name = "a") }
    }
    short_names "legacy-spec" => {
        (device("/gpu:1") { range(3, name = "a") }, device("/cpu:0") { range(3, name = "b") })
    }
    lower_case_type "lower-case-type" as "a=GPU:0" => {
        device("/device:gpu:0") { range(3, name = "a") }
    }
    lower_case_type_softened "lower-case-type-soft" => {
        device("/device:gpu:0") { range(3, name = "a") }
    }
    another_job "unknown-job" => {
        device("/job:foo") { range(3, name = "a") }
    }
    another_task "unknown-task" => {
        device("/task:1") { range(3, name = "a") }
    }
    another_replica "unknown-replica" => {
        device("/replica:1/device:GPU:0") { range(3, name = "a") }
    }
    missing_index "missing-index" as "error InvalidArgument mentions: a: node | /device:GPU:11" => {
        device("/device:GPU:11") { range(3, name = "a") }
    }
    missing_index_softened "missing-index-soft-both" => {
        device("/device:GPU:11") { range(3, name = "a") }
    }
    missing_cpu_softened "missing-cpu-soft" => {
        device("/device:CPU:9") { range(3, name = "a") }
    }
    generator_of_one_consumer "generator-consumers-other-gpu" => {
        let x = constant([1.0, 2.0], name = "in");
        device("/device:GPU:1") { neg(x, name = "x") }
    }
    generator_of_two_gpus "generator-consumers-two-gpus" => {
        let x = constant([1.0, 2.0], name = "in");
        let (p, q) = device("/device:GPU:1") { (neg(x, name = "x"), exp(x, name = "y")) };
        (p, q, device("/device:GPU:0") { tanh(x, name = "z") })
    }
    generator_of_a_type "generator-partial-type" => {
        let x = device("/device:GPU:*") { constant([1.0, 2.0], name = "in") };
        device("/device:GPU:1") { neg(x, name = "x") }
    }
    generator_alone "generator-no-consumer" => { constant([1.0, 2.0], name = "in") }
    generator_read_twice "generator-feeds-generator-less" => {
        let x = constant([1.0, 2.0], name = "in");
        device("/device:GPU:1") { add(x, x, name = "x") }
    }
    tied_partly "coloc-partial-merge" => {
        let a = device("/device:GPU:*") { range(3, name = "a") };
        (a, colocate_with(a) { device("/device:GPU:1") { range(3, name = "b") } })
    }
    tied_to_nothing "coloc-unset-follows" => {
        let a = range(3, name = "a");
        (a, colocate_with(a) { device("/device:GPU:1") { range(3, name = "b") } })
    }
}

/// What the README says of each row that is not said here: `id` or `prefix*`.
fn explained() -> Vec<&'static str> {
    let lines = include_str!("placement/README.md").lines();
    let cells = lines.filter_map(|line| line.strip_prefix("| `"));
    cells
        .flat_map(|line| line.split(" | ").next().unwrap_or_default().split(", "))
        .map(|id| id.trim_matches('`'))
        .collect()
}

#[test]
fn every_row_is_said_or_explained() {
    let explained = explained();
    let covers = |pattern: &str, id: &str| match pattern.strip_suffix('*') {
        Some(prefix) => id.starts_with(prefix),
        None => pattern == id,
    };
    let said: BTreeSet<&str> = SAID.iter().copied().collect();
    assert_eq!(said.len(), SAID.len(), "a row is said once");
    for row in rows() {
        let reasons = explained.iter().filter(|pattern| covers(pattern, row.id)).count();
        let expected = usize::from(!said.contains(row.id));
        assert_eq!(reasons, expected, "`{}` is said, or explained once", row.id);
    }
    for pattern in explained {
        assert!(rows().iter().any(|row| covers(pattern, row.id)), "`{pattern}` is no row");
    }
}
