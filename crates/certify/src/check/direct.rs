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
    Value { symbol: SymbolId, indices: Vec<Place>, value: Sought },
    /// A process comes before another one, or is the same if that is allowed.
    Order { left: Place, right: Place, or_same: bool },
}

/// A process of a literal.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Param(usize),
    Named(usize),
}

impl Place {
    fn process(self, chosen: &[usize]) -> usize {
        match self {
            Place::Param(at) => chosen[at],
            Place::Named(at) => at,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Sought {
    Constructor(u32),
    Process(Place),
    Outsider(OutsiderId),
}

/// A conjunct that is a literal about a single cell, if it is one.
pub(crate) fn literal(model: &Model, params: &[Var], formula: &Formula, positive: bool) -> Option<Direct> {
    let place = |term: &Term| match term {
        Term::Var(var) => Some(Place::Param(params.iter().position(|param| param == var)?)),
        Term::Process(k) if *k >= 1 && *k <= model.named_processes => Some(Place::Named(*k as usize - 1)),
        _ => None,
    };
    let (relation, left, right) = match formula {
        Formula::Not(inner) => return literal(model, params, inner, !positive),
        Formula::Compare(relation, left, right) => (*relation, left, right),
        _ => return None,
    };
    if matches!(relation, Relation::Lt | Relation::Le) {
        let what =
            What::Order { left: place(left)?, right: place(right)?, or_same: relation == Relation::Le };
        return Some(Direct { what, positive });
    }
    [(left, right), (right, left)].into_iter().find_map(|(read, value)| {
        let Term::Read { symbol, indices, reader: None } = read else { return None };
        let value = match value {
            Term::Constructor(_, at) => Sought::Constructor(*at),
            Term::Outsider(id) => Sought::Outsider(*id),
            other => Sought::Process(place(other)?),
        };
        let indices: Option<Vec<Place>> = indices.iter().map(place).collect();
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

    pub(crate) fn indices(&self) -> &[Place] {
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
    fn places(&self) -> impl Iterator<Item = Place> {
        let others = match &self.what {
            What::Value { value: Sought::Process(place), .. } => [Some(*place), None],
            What::Value { .. } => [None, None],
            What::Order { left, right, .. } => [Some(*left), Some(*right)],
        };
        self.indices().iter().copied().chain(others.into_iter().flatten())
    }

    /// How many of the parameters must be known before it can be decided.
    pub(crate) fn level(&self) -> usize {
        let level = |place: Place| if let Place::Param(at) = place { at + 1 } else { 0 };
        self.places().map(level).max().unwrap_or(0)
    }

    /// Whether all its processes are known.
    pub(crate) fn is_bound(&self, chosen: &[usize]) -> bool {
        self.places().all(|place| place.process(chosen) != usize::MAX)
    }

    /// The processes of the cell.
    pub(crate) fn place(&self, chosen: &[usize]) -> impl Iterator<Item = usize> {
        self.indices().iter().map(move |place| place.process(chosen))
    }

    /// The cell, and the values with which the literal holds.
    pub(crate) fn ground(&self, chosen: &[usize], universe: &Universe<'_>) -> (Cell, Mask) {
        match &self.what {
            What::Value { symbol, indices, value } => {
                let cell = universe.cell(*symbol, indices.iter().map(|place| place.process(chosen)));
                let value = match value {
                    Sought::Constructor(at) => *at,
                    Sought::Process(place) => u32::try_from(place.process(chosen)).expect("few"),
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
