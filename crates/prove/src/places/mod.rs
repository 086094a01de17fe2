//! Place invariants: what the numbers of a model say about how many processes are where.
//!
//! A *place* is what one process is like by itself: the values of its own cells. Most steps move processes from place to place and
//! change numbers by constants, so that some sums never change, such as `Readers` minus the number of readers inside. As in Petri
//! nets, they are the kernel of the matrix of effects (Lautenbach, *Exakte Bedingungen der Lebendigkeit*, 1973; Murata, *Petri nets*,
//! 1989). Of all such sums, those are kept whose factors of places are not negative and that are no sums of others.
//!
//! A cube with some processes in places with these factors implies a bound on the numbers: see [`Places::facts`]. Nothing here is
//! trusted. The checker follows the numbers of processes in places by itself, and shows that the sums never change.

mod cone;
mod effects;
mod export;
mod kernel;
mod local;
mod words;

pub(crate) use export::Exported;

use crate::cell::Cell;
use crate::cube::Cube;
use crate::linear::{Comparison, Constraint, Simplified, simplify};
use crate::system::System;
use crate::vocabulary::{Values, Vocabulary};
use effects::{Net, Start};
use kernel::{Equations, Row, TooLarge};
use local::{Locals, Place};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The most invariants that are used: those that mention the fewest numbers and places.
const MOST_INVARIANTS: usize = 16;
/// With more parts than this, places that are never reached are not left out.
const MOST_BOXES: usize = 64;

/// A sum that no step changes: numbers and numbers of processes in places, each with a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlaceInvariant {
    /// Global numbers with their factors.
    numbers: Vec<(u16, i64)>,
    /// The factors of places, none of them negative.
    places: Vec<i64>,
    /// The value of the sum, without
    constant: i64,
    /// this number for each process.
    per_process: i64,
}

/// What is known about the numbers of processes in places.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    locals: Locals,
    /// Which places processes may get to at all.
    reached: Vec<bool>,
    /// Those that they do not get to, as products of values of each dimension.
    unreached: Vec<Vec<Values>>,
    invariants: Vec<PlaceInvariant>,
    /// Where processes may start.
    starts: Vec<Place>,
    /// Numbers that are never negative, though their types do not say so.
    natural: Vec<u16>,
    /// Numbers that are larger where there are more processes.
    scaled: Vec<u16>,
}

impl Places {
    /// The place invariants of a model, if it has any that mention a number.
    pub(crate) fn find(system: &System) -> Option<Places> {
        let net = Net::new(system)?;
        let starts = net.starts();
        let (reached, rows) = net.explore(&starts)?;
        let mut invariants = invariants(&net, &starts, &reached, rows).unwrap_or_default();
        if invariants.is_empty() {
            return None;
        }
        let unreached = boxes(&net.locals, &reached)?;
        drop_complements(&mut invariants, system.vocabulary.counts_processes);
        invariants.sort_by_key(|one| (one.numbers.len(), one.places.iter().filter(|y| **y != 0).count()));
        invariants.truncate(MOST_INVARIANTS);
        let unbounded = |number: &u16| system.vocabulary.symbols[usize::from(*number)].range.is_none();
        let natural = net.numbers.iter().copied().filter(unbounded);
        let natural = natural.filter(|number| net.is_never_negative(*number)).collect();
        let is_scaled =
            |at: &usize| starts.iter().any(|start| start.numbers[*at].is_none_or(|(_, each)| each != 0));
        let scaled = (0..net.numbers.len()).filter(is_scaled).map(|at| net.numbers[at]).collect();
        let starts = starts.into_iter().flat_map(|start| start.places).collect();
        Some(Places { locals: net.locals, reached, unreached, invariants, starts, natural, scaled })
    }

    /// What the invariants imply about numbers in all states that match a cube: processes that are in a place for sure count with
    /// its factor, the others with no less than the least factor of a place where they may be.
    pub(crate) fn facts(&self, vocabulary: &Vocabulary, cube: &Cube) -> Vec<Constraint> {
        let allowed: Vec<Vec<bool>> =
            (0..cube.processes).map(|process| self.locals.allows(vocabulary, cube, process)).collect();
        let mut facts = Vec::new();
        for invariant in &self.invariants {
            let least = |allowed: &Vec<bool>| {
                let places = (0..self.locals.places).filter(|place| allowed[*place] && self.reached[*place]);
                places.map(|place| invariant.places[place]).min().unwrap_or(0)
            };
            let least: i64 = allowed.iter().map(least).sum();
            facts.extend(constraint(vocabulary, invariant, least));
        }
        for number in &self.natural {
            facts.extend(at_most(vec![(Cell::new(*number, &[]), -1)], 0));
        }
        let cells = facts.iter().flat_map(|fact| fact.terms.iter().map(|(cell, _)| *cell));
        let typed = vocabulary.facts(cells.collect::<Vec<_>>().into_iter(), cube.processes);
        facts.extend(typed);
        facts
    }

    /// Whether a cube is about how large a number is that depends on the number of processes: of that, small instances tell nothing.
    pub(crate) fn scales(&self, vocabulary: &Vocabulary, cube: &Cube) -> bool {
        let symbols =
            cube.linear.iter().flat_map(|constraint| &constraint.terms).map(|(cell, _)| cell.symbol());
        symbols.into_iter().any(|symbol| symbol == vocabulary.process_count || self.scaled.contains(&symbol))
    }

    /// Cubes that no reachable state matches: processes in places that none gets to, and negative numbers.
    pub(crate) fn cubes(&self, vocabulary: &Vocabulary) -> Vec<Cube> {
        let mut cubes = Vec::new();
        for values in &self.unreached {
            let mut cube = Cube::new(vocabulary.named + 1);
            let all = self.locals.dimensions.iter().zip(values);
            let placed = all.into_iter().try_for_each(|(dimension, values)| {
                cube.restrict(vocabulary, Cell::new(dimension.symbol, &[vocabulary.named]), *values)
            });
            cubes.extend(placed.is_ok().then_some(cube));
        }
        for number in &self.natural {
            let mut cube = Cube::new(vocabulary.named);
            cube.linear.extend(at_most(vec![(Cell::new(*number, &[]), 1)], 1));
            cubes.push(cube);
        }
        cubes
    }
}

/// That the numbers of an invariant are at most what its value and the factors of some processes leave.
fn constraint(vocabulary: &Vocabulary, invariant: &PlaceInvariant, least: i64) -> Option<Constraint> {
    let processes = (Cell::new(vocabulary.process_count, &[]), -i128::from(invariant.per_process));
    let numbers =
        invariant.numbers.iter().map(|(number, factor)| (Cell::new(*number, &[]), i128::from(*factor)));
    at_most(numbers.chain([processes]).collect(), i128::from(least) - i128::from(invariant.constant))
}

/// That a sum is at most 0.
fn at_most(terms: Vec<(Cell, i128)>, constant: i128) -> Option<Constraint> {
    match simplify(terms, constant, Comparison::AtMost, true) {
        Some(Simplified::Constraint(constraint)) => Some(constraint),
        _ => None,
    }
}

fn invariants(
    net: &Net<'_>,
    starts: &[Start],
    reached: &[bool],
    rows: impl IntoIterator<Item = Row>,
) -> Result<Vec<PlaceInvariant>, TooLarge> {
    let mut rows: Vec<Row> = rows.into_iter().chain(start_rows(net, starts)).collect();
    // If steps change all numbers in unknown ways, there is nothing to find.
    if (0..net.numbers.len()).all(|number| rows.contains(&net.unit(number))) {
        return Ok(vec![]);
    }
    // In a fixed order: the basis of the solutions depends on it.
    rows.sort_unstable();
    rows.dedup();
    let places = (0..net.locals.places).filter(|place| reached[*place]).map(|place| net.column(place));
    let columns: Vec<usize> = (0..net.numbers.len()).chain(places).collect();
    let mut equations = Equations::default();
    for row in rows {
        equations.add(columns.iter().map(|column| row[*column]).collect())?;
    }
    let basis = equations.kernel(columns.len())?;
    let restricted = distinct(net.numbers.len()..columns.len(), &basis);
    let rays = cone::rays(basis, &restricted).unwrap_or_default();
    let whole = |ray: &Row| {
        let mut whole = vec![0; net.columns()];
        columns.iter().zip(ray).for_each(|(column, entry)| whole[*column] = *entry);
        whole
    };
    Ok(rays.iter().filter_map(|ray| invariant(net, starts, &whole(ray))).collect())
}

/// One of each set of columns that are the same in all solutions.
fn distinct(columns: Range<usize>, basis: &[Row]) -> Vec<usize> {
    let mut known: FxHashSet<Vec<i128>> = FxHashSet::default();
    columns.filter(|column| known.insert(basis.iter().map(|row| row[*column]).collect())).collect()
}

/// What makes the value of a sum known: it is the same wherever a process may start, and mentions only numbers whose start is
/// known.
fn start_rows(net: &Net<'_>, starts: &[Start]) -> Vec<Row> {
    let columns = net.columns();
    let mut rows = Vec::new();
    let Some(first) = starts.first() else { return rows };
    for start in starts {
        for place in &start.places[1..] {
            let mut row = vec![0; columns];
            row[net.column(start.places[0])] += 1;
            row[net.column(*place)] -= 1;
            rows.push(row);
        }
        let (mut row, mut per_process) = (vec![0; columns], vec![0; columns]);
        per_process[net.column(start.places[0])] += 1;
        per_process[net.column(first.places[0])] -= 1;
        for (at, number) in start.numbers.iter().enumerate() {
            let (Some((a, b)), Some((c, d))) = (*number, first.numbers[at]) else {
                rows.push(net.unit(at));
                continue;
            };
            row[at] += a - c;
            per_process[at] += b - d;
        }
        rows.extend([row, per_process]);
    }
    rows
}

/// A solution as an invariant with its value, if it mentions a number.
fn invariant(net: &Net<'_>, starts: &[Start], ray: &Row) -> Option<PlaceInvariant> {
    let small = |entry: i128| i64::try_from(entry).ok().filter(|entry| entry.abs() < 1 << 20);
    let start = starts.first()?;
    let (mut constant, mut per_process) = (0, ray[net.column(*start.places.first()?)]);
    let mut numbers = Vec::new();
    for (at, number) in net.numbers.iter().enumerate().filter(|(at, _)| ray[*at] != 0) {
        let (value, each) = start.numbers[at]?;
        constant += ray[at] * value;
        per_process += ray[at] * each;
        numbers.push((*number, small(ray[at])?));
    }
    let places: Option<Vec<i64>> =
        (0..net.locals.places).map(|place| small(ray[net.column(place)])).collect();
    (!numbers.is_empty()).then_some(PlaceInvariant {
        numbers,
        places: places?,
        constant: small(constant)?,
        per_process: small(per_process)?,
    })
}

/// Those in the places of an invariant and those in all others are all processes, so that invariants come in pairs that say the same.
/// The one that mentions the number of processes only matters where the model does, too.
fn drop_complements(invariants: &mut Vec<PlaceInvariant>, counts_processes: bool) {
    if counts_processes {
        return;
    }
    let known = invariants.clone();
    invariants.retain(|one| {
        let opposite: Vec<(u16, i64)> =
            one.numbers.iter().map(|(number, factor)| (*number, -factor)).collect();
        let is_better = |other: &PlaceInvariant| other.per_process == 0 && other.numbers == opposite;
        one.per_process == 0 || !known.iter().any(is_better)
    });
}

/// The places that are not reached, as products of sets of values; `None` if it takes too many.
fn boxes(locals: &Locals, reached: &[bool]) -> Option<Vec<Vec<Values>>> {
    let mut covered: Vec<bool> = reached.to_vec();
    let mut boxes: Vec<Vec<Values>> = Vec::new();
    while let Some(place) = covered.iter().position(|covered| !covered) {
        let mut values: Vec<Values> =
            (0..locals.dimensions.len()).map(|at| locals.value(place, at)).collect();
        for at in 0..values.len() {
            for value in &locals.dimensions[at].values {
                let mut larger = values.clone();
                larger[at] |= value;
                if within(locals, &larger).all(|place| !reached[place]) {
                    values = larger;
                }
            }
        }
        within(locals, &values).for_each(|place| covered[place] = true);
        boxes.push(values);
        if boxes.len() > MOST_BOXES {
            return None;
        }
    }
    Some(boxes)
}

/// The places of a product.
fn within<'l>(locals: &'l Locals, values: &'l [Values]) -> impl Iterator<Item = Place> + 'l {
    (0..locals.places)
        .filter(|place| values.iter().enumerate().all(|(at, values)| locals.value(*place, at) & values != 0))
}
