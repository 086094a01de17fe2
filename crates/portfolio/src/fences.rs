//! Which fences a weak model needs: all minimal sets of places where a fence makes it safe.
//!
//! A fence only takes runs away, so whatever contains a set that suffices suffices as well. A run to a bad state shows which
//! places matter: it stays possible unless there is a fence at one of the places that it passes with something in the
//! buffer. Sets that suffice therefore hit every such run, and a minimal set of places that hits all runs found so far
//! is either proved to suffice, and is then minimal, or leads to a run that it misses (implicit hitting sets; see Reiter, "A
//! theory of diagnosis from first principles", 1987, for the idea).
//!
//! It may also be undecided, and a larger set be proved. Therefore the largest sets that contain no proved one are
//! tried as well, and each that is proved is made smaller, place by place (as in Liffiton and others, "Fast, flexible MUS
//! enumeration", 2016).

use std::collections::BTreeSet;

/// A set of places, by number.
pub type Places = BTreeSet<usize>;

/// What is known about a model with fences at some places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// It was proved safe.
    Safe,
    /// A run leads to a bad state, and passes these places with something in the buffer.
    Violated(Places),
    /// Neither is known, for this reason.
    Unknown(String),
}

/// The sets that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fences {
    /// Sets that were proved to suffice, small ones first. None is known to have a part that suffices.
    pub sufficient: Vec<Places>,
    /// Sets of which it is not known whether they suffice, with the reason, small ones first: those in a set that suffices, and
    /// of the others those without an undecided part.
    pub undecided: Vec<(Places, String)>,
    /// Whether some run needs no store buffer at all, so that no fence helps.
    pub hopeless: bool,
    /// The number of sets that were checked.
    pub checked: usize,
}

/// Finds all minimal sets of places where a fence makes a model safe. Gives up on further sets once `stop` says so.
pub fn minimal_fences(
    places: &Places,
    check: impl FnMut(&Places) -> Checked,
    stop: impl FnMut() -> bool,
) -> Fences {
    let (runs, hitting) = (vec![], vec![Places::new()]);
    let mut search = Search { check, stop, runs, hitting, found: Fences::default() };
    search.all(places);
    search.result()
}

/// The search for sets that suffice.
struct Search<C, S> {
    check: C,
    stop: S,
    /// What the runs that are known pass.
    runs: Vec<Places>,
    /// The minimal sets that hit all of them.
    hitting: Vec<Places>,
    found: Fences,
}

impl<C: FnMut(&Places) -> Checked, S: FnMut() -> bool> Search<C, S> {
    /// Whether to go on: not once no fence helps, nor when the time is up.
    fn goes_on(&mut self) -> bool {
        !self.found.hopeless && !(self.stop)()
    }

    /// Checks a set; whether it was proved to suffice.
    fn suffices(&mut self, set: &Places) -> bool {
        self.found.checked += 1;
        match (self.check)(set) {
            Checked::Safe => return true,
            Checked::Unknown(why) => self.found.undecided.push((set.clone(), why)),
            Checked::Violated(places) => {
                let missed: Places = places.difference(set).copied().collect();
                self.found.hopeless |= missed.is_empty();
                self.hitting = hit(&self.hitting, &missed);
                self.runs.push(missed);
            }
        }
        false
    }

    /// Checks sets until none is left: small ones first, then, if some are undecided, large ones.
    fn all(&mut self, places: &Places) {
        while self.goes_on() {
            let (small, large) = (self.next(), self.largest(places));
            let Some(set) = small.clone().or(large) else { break };
            if self.suffices(&set) {
                let least = if small.is_some() { set } else { self.reduced(set) };
                self.found.sufficient.push(least);
            }
        }
    }

    /// The smallest set that hits all runs and has not been checked.
    fn next(&self) -> Option<Places> {
        let open = self.hitting.iter().filter(|set| !self.is_known(set));
        open.min_by_key(|set| (set.len(), (*set).clone())).cloned()
    }

    /// One of the largest sets that hit all runs, contain no proved set, and have not been checked.
    fn largest(&self, places: &Places) -> Option<Places> {
        if self.found.undecided.is_empty() {
            return None;
        }
        let proved = self.found.sufficient.iter();
        let left_out = proved.fold(vec![Places::new()], |sets, proved| hit(&sets, proved));
        let all = left_out.iter().map(|left_out| places.difference(left_out).copied().collect());
        all.into_iter().find(|set| self.is_open(set))
    }

    /// A part of a set that suffices of which no place can be left out, as far as is known. Leaves out many at once first.
    fn reduced(&mut self, mut set: Places) -> Places {
        let order = self.removable(&set);
        let mut many = order.len() / 2;
        while many > 0 {
            for left_out in order.chunks(many) {
                let smaller: Places = set.iter().copied().filter(|place| !left_out.contains(place)).collect();
                if smaller != set && self.is_open(&smaller) && self.goes_on() && self.suffices(&smaller) {
                    set = smaller;
                }
            }
            many /= 2;
        }
        set
    }

    /// The places of a set, those last that are in its smallest undecided part.
    fn removable(&self, set: &Places) -> Vec<usize> {
        let parts = self.found.undecided.iter().map(|(part, _)| part).filter(|part| part.is_subset(set));
        let kept = parts.min_by_key(|part| part.len()).cloned().unwrap_or_default();
        let (last, first): (Vec<usize>, Vec<usize>) = set.iter().partition(|place| kept.contains(place));
        first.into_iter().chain(last).collect()
    }

    /// Whether nothing is known about a set.
    fn is_open(&self, set: &Places) -> bool {
        !self.is_known(set) && !self.runs.iter().any(|run| run.is_disjoint(set))
    }

    fn is_known(&self, set: &Places) -> bool {
        self.found.sufficient.contains(set) || self.found.undecided.iter().any(|(known, _)| known == set)
    }

    /// What was found, without what has turned out since: that a set misses a run, or that a part of it suffices.
    fn result(mut self) -> Fences {
        while let Some(set) = self.next() {
            self.found.undecided.push((set, "the time is up".into()));
        }
        let Search { runs, mut found, .. } = self;
        let (proved, undecided) = (found.sufficient.clone(), found.undecided.clone());
        let has_proved_part = |set: &Places| proved.iter().any(|part| part != set && part.is_subset(set));
        found.sufficient.retain(|set| !has_proved_part(set));
        found.undecided.retain(|(set, _)| {
            let is_least = !undecided.iter().any(|(part, _)| part != set && part.is_subset(set));
            let is_in_answer = found.sufficient.iter().any(|answer| set.is_subset(answer));
            let misses_a_run = runs.iter().any(|run| run.is_disjoint(set));
            !misses_a_run && !has_proved_part(set) && (is_least || is_in_answer)
        });
        found.sufficient.sort_by_key(|set| (set.len(), set.clone()));
        found.undecided.sort_by_key(|(set, _)| (set.len(), set.clone()));
        found
    }
}

/// The minimal sets that hit one more run (Berge's algorithm).
fn hit(sets: &[Places], run: &Places) -> Vec<Places> {
    let (mut all, missing): (Vec<Places>, Vec<Places>) =
        sets.iter().cloned().partition(|set| !set.is_disjoint(run));
    let mut extended: Vec<Places> = Vec::new();
    for set in missing {
        extended.extend(run.iter().map(|place| set.iter().copied().chain([*place]).collect::<Places>()));
    }
    extended.retain(|set| !all.iter().any(|smaller| smaller.is_subset(set)));
    let minimal = |set: &Places| !extended.iter().any(|other| other != set && other.is_subset(set));
    let mut kept: Vec<Places> = extended.iter().filter(|set| minimal(set)).cloned().collect();
    kept.sort();
    kept.dedup();
    all.extend(kept);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(places: &[usize]) -> Places {
        places.iter().copied().collect()
    }

    /// All minimal sets of a monotone condition over five places, by trying every set.
    fn brute(suffices: impl Fn(&Places) -> bool) -> Vec<Places> {
        let all = (0_u32..32).map(|bits| (0..5).filter(|at| bits >> at & 1 == 1).collect::<Places>());
        let good: Vec<Places> = all.filter(|set| suffices(set)).collect();
        let minimal = |set: &&Places| !good.iter().any(|other| other != *set && other.is_subset(set));
        let mut found: Vec<Places> = good.iter().filter(minimal).cloned().collect();
        found.sort_by_key(|set| (set.len(), set.clone()));
        found
    }

    /// Numbers that look random, from a linear congruential generator.
    struct Random(u64);

    impl Random {
        fn number(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 33
        }

        /// A condition in conjunctive form: some runs, each of which has to be hit.
        fn runs(&mut self) -> Vec<Places> {
            let run = |bits: u64| (0..5).filter(|at| bits >> (7 + at) & 1 == 1).collect::<Places>();
            let runs = (0..4).map(|_| run(self.number()));
            runs.filter(|run| !run.is_empty()).collect()
        }
    }

    #[test]
    fn finds_what_trying_every_set_finds() {
        let mut random = Random(7);
        for _ in 0..300 {
            let runs = random.runs();
            let missed = |set: &Places| runs.iter().find(|run| run.is_disjoint(set)).cloned();
            let check = |set: &Places| missed(set).map_or(Checked::Safe, Checked::Violated);
            let found = minimal_fences(&set(&[0, 1, 2, 3, 4]), check, || false);
            assert_eq!(found.sufficient, brute(|set| missed(set).is_none()), "{runs:?}");
            assert!(found.undecided.is_empty() && !found.hopeless);
        }
    }

    /// As above, but sets with fewer than some number of places are hard to prove.
    #[test]
    fn finds_what_can_be_proved_where_small_sets_are_undecided() {
        let (mut random, mut larger) = (Random(11), 0);
        for _ in 0..300 {
            let (runs, enough) = (random.runs(), usize::try_from(random.number() % 6).unwrap());
            let missed = |set: &Places| runs.iter().find(|run| run.is_disjoint(set)).cloned();
            let check = |set: &Places| match missed(set) {
                Some(run) => Checked::Violated(run),
                None if set.len() < enough => Checked::Unknown("too hard".into()),
                None => Checked::Safe,
            };
            let found = minimal_fences(&set(&[0, 1, 2, 3, 4]), check, || false);
            let provable = brute(|set| missed(set).is_none() && set.len() >= enough);
            assert_eq!(found.sufficient, provable, "{runs:?} {enough}");
            for (undecided, _) in &found.undecided {
                assert!(missed(undecided).is_none() && undecided.len() < enough, "{undecided:?} {runs:?}");
                larger += usize::from(provable.iter().any(|proved| undecided.is_subset(proved)));
            }
        }
        assert!(larger > 100, "undecided sets have proved ones around them: {larger}");
    }

    #[test]
    fn what_was_not_tried_in_time_is_undecided() {
        let mut checks = 0;
        let check = |places: &Places| {
            if places.is_empty() { Checked::Violated(set(&[1, 2])) } else { Checked::Safe }
        };
        let stop = || {
            checks += 1;
            checks > 2
        };
        let found = minimal_fences(&set(&[0, 1, 2]), check, stop);
        assert_eq!((found.sufficient, found.checked), (vec![set(&[1])], 2));
        assert_eq!(found.undecided, [(set(&[2]), "the time is up".to_owned())]);
    }

    #[test]
    fn a_run_without_buffers_is_hopeless() {
        let found = minimal_fences(&set(&[0, 1]), |_| Checked::Violated(Places::new()), || false);
        assert!(found.hopeless && found.sufficient.is_empty());
    }

    #[test]
    fn what_is_unknown_is_told_and_does_not_stop_the_rest() {
        let check = |places: &Places| match places.len() {
            0 => Checked::Violated(set(&[1, 2])),
            _ if places.contains(&1) => Checked::Unknown("too hard".into()),
            _ => Checked::Safe,
        };
        let found = minimal_fences(&set(&[0, 1, 2, 3, 4]), check, || false);
        assert_eq!(found.sufficient, [set(&[2])]);
        assert_eq!(found.undecided, [(set(&[1]), "too hard".to_owned())]);
    }
}
