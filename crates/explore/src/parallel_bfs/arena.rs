//! A list that grows without moving its items, and with little unused memory.

/// The number of items that are allocated at once.
const SEGMENT: usize = 1 << 16;

/// Items by number, in segments: unlike a vector it never copies its items, and over-allocates by at most one
/// segment.
#[derive(Debug)]
pub(super) struct Arena<T> {
    segments: Vec<Vec<T>>,
    len: usize,
}

impl<T> Arena<T> {
    pub(super) fn new() -> Self {
        Arena { segments: Vec::new(), len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds an item; its number is the length before.
    pub(super) fn push(&mut self, item: T) {
        if self.len.is_multiple_of(SEGMENT) {
            // The first segment grows gradually: most systems are small.
            self.segments.push(if self.len == 0 { Vec::new() } else { Vec::with_capacity(SEGMENT) });
        }
        if let Some(last) = self.segments.last_mut() {
            last.push(item);
        }
        self.len += 1;
    }

    pub(super) fn get(&self, at: usize) -> &T {
        &self.segments[at / SEGMENT][at % SEGMENT]
    }

    pub(super) fn get_mut(&mut self, at: usize) -> &mut T {
        &mut self.segments[at / SEGMENT][at % SEGMENT]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.segments.iter().flatten()
    }

    pub(super) fn bytes(&self) -> usize {
        let first = self.segments.first().map_or(0, Vec::capacity);
        let others = self.segments.len().saturating_sub(1) * SEGMENT;
        (first + others) * size_of::<T>() + self.segments.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_numbers() {
        let mut arena = Arena::new();
        for item in 0..2 * SEGMENT + 3 {
            assert_eq!(arena.len(), item);
            arena.push(item);
        }
        assert!([0, 1, SEGMENT - 1, SEGMENT, 2 * SEGMENT + 2].iter().all(|at| arena.get(*at) == at));
        *arena.get_mut(SEGMENT) = 7;
        assert_eq!(arena.iter().filter(|item| **item == 7).count(), 2);
        let (needed, segment) = (arena.len() * size_of::<usize>(), SEGMENT * size_of::<usize>());
        assert!((needed..needed + segment + 200).contains(&arena.bytes()), "{}", arena.bytes());
    }
}
