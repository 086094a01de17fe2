//! How much of a state views keep: abstraction levels, from coarse to fine.
//!
//! Localization reduction (Kurshan: Computer-aided verification of coordinating processes, 1994): symbols are visible or hidden,
//! and a hidden one may have any value in every state.

use crate::context;
use crate::forget::{Forget, Keep};
use crate::layout::{Layout, Place};
use crate::live_values::forget_dead;
use ir::{Formula, Model, Term, Value};

/// How much views keep. What they do not keep may have any value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AbstractionLevel {
    /// The values of all variables, whether anything reads them or not.
    Everything,
    /// Values that may still be read.
    #[default]
    LiveValues,
    /// Live values of the visible symbols: those near the properties, and more of them the higher the number.
    Visible(usize),
    /// Live values, and a bit that summarises the processes outside of a view: for each universal guard without parameters a level.
    Context(usize),
}

impl AbstractionLevel {
    /// What views forget on this level.
    pub(crate) fn forget(self, model: &Model, layout: &Layout) -> Forget {
        match self {
            AbstractionLevel::Everything => Forget::nothing(layout),
            AbstractionLevel::LiveValues | AbstractionLevel::Context(_) => {
                forget(model, layout, &vec![true; model.symbols.len()])
            }
            AbstractionLevel::Visible(number) => {
                let sets = visible_sets(model);
                forget(model, layout, &sets[number.min(sets.len() - 1)])
            }
        }
    }

    /// The guard that the bit about other processes is for.
    pub(crate) fn context(self, model: &Model) -> Option<Formula> {
        match self {
            AbstractionLevel::Context(number) => context::candidates(model).into_iter().nth(number),
            _ => None,
        }
    }
}

/// Forgets all symbols that are not visible, and dead values.
fn forget(model: &Model, layout: &Layout, visible: &[bool]) -> Forget {
    let mut forget = Forget::nothing(layout);
    for (at, place) in layout.places.iter().enumerate() {
        if visible[at] {
            continue;
        }
        match (place, &layout.numbers) {
            (Place::Number(_) | Place::NumberCell(_), Some(numbers)) => numbers.hide(*place, &mut forget),
            _ => *forget.of(*place) = Keep::Never,
        }
    }
    forget_dead(model, layout, visible, &mut forget);
    forget
}

/// Sets of visible symbols, from those of the properties to their cone of influence, which is all that can matter for them.
///
/// The next set adds symbols that are read by transitions which assign a visible one, those that many transitions read first.
/// Whether it is better that all of them come before any that is further away depends on the model: there are sets for
/// both, small ones first.
pub(crate) fn visible_sets(model: &Model) -> Vec<Vec<bool>> {
    let mut nearest = vec![false; model.symbols.len()];
    for property in &model.properties {
        mark(&property.formula, &mut nearest);
    }
    // The kinds of processes take no room that matters.
    if let Some(kinds) = &model.kinds {
        nearest[kinds.of_process.index()] = true;
    }
    let mut sets = growing_sets(model, nearest.clone(), true);
    sets.extend(growing_sets(model, nearest, false));
    sets.sort_by_key(|visible| visible.iter().filter(|visible| **visible).count());
    sets.dedup();
    sets
}

/// Sets with more and more symbols: all that are near before any that is further away, or not.
fn growing_sets(model: &Model, mut visible: Vec<bool>, all_near_first: bool) -> Vec<Vec<bool>> {
    let mut sets = vec![visible.clone()];
    loop {
        let mut readers = readers(model, &visible);
        for (count, visible) in readers.iter_mut().zip(&visible) {
            *count *= usize::from(!visible);
        }
        if readers.iter().all(|count| *count == 0) {
            return sets;
        }
        while let Some(most) = readers.iter().copied().max().filter(|most| *most > 0) {
            for (visible, count) in visible.iter_mut().zip(&mut readers) {
                if *count * 2 > most {
                    *visible = true;
                    *count = 0;
                }
            }
            sets.push(visible.clone());
            if !all_near_first {
                break;
            }
        }
    }
}

/// For each symbol the number of transitions that read it and assign a visible one.
fn readers(model: &Model, visible: &[bool]) -> Vec<usize> {
    let mut readers = vec![0; model.symbols.len()];
    for transition in &model.transitions {
        let mut read = vec![false; model.symbols.len()];
        for update in transition.updates.iter().filter(|update| visible[update.symbol.index()]) {
            mark(&transition.guard, &mut read);
            for arm in &update.arms {
                mark(&arm.condition, &mut read);
                if let Value::Term(term) = &arm.value {
                    mark_term(term, &mut read);
                }
            }
        }
        for (count, read) in readers.iter_mut().zip(read) {
            *count += usize::from(read);
        }
    }
    readers
}

fn mark(formula: &Formula, symbols: &mut [bool]) {
    formula.each_term(&mut |term| {
        if let Some(symbol) = term.symbol() {
            symbols[symbol.index()] = true;
        }
    });
}

fn mark_term(term: &Term, symbols: &mut [bool]) {
    term.each_term(&mut |term| {
        if let Some(symbol) = term.symbol() {
            symbols[symbol.index()] = true;
        }
    });
}
