//! Which fences a weak model needs: all minimal sets of places where a fence makes it safe.
//!
//! A fence only takes runs away, so whatever contains a set that suffices suffices as well. A run to a bad state shows which
//! places matter: it stays possible unless there is a fence at one of the places that it passes with something in the
//! buffer. Sets that suffice therefore hit every such run, and a minimal set of places that hits all runs found so far
//! is either proved to suffice, and is then minimal, or leads to a run that it misses (implicit hitting sets; see Reiter, "A
//! theory of diagnosis from first principles", 1987, for the idea).

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
    /// All minimal sets that were proved to suffice, small ones first.
    pub sufficient: Vec<Places>,
    /// Sets of which it is not known whether they suffice, with the reason.
    pub undecided: Vec<(Places, String)>,
    /// Whether some run needs no store buffer at all, so that no fence helps.
    pub hopeless: bool,
    /// The number of sets that were checked.
    pub checked: usize,
}

/// Finds all minimal sets of places where a fence makes a model safe. Gives up on further sets once `stop` says so.
pub fn minimal_fences(mut check: impl FnMut(&Places) -> Checked, mut stop: impl FnMut() -> bool) -> Fences {
    let mut found = Fences::default();
    let mut hitting: Vec<Places> = vec![Places::new()];
    while let Some(set) = next(&hitting, &found) {
        if stop() {
            found.undecided.push((set, "the time is up".into()));
            break;
        }
        found.checked += 1;
        match check(&set) {
            Checked::Safe => found.sufficient.push(set),
            Checked::Unknown(why) => found.undecided.push((set, why)),
            Checked::Violated(places) => {
                let missed: Places = places.difference(&set).copied().collect();
                if missed.is_empty() {
                    found.hopeless = true;
                    break;
                }
                hitting = hit(&hitting, &missed);
            }
        }
    }
    found.sufficient.sort_by_key(|set| (set.len(), set.clone()));
    found
}

/// The smallest set that hits all runs and has not been checked.
fn next(hitting: &[Places], found: &Fences) -> Option<Places> {
    let is_known = |set: &Places| {
        found.sufficient.contains(set) || found.undecided.iter().any(|(known, _)| known == set)
    };
    hitting.iter().filter(|set| !is_known(set)).min_by_key(|set| (set.len(), (*set).clone())).cloned()
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

    #[test]
    fn finds_what_trying_every_set_finds() {
        let mut seed = 7_u64;
        for _ in 0..300 {
            // A condition in conjunctive form: some runs, each of which has to be hit.
            let mut runs = Vec::new();
            for _ in 0..4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                runs.push((0..5).filter(|at| seed >> (40 + at) & 1 == 1).collect::<Places>());
            }
            runs.retain(|run| !run.is_empty());
            let missed = |set: &Places| runs.iter().find(|run| run.is_disjoint(set)).cloned();
            let check = |set: &Places| missed(set).map_or(Checked::Safe, Checked::Violated);
            let found = minimal_fences(check, || false);
            assert_eq!(found.sufficient, brute(|set| missed(set).is_none()), "{runs:?}");
            assert!(found.undecided.is_empty() && !found.hopeless);
        }
    }

    #[test]
    fn a_run_without_buffers_is_hopeless() {
        let found = minimal_fences(|_| Checked::Violated(Places::new()), || false);
        assert!(found.hopeless && found.sufficient.is_empty());
    }

    #[test]
    fn what_is_unknown_is_told_and_does_not_stop_the_rest() {
        let check = |places: &Places| match places.len() {
            0 => Checked::Violated(set(&[1, 2])),
            _ if places.contains(&1) => Checked::Unknown("too hard".into()),
            _ => Checked::Safe,
        };
        let found = minimal_fences(check, || false);
        assert_eq!(found.sufficient, [set(&[2])]);
        assert_eq!(found.undecided, [(set(&[1]), "too hard".to_owned())]);
    }
}
