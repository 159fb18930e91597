use super::assert_found;
use crate::DType;
use crate::check::Rule;
use crate::check::drafts::{product, towers};
use crate::make::{arena, constant, input, output};
use crate::plan::Constant;

#[test]
fn wrong_tables_are_found() {
    assert_found(&[
        (
            "another layout",
            product,
            |d| d.abi = 7,
            Rule::Abi,
            "it has layout 7, but this crate reads layout 1",
        ),
        ("a lane too few", towers, |d| d.lanes.truncate(1), Rule::Lanes, "it has 2 slots, but 1 lanes"),
        (
            "a peak node that is none",
            product,
            |d| d.slots[0].peak_node = 3,
            Rule::PeakNode,
            "slot 0 (default device) has peak node 3, but the plan has 3 nodes",
        ),
        (
            "no peak node",
            product,
            |d| d.slots[0].peak_node = u32::MAX,
            Rule::PeakNode,
            "slot 0 (default device) has an arena of 64 bytes, but no peak node",
        ),
        (
            "the slot of a node",
            product,
            |d| d.nodes[1].slot = 1,
            Rule::Index,
            "node `b` names slot 1, but the plan has 1",
        ),
        (
            "the node of an output",
            product,
            |d| d.outputs[0].node = 3,
            Rule::Index,
            "output 0 names node 3, but the plan has 3",
        ),
        (
            "the node of a buffer",
            product,
            |d| d.buffers[2].node = 9,
            Rule::Index,
            "buffer 2 (?9; slot 0, arena 0..16) names node 9, but the plan has 3",
        ),
        (
            "the slot of an arena",
            product,
            |d| d.buffers[2] = arena(1, 0, 16, 2),
            Rule::Index,
            "buffer 2 (`MatMul`; slot 1, arena 0..16) names slot 1, but the plan has 1",
        ),
        (
            "the slot of a constant",
            product,
            |d| d.buffers[1] = constant(1, 1, 64, 24, 1),
            Rule::Index,
            "buffer 1 (`b`; slot 1, constant 1 64..88) names slot 1, but the plan has 1",
        ),
        (
            "a constant",
            product,
            |d| d.buffers[1] = constant(0, 2, 64, 24, 1),
            Rule::Index,
            "buffer 1 (`b`; slot 0, constant 2 64..88) names constant 2, but the plan has 2",
        ),
        (
            "an input",
            towers,
            |d| d.buffers[0] = input(1, 16, 0),
            Rule::Index,
            "buffer 0 (`x`; input 1, which does not exist) names input 1, but the plan has 1",
        ),
        (
            "an output",
            product,
            |d| d.buffers[3] = output(1, 16, 2),
            Rule::Index,
            "buffer 3 (`MatMul`; output 1, which does not exist) names output 1, but the plan has 1",
        ),
    ]);
}

#[test]
fn wrong_sizes_and_offsets_are_found() {
    assert_found(&[
        (
            "the size of an input",
            towers,
            |d| d.inputs[0].dtype = DType::F64,
            Rule::Size,
            "buffer 0 (`x`; input `x`) has 16 bytes, but f64[4] takes 32 bytes",
        ),
        (
            "the size of an output",
            product,
            |d| d.outputs[0].dims = &[2, 3],
            Rule::Size,
            "buffer 3 (`MatMul`; output 0) has 16 bytes, but f32[2, 3] takes 24 bytes",
        ),
        (
            "a size past 64 bits",
            product,
            |d| d.outputs[0].dims = &[1 << 32, 1 << 31],
            Rule::Size,
            "buffer 3 (`MatMul`; output 0) has 16 bytes, but f32[4294967296, 2147483648] takes more bytes than \
             64 bits can count",
        ),
        (
            "the size of a constant",
            product,
            |d| d.constants[1] = Constant { data: &[0; 20] },
            Rule::Size,
            "buffer 1 (`b`; slot 0, constant 1 64..88) has 24 bytes, but constant 1 takes 20 bytes",
        ),
        (
            "an odd offset in an arena",
            towers,
            |d| d.buffers[2] = arena(0, 32, 16, 1),
            Rule::Alignment,
            "buffer 2 (`Relu`; slot 0, arena 32..48) is at offset 32, no multiple of 64",
        ),
        (
            "an odd offset among the constants",
            product,
            |d| d.buffers[1] = constant(0, 1, 96, 24, 1),
            Rule::Alignment,
            "buffer 1 (`b`; slot 0, constant 1 96..120) is at offset 96, no multiple of 64",
        ),
        (
            "an arena too small",
            towers,
            |d| d.slots[0].arena_bytes = 79,
            Rule::Bounds,
            "buffer 2 (`Relu`; slot 0, arena 64..80) takes 16 bytes at offset 64, but the arena of the slot has \
             79 bytes",
        ),
        (
            "an offset near the end of the numbers",
            towers,
            |d| d.buffers[2] = arena(0, u64::MAX - 63, 128, 1),
            Rule::Bounds,
            "buffer 2 (`Relu`; slot 0, arena 18446744073709551552..18446744073709551615) takes 128 bytes at \
             offset 18446744073709551552, but the arena of the slot has 128 bytes",
        ),
        (
            "constants without room",
            product,
            |d| d.slots[0].constant_bytes = 64,
            Rule::Bounds,
            "buffer 1 (`b`; slot 0, constant 1 64..88) takes 24 bytes at offset 64, but the memory for constants \
             of the slot has 64 bytes",
        ),
        (
            "two constants in one place",
            product,
            |d| d.buffers[1] = constant(0, 1, 0, 24, 1),
            Rule::ConstantsOverlap,
            "buffer 0 (`a`; slot 0, constant 0 0..24) and buffer 1 (`b`; slot 0, constant 1 0..24) overlap where \
             they are uploaded",
        ),
        (
            "an output that gets another value",
            towers,
            |d| d.outputs[1].node = 3,
            Rule::Value,
            "buffer 8 (`add`; output `sum`) holds node `add`, but output `sum` is the value of node `c`",
        ),
    ]);
}
