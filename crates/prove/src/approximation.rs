//! Approximation: a more general cube that no known state matches is a candidate for an invariant.
//!
//! From the procedure BRAB (Conchon, Goel, Krstić, Mebsout, Zaïdi: Invariants for finite instances and beyond, 2013).
//! Unlike there, all combinations of few literals are tried first; then literals are dropped one by one from the whole cube.

use crate::assume::Watch;
use crate::canonical::canonical;
use crate::cell::Cell;
use crate::cube::Cube;
use crate::instances::Explored;
use crate::linear::{Comparison, Constraint, Simplified, entails, simplify};
use crate::matching::{Pattern, Target};
use crate::oracle::Oracle;
use crate::regions::with_regions;
use crate::subsumption::Signature;
use crate::vocabulary::{ELSEWHERE, Kind, Values, Vocabulary, member, members};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, PoisonError};

/// All combinations of up to this many literals are tried.
const FEW: usize = 3;
/// Of cubes with more literals, only combinations of up to two are tried.
const MANY_LITERALS: usize = 16;
/// The same where many of the literals follow from each other.
const MANY_REGIONS: usize = 32;

/// Finds candidates, and remembers what it has learned about them.
#[derive(Debug)]
pub(crate) struct Approximator {
    instances: Explored,
    /// Views of all reachable states, for any number of processes.
    views: Option<Oracle>,
    /// There are no states: all that is done is to weaken what a cube says about sums of numbers.
    weakens_sums: bool,
    /// What is known of cubes that have been tested.
    known: Mutex<FxHashMap<Cube, Known>>,
    /// Candidates that were refuted, with what they offer.
    refuted: Vec<(Signature, Cube)>,
}

/// What is known of a cube.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// It is not a candidate: a state matches it, or it is refuted or not tenable.
    Excluded,
    /// No state matches it, and it subsumes none of the first `refuted` candidates that were refuted.
    Open { refuted: usize },
}

impl Approximator {
    fn new(instances: Explored, views: Option<Oracle>) -> Approximator {
        Approximator { instances, views, weakens_sums: false, known: Mutex::default(), refuted: vec![] }
    }

    /// Without states: only weakens what a cube says about sums of numbers to how they compare. `X + 3 * Step = Y` is one of
    /// infinitely many constraints, and `X < Y` follows from each of them.
    pub(crate) fn of_sums() -> Approximator {
        Approximator { weakens_sums: true, ..Approximator::new(Explored::default(), None) }
    }

    /// Candidates are cubes that no state of these instances matches. None if there are no states.
    pub(crate) fn of_instances(instances: Explored) -> Option<Approximator> {
        let is_empty = instances.reached.is_empty();
        (!is_empty).then(|| Approximator::new(instances, None))
    }

    /// Candidates are cubes that no view matches.
    pub(crate) fn of_views(views: Oracle) -> Approximator {
        Approximator::new(Explored::default(), Some(views))
    }

    pub(crate) fn knows_views(&self) -> bool {
        self.views.is_some()
    }

    /// The number of states that candidates are tested against.
    pub(crate) fn states(&self) -> usize {
        let Explored { reached, coarse } = &self.instances;
        reached.iter().chain(coarse).chain(&self.views).map(Oracle::states).sum()
    }

    /// Remembers that a candidate has been refuted.
    pub(crate) fn refute(&mut self, vocabulary: &Vocabulary, candidate: &Cube) {
        self.refuted.push((Signature::offered(candidate, vocabulary), candidate.clone()));
    }

    /// Whether a candidate is refuted, because it subsumes one that was. Refutation is upward closed: so a candidate that was
    /// found earlier and has not been refuted since is the one that would be found now, and it does not matter when a candidate
    /// is looked for.
    pub(crate) fn is_refuted(&self, vocabulary: &Vocabulary, candidate: &Cube) -> bool {
        match self.known(candidate) {
            Some(Known::Excluded) => true,
            Some(Known::Open { refuted }) => self.subsumes_refuted(vocabulary, candidate, refuted),
            None => self.subsumes_refuted(vocabulary, candidate, 0),
        }
    }

    /// Whether a cube subsumes a refuted candidate, other than the first `from` ones.
    fn subsumes_refuted(&self, vocabulary: &Vocabulary, cube: &Cube, from: usize) -> bool {
        let further = &self.refuted[from..];
        if further.is_empty() {
            return false;
        }
        let (demanded, pattern) = (Signature::demanded(cube, vocabulary), Pattern::new(vocabulary, cube));
        further.iter().any(|(offered, refuted)| {
            demanded.is_within(*offered) && Target::new(vocabulary, refuted).is_subsumed_by(cube, &pattern)
        })
    }

    /// Whether a known state matches a cube.
    pub(crate) fn is_reachable(&self, vocabulary: &Vocabulary, cube: &Cube) -> bool {
        self.instances.reached.iter().any(|oracle| oracle.matches(vocabulary, cube))
    }

    /// A candidate that is more general than a cube, in canonical form, with what makes it tenable. If a cube is not tenable,
    /// nothing more general may be: so it does not matter what other threads have tried before.
    pub(crate) fn candidate<T>(
        &self,
        vocabulary: &Vocabulary,
        cube: &Cube,
        tenable: impl Fn(&Cube) -> Option<T>,
        watch: &Watch,
    ) -> Option<(Cube, T)> {
        loop {
            let candidate = self.next_candidate(vocabulary, cube, watch)?;
            if let Some(why) = tenable(&candidate) {
                return Some((candidate, why));
            }
            self.remember(candidate, Known::Excluded);
        }
    }

    fn next_candidate(&self, vocabulary: &Vocabulary, cube: &Cube, watch: &Watch) -> Option<Cube> {
        if self.weakens_sums {
            return self.weakened(vocabulary, cube);
        }
        if let Some(views) = self.views.as_ref().filter(|_| !cube.linear.is_empty()) {
            let regions = with_regions(vocabulary, cube, views.clip());
            let most = if regions.literals() > MANY_REGIONS { FEW - 1 } else { FEW };
            return self
                .few_literals((vocabulary, watch), &regions, most)
                .or_else(|| self.dropped((vocabulary, watch), &regions, true))
                .or_else(|| self.dropped((vocabulary, watch), cube, false));
        }
        let extended = with_comparisons(vocabulary, cube);
        let most = if extended.literals() > MANY_LITERALS { FEW - 1 } else { FEW };
        self.few_literals((vocabulary, watch), &extended, most)
            .or_else(|| self.dropped((vocabulary, watch), cube, false))
    }

    /// The cube with comparisons in the place of sums, if it has any and the result has not been refuted.
    fn weakened(&self, vocabulary: &Vocabulary, cube: &Cube) -> Option<Cube> {
        let is_sum = |constraint: &Constraint| constraint.terms.len() > 2;
        if !cube.linear.iter().any(is_sum) {
            return None;
        }
        let mut weak = cube.clone();
        weak.linear.retain(|constraint| !is_sum(constraint));
        add_comparisons(vocabulary, &mut weak, cube);
        let weak = part(vocabulary, &weak, |_| true);
        (!self.is_refuted(vocabulary, &weak)).then_some(weak)
    }

    /// A candidate of up to `most` literals.
    fn few_literals(
        &self,
        (vocabulary, watch): (&Vocabulary, &Watch),
        cube: &Cube,
        most: usize,
    ) -> Option<Cube> {
        for size in 1..=most.min(cube.literals().saturating_sub(1)) {
            let mut chosen = Vec::new();
            // What relates only two numbers holds in more states than what needs a third.
            for most_numbers in if cube.linear.len() > 1 { &[2, usize::MAX][..] } else { &[usize::MAX] } {
                let found =
                    self.combinations((vocabulary, watch), cube, (size, *most_numbers), 0, &mut chosen);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn combinations(
        &self,
        (vocabulary, watch): (&Vocabulary, &Watch),
        cube: &Cube,
        (size, most_numbers): (usize, usize),
        from: usize,
        chosen: &mut Vec<usize>,
    ) -> Option<Cube> {
        if chosen.len() == size {
            if numbers(cube, chosen) > most_numbers {
                return None;
            }
            let candidate = part(vocabulary, cube, |at| chosen.contains(&at));
            return self.is_candidate((vocabulary, watch), &candidate).then_some(candidate);
        }
        for at in from..cube.literals() {
            chosen.push(at);
            let found = self.combinations((vocabulary, watch), cube, (size, most_numbers), at + 1, chosen);
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Drops literals as long as the rest is a candidate. The cube may be one itself if it is not the one to be replaced.
    fn dropped(
        &self,
        (vocabulary, watch): (&Vocabulary, &Watch),
        cube: &Cube,
        is_another: bool,
    ) -> Option<Cube> {
        let most = self.views.as_ref().map(Oracle::processes);
        match most {
            // Views tell nothing about more processes than they have, but about parts of the cube.
            Some(most) if cube.processes > most => subsets(cube.processes, most).find_map(|processes| {
                self.dropped_from((vocabulary, watch), cube, about(vocabulary, cube, processes), true)
            }),
            _ => self.dropped_from((vocabulary, watch), cube, (0..cube.literals()).collect(), is_another),
        }
    }

    fn dropped_from(
        &self,
        (vocabulary, watch): (&Vocabulary, &Watch),
        cube: &Cube,
        mut kept: Vec<usize>,
        is_another: bool,
    ) -> Option<Cube> {
        let mut best = None;
        if is_another {
            let whole = part(vocabulary, cube, |at| kept.contains(&at));
            if kept.is_empty() || !self.is_candidate((vocabulary, watch), &whole) {
                return None;
            }
            best = Some(whole);
        }
        for at in kept.clone() {
            let without: Vec<usize> = kept.iter().copied().filter(|known| *known != at).collect();
            if without.is_empty() {
                break;
            }
            let candidate = part(vocabulary, cube, |at| without.contains(&at));
            if self.is_candidate((vocabulary, watch), &candidate) {
                kept = without;
                best = Some(candidate);
            }
        }
        best
    }

    fn is_candidate(&self, (vocabulary, watch): (&Vocabulary, &Watch), cube: &Cube) -> bool {
        let scales = vocabulary.places.as_ref().is_some_and(|places| places.scales(vocabulary, cube));
        if scales || !self.speaks_of(cube) || watch.look() {
            return false;
        }
        let (is_matched, from) = match self.known(cube) {
            Some(Known::Excluded) => return false,
            Some(Known::Open { refuted }) => (false, refuted),
            None => (self.is_matched(vocabulary, cube), 0),
        };
        let is_candidate = !is_matched && !self.subsumes_refuted(vocabulary, cube, from);
        let known = if is_candidate { Known::Open { refuted: self.refuted.len() } } else { Known::Excluded };
        self.remember(cube.clone(), known);
        is_candidate
    }

    /// Whether there are states with at least as many processes as a cube.
    fn speaks_of(&self, cube: &Cube) -> bool {
        self.instances.reached.iter().chain(&self.views).any(|oracle| oracle.processes() >= cube.processes)
    }

    /// Whether a known state matches a cube.
    fn is_matched(&self, vocabulary: &Vocabulary, cube: &Cube) -> bool {
        if let Some(views) = &self.views {
            return views.matches(vocabulary, cube);
        }
        // Coarse states tell nothing about numbers. The reached ones tell little about how large numbers get, but a lot about
        // how they compare.
        let compares = !cube.linear.is_empty() && cube.linear.iter().all(Constraint::is_comparison);
        let mut coarse = self.instances.coarse.iter().filter(|_| !compares);
        self.is_reachable(vocabulary, cube) || coarse.any(|oracle| oracle.matches(vocabulary, cube))
    }

    /// What is known of a cube that has been tested before.
    fn known(&self, cube: &Cube) -> Option<Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(cube).copied()
    }

    fn remember(&self, cube: Cube, known: Known) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(cube, known);
    }
}

/// Adds to a cube the strongest comparisons of two numbers that follow from another one, unless they follow from the cube.
fn add_comparisons(vocabulary: &Vocabulary, weak: &mut Cube, cube: &Cube) {
    let facts = cube.facts(vocabulary);
    let mut pairs = pairs_of_numbers(cube);
    pairs.sort_unstable();
    for comparison in [Comparison::Zero, Comparison::Below, Comparison::AtMost] {
        for (a, b, whole) in &pairs {
            let Some(Simplified::Constraint(one)) = simplify([(*a, 1), (*b, -1)], 0, comparison, *whole)
            else {
                continue;
            };
            if entails(&cube.linear, &facts, &one) && !entails(&weak.linear, &facts, &one) {
                weak.linear.push(one);
            }
        }
    }
}

/// The cube with the comparisons between two numbers that follow from it, weak ones first. What keeps growing in a
/// search, such as `X + 3 * Step = Y`, is hardly ever part of an invariant; `X <= Y` may be what matters about it.
fn with_comparisons(vocabulary: &Vocabulary, cube: &Cube) -> Cube {
    let mut extended = cube.clone();
    let facts = cube.facts(vocabulary);
    let mut found: Vec<Constraint> = Vec::new();
    for (a, b, whole) in pairs_of_numbers(cube) {
        for comparison in [Comparison::AtMost, Comparison::Below] {
            let Some(Simplified::Constraint(less)) = simplify([(a, 1), (b, -1)], 0, comparison, whole) else {
                continue;
            };
            if !found.contains(&less) && entails(&cube.linear, &facts, &less) {
                found.push(less);
            }
        }
    }
    found.sort_by_key(|constraint| constraint.comparison != Comparison::AtMost);
    found.extend(extended.linear.drain(..).filter(|constraint| !constraint.is_comparison()));
    extended.linear = found;
    extended
}

/// The number of numeric cells that some of the literals mention.
fn numbers(cube: &Cube, literals: &[usize]) -> usize {
    let before = cube.finite.len() + cube.relations.len();
    let constraints = literals.iter().filter_map(|at| cube.linear.get(at.checked_sub(before)?));
    let mut cells: Vec<Cell> =
        constraints.flat_map(|constraint| &constraint.terms).map(|(cell, _)| *cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells.len()
}

/// Pairs of numbers that a cube may compare, and whether they are whole: those of one constraint, and those of two
/// constraints that have a number in common.
fn pairs_of_numbers(cube: &Cube) -> Vec<(Cell, Cell, bool)> {
    let mut pairs = Vec::new();
    for (at, one) in cube.linear.iter().enumerate() {
        let others = cube.linear.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
        let related = others.filter(|other| {
            let is_common = |cell: &Cell| one.terms.iter().any(|(known, _)| known == cell);
            other.whole == one.whole && other.terms.iter().any(|(cell, _)| is_common(cell))
        });
        for constraint in std::iter::once(one).chain(related) {
            for (a, _) in &one.terms {
                let others = constraint.terms.iter().filter(|(b, _)| b != a);
                pairs.extend(others.map(|(b, _)| (*a, *b, one.whole)));
            }
        }
    }
    let mut seen = FxHashSet::default();
    pairs.retain(|pair| seen.insert(*pair));
    pairs
}

/// All sets of `size` processes, as bits.
fn subsets(processes: u8, size: u8) -> impl Iterator<Item = Values> {
    (0..1 << processes).filter(move |set: &Values| set.count_ones() == u32::from(size))
}

/// The literals that mention no other processes than these.
fn about(vocabulary: &Vocabulary, cube: &Cube, processes: Values) -> Vec<usize> {
    let is_about =
        |cell: Cell| cell.indices(vocabulary.arity(cell)).all(|process| processes & member(process) != 0);
    let points_inside = |cell: Cell, values: Values| {
        vocabulary.kind(cell) != Kind::Process || {
            let beside = members(cube.processes) & !processes;
            // Either it points to none of the other processes, or it may point to all of them and anywhere else.
            values & beside == if values & ELSEWHERE == 0 { 0 } else { beside }
        }
    };
    let finite = cube.finite.iter().map(|(cell, values)| is_about(*cell) && points_inside(*cell, *values));
    let relations = cube.relations.iter().map(|relation| is_about(relation.left) && is_about(relation.right));
    let linear =
        cube.linear.iter().map(|constraint| constraint.terms.iter().all(|(cell, _)| is_about(*cell)));
    let order = cube.order.iter().map(|(a, b)| processes & member(*a) != 0 && processes & member(*b) != 0);
    let all = finite.chain(relations).chain(linear).chain(order);
    all.enumerate().filter(|(_, kept)| *kept).map(|(at, _)| at).collect()
}

/// The cube of some of the literals, in canonical form.
fn part(vocabulary: &Vocabulary, cube: &Cube, keep: impl Fn(usize) -> bool) -> Cube {
    let mut at = 0;
    let mut next = || {
        at += 1;
        keep(at - 1)
    };
    let mut part = Cube {
        processes: cube.processes,
        finite: cube.finite.iter().filter(|_| next()).copied().collect(),
        relations: cube.relations.iter().filter(|_| next()).copied().collect(),
        linear: cube.linear.iter().filter(|_| next()).cloned().collect(),
        order: cube.order.iter().filter(|_| next()).copied().collect(),
    };
    part.drop_unused_processes(vocabulary);
    canonical(&mut part, vocabulary);
    part
}

#[cfg(test)]
mod tests;
