//! Subsumption: whether every beginning of a run that a cube stands for also belongs to another one.
//!
//! The processes of the general cube are mapped injectively onto some of the special one, and its instants likewise; every
//! literal, every order and every open read of the general cube must be there in the special one.

use crate::constraints::{Context, Relation};
use crate::cube::Cube;
use crate::instant::{EVERYBODY, Instant, Processes, each, only};
use crate::linear::{Inequality, entails};
use crate::variable::{Process, Variable};
use crate::vocabulary::{ELSEWHERE, Kind, Values, Vocabulary, bit, members};
use std::cell::Cell as Steps;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a cube must have for a given one to subsume it, as a set of hashes.
type Signature = u128;

/// The signature of a cube. If one cube subsumes another, its signature is a subset.
fn signature(vocabulary: &Vocabulary, cube: &Cube) -> Signature {
    let hashed = |what: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        what(&mut hasher);
        1 << (hasher.finish() % u64::from(Signature::BITS))
    };
    let mut all = 0;
    let is_enumeration = |variable: Variable| matches!(vocabulary.kind(variable), Kind::Enumeration(_));
    // Of processes less follows: where there is nobody else, types alone exclude values.
    for (variable, values) in cube.constraints.finite.iter().filter(|(variable, _)| is_enumeration(*variable))
    {
        let (symbol, is_read) = (variable.location.symbol(), variable.read.is_some());
        all |= hashed(&|hasher| (symbol, is_read).hash(hasher));
        if values.is_power_of_two() {
            all |= hashed(&|hasher| (symbol, is_read, values).hash(hasher));
        }
    }
    all
}

/// More ways to map processes than this are not tried for one pair of cubes. Counted, so that results do not depend on the
/// machine; what is not found to be subsumed costs time only.
const MOST_STEPS: u32 = 20_000;
/// What it costs to decide whether a linear constraint follows.
const STEPS_OF_ENTAILMENT: u32 = 20;

/// A cube prepared for being the general one: what it says about registers, by how many processes must be mapped to decide it.
#[derive(Debug)]
pub(crate) struct Pattern {
    signature: Signature,
    levels: Vec<Vec<(Variable, Values)>>,
}

impl Pattern {
    pub(crate) fn new(vocabulary: &Vocabulary, cube: &Cube) -> Pattern {
        let mut levels = vec![vec![]; usize::from(cube.processes) + 1];
        for (variable, values) in
            cube.constraints.finite.iter().filter(|(variable, _)| variable.read.is_none())
        {
            let level = match vocabulary.kind(*variable) {
                // Its values in terms of another cube depend on all processes.
                Kind::Process(_) => cube.processes,
                _ => variable.processes().max().map_or(0, |last| last + 1),
            };
            levels[usize::from(level)].push((*variable, *values));
        }
        Pattern { signature: signature(vocabulary, cube), levels }
    }
}

/// Whether one cube subsumes another.
pub(crate) fn subsumes(
    vocabulary: &Vocabulary,
    general: (&Cube, &Pattern),
    special: (&Cube, &Pattern),
) -> bool {
    let ((general, pattern), (special, known)) = (general, special);
    if general.processes > special.processes
        || general.instants.len() > special.instants.len()
        || pattern.signature & !known.signature != 0
    {
        return false;
    }
    let context = special.context(vocabulary);
    let numbers =
        if general.constraints.linear.is_empty() { vec![] } else { special.constraints.with_ranges(context) };
    let (processes, instants, steps) = (vec![], vec![], Steps::new(0));
    Matching { vocabulary, general, pattern, special, context, numbers, processes, instants, steps }
        .extend_processes()
}

struct Matching<'a> {
    vocabulary: &'a Vocabulary,
    general: &'a Cube,
    pattern: &'a Pattern,
    special: &'a Cube,
    context: Context<'a>,
    /// The linear constraints of the special cube, with what types say.
    numbers: Vec<Inequality>,
    /// The process of the special cube for each of the general one.
    processes: Vec<Process>,
    /// The instant of the special cube for each of the general one.
    instants: Vec<u8>,
    steps: Steps<u32>,
}

impl Matching<'_> {
    fn extend_processes(&mut self) -> bool {
        self.steps.update(|steps| steps + 1);
        let mapped = self.processes.len();
        let decided = &self.pattern.levels[mapped];
        if self.steps.get() > MOST_STEPS
            || !decided.iter().all(|(variable, values)| self.values_follow(*variable, *values))
        {
            return false;
        }
        if mapped == usize::from(self.general.processes) {
            return self.extend_instants();
        }
        let named = usize::from(self.vocabulary.named);
        for process in if mapped < named { mapped..mapped + 1 } else { named..self.special.processes.into() }
        {
            let process = Process::try_from(process).expect("there are few processes");
            if !self.processes.contains(&process) {
                self.processes.push(process);
                let found = self.extend_processes();
                self.processes.pop();
                if found {
                    return true;
                }
            }
        }
        false
    }

    fn extend_instants(&mut self) -> bool {
        self.steps.update(|steps| steps + 1);
        let at = self.instants.len();
        if self.steps.get() > MOST_STEPS || !self.numbers_follow(at) || !self.relations_follow(at) {
            return false;
        }
        if at == self.general.instants.len() {
            return true;
        }
        for instant in 0..self.special.instants.len() {
            let number = u8::try_from(instant).expect("there are few instants");
            if !self.instants.contains(&number) {
                self.instants.push(number);
                let found = self.instant_matches(at) && self.extend_instants();
                self.instants.pop();
                if found {
                    return true;
                }
            }
        }
        false
    }

    /// Whether all that is said about an instant of the general cube is said about its image.
    fn instant_matches(&self, at: usize) -> bool {
        let (general, special) =
            (&self.general.instants[at], &self.special.instants[usize::from(self.instants[at])]);
        self.order_follows(general, special)
            && self.before_follows(at)
            && self.general.constraints.finite.iter().all(|(variable, values)| {
                variable.read.is_none_or(|read| usize::from(read.instant) != at)
                    || self.values_follow(*variable, *values)
            })
    }

    fn order_follows(&self, general: &Instant, special: &Instant) -> bool {
        let locations = || general.after_locations.iter().map(|l| l.rename(|p| self.process(p)));
        self.image(general.after_steps) & !special.after_steps == 0
            && self.image(general.after_writes) & !special.after_writes == 0
            && locations().all(|location| special.after_locations.binary_search(&location).is_ok())
    }

    /// Whether the instants that are mapped so far are ordered as required.
    fn before_follows(&self, last: usize) -> bool {
        (0..=last).all(|at| {
            let image = usize::from(self.instants[at]);
            each(self.general.instants[at].before)
                .filter(|later| *later <= last)
                .all(|later| self.special.instants[image].before & (1 << self.instants[later]) != 0)
        })
    }

    fn image(&self, processes: Processes) -> Processes {
        if processes == EVERYBODY {
            return EVERYBODY;
        }
        let mapped = (0..self.general.processes).filter(|process| processes & only(*process) != 0);
        mapped.fold(0, |all, process| all | only(self.process(process)))
    }

    fn process(&self, process: Process) -> Process {
        self.processes[usize::from(process)]
    }

    fn variable(&self, variable: Variable) -> Variable {
        variable.rename(|process| self.process(process), |at| self.instants[usize::from(at)])
    }

    /// Whether a variable has one of some values in the special cube.
    fn values_follow(&self, variable: Variable, values: Values) -> bool {
        let allowed = match self.vocabulary.kind(variable) {
            Kind::Process(_) => self.translated(values),
            _ => values,
        };
        let image = self.variable(variable);
        self.special.constraints.values(self.context, image) & !allowed == 0
    }

    /// Values in terms of the special cube: its processes onto which none is mapped are elsewhere for the general one.
    fn translated(&self, values: Values) -> Values {
        let all = members(self.special.processes);
        let mapped = self.processes.iter().fold(0, |mapped, process| mapped | bit((*process).into()));
        let chosen = (0..self.general.processes).filter(|process| values & bit((*process).into()) != 0);
        let chosen = chosen.fold(0, |chosen, process| chosen | bit(self.process(process).into()));
        let elsewhere = if values & ELSEWHERE == 0 { 0 } else { ELSEWHERE | (all & !mapped) };
        (values & !members(self.general.processes) & !ELSEWHERE) | chosen | elsewhere
    }

    /// Whether linear constraints follow, of those that are decided once so many instants are mapped.
    fn numbers_follow(&self, mapped: usize) -> bool {
        let decided = |inequality: &&Inequality| {
            let instants = inequality.variables().filter_map(|variable| variable.read);
            instants.map(|read| usize::from(read.instant) + 1).max().unwrap_or(0) == mapped
        };
        self.general
            .constraints
            .linear
            .iter()
            .filter(decided)
            .all(|inequality| self.number_follows(inequality))
    }

    fn number_follows(&self, inequality: &Inequality) -> bool {
        let image = inequality.map(|variable| self.variable(variable));
        // Nothing follows about variables that nothing is said about.
        let is_known = |variable: Variable| self.numbers.iter().any(|known| known.mentions(variable));
        if !image.variables().all(is_known) || self.steps.get() > MOST_STEPS {
            return false;
        }
        self.steps.update(|steps| steps + STEPS_OF_ENTAILMENT);
        entails(&self.numbers, &image)
    }

    /// The same for equations and disequations.
    fn relations_follow(&self, mapped: usize) -> bool {
        let decided = |relation: &&Relation| {
            let instants = relation.variables().into_iter().filter_map(|variable| variable.read);
            instants.map(|read| usize::from(read.instant) + 1).max().unwrap_or(0) == mapped
        };
        self.general.constraints.relations.iter().filter(decided).all(|relation| {
            let (left, right) = (self.variable(relation.left), self.variable(relation.right));
            self.special.constraints.related(self.context, left, right) == Some(relation.equal)
        })
    }
}
