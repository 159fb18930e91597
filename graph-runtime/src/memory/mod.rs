//! The memory of one device: a limit, an account, and contiguous blocks.
//!
//! Blocks are taken and given back when plans are loaded and dropped, never while one runs. Every session has memories
//! of its own, so options are per session and memory goes back when a session is dropped; TensorFlow has one pool per
//! GPU and process, made with the first session's options and kept until the process ends.

mod block;
mod free_list;
mod info;
mod limit;
mod pool;
mod region;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) use block::Block;
pub use info::MemoryInfo;
pub(crate) use limit::{MIB, bytes_text, fraction_limit};
#[cfg(test)]
pub(crate) use pool::Pool as RegionPool;

use crate::{Error, Result};
use pool::Pool;
use region::Region;

/// When memory is taken from the machine: the three states of `GpuOptions::allow_growth`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Growth {
    /// Each block is taken and given back by itself, and costs what it holds.
    Exact,
    /// The first block takes the whole limit as one region; blocks are parts of it.
    Whole,
    /// Regions that start small and double; see the module `pool`.
    Growing,
}

/// The memory of a device. Clones are the same memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    shared: Arc<Shared>,
}

/// What a memory and its blocks share.
#[derive(Debug)]
struct Shared {
    device: String,
    total: Option<u64>,
    limit: Option<u64>,
    growth: Growth,
    /// What to do when the limit is reached, for the error.
    remedy: &'static str,
    account: Mutex<Account>,
}

#[derive(Debug)]
struct Account {
    in_use: u64,
    peak_in_use: u64,
    /// Absent when blocks are taken one by one.
    pool: Option<Pool<Arc<Region>>>,
}

impl Shared {
    /// No panic can leave the account half changed, so a poisoned lock is a good one.
    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    /// The host's own memory: blocks are taken one by one, without a limit.
    pub(crate) fn host(device: &str) -> Memory {
        Memory::new(device, None, None, Growth::Exact, "free memory on this machine")
    }

    /// The memory of the device `device`, of `total` bytes, `limit` of which may be used. `remedy` is the help line of
    /// the error at the limit.
    pub(crate) fn limited(device: &str, total: u64, limit: u64, growth: Growth, remedy: &'static str) -> Memory {
        Memory::new(device, Some(total), Some(limit), growth, remedy)
    }

    fn new(
        device: &str,
        total: Option<u64>,
        limit: Option<u64>,
        growth: Growth,
        remedy: &'static str,
    ) -> Memory {
        let pool = match (growth, limit) {
            (Growth::Exact, _) | (_, None) => None,
            (Growth::Whole, Some(limit)) => Some(Pool::new(limit, false)),
            (Growth::Growing, Some(limit)) => Some(Pool::new(limit, true)),
        };
        let account = Mutex::new(Account { in_use: 0, peak_in_use: 0, pool });
        Memory { shared: Arc::new(Shared { device: device.to_owned(), total, limit, growth, remedy, account }) }
    }

    /// One contiguous range of `bytes` zero bytes, aligned to 64; 0 bytes are an empty block that costs nothing.
    ///
    /// # Errors
    /// `ResourceExhausted` when the limit, or the machine, does not have so many bytes, or not in one piece. The
    /// account is then as before.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<Block> {
        if bytes == 0 {
            return Ok(Block::empty());
        }
        let mut account = self.shared.account();
        let taken = match &mut account.pool {
            None => self.take_alone(bytes, account.in_use),
            Some(pool) => self.take_from(pool, bytes),
        };
        let block = match taken {
            Ok(block) => block,
            Err(refused) => return Err(self.exhausted(bytes, &account, refused)),
        };
        account.in_use += block.charged();
        account.peak_in_use = account.peak_in_use.max(account.in_use);
        Ok(block)
    }

    fn take_alone(&self, bytes: u64, in_use: u64) -> std::result::Result<Block, Refused> {
        if self.shared.limit.is_some_and(|limit| bytes > limit - in_use) {
            return Err(Refused::Limit);
        }
        let region = Region::zeroed(bytes).ok_or(Refused::Machine)?;
        Ok(Block::alone(Arc::clone(&self.shared), region, bytes))
    }

    fn take_from(&self, pool: &mut Pool<Arc<Region>>, bytes: u64) -> std::result::Result<Block, Refused> {
        let mut machine_refused = false;
        let piece = pool.reserve(bytes, &mut |size| {
            let region = Region::zeroed(size).map(Arc::new);
            machine_refused |= region.is_none();
            region
        });
        match piece {
            Some(piece) => Ok(Block::piece(Arc::clone(&self.shared), piece, bytes)),
            None if machine_refused => Err(Refused::Machine),
            None => Err(Refused::Limit),
        }
    }

    /// What the device has, may use, has taken and uses now.
    pub(crate) fn info(&self) -> MemoryInfo {
        let account = self.shared.account();
        MemoryInfo {
            total: self.shared.total,
            limit: self.shared.limit,
            reserved: account.reserved(),
            in_use: account.in_use,
            peak_in_use: account.peak_in_use,
        }
    }

    fn exhausted(&self, bytes: u64, account: &Account, refused: Refused) -> Error {
        let Shared { device, limit, growth, remedy, .. } = &*self.shared;
        let wanted = bytes_text(bytes);
        let in_use = bytes_text(account.in_use);
        let limit_text = limit.map_or("no limit is set".to_owned(), |limit| format!("its limit is {}", bytes_text(limit)));
        let facts = match refused {
            Refused::Machine => format!("the machine does not have them; {limit_text} and {in_use} are in use"),
            Refused::Limit => format!("but {limit_text} and {in_use} are in use"),
        };
        // A pool may have the bytes and still fail; say so, or the numbers look wrong.
        let pieces = match (&account.pool, limit) {
            (Some(pool), Some(limit)) if bytes <= limit.saturating_sub(account.in_use) => format!(
                ", the rest is in pieces: {} lie in regions taken so far, whose largest free range is {}",
                bytes_text(pool.reserved()),
                bytes_text(pool.largest_free()),
            ),
            _ => String::new(),
        };
        let growth_help = match growth {
            Growth::Growing if !pieces.is_empty() => "leave `allow_growth` unset to take exactly what is needed, or ",
            _ => "",
        };
        Error::resource_exhausted(format!(
            "{device}: {wanted} are wanted in one block, {facts}{pieces}; help: {growth_help}{remedy}"
        ))
    }
}

impl Account {
    fn reserved(&self) -> u64 {
        self.pool.as_ref().map_or(self.in_use, Pool::reserved)
    }
}

/// Who said no.
enum Refused {
    Limit,
    Machine,
}

#[cfg(test)]
mod tests;
