//! Compares both interpreters on the same model: that of the text, and that of the typed form.

use super::{
    instance::{Instance, Ranges},
    meaning,
    search::{Limits, Refusal, Report, explore},
    tree::Program,
};
use std::collections::{BTreeMap, HashSet};

/// The comparable results: everything except the names of faulty steps, which the typed form numbers.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    states: usize,
    initial: usize,
    cut: bool,
    /// The number of distinct steps, ignoring processes; only if no state is bad.
    moves: Option<usize>,
    /// The first depth of each kind of violation, and of each property by name.
    first: BTreeMap<(&'static str, String), usize>,
}

impl Outcome {
    /// Whether some state violates a property itself, and so has no successors.
    fn is_bad(&self) -> bool {
        self.first.keys().any(|(kind, _)| matches!(*kind, "unsafe" | "invariant"))
    }
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Agree,
    Differ(String),
    /// Nothing was compared, for this reason.
    LeftOut(&'static str),
}

/// Only one of the two reads an unset number: either the typed form has simplified the read away (`X - X`), or its
/// interpreter decomposes a disjunct of `init` that need not hold.
pub(crate) const ONE_NEEDS_RANGE: &str = "only one needs a range";

/// Explores one instance twice.
pub(crate) fn compare(program: &Program, model: &ir::Model, processes: usize, limits: &Limits) -> Verdict {
    let theirs = meaning::search::Limits {
        ranges: limits.ranges.clone(),
        states: limits.states,
        stop_at_first: limits.stop_at_first,
    };
    let theirs = meaning::search::explore(model, processes, &theirs);
    if matches!(theirs, Err(meaning::search::Refusal::TooLarge)) {
        return Verdict::LeftOut("too large");
    }
    // Here `<` between processes is looked for in the text, there in what is left of it after lowering.
    let there = meaning::instance::Instance::new(model, processes, Ranges::new()).kinds();
    if Instance::new(program, processes, Ranges::new()).kind_assignments().len() != there.len() {
        return Verdict::LeftOut("kinds are assigned in more ways than necessary");
    }
    match (explore(program, processes, limits), theirs) {
        (Ok(ours), Ok(theirs)) => {
            let (mut ours, mut theirs) = (outcome_here(&ours), outcome_there(&theirs));
            if ours.is_bad() {
                ours.moves = None;
            } else {
                theirs.moves = moves_there(model, processes, limits);
            }
            if ours == theirs {
                Verdict::Agree
            } else {
                Verdict::Differ(format!("{ours:?}\n but typed {theirs:?}"))
            }
        }
        (Err(Refusal::TooLarge), _) => Verdict::LeftOut("too large"),
        (Err(Refusal::NeedsRange(_)), Err(meaning::search::Refusal::NeedsRange(_))) => {
            Verdict::LeftOut("needs a range")
        }
        (Err(Refusal::NeedsRange(_)), _) | (_, Err(meaning::search::Refusal::NeedsRange(_))) => {
            Verdict::LeftOut(ONE_NEEDS_RANGE)
        }
        (ours, theirs) => Verdict::Differ(format!("{ours:?}\n but typed {theirs:?}")),
    }
}

fn outcome_here(report: &Report) -> Outcome {
    let mut violations: Vec<_> =
        report.violations.iter().map(|found| (found.kind, found.name.as_str(), found.depth)).collect();
    violations.extend(report.first_stuck().map(|depth| ("deadlock", "", depth)));
    let (first, moves) = (first_depths(&violations), Some(report.moves));
    Outcome { states: report.states, initial: report.initial, cut: report.cut, moves, first }
}

fn outcome_there(report: &meaning::search::Report) -> Outcome {
    let violations: Vec<_> =
        report.violations.iter().map(|found| (found.kind, found.name.as_str(), found.depth)).collect();
    let first = first_depths(&violations);
    Outcome { states: report.states, initial: report.initial, cut: report.cut, moves: None, first }
}

/// The number of distinct triples of a state, a rule and a state of the typed form, which must have no bad states.
fn moves_there(model: &ir::Model, processes: usize, limits: &Limits) -> Option<usize> {
    let instance = meaning::instance::Instance::new(model, processes, limits.ranges.clone());
    let mut seen = instance.initial(usize::MAX).ok()?.states;
    let mut open: Vec<_> = seen.iter().cloned().collect();
    let mut moves = 0;
    while let Some(state) = open.pop() {
        let steps = instance.steps(&state).ok()?.into_iter();
        let targets: HashSet<_> =
            steps.flat_map(|step| step.states.into_iter().map(move |target| (step.rule, target))).collect();
        moves += targets.len();
        open.extend(
            targets.into_iter().map(|(_, target)| target).filter(|target| seen.insert(target.clone())),
        );
    }
    Some(moves)
}

fn first_depths(violations: &[(&'static str, &str, usize)]) -> BTreeMap<(&'static str, String), usize> {
    let mut first = BTreeMap::new();
    for (kind, name, depth) in violations {
        let named = matches!(*kind, "unsafe" | "invariant");
        let name = if named { (*name).to_owned() } else { String::new() };
        let known = first.entry((*kind, name)).or_insert(*depth);
        *known = (*known).min(*depth);
    }
    first
}
