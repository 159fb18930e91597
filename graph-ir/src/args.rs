//! How a kernel gets its operands.
//!
//! A kernel is a safe function: it sees byte ranges, never addresses. [`KernelArgs`] makes them from the executor's
//! table of buffer addresses; what makes that sound is the plan's invariant that no two buffers alive at one step
//! overlap, which `Plan::check` judges.

/// A CPU kernel: reads its operands from the arguments and writes its results into them.
pub type CpuKernel = fn(&mut KernelArgs<'_>);

/// The address and the size in bytes of one buffer, as bound by the executor.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// First byte; aligned to the plan's alignment unless the buffer is empty or the caller's.
    pub address: *mut u8,
    /// Size in bytes.
    pub bytes: usize,
}

/// What went wrong inside a kernel; the first one of a run is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which check of the kernel failed: an index into `Launch::sites`.
    pub site: u32,
    /// The index that was out of range.
    pub value: i64,
}

/// The operands of one launch.
pub struct KernelArgs<'a> {
    table: &'a [Bound],
    reads: &'a [u32],
    writes: &'a [u32],
    /// Bit `i` is set once `write(i)` has handed out its range.
    taken: u64,
    fault: Option<Fault>,
}

impl<'a> KernelArgs<'a> {
    /// Operands `reads` and `writes`, which are indices into `table`.
    ///
    /// # Safety
    /// For `'a`, each bound range of `reads` is valid for reads and not written by anybody, and each bound range of
    /// `writes` is valid for reads and writes, is reached through these arguments alone, and overlaps no other
    /// range of `reads` or `writes`. All bytes are initialised.
    pub unsafe fn new(table: &'a [Bound], reads: &'a [u32], writes: &'a [u32]) -> Self {
        KernelArgs { table, reads, writes, taken: 0, fault: None }
    }

    /// The bytes of operand `i`.
    #[inline]
    pub fn read(&self, i: usize) -> &'a [u8] {
        let bound = self.table[self.reads[i] as usize];
        // SAFETY: `new`'s contract: the range is valid for reads and unwritten for 'a.
        unsafe { core::slice::from_raw_parts(bound.address, bound.bytes) }
    }

    /// The bytes of result `i`, once.
    ///
    /// # Panics
    /// When result `i` was taken before, or `i` is 64 or more; generated kernels do neither.
    #[inline]
    pub fn write(&mut self, i: usize) -> &'a mut [u8] {
        assert!(i < 64 && self.taken & (1 << i) == 0, "a kernel takes each of its results once");
        self.taken |= 1 << i;
        let bound = self.table[self.writes[i] as usize];
        // SAFETY: `new`'s contract: the range is valid for writes, overlaps no other, and `taken` hands it out once.
        unsafe { core::slice::from_raw_parts_mut(bound.address, bound.bytes) }
    }

    /// Records that the check `site` met `value`; the first record stays.
    #[cold]
    pub fn out_of_range(&mut self, site: u32, value: i64) {
        self.fault.get_or_insert(Fault { site, value });
    }

    /// The first fault, if any.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }
}
