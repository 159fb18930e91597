//! `memory.tsv`: which GPUs there are, and the limits of their memories.

use graph_ir::DeviceType;

use super::{Count, Row, cells, compare, growth, judge};
use crate::devices::DeviceSet;
use crate::memory::{Growth, MIB};
use crate::{Config, Error, GpuOptions};

const KINDS: [&str; 8] =
    ["visible", "cuda_visible", "device_count", "virtual", "limit", "env", "growth", "config"];

#[test]
fn memory_options_conform() {
    let rows: Vec<Row> = cells(include_str!("../../tests/data/memory.tsv"))
        .into_iter()
        .map(|cells| {
            let [kind, input, expected, _source] = cells[..] else { panic!("not four cells: {cells:?}") };
            assert!(KINDS.contains(&kind), "{kind}");
            Row { kind, input, expected }
        })
        .collect();
    assert_eq!(rows.len(), 95);
    let count = judge(&rows, &KINDS, |row| match row.kind {
        "growth" => growth::run(row.input, row.expected),
        "env" => compare(row.expected.split(" (").next().unwrap_or_default(), Ok(growth_option(row.input))),
        "config" => compare(row.expected, config_rule(row.input)),
        _ => compare(row.expected, devices(row)),
    });
    assert_eq!(count, Count { same: 0, different: 0, no_meaning: 0 });
}

/// The value of `key=` in an input.
fn field<'a>(input: &'a str, key: &str) -> Option<&'a str> {
    input.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

fn number<T: std::str::FromStr>(input: &str, key: &str) -> Option<T> {
    field(input, key).map(|text| text.parse().unwrap_or_else(|_| panic!("{key} is no number in {input}")))
}

/// `[[1024,2048],[]]` in MiB.
fn lists(text: &str) -> Vec<Vec<u64>> {
    let inner = text.strip_prefix("[[").and_then(|text| text.strip_suffix("]]")).expect("a list of lists");
    let list = |text: &str| text.split(',').filter(|text| !text.is_empty()).map(|mib| mib.parse().unwrap()).collect();
    inner.split("],[").map(list).collect()
}

/// Opens the devices of an input and prints what the kind of row asks for.
fn devices(row: &Row) -> Result<String, Error> {
    let input = row.input;
    let total = number(input, "total")
        .or_else(|| field(input, "physical").map(|mib| mib.trim_end_matches("MiB").parse::<u64>().unwrap() * MIB))
        .unwrap_or(16_384 * MIB);
    let present = if row.kind == "limit" { 1 } else { number(input, "visible").unwrap_or(0) };
    let mut options = GpuOptions::new();
    if let Some(list) = field(input, "list") {
        options = options.visible_device_list(&list.replace("\\e", "").replace("\\x20", " "));
    }
    if let Some(fraction) = number(input, "fraction") {
        options = options.per_process_gpu_memory_fraction(fraction);
    }
    if let Some(text) = field(input, "virtual") {
        options = options.virtual_devices(lists(text));
    }
    let mut config = Config::new().virtual_gpus(present).virtual_gpu_memory(total).gpu_options(options);
    for (device_type, key) in [(DeviceType::Gpu, "GPU"), (DeviceType::Cpu, "CPU")] {
        if let Some(count) = number(input, key) {
            config = config.device_count(device_type, count);
        }
    }
    let set = DeviceSet::open_with(&config, None)?;
    if field(input, "CPU").is_some() {
        let names: Vec<String> = set.devices().iter().map(|device| format!("CPU:{}", device.index)).collect();
        return Ok(names.join(" "));
    }
    let gpus = set.devices().iter().filter(|device| device.device_type == DeviceType::Gpu);
    let lines: Vec<String> = gpus
        .map(|device| {
            let limit = device.memory.info().limit.expect("every GPU has one");
            let physical = device.physical.as_deref().and_then(|text| text.strip_prefix("device: "));
            let id = physical.and_then(|text| text.split(',').next()).expect("every GPU has a number");
            match row.kind {
                "limit" => format!("limit={limit}"),
                "virtual" if limit == total => format!("GPU:{}={id} limit=all", device.index),
                "virtual" => format!("GPU:{}={id} limit={}MiB", device.index, limit / MIB),
                _ => format!("GPU:{}={id}", device.index),
            }
        })
        .collect();
    match lines.is_empty() {
        true => Ok("no GPU".to_owned()),
        false => Ok(lines.join(if row.kind == "virtual" { "; " } else { " " })),
    }
}

/// The variable of the row is not set: nothing here reads it.
fn growth_option(input: &str) -> String {
    let allow = number(input, "allow_growth").expect("every row sets it");
    let on = GpuOptions::new().allow_growth(allow).growth() == Growth::Growing;
    format!("growth {}", if on { "on" } else { "off" })
}

/// The rules that have a counterpart, each tried.
fn config_rule(input: &str) -> Result<String, Error> {
    let open = |options| DeviceSet::open_with(&Config::new().virtual_gpus(2).gpu_options(options), None);
    let limit = |set: &DeviceSet| set.devices()[1].memory.info().limit.unwrap_or_default();
    match input {
        "set_memory_growth on a GPU with logical devices" => {
            let set = open(GpuOptions::new().allow_growth(true).virtual_devices(vec![vec![64, 64], vec![]]))?;
            let _block = set.devices()[2].memory.reserve(1)?;
            let info = set.devices()[2].memory.info();
            Ok(format!("limit {} MiB, first region {} MiB", info.limit.unwrap_or_default() / MIB, info.reserved / MIB))
        }
        "two sessions of one process with lists 0 and 1" => {
            let sets = [open(GpuOptions::new().visible_device_list("0"))?, open(GpuOptions::new().visible_device_list("1"))?];
            let physical = sets.map(|set| usize::from(set.device_mapping()[1].contains("device: 1")));
            Ok(format!("{physical:?} GPUs are device 1"))
        }
        "two sessions of one process with different fractions" => {
            let sets = [0.25, 0.5].map(|part| open(GpuOptions::new().per_process_gpu_memory_fraction(part)));
            let [first, second] = sets;
            Ok(format!("limits of {} and {} MiB", limit(&first?) / MIB, limit(&second?) / MIB))
        }
        _ => Ok("no rule of this crate".to_owned()),
    }
}
