//! Pre-images: the cubes from which one step of a transition leads into a cube.

use crate::assume::{Assumer, Branch, Env, Then, UNBOUND, bind, bound, resolve};
use crate::cell::Cell;
use crate::cube::{Contradiction, Cube};
use crate::linear::{Constraint, Simplified, project, simplify};
use crate::system::{Promise, Transition, Update};
use crate::template::{CellTerm, Node, ProcessName, ProcessTerm, ValueTerm};
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, RUN, Values, member, members};
use smallvec::SmallVec;

/// The value of a cell after the step, in terms of the state before.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NewValue {
    /// One constructor, outsider or process.
    Constant(Values),
    Cell(Cell),
    Sum(Box<NewSum>),
    Any,
}

/// A sum, divided by a positive number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NewSum {
    terms: SmallVec<[(Cell, i128); 4]>,
    constant: i128,
    denominator: i128,
}

/// The cells of the cube that the step may change, with their values after it.
type NewValues = SmallVec<[(Cell, NewValue); 4]>;

/// Calls `found` with each cube, settled, from which the transition leads into `cube`.
pub(crate) fn pre_images(
    assumer: &Assumer<'_>,
    promises: &[Promise],
    transition: &Transition,
    cube: &Cube,
    found: &mut dyn FnMut(Cube),
) {
    let cells: SmallVec<[Cell; 12]> =
        cube.cells().into_iter().filter(|cell| transition.update(cell.symbol()).is_some()).collect();
    if cells.is_empty() {
        return;
    }
    let step = Step { assumer, promises, transition, cube, cells };
    step.bind(&mut Env::new(), 0, cube.processes, found);
}

struct Step<'a> {
    assumer: &'a Assumer<'a>,
    promises: &'a [Promise],
    transition: &'a Transition,
    cube: &'a Cube,
    /// What the cube mentions and the transition may change.
    cells: SmallVec<[Cell; 12]>,
}

impl Step<'_> {
    /// Maps the parameters onto processes of the cube, or onto further ones in order.
    fn bind(&self, env: &mut Env, at: usize, processes: u8, found: &mut dyn FnMut(Cube)) {
        let params = &self.transition.params;
        let Some(param) = params.get(at) else {
            if self.may_lead_here(env) {
                self.step(env, processes, found);
            }
            return;
        };
        for process in 0..processes {
            if params[..at].iter().any(|earlier| env[usize::from(*earlier)] == process) {
                continue;
            }
            bind(env, *param, process);
            self.bind(env, at + 1, processes, found);
        }
        if processes >= self.assumer.vocabulary.most {
            if self.assumer.vocabulary.most == crate::cell::MAX_PROCESSES {
                self.assumer.watch.overflow();
            }
        } else {
            bind(env, *param, processes);
            self.bind(env, at + 1, processes + 1, found);
        }
        bind(env, *param, UNBOUND);
    }

    /// A quick test that needs to know the processes only: false if nothing that the cube mentions changes, or if a constant
    /// is written that the cube excludes.
    fn may_lead_here(&self, env: &Env) -> bool {
        let mut changes = false;
        for cell in &self.cells {
            let update = self.transition.update(cell.symbol()).expect("only such cells are kept");
            let env = bind_cell(update, *cell, env);
            match plain_value(update, &env) {
                None => changes = true,
                Some(ValueTerm::Keep) => {}
                Some(ValueTerm::Read(term)) if is_cell(term, &env, *cell) => {}
                Some(value) => {
                    changes = true;
                    let written = match value {
                        ValueTerm::Constant(values) => *values,
                        ValueTerm::Process(name) => match resolve(*name, &env) {
                            process if process < self.cube.processes => member(process),
                            _ => ELSEWHERE,
                        },
                        _ => continue,
                    };
                    if self.cube.values(self.assumer.vocabulary, *cell) & written == 0 {
                        return false;
                    }
                }
            }
        }
        changes
    }

    fn step(&self, env: &Env, processes: u8, found: &mut dyn FnMut(Cube)) {
        let branch = Branch::new(Cube::new(processes));
        let mut found = |branch: Branch<'_>| {
            let mut cube = branch.cube;
            if cube.settle(self.assumer.vocabulary).is_ok() {
                cube.drop_unused_processes(self.assumer.vocabulary);
                found(cube);
            }
        };
        let promised = self.promised(env, processes);
        self.assumer.assume(branch, &self.transition.guard, env, &mut |branch| {
            self.name(branch, &promised, &mut |branch| {
                self.assumer.finish(branch, &mut |branch| {
                    self.new_values(branch, env, 0, NewValues::new(), &mut |mut branch, values| {
                        if self.rewrite(&mut branch.cube, &values).is_ok() {
                            self.assumer.finish(branch, &mut found);
                        }
                    });
                });
            });
        });
    }

    /// The promises about what the guard requires of all processes, for processes one of which takes the step.
    fn promised(&self, env: &Env, processes: u8) -> Vec<(&Promise, Env)> {
        let mut found = Vec::new();
        for promise in self.transition.promises.iter().map(|at| &self.promises[*at]) {
            let mut envs = vec![Env::new()];
            for param in &promise.params {
                let with = |outer: &Env| {
                    let outer = outer.clone();
                    let free = (0..processes).filter(|process| !outer.contains(process)).collect::<Vec<_>>();
                    free.into_iter().map(move |process| bound(&outer, *param, process))
                };
                envs = envs.iter().flat_map(with).collect();
            }
            let acts = |one: &Env| {
                self.transition
                    .params
                    .iter()
                    .any(|param| one.contains(&resolve(ProcessName::Var(*param), env)))
            };
            found.extend(envs.into_iter().filter(acts).map(|env| (promise, env)));
        }
        found
    }

    /// Names a process for each promise, unless one of the branch is known to keep it: then what is required of all processes is
    /// required of that one.
    fn name<'t>(&'t self, branch: Branch<'t>, promised: &[(&'t Promise, Env)], then: Then<'_, 't>) {
        let Some(((promise, env), others)) = promised.split_first() else { return then(branch) };
        if promise.is_open(self.assumer, &branch.cube, env)
            || promise.is_kept(self.assumer, &branch.cube, env)
        {
            return self.name(branch, others, then);
        }
        self.assumer.assume(branch, &promise.some, env, &mut |branch| self.name(branch, others, then));
    }

    /// Finds the new value of each cell, with a branch for each arm that may apply.
    fn new_values<'t>(
        &'t self,
        branch: Branch<'t>,
        env: &Env,
        at: usize,
        values: NewValues,
        then: &mut dyn FnMut(Branch<'t>, NewValues),
    ) {
        let Some(cell) = self.cells.get(at) else { return then(branch, values) };
        let update = self.transition.update(cell.symbol()).expect("only such cells are kept");
        let inner = bind_cell(update, *cell, env);
        let mut with = |branch: Branch<'t>, value: NewValue| {
            let mut values = values.clone();
            if value != NewValue::Cell(*cell) {
                values.push((*cell, value));
            }
            self.new_values(branch, env, at + 1, values, then);
        };
        let plain = plain_value(update, &inner);
        for (condition, value) in &update.arms {
            match plain {
                // Only one arm can apply.
                Some(only) if std::ptr::eq(only, value) => {
                    self.value(branch.clone(), *cell, value, &inner, &mut with);
                }
                Some(_) => {}
                None => self.assumer.assume(branch.clone(), condition, &inner, &mut |branch| {
                    self.value(branch, *cell, value, &inner, &mut with);
                }),
            }
        }
    }

    fn value<'t>(
        &self,
        branch: Branch<'t>,
        cell: Cell,
        value: &ValueTerm,
        env: &Env,
        then: &mut dyn FnMut(Branch<'t>, NewValue),
    ) {
        match value {
            ValueTerm::Keep => then(branch, NewValue::Cell(cell)),
            ValueTerm::Constant(values) => then(branch, NewValue::Constant(*values)),
            ValueTerm::Process(name) => then(branch, NewValue::Constant(member(resolve(*name, env)))),
            ValueTerm::Read(term) => {
                self.assumer.cell(branch, term, env, &mut |branch, cell| then(branch, NewValue::Cell(cell)));
            }
            ValueTerm::Sum(sum) => {
                self.assumer.terms(branch, &sum.terms, env, SmallVec::new(), &mut |branch, terms| {
                    let (constant, denominator) = (sum.constant.into(), sum.denominator.into());
                    then(branch, NewValue::Sum(Box::new(NewSum { terms, constant, denominator })));
                });
            }
            ValueTerm::Any | ValueTerm::Perhaps => self.any(branch, cell, then),
        }
    }

    /// Any value will do, unless the cell is compared with another: then there is a branch for each.
    fn any<'t>(&self, branch: Branch<'t>, cell: Cell, then: &mut dyn FnMut(Branch<'t>, NewValue)) {
        let vocabulary = self.assumer.vocabulary;
        let kind = vocabulary.kind(cell);
        let values = self.extended(self.cube.values(vocabulary, cell), branch.cube.processes);
        let values = if kind == Kind::Process { values & RUN } else { values };
        let related =
            self.cube.relations.iter().any(|relation| relation.left == cell || relation.right == cell);
        if !kind.is_finite() || !related {
            if !kind.is_finite() || values != 0 {
                then(branch, NewValue::Any);
            }
            return;
        }
        let single = if kind == Kind::Process { values & MEMBERS } else { values };
        for bit in (0..64).filter(|bit| single >> bit & 1 == 1) {
            then(branch.clone(), NewValue::Constant(1 << bit));
        }
        if kind == Kind::Process
            && values & ELSEWHERE != 0
            && let Some((branch, process)) = self.assumer.with_new_process(branch)
        {
            then(branch, NewValue::Constant(member(process)));
        }
    }

    /// Values of the cube in a branch with more processes: the further ones are elsewhere for the cube.
    fn extended(&self, values: Values, processes: u8) -> Values {
        if values & ELSEWHERE == 0 {
            values
        } else {
            values | members(processes) & !members(self.cube.processes)
        }
    }

    /// Adds the literals of the cube, in terms of the state before the step.
    fn rewrite(&self, before: &mut Cube, values: &NewValues) -> Result<(), Contradiction> {
        for (cell, allowed) in &self.cube.finite {
            self.rewrite_finite(before, *cell, *allowed, values)?;
        }
        self.rewrite_relations(before, values)?;
        self.rewrite_linear(before, values)?;
        for (first, second) in &self.cube.order {
            before.precede(*first, *second)?;
        }
        Ok(())
    }

    fn rewrite_finite(
        &self,
        before: &mut Cube,
        cell: Cell,
        allowed: Values,
        values: &NewValues,
    ) -> Result<(), Contradiction> {
        let vocabulary = self.assumer.vocabulary;
        let allowed = if vocabulary.kind(cell) == Kind::Process {
            self.extended(allowed, before.processes)
        } else {
            allowed
        };
        match value_of(values, cell) {
            NewValue::Constant(value) if value & allowed == 0 => Err(Contradiction),
            NewValue::Cell(cell) => before.restrict(vocabulary, cell, allowed),
            _ => Ok(()),
        }
    }

    fn rewrite_relations(&self, before: &mut Cube, values: &NewValues) -> Result<(), Contradiction> {
        if self.cube.relations.is_empty() {
            return Ok(());
        }
        let vocabulary = self.assumer.vocabulary;
        let mut values = values.clone();
        self.settle_any(&mut values);
        for relation in &self.cube.relations {
            match (value_of(&values, relation.left), value_of(&values, relation.right)) {
                (NewValue::Constant(a), NewValue::Constant(b)) if (a == b) != relation.equal => {
                    return Err(Contradiction);
                }
                (NewValue::Cell(a), NewValue::Cell(b)) => before.relate(a, b, relation.equal)?,
                (NewValue::Cell(cell), NewValue::Constant(value))
                | (NewValue::Constant(value), NewValue::Cell(cell)) => {
                    before.restrict(vocabulary, cell, if relation.equal { value } else { !value })?;
                }
                // An abstract type always has a value that differs; cells that must equal another have its value by now.
                _ => {}
            }
        }
        Ok(())
    }

    /// A cell of an abstract type that may get any value gets that of the cell that it must equal.
    fn settle_any(&self, values: &mut NewValues) {
        for relation in self.cube.relations.iter().filter(|relation| relation.equal) {
            for (cell, other) in [(relation.left, relation.right), (relation.right, relation.left)] {
                let value = value_of(values, other);
                if value_of(values, cell) == NewValue::Any && value != NewValue::Any {
                    values
                        .iter_mut()
                        .filter(|(known, _)| *known == cell)
                        .for_each(|(_, old)| *old = value.clone());
                }
            }
        }
    }

    fn rewrite_linear(&self, before: &mut Cube, values: &NewValues) -> Result<(), Contradiction> {
        if self.cube.linear.is_empty() {
            return Ok(());
        }
        let mut constraints = self.cube.linear.clone();
        // Cells that are assigned satisfy their types after the step; for the others, types are facts of the state before.
        constraints.extend(self.cube.facts(self.assumer.vocabulary));
        for (cell, value) in values {
            if *value == NewValue::Any && self.assumer.vocabulary.kind(*cell).is_number() {
                constraints = project(&constraints, *cell).ok_or(Contradiction)?;
            }
        }
        for constraint in &constraints {
            match substitute(constraint, values) {
                Some(Simplified::Never) => return Err(Contradiction),
                Some(Simplified::Constraint(constraint)) => before.linear.push(constraint),
                Some(Simplified::Always) | None => {}
            }
        }
        Ok(())
    }
}

/// Whether a term stands for a cell.
fn is_cell(term: &CellTerm, env: &Env, cell: Cell) -> bool {
    let mut same = term.symbol == cell.symbol();
    for (position, index) in term.indices.iter().enumerate() {
        same &= match index {
            ProcessTerm::Name(name) => resolve(*name, env) == cell.index(position),
            ProcessTerm::Read(_) => false,
        };
    }
    same
}

fn bind_cell(update: &Update, cell: Cell, env: &Env) -> Env {
    let mut env = env.clone();
    for (position, variable) in update.cell.iter().enumerate() {
        bind(&mut env, *variable, cell.index(position));
    }
    env
}

fn value_of(values: &NewValues, cell: Cell) -> NewValue {
    values.iter().find(|(known, _)| *known == cell).map_or(NewValue::Cell(cell), |(_, value)| value.clone())
}

/// The value of the only arm that can apply, if the processes alone decide that.
fn plain_value<'u>(update: &'u Update, env: &Env) -> Option<&'u ValueTerm> {
    for (condition, value) in &update.arms {
        match plain_truth(condition, env) {
            Some(true) => return Some(value),
            Some(false) => {}
            None => return None,
        }
    }
    None
}

/// Whether a formula holds, if the processes that variables stand for decide it.
fn plain_truth(node: &Node, env: &Env) -> Option<bool> {
    match node {
        Node::True => Some(true),
        Node::False => Some(false),
        Node::Same(left, right, positive) => Some((resolve(*left, env) == resolve(*right, env)) == *positive),
        Node::And(parts) => {
            let mut all = Some(true);
            for part in parts {
                match plain_truth(part, env) {
                    Some(false) => return Some(false),
                    None => all = None,
                    Some(true) => {}
                }
            }
            all
        }
        Node::Or(parts) => {
            let mut any = Some(false);
            for part in parts {
                match plain_truth(part, env) {
                    Some(true) => return Some(true),
                    None => any = None,
                    Some(false) => {}
                }
            }
            any
        }
        _ => None,
    }
}

/// A constraint with cells replaced by their new values; `None` if its numbers are too large.
fn substitute(constraint: &Constraint, values: &NewValues) -> Option<Simplified> {
    let mut scale: i128 = 1;
    for (cell, _) in &constraint.terms {
        if let NewValue::Sum(sum) = value_of(values, *cell) {
            scale = scale.checked_mul(sum.denominator)?;
        }
    }
    let mut terms: Vec<(Cell, i128)> = Vec::new();
    let mut constant = i128::from(constraint.constant).checked_mul(scale)?;
    for (cell, factor) in &constraint.terms {
        let factor = i128::from(*factor).checked_mul(scale)?;
        match value_of(values, *cell) {
            NewValue::Sum(sum) => {
                let factor = factor / sum.denominator;
                for (part, times) in &sum.terms {
                    terms.push((*part, factor.checked_mul(*times)?));
                }
                constant = constant.checked_add(factor.checked_mul(sum.constant)?)?;
            }
            NewValue::Cell(cell) => terms.push((cell, factor)),
            NewValue::Constant(_) | NewValue::Any => unreachable!("numbers are sums, and open ones are gone"),
        }
    }
    simplify(terms, constant, constraint.comparison, constraint.whole)
}
