//! The bookkeeping of a pool: which regions it asks for, and which range of which region a request gets.
//!
//! It touches no memory: a region is whatever the caller's `take` makes of a number of bytes. The sizes are those of
//! TensorFlow's allocator:
//!
//! - the first region is the whole limit, or min([`FIRST_REGION`], limit) when the pool grows;
//! - each further region is twice the last, doubled on until the request fits, capped by what the limit leaves;
//! - a region that `take` refuses is asked for again at 90 per cent, as long as the request fits;
//! - requests are multiples of [`UNIT`], contiguous, and never span two regions.
//!
//! Example, a growing pool of 100 MiB: 60 MiB makes a region of 64 MiB; then 40 MiB fail, although 40 MiB of the limit
//! are unused, since 4 of them lie in the first region.
//!
//! A pool never shrinks, with TensorFlow's one exception: when a request would fail, idle regions go back first, and a
//! larger one is made in their place.

use super::free_list::FreeList;

/// Requests are rounded up to a multiple of this.
pub(crate) const UNIT: u64 = 256;

/// The first region of a growing pool.
pub(crate) const FIRST_REGION: u64 = 2 << 20;

/// Regions of type `R`, and what is free in them.
#[derive(Debug)]
pub(crate) struct Pool<R> {
    limit: u64,
    next_region: u64,
    regions: Vec<Region<R>>,
    made: u64,
}

#[derive(Debug)]
struct Region<R> {
    /// Never reused, so that a piece names its region even after another one went back.
    id: u64,
    handle: R,
    free: FreeList,
    /// Everything from here on was never handed out.
    untouched: u64,
}

/// A range of a region.
#[derive(Debug)]
pub(crate) struct Piece<R> {
    /// Names the region for [`Pool::release`].
    pub(crate) region: u64,
    /// The region.
    pub(crate) handle: R,
    /// First byte, a multiple of [`UNIT`].
    pub(crate) offset: u64,
    /// Size in bytes, a multiple of [`UNIT`].
    pub(crate) bytes: u64,
    /// This many of the first bytes may hold what an earlier piece left.
    pub(crate) stale: u64,
}

impl<R: Clone> Pool<R> {
    /// A pool that has nothing yet. It will hold at most `limit` bytes, rounded down to whole [`UNIT`]s.
    pub(crate) fn new(limit: u64, grows: bool) -> Pool<R> {
        let limit = limit / UNIT * UNIT;
        let next_region = if grows { limit.min(FIRST_REGION) } else { limit };
        Pool { limit, next_region, regions: Vec::new(), made: 0 }
    }

    /// Bytes of all regions.
    pub(crate) fn reserved(&self) -> u64 {
        self.regions.iter().map(|region| region.free.bytes()).sum()
    }

    /// The largest request, in bytes, that needs no further region.
    pub(crate) fn largest_free(&self) -> u64 {
        self.regions.iter().map(|region| region.free.largest()).max().unwrap_or(0)
    }

    /// A range of at least `bytes` bytes, which must not be 0; `take` makes a region of so many bytes, or refuses.
    pub(crate) fn reserve(&mut self, bytes: u64, take: &mut dyn FnMut(u64) -> Option<R>) -> Option<Piece<R>> {
        let bytes = bytes.checked_next_multiple_of(UNIT)?;
        if let Some(piece) = self.sub_allocate(bytes) {
            return Some(piece);
        }
        if self.extend(bytes, take) || (self.drop_idle_regions(bytes) && self.extend(bytes, take)) {
            return self.sub_allocate(bytes);
        }
        None
    }

    /// Gives a piece back. An unknown region is ignored.
    pub(crate) fn release(&mut self, region: u64, offset: u64, bytes: u64) {
        if let Some(region) = self.regions.iter_mut().find(|candidate| candidate.id == region) {
            region.free.give(offset, bytes);
        }
    }

    /// The smallest free range of all regions that fits, the oldest region's of equals.
    fn sub_allocate(&mut self, bytes: u64) -> Option<Piece<R>> {
        let index = (0..self.regions.len())
            .filter_map(|index| Some((self.regions[index].free.best_fit(bytes)?, index)))
            .min()?
            .1;
        let region = &mut self.regions[index];
        let offset = region.free.take(bytes)?;
        let stale = region.untouched.clamp(offset, offset + bytes) - offset;
        region.untouched = region.untouched.max(offset + bytes);
        Some(Piece { region: region.id, handle: region.handle.clone(), offset, bytes, stale })
    }

    fn extend(&mut self, bytes: u64, take: &mut dyn FnMut(u64) -> Option<R>) -> bool {
        let available = self.limit - self.reserved();
        if bytes > available {
            return false;
        }
        let mut wished = self.next_region;
        while wished < bytes {
            wished = wished.saturating_mul(2);
        }
        let mut size = wished.min(available);
        let handle = loop {
            if let Some(handle) = take(size) {
                break handle;
            }
            let smaller = (size as f64 * 0.9) as u64;
            match smaller.checked_next_multiple_of(UNIT) {
                // The last test stops at sizes so small that rounding up undoes the step.
                Some(next) if next >= bytes && next < size => size = next,
                _ => return false,
            }
        };
        // A size that was doubled for this request stays; and a request that failed has changed nothing.
        self.next_region = if wished > self.next_region { wished } else { wished.saturating_mul(2) };
        self.regions.push(Region { id: self.made, handle, free: FreeList::new(size), untouched: 0 });
        self.made += 1;
        true
    }

    /// Drops all idle regions if the limit then leaves room for `bytes`.
    fn drop_idle_regions(&mut self, bytes: u64) -> bool {
        let idle: u64 =
            self.regions.iter().filter(|region| region.free.is_idle()).map(|region| region.free.bytes()).sum();
        if idle == 0 || bytes > self.limit - self.reserved() + idle {
            return false;
        }
        self.regions.retain(|region| !region.free.is_idle());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, UNIT};

    /// Every piece lies in its region, and no two pieces alive share a byte; checked without the free list.
    #[test]
    fn pieces_alive_never_overlap() {
        let mut pool = Pool::new(1 << 20, true);
        let mut sizes = Vec::new();
        let mut alive: Vec<(u64, u64, u64)> = Vec::new();
        let mut random = 1_u64;
        for step in 0..2_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = random >> 33;
            if number % 3 == 0 && !alive.is_empty() {
                let (region, offset, bytes) = alive.swap_remove(number as usize % alive.len());
                pool.release(region, offset, bytes);
                continue;
            }
            let Some(piece) = pool.reserve(1 + number % 40_000, &mut |bytes| {
                sizes.push(bytes);
                Some(bytes)
            }) else {
                continue;
            };
            assert!(piece.offset % UNIT == 0 && piece.offset + piece.bytes <= piece.handle, "step {step}");
            for &(region, offset, bytes) in &alive {
                assert!(
                    region != piece.region || offset + bytes <= piece.offset || piece.offset + piece.bytes <= offset,
                    "step {step}"
                );
            }
            alive.push((piece.region, piece.offset, piece.bytes));
        }
        assert!(alive.len() > 5 && pool.reserved() <= 1 << 20);
        for (region, offset, bytes) in alive.drain(..) {
            pool.release(region, offset, bytes);
        }
        assert!(pool.regions.iter().all(|region| region.free.is_idle()));
    }

    #[test]
    fn a_reused_range_is_reported_as_stale() {
        let mut pool = Pool::new(4096, false);
        let first = pool.reserve(512, &mut |_| Some(())).unwrap();
        assert_eq!(first.stale, 0);
        pool.release(first.region, first.offset, first.bytes);
        let second = pool.reserve(1024, &mut |_| Some(())).unwrap();
        assert_eq!((second.offset, second.bytes, second.stale), (0, 1024, 512));
    }

    #[test]
    fn a_refusal_of_everything_ends() {
        let mut pool = Pool::<()>::new(u64::MAX, true);
        assert!(pool.reserve(1, &mut |_| None).is_none());
        assert!(pool.reserve(u64::MAX, &mut |_| None).is_none());
        assert!(pool.reserve(u64::MAX - UNIT, &mut |_| None).is_none());
        assert_eq!((pool.reserved(), pool.largest_free()), (0, 0));
    }
}
