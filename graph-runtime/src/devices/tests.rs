use std::ffi::OsStr;

use graph_ir::DeviceType;

use super::{DeviceList, DeviceSet};
use crate::memory::MIB;
use crate::{Code, Config, Error, GpuOptions};

fn open(config: &Config) -> DeviceSet {
    DeviceSet::open_with(config, None).unwrap()
}

fn refusal(config: &Config) -> Error {
    DeviceSet::open_with(config, None).unwrap_err()
}

#[test]
fn the_mapping_lists_gpus_with_the_machines_numbers() {
    let options = GpuOptions::new().visible_device_list("1,0").virtual_devices(vec![vec![100, 200], vec![]]);
    let set = open(&Config::new().virtual_gpus(2).gpu_options(options));
    assert_eq!(
        set.device_mapping().join("\n"),
        "Device mapping:\n\
         /job:localhost/replica:0/task:0/device:GPU:0 -> device: 1, name: Virtual GPU (CPU threads), pci bus id: none\n\
         /job:localhost/replica:0/task:0/device:GPU:1 -> device: 1, name: Virtual GPU (CPU threads), pci bus id: none\n\
         /job:localhost/replica:0/task:0/device:GPU:2 -> device: 0, name: Virtual GPU (CPU threads), pci bus id: none"
    );
    assert_eq!(open(&Config::new()).device_mapping(), ["Device mapping: no known devices."]);
}

#[test]
fn the_list_says_why_there_is_no_gpu() {
    let why = |config: &Config| DeviceList::of(&open(config)).why_no_gpu.unwrap_or_default();
    assert!(why(&Config::new()).contains("does not drive real GPUs yet"));
    assert!(why(&Config::new()).contains("Config::virtual_gpus(n)"));
    let two = Config::new().virtual_gpus(2);
    assert_eq!(why(&two), "");
    assert_eq!(why(&two.clone().device_count(DeviceType::Gpu, 0)), "device_count(GPU) = 0 leaves none");
    let hidden = two.gpu_options(GpuOptions::new().visible_device_list("-1"));
    assert_eq!(why(&hidden), "visible_device_list = \"-1\" hides all 2");
}

#[test]
fn the_list_prints_a_line_for_each_device() {
    let config = Config::new().virtual_gpus(1).virtual_gpu_memory(64 * MIB).device_count(DeviceType::Cpu, 2);
    assert_eq!(
        DeviceList::of(&open(&config)).to_string(),
        "/job:localhost/replica:0/task:0/device:CPU:0 (memory: no limit) -> the host's processors and memory\n\
         /job:localhost/replica:0/task:0/device:CPU:1 (memory: no limit) -> the host's processors and memory\n\
         /job:localhost/replica:0/task:0/device:GPU:0 (memory: 67108864 bytes (64 MiB)) -> device: 0, name: Virtual \
         GPU (CPU threads), pci bus id: none"
    );
    let no_gpu = DeviceList::of(&open(&Config::new())).to_string();
    assert!(no_gpu.contains("\nno GPU: this version"), "{no_gpu}");
}

#[test]
fn the_variable_makes_gpus_and_its_mistakes_are_errors() {
    let with = |value: &str| DeviceSet::open_with(&Config::new(), Some(OsStr::new(value)));
    assert_eq!(with("3").unwrap().devices().len(), 4);
    assert!(with("three").unwrap_err().message.contains("GRAPH_VIRTUAL_GPUS"));
    // Where no GPU is to be touched, the variable is not read either.
    let none = Config::new().device_count(DeviceType::Gpu, 0);
    assert_eq!(DeviceSet::open_with(&none, Some(OsStr::new("three"))).unwrap().devices().len(), 1);
}

#[test]
fn limits_are_capped_by_what_the_gpu_has() {
    let limit = |options: GpuOptions| {
        let config = Config::new().virtual_gpus(1).virtual_gpu_memory(1000 * MIB).gpu_options(options);
        let info = open(&config).devices()[1].memory.info();
        assert_eq!(info.total, Some(1000 * MIB));
        info.limit.unwrap()
    };
    assert_eq!(limit(GpuOptions::new()), 1000 * MIB);
    assert_eq!(limit(GpuOptions::new().memory_limit(12_345)), 12_345);
    assert_eq!(limit(GpuOptions::new().memory_limit(u64::MAX)), 1000 * MIB);
    assert_eq!(limit(GpuOptions::new().per_process_gpu_memory_fraction(0.25)), 250 * MIB);
    assert_eq!(open(&Config::new().virtual_gpus(1)).devices()[1].memory.info().limit, Some(1024 * MIB));
}

#[test]
fn splits_must_fit_into_their_gpu() {
    let split = |limits| {
        let options = GpuOptions::new().virtual_devices(vec![limits]);
        Config::new().virtual_gpus(1).virtual_gpu_memory(1000 * MIB).gpu_options(options)
    };
    assert_eq!(open(&split(vec![400, 600])).devices().len(), 3);
    let Error { code, message } = refusal(&split(vec![400, 601]));
    assert_eq!(code, Code::InvalidArgument);
    assert_eq!(
        message,
        "virtual_devices: the limits of entry 0 are [400, 601] MiB, together 1001 MiB, but GPU 0 has 1048576000 bytes \
         (1000 MiB); help: lower them, or raise `Config::virtual_gpu_memory`"
    );
}

#[test]
fn a_list_is_no_error_where_there_is_no_gpu_but_its_spelling_is() {
    let with = |list| Config::new().gpu_options(GpuOptions::new().visible_device_list(list));
    assert_eq!(open(&with("0,1")).devices().len(), 1);
    let Error { code, message } = refusal(&with("0;1"));
    assert_eq!(code, Code::InvalidArgument);
    assert_eq!(
        message,
        "visible_device_list = \"0;1\": entry \"0;1\" is not a number; help: separate numbers by commas, as in \"1,0\""
    );
}

#[test]
fn only_cpus_work_on_the_hosts_memory() {
    let set = open(&Config::new().virtual_gpus(1).device_count(DeviceType::Cpu, 2));
    let host: Vec<bool> = set.devices().iter().map(|device| device.is_host()).collect();
    assert_eq!(host, [true, true, false]);
}

#[test]
fn the_memory_error_says_which_option_gives_more() {
    let config = Config::new().virtual_gpus(1).virtual_gpu_memory(1000);
    let message = |config: &Config| open(config).devices()[1].memory.reserve(1001).unwrap_err().message;
    assert!(message(&config).contains("help: raise `Config::virtual_gpu_memory`"));
    let limited = config.gpu_options(GpuOptions::new().memory_limit(500));
    assert!(message(&limited).contains("help: raise the limit that the GPU options set"));
}

#[test]
fn memory_is_found_by_each_spelling_of_a_name() {
    let set = open(&Config::new().virtual_gpus(2).virtual_gpu_memory(1000));
    let _block = set.devices()[2].memory.reserve(10).unwrap();
    for name in ["/gpu:1", "/device:GPU:1", "/job:localhost/replica:0/task:0/device:GPU:1"] {
        assert_eq!(set.memory(name).unwrap().in_use, 10, "{name}");
    }
    assert_eq!(set.memory("/device:GPU:*").unwrap().in_use, 0);
    assert_eq!(set.memory("/cpu:0").unwrap().limit, None);
    let Error { code, message } = set.memory("/gpu:2").unwrap_err();
    assert_eq!(code, Code::InvalidArgument);
    assert!(message.starts_with("there is no \"/gpu:2\"; only these devices exist: /job:localhost"), "{message}");
    assert_eq!(set.memory("gpu:1").unwrap_err().code, Code::InvalidArgument);
}
