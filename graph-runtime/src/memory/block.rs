//! A range of a device's memory that somebody uses.

use std::ptr;
use std::sync::Arc;

use graph_ir::plan::ALIGNMENT;

use super::Shared;
use super::pool::Piece;
use super::region::Region;

/// One contiguous range, aligned to 64 bytes, zero when it is handed out, and nobody else's until it is dropped.
///
/// A block keeps its bytes alive by itself: it may outlive the device and the session.
#[derive(Debug)]
pub(crate) struct Block {
    bytes: u64,
    /// Absent in a block of 0 bytes.
    part: Option<Part>,
}

#[derive(Debug)]
struct Part {
    region: Arc<Region>,
    offset: u64,
    /// What the account is charged, which a pool rounds up.
    charged: u64,
    /// The pool's name of the region; absent when the region is this block's alone.
    pooled: Option<u64>,
    owner: Arc<Shared>,
}

impl Block {
    pub(super) fn empty() -> Block {
        Block { bytes: 0, part: None }
    }

    pub(super) fn alone(owner: Arc<Shared>, region: Region, bytes: u64) -> Block {
        let part = Part { region: Arc::new(region), offset: 0, charged: bytes, pooled: None, owner };
        Block { bytes, part: Some(part) }
    }

    /// Clears what an earlier block left in the piece, and makes a block of its first `bytes`.
    pub(super) fn piece(owner: Arc<Shared>, piece: Piece<Arc<Region>>, bytes: u64) -> Block {
        // SAFETY: the pool has just taken the piece out of its free list, so no other block has a byte of it.
        unsafe { piece.handle.clear(piece.offset, piece.stale) };
        let Piece { region: id, handle: region, offset, bytes: charged, .. } = piece;
        Block { bytes, part: Some(Part { region, offset, charged, pooled: Some(id), owner }) }
    }

    /// The first byte, aligned to 64; in an empty block an aligned address that holds nothing.
    pub(crate) fn address(&self) -> *mut u8 {
        match &self.part {
            Some(part) => part.region.address(part.offset),
            None => ptr::without_provenance_mut(ALIGNMENT as usize),
        }
    }

    /// Size in bytes, as asked for.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn charged(&self) -> u64 {
        self.part.as_ref().map_or(0, |part| part.charged)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let Some(Part { offset, charged, pooled, owner, .. }) = &self.part else { return };
        let mut account = owner.account();
        account.in_use -= charged;
        if let (Some(pool), Some(region)) = (&mut account.pool, pooled) {
            pool.release(*region, *offset, *charged);
        }
    }
}
