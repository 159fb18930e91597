use std::ffi::OsStr;

use graph_ir::DeviceType;

use super::{Config, GpuOptions};
use crate::memory::Growth;
use crate::{Code, Error};

fn refusal(config: Config) -> String {
    let Error { code, message } = config.validate().unwrap_err();
    assert_eq!(code, Code::InvalidArgument, "{message}");
    message
}

fn with_fraction(fraction: f64) -> Config {
    Config::new().gpu_options(GpuOptions::new().per_process_gpu_memory_fraction(fraction))
}

#[test]
fn fractions_above_zero_up_to_one_are_valid() {
    for fraction in [f64::MIN_POSITIVE, 0.4, 1.0] {
        with_fraction(fraction).validate().unwrap();
    }
    let start = "per_process_gpu_memory_fraction = ";
    let allowed = ": it must be more than 0 and at most 1";
    for (fraction, value, help) in [
        (f64::NAN, "NaN", ""),
        (f64::INFINITY, "inf", ""),
        (-0.5, "-0.5", ""),
        (0.0, "0", "; help: leave the option out to set no limit"),
        (1.2, "1.2", "; help: unified memory, which TensorFlow gives above 1, does not exist here"),
        (40.0, "40", "; help: 40 per cent is 0.4"),
        (100.0, "100", "; help: 100 per cent is 1"),
        (4096.0, "4096", ""),
    ] {
        assert_eq!(refusal(with_fraction(fraction)), format!("{start}{value}{allowed}{help}"));
    }
}

#[test]
fn limits_exclude_each_other() {
    let with = |options: GpuOptions| Config::new().gpu_options(options);
    let options = GpuOptions::new().memory_limit(1000);
    with(options.clone()).validate().unwrap();
    assert_eq!(
        refusal(with(options.clone().per_process_gpu_memory_fraction(0.5))),
        "per_process_gpu_memory_fraction and memory_limit are set together, but each is a limit of the same memory: they \
         exclude each other; help: keep one"
    );
    assert!(refusal(with(options.virtual_devices(vec![vec![]]))).contains("memory_limit and virtual_devices"));
}

#[test]
fn sizes_and_counts_have_bounds() {
    assert!(refusal(Config::new().gpu_options(GpuOptions::new().memory_limit(0))).starts_with("memory_limit = 0"));
    assert!(refusal(Config::new().virtual_gpu_memory(0)).starts_with("virtual_gpu_memory = 0"));
    assert_eq!(refusal(Config::new().virtual_gpus(257)), "virtual_gpus = 257: at most 256 are possible");
    assert!(refusal(Config::new().device_count(DeviceType::Cpu, 257)).starts_with("device_count(CPU) = 257"));
    let split = |lists| Config::new().gpu_options(GpuOptions::new().virtual_devices(lists));
    assert!(refusal(split(vec![vec![512], vec![1, 0]])).starts_with("virtual_devices: entry 1 has a limit of 0 MiB"));
    assert!(refusal(split(vec![vec![u64::MAX]])).contains("from 1 to 17592186044415"));
    assert!(refusal(split(vec![vec![1; 257]])).contains("257 devices"));
}

#[test]
fn the_variable_counts_where_the_config_is_silent() {
    let count = |config: Config, value: &str| config.virtual_gpu_count(Some(OsStr::new(value)));
    assert_eq!(Config::new().virtual_gpu_count(None), Ok(0));
    assert_eq!(count(Config::new(), "4"), Ok(4));
    assert_eq!(count(Config::new(), " 4 "), Ok(4));
    assert_eq!(count(Config::new(), ""), Ok(0));
    assert_eq!(count(Config::new().virtual_gpus(2), "4"), Ok(2));
    assert_eq!(count(Config::new().virtual_gpus(0), "nonsense"), Ok(0));
    for value in ["four", "-1", "1.5", "257", "99999999999"] {
        let Error { code, message } = count(Config::new(), value).unwrap_err();
        assert_eq!(code, Code::InvalidArgument);
        assert_eq!(
            message,
            format!(
                "the environment variable GRAPH_VIRTUAL_GPUS is {value:?}, which is not a number of virtual GPUs from \
                 0 to 256"
            )
        );
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_text_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let message = Config::new().virtual_gpu_count(Some(OsStr::from_bytes(b"\xFF"))).unwrap_err().message;
    assert!(message.contains(r#"GRAPH_VIRTUAL_GPUS is "\xFF""#), "{message}");
}

#[test]
fn growth_has_three_states() {
    assert_eq!(GpuOptions::new().growth(), Growth::Exact);
    assert_eq!(GpuOptions::new().allow_growth(false).growth(), Growth::Whole);
    assert_eq!(GpuOptions::new().allow_growth(true).growth(), Growth::Growing);
}
