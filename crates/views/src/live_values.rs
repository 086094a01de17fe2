//! Which values are dead: overwritten on every run before they are read, such as the sender of a message that is not there.
//!
//! A live variable analysis, in which whether a symbol is live is a condition on one other symbol of the same process, or on a
//! global: the values of that symbol with which it is. Mistakes here cost precision only, see [`crate::forget`].

use crate::forget::{Condition, Forget, Keep, can_decide};
use crate::layout::{Kind, Layout, Place};
use ir::{Formula, Model, Relation, SymbolId, Term, Transition, Update, Value, Var};

/// Forgets dead values of visible symbols. Chooses the symbols that decide about others, those that decide about many first.
pub(crate) fn forget_dead(model: &Model, layout: &Layout, visible: &[bool], forget: &mut Forget) {
    let symbols = || (0..model.symbols.len()).filter(|at| visible[*at]);
    let mut found: Vec<(usize, Vec<(usize, u64)>)> = Vec::new();
    let reads: Vec<Reads<'_>> = (0..model.symbols.len()).map(|of| Reads::new(model, of)).collect();
    for decider in symbols() {
        let mut decides = Vec::new();
        for of in symbols().filter(|of| *of != decider) {
            if let Some(live) = live(model, layout, &reads[of], decider) {
                decides.push((of, live));
            }
        }
        found.push((decider, decides));
    }
    found.sort_by_key(|(_, decides)| std::cmp::Reverse(decides.len()));
    let mut decided = vec![false; model.symbols.len()];
    let mut deciders = vec![false; model.symbols.len()];
    // What pointers may hold depends on the kinds of processes, which are never forgotten, and neither is what the context reads.
    if let Some(kinds) = &model.kinds {
        deciders[kinds.of_process.index()] = true;
    }
    if let Some(context) = &layout.context {
        for (decider, place) in deciders.iter_mut().zip(&layout.places) {
            *decider |= match place {
                Place::Cell(cell) => context.cells.contains(cell),
                Place::Global(global) => context.globals.contains(global),
                Place::Block(_) | Place::Number(_) | Place::NumberCell(_) => false,
            };
        }
    }
    for (decider, decides) in found {
        if decided[decider] {
            continue;
        }
        for (of, live) in decides {
            if deciders[of] {
                continue;
            }
            deciders[decider] = true;
            decided[of] = true;
            let condition = Condition { on: layout.places[decider], live };
            match forget.of(layout.places[of]) {
                Keep::While(conditions) => conditions.push(condition),
                keep => *keep = Keep::While(vec![condition]),
            }
        }
    }
}

/// The values of one symbol with which another is live. None if it always is, or if the one does not decide about the other.
fn live(model: &Model, layout: &Layout, reads: &Reads<'_>, decider: usize) -> Option<u64> {
    let count = match (layout.places[reads.of.index()], layout.places[decider]) {
        (Place::Cell(_), Place::Cell(at)) => kind_count(layout.cells[at].kind)?,
        (Place::Cell(_) | Place::Global(_), Place::Global(at)) => kind_count(layout.globals[at].kind)?,
        _ => return None,
    };
    let question = Question { model, of: reads.of, decider: SymbolId::from_index(decider), count };
    let all = (1_u64 << count) - 1;
    let mut live = question.live_at_once(reads);
    loop {
        if live == all {
            return None;
        }
        let more = question.kept_until(live);
        if more & !live == 0 {
            return Some(live);
        }
        live |= more;
    }
}

fn kind_count(kind: Kind) -> Option<u32> {
    match kind {
        Kind::Enum(count) if can_decide(kind) => Some(count.into()),
        _ => None,
    }
}

/// Where a symbol is read, and at which index; none if it is a global.
struct Reads<'m> {
    of: SymbolId,
    in_properties: Vec<(&'m Formula, Vec<Option<Term>>)>,
    in_transitions: Vec<(&'m Transition, Vec<Option<Term>>)>,
}

impl<'m> Reads<'m> {
    fn new(model: &'m Model, of: usize) -> Reads<'m> {
        let of = SymbolId::from_index(of);
        let in_property = |formula: &Formula| {
            let mut found = Vec::new();
            formula.each_term(&mut |term| add_index(of, term, &mut found));
            found
        };
        let in_transition = |transition: &Transition| {
            let mut found = in_property(&transition.guard);
            for arm in transition.updates.iter().flat_map(|update| &update.arms) {
                arm.condition.each_term(&mut |term| add_index(of, term, &mut found));
                if let Value::Term(term) = &arm.value {
                    term.each_term(&mut |term| add_index(of, term, &mut found));
                }
            }
            found
        };
        let properties = model.properties.iter().map(|property| &property.formula);
        Reads {
            of,
            in_properties: properties.map(|formula| (formula, in_property(formula))).collect(),
            in_transitions: model.transitions.iter().map(|one| (one, in_transition(one))).collect(),
        }
    }
}

fn add_index(of: SymbolId, term: &Term, found: &mut Vec<Option<Term>>) {
    if let Term::Read { symbol, indices, .. } = term
        && *symbol == of
    {
        let index = indices.first().cloned();
        if !found.contains(&index) {
            found.push(index);
        }
    }
}

/// Whether a symbol decides about another.
struct Question<'m> {
    model: &'m Model,
    of: SymbolId,
    decider: SymbolId,
    count: u32,
}

/// A symbol has a value, at an index if it is an array.
struct Fact<'f> {
    symbol: SymbolId,
    index: Option<&'f Term>,
    value: u32,
}

impl Question<'_> {
    fn is_cell(&self, symbol: SymbolId) -> bool {
        self.model.symbol(symbol).arity == 1
    }

    fn fact<'f>(&self, index: Option<&'f Term>, value: u32) -> Fact<'f> {
        let index = if self.is_cell(self.decider) { index } else { None };
        Fact { symbol: self.decider, index, value }
    }

    /// The values of the decider with which the symbol may be read in the next step or property.
    fn live_at_once(&self, reads: &Reads<'_>) -> u64 {
        let in_property = |formula: &Formula, index: Option<&Term>, value| {
            self.remains(&under(formula, &self.fact(index, value)), index)
        };
        let is_read = |value| {
            let mut properties = reads.in_properties.iter();
            properties.any(|(formula, at)| at.iter().any(|index| in_property(formula, index.as_ref(), value)))
                || reads.in_transitions.iter().any(|(transition, at)| {
                    at.iter().any(|index| self.is_read_at(transition, index.as_ref(), value))
                })
        };
        (0..self.count).filter(|value| is_read(*value)).fold(0, |live, value| live | 1 << value)
    }

    /// Whether the symbol occurs at an index.
    fn remains(&self, formula: &Formula, index: Option<&Term>) -> bool {
        let mut found = false;
        formula.each_term(&mut |term| found |= self.is_it(term, index));
        found
    }

    fn is_it(&self, term: &Term, index: Option<&Term>) -> bool {
        matches!(term, Term::Read { symbol, indices, .. } if *symbol == self.of && indices.first() == index)
    }

    fn is_read_at(&self, transition: &Transition, index: Option<&Term>, value: u32) -> bool {
        let fact = self.fact(index, value);
        let guard = under(&transition.guard, &fact);
        guard != Formula::False
            && (self.remains(&guard, index)
                || transition.updates.iter().any(|update| self.is_read_by(update, index, &fact)))
    }

    fn is_read_by(&self, update: &Update, index: Option<&Term>, fact: &Fact<'_>) -> bool {
        for arm in &update.arms {
            let condition = under(&arm.condition, fact);
            if condition == Formula::False {
                continue;
            }
            if self.remains(&condition, index) {
                return true;
            }
            if let Value::Term(value) = &arm.value {
                let mut read = false;
                value.each_term(&mut |term| read |= self.is_it(term, index));
                // Its own value is kept.
                let keeps = update.symbol == self.of
                    && self.is_it(value, index)
                    && index.is_none_or(|index| {
                        update.cell.first().is_some_and(|cell| *index == Term::Var(*cell))
                    });
                if read && !keeps {
                    return true;
                }
            }
            if condition == Formula::True {
                break;
            }
        }
        false
    }

    /// The values of the decider from which a step leads to one of some others and may keep the symbol.
    fn kept_until(&self, live: u64) -> u64 {
        let mut found = 0;
        for transition in &self.model.transitions {
            if !transition.updates.iter().any(|update| update.symbol == self.decider) {
                continue;
            }
            let roles = transition.params.iter().copied().map(Some).chain([None]);
            for role in roles.filter(|role| self.is_cell(self.of) || role.is_none()) {
                if self.is_overwritten(transition, role) {
                    continue;
                }
                for value in 0..self.count {
                    let index = role.map(Term::Var);
                    let fact = self.fact(index.as_ref(), value);
                    let possible = role.is_none() && self.is_cell(self.decider)
                        || under(&transition.guard, &fact) != Formula::False;
                    if possible && self.next(transition, role, &fact) & live != 0 {
                        found |= 1 << value;
                    }
                }
            }
        }
        found
    }

    /// Whether a step assigns the symbol of a process with a role.
    fn is_overwritten(&self, transition: &Transition, role: Option<Var>) -> bool {
        transition.updates.iter().filter(|update| update.symbol == self.of).any(|update| {
            if let Some((indices, value)) = update.single_cell()
                && self.is_cell(self.of)
            {
                let hits = role.is_some_and(|role| *indices[0] == Term::Var(role));
                return hits && !matches!(value, Value::Keep);
            }
            let last = update.arms.iter().position(|arm| arm.condition == Formula::True);
            last.is_some_and(|last| update.arms[..=last].iter().all(|arm| !self.keeps(&arm.value)))
        })
    }

    fn keeps(&self, value: &Value) -> bool {
        match value {
            Value::Keep => true,
            Value::Any => false,
            Value::Term(term) => term.read_symbol() == Some(self.of),
        }
    }

    /// The values that the decider may have after a step, for a process with a role.
    fn next(&self, transition: &Transition, role: Option<Var>, fact: &Fact<'_>) -> u64 {
        let all = (1_u64 << self.count) - 1;
        let old = 1_u64 << fact.value;
        let Some(update) = transition.updates.iter().find(|update| update.symbol == self.decider) else {
            return old;
        };
        if let Some((indices, value)) = update.single_cell()
            && self.is_cell(self.decider)
        {
            let hits = match (indices[0], role) {
                (Term::Var(var), Some(role)) => *var == role,
                (Term::Var(_), None) => false,
                _ => true,
            };
            return if hits { after(value, old, all) } else { old };
        }
        let mut next = 0;
        for arm in &update.arms {
            // The cell of the process that the fact is about.
            let cell = update.cell.first().map(|cell| Term::Var(*cell));
            let here = Fact { symbol: fact.symbol, index: cell.as_ref(), value: fact.value };
            let condition = under(&arm.condition, &here);
            if condition == Formula::False {
                continue;
            }
            next |= after(&arm.value, old, all);
            if condition == Formula::True {
                return next;
            }
        }
        next | old
    }
}

fn after(value: &Value, old: u64, all: u64) -> u64 {
    match value {
        Value::Keep => old,
        Value::Term(Term::Constructor(_, at)) => 1 << at,
        Value::Term(_) | Value::Any => all,
    }
}

/// A formula, simplified by a fact.
fn under(formula: &Formula, fact: &Fact<'_>) -> Formula {
    let inner = |part: &Formula| under(part, fact);
    match formula {
        Formula::True | Formula::False | Formula::Fence => formula.clone(),
        Formula::Compare(relation, left, right) => match (left, right) {
            (Term::Read { symbol, indices, .. }, Term::Constructor(_, at))
            | (Term::Constructor(_, at), Term::Read { symbol, indices, .. })
                if *symbol == fact.symbol && indices.first() == fact.index =>
            {
                match relation {
                    Relation::Eq if *at == fact.value => Formula::True,
                    Relation::Neq if *at != fact.value => Formula::True,
                    Relation::Eq | Relation::Neq => Formula::False,
                    _ => formula.clone(),
                }
            }
            _ => formula.clone(),
        },
        Formula::Not(part) => inner(part).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(inner)),
        Formula::Or(parts) => Formula::or(parts.iter().map(inner)),
        Formula::Iff(left, right) => inner(left).iff(inner(right)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(inner(condition), inner(then), inner(otherwise))
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), inner(body))
        }
    }
}
