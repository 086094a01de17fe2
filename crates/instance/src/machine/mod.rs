//! A model compiled for a fixed number of processes: packed states, and steps that take a few machine instructions
//! where the model allows it.
//!
//! [`Instance`] holds what does not change during a run; [`Machine`] is an [`explore::System`] over it.

mod asking;
mod buffers;
mod choosing;
mod describing;
mod ground;
mod initial;
mod layout;
mod moves;
mod number;
mod program;
mod reading;
mod size;
mod status;
mod steps;
mod symmetry;
mod system;

pub use asking::{Compiled, Unanswerable};
pub(crate) use moves::Move;
pub use reading::{Column, Place};
pub use status::{LockStatus, Waiting};
pub use system::{Action, Machine};

use explore::{Deadline, Limit};
use ground::{Cond, Grounder};
use initial::{InitialError, Solver};
use ir::store_buffers::Unsupported;
use ir::{Domain, Formula, Model, Property, Sort, SymbolId, Term};
use layout::{Layout, Slot};
use number::Scale;
use program::{CondId, Program, Trouble};
use std::collections::BTreeSet;
use steps::{Bad, Choice, Compiler, Step, StepError};
use symmetry::Shape;

/// How to compile an instance.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The number of processes.
    pub processes: usize,
    /// Ranges for numbers that the model leaves open or unbounded, bounds included.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The number of bits for numbers without a range.
    pub number_bits: u32,
    /// If set, only a sample of the initial states that differ in what `init` does not mention. Such an instance
    /// serves to find runs; exploring it proves nothing.
    pub sample_start: Option<Sample>,
    /// The largest number of initial states to accept.
    pub most_starts: usize,
    /// When to give up listing initial states and the successors of a step.
    pub deadline: Deadline,
}

impl Setup {
    /// All initial states up to the default maximum, without a deadline.
    pub fn new(processes: usize, number_bits: u32) -> Setup {
        Setup {
            processes,
            ranges: vec![],
            number_bits,
            sample_start: None,
            most_starts: initial::MAX_STATES,
            deadline: Deadline::default(),
        }
    }
}

/// How to sample initial states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// The seed of the random number generator.
    pub seed: u64,
    /// The number of combinations of open values to draw for each way to satisfy `init`.
    pub draws: u64,
    /// The number of initial states after which the search for more ends.
    pub enough: usize,
}

/// Why an instance cannot be run, or cannot be run to the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// A number is read before it is set; its symbol.
    NeedsRange(SymbolId),
    /// There are more initial states than [`Setup::most_starts`], or they are too hard to find.
    TooManyInitialStates,
    /// A limit was hit while initial states or the successors of a step were listed.
    Limit(Limit),
    /// A number has outgrown its field; the instance must be made with more bits.
    NumberTooLarge(SymbolId),
    /// A number has outgrown 64 bits.
    Overflow,
    /// A semaphore starts below 0; its symbol.
    NegativeSemaphore(SymbolId),
    /// A state needs more machine words than any compiled width has.
    TooWide,
    /// There are too many steps and conditions to compile.
    TooLarge,
    /// A store buffer had no room for a write; the number of its entries.
    FullBuffer(usize),
    /// The model cannot be run with store buffers.
    Buffers(Unsupported),
    /// An outsider is used as a process. Every such use should already have been reported as a violation.
    Outsider,
}

impl Obstacle {
    /// A message for users: what happened, and what to do about it.
    pub fn explain(&self, model: &Model) -> String {
        let name = |symbol: &SymbolId| {
            let known = model.buffers.as_ref().and_then(|buffers| buffers.stands_for(*symbol));
            model.symbol(known.unwrap_or(*symbol)).name.clone()
        };
        match self {
            Obstacle::NeedsRange(symbol) => format!(
                "`{0}` has no value yet where it is read; give it a range, such as `--range {0}=-8..8`",
                name(symbol)
            ),
            Obstacle::TooManyInitialStates => "there are too many initial states".into(),
            Obstacle::Limit(limit) => limit.to_string(),
            Obstacle::NumberTooLarge(symbol) => format!("`{}` grows beyond 60 bits", name(symbol)),
            Obstacle::Overflow => "a number grows beyond 64 bits".into(),
            Obstacle::NegativeSemaphore(symbol) => format!("the semaphore `{}` starts below 0", name(symbol)),
            Obstacle::TooWide => "the states of this instance are too large".into(),
            Obstacle::TooLarge => "with this number of processes there are too many steps to list".into(),
            Obstacle::FullBuffer(entries) => format!(
                "a process can have more than {entries} different stores in its buffer; `--buffer N` explores with up to N of them"
            ),
            Obstacle::Buffers(unsupported) => format!(
                "{} is not supported with store buffers; `--memory sc` leaves them out",
                unsupported.what
            ),
            Obstacle::Outsider => "a value that is not a process of the run is used as one".into(),
        }
    }
}

/// A model for a fixed number of processes and one assignment of kinds.
#[derive(Debug)]
pub struct Instance<'m> {
    model: &'m Model,
    layout: Layout,
    scale: Scale,
    kinds: Vec<u32>,
    /// Only processes of the same class are exchanged by permutations: those of the same kind, unless some are fixed.
    classes: Vec<u32>,
    program: Program,
    choices: Vec<Choice>,
    steps: Vec<Step>,
    bad: Vec<Bad>,
    /// The states in which runs may end, if the model says so.
    ends: Option<CondId>,
    initial: Vec<Vec<u64>>,
    /// Whether a range that the user gave excludes some initial states.
    initial_cut: bool,
    /// For each symbol whether the user gave it a range: leaving it cuts the step rather than being a violation.
    ranged: Vec<bool>,
    /// For each abstract type, its slots.
    abstract_slots: Vec<Vec<usize>>,
    /// How slots change under a permutation of processes.
    shape: Shape,
    /// For each step whether it always has exactly one successor.
    certain: Vec<bool>,
    /// When to give up listing the successors of a step.
    deadline: Deadline,
}

impl<'m> Instance<'m> {
    /// All instances of a model: one for each assignment of kinds, up to symmetry.
    pub fn all(model: &'m Model, setup: &Setup) -> Result<Vec<Instance<'m>>, Obstacle> {
        size::check(model, setup.processes, Instance::is_symmetric(model))?;
        let assignments = kind_assignments(model, setup.processes);
        let instances = assignments.len();
        assignments.into_iter().map(|kinds| Instance::new(model, setup, kinds, instances)).collect()
    }

    fn new(
        model: &'m Model,
        setup: &Setup,
        kinds: Vec<u32>,
        instances: usize,
    ) -> Result<Instance<'m>, Obstacle> {
        let scale = Scale::of(model).ok_or(Obstacle::Overflow)?;
        let mut ranges = vec![None; model.symbols.len()];
        // Leaving the range of a type is a violation, whatever the user asks for.
        let unbounded = |symbol: &SymbolId| !matches!(model.symbol(*symbol).domain, Domain::Range(..));
        for (symbol, low, high) in setup.ranges.iter().filter(|(symbol, ..)| unbounded(symbol)) {
            ranges[symbol.index()] = scale.range(model.symbol(*symbol).sort, *low, *high);
        }
        let layout = Layout::new(model, setup.processes, setup.number_bits, &ranges, instances);
        let is_ranged: Vec<bool> = ranges.iter().map(Option::is_some).collect();
        let grounder = Grounder { model, layout: &layout, scale, kinds: &kinds };
        let choices = grounder.choices(&is_ranged);
        let (initial, initial_cut) = initial_states(&grounder, &choices, &is_ranged, setup)?;
        let program = Program::new(&layout.slots, setup.processes);
        let mut compiler = Compiler { grounder, program };
        let steps = compiler.steps(model, &setup.deadline).map_err(Obstacle::Limit)?;
        let bad = compiler.properties(&model.properties, &setup.deadline).map_err(Obstacle::Limit)?;
        let ends = compiler.ends(&model.finals);
        let program = compiler.program;
        let abstract_slots = abstract_slots(model, &layout);
        let has_numbers = layout.slots.iter().any(|slot| slot.unset);
        let certain = steps.iter().map(|step| step.is_certain(has_numbers)).collect();
        let mut instance = Instance {
            model,
            layout,
            scale,
            classes: kinds.clone(),
            kinds,
            program,
            choices,
            steps,
            bad,
            ends,
            initial,
            initial_cut,
            ranged: is_ranged,
            abstract_slots,
            shape: Shape::default(),
            certain,
            deadline: setup.deadline.clone(),
        };
        instance.shape = Shape::new(&instance);
        Ok(instance)
    }

    /// The number of machine words in a state.
    pub fn words(&self) -> usize {
        self.layout.words
    }

    /// The number of initial states.
    pub fn initial_states(&self) -> usize {
        self.initial.len()
    }

    /// The number of processes.
    pub(crate) fn processes(&self) -> usize {
        self.layout.processes
    }

    /// The kind of a process.
    pub(crate) fn kind_of(&self, process: usize) -> u32 {
        self.kinds[process]
    }

    /// The name of the kind of each process; `None` if the model has no kinds.
    pub fn kind_names(&self) -> Option<Vec<&'m str>> {
        let kinds = self.model.kinds.as_ref()?;
        let names = &self.model.enums[kinds.kinds.index()].constructors;
        Some(self.kinds.iter().map(|kind| names[*kind as usize].as_str()).collect())
    }

    /// Whether processes of the same kind are interchangeable: none is named, and they are not compared by `<`.
    pub fn is_symmetric(model: &Model) -> bool {
        model.named_processes == 0 && !compares_processes(model)
    }

    fn obstacle(&self, error: StepError) -> Obstacle {
        let symbol = |slot: usize| self.layout.symbol_of[slot];
        match error {
            StepError::TooLarge(slot) => Obstacle::NumberTooLarge(symbol(slot)),
            StepError::Trouble(Trouble::Unset(slot)) => Obstacle::NeedsRange(symbol(slot)),
            StepError::Trouble(Trouble::Overflow) => Obstacle::Overflow,
            StepError::Trouble(Trouble::Outsider) => Obstacle::Outsider,
            StepError::Stopped(limit) => Obstacle::Limit(limit),
        }
    }
}

/// The initial states, and whether the ranges that the user gave exclude some.
fn initial_states(
    grounder: &Grounder<'_>,
    choices: &[Choice],
    ranged: &[bool],
    setup: &Setup,
) -> Result<(Vec<Vec<u64>>, bool), Obstacle> {
    let layout = grounder.layout;
    let ranged: Vec<bool> = layout.symbol_of.iter().map(|symbol| ranged[symbol.index()]).collect();
    let mut solver = Solver {
        slots: &layout.slots,
        choices,
        words: layout.words,
        sample: setup.sample_start,
        most: setup.most_starts,
        deadline: &setup.deadline,
        ranged: &ranged,
        found: BTreeSet::new(),
        cut: false,
        branches: 0,
        work: 0,
    };
    for init in &grounder.model.init {
        let mut parts = Vec::new();
        grounder.each_tuple(&init.params, &mut vec![], &mut |binding| {
            parts.push(grounder.formula(&init.formula, binding));
        });
        parts.extend(grounder.model.assumptions.iter().map(|assumption| excluded(grounder, assumption)));
        let mut outsiders = Vec::new();
        for (symbol, outsider) in &init.outsiders {
            let first = layout.first(*symbol).expect("only stored symbols hold outsiders");
            let cells = layout.symbol_of.iter().filter(|of| *of == symbol).count();
            let value = i64::try_from(layout.processes + outsider.index()).expect("few outsiders");
            outsiders.extend((first..first + cells).map(|slot| (slot, value)));
        }
        solver.solve(&Cond::all(parts), &outsiders).map_err(|error| match error {
            InitialError::NeedsRange(slot) => Obstacle::NeedsRange(layout.symbol_of[slot]),
            InitialError::TooMany => Obstacle::TooManyInitialStates,
            InitialError::Limit(limit) => Obstacle::Limit(limit),
            InitialError::TooLarge(slot) => Obstacle::NumberTooLarge(layout.symbol_of[slot]),
        })?;
    }
    let cut = solver.cut;
    let types = abstract_slots(grounder.model, layout);
    let renamed = solver.found.into_iter().map(|mut state| {
        rename_abstract_values(&types, &layout.slots, &mut state);
        state
    });
    let states =
        without_special_cases(&renamed.collect(), &layout.slots, &setup.deadline).map_err(Obstacle::Limit)?;
    check_semaphores(grounder, &states)?;
    Ok((states, cut))
}

/// The condition that no processes match an assumption.
fn excluded(grounder: &Grounder<'_>, assumption: &Property) -> Cond {
    let mut parts = Vec::new();
    grounder.each_distinct(&assumption.params, &[], &mut vec![], &mut |binding| {
        parts.push(grounder.formula(&assumption.formula, binding).not());
    });
    Cond::all(parts)
}

fn check_semaphores(grounder: &Grounder<'_>, states: &[Vec<u64>]) -> Result<(), Obstacle> {
    let locks = grounder
        .model
        .threads
        .iter()
        .flat_map(|threads| &threads.locks)
        .filter(|lock| !lock.state_is_owner());
    for lock in locks {
        let of_lock = |slot: &usize| grounder.layout.symbol_of[*slot] == lock.state;
        for slot in (0..grounder.layout.slots.len()).filter(of_lock) {
            let place = &grounder.layout.slots[slot];
            if states.iter().any(|state| place.code(state).cast_signed() + place.low < 0) {
                return Err(Obstacle::NegativeSemaphore(lock.state));
            }
        }
    }
    Ok(())
}

/// Drops states that are special cases of others: a number that is not set stands for every value.
fn without_special_cases(
    states: &BTreeSet<Vec<u64>>,
    slots: &[Slot],
    deadline: &Deadline,
) -> Result<Vec<Vec<u64>>, Limit> {
    let open = |state: &Vec<u64>| -> Vec<usize> {
        (0..slots.len()).filter(|slot| slots[*slot].unset && slots[*slot].code(state) == 0).collect()
    };
    let patterns: BTreeSet<Vec<usize>> = states.iter().map(open).collect();
    let special = |state: &Vec<u64>| {
        patterns.iter().any(|pattern| {
            let mut general = state.clone();
            pattern.iter().for_each(|slot| slots[*slot].set(&mut general, 0));
            general != *state && states.contains(&general)
        })
    };
    let mut general = Vec::new();
    for (at, state) in states.iter().enumerate() {
        if at.is_multiple_of(1024) {
            deadline.check()?;
        }
        if !special(state) {
            general.push(state.clone());
        }
    }
    Ok(general)
}

/// Numbers the values of abstract types by first occurrence, so that states are equal if they differ only in names.
fn rename_abstract_values(types: &[Vec<usize>], places: &[Slot], state: &mut [u64]) {
    for slots in types {
        let mut names: Vec<u64> = Vec::new();
        for slot in slots {
            let code = places[*slot].code(state);
            let at = names.iter().position(|known| *known == code).unwrap_or_else(|| {
                names.push(code);
                names.len() - 1
            });
            places[*slot].set(state, at as u64);
        }
    }
}

fn abstract_slots(model: &Model, layout: &Layout) -> Vec<Vec<usize>> {
    let of_type = |at: usize| {
        let sort = Sort::Abstract(ir::AbstractId::from_index(at));
        (0..layout.slots.len()).filter(|slot| model.symbol(layout.symbol_of[*slot]).sort == sort).collect()
    };
    (0..model.abstract_types.len()).map(of_type).collect()
}

/// Every assignment of kinds to processes with at least one process of each kind. If the model is symmetric, only the
/// number of processes of each kind matters.
fn kind_assignments(model: &Model, processes: usize) -> Vec<Vec<u32>> {
    let Some(kinds) = &model.kinds else { return vec![vec![0; processes]] };
    let count = u32::try_from(model.enums[kinds.kinds.index()].constructors.len()).expect("few kinds");
    let sorted = Instance::is_symmetric(model);
    let mut found = vec![vec![]];
    for _ in 0..processes {
        found = found
            .into_iter()
            .flat_map(|list: Vec<u32>| {
                let least = if sorted { list.last().copied().unwrap_or(0) } else { 0 };
                (least..count).map(move |kind| [list.as_slice(), &[kind]].concat())
            })
            .collect();
    }
    found.retain(|list| (0..count).all(|kind| list.contains(&kind)));
    found
}

/// Whether a formula compares processes by `<` or `<=`.
pub(crate) fn orders_processes(model: &Model, formula: &Formula) -> bool {
    let is_process = |term: &Term| match term {
        Term::Var(_) | Term::Process(_) | Term::Outsider(_) => true,
        Term::Read { symbol, .. } => model.symbol(*symbol).sort == Sort::Proc,
        _ => false,
    };
    let mut found = false;
    each_comparison(formula, &mut |left, right| found |= is_process(left) && is_process(right));
    found
}

/// Whether processes are compared by `<` or `<=` anywhere but in temporal properties.
fn compares_processes(model: &Model) -> bool {
    let mut found = false;
    let mut look = |formula: &Formula| found |= orders_processes(model, formula);
    model.init.iter().for_each(|init| look(&init.formula));
    model.properties.iter().chain(&model.assumptions).for_each(|property| look(&property.formula));
    model.finals.iter().for_each(|end| look(&end.formula));
    for transition in &model.transitions {
        look(&transition.guard);
        transition.updates.iter().flat_map(|update| &update.arms).for_each(|arm| look(&arm.condition));
    }
    found
}

/// Calls `visit` with both sides of every `<` and `<=`.
fn each_comparison<'f>(formula: &'f Formula, visit: &mut impl FnMut(&'f Term, &'f Term)) {
    use ir::Relation;
    match formula {
        Formula::Compare(Relation::Lt | Relation::Le, left, right) => visit(left, right),
        Formula::True | Formula::False | Formula::Fence | Formula::Compare(..) => {}
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => each_comparison(inner, visit),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| each_comparison(part, visit));
        }
        Formula::Iff(left, right) => {
            each_comparison(left, visit);
            each_comparison(right, visit);
        }
        Formula::If(condition, then, otherwise) => {
            each_comparison(condition, visit);
            each_comparison(then, visit);
            each_comparison(otherwise, visit);
        }
    }
}
