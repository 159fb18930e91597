//! The rows of `memory.tsv` that drive the pool with a simulated driver.

use std::cell::RefCell;
use std::rc::Rc;

use crate::memory::{Growth, Memory, RegionPool};

/// A region of the simulated driver, which notes when it goes back.
struct Simulated {
    bytes: u64,
    driver: Rc<RefCell<Driver>>,
}

#[derive(Default)]
struct Driver {
    held: u64,
    events: Vec<(&'static str, u64)>,
}

impl Drop for Simulated {
    fn drop(&mut self) {
        let mut driver = self.driver.borrow_mut();
        driver.held -= self.bytes;
        driver.events.push(("freed", self.bytes));
    }
}

/// The deviation from `expected`, if any.
pub(super) fn run(input: &str, expected: &str) -> Result<(), String> {
    let field = |key: &str| {
        let value = input.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        value.unwrap_or_else(|| panic!("no {key} in {input}"))
    };
    let requests: Vec<&str> = field("requests").split(',').collect();
    let (limit, grows) = (size(field("limit")), field("growth") == "1");
    let observed = if expected.starts_with("null") {
        chunks(limit, grows, &requests)
    } else {
        regions(size(field("capacity")), limit, grows, &requests)
    };
    if observed == normal_form(expected) { Ok(()) } else { Err(observed) }
}

/// `256`, `1000B`, `2MiB`, `inf`.
fn size(text: &str) -> u64 {
    match text.strip_suffix("MiB") {
        Some(mib) => mib.parse::<u64>().unwrap() << 20,
        None if text == "inf" => u64::MAX,
        None => text.trim_end_matches('B').parse().unwrap(),
    }
}

/// What each request costs, of a real memory.
fn chunks(limit: u64, grows: bool, requests: &[&str]) -> String {
    let growth = if grows { Growth::Growing } else { Growth::Whole };
    let memory = Memory::limited("GPU:0", limit, limit, growth, "");
    let mut blocks = Vec::new();
    let costs = requests.iter().map(|request| {
        let before = memory.info().in_use;
        blocks.push(memory.reserve(size(request)).expect("all fit"));
        match memory.info().in_use - before {
            0 => "null".to_owned(),
            cost => cost.to_string(),
        }
    });
    costs.collect::<Vec<_>>().join(" ")
}

/// What the pool asks of the driver. Refusals count only where the request is served in the end, as in the table.
fn regions(capacity: u64, limit: u64, grows: bool, requests: &[&str]) -> String {
    let driver = Rc::new(RefCell::new(Driver::default()));
    let mut pool = RegionPool::new(limit, grows);
    let mut pieces = Vec::new();
    let mut failed = Vec::new();
    for (position, request) in requests.iter().enumerate() {
        if let Some(served) = request.strip_prefix("free#") {
            let (region, offset, bytes) = pieces[served.parse::<usize>().unwrap() - 1];
            pool.release(region, offset, bytes);
            continue;
        }
        let before = driver.borrow().events.len();
        let piece = pool.reserve(size(request), &mut |bytes| {
            let mut state = driver.borrow_mut();
            if bytes > capacity - state.held {
                state.events.push(("refused", bytes));
                return None;
            }
            state.held += bytes;
            state.events.push(("region", bytes));
            Some(Rc::new(Simulated { bytes, driver: Rc::clone(&driver) }))
        });
        match piece {
            Some(piece) => pieces.push((piece.region, piece.offset, piece.bytes)),
            None => {
                driver.borrow_mut().events.truncate(before);
                failed.push(format!("fails {}", position + 1));
            }
        }
    }
    let events = driver.borrow().events.iter().map(|(event, bytes)| format!("{event} {bytes}")).collect::<Vec<_>>();
    [events, failed].concat().join(", ")
}

/// `regions 1 2; second request fails` as `region 1, region 2, fails 2`; a list of chunks stays.
fn normal_form(expected: &str) -> String {
    let mut events = Vec::new();
    for part in expected.split("; ") {
        let words: Vec<&str> = part.split(' ').collect();
        match words[0] {
            "null" => return expected.to_owned(),
            "second" if words[1] == "and" => events.extend(["fails 2".to_owned(), "fails 3".to_owned()]),
            "second" => events.push("fails 2".to_owned()),
            verb => events.extend(words[1..].iter().map(|bytes| format!("{} {bytes}", verb.trim_end_matches('s')))),
        }
    }
    events.join(", ")
}
