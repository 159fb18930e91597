//! Small plans by hand, and what it takes to break them.

use crate::make::{arena, constant, copy, input, launch, node, output, signal, slot, wait};
use crate::plan::{ABI, Buffer, Constant, Input, Kernel, Lane, Node, Output, Slot, Step};
use crate::{DType, Plan};

/// A plan that can be changed.
pub(crate) struct Draft {
    pub(crate) abi: u32,
    pub(crate) slots: Vec<Slot>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) lanes: Vec<Vec<Step>>,
    pub(crate) signals: u32,
}

impl Draft {
    /// The plan; its tables are leaked.
    pub(crate) fn plan(self) -> Plan {
        Plan {
            abi: self.abi,
            name: "draft",
            file: "src/main.rs",
            slots: self.slots.leak(),
            nodes: self.nodes.leak(),
            buffers: self.buffers.leak(),
            constants: self.constants.leak(),
            inputs: self.inputs.leak(),
            outputs: self.outputs.leak(),
            kernels: self.kernels.leak(),
            lanes: self
                .lanes
                .into_iter()
                .map(|steps| Lane { steps: steps.leak() })
                .collect::<Vec<_>>()
                .leak(),
            signals: self.signals,
        }
    }

    /// Takes a step away.
    pub(crate) fn remove(&mut self, lane: usize, step: usize) {
        self.lanes[lane].remove(step);
    }
}

pub(crate) fn kernel(name: &'static str) -> Kernel {
    Kernel { name, cpu: |_| {} }
}

/// `matmul(a, b)` of two constants, `f32[2, 3]` and `f32[3, 2]`.
pub(crate) fn product() -> Draft {
    Draft {
        abi: ABI,
        slots: vec![slot("", "", 64, 128, 2)],
        nodes: vec![
            node("a", "Const", 0, "a", 2, 13),
            node("b", "Const", 0, "b", 3, 13),
            node("MatMul", "MatMul", 0, "", 4, 5),
        ],
        buffers: vec![
            constant(0, 0, 0, 24, 0),
            constant(0, 1, 64, 24, 1),
            arena(0, 0, 16, 2),
            output(0, 16, 2),
        ],
        constants: vec![Constant { data: &[0; 24] }, Constant { data: &[1; 24] }],
        inputs: vec![],
        outputs: vec![Output { name: "", dtype: DType::F32, dims: &[2, 2], node: 2 }],
        kernels: vec![kernel("matmul")],
        lanes: vec![vec![launch(0, &[0, 1], &[2], &[2], &[]), copy(2, 3)]],
        signals: 0,
    }
}

/// Two slots. The first computes `relu(x)` and then `exp(x)` over the bytes of `relu(x)`, once the second slot has
/// fetched that; the second adds a constant to it. It also has an empty result that no step computes.
pub(crate) fn towers() -> Draft {
    Draft {
        abi: ABI,
        slots: vec![
            slot("/device:GPU:0", "/gpu:0", 128, 0, 1),
            slot("/device:GPU:1", "/device:GPU:1", 128, 64, 4),
        ],
        nodes: vec![
            node("x", "Input", 0, "", 1, 14),
            node("Relu", "Relu", 0, "y", 3, 17),
            node("Exp", "Exp", 0, "z", 4, 17),
            node("c", "Const", 1, "c", 6, 17),
            node("add", "Add", 1, "", 7, 9),
            node("none", "Slice", 0, "none", 8, 9),
        ],
        buffers: vec![
            input(0, 16, 0),
            arena(0, 0, 16, 0),
            arena(0, 64, 16, 1),
            arena(1, 0, 16, 1),
            arena(0, 64, 16, 2),
            output(0, 16, 2),
            constant(1, 0, 0, 16, 3),
            arena(1, 64, 16, 4),
            output(1, 16, 4),
            arena(0, 64, 0, 5),
            output(2, 0, 5),
        ],
        constants: vec![Constant { data: &[0; 16] }],
        inputs: vec![Input { name: "x", dtype: DType::F32, dims: &[4] }],
        outputs: vec![
            Output { name: "z", dtype: DType::F32, dims: &[4], node: 2 },
            Output { name: "sum", dtype: DType::F32, dims: &[4], node: 4 },
            Output { name: "none", dtype: DType::F32, dims: &[0, 4], node: 5 },
        ],
        kernels: vec![kernel("relu"), kernel("exp"), kernel("fused_add")],
        lanes: vec![
            vec![
                copy(0, 1),
                launch(0, &[1], &[2], &[1], &[]),
                signal(0),
                wait(1),
                launch(1, &[1], &[4], &[2], &[]),
                copy(4, 5),
            ],
            vec![wait(0), copy(2, 3), signal(1), launch(2, &[3, 6], &[7], &[4], &[]), copy(7, 8)],
        ],
        signals: 2,
    }
}

/// A chain of `length` launches over two ranges that take turns, each value on the next of `lanes` slots: every lane
/// fetches from the one before, which may go on only after that.
pub(crate) fn chain(length: u32, lanes: u32) -> Draft {
    let mut draft = Draft {
        abi: ABI,
        slots: (0..lanes).map(|_| slot("", "", 128, 0, 0)).collect(),
        nodes: vec![],
        buffers: vec![input(0, 64, 0)],
        constants: vec![],
        inputs: vec![Input { name: "x", dtype: DType::U8, dims: &[64] }],
        outputs: vec![Output { name: "", dtype: DType::U8, dims: &[64], node: length }],
        kernels: vec![kernel("neg")],
        lanes: (0..lanes).map(|_| vec![]).collect(),
        signals: 0,
    };
    draft.nodes.push(node("x", "Input", 0, "", 1, 1));
    let mut value = 0;
    for i in 0..length {
        let lane = i % lanes;
        let (own, result) = (value + 1, value + 2);
        draft.nodes.push(node(format!("Neg_{i}").leak(), "Neg", lane, "", 1, 1));
        draft.buffers.extend([arena(lane, 0, 64, i), arena(lane, 64, 64, i + 1)]);
        let steps = |draft: &mut Draft, lane: u32, steps: Vec<Step>| {
            draft.lanes[lane as usize].extend(steps);
        };
        if i > 0 && lanes > 1 {
            let before = (i - 1) % lanes;
            let (ready, fetched) = (draft.signals, draft.signals + 1);
            draft.signals += 2;
            steps(&mut draft, before, vec![signal(ready), wait(fetched)]);
            steps(&mut draft, lane, vec![wait(ready), copy(value, own), signal(fetched)]);
        } else {
            steps(&mut draft, lane, vec![copy(value, own)]);
        }
        let write = launch(0, vec![own].leak(), vec![result].leak(), vec![i + 1].leak(), &[]);
        steps(&mut draft, lane, vec![write]);
        value = result;
    }
    draft.buffers.push(output(0, 64, length));
    draft.lanes[((length - 1) % lanes) as usize].push(copy(value, value + 1));
    draft
}
