use std::slice;

use super::{Growth, MIB, Memory};
use crate::{Code, Error};

const DEVICE: &str = "/job:localhost/replica:0/task:0/device:GPU:0";

fn memory(limit: u64, growth: Growth) -> Memory {
    Memory::limited(DEVICE, 4096 * MIB, limit, growth, "raise the limit")
}

fn fill(block: &super::Block, value: u8) {
    // SAFETY: the block is the test's alone.
    unsafe { block.address().write_bytes(value, block.bytes() as usize) }
}

fn is_zero(block: &super::Block) -> bool {
    // SAFETY: as in `fill`; all bytes are initialised.
    unsafe { slice::from_raw_parts(block.address(), block.bytes() as usize) }.iter().all(|&byte| byte == 0)
}

#[test]
fn exact_blocks_cost_what_they_hold_and_go_back() {
    let memory = memory(1000, Growth::Exact);
    let first = memory.reserve(600).unwrap();
    let second = memory.reserve(400).unwrap();
    assert_eq!((first.bytes(), second.bytes()), (600, 400));
    assert_eq!((memory.info().in_use, memory.info().reserved), (1000, 1000));
    drop(first);
    assert_eq!((memory.info().in_use, memory.info().reserved, memory.info().peak_in_use), (400, 400, 1000));
    memory.reserve(601).unwrap_err();
    assert_eq!(memory.info().in_use, 400);
    memory.reserve(600).unwrap();
}

#[test]
fn every_block_is_aligned_and_zero_also_after_reuse() {
    for growth in [Growth::Exact, Growth::Whole, Growth::Growing] {
        let memory = memory(8 * MIB, growth);
        for round in 0..3 {
            let blocks: Vec<_> = [1, 63, 64, 65, 4096, 100_000].map(|bytes| memory.reserve(bytes).unwrap()).into();
            for block in &blocks {
                assert_eq!(block.address() as usize % 64, 0, "{growth:?}, round {round}");
                assert!(is_zero(block), "{growth:?}, round {round}");
                fill(block, 0xA5);
            }
        }
        assert_eq!(memory.info().in_use, 0);
    }
}

#[test]
fn an_empty_block_costs_nothing_and_fits_into_a_full_memory() {
    let memory = memory(256, Growth::Whole);
    let empty = memory.reserve(0).unwrap();
    assert_eq!((empty.bytes(), empty.address() as usize % 64), (0, 0));
    assert_eq!(memory.info().reserved, 0);
    let _full = memory.reserve(256).unwrap();
    memory.reserve(0).unwrap();
}

#[test]
fn the_whole_limit_is_taken_by_the_first_block_and_kept() {
    let memory = memory(1024 * MIB, Growth::Whole);
    assert_eq!(memory.info().reserved, 0);
    drop(memory.reserve(1).unwrap());
    assert_eq!((memory.info().reserved, memory.info().in_use, memory.info().peak_in_use), (1024 * MIB, 0, 256));
}

#[test]
fn a_growing_memory_never_shrinks() {
    let memory = memory(1024 * MIB, Growth::Growing);
    let blocks = [MIB, 3 * MIB, 20 * MIB].map(|bytes| memory.reserve(bytes).unwrap());
    let grown = memory.info().reserved;
    drop(blocks);
    assert_eq!((memory.info().reserved, memory.info().in_use), (grown, 0));
}

#[test]
fn blocks_outlive_their_memory() {
    for growth in [Growth::Exact, Growth::Whole, Growth::Growing] {
        let block = memory(MIB, growth).reserve(1000).unwrap();
        fill(&block, 1);
        std::thread::spawn(move || drop(block)).join().unwrap();
    }
}

#[test]
fn threads_share_one_account() {
    let memory = memory(64 * MIB, Growth::Growing);
    std::thread::scope(|scope| {
        for value in 1..5 {
            let memory = &memory;
            scope.spawn(move || {
                for bytes in 1..200 {
                    let block = memory.reserve(bytes * 37).unwrap();
                    assert!(is_zero(&block));
                    fill(&block, value);
                }
            });
        }
    });
    assert_eq!(memory.info().in_use, 0);
}

#[test]
fn the_error_names_device_sizes_and_repair() {
    let memory = memory(2 * MIB, Growth::Exact);
    let _used = memory.reserve(MIB).unwrap();
    let Error { code, message } = memory.reserve(3 * MIB / 2).unwrap_err();
    assert_eq!(code, Code::ResourceExhausted);
    assert_eq!(
        message,
        "/job:localhost/replica:0/task:0/device:GPU:0: 1572864 bytes (1.5 MiB) are wanted in one block, but its limit \
         is 2097152 bytes (2 MiB) and 1048576 bytes (1 MiB) are in use; help: raise the limit"
    );
}

#[test]
fn the_error_of_a_grown_memory_explains_the_pieces() {
    let memory = memory(100 * MIB, Growth::Growing);
    let _first = memory.reserve(60 * MIB).unwrap();
    let message = memory.reserve(40 * MIB).unwrap_err().message;
    assert!(
        message.contains("67108864 bytes (64 MiB) lie in regions taken so far, whose largest free range is 4194304 bytes (4 MiB)"),
        "{message}"
    );
    assert!(message.contains("leave `allow_growth` unset"), "{message}");
}

#[test]
fn what_the_machine_does_not_have_is_an_error_and_no_abort() {
    for bytes in [u64::MAX, u64::MAX / 2, 1 << 62] {
        for memory in [Memory::host(DEVICE), memory(u64::MAX, Growth::Exact), memory(u64::MAX, Growth::Growing)] {
            let error = memory.reserve(bytes).unwrap_err();
            assert_eq!(error.code, Code::ResourceExhausted);
            assert!(error.message.contains("help: "), "{error}");
            assert_eq!(memory.info().in_use, 0);
            memory.reserve(100).unwrap();
        }
    }
}

#[test]
fn the_host_has_no_limit() {
    let memory = Memory::host("/job:localhost/replica:0/task:0/device:CPU:0");
    let _block = memory.reserve(3 * MIB + 1).unwrap();
    let info = memory.info();
    assert_eq!((info.total, info.limit, info.in_use, info.reserved), (None, None, 3 * MIB + 1, 3 * MIB + 1));
    assert_eq!(
        info.to_string(),
        "3145729 bytes (3.0 MiB) in use, peak 3145729 bytes (3.0 MiB), reserved 3145729 bytes (3.0 MiB), limit none, \
         total unknown"
    );
}

/// With an alignment that malloc does not give, `alloc_zeroed` would write to, and so commit, every page.
#[cfg(target_os = "linux")]
#[test]
fn an_untouched_region_is_not_committed() {
    let resident_pages = || -> u64 {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        statm.split(' ').nth(1).unwrap().parse().unwrap()
    };
    let before = resident_pages();
    let memory = memory(1024 * MIB, Growth::Whole);
    let _block = memory.reserve(512 * MIB).unwrap();
    let committed = resident_pages().saturating_sub(before);
    // 256 MiB of pages of 4 KiB: other tests run beside this one.
    assert!(committed < 65_536, "{committed} pages");
}
