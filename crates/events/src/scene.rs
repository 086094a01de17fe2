//! Formulas and terms of the typed form as cases of constraints.
//!
//! A [`World`] is one case: constraints on the state before the step, over the processes that are in it so far. Evaluating a
//! term or assuming a formula splits it into further cases where a formula has disjuncts, where an index may be one of several
//! processes, and where an existential quantifier may point at a process that is not in the cube yet. Universal quantifiers
//! are kept, and instantiated at the end for the processes that are there then; that they also say something about
//! processes that are not is forgotten, so that there are more states rather than fewer.

use crate::constraints::{Constraints, Context};
use crate::expression::Expression;
use crate::linear::Sum;
use crate::refusal::Refusal;
use crate::system::{System, number_of};
use crate::variable::{Location, MOST_PROCESSES, Process, Read, Variable};
use crate::vocabulary::{ELSEWHERE, bit};
use ir::{Formula, Linear, Quantifier, Relation, Sort, SymbolId, Term, Update, Value, Var};

/// More cases than this are given up.
pub(crate) const MOST_CASES: usize = 20_000;

/// What the variables of an item stand for.
pub(crate) type Binding = Vec<Option<Process>>;

/// How a formula reads symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    /// In a step of this process: registers are its own, and reads of memory happen at this instant.
    Step { actor: Process, instant: u8 },
    /// In a property: reads of memory happen at this instant, by the process that the text or the faulty step says.
    State { actor: Option<Process>, instant: u8 },
    /// In an initial state: memory itself.
    Memory,
}

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct World<'m> {
    pub(crate) constraints: Constraints,
    pub(crate) processes: Process,
    /// Whether the store buffer of the actor is empty.
    pub(crate) fence: bool,
    /// Formulas that are to hold for all processes.
    universals: Vec<Universal<'m>>,
}

#[derive(Clone, Debug)]
struct Universal<'m> {
    variables: &'m [Var],
    apart_from: &'m [Var],
    body: &'m Formula,
    positive: bool,
    binding: Binding,
}

pub(crate) type Cases<T> = Result<Vec<T>, Refusal>;

impl<'m> World<'m> {
    pub(crate) fn new(constraints: Constraints, processes: Process) -> World<'m> {
        World { constraints, processes, fence: false, universals: vec![] }
    }

    pub(crate) fn context<'a>(&self, system: &'a System<'_>) -> Context<'a> {
        Context { vocabulary: &system.vocabulary, processes: self.processes }
    }

    /// Takes in a process that was not in the cube; `None` if there is none.
    pub(crate) fn with_another(
        mut self,
        system: &System<'_>,
    ) -> Result<Option<(World<'m>, Process)>, Refusal> {
        let number = self.processes;
        if !system.vocabulary.has_room(number) {
            return Ok(None);
        }
        if number == MOST_PROCESSES {
            return Err(Refusal::new(format!("more than {MOST_PROCESSES} processes take part"), None));
        }
        self.constraints.add_process(&system.vocabulary, number);
        self.processes += 1;
        Ok(Some((self, number)))
    }

    fn with_constraints(&self, constraints: Constraints) -> World<'m> {
        World { constraints, ..self.clone() }
    }
}

/// A way to read a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a, 'm> {
    pub(crate) system: &'a System<'m>,
    pub(crate) reading: Reading,
}

impl<'m> Scene<'_, 'm> {
    /// The cases in which a formula holds, or does not.
    pub(crate) fn assume(
        self,
        world: World<'m>,
        formula: &'m Formula,
        positive: bool,
        binding: &Binding,
    ) -> Cases<World<'m>> {
        match formula {
            Formula::True | Formula::False => {
                Ok(if (*formula == Formula::True) == positive { vec![world] } else { vec![] })
            }
            Formula::Compare(relation, left, right) => {
                self.compare(world, (*relation, left, right), positive, binding)
            }
            Formula::Not(inner) => self.assume(world, inner, !positive, binding),
            Formula::And(parts) if positive => self.all(world, parts, positive, binding),
            Formula::Or(parts) if !positive => self.all(world, parts, positive, binding),
            Formula::And(parts) | Formula::Or(parts) => self.any(&world, parts, positive, binding),
            Formula::Iff(left, right) => {
                self.choice(world, left, [(right, positive), (right, !positive)], binding)
            }
            Formula::If(condition, then, otherwise) => {
                self.choice(world, condition, [(then, positive), (otherwise, positive)], binding)
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let universal = (*quantifier == Quantifier::Forall) == positive;
                if universal {
                    let binding = binding.clone();
                    let mut world = world;
                    world.universals.push(Universal { variables, apart_from, body, positive, binding });
                    return Ok(vec![world]);
                }
                let places = self.placed(world, variables, apart_from, binding)?;
                each(places, |(world, binding)| self.assume(world, body, positive, &binding))
            }
            Formula::Fence => Ok(vec![World { fence: world.fence || positive, ..world }]),
        }
    }

    fn all(
        self,
        world: World<'m>,
        parts: &'m [Formula],
        positive: bool,
        binding: &Binding,
    ) -> Cases<World<'m>> {
        // What is about the processes alone comes first: `A[k] = 1 && k = i` reads a register of `i` only.
        let (plain, others): (Vec<&Formula>, Vec<&Formula>) =
            parts.iter().partition(|part| reads_nothing(part));
        let mut worlds = vec![world];
        for part in plain.into_iter().chain(others) {
            worlds = each(worlds, |world| self.assume(world, part, positive, binding))?;
        }
        Ok(worlds)
    }

    fn any(
        self,
        world: &World<'m>,
        parts: &'m [Formula],
        positive: bool,
        binding: &Binding,
    ) -> Cases<World<'m>> {
        each(parts.iter().collect(), |part| self.assume(world.clone(), part, positive, binding))
    }

    /// Where the condition holds the first, elsewhere the second.
    fn choice(
        self,
        world: World<'m>,
        condition: &'m Formula,
        [(then, then_positive), (otherwise, otherwise_positive)]: [(&'m Formula, bool); 2],
        binding: &Binding,
    ) -> Cases<World<'m>> {
        let holds = self.assume(world.clone(), condition, true, binding)?;
        let mut cases = each(holds, |world| self.assume(world, then, then_positive, binding))?;
        let fails = self.assume(world, condition, false, binding)?;
        cases.extend(each(fails, |world| self.assume(world, otherwise, otherwise_positive, binding))?);
        Ok(cases)
    }

    fn compare(
        self,
        world: World<'m>,
        (relation, left, right): (Relation, &'m Term, &'m Term),
        positive: bool,
        binding: &Binding,
    ) -> Cases<World<'m>> {
        let (relation, left, right) = match (relation, positive) {
            (relation, true) => (relation, left, right),
            (Relation::Eq, false) => (Relation::Neq, left, right),
            (Relation::Neq, false) => (Relation::Eq, left, right),
            (Relation::Lt, false) => (Relation::Le, right, left),
            (Relation::Le, false) => (Relation::Lt, right, left),
        };
        each(self.term(world, left, binding)?, |(world, left)| {
            each(self.term(world, right, binding)?, |(world, right)| {
                self.compare_values(&world, relation, &left, &right)
            })
        })
    }

    /// The cases in which two values compare like this.
    pub(crate) fn compare_values(
        self,
        world: &World<'m>,
        relation: Relation,
        left: &Expression,
        right: &Expression,
    ) -> Cases<World<'m>> {
        let context = world.context(self.system);
        let cases =
            world.constraints.clone().compared(context, relation, left, right).map_err(|_| too_large())?;
        Ok(cases.into_iter().map(|constraints| world.with_constraints(constraints)).collect())
    }

    /// The ways in which variables stand for distinct processes, apart from some.
    fn placed(
        self,
        world: World<'m>,
        variables: &[Var],
        apart_from: &[Var],
        binding: &Binding,
    ) -> Cases<(World<'m>, Binding)> {
        let mut cases = vec![(world, binding.clone())];
        for (at, var) in variables.iter().enumerate() {
            let others: Vec<Var> = apart_from.iter().chain(&variables[..at]).copied().collect();
            cases = each(cases, |(world, binding)| {
                let is_free =
                    |process: &Process| others.iter().all(|other| binding[other.index()] != Some(*process));
                let bound = |process: Process| {
                    let mut binding = binding.clone();
                    binding[var.index()] = Some(process);
                    binding
                };
                let mut placed: Vec<_> = (0..world.processes)
                    .filter(is_free)
                    .map(|process| (world.clone(), bound(process)))
                    .collect();
                let another = world.with_another(self.system)?;
                placed.extend(another.map(|(world, process)| (world, bound(process))));
                Ok(placed)
            })?;
        }
        Ok(cases)
    }

    /// The cases of a term, each with its value.
    pub(crate) fn term(
        self,
        world: World<'m>,
        term: &'m Term,
        binding: &Binding,
    ) -> Cases<(World<'m>, Expression)> {
        let constant = match term {
            Term::Var(var) => Expression::Process(binding[var.index()].expect("variables are bound")),
            Term::Process(k) => Expression::Process(Process::try_from(k - 1).expect("there are few names")),
            Term::Outsider(id) => Expression::Outsider(id.0),
            Term::Constructor(_, at) => Expression::Constructor(*at),
            Term::Linear(linear) => return self.sum(world, linear, binding),
            Term::Read { symbol, indices, reader } => {
                return self.read(world, (*symbol, indices, reader.as_deref()), binding);
            }
            Term::ProcessCount | Term::Count { .. } => unreachable!("refused from the start"),
        };
        Ok(vec![(world, constant)])
    }

    fn sum(self, world: World<'m>, linear: &'m Linear, binding: &Binding) -> Cases<(World<'m>, Expression)> {
        let constant = Sum::constant(linear.constant.numerator(), linear.constant.denominator());
        let mut cases = vec![(world, constant)];
        for (factor, part) in &linear.parts {
            cases = each(cases, |(world, sum)| {
                each(self.term(world, part, binding)?, |(world, value)| {
                    let Expression::Sum(value, _) = value else { unreachable!("a sum of numbers") };
                    let sum = sum.plus((*factor).into(), &value).ok_or_else(too_large)?;
                    Ok(vec![(world, sum)])
                })
            })?;
        }
        let whole = linear.sort == Sort::Int;
        Ok(cases.into_iter().map(|(world, sum)| (world, Expression::Sum(sum, whole))).collect())
    }

    fn read(
        self,
        world: World<'m>,
        (symbol, indices, reader): (SymbolId, &'m [Term], Option<&'m Term>),
        binding: &Binding,
    ) -> Cases<(World<'m>, Expression)> {
        let places = self.processes(world, indices, binding)?;
        each(places, |(world, indices)| {
            each(self.processes(world, reader, binding)?, |(world, reader)| {
                let location = Location::new(number_of(symbol), &indices);
                let variable = self.variable(location, reader.first().copied())?;
                let expression = Expression::variable(world.context(self.system), variable);
                Ok(vec![(world, expression)])
            })
        })
    }

    /// What is read at a location.
    fn variable(self, location: Location, reader: Option<Process>) -> Result<Variable, Refusal> {
        let symbol = &self.system.vocabulary.symbols[usize::from(location.symbol())];
        let at = |instant, reader| Variable { location, read: Some(Read { instant, reader }) };
        match self.reading {
            Reading::Step { actor, instant } if symbol.weak => Ok(at(instant, actor)),
            Reading::Step { actor, .. } if !symbol.constant && location.indices().first() != Some(&actor) => {
                Err(self.system.foreign_register(location.symbol()))
            }
            Reading::State { actor, instant } if symbol.weak => match reader.or(actor) {
                Some(reader) => Ok(at(instant, reader)),
                None => Err(self.system.no_reader(location.symbol())),
            },
            Reading::Step { .. } | Reading::State { .. } | Reading::Memory => Ok(Variable::cell(location)),
        }
    }

    /// The cases of some terms of sort `proc` that are used as indices: each with the processes that they are. An outsider
    /// is no index: that is a misuse, which is a property of its own.
    pub(crate) fn processes(
        self,
        world: World<'m>,
        terms: impl IntoIterator<Item = &'m Term>,
        binding: &Binding,
    ) -> Cases<(World<'m>, Vec<Process>)> {
        let mut cases = vec![(world, vec![])];
        for term in terms {
            cases = each(cases, |(world, known)| {
                let values = self.term(world, term, binding)?;
                let found = each(values, |(world, value)| self.process(world, &value))?;
                let with = |(world, process)| (world, known.iter().copied().chain([process]).collect());
                Ok(found.into_iter().map(with).collect())
            })?;
        }
        Ok(cases)
    }

    fn process(self, world: World<'m>, value: &Expression) -> Cases<(World<'m>, Process)> {
        let variable = match value {
            Expression::Process(process) => return Ok(vec![(world, *process)]),
            Expression::Variable(variable) => *variable,
            _ => return Ok(vec![]),
        };
        let values = world.constraints.values(world.context(self.system), variable);
        let mut cases = Vec::new();
        let mut add = |mut world: World<'m>, process: Process| {
            let context = world.context(self.system);
            if world.constraints.restrict(context, variable, bit(process.into())).is_ok() {
                cases.push((world, process));
            }
        };
        for process in (0..world.processes).filter(|process| values & bit((*process).into()) != 0) {
            add(world.clone(), process);
        }
        if values & ELSEWHERE != 0
            && let Some((world, process)) = world.with_another(self.system)?
        {
            add(world, process);
        }
        Ok(cases)
    }

    /// What a step makes of a location: a value, or `None` if it keeps its own.
    pub(crate) fn updated(
        self,
        world: World<'m>,
        update: &'m Update,
        location: Location,
        binding: &Binding,
    ) -> Cases<(World<'m>, Option<Expression>)> {
        let mut binding = binding.clone();
        for (cell, index) in update.cell.iter().zip(location.indices()) {
            binding[cell.index()] = Some(*index);
        }
        let mut cases = Vec::new();
        let mut open = vec![world];
        for arm in &update.arms {
            let holds = each(open.clone(), |world| self.assume(world, &arm.condition, true, &binding))?;
            cases.extend(each(self.consistent(holds), |world| match &arm.value {
                Value::Keep => Ok(vec![(world, None)]),
                Value::Any => Ok(vec![(world, Some(Expression::Any))]),
                Value::Term(term) => {
                    let values = self.term(world, term, &binding)?;
                    Ok(values.into_iter().map(|(world, value)| (world, Some(value))).collect())
                }
            })?);
            let fails = each(open, |world| self.assume(world, &arm.condition, false, &binding))?;
            open = self.consistent(fails);
        }
        cases.extend(open.into_iter().map(|world| (world, None)));
        Ok(cases)
    }

    /// The cases that are not contradictory, settled.
    pub(crate) fn consistent(self, worlds: Vec<World<'m>>) -> Vec<World<'m>> {
        let settled = |mut world: World<'m>| {
            let context = world.context(self.system);
            world.constraints.settle(context).is_ok().then_some(world)
        };
        worlds.into_iter().filter_map(settled).collect()
    }

    /// Instantiates what is to hold for all processes, for those that are there.
    pub(crate) fn instantiated(self, mut world: World<'m>) -> Cases<World<'m>> {
        let universals = std::mem::take(&mut world.universals);
        let processes = world.processes;
        let mut worlds = vec![world];
        for universal in &universals {
            for binding in universal.instances(processes) {
                worlds =
                    each(worlds, |world| self.assume(world, universal.body, universal.positive, &binding))?;
            }
        }
        // Below a universal quantifier there may be another.
        each(
            worlds,
            |world| if world.universals.is_empty() { Ok(vec![world]) } else { self.instantiated(world) },
        )
    }
}

impl Universal<'_> {
    /// All ways in which its variables stand for distinct ones of the first processes.
    fn instances(&self, processes: Process) -> Vec<Binding> {
        let mut all = vec![self.binding.clone()];
        for (at, var) in self.variables.iter().enumerate() {
            let others: Vec<Var> = self.apart_from.iter().chain(&self.variables[..at]).copied().collect();
            let place = |binding: Binding| {
                let taken: Vec<Option<Process>> = others.iter().map(|other| binding[other.index()]).collect();
                (0..processes).filter(move |process| !taken.contains(&Some(*process))).map(move |process| {
                    let mut binding = binding.clone();
                    binding[var.index()] = Some(process);
                    binding
                })
            };
            all = all.into_iter().flat_map(place).collect();
        }
        all
    }
}

/// Splits each case further.
pub(crate) fn each<S, T>(cases: Vec<S>, split: impl Fn(S) -> Cases<T>) -> Cases<T> {
    let mut all = Vec::new();
    for case in cases {
        all.extend(split(case)?);
        if all.len() > MOST_CASES {
            return Err(Refusal::new(format!("a step has more than {MOST_CASES} cases"), None));
        }
    }
    Ok(all)
}

fn reads_nothing(formula: &Formula) -> bool {
    let mut reads = false;
    formula.each_term(&mut |term| reads |= term.symbol().is_some());
    !reads && !formula.has_quantifier()
}

fn too_large() -> Refusal {
    Refusal::new("numbers get too large", None)
}
