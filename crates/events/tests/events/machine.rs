//! A machine with exact, unbounded store buffers, for a fixed number of processes: the typed form taken literally.

use ir::{
    Domain, Formula, Model, Property, Quantifier, Relation, Sort, SymbolId, Term, Update, Value as Assigned,
    Var,
};
use std::collections::{HashSet, VecDeque};

/// A value of any sort; booleans and other enumerations by position, processes from 0.
pub(crate) type Value = i64;
type Cell = (SymbolId, Vec<u32>);
type Binding = Vec<Option<u32>>;
/// What one transition writes: it enters and leaves a buffer as one.
type Entry = Vec<(usize, Value)>;

/// Cells in order, and a buffer for each process with the oldest entry first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) cells: Vec<Value>,
    pub(crate) buffers: Vec<VecDeque<Entry>>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    Step { transition: usize, processes: Vec<u32> },
    Flush { process: u32 },
}

/// A model for a number of processes.
pub(crate) struct Machine<'m> {
    pub(crate) model: &'m Model,
    pub(crate) processes: u32,
    cells: Vec<Cell>,
    /// The first cell of each symbol.
    starts: Vec<usize>,
    /// The numbers that stand for all, where a value is open.
    numbers: Vec<Value>,
}

/// How symbols are read.
#[derive(Clone, Copy)]
enum Reader {
    Memory,
    Process(u32),
    Stated(Option<u32>),
}

/// What was found in an instance.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Explored {
    pub(crate) violated: Option<String>,
    /// Whether all states were visited.
    pub(crate) complete: bool,
}

impl<'m> Machine<'m> {
    pub(crate) fn new(model: &'m Model, processes: u32) -> Machine<'m> {
        let (mut cells, mut starts) = (Vec::new(), Vec::new());
        for (at, symbol) in model.symbols.iter().enumerate() {
            starts.push(cells.len());
            let mut indices: Vec<Vec<u32>> = vec![vec![]];
            for _ in 0..symbol.arity {
                let more = |known: Vec<u32>| (0..processes).map(move |p| [known.clone(), vec![p]].concat());
                indices = indices.into_iter().flat_map(more).collect();
            }
            cells.extend(indices.into_iter().map(|indices| (SymbolId::from_index(at), indices)));
        }
        Machine { model, processes, cells, starts, numbers: vec![-1, 0, 1, 2, 3] }
    }

    /// Whether the machine knows all that a model has.
    pub(crate) fn supports(model: &Model) -> bool {
        let is_known = |sort: Sort| !matches!(sort, Sort::Real | Sort::Abstract(_));
        model.symbols.iter().all(|symbol| is_known(symbol.sort)) && model.outsiders.is_empty()
    }

    fn cell(&self, symbol: SymbolId, indices: &[u32]) -> usize {
        indices.iter().fold(0, |at, index| at * self.processes as usize + *index as usize)
            + self.starts[symbol.index()]
    }

    /// The values of a symbol, and whether these are all.
    fn domain(&self, symbol: SymbolId) -> (Vec<Value>, bool) {
        let symbol = self.model.symbol(symbol);
        match (symbol.sort, symbol.domain) {
            (Sort::Enum(id), _) => {
                let number = self.model.enums[id.index()].constructors.len();
                ((0..i64::try_from(number).unwrap()).collect(), true)
            }
            (Sort::Proc, _) => ((0..i64::from(self.processes)).collect(), true),
            (Sort::Int, Domain::Range(low, high)) => ((low..=high).collect(), true),
            (Sort::Int, _) => (self.numbers.clone(), false),
            (Sort::Real | Sort::Abstract(_), _) => panic!("no such symbols in these models"),
        }
    }

    fn read(
        &self,
        state: &State,
        reader: Reader,
        symbol: SymbolId,
        indices: &[u32],
        stated: Option<u32>,
    ) -> Value {
        let cell = self.cell(symbol, indices);
        let process = match reader {
            Reader::Memory => None,
            Reader::Process(process) => Some(process),
            Reader::Stated(actor) => stated.or(actor),
        };
        let weak = self.model.symbol(symbol).weak;
        let buffer = process.filter(|_| weak).map(|process| &state.buffers[process as usize]);
        let youngest =
            buffer.into_iter().flat_map(|buffer| buffer.iter().rev().flatten()).find(|(at, _)| *at == cell);
        youngest.map_or(state.cells[cell], |(_, value)| *value)
    }

    fn term(&self, state: &State, reader: Reader, term: &Term, binding: &Binding) -> Value {
        let process =
            |term: &Term| u32::try_from(self.term(state, reader, term, binding)).expect("a process");
        match term {
            Term::Var(var) => binding[var.index()].expect("bound").into(),
            Term::Process(k) => i64::from(*k) - 1,
            Term::Constructor(_, at) => i64::from(*at),
            Term::Linear(linear) => {
                let parts = linear
                    .parts
                    .iter()
                    .map(|(factor, part)| factor * self.term(state, reader, part, binding));
                linear.constant.numerator() + parts.sum::<i64>()
            }
            Term::Read { symbol, indices, reader: by } => {
                let indices: Vec<u32> = indices.iter().map(process).collect();
                self.read(state, reader, *symbol, &indices, by.as_deref().map(process))
            }
            Term::Outsider(_) | Term::ProcessCount | Term::Count { .. } => {
                panic!("no such terms in these models")
            }
        }
    }

    fn holds(&self, state: &State, reader: Reader, formula: &Formula, binding: &Binding) -> bool {
        let sub = |formula: &Formula| self.holds(state, reader, formula, binding);
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Compare(relation, left, right) => {
                let (a, b) =
                    (self.term(state, reader, left, binding), self.term(state, reader, right, binding));
                match relation {
                    Relation::Eq => a == b,
                    Relation::Neq => a != b,
                    Relation::Lt => a < b,
                    Relation::Le => a <= b,
                }
            }
            Formula::Not(inner) => !sub(inner),
            Formula::And(parts) => parts.iter().all(sub),
            Formula::Or(parts) => parts.iter().any(sub),
            Formula::Iff(left, right) => sub(left) == sub(right),
            Formula::If(condition, then, otherwise) => {
                if sub(condition) {
                    sub(then)
                } else {
                    sub(otherwise)
                }
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let taken: Vec<u32> = apart_from.iter().filter_map(|var| binding[var.index()]).collect();
                let mut all = self.distinct(variables, &taken, binding).into_iter();
                match quantifier {
                    Quantifier::Forall => all.all(|binding| self.holds(state, reader, body, &binding)),
                    Quantifier::Exists => all.any(|binding| self.holds(state, reader, body, &binding)),
                }
            }
            Formula::Fence => match reader {
                Reader::Process(process) | Reader::Stated(Some(process)) => {
                    state.buffers[process as usize].is_empty()
                }
                Reader::Memory | Reader::Stated(None) => panic!("no fences here"),
            },
        }
    }

    /// All ways in which variables stand for distinct processes, apart from some.
    fn distinct(&self, variables: &[Var], taken: &[u32], binding: &Binding) -> Vec<Binding> {
        let mut all = vec![binding.clone()];
        for (at, var) in variables.iter().enumerate() {
            let more = |binding: Binding| {
                let others: Vec<Option<u32>> =
                    variables[..at].iter().map(|other| binding[other.index()]).collect();
                let free =
                    (0..self.processes).filter(move |p| !taken.contains(p) && !others.contains(&Some(*p)));
                free.map(move |process| {
                    let mut binding = binding.clone();
                    binding[var.index()] = Some(process);
                    binding
                })
            };
            all = all.into_iter().flat_map(more).collect();
        }
        all
    }

    /// All initial states, and whether these are all; `None` if there are too many.
    pub(crate) fn initial(&self) -> Option<(Vec<State>, bool)> {
        let (mut states, mut complete) = (Vec::new(), true);
        for init in &self.model.init {
            let mut bindings = vec![vec![None; init.variables.len()]];
            for param in &init.params {
                let more = |binding: Binding| {
                    (0..self.processes).map(move |process| {
                        let mut binding = binding.clone();
                        binding[param.index()] = Some(process);
                        binding
                    })
                };
                bindings = bindings.into_iter().flat_map(more).collect();
            }
            let mut domains: Vec<Vec<Value>> = Vec::new();
            for (at, (symbol, _)) in self.cells.iter().enumerate() {
                let given = bindings.iter().find_map(|binding| self.given(at, &init.formula, binding));
                let (all, exact) = given.map_or_else(|| self.domain(*symbol), |value| (vec![value], true));
                complete &= exact;
                domains.push(all);
            }
            if domains.iter().map(Vec::len).try_fold(1_usize, usize::checked_mul)? > 4096 {
                return None;
            }
            for cells in product(&domains) {
                let buffers = vec![VecDeque::new(); self.processes as usize];
                let state = State { cells, buffers };
                if bindings.iter().all(|b| self.holds(&state, Reader::Memory, &init.formula, b))
                    && self.assumed(&state)
                {
                    states.push(state);
                }
            }
        }
        Some((states, complete))
    }

    /// The value that a conjunct of `init` gives to a cell, if it is plain.
    fn given(&self, cell: usize, formula: &Formula, binding: &Binding) -> Option<Value> {
        formula.conjuncts().iter().find_map(|conjunct| match conjunct {
            Formula::Compare(Relation::Eq, Term::Read { symbol, indices, .. }, value) => {
                let plain = |term: &Term| match term {
                    Term::Var(var) => binding[var.index()],
                    Term::Process(k) => Some(k - 1),
                    _ => None,
                };
                let indices: Option<Vec<u32>> = indices.iter().map(plain).collect();
                let value = match value {
                    Term::Constructor(_, at) => i64::from(*at),
                    Term::Process(k) => i64::from(*k) - 1,
                    Term::Linear(linear) => linear.as_number()?.numerator(),
                    _ => return None,
                };
                (self.cell(*symbol, &indices?) == cell).then_some(value)
            }
            _ => None,
        })
    }

    fn assumed(&self, state: &State) -> bool {
        !self.model.assumptions.iter().any(|property| self.matches(state, property))
    }

    /// Whether a state matches a property.
    pub(crate) fn matches(&self, state: &State, property: &Property) -> bool {
        let rule = property.rule.map(|rule| &self.model.rules[rule.index()]);
        let actor = rule.and_then(|rule| rule.actor);
        self.distinct(&property.params, &[], &vec![None; property.variables.len()]).iter().any(|binding| {
            let actor = actor.and_then(|at| binding[property.params[at].index()]);
            self.holds(state, Reader::Stated(actor), &property.formula, binding)
        })
    }

    /// The states after a happening; none if it is not possible. The second says whether all values were tried.
    pub(crate) fn after(&self, state: &State, happening: &Happening) -> (Vec<State>, bool) {
        match happening {
            Happening::Flush { process } => (Self::flushed(state, *process).into_iter().collect(), true),
            Happening::Step { transition, processes } => self.stepped(state, *transition, processes),
        }
    }

    fn flushed(state: &State, process: u32) -> Option<State> {
        let mut next = state.clone();
        let entry = next.buffers[process as usize].pop_front()?;
        entry.into_iter().for_each(|(cell, value)| next.cells[cell] = value);
        Some(next)
    }

    fn stepped(&self, state: &State, number: usize, processes: &[u32]) -> (Vec<State>, bool) {
        let transition = &self.model.transitions[number];
        let mut binding: Binding = vec![None; transition.variables.len()];
        for (param, process) in transition.params.iter().zip(processes) {
            binding[param.index()] = Some(*process);
        }
        let actor = transition.actor.and_then(|actor| binding[actor.index()]).expect("steps have actors");
        let reader = Reader::Process(actor);
        let writes = |update: &Update| {
            self.model.symbol(update.symbol).weak && update.arms.iter().any(|arm| arm.value != Assigned::Keep)
        };
        let is_atomic = transition.reads_weak && transition.updates.iter().any(writes);
        if is_atomic && !state.buffers[actor as usize].is_empty()
            || !self.holds(state, reader, &transition.guard, &binding)
        {
            return (vec![], true);
        }
        let (mut changes, mut complete): (Vec<Vec<(usize, Value)>>, bool) = (vec![vec![]], true);
        for update in &transition.updates {
            for (cell, (symbol, indices)) in self.cells.iter().enumerate() {
                if *symbol == update.symbol {
                    let (values, exact) = self.updated(state, reader, update, indices, &binding);
                    complete &= exact;
                    if !values.is_empty() {
                        let more = |known: Vec<(usize, Value)>| {
                            values.iter().map(move |value| [known.clone(), vec![(cell, *value)]].concat())
                        };
                        changes = changes.into_iter().flat_map(more).collect();
                    }
                }
            }
        }
        (changes.into_iter().map(|change| self.changed(state, actor, is_atomic, change)).collect(), complete)
    }

    /// The values that an update may give to a cell; none if it keeps its own.
    fn updated(
        &self,
        state: &State,
        reader: Reader,
        update: &Update,
        indices: &[u32],
        binding: &Binding,
    ) -> (Vec<Value>, bool) {
        let mut binding = binding.clone();
        for (var, index) in update.cell.iter().zip(indices) {
            binding[var.index()] = Some(*index);
        }
        match update.arms.iter().find(|arm| self.holds(state, reader, &arm.condition, &binding)) {
            None => (vec![], true),
            Some(arm) => match &arm.value {
                Assigned::Keep => (vec![], true),
                Assigned::Any => self.domain(update.symbol),
                Assigned::Term(term) => (vec![self.term(state, reader, term, &binding)], true),
            },
        }
    }

    fn changed(&self, state: &State, actor: u32, is_atomic: bool, change: Vec<(usize, Value)>) -> State {
        let mut next = state.clone();
        let is_weak = |cell: usize| self.model.symbol(self.cells[cell].0).weak;
        let (writes, registers): (Entry, Entry) = change.into_iter().partition(|(cell, _)| is_weak(*cell));
        registers.into_iter().for_each(|(cell, value)| next.cells[cell] = value);
        if is_atomic {
            writes.into_iter().for_each(|(cell, value)| next.cells[cell] = value);
        } else if !writes.is_empty() {
            next.buffers[actor as usize].push_back(writes);
        }
        next
    }

    /// All that may happen.
    fn happenings(&self) -> Vec<Happening> {
        let flushes = (0..self.processes).map(|process| Happening::Flush { process });
        let steps = self.model.transitions.iter().enumerate().flat_map(|(transition, step)| {
            let bindings = self.distinct(&step.params, &[], &vec![None; step.variables.len()]);
            bindings.into_iter().map(move |binding| {
                let processes =
                    step.params.iter().map(|param| binding[param.index()].expect("bound")).collect();
                Happening::Step { transition, processes }
            })
        });
        flushes.chain(steps).collect()
    }

    /// Visits the states with at most so many entries in each buffer, and at most so many states.
    pub(crate) fn explore(&self, entries: usize, most: usize) -> Explored {
        let Some((initial, mut complete)) = self.initial() else { return Explored::default() };
        let happenings = self.happenings();
        let mut seen: HashSet<State> = initial.iter().cloned().collect();
        let mut queue: VecDeque<State> = initial.into();
        while let Some(state) = queue.pop_front() {
            if let Some(property) =
                self.model.properties.iter().find(|property| self.matches(&state, property))
            {
                return Explored { violated: Some(property.name.clone()), complete };
            }
            for happening in &happenings {
                let (next, exact) = self.after(&state, happening);
                complete &= exact;
                for next in next {
                    if next.buffers.iter().any(|buffer| buffer.len() > entries) || seen.len() > most {
                        complete = false;
                    } else if seen.insert(next.clone()) {
                        queue.push_back(next);
                    }
                }
            }
        }
        Explored { violated: None, complete }
    }

    /// Whether the happenings lead from an initial state to one that matches the property.
    pub(crate) fn replays(&self, happenings: &[Happening], property: &Property) -> Option<bool> {
        let (mut states, mut complete) = self.initial()?;
        for happening in happenings {
            let mut next = Vec::new();
            for state in &states {
                let (after, exact) = self.after(state, happening);
                complete &= exact;
                // A step that writes in some states only may have had nothing to buffer.
                let is_idle = matches!(happening, Happening::Flush { .. }) && after.is_empty();
                next.extend(if is_idle { vec![state.clone()] } else { after });
            }
            states = next;
        }
        let found = states.iter().any(|state| self.matches(state, property));
        (found || complete).then_some(found)
    }
}

fn product(domains: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut all: Vec<Vec<Value>> = vec![vec![]];
    for domain in domains {
        let more = |known: Vec<Value>| domain.iter().map(move |value| [known.clone(), vec![*value]].concat());
        all = all.into_iter().flat_map(more).collect();
    }
    all
}
