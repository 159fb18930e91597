//! A range of host memory that the operating system commits page by page, when it is first written.
//!
//! All `unsafe` of the memory module is here.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use graph_ir::plan::ALIGNMENT;

/// Zeroed memory, owned. The bytes are reached through addresses only; who may touch which is the users' agreement.
#[derive(Debug)]
pub(crate) struct Region {
    allocation: NonNull<u8>,
    layout: Layout,
    /// From `allocation` to the first byte, which is aligned to `ALIGNMENT`.
    padding: usize,
    bytes: usize,
}

// SAFETY: a region owns its memory and hands out addresses, no references; it has no state that a thread could see
// half changed.
unsafe impl Send for Region {}
// SAFETY: as above; `&self` gives addresses only, and writing to them is unsafe.
unsafe impl Sync for Region {}

impl Region {
    /// `bytes` zero bytes, which must not be 0, aligned to [`ALIGNMENT`]; `None` if the system refuses.
    ///
    /// Memory is committed by the first write to each page, so a large region costs what is used of it.
    pub(crate) fn zeroed(bytes: u64) -> Option<Region> {
        let bytes = usize::try_from(bytes).ok()?;
        // Align by hand: for an alignment beyond malloc's own, `alloc_zeroed` writes every byte, and so commits it.
        let layout = Layout::from_size_align(bytes.checked_add(ALIGNMENT as usize)?, align_of::<u64>()).ok()?;
        // SAFETY: the layout's size is at least `ALIGNMENT`, so not 0.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let padding = allocation.align_offset(ALIGNMENT as usize);
        Some(Region { allocation, layout, padding, bytes })
    }

    /// The address of byte `offset`, which may be one past the end.
    ///
    /// # Panics
    /// When `offset` is beyond the region, which the pool's bookkeeping excludes.
    pub(crate) fn address(&self, offset: u64) -> *mut u8 {
        assert!(offset <= self.bytes as u64, "offset {offset} is outside of a region of {} bytes", self.bytes);
        // SAFETY: `padding < ALIGNMENT` (the alignment of bytes is always reachable) and `offset <= bytes`, and the
        // allocation has `bytes + ALIGNMENT` bytes.
        unsafe { self.allocation.as_ptr().add(self.padding + offset as usize) }
    }

    /// Writes zeros over `bytes` bytes from `offset`.
    ///
    /// # Safety
    /// Nobody else reads or writes the range meanwhile.
    ///
    /// # Panics
    /// When the range reaches beyond the region.
    pub(crate) unsafe fn clear(&self, offset: u64, bytes: u64) {
        assert!(bytes <= self.bytes as u64 - offset.min(self.bytes as u64), "a range beyond its region");
        // SAFETY: the range lies in the region (just checked), and the caller has it alone.
        unsafe { self.address(offset).write_bytes(0, bytes as usize) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: `allocation` came from `alloc_zeroed` with this layout and is freed once, here.
        unsafe { dealloc(self.allocation.as_ptr(), self.layout) }
    }
}
