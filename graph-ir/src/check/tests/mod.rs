mod accesses;
mod steps;
mod tables;

use super::Rule;
use super::drafts::{Draft, chain, kernel, product, towers};
use crate::make::{arena, copy, launch, signal, slot, wait};

#[test]
fn sound_plans_pass() {
    for (name, draft) in [("product", product()), ("towers", towers()), ("chain", chain(5, 3))] {
        draft.plan().check().unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// One change that breaks one rule: what is changed, the draft, the change, the rule, and all of the message.
type Mutation = (&'static str, fn() -> Draft, fn(&mut Draft), Rule, &'static str);

fn assert_found(mutations: &[Mutation]) {
    for (what, draft, change, rule, message) in mutations {
        let mut draft = draft();
        change(&mut draft);
        let error = draft.plan().check().expect_err(what);
        assert_eq!((error.rule(), error.message()), (*rule, *message), "{what}");
    }
}

#[test]
fn unordered_writes_of_one_place_are_found() {
    // A value that nobody reads is in the way only while it is written.
    let draft = |offset| {
        let mut draft = product();
        draft.buffers.push(arena(0, offset, 16, 2));
        draft.slots[0].arena_bytes = 128;
        draft.lanes[0].insert(1, launch(0, &[0, 1], &[4], &[2], &[]));
        draft.plan()
    };
    assert_eq!(draft(64).check(), Ok(()));
    assert_eq!(draft(0).check().map_err(|error| error.rule()), Err(Rule::Overlap));
    let mut after = product();
    after.buffers.push(arena(0, 0, 16, 2));
    after.lanes[0].push(launch(0, &[0, 1], &[4], &[2], &[]));
    assert_eq!(after.plan().check(), Ok(()));
}

#[test]
fn empty_buffers_conflict_with_nothing_and_need_no_write() {
    let mut draft = product();
    draft.slots.push(slot("/device:CPU:0", "/cpu:0", 0, 0, u32::MAX));
    draft.lanes.push(vec![copy(4, 5)]);
    draft.buffers.extend([arena(0, 0, 0, 0), arena(1, 0, 0, 0)]);
    draft.lanes[0][0] = launch(0, &[0, 1, 4], &[2], &[2], &[]);
    assert_eq!(draft.plan().check(), Ok(()));
}

#[test]
fn order_is_known_through_other_lanes() {
    // Lane 0 computes, lane 1 passes the word on, lane 2 reads.
    let relay = |passes: bool| {
        let mut draft = product();
        draft.slots[0].peak_node = 0;
        draft.slots.extend([slot("", "", 0, 0, 0), slot("", "", 64, 0, 0)]);
        draft.buffers.push(arena(2, 0, 16, 2));
        draft.signals = 2;
        draft.lanes[0].insert(1, signal(0));
        let mut middle = vec![wait(0), signal(1)];
        if !passes {
            middle.swap(0, 1);
        }
        draft.lanes.extend([middle, vec![wait(1), copy(2, 4)]]);
        draft.plan().check().map_err(|error| error.rule())
    };
    assert_eq!(relay(true), Ok(()));
    assert_eq!(relay(false), Err(Rule::ReadBeforeWrite));
}

#[test]
fn an_error_reads_as_a_sentence_with_a_repair() {
    let mut draft = towers();
    draft.lanes[1].remove(0);
    let error = draft.plan().check().expect_err("the wait is missing");
    assert_eq!(
        error.to_string(),
        "plan `draft`: lane 1 step 0 (copy of `Relu`) reads buffer 2 (`Relu`; slot 0, arena 64..80), but may run \
         before lane 0 step 1 (launch of `relu` for `Relu`) has written it\nhelp: write first, and between lanes \
         give a signal after the write and wait for it"
    );
}

#[test]
fn large_plans_are_judged_to_the_end() {
    for lanes in [1, 4] {
        assert_eq!(chain(5000, lanes).plan().check(), Ok(()));
        // The last reuse alone is wrong.
        let mut draft = chain(5000, lanes);
        let last = draft.buffers.len() as u32 - 2;
        draft.kernels.push(kernel("late"));
        draft.buffers.push(arena((5000 - 1) % lanes, 64, 64, 0));
        draft.nodes[0].slot = (5000 - 1) % lanes;
        let steps = &mut draft.lanes[((5000 - 1) % lanes) as usize];
        let end = steps.len() - 1;
        steps.insert(end, launch(1, &[], vec![last + 2].leak(), &[0], &[]));
        let error = draft.plan().check().expect_err("the output is overwritten before it is copied");
        assert_eq!(error.rule(), Rule::Overlap);
        let names = [format!("buffer {last} "), format!("buffer {} ", last + 2)];
        assert!(names.iter().all(|name| error.message().contains(name)), "{error}");
    }
}
