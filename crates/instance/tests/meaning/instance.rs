//! An instance of a model: its number of processes, and the position of each cell in a state.

use super::value::Value;
use ir::{Domain, Formula, Model, Property, Relation, Sort, SymbolId, Term, Var};
use std::collections::BTreeMap;

/// A value for every variable and cell.
pub(crate) type State = Vec<Value>;

/// The processes that variables stand for, by number of the variable.
pub(crate) type Binding = Vec<Option<usize>>;

/// Ranges for numbers that the model does not bound, by name of the symbol.
pub(crate) type Ranges = BTreeMap<String, (i64, i64)>;

/// A model with a fixed number of processes.
#[derive(Debug)]
pub(crate) struct Instance<'m> {
    pub(crate) model: &'m Model,
    pub(crate) processes: usize,
    ranges: Ranges,
    /// The position of the first cell of each symbol.
    starts: Vec<usize>,
    /// The number of cells in a state.
    cells: usize,
}

impl<'m> Instance<'m> {
    pub(crate) fn new(model: &'m Model, processes: usize, ranges: Ranges) -> Instance<'m> {
        let mut starts = Vec::new();
        let mut cells = 0;
        for symbol in &model.symbols {
            starts.push(cells);
            cells += tuples(processes, symbol.arity).len();
        }
        Instance { model, processes, ranges, starts, cells }
    }

    /// The state in which nothing is decided.
    pub(crate) fn open_state(&self) -> State {
        vec![Value::Open; self.cells]
    }

    /// All symbols.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        (0..self.model.symbols.len()).map(SymbolId::from_index)
    }

    /// The position of a cell in a state.
    pub(crate) fn cell(&self, symbol: SymbolId, indices: &[usize]) -> usize {
        assert_eq!(indices.len(), self.model.symbol(symbol).arity, "as many indices as the symbol has");
        let within = indices.iter().fold(0, |at, index| at * self.processes + index);
        self.starts[symbol.index()] + within
    }

    /// The positions of all cells of a symbol.
    pub(crate) fn cells_of(&self, symbol: SymbolId) -> impl Iterator<Item = usize> + use<'_> {
        let indices = tuples(self.processes, self.model.symbol(symbol).arity);
        indices.into_iter().map(move |indices| self.cell(symbol, &indices))
    }

    /// The range that the user gave, for symbols that the model does not bound.
    pub(crate) fn range(&self, symbol: SymbolId) -> Option<(i64, i64)> {
        self.ranges.get(&self.model.symbol(symbol).name).copied()
    }

    /// Every value that an open cell or `?` may take; `None` for numbers without a range.
    ///
    /// For an abstract type: those that occur in one of the states, and a fresh one.
    pub(crate) fn values(&self, symbol: SymbolId, states: &[&State]) -> Option<Vec<Value>> {
        let declared = self.model.symbol(symbol);
        let range = match declared.domain {
            Domain::Range(low, high) => Some((low, high)),
            _ => self.range(symbol),
        };
        Some(match declared.sort {
            Sort::Int | Sort::Real => {
                let (low, high) = range?;
                (low..=high).map(Value::whole).collect()
            }
            Sort::Proc => {
                let processes = (0..self.processes).map(Value::Process);
                processes.filter(|process| self.in_domain(symbol, *process, states[0])).collect()
            }
            Sort::Enum(id) => {
                let count = u32::try_from(self.model.enums[id.index()].constructors.len()).expect("few");
                (0..count).map(Value::Constructor).collect()
            }
            Sort::Abstract(_) => {
                let known = states.iter().map(|state| self.abstract_values(declared.sort, state)).max();
                (0..=known.unwrap_or(0)).map(Value::Abstract).collect()
            }
        })
    }

    /// The number of values of an abstract type in a state: they are numbered from 0 without gaps.
    fn abstract_values(&self, sort: Sort, state: &State) -> u32 {
        let cells = self.symbols().filter(|id| self.model.symbol(*id).sort == sort);
        let values = cells.flat_map(|id| self.cells_of(id)).filter_map(|cell| match state[cell] {
            Value::Abstract(value) => Some(value + 1),
            _ => None,
        });
        values.max().unwrap_or(0)
    }

    /// Whether a symbol may hold a value. Ranges that the user gave are not checked here.
    pub(crate) fn in_domain(&self, symbol: SymbolId, value: Value, state: &State) -> bool {
        let declared = self.model.symbol(symbol);
        match (declared.domain, value) {
            (_, Value::Outsider(_)) => declared.holds_outsiders,
            (Domain::Range(low, high), Value::Number(number)) => number.within(low, high),
            (Domain::Kind(kind), Value::Process(process)) => {
                let kinds = self.model.kinds.as_ref().expect("a kind has kinds");
                state[self.cell(kinds.of_process, &[process])] == Value::Constructor(kind.0)
            }
            _ => true,
        }
    }

    /// The bindings of the parameters of an item to pairwise distinct processes.
    pub(crate) fn bindings(&self, params: &[Var], variables: usize) -> Vec<Binding> {
        let choices = distinct(self.processes, params.len(), &[]);
        choices.into_iter().map(|chosen| bind(params, &chosen, variables)).collect()
    }

    /// The bindings of the parameters of a property.
    pub(crate) fn matches_of(&self, property: &Property) -> Vec<Binding> {
        self.bindings(&property.params, property.variables.len())
    }

    /// Every assignment of kinds with at least one process of each, as values of the cells that hold them.
    ///
    /// If the model is symmetric, one assignment for each distribution of kinds is enough.
    pub(crate) fn kinds(&self) -> Vec<Vec<usize>> {
        let Some(kinds) = &self.model.kinds else { return vec![vec![]] };
        let count = self.model.enums[kinds.kinds.index()].constructors.len();
        let mut all = tuples(count, self.processes);
        all.retain(|kinds| (0..count).all(|kind| kinds.contains(&kind)));
        if symmetric(self.model) {
            all.retain(|kinds| kinds.is_sorted());
        }
        all
    }
}

/// A binding of some variables.
pub(crate) fn bind(variables: &[Var], processes: &[usize], count: usize) -> Binding {
    let mut binding = vec![None; count];
    for (variable, process) in variables.iter().zip(processes) {
        binding[variable.index()] = Some(*process);
    }
    binding
}

/// All sequences of `length` numbers below `count`.
pub(crate) fn tuples(count: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..length {
        all = all.iter().flat_map(|tuple| (0..count).map(move |next| extended(tuple, next))).collect();
    }
    all
}

/// All sequences of `length` different numbers below `count`, none of which is in `without`.
pub(crate) fn distinct(count: usize, length: usize, without: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..length {
        let free = |tuple: &Vec<usize>, next: &usize| !tuple.contains(next) && !without.contains(next);
        all = all
            .iter()
            .flat_map(|tuple| (0..count).filter(|next| free(tuple, next)).map(|next| extended(tuple, next)))
            .collect();
    }
    all
}

fn extended(tuple: &[usize], next: usize) -> Vec<usize> {
    tuple.iter().copied().chain([next]).collect()
}

/// Whether the processes of a kind are interchangeable: none is named, and none compared by `<`.
fn symmetric(model: &Model) -> bool {
    let formulas = model.init.iter().map(|init| &init.formula);
    let properties = model.properties.iter().chain(&model.assumptions).map(|property| &property.formula);
    let guards = model.transitions.iter().map(|transition| &transition.guard);
    let arms = model.transitions.iter().flat_map(|t| &t.updates).flat_map(|update| &update.arms);
    let ordered = formulas.chain(properties).chain(guards).chain(arms.map(|arm| &arm.condition));
    model.named_processes == 0 && !ordered.into_iter().any(|formula| orders_processes(model, formula))
}

fn orders_processes(model: &Model, formula: &Formula) -> bool {
    let rec = |formula: &Formula| orders_processes(model, formula);
    match formula {
        Formula::True | Formula::False | Formula::Fence => false,
        Formula::Compare(relation, left, _) => {
            matches!(relation, Relation::Lt | Relation::Le) && is_process(model, left)
        }
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => rec(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(rec),
        Formula::Iff(left, right) => rec(left) || rec(right),
        Formula::If(condition, then, otherwise) => rec(condition) || rec(then) || rec(otherwise),
    }
}

fn is_process(model: &Model, term: &Term) -> bool {
    match term {
        Term::Var(_) | Term::Process(_) | Term::Outsider(_) => true,
        Term::Read { symbol, .. } => model.symbol(*symbol).sort == Sort::Proc,
        _ => false,
    }
}
