//! The random number generator: `SplitMix64` (Steele, Lea, Flood 2014). Small, fast, and the same on every machine.

pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when `bound` is 0. The bias of the remainder is far below what a test can see.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = (bound as u64).max(1);
        usize::try_from(self.next() % bound).expect("it is below a usize")
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True with probability `part` / `whole`.
    pub(crate) fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.below(whole) < part
    }

    /// A random element of a slice; `None` if it is empty.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// A random element of a slice that must not be empty.
    pub(crate) fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A random element by weight; `None` if all weights are 0.
    pub(crate) fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> Option<T> {
        let mut left = self.below(items.iter().map(|(weight, _)| weight).sum());
        for &(weight, item) in items {
            if left < weight {
                return Some(item);
            }
            left -= weight;
        }
        None
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
