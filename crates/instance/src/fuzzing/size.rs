//! Fuzzing without a given number of processes: several numbers share the run, small ones first.

use super::{Fuzzing, Options, exploration, fuzz_instance, near_violations_first};
use crate::exploration::Incomplete;
use explore::{Limit, Limits, Stats};
use ir::{Model, RuleId};
use std::{collections::BTreeSet, ops::RangeInclusive, time::Instant};

/// The results of fuzzing with one number of processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The number of processes.
    pub processes: u32,
    /// The number of steps executed.
    pub steps: usize,
    /// Pairs of rules where the second directly followed the first.
    pub pairs: BTreeSet<(RuleId, RuleId)>,
    /// Why this number is not tried again: all states were seen, or it cannot be run. `None` while it is still open.
    pub over: Option<Incomplete>,
}

/// The number of steps for each number of processes in the first round; it doubles in every further round.
const EFFORT: usize = 20_000;
/// How many processes to go beyond [`fewest`].
const MORE: u32 = 2;
/// Added to the seed in each round, so that rounds draw different initial states and steps.
const SEED_STEP: u64 = 0x9e37_79b9;

/// The fewest processes with which every transition and property can match: the largest number of parameters, or the
/// number of kinds if that is larger.
pub fn fewest(model: &Model) -> u32 {
    let rules = model.rules.iter().map(|rule| rule.params.len());
    let properties = model.properties.iter().map(|property| property.params.len());
    let params = rules.chain(properties).max().unwrap_or(0);
    let most = model.max_processes.unwrap_or(u32::MAX);
    u32::try_from(params).unwrap_or(u32::MAX).min(most).max(model.min_processes())
}

/// The numbers of processes to try.
fn sizes(model: &Model) -> RangeInclusive<u32> {
    let most = model.max_processes.unwrap_or(u32::MAX);
    model.min_processes()..=fewest(model).max(2).saturating_add(MORE).min(most)
}

/// Fuzzes several numbers of processes in rounds, until something ends the run.
pub(super) fn fuzz_sizes(model: &Model, options: &Options) -> Fuzzing {
    let tried = |processes| Tried { processes, steps: 0, pairs: BTreeSet::new(), over: None };
    let tried: Vec<Tried> = sizes(model).map(tried).collect();
    let mut together = Together { model, options, begun: Instant::now(), all: nothing_yet(options), tried };
    let end = together.rounds();
    together.conclude(end)
}

fn nothing_yet(options: &Options) -> Fuzzing {
    Fuzzing::of(0, options.fuzz.seed, vec![], exploration(Incomplete::Sampled, Stats::default()))
}

/// A run over several numbers of processes.
struct Together<'a> {
    model: &'a Model,
    options: &'a Options,
    begun: Instant,
    /// The merged results so far.
    all: Fuzzing,
    tried: Vec<Tried>,
}

impl Together<'_> {
    fn rounds(&mut self) -> Incomplete {
        for round in 0.. {
            let open: Vec<usize> =
                (0..self.tried.len()).filter(|at| self.tried[*at].over.is_none()).collect();
            if open.is_empty() {
                break;
            }
            for (done, at) in open.iter().enumerate() {
                if let Some(end) = self.look(*at, round, open.len() - done) {
                    return end;
                }
            }
        }
        self.why_over()
    }

    /// Fuzzes one number of processes for a while. Returns why the whole run ends, if it does.
    fn look(&mut self, at: usize, round: u32, sharing: usize) -> Option<Incomplete> {
        let limits = match self.limits(round, sharing) {
            Ok(limits) => limits,
            Err(limit) => return Some(Incomplete::Limit(limit)),
        };
        let mut options = self.options.clone();
        options.fuzz.seed = self.options.fuzz.seed.wrapping_add(SEED_STEP.wrapping_mul(round.into()));
        options.fuzz.limits = limits;
        let fuzzing = fuzz_instance(self.model, &options, self.tried[at].processes);
        let incomplete = fuzzing.exploration.incomplete.clone();
        let violated = fuzzing.is_violated();
        self.absorb(at, fuzzing);
        match incomplete {
            _ if violated && self.options.fuzz.stop_at_first => Some(Incomplete::Stopped),
            Some(Incomplete::Limit(limit @ (Limit::Cancelled | Limit::Memory))) => {
                Some(Incomplete::Limit(limit))
            }
            Some(contradiction @ Incomplete::Contradiction(_)) => Some(contradiction),
            Some(Incomplete::Limit(_)) => None,
            over => {
                self.tried[at].over = over;
                None
            }
        }
    }

    /// The limits for one number of processes: its share of the remaining time, and what remains of the other limits.
    fn limits(&self, round: u32, sharing: usize) -> Result<Limits, Limit> {
        let all = &self.options.fuzz.limits;
        if let Some(ended) = all.ended_since(self.begun) {
            return Err(ended);
        }
        let left = |most: Option<usize>, used: usize, limit| match most.map(|most| most.saturating_sub(used))
        {
            Some(0) => Err(limit),
            left => Ok(left),
        };
        let used = &self.all.exploration.stats;
        let steps = left(all.steps, used.transitions, Limit::Steps)?;
        let states = left(all.states, used.states, Limit::States)?;
        let effort = EFFORT.checked_shl(round).unwrap_or(usize::MAX);
        let share = u32::try_from(sharing).unwrap_or(u32::MAX);
        let time = all.remaining_since(self.begun).time.map(|time| time / share);
        Ok(Limits { steps: Some(steps.map_or(effort, |left| left.min(effort))), states, time, ..all.clone() })
    }

    /// Merges the results for one number of processes. Each violation is kept once, with the fewest processes.
    fn absorb(&mut self, at: usize, fuzzing: Fuzzing) {
        let tried = &mut self.tried[at];
        let stats = &fuzzing.exploration.stats;
        tried.steps += stats.transitions;
        tried.pairs.extend(fuzzing.pairs.into_iter().flatten());
        let all = &mut self.all.exploration;
        all.stats.states += stats.states;
        all.stats.depth = all.stats.depth.max(stats.depth);
        if let Some(first) = fuzzing.first_violation.filter(|_| self.all.first_violation.is_none()) {
            self.all.first_violation = Some(all.stats.transitions + first);
        }
        all.stats.transitions += stats.transitions;
        for finding in fuzzing.exploration.findings {
            match all
                .findings
                .iter_mut()
                .find(|known| (known.kind, &known.name) == (finding.kind, &finding.name))
            {
                Some(known) if finding.setting.processes < known.setting.processes => *known = finding,
                Some(_) => {}
                None => all.findings.push(finding),
            }
        }
        let new = fuzzing.rules.into_iter().filter(|rule| !self.all.rules.contains(rule)).collect::<Vec<_>>();
        self.all.rules.extend(new);
        let chosen = fuzzing
            .ranges
            .iter()
            .filter(|range| !self.all.ranges.contains(range))
            .copied()
            .collect::<Vec<_>>();
        self.all.ranges.extend(chosen);
    }

    /// Why the run ends when no number is left to try: the first obstacle if no number could be run.
    fn why_over(&self) -> Incomplete {
        let all_stuck = self.tried.iter().all(|tried| matches!(tried.over, Some(Incomplete::Obstacle(_))));
        let first = self.tried.first().and_then(|tried| tried.over.clone());
        first.filter(|_| all_stuck).unwrap_or(Incomplete::Sampled)
    }

    fn conclude(self, end: Incomplete) -> Fuzzing {
        let mut all = self.all;
        all.exploration.findings.sort_by_key(near_violations_first);
        let first = all.exploration.findings.first().map(|finding| finding.setting.processes);
        let most_used = self.tried.iter().filter(|tried| tried.steps > 0).map(|tried| tried.processes).max();
        all.processes = first.or(most_used).unwrap_or_else(|| self.model.min_processes());
        all.exploration.incomplete = Some(end);
        all.pairs = Some(
            self.tried
                .iter()
                .flat_map(|tried| tried.pairs.iter().copied())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
        );
        all.tried = self.tried;
        all
    }
}
