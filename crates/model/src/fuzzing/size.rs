//! How many processes? Enough that one more brings no new pair of transitions.

use super::{Fuzzing, Options, fuzz_instance};
use crate::ir::{Model, RuleId};
use explore::{Limit, Limits};
use std::time::Instant;

/// Two numbers of processes, compared by which transition directly followed which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The smaller number; the other is one more.
    pub processes: u32,
    /// The pairs that were seen with one process more only.
    pub new_pairs: Vec<(RuleId, RuleId)>,
}

/// What was decided, and why.
pub(super) struct Decision {
    pub(super) processes: u32,
    pub(super) comparisons: Vec<Comparison>,
    /// A violation that was found on the way.
    pub(super) found: Option<Fuzzing>,
}

/// The steps that each number of processes gets.
const EFFORT: usize = 100_000;
/// A pair that chance has hidden from the smaller number must not make it look insufficient: it gets more steps, and still more
/// for as long as these show some of what it had missed.
const FURTHER_EFFORTS: [usize; 2] = [3 * EFFORT, 6 * EFFORT];
/// Pairs that are seen for the first time with so many more processes are more likely seen by chance.
const MOST_GROWTH: usize = 3;

/// The fewest processes with which everything can match: the most parameters of any transition or property, or the number of
/// kinds if that is more.
pub fn fewest(model: &Model) -> u32 {
    let rules = model.rules.iter().map(|rule| rule.params.len());
    let properties = model.properties.iter().map(|property| property.params.len());
    let params = rules.chain(properties).max().unwrap_or(0);
    let most = model.max_processes.unwrap_or(u32::MAX);
    u32::try_from(params).unwrap_or(u32::MAX).min(most).max(model.min_processes())
}

/// Compares numbers of processes until one more brings nothing new.
pub(super) fn decide(model: &Model, options: &Options, begun: Instant) -> Decision {
    let mut decision = Decision { processes: fewest(model), comparisons: vec![], found: None };
    // None: the run is over before all that is to be compared was seen.
    let _ = decision.compare(model, options, begun);
    decision
}

impl Decision {
    fn compare(&mut self, model: &Model, options: &Options, begun: Instant) -> Option<()> {
        let mut small = self.look(model, options, begun, 0, EFFORT)?;
        for _ in 0..MOST_GROWTH {
            if model.max_processes.is_some_and(|most| self.processes >= most) {
                break;
            }
            let large = self.look(model, options, begun, 1, EFFORT)?;
            let mut new_pairs = large.clone();
            new_pairs.retain(|pair| !small.contains(pair));
            for effort in FURTHER_EFFORTS {
                let before = new_pairs.len();
                if before > 0 {
                    let more = self.look(model, options, begun, 0, effort)?;
                    new_pairs.retain(|pair| !more.contains(pair));
                }
                if new_pairs.len() == before {
                    break;
                }
            }
            let is_enough = new_pairs.is_empty();
            self.comparisons.push(Comparison { processes: self.processes, new_pairs });
            if is_enough {
                break;
            }
            self.processes += 1;
            small = large;
        }
        Some(())
    }

    /// The pairs that some steps with some more processes show; none if that cannot be told, or ends everything.
    fn look(
        &mut self,
        model: &Model,
        options: &Options,
        begun: Instant,
        more: u32,
        steps: usize,
    ) -> Option<Vec<(RuleId, RuleId)>> {
        if self.found.is_some() && options.fuzz.stop_at_first {
            return None;
        }
        let time = options.fuzz.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        let mut short = options.clone();
        short.fuzz.limits = Limits { steps: Some(steps), time, states: None, ..options.fuzz.limits.clone() };
        // Another seed for a second look: what one has missed, the other may see.
        short.fuzz.seed = options.fuzz.seed.wrapping_add(steps as u64);
        let fuzzing = fuzz_instance(model, &short, self.processes + more);
        let pairs = fuzzing.pairs.clone();
        let is_over = matches!(fuzzing.limit(), Some(Limit::Time | Limit::Cancelled | Limit::Memory));
        let is_told = pairs.is_some() && !is_over;
        if self.found.is_none() && fuzzing.is_violated() {
            self.found = Some(fuzzing);
        }
        pairs.filter(|_| is_told)
    }
}
