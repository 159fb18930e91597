use super::assert_found;
use crate::DType;
use crate::check::Rule;
use crate::check::drafts::{product, towers};
use crate::make::{arena, copy, launch, node, output, signal, wait};
use crate::plan::Output;

#[test]
fn wrong_signals_are_found() {
    assert_found(&[
        (
            "a signal out of range",
            towers,
            |d| d.lanes[0][2] = signal(2),
            Rule::Index,
            "lane 0 step 2 (signal 2) names signal 2, but the plan has 2",
        ),
        (
            "a wait out of range",
            towers,
            |d| d.lanes[1][0] = wait(2),
            Rule::Index,
            "lane 1 step 0 (wait for signal 2) names signal 2, but the plan has 2",
        ),
        (
            "given twice",
            towers,
            |d| d.lanes[1].push(signal(0)),
            Rule::Signal,
            "signal 0 is given twice: by lane 0 step 2 (signal 0), and by lane 1 step 5 (signal 0)",
        ),
        (
            "waited for but not given",
            towers,
            |d| d.remove(0, 2),
            Rule::Signal,
            "no step gives signal 0; lane 1 step 0 (wait for signal 0) waits for it",
        ),
        (
            "declared only, in a number that no table can have",
            towers,
            |d| d.signals = u32::MAX,
            Rule::Signal,
            "no step gives signal 2; no step waits for it either",
        ),
        (
            "two lanes wait for each other",
            towers,
            |d| d.lanes[0].swap(2, 3),
            Rule::Deadlock,
            "the lanes stop for ever: lane 0 step 2 (wait for signal 1) is never reached by lane 1 step 2 (signal \
             1); lane 1 step 0 (wait for signal 0) is never reached by lane 0 step 3 (signal 0)",
        ),
        (
            "a lane waits for itself",
            product,
            |d| {
                d.signals = 1;
                d.lanes[0].extend([wait(0), signal(0)]);
            },
            Rule::Deadlock,
            "the lanes stop for ever: lane 0 step 2 (wait for signal 0) is never reached by lane 0 step 3 (signal \
             0)",
        ),
    ]);
}

#[test]
fn wrong_accesses_are_found() {
    assert_found(&[
        (
            "written twice",
            product,
            |d| d.lanes[0].push(launch(0, &[0, 1], &[2], &[2], &[])),
            Rule::WrittenOnce,
            "buffer 2 (`MatMul`; slot 0, arena 0..16) is written twice: by lane 0 step 0 (launch of `matmul` for \
             `MatMul`), and by lane 0 step 2 (launch of `matmul` for `MatMul`)",
        ),
        (
            "read but not written",
            product,
            |d| d.remove(0, 0),
            Rule::WrittenOnce,
            "no step writes buffer 2 (`MatMul`; slot 0, arena 0..16); lane 0 step 0 (copy of `MatMul`) reads it",
        ),
        (
            "not used at all",
            product,
            |d| d.buffers.push(arena(0, 0, 16, 0)),
            Rule::WrittenOnce,
            "no step writes buffer 4 (`a`; slot 0, arena 0..16); no step reads it either",
        ),
        (
            "an output without a copy",
            towers,
            |d| d.remove(1, 4),
            Rule::OutputWritten,
            "no step writes output `sum`, the value of node `add`",
        ),
        (
            "an output without a buffer",
            product,
            |d| d.outputs.push(Output { name: "more", dtype: DType::U8, dims: &[], node: 0 }),
            Rule::OutputWritten,
            "no step writes output `more`, the value of node `a`",
        ),
        (
            "an output written twice, through two buffers",
            product,
            |d| {
                d.buffers.push(output(0, 16, 2));
                d.lanes[0].push(copy(2, 4));
            },
            Rule::OutputWritten,
            "output 0 is written twice: by lane 0 step 1 (copy of `MatMul`), and by lane 0 step 2 (copy of \
             `MatMul`)",
        ),
        (
            "read before it is written, in one lane",
            product,
            |d| d.lanes[0].swap(0, 1),
            Rule::ReadBeforeWrite,
            "lane 0 step 0 (copy of `MatMul`) reads buffer 2 (`MatMul`; slot 0, arena 0..16), but may run before \
             lane 0 step 1 (launch of `matmul` for `MatMul`) has written it",
        ),
        (
            "read by the step that writes it",
            product,
            |d| d.lanes[0][0] = copy(2, 2),
            Rule::ReadBeforeWrite,
            "lane 0 step 0 (copy of `MatMul`) reads buffer 2 (`MatMul`; slot 0, arena 0..16), but may run before \
             lane 0 step 0 (copy of `MatMul`) has written it",
        ),
        (
            "no wait before a read on another lane",
            towers,
            |d| d.remove(1, 0),
            Rule::ReadBeforeWrite,
            "lane 1 step 0 (copy of `Relu`) reads buffer 2 (`Relu`; slot 0, arena 64..80), but may run before lane \
             0 step 1 (launch of `relu` for `Relu`) has written it",
        ),
        (
            "a signal given before the write",
            towers,
            |d| d.lanes[0].swap(1, 2),
            Rule::ReadBeforeWrite,
            "lane 1 step 1 (copy of `Relu`) reads buffer 2 (`Relu`; slot 0, arena 64..80), but may run before lane \
             0 step 2 (launch of `relu` for `Relu`) has written it",
        ),
    ]);
}

#[test]
fn shared_bytes_are_found() {
    assert_found(&[
        (
            "no wait before the reuse of bytes that another lane reads",
            towers,
            |d| d.remove(0, 3),
            Rule::Overlap,
            "buffer 2 (`Relu`; slot 0, arena 64..80) and buffer 4 (`Exp`; slot 0, arena 64..80) share bytes and may \
             be alive at one time: lane 1 step 1 (copy of `Relu`) reads the former, and may run after lane 0 step \
             3 (launch of `exp` for `Exp`) has written the latter",
        ),
        (
            "a signal given before the read",
            towers,
            |d| d.lanes[1].swap(1, 2),
            Rule::Overlap,
            "buffer 2 (`Relu`; slot 0, arena 64..80) and buffer 4 (`Exp`; slot 0, arena 64..80) share bytes and may \
             be alive at one time: lane 1 step 2 (copy of `Relu`) reads the former, and may run after lane 0 step \
             4 (launch of `exp` for `Exp`) has written the latter",
        ),
        (
            "bytes that are still to be read, the other buffer larger and below",
            towers,
            |d| {
                d.nodes.push(node("more", "Cast", 0, "", 9, 9));
                d.buffers.push(arena(0, 0, 65, 6));
                d.slots[0].arena_bytes = 192;
                d.buffers[1] = arena(0, 128, 16, 0);
                d.lanes[0].insert(2, launch(0, &[1], &[11], &[6], &[]));
            },
            Rule::Overlap,
            "buffer 2 (`Relu`; slot 0, arena 64..80) and buffer 11 (`more`; slot 0, arena 0..65) share bytes and \
             may be alive at one time: lane 1 step 1 (copy of `Relu`) reads the former, and may run after lane 0 \
             step 2 (launch of `relu` for `more`) has written the latter",
        ),
    ]);
}
