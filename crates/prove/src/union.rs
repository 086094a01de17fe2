//! When several cubes together cover one: every state that matches it matches one of them.
//!
//! Instances of the visited cubes, each under a mapping of its processes into those of the cube in question, are
//! clauses: not all of its literals hold. Literals that follow from the cube are left out; an instance with one
//! literal left restricts the cube, as in unit propagation. If a contradiction arises, the cube is covered. A
//! few case splits follow. Instances with many literals left are not looked at: missing a cover costs time only.

use crate::cell::{Cell, Process};
use crate::cover::related;
use crate::cube::{Contradiction, Cube, Relation};
use crate::linear::{Constraint, Simplified, entails, satisfiable};
use crate::search::NodeId;
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, Values, Vocabulary, member, members};
use smallvec::SmallVec;

/// A literal in terms of the cube in question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Literal {
    Finite(Cell, Values),
    Relation(Relation),
    Linear(Constraint),
    Order(Process, Process),
}

/// What is known about a literal.
enum Status {
    Follows,
    Contradicts,
    Open,
}

/// An instance of a visited cube: not all of these hold.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    of: NodeId,
    open: SmallVec<[Literal; 3]>,
}

/// Instances with more open literals are not looked at.
pub(crate) const MAX_OPEN: usize = 3;
/// So many case splits are made for one question.
const MAX_SPLITS: usize = 24;

/// Collects the instances of a cube that leave at most `MAX_OPEN` literals open.
pub(crate) fn instances(
    vocabulary: &Vocabulary,
    general: &Cube,
    id: NodeId,
    special: &Cube,
    found: &mut Vec<Instance>,
) {
    if general.processes > special.processes {
        return;
    }
    let facts = if general.linear.is_empty() { vec![] } else { special.facts(vocabulary) };
    let matching =
        Matching { vocabulary, general, special, facts, map: [Process::MAX; 16], image: 0, id, found };
    let mut matching = matching;
    matching.extend(0, SmallVec::new());
}

struct Matching<'a> {
    vocabulary: &'a Vocabulary,
    general: &'a Cube,
    special: &'a Cube,
    facts: Vec<Constraint>,
    map: [Process; 16],
    image: Values,
    id: NodeId,
    found: &'a mut Vec<Instance>,
}

impl Matching<'_> {
    fn extend(&mut self, at: Process, mut open: SmallVec<[Literal; 3]>) {
        if self.finite_literals(at, &mut open).is_err() || open.len() > MAX_OPEN {
            return;
        }
        if at == self.general.processes {
            if self.other_literals(&mut open).is_ok() && open.len() <= MAX_OPEN {
                self.found.push(Instance { of: self.id, open });
            }
            return;
        }
        let is_named = at < self.vocabulary.named;
        for process in 0..self.special.processes {
            if self.image & member(process) != 0 || is_named && process != at {
                continue;
            }
            self.map[usize::from(at)] = process;
            self.image |= member(process);
            self.extend(at + 1, open.clone());
            self.image &= !member(process);
        }
    }

    fn finite_literals(&self, at: Process, open: &mut SmallVec<[Literal; 3]>) -> Result<(), Contradiction> {
        for (cell, values) in &self.general.finite {
            let symbol = self.vocabulary.symbol(*cell);
            let level = match symbol.kind {
                Kind::Process => self.general.processes,
                _ => cell.indices(symbol.arity).max().map_or(0, |last| last + 1),
            };
            if level != at {
                continue;
            }
            let cell = cell.rename(symbol.arity, &self.map);
            let allowed = if symbol.kind == Kind::Process { self.translated(*values) } else { *values };
            let known = self.special.values(self.vocabulary, cell);
            if known & allowed == 0 {
                return Err(Contradiction);
            }
            if known & !allowed != 0 {
                open.push(Literal::Finite(cell, allowed));
                if open.len() > MAX_OPEN {
                    return Err(Contradiction);
                }
            }
        }
        Ok(())
    }

    fn translated(&self, values: Values) -> Values {
        let mut translated = values & !MEMBERS;
        for process in 0..self.general.processes {
            if values & member(process) != 0 {
                translated |= member(self.map[usize::from(process)]);
            }
        }
        if values & ELSEWHERE != 0 {
            translated |= members(self.special.processes) & !self.image;
        }
        translated
    }

    fn other_literals(&self, open: &mut SmallVec<[Literal; 3]>) -> Result<(), Contradiction> {
        let rename = |cell: Cell| cell.rename(self.vocabulary.arity(cell), &self.map);
        let orders = self.general.order.iter().map(|(first, second)| {
            Literal::Order(self.map[usize::from(*first)], self.map[usize::from(*second)])
        });
        let relations = self.general.relations.iter().map(|relation| {
            let (a, b) = (rename(relation.left), rename(relation.right));
            Literal::Relation(Relation { left: a.min(b), right: a.max(b), equal: relation.equal })
        });
        let linear = self.general.linear.iter().map(|constraint| Literal::Linear(constraint.map(rename)));
        for literal in orders.chain(relations).chain(linear) {
            match status(self.vocabulary, self.special, &self.facts, &literal) {
                Status::Follows => {}
                Status::Contradicts => return Err(Contradiction),
                Status::Open => open.push(literal),
            }
        }
        Ok(())
    }
}

fn status(vocabulary: &Vocabulary, cube: &Cube, facts: &[Constraint], literal: &Literal) -> Status {
    match literal {
        Literal::Finite(cell, allowed) => {
            let known = cube.values(vocabulary, *cell);
            if known & allowed == 0 {
                Status::Contradicts
            } else if known & !allowed == 0 {
                Status::Follows
            } else {
                Status::Open
            }
        }
        Literal::Relation(relation) => match related(vocabulary, cube, relation.left, relation.right) {
            Some(equal) if equal == relation.equal => Status::Follows,
            Some(_) => Status::Contradicts,
            None => Status::Open,
        },
        Literal::Order(first, second) => {
            if cube.order.contains(&(*first, *second)) {
                Status::Follows
            } else if cube.order.contains(&(*second, *first)) {
                Status::Contradicts
            } else {
                Status::Open
            }
        }
        Literal::Linear(constraint) => {
            if entails(&cube.linear, facts, constraint) {
                Status::Follows
            } else if satisfiable(cube.linear.iter().chain(facts).chain(std::iter::once(constraint))) {
                Status::Open
            } else {
                Status::Contradicts
            }
        }
    }
}

/// Whether the instances leave nothing of a cube. If so, `used` has the visited cubes that matter, and perhaps more.
pub(crate) fn is_covered(
    vocabulary: &Vocabulary,
    cube: &Cube,
    instances: Vec<Instance>,
    used: &mut Vec<NodeId>,
) -> bool {
    let mut splits = MAX_SPLITS;
    refute(vocabulary, cube.clone(), instances, &mut splits, used)
}

/// Whether a cube contradicts the instances.
fn refute(
    vocabulary: &Vocabulary,
    mut cube: Cube,
    mut instances: Vec<Instance>,
    splits: &mut usize,
    used: &mut Vec<NodeId>,
) -> bool {
    loop {
        let facts = vocabulary.facts(numeric_cells(&cube, &instances), cube.processes);
        let mut unit = None;
        let mut done = false;
        instances.retain_mut(|instance| {
            let mut contradicts = false;
            instance.open.retain(|literal| match status(vocabulary, &cube, &facts, literal) {
                Status::Follows => false,
                Status::Contradicts => {
                    contradicts = true;
                    true
                }
                Status::Open => true,
            });
            if contradicts {
                return false;
            }
            if instance.open.is_empty() && !done {
                used.push(instance.of);
                done = true;
            }
            if instance.open.len() == 1 && unit.is_none() {
                unit = Some(instance.clone());
                return false;
            }
            true
        });
        if done {
            return true;
        }
        let Some(unit) = unit else { break };
        used.push(unit.of);
        if deny(vocabulary, &mut cube, &unit.open[0]).is_err() {
            return true;
        }
    }
    let Some(literal) =
        instances.iter().min_by_key(|instance| instance.open.len()).map(|i| i.open[0].clone())
    else {
        return false;
    };
    if *splits == 0 {
        return false;
    }
    *splits -= 1;
    let mut without = cube.clone();
    if deny(vocabulary, &mut without, &literal).is_ok()
        && !refute(vocabulary, without, instances.clone(), splits, used)
    {
        return false;
    }
    claim(vocabulary, &mut cube, literal).is_err() || refute(vocabulary, cube, instances, splits, used)
}

fn numeric_cells<'a>(cube: &'a Cube, instances: &'a [Instance]) -> impl Iterator<Item = Cell> + 'a {
    let open = instances.iter().flat_map(|instance| &instance.open).filter_map(|literal| match literal {
        Literal::Linear(constraint) => Some(constraint),
        _ => None,
    });
    cube.linear.iter().chain(open).flat_map(|constraint| constraint.terms.iter().map(|(cell, _)| *cell))
}

fn claim(vocabulary: &Vocabulary, cube: &mut Cube, literal: Literal) -> Result<(), Contradiction> {
    match literal {
        Literal::Finite(cell, values) => cube.restrict(vocabulary, cell, values)?,
        Literal::Relation(relation) => cube.relate(relation.left, relation.right, relation.equal)?,
        Literal::Order(first, second) => cube.precede(first, second)?,
        Literal::Linear(constraint) => cube.linear.push(constraint),
    }
    conclude(vocabulary, cube)
}

/// Assumes that a literal does not hold. Where that is no conjunction, nothing is assumed.
fn deny(vocabulary: &Vocabulary, cube: &mut Cube, literal: &Literal) -> Result<(), Contradiction> {
    match literal {
        Literal::Finite(cell, values) => cube.restrict(vocabulary, *cell, !values)?,
        Literal::Relation(relation) => cube.relate(relation.left, relation.right, !relation.equal)?,
        Literal::Order(first, second) => cube.precede(*second, *first)?,
        Literal::Linear(constraint) => match constraint.negations().as_slice() {
            [Simplified::Constraint(negation)] => cube.linear.push(negation.clone()),
            [Simplified::Never] => return Err(Contradiction),
            _ => {}
        },
    }
    conclude(vocabulary, cube)
}

fn conclude(vocabulary: &Vocabulary, cube: &mut Cube) -> Result<(), Contradiction> {
    if cube.relations.is_empty() && cube.linear.is_empty() && cube.order.is_empty() {
        return Ok(());
    }
    cube.settle(vocabulary)
}
