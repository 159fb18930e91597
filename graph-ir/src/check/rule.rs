//! What a plan must keep to.

/// A rule of [`Plan::check`](crate::Plan::check).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// The plan has the layout that this crate reads.
    Abi,
    /// Every slot has one lane.
    Lanes,
    /// Every index is in its table.
    Index,
    /// The node at a slot's peak is a node, or `u32::MAX` where the arena is empty.
    PeakNode,
    /// A buffer has as many bytes as the input, output or constant that it is the place of.
    Size,
    /// An offset is a multiple of [`ALIGNMENT`](crate::plan::ALIGNMENT).
    Alignment,
    /// A buffer lies inside its slot's arena, or its slot's constants.
    Bounds,
    /// The uploaded constants of a slot do not overlap.
    ConstantsOverlap,
    /// A launch reads buffers in the memory of its own slot only.
    LaunchReads,
    /// A launch writes arena buffers of its own slot only.
    LaunchWrites,
    /// The node whose value a launch writes is placed on the launch's slot.
    Placement,
    /// A launch writes values of nodes that it computes; a copy keeps the value; an output gets its node's value.
    Value,
    /// A copy reads anything but an output.
    CopyReads,
    /// A copy writes an arena buffer of its own slot, or an output.
    CopyWrites,
    /// Both sides of a copy have the same size.
    CopySize,
    /// What a launch writes shares no bytes with its other operands.
    OperandsOverlap,
    /// Each signal is given exactly once.
    Signal,
    /// All lanes come to their ends.
    Deadlock,
    /// Each arena buffer is written exactly once in a run.
    WrittenOnce,
    /// Each output that has elements is written exactly once in a run.
    OutputWritten,
    /// A read happens after the write.
    ReadBeforeWrite,
    /// Of two buffers that share bytes, one is done with before the other is written.
    Overlap,
}

impl Rule {
    /// What whoever made the plan can do.
    pub(super) const fn repair(self) -> &'static str {
        match self {
            Rule::Abi => "build the crate anew, with one version of all graph crates",
            Rule::Lanes => "give every slot a lane, in the order of the slots; one without work is empty",
            Rule::Index => "name a row that exists",
            Rule::PeakNode => "name the node at the peak, or u32::MAX for an arena of 0 bytes",
            Rule::Size => "make the buffer as large as its contents",
            Rule::Alignment => "round the offset up to the alignment",
            Rule::Bounds => "enlarge the memory of the slot, or move the buffer",
            Rule::ConstantsOverlap => "give each uploaded constant bytes of its own",
            Rule::LaunchReads => "copy the value into the slot first, and read the copy",
            Rule::LaunchWrites => "write into the arena of the slot, and copy from there",
            Rule::Placement => "move the launch into the lane of the node's slot",
            Rule::Value => "name the buffer that holds the wanted value",
            Rule::CopyReads => "copy from the buffer that the output was copied from",
            Rule::CopyWrites => "let the lane of the written slot do the copy",
            Rule::CopySize => "copy between buffers of one size",
            Rule::OperandsOverlap => "give the result bytes that no operand of the launch uses",
            Rule::Signal => "give each signal once, in one lane",
            Rule::Deadlock => "give each signal at a step that does not depend on the wait for it",
            Rule::WrittenOnce => "use a buffer of its own for each value, written by one step",
            Rule::OutputWritten => "copy the result to the output once",
            Rule::ReadBeforeWrite => {
                "write first, and between lanes give a signal after the write and wait for it"
            }
            Rule::Overlap => "move one of them, or order the steps, between lanes by a signal and a wait",
        }
    }
}
