//! The compiled engine against the reference interpreter: not only as many states, but the same.
//!
//! For each instance compares the set of states, which of them are stuck, the violations of each, the number of
//! steps, depths, the rules taken, and the findings; with and without symmetry, with one worker and with two.

use super::{
    compiled::Translator,
    graph::{Budget, Graph, Wrong, chooses_abstract_values},
    instance::{Instance, Ranges},
    search::Refusal,
    state::State,
    tree::{Program, Type},
};
use explore::{DeadlockPolicy, FindingKind};
use explore::{End, Limits, Named, ParallelBfs, Property};
use instance::exploration::{self, Exploration, Incomplete, Options};
use instance::judge::{Finding, kind_of};
use instance::{self as compiled, Machine, Obstacle, Setup};
use ir::{Model, SymbolId};
use std::{
    collections::{BTreeSet, HashSet},
    sync::{Arc, Mutex},
};

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Agree,
    Differ(String),
    /// Nothing was compared, for this reason.
    LeftOut(&'static str),
}

/// Only one of the two reads an unset number, because the typed form has simplified the read away.
pub(crate) const ONE_NEEDS_RANGE: &str = "only one needs a range";

/// The range for numbers that need one: small enough to end soon, large enough for steps to leave it. No instance
/// here has more states; stops an engine that would not terminate.
const MOST_STATES: usize = 10_000_000;

const RANGE: (i64, i64) = (-1, 2);

/// A model in two forms: read by the reference interpreter, and lowered.
pub(crate) struct Pair<'p> {
    pub(crate) program: &'p Program,
    pub(crate) model: &'p Model,
    pub(crate) processes: usize,
}

impl Pair<'_> {
    /// Compares one instance, with ranges for the numbers that need one.
    pub(crate) fn compare(&self, budget: Budget) -> Verdict {
        let mut ranges = Ranges::new();
        loop {
            let instance = Instance::new(self.program, self.processes, ranges.clone());
            match Graph::new(&instance, budget, false) {
                Err(Refusal::NeedsRange(symbol)) if ranges.len() < 3 && !ranges.contains_key(&symbol) => {
                    if let Some(found) = self.also_refused(&ranges) {
                        return found;
                    }
                    if instance.is_real(&symbol) {
                        return Verdict::LeftOut("of a real within a range not all values can be tried");
                    }
                    ranges.insert(symbol, RANGE);
                }
                Err(Refusal::NeedsRange(_)) => return Verdict::LeftOut("needs several ranges"),
                Err(Refusal::TooLarge) => return Verdict::LeftOut("too large"),
                Err(Refusal::Outside) => return Verdict::LeftOut("an outsider in `init`"),
                Ok(graph) => return self.with_graph(&instance, &graph, &ranges, budget),
            }
        }
    }

    /// Checks that reading an unset number stops the engine as well, unless it has found violations.
    fn also_refused(&self, ranges: &Ranges) -> Option<Verdict> {
        let limits = Limits { states: Some(5_000), ..Limits::default() };
        let options = Options { all: true, limits, ..self.options(ranges) };
        let answer = exploration::explore(self.model, &options);
        match answer.incomplete {
            Some(Incomplete::Obstacle(Obstacle::NeedsRange(_) | Obstacle::NegativeSemaphore(_))) => None,
            Some(Incomplete::Limit(_)) => Some(Verdict::LeftOut("too large")),
            _ => Some(Verdict::LeftOut(ONE_NEEDS_RANGE)),
        }
    }

    fn options(&self, ranges: &Ranges) -> Options {
        let number = |name: &str| {
            let at = self.model.symbols.iter().position(|symbol| symbol.name == name);
            SymbolId::from_index(at.expect("it is declared"))
        };
        Options {
            ranges: ranges.iter().map(|(name, (low, high))| (number(name), *low, *high)).collect(),
            ..Options::new(u32::try_from(self.processes).expect("few"))
        }
    }

    fn with_graph(&self, instance: &Instance<'_>, graph: &Graph, ranges: &Ranges, budget: Budget) -> Verdict {
        let mut differences = Differences::default();
        let symmetric = compiled::Instance::is_symmetric(self.model);
        let classes = symmetric.then(|| graph.classes(instance));
        for workers in [1, 2] {
            match self.visit(instance, ranges, false, workers) {
                Ok(visited) => self.check(&visited, graph, None, &mut differences),
                Err(obstacle) => return refused(&obstacle, graph),
            }
            if let Some(classes) = &classes {
                let visited =
                    self.visit(instance, ranges, true, workers).expect("it could be visited just now");
                self.check(&visited, graph, Some(classes), &mut differences);
            }
        }
        self.check_answers(instance, graph, ranges, &mut differences);
        if self.program.properties.iter().any(|property| property.claim == super::tree::Claim::Invariant) {
            self.check_trust(instance, ranges, budget, &mut differences);
        }
        if differences.0.is_empty() { Verdict::Agree } else { Verdict::Differ(differences.0.join("\n     ")) }
    }

    /// Visits all states, and records them.
    fn visit(
        &self,
        instance: &Instance<'_>,
        ranges: &Ranges,
        symmetric: bool,
        workers: usize,
    ) -> Result<Visited, Obstacle> {
        let options = self.options(ranges);
        for number_bits in [8, 16, 32, 60] {
            let ranges = options.ranges.clone();
            let setup = Setup { ranges, ..Setup::new(self.processes, number_bits) };
            let instances = match compiled::Instance::all(self.model, &setup) {
                Err(Obstacle::NumberTooLarge(_)) => continue,
                instances => instances?,
            };
            let translator = Translator { model: self.model, instance };
            let how = (symmetric, workers);
            let visited = match instances.iter().map(compiled::Instance::words).max().unwrap_or(0) {
                0..=1 => visit_all::<1>(translator, &instances, how),
                2 => visit_all::<2>(translator, &instances, how),
                3..=8 => visit_all::<8>(translator, &instances, how),
                9..=64 => visit_all::<64>(translator, &instances, how),
                _ => return Err(Obstacle::TooWide),
            };
            match visited {
                Err(Obstacle::NumberTooLarge(_)) => {}
                visited => return visited,
            }
        }
        Err(Obstacle::Overflow)
    }

    /// Compares one search with the graph, or with its symmetry classes.
    fn check(
        &self,
        visited: &Visited,
        graph: &Graph,
        classes: Option<&(Vec<usize>, usize)>,
        to: &mut Differences,
    ) {
        let how = if classes.is_some() { "with symmetry" } else { "without symmetry" };
        let (mut seen, mut nodes) = (HashSet::new(), Vec::new());
        for state in &visited.states {
            let Some(number) = graph.numbers.get(&state.state) else {
                return to.0.push(format!("{how}: {:?} cannot be reached", state.state));
            };
            let node = &graph.nodes[*number];
            nodes.push(node);
            to.compare(
                how,
                "something seen twice",
                !seen.insert(classes.map_or(*number, |c| c.0[*number])),
                false,
            );
            let stuck = visited.stuck.get(&state.state).copied();
            let expected = node.stuck.then_some((node.waits, node.may_end));
            to.compare(how, "stuck: waiting, may end", stuck, expected);
            to.compare(how, "what is wrong", &state.wrong, &node.wrong);
        }
        to.compare(
            how,
            "states",
            visited.states.len(),
            classes.map_or(graph.nodes.len(), |classes| classes.1),
        );
        if !chooses_abstract_values(self.program) {
            to.compare(how, "steps", visited.transitions, nodes.iter().map(|node| node.edges).sum());
        }
        to.compare(how, "depth", visited.depth, graph.nodes.iter().map(|node| node.depth).max().unwrap_or(0));
        to.compare(how, "cut", visited.cut, graph.cut);
        if classes.is_none() {
            to.compare(how, "initial states", visited.initial, graph.initial);
        }
        let taken: BTreeSet<&String> =
            graph.taken.iter().map(|rule| &self.program.rules[*rule].name).collect();
        let never: BTreeSet<&String> =
            visited.never_taken.iter().map(|at| &self.model.rules[*at].name).collect();
        // Two transitions may have one name.
        let rules: BTreeSet<&String> = self.program.rules.iter().map(|rule| &rule.name).collect();
        if rules.len() == self.program.rules.len() {
            to.compare(how, "rules never taken", &never, &rules.difference(&taken).copied().collect());
        }
    }

    /// Compares the findings of the engine.
    fn check_answers(&self, instance: &Instance<'_>, graph: &Graph, ranges: &Ranges, to: &mut Differences) {
        use DeadlockPolicy::{Error, Ignore, Report, Waiting};
        let policies =
            if graph.nodes.len() < 5_000 { &[Waiting, Error, Report, Ignore][..] } else { &[Waiting] };
        for (at, deadlock) in policies.iter().copied().enumerate() {
            for all in [true, false] {
                let symmetry = (at % 2 == 0) == all;
                let options =
                    Options { all, symmetry, deadlock, workers: 1 + at % 2, ..self.options(ranges) };
                let answer = exploration::explore(self.model, &options);
                let how = format!("all {all}, {deadlock:?}, symmetry {symmetry}");
                self.check_answer(&how, &answer, &expected(graph, deadlock), all, graph, to);
            }
        }
        let answer = exploration::explore(self.model, &Options { all: true, ..self.options(ranges) });
        if answer.incomplete.is_none() {
            self.check_changes(instance, graph, &answer, to);
        }
    }

    fn check_answer(
        &self,
        how: &str,
        answer: &Exploration,
        expected: &[Essence],
        all: bool,
        graph: &Graph,
        to: &mut Differences,
    ) {
        let nearest = expected.iter().filter(|(.., violation)| *violation).map(|(.., depth, _)| *depth).min();
        let incomplete = match (graph.cut, nearest) {
            (_, Some(_)) if !all => Some(Incomplete::Stopped),
            (true, _) => Some(Incomplete::Range),
            _ => None,
        };
        to.compare(how, "incomplete", &answer.incomplete, &incomplete);
        let mut found: Vec<_> = answer.findings.iter().map(|finding| (finding, essence(finding))).collect();
        // Faulty steps have no names here, so only the nearest one can be compared.
        let mut known = BTreeSet::new();
        found.retain(|(_, finding)| named(finding.0) || known.insert((finding.0, finding.3)));
        for (_, finding) in &found {
            to.compare(how, &format!("{finding:?} among {expected:?}"), expected.contains(finding), true);
        }
        if all {
            let kinds: BTreeSet<_> = found.iter().map(|(_, finding)| finding).collect();
            to.compare(how, "findings", &kinds, &expected.iter().collect());
        } else if let Some(depth) = nearest {
            let first =
                found.iter().find(|(finding, _)| finding.is_violation()).map(|(_, finding)| finding.2);
            to.compare(how, "the first violation", first, Some(depth));
            let violations = found.iter().filter(|(finding, _)| finding.is_violation()).count();
            to.compare(how, "violations", violations, 1);
            self.check_order(how, &found, expected, depth, to);
        }
    }

    /// Of equally near violations, the first in the order of the model must be reported.
    fn check_order(
        &self,
        how: &str,
        found: &[(&Finding, Essence)],
        expected: &[Essence],
        depth: usize,
        to: &mut Differences,
    ) {
        let equally_near: Vec<_> = expected.iter().filter(|known| known.2 == depth && known.3).collect();
        // Faulty steps have no names here.
        if equally_near.iter().any(|known| matches!(known.0, "misuse" | "range")) {
            return;
        }
        let position = |known: &Essence| {
            let is = |p: &ir::Property| kind(kind_of(p.kind)) == known.0 && p.name == known.1;
            self.model.properties.iter().position(is).unwrap_or(usize::MAX)
        };
        let first = equally_near.into_iter().min_by_key(|known| position(known));
        let reported = found.iter().map(|(_, finding)| finding).find(|finding| finding.3);
        to.compare(how, "which one comes first", reported, first);
    }

    /// Compares the symbols that never change, except those of abstract types, whose values are renamed.
    fn check_changes(
        &self,
        instance: &Instance<'_>,
        graph: &Graph,
        answer: &Exploration,
        to: &mut Differences,
    ) {
        let engine: BTreeSet<&String> =
            answer.never_changed.iter().map(|symbol| &self.model.symbol(*symbol).name).collect();
        for (at, symbol) in self.program.symbols.iter().enumerate() {
            let declared = self.model.symbols.iter().find(|known| known.name == symbol.name);
            let Some(declared) = declared.filter(|known| !known.constant) else { continue };
            let several = match symbol.of {
                Type::Process(_) => self.processes > 1,
                _ => instance.values(at, &[], &[]).is_none_or(|values| values.len() > 1),
            };
            let comparable = !matches!(symbol.of, Type::Abstract(_)) && (several || declared.holds_outsiders);
            if comparable {
                let what = format!("whether {} never changes", symbol.name);
                to.compare("in the end", &what, engine.contains(&symbol.name), !graph.changed.contains(&at));
            }
        }
    }

    /// Compares the states when invariants are trusted.
    fn check_trust(&self, instance: &Instance<'_>, ranges: &Ranges, budget: Budget, to: &mut Differences) {
        let Ok(graph) = Graph::new(instance, budget, true) else { return };
        let options = Options {
            all: true,
            trust_invariants: true,
            symmetry: false,
            workers: 2,
            ..self.options(ranges)
        };
        let answer = exploration::explore(self.model, &options);
        let how = "trusting";
        to.compare(how, "states", answer.stats.states, graph.nodes.len());
        if !chooses_abstract_values(self.program) {
            to.compare(
                how,
                "steps",
                answer.stats.transitions,
                graph.nodes.iter().map(|node| node.edges).sum(),
            );
            to.compare(how, "dropped", answer.dropped, Some(graph.dropped));
        }
        self.check_answer(how, &answer, &expected(&graph, DeadlockPolicy::Waiting), true, &graph, to);
        let symmetric = compiled::Instance::is_symmetric(self.model).then(|| graph.classes(instance).1);
        if let Some(classes) = symmetric {
            let answer = exploration::explore(self.model, &Options { symmetry: true, ..options });
            to.compare(how, "classes", answer.stats.states, classes);
        }
    }
}

/// The result if the engine refuses an instance that this interpreter runs.
fn refused(obstacle: &Obstacle, graph: &Graph) -> Verdict {
    match obstacle {
        Obstacle::NeedsRange(_) => Verdict::LeftOut(ONE_NEEDS_RANGE),
        // This interpreter does not count such a state as initial.
        Obstacle::NegativeSemaphore(_) => Verdict::LeftOut("a semaphore starts below 0"),
        Obstacle::Overflow | Obstacle::NumberTooLarge(_) => Verdict::LeftOut("a large number"),
        obstacle => Verdict::Differ(format!("{obstacle:?}, but there are {} states", graph.nodes.len())),
    }
}

/// The expected findings.
fn expected(graph: &Graph, policy: DeadlockPolicy) -> Vec<Essence> {
    let mut expected = Vec::new();
    for ((kind, name), depth) in graph.nearest() {
        let is_deadlock = kind == "deadlock";
        if !is_deadlock && kind != "end" {
            expected.push((kind, name, depth, true));
            continue;
        }
        let violation = match policy {
            DeadlockPolicy::Waiting => is_deadlock,
            DeadlockPolicy::Error => true,
            DeadlockPolicy::Report => false,
            DeadlockPolicy::Ignore => continue,
        };
        expected.push(("deadlock", String::new(), depth, violation));
    }
    // Deadlocks of the same severity are reported once, at the nearest.
    expected.sort();
    expected.dedup_by(|next, known| (next.0, &next.1, next.3) == (known.0, &known.1, known.3));
    if policy != DeadlockPolicy::Waiting {
        let nearest = expected.iter().filter(|known| known.0 == "deadlock").map(|known| known.2).min();
        expected.retain(|known| known.0 != "deadlock" || Some(known.2) == nearest);
    }
    expected
}

fn essence(finding: &Finding) -> Essence {
    let kind = kind(finding.kind);
    let name = if named(kind) { finding.name.clone() } else { String::new() };
    (kind, name, finding.trace.steps.len(), finding.is_violation())
}

fn named(kind: &str) -> bool {
    matches!(kind, "unsafe" | "invariant")
}

fn kind(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Deadlock | FindingKind::Stuck => "deadlock",
        other => other.word(),
    }
}

/// The first few differences. The compared parts of a finding: kind, name, depth, and whether it is a violation.
type Essence = (&'static str, String, usize, bool);

#[derive(Debug, Default)]
struct Differences(Vec<String>);

impl Differences {
    #[expect(clippy::needless_pass_by_value, reason = "most callers have nothing to borrow from")]
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, how: &str, what: &str, engine: T, text: T) {
        if engine != text && self.0.len() < 5 {
            self.0.push(format!("{how}: {what}: {engine:?}, but by the text {text:?}"));
        }
    }
}

/// The result of a search.
#[derive(Debug)]
struct Visited {
    states: Vec<Seen>,
    /// The states without an enabled action.
    stuck: std::collections::HashMap<State, Stuck>,
    transitions: usize,
    initial: usize,
    depth: usize,
    cut: bool,
    never_taken: Vec<usize>,
}

/// Whether some process waits, and whether a run may end there.
type Stuck = (bool, Option<bool>);

#[derive(Debug)]
struct Seen {
    state: State,
    wrong: Wrong,
}

/// Records all states.
#[derive(Clone)]
struct Watcher<'t> {
    translator: Translator<'t>,
    seen: Arc<Mutex<Vec<Seen>>>,
    stuck: Arc<Mutex<Vec<(State, Stuck)>>>,
}

impl<const W: usize> Property<Machine<'_, '_, W>> for Watcher<'_> {
    type Violation = Named;

    fn state(&mut self, machine: &Machine<'_, '_, W>, _found: &mut Vec<Named>) {
        let mut bad = Vec::new();
        machine.violations(&mut bad);
        let name = |(at, _): &(usize, Vec<usize>)| {
            let property = &self.translator.model.properties[*at];
            let kind = kind(kind_of(property.kind));
            (kind, if named(kind) { property.name.clone() } else { String::new() })
        };
        let seen = Seen { state: self.translator.state(machine), wrong: bad.iter().map(name).collect() };
        self.seen.lock().expect("no thread panics").push(seen);
    }

    fn stuck(&mut self, machine: &Machine<'_, '_, W>, _found: &mut Vec<Named>) {
        if !machine.ends_in_violation() && !machine.has_steps_here() {
            let stuck = (machine.somebody_waits(), machine.is_final());
            let stuck = (self.translator.state(machine), stuck);
            self.stuck.lock().expect("no thread panics").push(stuck);
        }
    }
}

fn visit_all<const W: usize>(
    translator: Translator<'_>,
    instances: &[compiled::Instance<'_>],
    (symmetric, workers): (bool, usize),
) -> Result<Visited, Obstacle> {
    let mut machine = Machine::<W>::new(instances);
    let watcher = Watcher { translator, seen: Arc::default(), stuck: Arc::default() };
    let search = ParallelBfs::new(&mut machine, watcher.clone()).up_to_symmetry(symmetric);
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let outcome = search.limit(limits).share(workers, Some(2)).end_at(|_| false).run();
    if let Some(obstacle) = machine.obstacle() {
        return Err(obstacle);
    }
    assert_eq!(outcome.end, End::Exhausted);
    let states = std::mem::take(&mut *watcher.seen.lock().expect("no thread panics"));
    let stuck = std::mem::take(&mut *watcher.stuck.lock().expect("no thread panics"));
    assert_eq!(states.len(), outcome.stats.states, "each state is judged once");
    Ok(Visited {
        states,
        stuck: stuck.into_iter().collect(),
        transitions: outcome.stats.transitions,
        initial: instances.iter().map(compiled::Instance::initial_states).sum(),
        depth: outcome.stats.depth,
        cut: machine.was_cut(),
        never_taken: machine.never_taken().into_iter().map(ir::RuleId::index).collect(),
    })
}
