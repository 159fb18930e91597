use super::assert_found;
use crate::check::Rule;
use crate::check::drafts::{product, towers};
use crate::make::{arena, copy, launch};
use crate::plan::Site;

#[test]
fn wrong_launches_are_found() {
    assert_found(&[
        (
            "a kernel",
            product,
            |d| d.lanes[0][0] = launch(1, &[0, 1], &[2], &[2], &[]),
            Rule::Index,
            "lane 0 step 0 (launch of `?` for `MatMul`) names kernel 1, but the plan has 1",
        ),
        (
            "a buffer read",
            product,
            |d| d.lanes[0][0] = launch(0, &[0, 4], &[2], &[2], &[]),
            Rule::Index,
            "lane 0 step 0 (launch of `matmul` for `MatMul`) names buffer 4, but the plan has 4",
        ),
        (
            "a buffer written",
            product,
            |d| d.lanes[0][0] = launch(0, &[0, 1], &[4], &[2], &[]),
            Rule::Index,
            "lane 0 step 0 (launch of `matmul` for `MatMul`) names buffer 4, but the plan has 4",
        ),
        (
            "a computed node",
            product,
            |d| d.lanes[0][0] = launch(0, &[0, 1], &[2], &[2, 3], &[]),
            Rule::Index,
            "lane 0 step 0 (launch of `matmul` for `MatMul`, ?3) names node 3, but the plan has 3",
        ),
        (
            "the node of a range check",
            product,
            |d| d.lanes[0][0] = launch(0, &[0, 1], &[2], &[2], &[Site { node: 8, bound: 2 }]),
            Rule::Index,
            "lane 0 step 0 (launch of `matmul` for `MatMul`) names node 8, but the plan has 3",
        ),
        (
            "reads another slot's arena",
            towers,
            |d| d.lanes[1][3] = launch(2, &[2, 6], &[7], &[4], &[]),
            Rule::LaunchReads,
            "lane 1 step 3 (launch of `fused_add` for `add`) reads buffer 2 (`Relu`; slot 0, arena 64..80), which \
             is not in the memory of its slot",
        ),
        (
            "reads another slot's constant",
            towers,
            |d| d.lanes[0][1] = launch(0, &[6], &[2], &[1], &[]),
            Rule::LaunchReads,
            "lane 0 step 1 (launch of `relu` for `Relu`) reads buffer 6 (`c`; slot 1, constant 0 0..16), which is \
             not in the memory of its slot",
        ),
        (
            "reads the caller's array",
            towers,
            |d| d.lanes[0][1] = launch(0, &[0], &[2], &[1], &[]),
            Rule::LaunchReads,
            "lane 0 step 1 (launch of `relu` for `Relu`) reads buffer 0 (`x`; input `x`), which is not in the \
             memory of its slot",
        ),
        (
            "writes another slot's arena",
            towers,
            |d| d.lanes[1][3] = launch(2, &[3, 6], &[4], &[4], &[]),
            Rule::LaunchWrites,
            "lane 1 step 3 (launch of `fused_add` for `add`) writes buffer 4 (`Exp`; slot 0, arena 64..80), which \
             is not in the arena of its slot",
        ),
        (
            "writes a constant",
            product,
            |d| d.lanes[0][0] = launch(0, &[0], &[1], &[1], &[]),
            Rule::LaunchWrites,
            "lane 0 step 0 (launch of `matmul` for `b`) writes buffer 1 (`b`; slot 0, constant 1 64..88), which is \
             not in the arena of its slot",
        ),
        (
            "writes an output",
            product,
            |d| d.lanes[0][0] = launch(0, &[0, 1], &[3], &[2], &[]),
            Rule::LaunchWrites,
            "lane 0 step 0 (launch of `matmul` for `MatMul`) writes buffer 3 (`MatMul`; output 0), which is not in \
             the arena of its slot",
        ),
        (
            "writes the value of a node that it does not compute",
            product,
            |d| d.lanes[0][0] = launch(0, &[0, 1], &[2], &[1], &[]),
            Rule::Value,
            "lane 0 step 0 (launch of `matmul` for `b`) writes buffer 2 (`MatMul`; slot 0, arena 0..16), but does \
             not compute that node",
        ),
        (
            "runs on another slot than its node",
            towers,
            |d| d.nodes[4].slot = 0,
            Rule::Placement,
            "lane 1 step 3 (launch of `fused_add` for `add`) computes node `add`, which is placed on slot 0 \
             (/device:GPU:0)",
        ),
        (
            "writes over its operand",
            towers,
            |d| d.buffers[7] = arena(1, 0, 16, 4),
            Rule::OperandsOverlap,
            "lane 1 step 3 (launch of `fused_add` for `add`) writes buffer 7 (`add`; slot 1, arena 0..16), over its \
             operand buffer 3 (`Relu`; slot 1, arena 0..16)",
        ),
        (
            "two results share bytes",
            product,
            |d| {
                d.buffers.push(arena(0, 0, 64, 2));
                d.lanes[0][0] = launch(0, &[0, 1], &[4, 2], &[2], &[]);
            },
            Rule::OperandsOverlap,
            "lane 0 step 0 (launch of `matmul` for `MatMul`) writes buffer 4 (`MatMul`; slot 0, arena 0..64), over \
             its operand buffer 2 (`MatMul`; slot 0, arena 0..16)",
        ),
    ]);
}

#[test]
fn wrong_copies_are_found() {
    assert_found(&[
        (
            "reads a buffer that is none",
            product,
            |d| d.lanes[0][1] = copy(4, 3),
            Rule::Index,
            "lane 0 step 1 (copy of ?) names buffer 4, but the plan has 4",
        ),
        (
            "reads an output",
            towers,
            |d| d.lanes[0][5] = copy(5, 4),
            Rule::CopyReads,
            "lane 0 step 5 (copy of `Exp`) reads buffer 5 (`Exp`; output `z`), which is the caller's to read",
        ),
        (
            "writes an input",
            towers,
            |d| d.lanes[0][0] = copy(1, 0),
            Rule::CopyWrites,
            "lane 0 step 0 (copy of `x`) writes buffer 0 (`x`; input `x`), which is neither in its slot's arena nor \
             an output",
        ),
        (
            "writes a constant",
            product,
            |d| d.lanes[0][1] = copy(0, 1),
            Rule::CopyWrites,
            "lane 0 step 1 (copy of `a`) writes buffer 1 (`b`; slot 0, constant 1 64..88), which is neither in its \
             slot's arena nor an output",
        ),
        (
            "pushes into another slot",
            towers,
            |d| {
                let step = d.lanes[1].remove(1);
                d.lanes[0].insert(2, step);
            },
            Rule::CopyWrites,
            "lane 0 step 2 (copy of `Relu`) writes buffer 3 (`Relu`; slot 1, arena 0..16), which is neither in its \
             slot's arena nor an output",
        ),
        (
            "between two sizes",
            towers,
            |d| d.buffers[3] = arena(1, 0, 32, 1),
            Rule::CopySize,
            "lane 1 step 1 (copy of `Relu`) copies buffer 2 (`Relu`; slot 0, arena 64..80), 16 bytes, to buffer 3 \
             (`Relu`; slot 1, arena 0..32), 32 bytes",
        ),
        (
            "of another value",
            towers,
            |d| d.lanes[1][1] = copy(1, 3),
            Rule::Value,
            "lane 1 step 1 (copy of `x`) copies buffer 1 (`x`; slot 0, arena 0..16) to buffer 3 (`Relu`; slot 1, \
             arena 0..16), which holds another value",
        ),
    ]);
}
