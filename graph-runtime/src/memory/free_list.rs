//! The free ranges of one region, by offset.
//!
//! Neighbouring free ranges are always one range: what two blocks leave side by side serves a request as large as both.

use std::ops::Range;

/// Free ranges, sorted, disjoint and not touching each other.
#[derive(Debug)]
pub(super) struct FreeList {
    bytes: u64,
    free: Vec<Range<u64>>,
}

impl FreeList {
    /// A region of `bytes` bytes, all free.
    pub(super) fn new(bytes: u64) -> FreeList {
        FreeList { bytes, free: if bytes == 0 { Vec::new() } else { std::iter::once(0..bytes).collect() } }
    }

    /// Size of the region.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The size of the smallest free range that holds `bytes`.
    pub(super) fn best_fit(&self, bytes: u64) -> Option<u64> {
        self.free.iter().map(size).filter(|&size| size >= bytes).min()
    }

    /// The size of the largest free range.
    pub(super) fn largest(&self) -> u64 {
        self.free.iter().map(size).max().unwrap_or(0)
    }

    /// Whether nothing is taken.
    pub(super) fn is_idle(&self) -> bool {
        self.free.iter().map(size).sum::<u64>() == self.bytes
    }

    /// Takes `bytes` from the start of the smallest range that holds them, the lowest one of equals.
    pub(super) fn take(&mut self, bytes: u64) -> Option<u64> {
        let index = (0..self.free.len())
            .filter(|&index| size(&self.free[index]) >= bytes)
            .min_by_key(|&index| size(&self.free[index]))?;
        let offset = self.free[index].start;
        self.free[index].start += bytes;
        if self.free[index].is_empty() {
            self.free.remove(index);
        }
        Some(offset)
    }

    /// Gives back a range that `take` returned.
    pub(super) fn give(&mut self, offset: u64, bytes: u64) {
        let range = offset..offset + bytes;
        let index = self.free.partition_point(|other| other.start < range.start);
        debug_assert!(index == 0 || self.free[index - 1].end <= range.start, "a range is given back once");
        debug_assert!(self.free.get(index).is_none_or(|next| range.end <= next.start), "a range is given back once");
        self.free.insert(index, range);
        if index + 1 < self.free.len() && self.free[index].end == self.free[index + 1].start {
            self.free[index].end = self.free.remove(index + 1).end;
        }
        if index > 0 && self.free[index - 1].end == self.free[index].start {
            self.free[index - 1].end = self.free.remove(index).end;
        }
    }
}

fn size(range: &Range<u64>) -> u64 {
    range.end - range.start
}

#[cfg(test)]
mod tests {
    use super::FreeList;

    #[test]
    fn neighbours_become_one_range_in_any_order_of_return() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut list = FreeList::new(768);
            let offsets = [256; 3].map(|bytes| list.take(bytes).unwrap());
            assert_eq!((offsets, list.take(1)), ([0, 256, 512], None));
            for index in order {
                list.give(offsets[index], 256);
            }
            assert!(list.is_idle());
            assert_eq!(list.take(768), Some(0), "order {order:?}");
        }
    }

    #[test]
    fn the_smallest_range_that_fits_is_taken() {
        let mut list = FreeList::new(2048);
        let (wide, _wall, narrow, _end) =
            (list.take(1024).unwrap(), list.take(256).unwrap(), list.take(256).unwrap(), list.take(512).unwrap());
        list.give(wide, 1024);
        list.give(narrow, 256);
        assert_eq!((list.best_fit(200), list.largest()), (Some(256), 1024));
        assert_eq!(list.take(256), Some(narrow));
        assert_eq!(list.take(256), Some(wide));
        assert_eq!(list.take(1024), None);
    }
}
