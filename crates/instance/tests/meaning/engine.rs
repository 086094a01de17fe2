//! The compiled instance against the naive interpreter: same states, same verdicts.

use super::{
    instance::Ranges,
    search::{Limits, Refusal, explore},
};
use explore::{BreadthFirst, End, Entry, Named, Property, Search, Seen, Steered, Symmetric, Valuation};
use instance::{Instance, Machine, Obstacle, Setup};
use ir::{Model, PropertyKind};
use model::Queues;
use modelgen::{Features, Options, Size, random_model};
use source::Source;
use std::{collections::HashSet, fs};

/// Reports violations by the names that the interpreter uses.
struct Judge<'m>(&'m Model);

impl<const W: usize> Property<Machine<'_, '_, W>> for Judge<'_> {
    type Violation = Named;

    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Named>) {
        let mut bad = Vec::new();
        machine.violations(&mut bad);
        found.extend(bad.into_iter().map(|(at, _)| {
            let property = &self.0.properties[at];
            Named(format!("{} {}", kind(property.kind), property.name))
        }));
    }

    fn stuck(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Named>) {
        if !machine.ends_in_violation() && machine.somebody_waits() {
            found.push(Named("deadlock".into()));
        }
    }
}

fn kind(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Unsafe => "unsafe",
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assumption => "assumption",
        PropertyKind::Misuse => "misuse",
        PropertyKind::Range => "range",
        PropertyKind::Overflow => "overflow",
    }
}

/// The result of the engine: the numbers of states and initial states, and the first violation with its depth.
#[derive(Debug)]
struct Answer {
    states: usize,
    initial: usize,
    first: Option<(usize, String)>,
}

fn run(model: &Model, processes: usize, states: usize) -> Result<Answer, Obstacle> {
    for number_bits in [8, 16, 32, 60] {
        let instances = match Instance::all(model, &Setup::new(processes, number_bits)) {
            Err(Obstacle::NumberTooLarge(_)) => continue,
            instances => instances?,
        };
        let answer = match instances.iter().map(Instance::words).max().unwrap_or(0) {
            0..=1 => search::<1>(model, &instances, states),
            2 => search::<2>(model, &instances, states),
            3..=4 => search::<4>(model, &instances, states),
            5..=8 => search::<8>(model, &instances, states),
            9..=32 => search::<32>(model, &instances, states),
            _ => return Err(Obstacle::TooWide),
        };
        match answer {
            Err(Obstacle::NumberTooLarge(_)) => {}
            answer => return answer,
        }
    }
    Err(Obstacle::Overflow)
}

fn search<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    states: usize,
) -> Result<Answer, Obstacle> {
    let mut machine = Machine::<W>::new(instances);
    let limits = explore::Limits { states: Some(states), ..explore::Limits::default() };
    let outcome = Search::new(&mut machine, BreadthFirst::new(), Judge(model))
        .remember(Seen::new())
        .limit(limits)
        .run()
        .expect("no reduction");
    // A violation counts even if an obstacle was met elsewhere.
    if let (Some(obstacle), true) = (machine.obstacle(), outcome.found.is_empty()) {
        return Err(obstacle);
    }
    assert!(!matches!(outcome.end, End::Fault(_)), "{:?}", outcome.end);
    if let End::Limit(_) = outcome.end {
        return Err(Obstacle::TooManyInitialStates);
    }
    let first = outcome.found.first().map(|found| (found.schedule.actions.len(), found.violation.0.clone()));
    let initial = instances.iter().map(Instance::initial_states).sum();
    Ok(Answer { states: outcome.stats.states, initial, first })
}

/// Compares the two on one instance. False if it is too large, or needs a range.
fn agree(name: &str, model: &Model, processes: usize, states: usize) -> bool {
    let limits = Limits { ranges: Ranges::new(), states, stop_at_first: true };
    let naive = explore(model, processes, &limits);
    let engine = run(model, processes, states);
    match (naive, engine) {
        (Ok(naive), Ok(engine)) => {
            assert_eq!(engine.initial, naive.initial, "initial states of {name} with {processes}");
            match &engine.first {
                None => {
                    assert_eq!(naive.violations, vec![], "{name} with {processes}: the engine finds nothing");
                    assert_eq!(engine.states, naive.states, "states of {name} with {processes}");
                }
                Some((depth, property)) => {
                    // A deadlock may be noticed after a bad state that is one step farther away: see `BreadthFirst`.
                    let passed_by =
                        naive.violations.iter().all(|v| v.kind == "deadlock" && v.depth + 1 == *depth);
                    let further =
                        || explore(model, processes, &Limits { stop_at_first: false, ..limits.clone() });
                    let naive = if passed_by { further() } else { Ok(naive) };
                    let Ok(naive) = naive else { return false };
                    let known = naive
                        .violations
                        .iter()
                        .map(|v| (v.depth, format!("{} {}", v.kind, v.name).trim().to_owned()));
                    let known: Vec<(usize, String)> = known.collect();
                    let same = |(d, p): &(usize, String)| {
                        d == depth && (p == property || p.starts_with("deadlock") && property == "deadlock")
                    };
                    assert!(
                        known.iter().any(same),
                        "{name} with {processes}: {depth} {property}, not {known:?}"
                    );
                }
            }
            true
        }
        (Err(Refusal::TooLarge), _)
        | (_, Err(Obstacle::TooManyInitialStates | Obstacle::NegativeSemaphore(_) | Obstacle::Overflow))
        | (Err(Refusal::NeedsRange(_)), Err(Obstacle::NeedsRange(_)) | Ok(Answer { first: Some(_), .. })) => {
            false
        }
        (naive, engine) => panic!("{name} with {processes}: {naive:?} and {engine:?}"),
    }
}

/// Compares the two on all instances up to a size, for both orders of queues if there are any. Returns the number of
/// instances compared.
fn agree_in_both_orders(source: &Source, most: u32, states: usize) -> usize {
    let mut compared = 0;
    for queues in [Queues::Any, Queues::Fifo] {
        let Some(model) = model::load_with(source, queues).model else { continue };
        if queues == Queues::Fifo && model.threads.is_none() {
            continue;
        }
        let most = model.max_processes.map_or(most, |allowed| allowed.min(most));
        for processes in model.min_processes()..=most {
            let name = format!("{} with queues {queues:?}", source.name());
            compared += usize::from(agree(&name, &model, processes as usize, states));
        }
    }
    compared
}

#[test]
fn on_the_models_of_the_project() {
    let mut compared = 0;
    for file in super::models() {
        let source = Source::new(file.to_string_lossy(), fs::read_to_string(&file).expect("readable"));
        compared += agree_in_both_orders(&source, 3, 20_000);
    }
    assert!(compared > 800, "only {compared} instances were compared");
}

/// `MOTET_CORPUS` may name one more folder of models.
#[test]
fn on_a_corpus() {
    let Ok(folder) = std::env::var("MOTET_CORPUS") else { return };
    let mut compared = 0;
    for file in super::models_under(vec![folder.into()]) {
        let source = Source::new(file.to_string_lossy(), fs::read_to_string(&file).expect("readable"));
        compared += agree_in_both_orders(&source, 3, 3_000);
    }
    println!("{compared} instances of the corpus were compared");
}

#[test]
fn on_random_models() {
    let mut compared = 0;
    for seed in 0..1500 {
        let features = [Features::plain(), Features::threads(), Features::everything(), Features::any(seed)]
            [usize::try_from(seed % 4).unwrap()];
        let source =
            Source::new(format!("seed {seed}"), random_model(&Options { seed, size: Size::Small, features }));
        assert!(model::load(&source).model.is_some(), "random models are accepted: seed {seed}");
        compared += agree_in_both_orders(&source, 2, 1_000);
    }
    assert!(compared > 2000, "only {compared} instances were compared");
}

/// Collects the states that a search visits.
struct Collect<'c>(&'c mut Vec<Valuation>);

impl<const W: usize> Property<Machine<'_, '_, W>> for Collect<'_> {
    type Violation = Named;

    fn state(&mut self, machine: &Machine<'_, '_, W>, _found: &mut Vec<Named>) {
        self.0.push(machine.describe());
    }
}

/// All states without symmetry, and their number with it; `None` if there are too many or numbers are an obstacle.
fn states<const W: usize>(instances: &[Instance<'_>], limit: usize) -> Option<(Vec<Valuation>, usize)> {
    let limits = || explore::Limits { states: Some(limit), ..explore::Limits::default() };
    let mut machine = Machine::<W>::new(instances);
    let mut all = Vec::new();
    let plain = Search::new(&mut machine, BreadthFirst::new(), Collect(&mut all))
        .remember(Seen::new())
        .limit(limits());
    let plain = plain.run().expect("no reduction");
    let search =
        Search::new(&mut machine, BreadthFirst::new(), ()).remember(Symmetric::new()).limit(limits());
    let symmetric = search.run().expect("no reduction");
    let complete =
        plain.end == End::Exhausted && symmetric.end == End::Exhausted && machine.obstacle().is_none();
    complete.then_some((all, symmetric.stats.states))
}

/// The smallest state over all permutations of processes.
fn representative(state: &[Entry], processes: usize) -> Vec<String> {
    let mut best: Option<Vec<String>> = None;
    let mut order: Vec<usize> = (0..processes).collect();
    permute(&mut order, 0, &mut |order| {
        let rename = |text: &str| {
            let parts = text.split('#').enumerate().map(|(at, part)| match (at, part.chars().next()) {
                (0, _) => part.to_owned(),
                (_, Some(digit)) => {
                    format!("#{}{}", order[digit.to_digit(10).unwrap() as usize - 1] + 1, &part[1..])
                }
                _ => unreachable!("a number follows"),
            });
            parts.collect::<String>()
        };
        let mut renamed: Vec<String> = state.iter().map(|entry| rename(&entry.to_string())).collect();
        renamed.sort_unstable();
        if best.as_ref().is_none_or(|best| renamed < *best) {
            best = Some(renamed);
        }
    });
    best.expect("the identity is a way")
}

fn permute(order: &mut Vec<usize>, at: usize, visit: &mut dyn FnMut(&[usize])) {
    if at == order.len() {
        return visit(order);
    }
    for other in at..order.len() {
        order.swap(at, other);
        permute(order, at + 1, visit);
        order.swap(at, other);
    }
}

/// Checks that the number of states with symmetry is the number of classes found by brute force.
fn classes_agree(name: &str, model: &Model, processes: usize) -> bool {
    let eligible = Instance::is_symmetric(model) && model.abstract_types.is_empty() && model.kinds.is_none();
    let setup = Setup::new(processes, 16);
    let Some(instances) = Some(()).filter(|()| eligible).and_then(|()| Instance::all(model, &setup).ok())
    else {
        return false;
    };
    let Some((all, symmetric)) = states::<64>(&instances, 150) else { return false };
    let classes: HashSet<Vec<String>> = all.iter().map(|state| representative(state, processes)).collect();
    assert_eq!(symmetric, classes.len(), "classes of {name} with {processes} processes");
    true
}

#[test]
fn symmetry_finds_every_class_once() {
    let mut compared = 0;
    for file in super::models() {
        let source = Source::new(file.to_string_lossy(), fs::read_to_string(&file).expect("readable"));
        for queues in [Queues::Any, Queues::Fifo] {
            let Some(model) = model::load_with(&source, queues).model else { continue };
            if queues == Queues::Fifo && model.threads.is_none() {
                continue;
            }
            for processes in 2..=4 {
                let allowed = processes >= model.min_processes()
                    && model.max_processes.is_none_or(|most| processes <= most);
                compared += usize::from(allowed && classes_agree(source.name(), &model, processes as usize));
            }
        }
    }
    for seed in 0..400 {
        let features =
            [Features::plain(), Features::threads(), Features::any(seed)][usize::try_from(seed % 3).unwrap()];
        let source =
            Source::new(format!("seed {seed}"), random_model(&Options { seed, size: Size::Small, features }));
        let queues = if seed % 2 == 0 { Queues::Any } else { Queues::Fifo };
        let model = model::load_with(&source, queues).model.expect("random models are accepted");
        let allowed = model.max_processes.is_none_or(|most| most >= 3);
        compared += usize::from(allowed && classes_agree(source.name(), &model, 3));
    }
    assert!(compared > 200, "only {compared} instances were compared");
}
