use graph_ir::plan::{ABI, Node, Slot};
use graph_ir::{DeviceSpec, DeviceType, Plan, make};

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
    for written in ["/job:worker", "/task:1", "/replica:1/device:GPU:0", "/job:worker/replica:0/task:0/cpu:0"]
    {
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
    assert!(
        message.contains("MatMul has no supported kernel for GPU devices; it has kernels for: CPU"),
        "{message}"
    );
    assert!(message.contains("allow_soft_placement(true)"), "{message}");
    let message = refusal("", &[DeviceType::Gpu], &gpus(0), true);
    assert!(
        message.starts_with("MatMul: node that asks for no device (src/main.rs:12), but MatMul has no"),
        "{message}"
    );
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

const fn plan(slots: &'static [Slot], nodes: &'static [Node]) -> Plan {
    Plan {
        abi: ABI,
        name: "towers",
        file: "src/towers.rs",
        slots,
        nodes,
        buffers: &[],
        constants: &[],
        inputs: &[],
        outputs: &[],
        kernels: &[],
        lanes: &[],
        signals: 0,
    }
}

#[test]
fn a_slot_is_spoken_of_by_its_first_node_that_is_not_a_constant() {
    static PLAN: Plan = plan(
        &[
            make::slot("/device:GPU:2", "/gpu:2", 0, 0, 0),
            make::slot("", "", 0, 0, 0),
            make::slot("/device:CPU:0", "/cpu:0", 0, 0, 0),
        ],
        &[
            make::node("a", "Const", 0, "", 3, 1),
            make::node("MatMul", "MatMul", 0, "", 4, 1),
            make::node("b", "Const", 1, "", 5, 1),
        ],
    );
    let requests = Request::of_plan(&PLAN).unwrap();
    let spoken: Vec<_> =
        requests.iter().map(|request| (request.written, request.node, request.op, request.line)).collect();
    let expected =
        [("/gpu:2", "MatMul", "MatMul", 4), ("", "b", "Const", 5), ("/cpu:0", "towers", "NoOp", 0)];
    assert_eq!(spoken, expected);
    assert_eq!(requests[1].spec, DeviceSpec::EMPTY);
    let message = bind(&requests, &gpus(1), false).unwrap_err().message;
    assert!(
        message.starts_with("MatMul: node was asked to run on \"/gpu:2\" (src/towers.rs:4), but"),
        "{message}"
    );
    assert_eq!(bind(&requests, &gpus(1), true), Ok(vec![1, 1, 0]));
}

#[test]
fn a_malformed_request_in_a_plan_is_a_bug_and_says_so() {
    static PLAN: Plan = plan(&[make::slot("gpu:2", "gpu:2", 0, 0, 0)], &[]);
    let Error { code, message } = Request::of_plan(&PLAN).unwrap_err();
    assert_eq!(code, Code::Internal);
    assert!(message.starts_with("plan `towers`, slot 0: "), "{message}");
}

#[test]
fn a_plan_that_finds_no_memory_is_named() {
    static PLAN: Plan = plan(&[], &[]);
    let devices = DeviceSet::open_with(&Config::new().virtual_gpus(1).virtual_gpu_memory(100), None).unwrap();
    let Error { code, message } = devices.get(1).reserve(101, &PLAN).unwrap_err();
    assert_eq!(code, Code::ResourceExhausted);
    assert!(
        message.starts_with(
            "loading `towers` (src/towers.rs): /job:localhost/replica:0/task:0/device:GPU:0: 101 bytes are wanted"
        ),
        "{message}"
    );
}
