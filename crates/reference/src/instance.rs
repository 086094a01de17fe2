//! A model with a fixed number of processes: the positions of cells and locks, and their possible values.

use crate::{
    number::Ratio,
    state::{State, Value},
    tree::{LockType, Param, Phrase, Program, Relation, Type, Variable},
};
use std::collections::{BTreeMap, BTreeSet};

/// `--range X=-8..8`, by name of the symbol.
pub type Ranges = BTreeMap<String, (i64, i64)>;

/// The process that each variable stands for; entries of variables out of scope are arbitrary.
pub type Env = Vec<usize>;

/// A model with a number of processes.
#[derive(Debug)]
pub struct Instance<'p> {
    pub program: &'p Program,
    pub processes: usize,
    ranges: Ranges,
    /// The position of the first cell of each symbol; below, the number of cells.
    cell_starts: Vec<usize>,
    pub cells: usize,
    /// Likewise for locks.
    lock_starts: Vec<usize>,
    pub locks: usize,
}

impl<'p> Instance<'p> {
    pub fn new(program: &'p Program, processes: usize, ranges: Ranges) -> Instance<'p> {
        let (mut cell_starts, mut lock_starts) = (Vec::new(), Vec::new());
        let (mut cells, mut locks) = (0, 0);
        for symbol in &program.symbols {
            cell_starts.push(cells);
            lock_starts.push(locks);
            let size = tuples(processes, symbol.arity).len();
            cells += if has_cells(symbol.of) { size } else { 0 };
            locks += if matches!(symbol.of, Type::Lock(_)) { size } else { 0 };
        }
        Instance { program, processes, ranges, cell_starts, cells, lock_starts, locks }
    }

    pub fn cell(&self, symbol: usize, indices: &[usize]) -> usize {
        self.cell_starts[symbol] + self.offset(symbol, indices)
    }

    pub fn lock(&self, symbol: usize, indices: &[usize]) -> usize {
        self.lock_starts[symbol] + self.offset(symbol, indices)
    }

    fn offset(&self, symbol: usize, indices: &[usize]) -> usize {
        assert_eq!(indices.len(), self.program.symbols[symbol].arity, "as many indices as declared");
        indices.iter().fold(0, |at, index| at * self.processes + index)
    }

    /// The cells of a symbol; empty for a lock without a value.
    pub fn cells_of(&self, symbol: usize) -> Vec<usize> {
        if !has_cells(self.program.symbols[symbol].of) {
            return vec![];
        }
        let indices = tuples(self.processes, self.program.symbols[symbol].arity);
        indices.iter().map(|indices| self.cell(symbol, indices)).collect()
    }

    /// Every cell with its symbol, in order.
    pub fn all_cells(&self) -> Vec<(usize, usize)> {
        let symbols = 0..self.program.symbols.len();
        symbols.flat_map(|symbol| self.cells_of(symbol).into_iter().map(move |cell| (symbol, cell))).collect()
    }

    /// The symbol that a cell belongs to.
    pub fn symbol_at(&self, cell: usize) -> usize {
        self.cell_starts.partition_point(|start| *start <= cell) - 1
    }

    /// The names of the locks, with their indices.
    pub fn lock_names(&self) -> Vec<String> {
        let locks = self.program.symbols.iter().filter(|symbol| matches!(symbol.of, Type::Lock(_)));
        let cells = locks.flat_map(|lock| {
            tuples(self.processes, lock.arity).into_iter().map(move |indices| (lock, indices))
        });
        let index = |index: &usize| format!("[#{}]", index + 1);
        cells
            .map(|(lock, indices)| lock.name.clone() + &indices.iter().map(index).collect::<String>())
            .collect()
    }

    /// The range that the user gave.
    pub fn range(&self, symbol: usize) -> Option<(i64, i64)> {
        self.ranges.get(&self.program.symbols[symbol].name).copied()
    }

    pub fn is_real(&self, name: &str) -> bool {
        self.program.symbols.iter().any(|symbol| symbol.name == name && symbol.of == Type::Real)
    }

    /// Every value that an open cell or `?` may take; `None` for numbers without a range. For an abstract type: any
    /// value that is present, or a fresh one (section 6).
    pub fn values(&self, symbol: usize, kinds: &[usize], present: &[&[Value]]) -> Option<Vec<Value>> {
        let numbers = |(low, high)| (low..=high).map(|n| Value::Number(Ratio::whole(n))).collect();
        match self.program.symbols[symbol].of {
            Type::Truth => Some(vec![Value::Truth(true), Value::Truth(false)]),
            Type::Whole(Some(range)) => Some(numbers(range)),
            Type::Whole(None) | Type::Real | Type::Lock(_) => self.range(symbol).map(numbers),
            Type::Process(kind) => {
                let fits = |process: &usize| kind.is_none_or(|kind| kinds[*process] == kind);
                Some((0..self.processes).filter(fits).map(Value::Process).collect())
            }
            Type::Enumeration { number, constructors } => {
                Some((0..constructors).map(|at| Value::Constructor(number, at)).collect())
            }
            Type::Abstract(id) => Some(self.abstract_values(id, present)),
        }
    }

    fn abstract_values(&self, id: usize, present: &[&[Value]]) -> Vec<Value> {
        let mut values = BTreeSet::new();
        for (symbol, cell) in self.all_cells() {
            if self.program.symbols[symbol].of == Type::Abstract(id) {
                values.extend(present.iter().filter_map(|cells| match cells[cell] {
                    Value::Abstract(value) => Some(value),
                    _ => None,
                }));
            }
        }
        let fresh = values.last().map_or(0, |last| last + 1);
        values.into_iter().chain([fresh]).map(Value::Abstract).collect()
    }

    /// Whether a symbol may hold a value. Leaving a range is a violation, and so is a process of another
    /// kind (section 2). An outsider belongs to the type of the variable that it is named after.
    pub fn fits(&self, symbol: usize, value: Value, kinds: &[usize]) -> bool {
        match (self.program.symbols[symbol].of, value) {
            (Type::Whole(Some(range)), Value::Number(number)) => number.within(range),
            (Type::Process(Some(kind)), Value::Process(process)) => kinds[process] == kind,
            (Type::Process(Some(kind)), Value::Outsider(named)) => {
                self.program.symbols[named].of == Type::Process(Some(kind))
            }
            _ => true,
        }
    }

    /// The values of abstract types are numbered by first occurrence (section 6).
    pub fn canonical(&self, state: &mut State) {
        for id in 0..self.program.abstracts {
            let mut order: Vec<Value> = Vec::new();
            let is_of = |cell: usize| self.program.symbols[self.symbol_at(cell)].of == Type::Abstract(id);
            let memory = state.cells.iter_mut().enumerate();
            let buffered = state.buffers.iter_mut().flatten().flatten().map(|(cell, value)| (*cell, value));
            for (_, value) in memory.chain(buffered).filter(|(cell, _)| is_of(*cell)) {
                let known = order.iter().position(|seen| seen == value);
                if known.is_none() {
                    order.push(*value);
                }
                *value = Value::Abstract(known.unwrap_or(order.len() - 1));
            }
        }
    }

    /// Pairwise distinct processes for parameters, each of the declared kind (sections 5 and 7).
    pub fn choices(&self, params: &[Param], kinds: &[usize]) -> Vec<Vec<usize>> {
        let mut choices = distinct(self.processes, params.len(), &[]);
        choices.retain(|chosen| of_kinds(params, chosen, kinds));
        choices
    }

    /// Every assignment of kinds with at least one process of each. If processes of a kind are interchangeable, one
    /// assignment for each distribution is enough (section 7).
    pub fn kind_assignments(&self) -> Vec<Vec<usize>> {
        let count = self.program.kinds.len();
        if count == 0 {
            return vec![vec![]];
        }
        let mut all = tuples(count, self.processes);
        all.retain(|kinds| (0..count).all(|kind| kinds.contains(&kind)));
        if self.program.named == 0 && !orders_processes(self.program) {
            all.retain(|kinds| kinds.is_sorted());
        }
        all
    }
}

fn has_cells(of: Type) -> bool {
    !matches!(of, Type::Lock(LockType::Lock | LockType::Reentrant | LockType::Condition))
}

/// Whether processes have the declared kinds of parameters.
pub fn of_kinds(params: &[Param], chosen: &[usize], kinds: &[usize]) -> bool {
    params.iter().zip(chosen).all(|(param, process)| param.kind.is_none_or(|kind| kinds[*process] == kind))
}

/// Binds variables to processes.
pub fn bound(env: &Env, variables: impl Iterator<Item = Variable>, chosen: &[usize]) -> Env {
    let mut env = env.clone();
    for (variable, process) in variables.zip(chosen) {
        env.resize(env.len().max(variable + 1), usize::MAX);
        env[variable] = *process;
    }
    env
}

/// Binds parameters to processes.
pub fn bound_params(params: &[Param], chosen: &[usize]) -> Env {
    bound(&Env::new(), params.iter().map(|param| param.variable), chosen)
}

/// All sequences of `length` numbers below `count`.
pub fn tuples(count: usize, length: usize) -> Vec<Vec<usize>> {
    let longer = |all: Vec<Vec<usize>>, _| {
        all.iter()
            .flat_map(|tuple| (0..count).map(move |next| [tuple.as_slice(), &[next]].concat()))
            .collect()
    };
    (0..length).fold(vec![vec![]], longer)
}

/// All sequences of `length` different numbers below `count` apart from some.
pub fn distinct(count: usize, length: usize, apart_from: &[usize]) -> Vec<Vec<usize>> {
    let mut all = tuples(count, length);
    let different = |tuple: &[usize]| (0..tuple.len()).all(|at| !tuple[..at].contains(&tuple[at]));
    all.retain(|tuple| different(tuple) && !tuple.iter().any(|process| apart_from.contains(process)));
    all
}

/// Section 4: a model that compares processes by `<` has no symmetry.
fn orders_processes(program: &Program) -> bool {
    let is_process = |phrase: &Phrase| match phrase {
        Phrase::Variable(_) => true,
        Phrase::Read(symbol, _) | Phrase::ReadBy(_, symbol, _) => {
            matches!(program.symbols[*symbol].of, Type::Process(_))
        }
        _ => false,
    };
    let orders = |phrase: &Phrase| match phrase {
        Phrase::Compare(Relation::Eq | Relation::Neq, ..) => false,
        Phrase::Compare(_, left, _) => is_process(left),
        _ => false,
    };
    let inits = program.inits.iter().map(|init| &init.formula);
    let properties = program.properties.iter().map(|property| &property.formula);
    let guards = program.rules.iter().map(|rule| &rule.guard);
    let arms = program.rules.iter().flat_map(|rule| &rule.updates).flat_map(|update| &update.arms);
    let conditions = arms.map(|(condition, _)| condition);
    let finals = program.finals.iter();
    inits.chain(properties).chain(finals).chain(guards).chain(conditions).any(|phrase| phrase.any(&orders))
}
