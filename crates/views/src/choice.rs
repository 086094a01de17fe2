//! Choices within a step, all of which are tried one after the other.

/// A sequence of choices: the same decisions are repeated up to the last one that has an alternative left.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// The alternatives that were chosen, and the number that there were.
    made: Vec<(u8, u8)>,
    at: usize,
}

impl Choices {
    /// One of `among` alternatives, from 0.
    pub(crate) fn choose(&mut self, among: usize) -> usize {
        debug_assert!(among > 0);
        if among == 1 {
            return 0;
        }
        if self.at == self.made.len() {
            self.made.push((0, u8::try_from(among).expect("few alternatives")));
        }
        self.at += 1;
        self.made[self.at - 1].0.into()
    }

    /// Goes on to the next sequence, if there is one.
    pub(crate) fn next(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, among)) = self.made.last_mut() {
            *chosen += 1;
            if chosen < among {
                return true;
            }
            self.made.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_comes_once() {
        let mut choices = Choices::default();
        let mut seen = Vec::new();
        loop {
            let first = choices.choose(2);
            let second = if first == 0 { choices.choose(3) } else { choices.choose(1) };
            seen.push((first, second));
            if !choices.next() {
                break;
            }
        }
        assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }
}
