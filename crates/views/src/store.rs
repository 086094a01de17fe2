//! Sets of packed views: bytes one after the other, and a table of numbers to find them.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Byte strings of one length, each once, numbered in the order in which they came.
#[derive(Debug)]
pub(crate) struct Store {
    width: usize,
    bytes: Vec<u8>,
    len: u32,
    /// Open addressing: the number of an entry plus one, or 0. Never more than half full.
    table: Vec<u32>,
}

impl Store {
    pub(crate) fn new(width: usize) -> Store {
        Store { width, bytes: vec![], len: 0, table: vec![0; 8] }
    }

    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) fn get(&self, id: u32) -> &[u8] {
        let at = id as usize * self.width;
        &self.bytes[at..at + self.width]
    }

    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        match self.table[self.place(key)] {
            0 => None,
            entry => Some(entry - 1),
        }
    }

    /// The number of an entry, and whether it is new.
    pub(crate) fn insert(&mut self, key: &[u8]) -> (u32, bool) {
        let place = self.place(key);
        if self.table[place] != 0 {
            return (self.table[place] - 1, false);
        }
        let id = self.len;
        self.bytes.extend_from_slice(key);
        self.len += 1;
        self.table[place] = self.len;
        if self.len() * 2 > self.table.len() {
            self.grow();
        }
        (id, true)
    }

    /// The bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity() + self.table.len() * size_of::<u32>()
    }

    /// Where a key is in the table, or where it belongs.
    fn place(&self, key: &[u8]) -> usize {
        debug_assert_eq!(key.len(), self.width);
        let mask = self.table.len() - 1;
        let mut at = hash(key) & mask;
        loop {
            match self.table[at] {
                0 => return at,
                entry if self.get(entry - 1) == key => return at,
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.table = vec![0; self.table.len() * 2];
        let mask = self.table.len() - 1;
        for id in 0..self.len {
            let mut at = hash(self.get(id)) & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = id + 1;
        }
    }
}

/// A set of byte strings of any length below 256.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// Each after its length.
    bytes: Vec<u8>,
    len: usize,
    /// Open addressing: where a string begins plus one, or 0. Never more than half full.
    table: Vec<u32>,
}

impl Keys {
    /// Adds a string. Whether it is new; once there is no more room, every string counts as new.
    pub(crate) fn insert(&mut self, key: &[u8]) -> bool {
        let (Ok(length), Ok(begin)) = (u8::try_from(key.len()), u32::try_from(self.bytes.len() + 1)) else {
            return true;
        };
        if self.len * 2 >= self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash(key) & mask;
        while self.table[at] != 0 {
            if self.get(self.table[at]) == key {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.table[at] = begin;
        self.bytes.push(length);
        self.bytes.extend_from_slice(key);
        self.len += 1;
        true
    }

    /// The bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity() + self.table.len() * size_of::<u32>()
    }

    fn get(&self, entry: u32) -> &[u8] {
        let begin = entry as usize;
        &self.bytes[begin..begin + usize::from(self.bytes[begin - 1])]
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![0; (old.len() * 2).max(8)];
        let mask = self.table.len() - 1;
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut at = hash(self.get(entry)) & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = entry;
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "any bits of a hash will do")]
fn hash(key: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_found_under_its_number() {
        let mut store = Store::new(3);
        for n in 0..=255_u8 {
            for m in 0..20 {
                assert!(store.insert(&[n, m, 7]).1);
            }
        }
        assert_eq!(store.len(), 256 * 20);
        assert_eq!(store.insert(&[9, 3, 7]), (9 * 20 + 3, false));
        assert_eq!(store.find(&[9, 3, 7]).map(|id| store.get(id)), Some([9, 3, 7].as_slice()));
        assert_eq!(store.find(&[9, 3, 8]), None);
    }

    #[test]
    fn a_key_is_new_once() {
        let mut keys = Keys::default();
        for length in 0..40 {
            for n in 0..100_u8 {
                assert!(keys.insert(&vec![n; length]) == (length > 0 || n == 0));
            }
        }
        assert!(!keys.insert(&[7; 39]) && !keys.insert(&[0; 1]) && keys.insert(&[7; 40]));
    }
}
