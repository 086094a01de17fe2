//! Literals about a single cell: whether they hold can be read off the values that the cell may have.

use super::{
    index::Pair,
    tree::{Cell, Mask},
    universe::Universe,
};
use ir::{Formula, Model, OutsiderId, Relation, SymbolId, Term, Var};

/// A literal about one cell.
#[derive(Debug)]
pub(crate) struct Direct {
    what: What,
    /// Whether it must hold, or must not.
    positive: bool,
}

#[derive(Debug)]
enum What {
    /// A cell has a value.
    Value { symbol: SymbolId, indices: Vec<ProcessName>, value: Sought },
    /// A process comes before another one, or is the same if that is allowed.
    Order { left: ProcessName, right: ProcessName, or_same: bool },
}

/// A process of a literal.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProcessName {
    Param(usize),
    Named(usize),
}

impl ProcessName {
    fn process(self, chosen: &[usize]) -> usize {
        match self {
            ProcessName::Param(at) => chosen[at],
            ProcessName::Named(at) => at,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Sought {
    Constructor(u32),
    Process(ProcessName),
    Outsider(OutsiderId),
}

/// A conjunct that is a literal about a single cell, if it is one.
pub(crate) fn literal(model: &Model, params: &[Var], formula: &Formula, positive: bool) -> Option<Direct> {
    let name = |term: &Term| match term {
        Term::Var(var) => Some(ProcessName::Param(params.iter().position(|param| param == var)?)),
        Term::Process(k) if *k >= 1 && *k <= model.named_processes => {
            Some(ProcessName::Named(*k as usize - 1))
        }
        _ => None,
    };
    let (relation, left, right) = match formula {
        Formula::Not(inner) => return literal(model, params, inner, !positive),
        Formula::Compare(relation, left, right) => (*relation, left, right),
        _ => return None,
    };
    if matches!(relation, Relation::Lt | Relation::Le) {
        let what = What::Order { left: name(left)?, right: name(right)?, or_same: relation == Relation::Le };
        return Some(Direct { what, positive });
    }
    [(left, right), (right, left)].into_iter().find_map(|(read, value)| {
        let Term::Read { symbol, indices, reader: None } = read else { return None };
        let value = match value {
            Term::Constructor(_, at) => Sought::Constructor(*at),
            Term::Outsider(id) => Sought::Outsider(*id),
            other => Sought::Process(name(other)?),
        };
        let indices: Option<Vec<ProcessName>> = indices.iter().map(name).collect();
        let what = What::Value { symbol: *symbol, indices: indices?, value };
        Some(Direct { what, positive: (relation == Relation::Eq) == positive })
    })
}

impl Direct {
    /// The symbol of the cell, if it is one of the state.
    pub(crate) fn symbol(&self) -> Option<SymbolId> {
        match &self.what {
            What::Value { symbol, .. } => Some(*symbol),
            What::Order { .. } => None,
        }
    }

    pub(crate) fn indices(&self) -> &[ProcessName] {
        match &self.what {
            What::Value { indices, .. } => indices,
            What::Order { .. } => &[],
        }
    }

    /// The symbol and the value that the literal needs.
    pub(crate) fn pair(&self) -> Option<Pair> {
        match &self.what {
            What::Value { symbol, value: Sought::Constructor(at), .. } if self.positive => {
                Some((symbol.index(), *at))
            }
            _ => None,
        }
    }

    /// All its processes.
    fn process_names(&self) -> impl Iterator<Item = ProcessName> {
        let others = match &self.what {
            What::Value { value: Sought::Process(name), .. } => [Some(*name), None],
            What::Value { .. } => [None, None],
            What::Order { left, right, .. } => [Some(*left), Some(*right)],
        };
        self.indices().iter().copied().chain(others.into_iter().flatten())
    }

    /// How many of the parameters must be known before it can be decided.
    pub(crate) fn level(&self) -> usize {
        let level = |name: ProcessName| if let ProcessName::Param(at) = name { at + 1 } else { 0 };
        self.process_names().map(level).max().unwrap_or(0)
    }

    /// Whether all its processes are known.
    pub(crate) fn is_bound(&self, chosen: &[usize]) -> bool {
        self.process_names().all(|name| name.process(chosen) != usize::MAX)
    }

    /// The processes of the cell.
    pub(crate) fn processes_of_cell(&self, chosen: &[usize]) -> impl Iterator<Item = usize> {
        self.indices().iter().map(move |name| name.process(chosen))
    }

    /// The cell, and the values with which the literal holds.
    pub(crate) fn ground(&self, chosen: &[usize], universe: &Universe<'_>) -> (Cell, Mask) {
        match &self.what {
            What::Value { symbol, indices, value } => {
                let cell = universe.cell(*symbol, indices.iter().map(|name| name.process(chosen)));
                let value = match value {
                    Sought::Constructor(at) => *at,
                    Sought::Process(name) => u32::try_from(name.process(chosen)).expect("few"),
                    Sought::Outsider(id) => universe.outsider(*id),
                };
                (cell, if self.positive { 1 << value } else { !(1 << value) })
            }
            What::Order { left, right, or_same } => {
                let (left, right) = (left.process(chosen), right.process(chosen));
                if left == right {
                    return universe.constant(*or_same == self.positive);
                }
                // Of two different processes, one comes first.
                if self.positive { universe.order(left, right) } else { universe.order(right, left) }
            }
        }
    }
}
