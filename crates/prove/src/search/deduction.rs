//! What follows within one state: from lemmas, and from processes that counters promise.
//!
//! Whoever has decided has seen a quorum, and votes are not taken back: so there still is one. Two quorums have a member in common,
//! who voted for both. No cube says this; but a cube is impossible if it contradicts itself once lemmas have told how large counters
//! are, and the processes that counters promise have been named.

use super::problem::Problem;
use crate::assume::{Branch, Env};
use crate::canonical::canonical;
use crate::cell::{Cell, Process};
use crate::cube::{Contradiction, Cube};
use crate::linear::{Comparison, Simplified, simplify};
use crate::preimage::pre_images;
use crate::subsumption::subsumes;
use crate::system::{System, Transition, Update};
use crate::template::{Node, ProcessName, ProcessTerm, ValueTerm};
use crate::vocabulary::{Kind, Values};

/// The most processes that are named one after the other.
const MOST_NAMED: usize = 2;
/// The most lemmas that are tried.
const MOST_LEMMAS: usize = 64;

impl Problem<'_> {
    /// Whether no reachable state matches a cube, as far as lemmas and promises of counters tell.
    pub(super) fn is_impossible(&self, cube: &Cube) -> bool {
        !self.system.counted.is_empty() && self.is_impossible_with(cube.clone(), MOST_NAMED)
    }

    fn is_impossible_with(&self, mut cube: Cube, named: usize) -> bool {
        if self.strengthen(&mut cube).is_err() || self.is_out_of_place(&cube) {
            return true;
        }
        named > 0
            && self.system.counted.iter().any(|promise| {
                let (assumer, env) = (self.assumer(), Env::new());
                if promise.is_open(&assumer, &cube, &env) || promise.is_kept(&assumer, &cube, &env) {
                    return false;
                }
                let mut possible = false;
                assumer.assume(Branch::new(cube.clone()), &promise.some, &env, &mut |branch| {
                    possible = possible || !self.is_impossible_with(branch.cube, named - 1);
                });
                !possible
            })
    }

    /// Whether a process of a cube is where none gets to.
    fn is_out_of_place(&self, cube: &Cube) -> bool {
        self.unreached.iter().any(|unreached| subsumes(self.vocabulary(), unreached, cube))
    }

    /// Adds what lemmas say about the numbers of a cube.
    fn strengthen(&self, cube: &mut Cube) -> Result<(), Contradiction> {
        loop {
            let before = cube.linear.clone();
            cube.settle(self.vocabulary())?;
            // An assumption about numbers is as good as a lemma.
            let assumed = self
                .excluded
                .iter()
                .filter(|cube| cube.processes <= 1 && cube.relations.is_empty() && cube.order.is_empty());
            for lemma in self.lemmas.iter().chain(assumed) {
                for process in 0..cube.processes.max(1) {
                    self.apply(lemma, process, cube)?;
                }
            }
            cube.settle(self.vocabulary())?;
            if cube.linear == before {
                return Ok(());
            }
        }
    }

    /// A lemma is about values of globals and of the cells of one process, with one constraint: where the cells have the values, the
    /// constraint does not hold.
    fn apply(&self, lemma: &Cube, process: Process, cube: &mut Cube) -> Result<(), Contradiction> {
        let [constraint] = lemma.linear.as_slice() else { return Ok(()) };
        let holds = lemma.finite.iter().all(|(cell, values)| {
            let arity = self.vocabulary().arity(*cell);
            let exists = arity == 0 || process < cube.processes;
            exists && cube.values(self.vocabulary(), cell.rename(arity, &[process])) & !values == 0
        });
        if !holds {
            return Ok(());
        }
        if let [negation] = constraint.negations().as_slice() {
            match negation {
                Simplified::Never => return Err(Contradiction),
                Simplified::Constraint(known) if !cube.linear.contains(known) => {
                    cube.linear.push(known.clone());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lemmas about guards that stay true: where a step has given a cell its value, what it required of counters still holds.
    /// Those that are inductive together.
    pub(super) fn lemmas(&self) -> Vec<Cube> {
        if self.system.counted.is_empty() {
            return vec![];
        }
        let mut lemmas: Vec<Cube> = Vec::new();
        for transition in &self.system.transitions {
            for mut cube in candidates(self.system, transition) {
                let tenable = cube.settle(self.vocabulary()).is_ok() && !self.meets_initial(&cube);
                canonical(&mut cube, self.vocabulary());
                if tenable && lemmas.len() < MOST_LEMMAS && !lemmas.contains(&cube) {
                    lemmas.push(cube);
                }
            }
        }
        loop {
            let kept: Vec<Cube> =
                lemmas.iter().filter(|lemma| self.is_inductive(lemma, &lemmas)).cloned().collect();
            if kept.len() == lemmas.len() {
                return kept;
            }
            lemmas = kept;
        }
    }

    /// Whether no step leads into a cube from outside of some cubes.
    fn is_inductive(&self, cube: &Cube, known: &[Cube]) -> bool {
        let assumer = self.assumer();
        self.system.transitions.iter().all(|transition| {
            let mut inductive = true;
            pre_images(&assumer, &self.system.promises, transition, cube, &mut |before| {
                inductive = inductive
                    && (self.is_out_of_place(&before)
                        || known.iter().any(|known| subsumes(self.vocabulary(), known, &before)));
            });
            inductive
        })
    }
}

/// For each constant that a transition assigns and each comparison of global numbers that it requires: the cell has the value, and
/// the comparison does not hold.
fn candidates(system: &System, transition: &Transition) -> Vec<Cube> {
    let guard = match &transition.guard {
        Node::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut cubes = Vec::new();
    for part in guard {
        let Node::Compare(sum, comparison) = part else { continue };
        let is_global = sum.terms.iter().all(|(_, cell)| cell.indices.is_empty());
        if !is_global || *comparison == Comparison::Zero {
            continue;
        }
        let terms = sum.terms.iter().map(|(factor, cell)| (Cell::new(cell.symbol, &[]), i128::from(*factor)));
        let required = simplify(terms, sum.constant.into(), *comparison, sum.whole);
        let Some(Simplified::Constraint(required)) = required else { continue };
        for negation in required.negations() {
            let Simplified::Constraint(negation) = negation else { continue };
            for (symbol, param, values) in assigned(system, transition) {
                let mut cube = Cube::new(u8::from(param.is_some()));
                let cell = Cell::new(symbol, if param.is_some() { &[0] } else { &[] });
                let constants = constants(system, transition, guard, param);
                let all = [(cell, values)].into_iter().chain(constants);
                let restricted = all
                    .into_iter()
                    .try_for_each(|(cell, values)| cube.restrict(&system.vocabulary, cell, values));
                if restricted.is_ok() {
                    cube.linear = vec![negation.clone()];
                    cubes.push(cube);
                }
            }
        }
    }
    cubes
}

/// What a guard says about cells of a parameter that never change, as those of process 0.
fn constants(
    system: &System,
    transition: &Transition,
    guard: &[Node],
    param: Option<u16>,
) -> Vec<(Cell, Values)> {
    let changes = |symbol: u16| system.transitions.iter().any(|other| other.update(symbol).is_some());
    let own = |part: &Node| match part {
        Node::In(cell, values) => match cell.indices.as_slice() {
            [ProcessTerm::Name(ProcessName::Var(var))] if Some(*var) == param && !changes(cell.symbol) => {
                Some((Cell::new(cell.symbol, &[0]), *values))
            }
            _ => None,
        },
        _ => None,
    };
    debug_assert!(param.is_none_or(|param| transition.params.contains(&param)));
    guard.iter().filter_map(own).collect()
}

/// The constants that a transition assigns to variables, and to cells of its only parameter: the symbol, the parameter, the values.
fn assigned(system: &System, transition: &Transition) -> Vec<(u16, Option<u16>, Values)> {
    let mut all = Vec::new();
    for Update { symbol, arms, .. } in &transition.updates {
        let info = &system.vocabulary.symbols[usize::from(*symbol)];
        let param = match (info.arity, transition.params.as_slice()) {
            (0, _) => None,
            (1, [only]) => Some(*only),
            _ => continue,
        };
        for (_, value) in arms {
            if let ValueTerm::Constant(values) = value
                && info.kind == Kind::Finite
            {
                all.push((*symbol, param, *values));
            }
        }
    }
    all
}
