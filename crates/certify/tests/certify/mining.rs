//! Certificates that are read off the states of small instances: every small cube that no state matches.
//!
//! They need not be inductive: cubes that the checker rejects are dropped until it accepts the rest.

use super::{reachable::Reachable, support::load, value::Value};
use certify::{Cause, Certificate, Cube, Obligation, check};
use ir::{Formula, Model, Sort, SymbolId, Term, Var};
use std::{collections::HashSet, fs, path::Path, time::Instant};

/// The most literals of a cube; `CERTIFY_LITERALS` sets another number, for larger certificates.
fn most_literals() -> usize {
    std::env::var("CERTIFY_LITERALS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// A cell of two processes or a global, with a value.
#[derive(Debug, Clone, PartialEq)]
struct Literal {
    symbol: SymbolId,
    index: Option<usize>,
    value: Worth,
}

#[derive(Debug, Clone, PartialEq)]
enum Worth {
    Constructor(u32),
    Process(usize),
}

fn literals(model: &Model) -> Vec<Literal> {
    let mut all = Vec::new();
    for (at, symbol) in model.symbols.iter().enumerate() {
        let symbol_id = SymbolId::from_index(at);
        let indices = if symbol.arity == 0 { vec![None] } else { vec![Some(0), Some(1)] };
        let values = match symbol.sort {
            Sort::Enum(id) => {
                let count = u32::try_from(model.enums[id.index()].constructors.len()).expect("few");
                (0..count).map(Worth::Constructor).collect()
            }
            _ => vec![Worth::Process(0), Worth::Process(1)],
        };
        for index in indices {
            let literal = |value: &Worth| Literal { symbol: symbol_id, index, value: value.clone() };
            all.extend(values.iter().map(literal));
        }
    }
    assert!(all.len() <= 64, "as many literals as a word has bits");
    all
}

impl Literal {
    fn formula(&self, model: &Model) -> Formula {
        let var = |at: usize| Term::Var(Var::from_index(at));
        let read = Term::read(self.symbol, self.index.map(var).into_iter().collect());
        let value = match (&self.value, model.symbol(self.symbol).sort) {
            (Worth::Constructor(at), Sort::Enum(id)) => Term::Constructor(id, *at),
            (Worth::Process(at), _) => var(*at),
            _ => unreachable!("constructors belong to enumerations"),
        };
        Formula::Compare(ir::Relation::Eq, read, value)
    }

    /// Whether it holds with these processes.
    fn holds(&self, reachable: &Reachable<'_>, state: &[Value], pair: [usize; 2]) -> bool {
        let place: Vec<usize> = self.index.map(|at| pair[at]).into_iter().collect();
        let held = state[reachable.instance.cell(self.symbol, &place)];
        held == match self.value {
            Worth::Constructor(at) => Value::Constructor(at),
            Worth::Process(at) => Value::Process(pair[at]),
        }
    }

    fn mentions_second(&self) -> bool {
        self.index == Some(1) || self.value == Worth::Process(1)
    }
}

/// What holds of each pair of processes in each state, as bits.
fn rows(model: &Model, literals: &[Literal], processes: usize) -> HashSet<u64> {
    let reachable = Reachable::new(model, processes, 200_000).expect("few states");
    let mut rows = HashSet::new();
    for state in &reachable.states {
        for first in 0..processes {
            for second in (0..processes).filter(|second| *second != first) {
                let bit = |at: usize| u64::from(literals[at].holds(&reachable, state, [first, second])) << at;
                rows.insert((0..literals.len()).map(bit).sum());
            }
        }
    }
    rows
}

/// All smallest cubes that no state matches.
fn mine(model: &Model, literals: &[Literal], rows: &HashSet<u64>) -> Vec<Cube> {
    let rows: Vec<u64> = rows.iter().copied().collect();
    let mut found: Vec<u64> = Vec::new();
    let mut layer: Vec<u64> = vec![0];
    for _ in 0..most_literals() {
        let mut next = Vec::new();
        for mask in &layer {
            for at in (64 - mask.leading_zeros() as usize)..literals.len() {
                let mask = mask | 1 << at;
                if found.iter().any(|smaller| mask & smaller == *smaller) {
                    continue;
                }
                if rows.iter().any(|row| row & mask == mask) {
                    next.push(mask);
                } else if !contradicts_itself(literals, mask) {
                    found.push(mask);
                }
            }
        }
        layer = next;
    }
    found.into_iter().map(|mask| cube(model, literals, mask)).collect()
}

/// Whether two literals give one cell two values.
fn contradicts_itself(literals: &[Literal], mask: u64) -> bool {
    let chosen: Vec<&Literal> = literals
        .iter()
        .enumerate()
        .filter(|(at, _)| mask >> at & 1 == 1)
        .map(|(_, literal)| literal)
        .collect();
    let same = |a: &Literal, b: &Literal| a.symbol == b.symbol && a.index == b.index && a.value != b.value;
    chosen.iter().any(|a| chosen.iter().any(|b| same(a, b)))
}

fn cube(model: &Model, literals: &[Literal], mask: u64) -> Cube {
    let chosen: Vec<&Literal> = literals
        .iter()
        .enumerate()
        .filter(|(at, _)| mask >> at & 1 == 1)
        .map(|(_, literal)| literal)
        .collect();
    let params = if chosen.iter().any(|literal| literal.mentions_second()) { 2 } else { 1 };
    Cube {
        params: (0..params).map(Var::from_index).collect(),
        variables: vec!["i".into(), "j".into()],
        formula: Formula::and(chosen.into_iter().map(|literal| literal.formula(model))),
    }
}

fn example(name: &str) -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{name}.cub"));
    load(&fs::read_to_string(file).expect("readable"))
}

/// Drops cubes until the checker accepts the others.
fn settle(model: &Model, mut certificate: Certificate) -> Certificate {
    loop {
        let Err(rejection) = check(model, &certificate) else { return certificate };
        match (rejection.obligation, &rejection.cause) {
            (Obligation::Init { cube, .. } | Obligation::Step { cube, .. }, Cause::Counterexample(_)) => {
                certificate.cubes.remove(cube);
            }
            _ => panic!("{rejection}"),
        }
    }
}

fn mined(name: &str, processes: usize) -> (Model, Certificate) {
    let model = example(name);
    let literals = literals(&model);
    let rows = rows(&model, &literals, processes);
    let mut cubes = super::support::cubes(&model);
    cubes.extend(mine(&model, &literals, &rows));
    let certificate = Certificate { cubes, ..Certificate::default() };
    println!("{name}: {} rows, {} cubes", rows.len(), certificate.cubes.len());
    let started = Instant::now();
    let certificate = settle(&model, certificate);
    println!("{name}: {} cubes after {:?}", certificate.cubes.len(), started.elapsed());
    let started = Instant::now();
    let checked = check(&model, &certificate).expect("settled");
    println!("{name}: {checked:?} in {:?}", started.elapsed());
    (model, certificate)
}

#[test]
fn mutual_exclusion_is_mined() {
    let (model, certificate) = mined("mutex", 3);
    assert!(check(&model, &certificate).is_ok());
    let none = Certificate::default();
    assert!(check(&model, &none).is_err());
}

#[test]
fn the_protocol_of_german_is_mined() {
    let (_, certificate) = mined("german", 3);
    assert!(certificate.cubes.len() > 100, "{}", certificate.cubes.len());
}
