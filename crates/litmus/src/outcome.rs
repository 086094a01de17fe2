//! Running a test: all its final states, what they say about the condition, and a run that leads to one.

use crate::{Condition, Machine, Memory, Place, Quantifier, Test};
use explore::{BreadthFirst, End, Fault, Limits, Named, Property, Search, Seen, Trace, Verdict, record};
use serde::Serialize;
use std::collections::BTreeSet;

/// The largest number of states of a program with loops, where the caller gives none: a loop that stores may fill
/// its buffer for ever.
const MOST_STATES_OF_LOOPS: usize = 1_000_000;

/// The result of running a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The name of the test.
    pub name: String,
    /// The memory model that it was run under.
    pub memory: Memory,
    /// How the condition is asked.
    pub quantifier: Quantifier,
    /// The condition as text, without the quantifier.
    pub condition: String,
    /// What final states show: the names of registers and locations, in order.
    pub observed: Vec<String>,
    /// All final states that were found, different in what is observed, in order of their values.
    pub states: Vec<FinalState>,
    /// The number of final states that satisfy the formula.
    pub positive: usize,
    /// The number of those that do not.
    pub negative: usize,
    /// Why there may be further final states; `None` if these are all.
    pub incomplete: Option<String>,
    /// The number of states of the machine that were visited.
    pub visited: usize,
}

/// What is observed in a final state: all threads have ended, and all buffers are empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FinalState {
    /// The values of what is observed.
    pub values: Vec<i64>,
    /// Whether the formula holds there.
    pub positive: bool,
}

/// How often the formula of the condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Observation {
    /// In no final state.
    Never,
    /// In some, and not in others.
    Sometimes,
    /// In all of them.
    Always,
    /// Not all final states are known.
    Unknown,
}

impl Observation {
    /// The word that herd uses.
    pub fn word(self) -> &'static str {
        match self {
            Observation::Never => "Never",
            Observation::Sometimes => "Sometimes",
            Observation::Always => "Always",
            Observation::Unknown => "Unknown",
        }
    }
}

impl Outcome {
    /// Whether the condition is met. A final state that was found decides `exists` and `~exists`, and one that does not
    /// satisfy the formula decides `forall`, even if not all are known.
    pub fn verdict(&self) -> Verdict {
        let (decisive, otherwise) = match self.quantifier {
            Quantifier::Exists => (self.positive > 0, Verdict::Violated),
            Quantifier::NotExists => (self.positive > 0, Verdict::Holds),
            Quantifier::Forall => (self.negative > 0, Verdict::Holds),
        };
        match (decisive, &self.incomplete, self.quantifier) {
            (true, _, Quantifier::Exists) => Verdict::Holds,
            (true, ..) => Verdict::Violated,
            (false, None, _) => otherwise,
            (false, Some(_), _) => Verdict::Unknown,
        }
    }

    /// How often the formula holds.
    pub fn observation(&self) -> Observation {
        match (self.positive, self.negative, &self.incomplete) {
            (1.., 1.., _) => Observation::Sometimes,
            (.., Some(_)) => Observation::Unknown,
            (0, ..) => Observation::Never,
            (_, 0, None) => Observation::Always,
        }
    }
}

/// Collects final states.
struct Finals<'t> {
    test: &'t Test,
    found: BTreeSet<FinalState>,
}

impl Property<Machine<'_>> for Finals<'_> {
    type Violation = Named;

    fn stuck(&mut self, machine: &Machine<'_>, _found: &mut Vec<Named>) {
        let values = self.test.observed.iter().map(|place| machine.value(*place)).collect();
        let positive = satisfies(&self.test.condition, machine);
        self.found.insert(FinalState { values, positive });
    }
}

/// A final state of one kind is what is looked for.
struct Witness<'t> {
    condition: &'t Condition,
    positive: bool,
}

impl Property<Machine<'_>> for Witness<'_> {
    type Violation = Named;

    fn stuck(&mut self, machine: &Machine<'_>, found: &mut Vec<Named>) {
        if satisfies(self.condition, machine) == self.positive {
            found.push(Named("witness".into()));
        }
    }
}

fn satisfies(condition: &Condition, machine: &Machine<'_>) -> bool {
    condition.formula.holds(&|place: Place| machine.value(place))
}

impl Test {
    /// Visits every state of the program on the machine of a memory model, and collects its final states. A program
    /// with loops is given up after a million states unless `limits` says otherwise.
    pub fn run(&self, memory: Memory, limits: &Limits) -> Outcome {
        let mut machine = Machine::new(self, memory);
        let mut finals = Finals { test: self, found: BTreeSet::new() };
        let search = Search::new(&mut machine, BreadthFirst::new(), &mut finals);
        let search = search.remember(Seen::new()).limit(self.limits(limits));
        let outcome = search.run().expect("there is no reduction");
        let positive = finals.found.iter().filter(|state| state.positive).count();
        Outcome {
            name: self.name.clone(),
            memory,
            quantifier: self.condition.quantifier,
            condition: self.condition.formula.text(self),
            observed: self.observed.iter().map(|place| self.place_name(*place)).collect(),
            positive,
            negative: finals.found.len() - positive,
            states: finals.found.into_iter().collect(),
            incomplete: why_incomplete(&outcome.end),
            visited: outcome.stats.states,
        }
    }

    /// A shortest run to a final state that satisfies the formula of the condition (or does not), if there is one
    /// within the limits.
    pub fn witness(&self, memory: Memory, positive: bool, limits: &Limits) -> Result<Option<Trace>, Fault> {
        let mut machine = Machine::new(self, memory);
        let wanted = Witness { condition: &self.condition, positive };
        let search = Search::new(&mut machine, BreadthFirst::new(), wanted);
        let search = search.remember(Seen::new()).limit(self.limits(limits));
        let outcome = search.run().expect("there is no reduction");
        outcome.found.first().map(|found| record(&mut machine, &found.schedule)).transpose()
    }

    fn limits(&self, limits: &Limits) -> Limits {
        let needed = self.program.has_loops().then_some(MOST_STATES_OF_LOOPS);
        Limits { states: limits.states.or(needed), ..limits.clone() }
    }
}

fn why_incomplete(end: &End) -> Option<String> {
    match end {
        End::Exhausted => None,
        End::Limit(limit) => Some(limit.to_string()),
        End::Fault(fault) => Some(fault.to_string()),
        End::Bounded | End::Found => Some("the search was cut short".into()),
    }
}
