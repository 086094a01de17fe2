//! The parallel breadth-first search against the plain one on compiled instances: same states, steps, violations and
//! runs.

use explore::{
    BreadthFirst, End, Found, Limit, Limits, Named, Outcome, ParallelBfs, Property, Search, Seen, Symmetric,
};
use instance::{Action, Instance, Machine, Setup};
use ir::{Model, RuleId};
use modelgen::{Features, Options, Size, random_model};
use source::Source;
use std::{collections::BTreeSet, fs};

/// Reports violations by position in the model, and records which transitions are taken.
#[derive(Clone, Default)]
struct Judge {
    taken: BTreeSet<usize>,
}

impl<const W: usize> Property<Machine<'_, '_, W>> for Judge {
    type Violation = Named;

    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Named>) {
        let mut bad = Vec::new();
        machine.violations(&mut bad);
        found.extend(bad.iter().map(|(at, _)| Named(at.to_string())));
    }

    fn step(&mut self, machine: &Machine<'_, '_, W>, action: &Action, _found: &mut Vec<Named>) {
        self.taken.insert(machine.step_of(action).0);
    }

    fn stuck(&mut self, _machine: &Machine<'_, '_, W>, found: &mut Vec<Named>) {
        found.push(Named("deadlock".into()));
    }
}

/// States, steps, ends of runs, depth, and each violation with the length of the run to it.
type Essence = ([usize; 4], BTreeSet<(String, usize)>);

fn essence(outcome: &Outcome<Action, Named>) -> Essence {
    let stats = &outcome.stats;
    let length = |found: &Found<Action, Named>| (found.violation.0.clone(), found.schedule.actions.len());
    ([stats.states, stats.transitions, stats.runs, stats.depth], outcome.found.iter().map(length).collect())
}

/// Compares the two on one instance; false if it is too large or numbers are an obstacle.
fn agree<const W: usize>(name: &str, model: &Model, instances: &[Instance<'_>], symmetric: bool) -> bool {
    let limits = || Limits { states: Some(800), ..Limits::default() };
    let (mut machine, mut judge) = (Machine::<W>::new(instances), Judge::default());
    let search = Search::new(&mut machine, BreadthFirst::new(), &mut judge).find_all().limit(limits());
    let expected =
        if symmetric { search.remember(Symmetric::new()).run() } else { search.remember(Seen::new()).run() };
    let expected = expected.expect("no reduction");
    let mut schedules = Vec::new();
    for workers in [1, 2, 3, 7] {
        let mut visited = Machine::<W>::new(instances);
        let outcome = ParallelBfs::new(&mut visited, Judge::default())
            .limit(limits())
            .up_to_symmetry(symmetric)
            .compact(workers == 3)
            .share(workers, Some(24))
            .end_at(|_| false)
            .run();
        if machine.obstacle().is_some() || expected.end == End::Limit(Limit::States) {
            assert!(visited.obstacle().is_some() || outcome.end == expected.end, "{name}, {workers} workers");
            return false;
        }
        assert_eq!(visited.obstacle(), None, "{name}, {workers} workers");
        assert_eq!(essence(&outcome), essence(&expected), "{name}, {workers} workers");
        assert_eq!(visited.was_cut(), machine.was_cut(), "{name}, {workers} workers");
        let rules: BTreeSet<RuleId> = judge.taken.iter().map(|at| model.transitions[*at].rule).collect();
        let never: Vec<RuleId> =
            (0..model.rules.len()).map(RuleId::from_index).filter(|rule| !rules.contains(rule)).collect();
        assert_eq!(visited.never_taken(), never, "{name}, {workers} workers");
        schedules.push(outcome.found);
    }
    assert!(schedules.iter().all(|found| *found == schedules[0]), "runs of {name}");
    true
}

fn compare(source: &Source, model: &Model, processes: u32) -> usize {
    let allowed =
        processes >= model.min_processes() && model.max_processes.is_none_or(|most| processes <= most);
    let setup = Setup::new(processes as usize, 16);
    let Some(instances) = Some(()).filter(|()| allowed).and_then(|()| Instance::all(model, &setup).ok())
    else {
        return 0;
    };
    let both = if Instance::is_symmetric(model) { &[false, true][..] } else { &[false] };
    let agree = |symmetric: &&bool| match instances.iter().map(Instance::words).max().unwrap_or(0) {
        0..=1 => agree::<1>(source.name(), model, &instances, **symmetric),
        2..=4 => agree::<4>(source.name(), model, &instances, **symmetric),
        _ => agree::<64>(source.name(), model, &instances, **symmetric),
    };
    both.iter().filter(agree).count()
}

#[test]
fn on_the_models_of_the_project() {
    let mut compared = 0;
    for file in super::models() {
        let source = Source::new(file.to_string_lossy(), fs::read_to_string(&file).expect("readable"));
        let Some(model) = model::load(&source).model else { continue };
        compared += (1..=3).map(|processes| compare(&source, &model, processes)).sum::<usize>();
    }
    assert!(compared > 500, "only {compared} instances were compared");
}

#[test]
fn on_random_models() {
    let mut compared = 0;
    for seed in 0..300 {
        let features = [Features::plain(), Features::threads(), Features::everything(), Features::any(seed)]
            [usize::try_from(seed % 4).unwrap()];
        let text = random_model(&Options { seed, size: Size::Small, features });
        let source = Source::new(format!("seed {seed}"), text);
        let model = model::load(&source).model.expect("random models are accepted");
        compared += (1..=2).map(|processes| compare(&source, &model, processes)).sum::<usize>();
    }
    assert!(compared > 150, "only {compared} instances were compared");
}
