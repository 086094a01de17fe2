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
use crate::template::{Node, ValueTerm};
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
            for lemma in &self.lemmas {
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

    /// A lemma is a value of one cell and one constraint: where the cell has the value, the constraint does not hold.
    fn apply(&self, lemma: &Cube, process: Process, cube: &mut Cube) -> Result<(), Contradiction> {
        let ([(cell, values)], [constraint]) = (lemma.finite.as_slice(), lemma.linear.as_slice()) else {
            return Ok(());
        };
        let arity = self.vocabulary().arity(*cell);
        if arity > 0 && process >= cube.processes {
            return Ok(());
        }
        let here = cell.rename(arity, &[process]);
        if cube.values(self.vocabulary(), here) & !values != 0 {
            return Ok(());
        }
        if let [negation] = constraint.negations().as_slice() {
            match negation {
                Simplified::Never => return Err(Contradiction),
                Simplified::Constraint(known) if !cube.linear.contains(known) => {
                    cube.linear.push(known.clone())
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
            for (symbol, arity, values) in assigned(system, transition) {
                let mut cube = Cube::new(u8::from(arity == 1));
                let cell = Cell::new(symbol, if arity == 1 { &[0] } else { &[] });
                if cube.restrict(&system.vocabulary, cell, values).is_ok() {
                    cube.linear = vec![negation.clone()];
                    cubes.push(cube);
                }
            }
        }
    }
    cubes
}

/// The constants that a transition assigns to variables and own cells, each with the symbol and its number of indices.
fn assigned(system: &System, transition: &Transition) -> Vec<(u16, usize, Values)> {
    let mut all = Vec::new();
    for Update { symbol, arms, .. } in &transition.updates {
        let info = &system.vocabulary.symbols[usize::from(*symbol)];
        for (_, value) in arms {
            if let ValueTerm::Constant(values) = value
                && info.arity <= 1
                && info.kind == Kind::Finite
            {
                all.push((*symbol, info.arity, *values));
            }
        }
    }
    all
}
