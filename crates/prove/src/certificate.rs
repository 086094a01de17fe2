//! Cubes in the language of the model: certificates, and invariants for people.

use crate::cell::{Cell, Process};
use crate::cube::{Cube, is_single};
use crate::linear::{Comparison, Constraint};
use crate::places::Exported;
use crate::system::System;
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, RUN, Values, Vocabulary, outsider};
use certify::Certificate;
use ir::{Formula, Linear, Model, Number, OutsiderId, Relation, Sort, SymbolId, Term, Var};

/// The invariant of these cubes and of the values that cannot occur, for a model with the variables of a certificate without cubes.
pub(crate) fn certificate<'c>(
    model: &Model,
    added: &Certificate,
    system: &System,
    cubes: impl IntoIterator<Item = &'c Cube>,
) -> Certificate {
    let writer = Writer { model, vocabulary: &system.vocabulary };
    let mut all: Vec<certify::Cube> = cubes.into_iter().map(|cube| writer.cube(cube)).collect();
    writer.impossible_values(&mut all);
    let counted = system.vocabulary.places.as_ref().map(|places| places.exported(model, &added.counters));
    let Exported { counters, cubes } = counted.unwrap_or_default();
    all.extend(cubes);
    let Certificate { auxiliaries, counters: known, .. } = added.clone();
    Certificate { cubes: all, auxiliaries, counters: known.into_iter().chain(counters).collect() }
}

/// Writes cubes as formulas.
pub(crate) struct Writer<'m> {
    pub(crate) model: &'m Model,
    pub(crate) vocabulary: &'m Vocabulary,
}

impl Writer<'_> {
    pub(crate) fn cube(&self, cube: &Cube) -> certify::Cube {
        let named = self.vocabulary.named.min(cube.processes);
        let finite = cube.finite.iter().map(|(cell, values)| self.values(*cell, *values, cube.processes));
        let relations = cube.relations.iter().map(|relation| {
            let kind = if relation.equal { Relation::Eq } else { Relation::Neq };
            Formula::compare(kind, self.read(relation.left), self.read(relation.right))
        });
        let linear = cube.linear.iter().map(|constraint| self.constraint(constraint));
        let order = cube.order.iter().map(|(first, second)| {
            Formula::compare(Relation::Lt, self.process(*first), self.process(*second))
        });
        // Parameters of a cube of a certificate may stand for named processes, other processes of a cube here do not.
        let apart = (named..cube.processes).flat_map(|process| (0..named).map(move |name| (process, name)));
        let apart = apart.map(|(process, name)| Formula::neq(self.process(process), self.process(name)));
        let formula = Formula::and(finite.chain(relations).chain(linear).chain(order).chain(apart));
        item(usize::from(cube.processes - named), formula)
    }

    fn process(&self, process: Process) -> Term {
        let named = self.vocabulary.named;
        if process < named {
            Term::Process(u32::from(process) + 1)
        } else {
            Term::Var(Var(u32::from(process - named)))
        }
    }

    fn read(&self, cell: Cell) -> Term {
        if cell.symbol() == self.vocabulary.process_count {
            return Term::ProcessCount;
        }
        let indices = cell.indices(self.vocabulary.arity(cell)).map(|process| self.process(process));
        Term::read(SymbolId::from_index(cell.symbol().into()), indices.collect())
    }

    /// That a cell has one of some values.
    fn values(&self, cell: Cell, values: Values, processes: u8) -> Formula {
        let kind = self.vocabulary.kind(cell);
        let is = |value: Term| Formula::eq(self.read(cell), value);
        let full = self.vocabulary.full(cell, processes);
        if is_single(kind, values) {
            return is(self.value(cell, values));
        }
        // There is no name for the processes elsewhere: if they are allowed, list what is excluded, else what is allowed.
        if kind == Kind::Process && full & ELSEWHERE != 0 && values & ELSEWHERE == 0 {
            return Formula::or(bits(values).map(|value| is(self.value(cell, value))));
        }
        Formula::and(
            bits(full & !values & !ELSEWHERE)
                .map(|value| Formula::neq(self.read(cell), self.value(cell, value))),
        )
    }

    fn value(&self, cell: Cell, value: Values) -> Term {
        let symbol = &self.model.symbols[usize::from(cell.symbol())];
        let at = value.trailing_zeros();
        match symbol.sort {
            Sort::Enum(of) => Term::Constructor(of, at),
            _ if value & MEMBERS != 0 => self.process(Process::try_from(at).expect("few processes")),
            _ => {
                let ids = (0..self.model.outsiders.len()).map(OutsiderId::from_index);
                let id = ids.into_iter().find(|id| outsider(*id) == value).expect("the value is an outsider");
                Term::Outsider(id)
            }
        }
    }

    fn constraint(&self, constraint: &Constraint) -> Formula {
        let sort = if constraint.whole { Sort::Int } else { Sort::Real };
        // Negative parts go to the other side, which reads better.
        let (mut left, mut right) =
            (Linear::constant(sort, Number::ZERO), Linear::constant(sort, Number::ZERO));
        for (cell, factor) in &constraint.terms {
            let side = if *factor > 0 { &mut left } else { &mut right };
            side.parts.push((factor.abs(), self.read(*cell)));
        }
        let side = if constraint.constant > 0 { &mut left } else { &mut right };
        side.constant = Number::whole(constraint.constant.abs());
        let relation = match constraint.comparison {
            Comparison::Zero => Relation::Eq,
            Comparison::AtMost => Relation::Le,
            Comparison::Below => Relation::Lt,
        };
        Formula::compare(relation, left.into_term(), right.into_term())
    }

    /// A cube for each symbol with values that none of its cells ever has, for every pattern of equal indices.
    fn impossible_values(&self, cubes: &mut Vec<certify::Cube>) {
        for (at, symbol) in self.model.symbols.iter().enumerate() {
            let info = &self.vocabulary.symbols[at];
            let number = u16::try_from(at).expect("checked when the vocabulary was made");
            for indices in patterns(info.arity) {
                let params = indices.iter().max().map_or(0, |last| last + 1);
                // Processes are numbered after the named ones.
                let shifted: Vec<Process> =
                    indices.iter().map(|index| index + self.vocabulary.named).collect();
                let cell = Cell::new(number, &shifted);
                match symbol.sort {
                    Sort::Enum(of) => {
                        let count = self.model.enums[of.index()].constructors.len();
                        if info.possible.count_ones() as usize != count {
                            let values = bits(info.possible);
                            let other = values
                                .map(|value| Formula::eq(self.read(cell), self.value(cell, value)).not());
                            cubes.push(item(params.into(), Formula::and(other)));
                        }
                    }
                    Sort::Proc if symbol.holds_outsiders => {
                        self.impossible_pointers(cell, params, info.possible, cubes);
                    }
                    _ => {}
                }
            }
        }
    }

    fn impossible_pointers(
        &self,
        cell: Cell,
        params: Process,
        possible: Values,
        cubes: &mut Vec<certify::Cube>,
    ) {
        let ids = || (0..self.model.outsiders.len()).map(OutsiderId::from_index);
        let cell = || self.read(cell);
        if possible & RUN == 0 {
            // It is one of the outsiders that it can be: no process of the run, and no other outsider.
            let possible = ids().filter(|id| possible & outsider(*id) != 0);
            let formula = Formula::and(possible.map(|id| Formula::neq(cell(), Term::Outsider(id))));
            cubes.push(item(params.into(), formula));
            return;
        }
        for id in ids().filter(|id| possible & outsider(*id) == 0) {
            cubes.push(item(params.into(), Formula::eq(cell(), Term::Outsider(id))));
        }
    }
}

fn item(params: usize, formula: Formula) -> certify::Cube {
    certify::Cube {
        params: (0..params).map(Var::from_index).collect(),
        variables: (0..params).map(variable).collect(),
        formula,
    }
}

/// A name for a process variable that no symbol has: symbols begin with a capital.
fn variable(at: usize) -> String {
    const LETTERS: [&str; 6] = ["i", "j", "k", "l", "m", "n"];
    LETTERS.get(at).map_or_else(|| format!("p{at}"), |letter| (*letter).to_owned())
}

fn bits(values: Values) -> impl Iterator<Item = Values> {
    (0..64).map(|bit| 1 << bit).filter(move |bit| values & bit != 0)
}

/// The patterns of equal indices: at each position one that occurred before, or the next number.
fn patterns(arity: usize) -> Vec<Vec<Process>> {
    let mut all = vec![vec![]];
    for _ in 0..arity {
        all = all
            .into_iter()
            .flat_map(|pattern: Vec<Process>| {
                let next = pattern.iter().max().map_or(0, |last| last + 1);
                (0..=next).map(move |index| [pattern.as_slice(), &[index]].concat())
            })
            .collect();
    }
    all
}
