//! Temporal properties of a model for a fixed number of processes.
//!
//! For each choice of processes for the parameters of a property, the product of the instance and the automaton of the
//! negated property is searched ([`ltl::search`]). If processes are interchangeable, one choice stands for all that a permutation
//! makes of it, and states are identified up to permutations that fix the chosen processes, which change no atom. A
//! run that is found is unfolded into a run of the machine itself, and judged again by the definition.

mod atoms;
mod fairness;
mod graph;
mod interner;
mod judging;
mod unfolding;

pub use fairness::{Fair, Unit};
pub(crate) use judging::Witness;

use crate::{
    Instance, Machine, Obstacle, Setting, Unanswerable,
    exploration::{Exploration, Incomplete, Options},
    for_width,
    judge::Finding,
    machine::orders_processes,
    numbers::{self, MOST_NUMBER_BITS},
    weak,
};
use atoms::Atoms;
use explore::{FindingKind, Severity, Stats, Trace, Verdict, record};
use graph::ModelGraph;
use ir::{Model, Temporal, TemporalAtom, Term};
use ltl::{Automaton, Emptiness, Formula, TooLarge, Unary};
use std::time::Instant;

/// Which runs count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs {
    /// Only runs that are fair in these ways.
    pub fair: Vec<Fair>,
    /// Only runs that never end; otherwise a run that ends goes on in its last state for ever.
    pub infinite_only: bool,
}

/// The verdict on a temporal property.
#[derive(Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is unknown.
    pub open: Option<Open>,
    /// If it is violated: a run that was replayed.
    pub finding: Option<Finding>,
    /// The size of the products that were searched, and the time that it took.
    pub stats: Stats,
}

/// Why a temporal property was not decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// Not all runs were examined.
    Incomplete(Incomplete),
    /// There is no automaton for the formula.
    Formula(TooLarge),
    /// There are more fairness constraints than can be kept apart; their number.
    Constraints(usize),
    /// An atom has no value in some state.
    Unanswerable(Option<Unanswerable>),
}

/// The most processes in a store buffer that are tried.
const ENTRIES: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// Decides the temporal properties of a model, after an exploration of its states: the verdicts and the runs that were found
/// become part of it. Without `--all`, the first violation ends it.
pub fn check_all(model: &Model, options: &Options, runs: &Runs, exploration: &mut Exploration) {
    let begun = Instant::now();
    for property in 0..model.temporal.len() {
        if exploration.is_violated() && !options.all {
            exploration.temporal.push(open(Open::Incomplete(Incomplete::Stopped)));
            continue;
        }
        let limits = options.limits.remaining_after(exploration.stats.time + begun.elapsed());
        let mut judgement = check(model, &Options { limits, ..options.clone() }, runs, property);
        exploration.findings.extend(judgement.finding.take());
        exploration.temporal.push(judgement);
    }
}

/// Decides a temporal property of a model, given by its position.
pub fn check(model: &Model, options: &Options, runs: &Runs, property: usize) -> Judgement {
    if !model.is_weak() {
        return check_as_it_is(model, options, runs, property);
    }
    // Merged entries of store buffers add runs that no machine has, so buffers are exact here.
    let begun = Instant::now();
    let entries = options.buffer.map_or(ENTRIES.to_vec(), |entries| vec![entries]);
    let mut judgement = None;
    for entries in entries {
        let limits = options.limits.remaining_since(begun);
        let lowered = match weak::with_buffer(model.clone(), entries) {
            Ok(lowered) => lowered,
            Err(obstacle) => return open(Open::Incomplete(Incomplete::Obstacle(obstacle))),
        };
        let ranges = weak::with_arguments(&lowered, &options.ranges);
        let exact = Options { ranges, limits, buffer: Some(entries), ..options.clone() };
        let mut found = check_as_it_is(&lowered, &exact, runs, property);
        found.finding.iter_mut().for_each(|finding| finding.setting.ranges.clone_from(&options.ranges));
        let is_full =
            matches!(found.open, Some(Open::Incomplete(Incomplete::Obstacle(Obstacle::FullBuffer(_)))));
        judgement = Some(found);
        if !is_full {
            break;
        }
    }
    judgement.unwrap_or_else(|| open(Open::Incomplete(Incomplete::Sampled)))
}

fn open(reason: Open) -> Judgement {
    Judgement { verdict: Verdict::Unknown, open: Some(reason), finding: None, stats: Stats::default() }
}

fn check_as_it_is(model: &Model, options: &Options, runs: &Runs, property: usize) -> Judgement {
    let temporal = &model.temporal[property];
    // Processes that the property names, or compares by their order, are not interchangeable.
    let named = named_processes(model, temporal).max(model.named_processes);
    let model = &Model { named_processes: named, ..model.clone() };
    let (formula, atoms) = Atoms::of(temporal);
    let negation = Formula::Unary(Unary::Not, Box::new(formula.clone()));
    let automaton = match ltl::translate(&negation, atoms.names()) {
        Ok(automaton) => automaton,
        Err(reason) => return open(Open::Formula(reason)),
    };
    let question = Question { model, options, runs, temporal, formula, atoms, automaton };
    let begun = Instant::now();
    for &number_bits in numbers::EXPLORING.bits {
        let limits = options.limits.remaining_since(begun);
        let judgement = match Instance::all(model, &Options { limits, ..options.clone() }.setup(number_bits))
        {
            Ok(instances) => question.of_instances(instances, begun),
            Err(Obstacle::Limit(limit)) => open(Open::Incomplete(Incomplete::Limit(limit))),
            Err(obstacle) => open(Open::Incomplete(Incomplete::Obstacle(obstacle))),
        };
        let too_small = matches!(
            judgement.open,
            Some(Open::Incomplete(Incomplete::Obstacle(Obstacle::NumberTooLarge(_))))
        );
        if !too_small || number_bits == MOST_NUMBER_BITS {
            return judgement;
        }
    }
    unreachable!("the last round returns")
}

/// What is asked about a model.
struct Question<'q> {
    model: &'q Model,
    options: &'q Options,
    runs: &'q Runs,
    temporal: &'q Temporal,
    formula: Formula<u32>,
    atoms: Atoms,
    /// Of the negation of the formula.
    automaton: Automaton,
}

/// The answer for one choice of processes.
struct Answer {
    finding: Option<Finding>,
    open: Option<Open>,
    stats: Stats,
}

impl Question<'_> {
    /// The verdict for all instances and all choices of processes.
    fn of_instances(&self, mut instances: Vec<Instance<'_>>, begun: Instant) -> Judgement {
        let mut total =
            Judgement { verdict: Verdict::Holds, open: None, finding: None, stats: Stats::default() };
        let symmetric = Instance::is_symmetric(self.model);
        for at in 0..instances.len() {
            for chosen in choices(self.temporal, &instances[at], symmetric) {
                // A cycle up to a permutation may be fair to other processes than those of a cycle in the model.
                let reduce = symmetric && self.options.symmetry && self.runs.fair.is_empty();
                instances[at].fix(&chosen);
                let one = &instances[at..=at];
                let answer = for_width!(
                    one,
                    answer(self, one, &chosen, reduce, begun),
                    return open(Open::Incomplete(Incomplete::Obstacle(Obstacle::TooWide)))
                );
                total.stats.states += answer.stats.states;
                total.stats.transitions += answer.stats.transitions;
                total.stats.bytes = total.stats.bytes.max(answer.stats.bytes);
                total.stats.time = begun.elapsed();
                if answer.finding.is_some() {
                    return Judgement { verdict: Verdict::Violated, finding: answer.finding, ..total };
                }
                if answer.open.is_some() && total.open.is_none() {
                    (total.verdict, total.open) = (Verdict::Unknown, answer.open);
                }
                // The other choices would meet the same obstacle.
                if total.open.is_some() && !matches!(total.open, Some(Open::Incomplete(Incomplete::Range))) {
                    return total;
                }
            }
        }
        total
    }
}

/// Searches the product for one choice of processes.
fn answer<const W: usize>(
    question: &Question<'_>,
    instances: &[Instance<'_>],
    chosen: &[usize],
    reduce: bool,
    begun: Instant,
) -> Answer {
    let failed = |reason| Answer { finding: None, open: Some(reason), stats: Stats::default() };
    let machine = Machine::<W>::new(instances).trust_invariants(question.options.trust_invariants);
    let mut graph = match ModelGraph::new(question, machine, chosen, reduce, begun) {
        Ok(graph) => graph,
        Err(reason) => return failed(reason),
    };
    // With a prefix that decides, it does not matter how a run goes on; that it goes on, and can be fair, is certain unless only
    // infinite runs count.
    let mut result = None;
    if question.automaton.is_terminal() && !question.runs.infinite_only {
        let (found, size) = ltl::reach(&mut graph, &question.automaton);
        let decided = !matches!(&found, Emptiness::Run(run) if !graph.refutes(&question.formula, run));
        result = decided.then_some((found, size));
    }
    let fairness = graph.fairness();
    let (found, size) = result.unwrap_or_else(|| ltl::search(&mut graph, &question.automaton, fairness));
    let stats =
        Stats { states: size.states, transitions: size.transitions, bytes: size.bytes, ..Stats::default() };
    match found {
        Emptiness::Run(run) => match finding(question, &mut graph, &run, chosen) {
            Ok(finding) => Answer { finding: Some(finding), open: None, stats },
            Err(reason) => Answer {
                finding: None,
                open: Some(Open::Incomplete(Incomplete::Contradiction(reason))),
                stats,
            },
        },
        Emptiness::Empty | Emptiness::Stopped => Answer { finding: None, open: graph.open(), stats },
    }
}

/// Unfolds a run into one of the machine, and confirms it by the definition.
fn finding<const W: usize>(
    question: &Question<'_>,
    graph: &mut ModelGraph<'_, '_, '_, W>,
    run: &ltl::Run,
    chosen: &[usize],
) -> Result<Finding, String> {
    let (schedule, back) = graph.unfold(run)?;
    let witness = Witness { temporal: question.temporal, chosen, runs: question.runs, model: question.model };
    let machine = graph.machine_mut();
    witness.confirm(machine, &schedule, back)?;
    let trace = record(machine, &schedule).map_err(|fault| fault.to_string())?;
    Ok(Finding {
        kind: FindingKind::Ltl,
        name: question.temporal.name.clone(),
        severity: Severity::Violation,
        message: describe(&trace, back, machine),
        property: None,
        roles: chosen.to_vec(),
        trace: Trace { back, ..trace },
        setting: Setting { ..question.options.setting() },
    })
}

/// How the run goes on after what is shown.
fn describe<const W: usize>(trace: &Trace, back: Option<usize>, machine: &Machine<'_, '_, W>) -> String {
    match back {
        None => "violated however the run goes on".into(),
        Some(back) if back == trace.steps.len() => {
            let end = if judging::is_dead(machine) { "is stuck" } else { "ends" };
            format!("the run {end} there")
        }
        // The trace says which part is repeated.
        Some(_) => String::new(),
    }
}

/// The choices of processes for the parameters of a property; one for each class if processes of a kind are
/// interchangeable. Of each kind the first processes are chosen then.
fn choices(temporal: &Temporal, instance: &Instance<'_>, symmetric: bool) -> Vec<Vec<usize>> {
    let processes = instance.processes();
    let mut found: Vec<Vec<usize>> = vec![vec![]];
    for _ in &temporal.params {
        let mut longer = Vec::new();
        for chosen in &found {
            let mut kinds_seen: Vec<u32> = Vec::new();
            for process in (0..processes).filter(|process| !chosen.contains(process)) {
                let kind = instance.kind_of(process);
                if symmetric && kinds_seen.contains(&kind) {
                    continue;
                }
                kinds_seen.push(kind);
                longer.push([chosen.as_slice(), &[process]].concat());
            }
        }
        found = longer;
    }
    let bind =
        |chosen: &[usize]| temporal.params.iter().copied().zip(chosen.iter().copied()).collect::<Vec<_>>();
    found.retain(|chosen| instance.satisfies(&temporal.kinds, &bind(chosen)));
    found
}

/// The largest k of the `#k` in the atoms of a property, or 0. A property that compares processes by their order counts as if it named
/// the first one.
fn named_processes(model: &Model, temporal: &Temporal) -> u32 {
    let mut named = 0;
    temporal.formula.each_atom(&mut |atom| {
        if let TemporalAtom::State(formula) = atom {
            named = named.max(u32::from(orders_processes(model, formula)));
        }
    });
    let mut look = |term: &Term| {
        if let Term::Process(k) = term {
            named = named.max(*k);
        }
    };
    temporal.formula.each_atom(&mut |atom| match atom {
        TemporalAtom::State(formula) => formula.each_term(&mut look),
        TemporalAtom::Take(calls) | TemporalAtom::Enabled(calls) => {
            calls.processes.iter().flatten().for_each(&mut look);
        }
        TemporalAtom::End | TemporalAtom::Dead => {}
    });
    named
}

/// The process of a term in a call, counted from 0.
fn process_of(term: &Term, temporal: &Temporal, chosen: &[usize]) -> Option<usize> {
    match term {
        Term::Process(k) => usize::try_from(*k).ok()?.checked_sub(1),
        Term::Var(var) => chosen.get(temporal.params.iter().position(|param| param == var)?).copied(),
        _ => None,
    }
}
