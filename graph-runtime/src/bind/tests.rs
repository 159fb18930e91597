use graph_ir::{DeviceSpec, DeviceType};

use super::{Request, bind};
use crate::devices::DeviceSet;
use crate::{Code, Config, Error};

const BOTH: &[DeviceType] = &[DeviceType::Cpu, DeviceType::Gpu];

fn request<'a>(written: &'a str, kernels: &'a [DeviceType]) -> Request<'a> {
    let spec = if written.is_empty() { DeviceSpec::EMPTY } else { DeviceSpec::parse(written).unwrap() };
    Request { spec, written, node: "MatMul", op: "MatMul", file: "src/main.rs", line: 12, kernels }
}

fn gpus(count: u32) -> DeviceSet {
    DeviceSet::open_with(&Config::new().virtual_gpus(count), None).unwrap()
}

fn refusal(written: &str, kernels: &[DeviceType], devices: &DeviceSet, soft: bool) -> String {
    let Error { code, message } = bind(&[request(written, kernels)], devices, soft).unwrap_err();
    assert_eq!(code, Code::InvalidArgument);
    message
}

#[test]
fn slots_bind_independently_and_may_share_a_device() {
    let requests = ["/device:GPU:1", "", "/cpu:0", "/gpu:0"].map(|written| request(written, BOTH));
    let devices = gpus(2);
    let bound = bind(&requests, &devices, false).unwrap();
    let names: Vec<String> = bound.iter().map(|&index| devices.get(index).name().to_owned()).collect();
    let local = "/job:localhost/replica:0/task:0/device:";
    assert_eq!(names, ["GPU:1", "GPU:0", "CPU:0", "GPU:0"].map(|short| format!("{local}{short}")));
    assert_eq!(bind(&[], &devices, false), Ok(Vec::new()));
}

#[test]
fn a_missing_gpu_is_an_error_with_the_repair() {
    assert_eq!(
        refusal("/device:GPU:2", BOTH, &gpus(2), false),
        "MatMul: node was asked to run on \"/device:GPU:2\" (src/main.rs:12), but only these devices exist: \
         /job:localhost/replica:0/task:0/device:CPU:0, /job:localhost/replica:0/task:0/device:GPU:0, \
         /job:localhost/replica:0/task:0/device:GPU:1; help: `Config::allow_soft_placement(true)` takes the default \
         device instead, `Config::virtual_gpus(3)` makes virtual GPUs"
    );
}

#[test]
fn without_any_gpu_the_error_says_why() {
    let message = refusal("/gpu:0", BOTH, &gpus(0), false);
    assert!(message.contains("asked to run on \"/gpu:0\""), "{message}");
    assert!(message.contains("there is no GPU: this version does not drive real GPUs yet"), "{message}");
}

#[test]
fn a_missing_cpu_has_its_own_repair() {
    let message = refusal("/cpu:9", BOTH, &gpus(2), false);
    assert!(message.ends_with("`Config::device_count(DeviceType::Cpu, 10)` makes the device"), "{message}");
    let largest = format!("/cpu:{}", i32::MAX);
    assert!(refusal(&largest, BOTH, &gpus(0), false).ends_with("takes the default device instead"));
}

#[test]
fn another_process_is_refused_also_with_soft_placement() {
    for written in ["/job:worker", "/task:1", "/replica:1/device:GPU:0", "/job:worker/replica:0/task:0/cpu:0"] {
        for soft in [false, true] {
            let message = refusal(written, BOTH, &gpus(1), soft);
            assert!(message.contains(&format!("\"{written}\" (src/main.rs:12)")), "{message}");
            assert!(message.contains("a graph over several processes is not supported yet"), "{message}");
            assert!(message.contains("/job:localhost/replica:0/task:0/device:GPU:0"), "{message}");
        }
    }
}

#[test]
fn a_missing_kernel_is_an_error_that_names_op_and_types() {
    let cpu = &[DeviceType::Cpu];
    let message = refusal("/device:GPU:0", cpu, &gpus(1), false);
    assert!(message.contains("MatMul has no supported kernel for GPU devices; it has kernels for: CPU"), "{message}");
    assert!(message.contains("allow_soft_placement(true)"), "{message}");
    let message = refusal("", &[DeviceType::Gpu], &gpus(0), true);
    assert!(message.starts_with("MatMul: node that asks for no device (src/main.rs:12), but MatMul has no"), "{message}");
    let message = refusal("/device:GPU:3", &[], &gpus(1), true);
    assert!(message.contains("it has kernels for: nothing"), "{message}");
}

#[test]
fn an_index_without_a_type_restricts_every_type() {
    // The parser refuses to write it, merging of scopes may still make it.
    let spec = DeviceSpec { index: Some(1), ..DeviceSpec::EMPTY };
    let with = |kernels| Request { spec, ..request("", kernels) };
    let devices = DeviceSet::of(&[
        (DeviceType::Cpu, 0),
        (DeviceType::Cpu, 1),
        (DeviceType::Gpu, 0),
        (DeviceType::Gpu, 1),
    ]);
    assert_eq!(bind(&[with(BOTH), with(&[DeviceType::Cpu])], &devices, false), Ok(vec![3, 1]));
}
