//! Assuming a formula: from a cube to the cubes that also satisfy the formula.
//!
//! Branches are handed to a continuation one by one, so that a contradiction ends a branch before anything
//! else is computed for it. Where a cell is indexed by the value of another, there is a branch for each process
//! that it may be, and one with a further process. Universal parts are kept, and at the end instantiated over
//! all processes of the branch: over more would be exact, over fewer is a weaker assumption.

use crate::cell::{Cell, MAX_PROCESSES, Process};
use crate::cube::{Contradiction, Cube};
use crate::linear::{Comparison, Simplified, simplify};
use crate::template::{CellTerm, Node, ProcessName, ProcessTerm, SumTerm};
use crate::vocabulary::{ELSEWHERE, MEMBERS, RUN, Values, Vocabulary, member, members};
use explore::Deadline;
use explore::Limit;
use smallvec::SmallVec;
use std::cell::Cell as Flag;
use std::sync::atomic::{AtomicBool, Ordering};

/// The processes that variables stand for.
pub(crate) type Env = SmallVec<[Process; 12]>;

/// Multiples of cells.
pub(crate) type Multiples = SmallVec<[(Cell, i128); 4]>;

/// A variable that has no value yet.
pub(crate) const UNBOUND: Process = Process::MAX;

/// A cube in the making.
#[derive(Clone, Debug)]
pub(crate) struct Branch<'t> {
    pub(crate) cube: Cube,
    /// Universal formulas with what their free variables stand for, and how many processes they were applied to.
    universals: SmallVec<[Universal<'t>; 2]>,
}

#[derive(Clone, Debug)]
struct Universal<'t> {
    variables: &'t [u16],
    apart_from: &'t [u16],
    body: &'t Node,
    env: Env,
    done: u8,
}

impl<'t> Branch<'t> {
    pub(crate) fn new(cube: Cube) -> Branch<'t> {
        Branch { cube, universals: SmallVec::new() }
    }
}

/// The continuation of a branch.
pub(crate) type Then<'a, 't> = &'a mut dyn FnMut(Branch<'t>);

/// Whether there is time left, and what had to be given up: shared by everything that computes branches of a search.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    deadline: Deadline,
    /// A branch was given up because it has too many processes.
    overflow: AtomicBool,
    /// Branches were given up because there is no time left.
    late: AtomicBool,
}

impl Watch {
    pub(crate) fn new(deadline: Deadline) -> Watch {
        Watch { deadline, ..Watch::default() }
    }

    /// The same deadline for a separate search: what it gives up does not count here.
    pub(crate) fn separate(&self) -> Watch {
        Watch::new(self.deadline.clone())
    }

    /// Whether a branch was given up because it has too many processes.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflow.load(Ordering::Relaxed)
    }

    pub(crate) fn overflow(&self) {
        self.overflow.store(true, Ordering::Relaxed);
    }

    /// Whether branches were given up because there is no time left.
    pub(crate) fn is_late(&self) -> bool {
        self.late.load(Ordering::Relaxed)
    }

    /// The limit because of which branches were given up, if they were.
    pub(crate) fn ended(&self) -> Option<Limit> {
        self.is_late().then(|| self.deadline.ended().unwrap_or(Limit::Time))
    }

    /// Looks at the clock, and returns whether there is no time left.
    pub(crate) fn look(&self) -> bool {
        if self.deadline.ended().is_some() {
            self.late.store(true, Ordering::Relaxed);
        }
        self.is_late()
    }
}

/// Assumes formulas.
#[derive(Debug)]
pub(crate) struct Assumer<'v> {
    pub(crate) vocabulary: &'v Vocabulary,
    pub(crate) watch: &'v Watch,
    /// The number of formulas that were assumed so far: the clock is looked at now and then.
    assumed: Flag<u32>,
}

/// The clock is looked at once in this many formulas.
const ASSUMED_PER_LOOK: u32 = 4096;
/// Cubes with at least this many processes take long to bring into canonical form.
const MANY_PROCESSES: u8 = 8;

impl<'v> Assumer<'v> {
    pub(crate) fn new(vocabulary: &'v Vocabulary, watch: &'v Watch) -> Assumer<'v> {
        Assumer { vocabulary, watch, assumed: Flag::new(0) }
    }

    /// Whether there is no time left: then what has been found is incomplete.
    fn is_late(&self) -> bool {
        self.assumed.set(self.assumed.get().wrapping_add(1));
        if self.assumed.get().is_multiple_of(ASSUMED_PER_LOOK) {
            self.watch.look();
        }
        self.watch.is_late()
    }

    /// All branches in which a formula holds.
    pub(crate) fn assume<'t>(&self, mut branch: Branch<'t>, node: &'t Node, env: &Env, then: Then<'_, 't>) {
        if self.is_late() {
            return;
        }
        match node {
            Node::True | Node::Perhaps => then(branch),
            Node::False => {}
            Node::And(parts) => self.assume_all(branch, parts, env, then),
            Node::Or(parts) => {
                for part in parts {
                    self.assume(branch.clone(), part, env, then);
                }
            }
            Node::All { variables, apart_from, body } => {
                branch.universals.push(Universal { variables, apart_from, body, env: env.clone(), done: 0 });
                then(branch);
            }
            Node::Some { variables, apart_from, body } => {
                self.choose(branch, variables, apart_from, env, &mut |branch, env| {
                    self.assume(branch, body, env, then);
                });
            }
            literal => self.literal(branch, literal, env, then),
        }
    }

    fn assume_all<'t>(&self, mut branch: Branch<'t>, parts: &'t [Node], env: &Env, then: Then<'_, 't>) {
        let mut rest = parts;
        // Literals that do not branch are assumed in place.
        while let Some((part, others)) = rest.split_first() {
            match self.in_place(&mut branch.cube, part, env) {
                Some(Ok(())) => rest = others,
                Some(Err(Contradiction)) => return,
                None => break,
            }
        }
        match rest.split_first() {
            None => then(branch),
            Some((part, others)) => {
                self.assume(branch, part, env, &mut |branch| self.assume_all(branch, others, env, then));
            }
        }
    }

    /// Every way to give distinct processes to variables: those of the branch, or further ones in order.
    fn choose<'t>(
        &self,
        branch: Branch<'t>,
        variables: &[u16],
        apart_from: &[u16],
        env: &Env,
        then: &mut dyn FnMut(Branch<'t>, &Env),
    ) {
        let Some((variable, others)) = variables.split_first() else { return then(branch, env) };
        let taken = |process: Process| {
            let is = |other: &u16| env.get(usize::from(*other)) == Some(&process);
            apart_from.iter().any(is)
        };
        let mut apart: SmallVec<[u16; 8]> = SmallVec::from_slice(apart_from);
        apart.push(*variable);
        for process in (0..branch.cube.processes).filter(|process| !taken(*process)) {
            self.choose(branch.clone(), others, &apart, &bound(env, *variable, process), then);
        }
        if let Some((branch, process)) = self.with_new_process(branch) {
            self.choose(branch, others, &apart, &bound(env, *variable, process), then);
        }
    }

    /// The branch with a further process, unless there cannot be one.
    pub(crate) fn with_new_process<'t>(&self, mut branch: Branch<'t>) -> Option<(Branch<'t>, Process)> {
        if branch.cube.processes >= self.vocabulary.most {
            if self.vocabulary.most == MAX_PROCESSES {
                self.watch.overflow();
            }
            return None;
        }
        let process = branch.cube.add_process(self.vocabulary);
        Some((branch, process))
    }

    /// Applies all universal formulas to all processes.
    pub(crate) fn finish<'t>(&self, mut branch: Branch<'t>, then: Then<'_, 't>) {
        let processes = branch.cube.processes;
        let Some(at) = branch.universals.iter().position(|universal| universal.done < processes) else {
            // What is done with the cube takes long if it has numbers or many processes.
            let is_costly = !branch.cube.linear.is_empty() || processes >= MANY_PROCESSES;
            if is_costly && self.watch.look() {
                return;
            }
            return then(branch);
        };
        let universal = branch.universals[at].clone();
        branch.universals[at].done = processes;
        let mut tuples = Vec::new();
        tuples_with_new(&universal, processes, &mut tuples);
        self.instantiate(branch, universal.body, &tuples, &mut |branch| self.finish(branch, then));
    }

    fn instantiate<'t>(&self, branch: Branch<'t>, body: &'t Node, envs: &[Env], then: Then<'_, 't>) {
        let Some((env, others)) = envs.split_first() else { return then(branch) };
        self.assume(branch, body, env, &mut |branch| self.instantiate(branch, body, others, then));
    }

    /// Assumes a literal whose cells need no branching; `None` if they do.
    fn in_place(&self, cube: &mut Cube, node: &Node, env: &Env) -> Option<Result<(), Contradiction>> {
        let vocabulary = self.vocabulary;
        Some(match node {
            Node::True | Node::Perhaps => Ok(()),
            Node::False => Err(Contradiction),
            Node::In(cell, values) => cube.restrict(vocabulary, flat(cell, env)?, *values),
            Node::Is(cell, process, positive) => {
                let value = member(resolve(*process, env));
                cube.restrict(vocabulary, flat(cell, env)?, if *positive { value } else { !value })
            }
            Node::Same(left, right, positive) => {
                if (resolve(*left, env) == resolve(*right, env)) == *positive {
                    Ok(())
                } else {
                    Err(Contradiction)
                }
            }
            Node::Equal(left, right, equal) => {
                let (left, right) = (flat(left, env)?, flat(right, env)?);
                cube.relate(left, right, *equal)
            }
            Node::Before(ProcessTerm::Name(first), ProcessTerm::Name(second)) => {
                cube.precede(resolve(*first, env), resolve(*second, env))
            }
            Node::Compare(sum, comparison) => {
                let terms: Option<Multiples> = sum
                    .terms
                    .iter()
                    .map(|(factor, cell)| Some((flat(cell, env)?, i128::from(*factor))))
                    .collect();
                constrain(cube, terms?, sum, *comparison)
            }
            _ => return None,
        })
    }

    /// A literal with cells whose indices are values of cells.
    fn literal<'t>(&self, branch: Branch<'t>, node: &'t Node, env: &Env, then: Then<'_, 't>) {
        match node {
            Node::In(cell, values) => self.cell(branch, cell, env, &mut |mut branch, cell| {
                if branch.cube.restrict(self.vocabulary, cell, *values).is_ok() {
                    then(branch);
                }
            }),
            Node::Is(cell, process, positive) => self.cell(branch, cell, env, &mut |mut branch, cell| {
                let value = member(resolve(*process, env));
                let values = if *positive { value } else { !value };
                if branch.cube.restrict(self.vocabulary, cell, values).is_ok() {
                    then(branch);
                }
            }),
            Node::Equal(left, right, equal) => self.cell(branch, left, env, &mut |branch, left| {
                self.cell(branch, right, env, &mut |mut branch, right| {
                    if branch.cube.relate(left, right, *equal).is_ok() {
                        then(branch);
                    }
                });
            }),
            Node::Before(first, second) => self.process(branch, first, env, &mut |branch, first| {
                self.process(branch, second, env, &mut |mut branch, second| {
                    if branch.cube.precede(first, second).is_ok() {
                        then(branch);
                    }
                });
            }),
            Node::Compare(sum, comparison) => {
                self.terms(branch, &sum.terms, env, SmallVec::new(), &mut |mut branch, terms| {
                    if constrain(&mut branch.cube, terms, sum, *comparison).is_ok() {
                        then(branch);
                    }
                });
            }
            _ => {
                let mut branch = branch;
                if let Some(Ok(())) = self.in_place(&mut branch.cube, node, env) {
                    then(branch);
                }
            }
        }
    }

    /// The cells of a sum.
    pub(crate) fn terms<'t>(
        &self,
        branch: Branch<'t>,
        terms: &[(i64, CellTerm)],
        env: &Env,
        done: Multiples,
        then: &mut dyn FnMut(Branch<'t>, Multiples),
    ) {
        let Some(((factor, cell), others)) = terms.split_first() else { return then(branch, done) };
        self.cell(branch, cell, env, &mut |branch, cell| {
            let mut done = done.clone();
            done.push((cell, i128::from(*factor)));
            self.terms(branch, others, env, done, then);
        });
    }

    /// The cell that a term stands for, in each branch.
    pub(crate) fn cell<'t>(
        &self,
        branch: Branch<'t>,
        term: &CellTerm,
        env: &Env,
        then: &mut dyn FnMut(Branch<'t>, Cell),
    ) {
        if let Some(cell) = flat(term, env) {
            return then(branch, cell);
        }
        self.indices(branch, term, env, &[], then);
    }

    fn indices<'t>(
        &self,
        branch: Branch<'t>,
        term: &CellTerm,
        env: &Env,
        known: &[Process],
        then: &mut dyn FnMut(Branch<'t>, Cell),
    ) {
        let Some(index) = term.indices.get(known.len()) else {
            return then(branch, Cell::new(term.symbol, known));
        };
        self.process(branch, index, env, &mut |branch, process| {
            let mut known: SmallVec<[Process; 4]> = SmallVec::from_slice(known);
            known.push(process);
            self.indices(branch, term, env, &known, then);
        });
    }

    /// The process that a term stands for, in each branch. An outsider has no cells and no place in the order.
    pub(crate) fn process<'t>(
        &self,
        branch: Branch<'t>,
        term: &ProcessTerm,
        env: &Env,
        then: &mut dyn FnMut(Branch<'t>, Process),
    ) {
        let pointer = match term {
            ProcessTerm::Name(name) => return then(branch, resolve(*name, env)),
            ProcessTerm::Read(cell) => cell,
        };
        self.cell(branch, pointer, env, &mut |branch, cell| self.each_process(branch, cell, RUN, then));
    }

    /// A branch for each process of the run among these that a cell may hold.
    pub(crate) fn each_process<'t>(
        &self,
        branch: Branch<'t>,
        cell: Cell,
        among: Values,
        then: &mut dyn FnMut(Branch<'t>, Process),
    ) {
        let values = branch.cube.values(self.vocabulary, cell) & among;
        for process in 0..branch.cube.processes {
            if values & member(process) != 0 {
                let mut branch = branch.clone();
                if branch.cube.restrict(self.vocabulary, cell, member(process)).is_ok() {
                    then(branch, process);
                }
            }
        }
        if values & ELSEWHERE != 0
            && let Some((mut branch, process)) = self.with_new_process(branch)
            && branch.cube.restrict(self.vocabulary, cell, member(process)).is_ok()
        {
            then(branch, process);
        }
    }
}

/// Adds a comparison to a cube.
pub(crate) fn constrain(
    cube: &mut Cube,
    terms: impl IntoIterator<Item = (Cell, i128)>,
    sum: &SumTerm,
    comparison: Comparison,
) -> Result<(), Contradiction> {
    match simplify(terms, sum.constant.into(), comparison, sum.whole) {
        Some(Simplified::Never) => Err(Contradiction),
        Some(Simplified::Constraint(constraint)) => {
            if !cube.linear.contains(&constraint) {
                cube.linear.push(constraint);
            }
            Ok(())
        }
        // Leaving out a constraint whose numbers are too large weakens the cube, which is sound.
        Some(Simplified::Always) | None => Ok(()),
    }
}

pub(crate) fn resolve(name: ProcessName, env: &Env) -> Process {
    match name {
        ProcessName::Var(variable) => env[usize::from(variable)],
        ProcessName::Named(process) => process,
    }
}

/// The cell of a term all of whose indices are names.
fn flat(term: &CellTerm, env: &Env) -> Option<Cell> {
    let mut indices: SmallVec<[Process; 4]> = SmallVec::new();
    for index in &term.indices {
        match index {
            ProcessTerm::Name(name) => indices.push(resolve(*name, env)),
            ProcessTerm::Read(_) => return None,
        }
    }
    Some(Cell::new(term.symbol, &indices))
}

pub(crate) fn bound(env: &Env, variable: u16, process: Process) -> Env {
    let mut env = env.clone();
    bind(&mut env, variable, process);
    env
}

pub(crate) fn bind(env: &mut Env, variable: u16, process: Process) {
    let at = usize::from(variable);
    if env.len() <= at {
        env.resize(at + 1, UNBOUND);
    }
    env[at] = process;
}

/// The tuples of distinct processes below a number with at least one that is new.
fn tuples_with_new(universal: &Universal<'_>, processes: u8, found: &mut Vec<Env>) {
    let excluded = universal
        .apart_from
        .iter()
        .filter_map(|variable| universal.env.get(usize::from(*variable)))
        .filter(|process| **process != UNBOUND)
        .fold(0, |set, process| set | member(*process));
    let free = members(processes) & !excluded & MEMBERS;
    tuples(universal.variables, &universal.env, free, universal.done, found);
}

fn tuples(variables: &[u16], env: &Env, free: Values, done: u8, found: &mut Vec<Env>) {
    let Some((variable, others)) = variables.split_first() else {
        return found.push(env.clone());
    };
    for process in (0..MAX_PROCESSES).filter(|process| free & member(*process) != 0) {
        let is_new = process >= done;
        // A tuple of processes that were all there before has been dealt with.
        if is_new || !others.is_empty() {
            let done = if is_new { 0 } else { done };
            tuples(others, &bound(env, *variable, process), free & !member(process), done, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_old_and_new_processes_come_in_both_orders() {
        let mut found = Vec::new();
        tuples(&[0, 1], &Env::new(), members(3), 2, &mut found);
        let mut pairs: Vec<(Process, Process)> = found.iter().map(|env| (env[0], env[1])).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 2), (1, 2), (2, 0), (2, 1)], "two were there before");
    }
}
