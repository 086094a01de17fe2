//! What columns say against what a plain evaluation of the cube's formula says, state by state.

use super::*;
use crate::cell::MAX_PROCESSES;
use crate::certificate::Writer;
use crate::search::Search;
use crate::system::System;
use crate::{Approximation, Options, Techniques};
use explore::Limits;
use instance::Column;
use instance::states::{self, Walk};
use ir::{Formula, Model, Relation, Sort, Term};
use source::Source;

/// A state of a table, and which process each variable stands for.
struct Valuation<'t> {
    model: &'t Model,
    table: &'t Table,
    state: usize,
    processes: usize,
    variables: Vec<usize>,
}

/// A fraction.
type Fraction = (i128, i128);

#[derive(PartialEq)]
enum Plain {
    Code(usize),
    Number(Fraction),
}

impl Valuation<'_> {
    /// None if it cannot be told.
    fn formula(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Not(inner) => self.formula(inner).map(|truth| !truth),
            Formula::And(parts) => self.junction(parts, false),
            Formula::Or(parts) => self.junction(parts, true),
            Formula::Compare(relation, left, right) => {
                let ordering = match (self.term(left)?, self.term(right)?) {
                    (Plain::Code(left), Plain::Code(right)) => left.cmp(&right),
                    (Plain::Number((a, b)), Plain::Number((c, d))) => (a * d).cmp(&(c * b)),
                    _ => panic!("different sorts are compared"),
                };
                Some(match relation {
                    Relation::Eq => ordering.is_eq(),
                    Relation::Neq => ordering.is_ne(),
                    Relation::Lt => ordering.is_lt(),
                    Relation::Le => ordering.is_le(),
                })
            }
            _ => panic!("no cube has this"),
        }
    }

    fn junction(&self, parts: &[Formula], decides: bool) -> Option<bool> {
        let truths: Vec<Option<bool>> = parts.iter().map(|part| self.formula(part)).collect();
        if truths.contains(&Some(decides)) {
            return Some(decides);
        }
        truths.iter().all(Option::is_some).then_some(!decides)
    }

    fn term(&self, term: &Term) -> Option<Plain> {
        Some(match term {
            Term::Var(var) => Plain::Code(self.variables[var.index()]),
            Term::Process(k) => Plain::Code(*k as usize - 1),
            Term::Outsider(id) => Plain::Code(self.processes + id.index()),
            Term::Constructor(_, at) => Plain::Code(*at as usize),
            Term::ProcessCount => Plain::Number((self.processes as i128, 1)),
            Term::Read { symbol, indices, .. } => {
                let indices: Vec<usize> = indices
                    .iter()
                    .map(|index| match self.term(index) {
                        Some(Plain::Code(process)) => process,
                        _ => panic!("cubes have processes as indices"),
                    })
                    .collect();
                let place =
                    self.table.places.iter().position(|place| *place == (*symbol, indices.clone()))?;
                let scale = i128::from(self.table.real_scale);
                match (&self.table.columns[place], self.model.symbol(*symbol).sort) {
                    (Column::Codes(codes), Sort::Int) => Plain::Number((codes[self.state].into(), 1)),
                    (Column::Codes(codes), Sort::Real) => Plain::Number((codes[self.state].into(), scale)),
                    (Column::Codes(codes), _) => Plain::Code(codes[self.state].into()),
                    (Column::Numbers(numbers), Sort::Real) => {
                        Plain::Number((numbers[self.state]?.into(), scale))
                    }
                    (Column::Numbers(numbers), Sort::Int) => Plain::Number((numbers[self.state]?.into(), 1)),
                    (Column::Numbers(numbers), _) => Plain::Code(usize::try_from(numbers[self.state]?).ok()?),
                }
            }
            Term::Linear(linear) => {
                let constant = linear.constant;
                let mut sum: Fraction = (constant.numerator().into(), constant.denominator().into());
                for (factor, part) in &linear.parts {
                    let Plain::Number((a, b)) = self.term(part)? else { panic!("no number") };
                    sum = (sum.0 * b + i128::from(*factor) * a * sum.1, sum.1 * b);
                }
                Plain::Number(sum)
            }
            Term::Count { .. } => return None,
        })
    }
}

/// Whether a state may match a cube, with any processes for its variables.
fn matches_plainly(model: &Model, table: &Table, processes: usize, cube: &certify::Cube) -> bool {
    let mut bindings = vec![vec![]];
    for _ in &cube.params {
        let further = |binding: Vec<usize>| {
            let free = (0..processes).filter(|process| !binding.contains(process)).collect::<Vec<_>>();
            free.into_iter().map(move |process| [binding.as_slice(), &[process]].concat())
        };
        bindings = bindings.into_iter().flat_map(further).collect();
    }
    (0..table.states).any(|state| {
        bindings.iter().any(|variables| {
            let variables = variables.clone();
            let valuation = Valuation { model, table, state, processes, variables };
            valuation.formula(&cube.formula) != Some(false)
        })
    })
}

/// Asks both about the cubes of a short search; how many are matched, and how many are not.
fn compare(text: &str) -> (usize, usize) {
    let (mut yes, mut no) = (0, 0);
    let Some(model) = model::load(&Source::new("model.cub", text)).model else { return (0, 0) };
    let Ok(system) = System::new(&model, false, None) else { return (0, 0) };
    let limits = Limits { states: Some(30), ..Limits::default() };
    let techniques = Techniques { joint_subsumption: false, ..Techniques::default() };
    let options = Options { limits, techniques, approximation: Approximation::Off, ..Options::default() };
    let mut search = Search::new(&system, None, &options, MAX_PROCESSES);
    search.run(1);
    let writer = Writer { model: &model, vocabulary: &system.vocabulary };
    // What a cube says of numbers alone is also asked where they have no value.
    let numbers = |cube: &Cube| Cube { finite: SmallVec::new(), relations: SmallVec::new(), ..cube.clone() };
    let cubes: Vec<Cube> =
        search.nodes().iter().flat_map(|node| [node.cube.clone(), numbers(&node.cube)]).collect();
    for processes in model.min_processes()..=3.min(model.max_processes.unwrap_or(3)) {
        let few = Limits { states: Some(200), ..Limits::default() };
        let Some(table) = states::reachable(&model, processes, Walk::Breadth, &few) else { continue };
        let oracle = Oracle::new(table.clone(), u8::try_from(processes).expect("few"));
        for cube in cubes.iter().filter(|cube| u32::from(cube.processes) <= processes) {
            let written = writer.cube(cube);
            let plainly = matches_plainly(&model, &table, processes as usize, &written);
            let by_columns = oracle.matches(&system.vocabulary, cube);
            assert_eq!(by_columns, plainly, "{processes} processes, {}, in\n{text}", written.display(&model));
            *(if plainly { &mut yes } else { &mut no }) += 1;
        }
    }
    (yes, no)
}

#[test]
fn columns_say_what_states_say() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..160 {
        let features = modelgen::Features::any(seed);
        let size = modelgen::Size::Small;
        let (matched, not) = compare(&modelgen::random_model(&modelgen::Options { seed, size, features }));
        yes += matched;
        no += not;
    }
    assert!(yes > 200 && no > 200, "{yes} matched, {no} did not");
}

#[test]
fn a_number_without_a_value_may_be_any() {
    let text = "var Set : bool
                var X : int
                init { Set = False }
                unsafe () { Set = True && X > 5 }
                transition set () requires { Set = False } { X := 1; Set := True }";
    assert_eq!(compare(text), (3, 3), "`X > 5` before it is set");
}
