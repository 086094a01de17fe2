//! Which values can flow into a symbol at all.
//!
//! Starts from what `init` allows in any cell, under any of its disjuncts, and adds whatever transitions assign,
//! whether their guards can hold or not. A symbol that `init` leaves open somewhere can hold anything.

use crate::assume::{Assumer, Watch};
use crate::cube::Cube;
use crate::initial::{each_cell, each_initial};
use crate::system::{System, Update};
use crate::template::ValueTerm;
use crate::vocabulary::{Kind, MEMBERS, RUN, Values, Vocabulary};

/// If `init` can be satisfied in more ways than this, the analysis gives up.
const MAX_WAYS: usize = 4096;

/// Narrows the possible values of all symbols of finite sorts.
pub(crate) fn analyse(system: &mut System) {
    let Some(mut reached) = initial_values(system) else { return };
    let full: Vec<Values> = system.vocabulary.symbols.iter().map(|symbol| symbol.possible).collect();
    loop {
        let before = reached.clone();
        for update in system.transitions.iter().flat_map(|transition| &transition.updates) {
            let symbol = usize::from(update.symbol);
            reached[symbol] |= assigned(update, &reached, full[symbol], &system.vocabulary);
        }
        if reached == before {
            break;
        }
    }
    for ((symbol, reached), full) in system.vocabulary.symbols.iter_mut().zip(reached).zip(full) {
        if symbol.kind.is_finite() {
            symbol.possible = reached & full;
        }
    }
}

fn assigned(update: &Update, reached: &[Values], full: Values, vocabulary: &Vocabulary) -> Values {
    let is_pointer = vocabulary.symbols[usize::from(update.symbol)].kind == Kind::Process;
    update.arms.iter().fold(0, |all, (_, value)| {
        all | match value {
            ValueTerm::Keep | ValueTerm::Sum(_) | ValueTerm::Perhaps => 0,
            ValueTerm::Any if is_pointer => RUN,
            ValueTerm::Any => full,
            ValueTerm::Constant(value) => *value,
            ValueTerm::Process(_) => RUN,
            ValueTerm::Read(cell) => reached[usize::from(cell.symbol)],
        }
    })
}

/// The values of each symbol in initial states. Whatever holds of a cell in a larger instance holds in the part of it that
/// consists of the processes of that cell, so that instances with as many processes as an array has indices show all values.
fn initial_values(system: &System) -> Option<Vec<Values>> {
    let vocabulary = &system.vocabulary;
    let watch = Watch::default();
    let assumer = Assumer::new(vocabulary, &watch);
    let arity = vocabulary.symbols.iter().map(|symbol| symbol.arity).max().unwrap_or(0).max(1);
    let largest = vocabulary.named + u8::try_from(arity).expect("arrays have few indices");
    let mut reached = vec![0; vocabulary.symbols.len()];
    let mut ways = 0;
    for initial in &system.initials {
        for processes in vocabulary.named.max(1)..=largest.min(vocabulary.most) {
            each_initial(system, &assumer, initial, &Cube::new(processes), &mut |cube| {
                ways += 1;
                add_values(system, &cube, &mut reached);
                ways <= MAX_WAYS
            });
        }
    }
    // If there is no initial state, the search notices that by itself, unless no value is possible.
    (1..=MAX_WAYS).contains(&ways).then_some(reached)
}

fn add_values(system: &System, cube: &Cube, reached: &mut [Values]) {
    for (symbol, info) in (0_u16..).zip(&system.vocabulary.symbols) {
        if !info.kind.is_finite() {
            continue;
        }
        each_cell(symbol, info.arity, cube.processes, &mut |cell| {
            let mut values = cube.values(&system.vocabulary, cell);
            if info.kind == Kind::Process && values & RUN != 0 {
                values |= MEMBERS | RUN;
            }
            reached[usize::from(symbol)] |= values;
        });
    }
}
