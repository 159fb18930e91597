//! What `log_device_placement(true)` writes: TensorFlow's lines, to stderr and to the `log` crate, for the programs of
//! the guide *Using GPUs*. The examples are those programs; they are run as a user runs them.

use std::process::{Command, Output};

/// Runs an example as a user does.
fn example(name: &str) -> Output {
    let arguments = ["run", "--quiet", "--locked", "--example", name];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("GRAPH_VIRTUAL_GPUS")
        .output();
    output.expect("cargo can be run")
}

fn stderr(name: &str) -> String {
    let output = example(name);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{name}: {text}");
    text
}

/// `device` in its full form.
fn node(name: &str, op: &str, device: &str) -> String {
    format!("{name}: ({op}): /job:localhost/replica:0/task:0/device:{device}")
}

fn mapping(gpus: u32) -> Vec<String> {
    let mut lines = vec![String::from("Device mapping:")];
    lines.extend((0..gpus).map(|i| {
        format!(
            "/job:localhost/replica:0/task:0/device:GPU:{i} -> device: {i}, name: Virtual GPU (run by the CPU), pci bus id: none"
        )
    }));
    lines
}

#[test]
fn logging_device_placement() {
    let mut expected = mapping(1);
    expected.extend([
        node("a", "Const", "GPU:0"),
        node("b", "Const", "GPU:0"),
        node("MatMul", "MatMul", "GPU:0"),
    ]);
    assert_eq!(stderr("02_logging_placement").lines().collect::<Vec<_>>(), expected);
}

#[test]
fn manual_placement() {
    let mut expected = mapping(1);
    expected.extend([
        node("a", "Const", "CPU:0"),
        node("b", "Const", "CPU:0"),
        node("MatMul", "MatMul", "GPU:0"),
    ]);
    assert_eq!(stderr("03_manual_placement").lines().collect::<Vec<_>>(), expected);
}

#[test]
fn multiple_gpus() {
    let mut expected = mapping(4);
    for (i, suffix) in [(2, ["", "_1", ""]), (3, ["_2", "_3", "_1"])] {
        let device = format!("GPU:{i}");
        expected.push(node(&format!("Const{}", suffix[0]), "Const", &device));
        expected.push(node(&format!("Const{}", suffix[1]), "Const", &device));
        expected.push(node(&format!("MatMul{}", suffix[2]), "MatMul", &device));
    }
    expected.push(node("AddN", "AddN", "CPU:0"));
    assert_eq!(stderr("06_multiple_gpus").lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_missing_gpu_and_soft_placement() {
    let mut expected = mapping(2);
    expected.extend([
        node("a", "Const", "GPU:0"),
        node("b", "Const", "GPU:0"),
        node("MatMul", "MatMul", "GPU:0"),
    ]);
    assert_eq!(stderr("05_single_gpu").lines().collect::<Vec<_>>(), expected);
}

#[test]
fn sections_that_do_not_ask_for_the_log_have_none() {
    for name in ["01_devices", "04_memory_growth"] {
        assert_eq!(stderr(name), "", "{name}");
    }
}
