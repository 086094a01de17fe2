//! Ground problems: a state that satisfies some formulas, and that no cube matches.

use super::certificate::Certificate;
use super::covering::Place;
use crate::check::{
    CheckOptions, Obstacle,
    ground::{Binding, Grounder, Scope, Step},
    hypotheses::Hypotheses,
    include, include_init,
    search::{Node, Search},
    tree::Tree,
    universe::Universe,
    witnesses::Witnesses,
    wording::describe,
};
use ir::{Formula, Init, Model};
use std::collections::BTreeSet;

/// The most disjuncts that a search may look at, which takes about a second.
const BUDGET: usize = 5_000_000;

/// Problems that involve more processes are not attempted.
pub(super) const MOST_PROCESSES: usize = 9;

/// A family of ground problems: one for each number of further processes that formulas point at.
#[derive(Debug)]
pub(super) struct Problem<'p, 'm> {
    pub(super) model: &'m Model,
    pub(super) step: Option<&'p Step<'m>>,
    /// What must hold, after the step or before.
    pub(super) goals: Vec<(Formula, Binding, bool)>,
    /// What must hold for all values of its parameters.
    pub(super) init: Option<&'p Init>,
    /// Where cubes of the certificate must not match.
    pub(super) place: Option<Place<'p>>,
    /// The number of processes that are involved, not counting those that formulas point at.
    pub(super) processes: usize,
}

impl<'m> Problem<'_, 'm> {
    /// A solution in words, if there may be one, and the number of problems that were searched.
    pub(super) fn solution(
        &self,
        certificate: &Certificate,
        assumed: &Hypotheses<'m>,
        options: &CheckOptions,
    ) -> Result<(Option<Vec<String>>, usize), Obstacle> {
        let mut witnesses = Witnesses::new(self.model, self.step);
        for (formula, binding, after) in &self.goals {
            witnesses.formula(formula, true, binding, *after);
        }
        if let Some(init) = self.init.filter(|init| init.params.is_empty()) {
            witnesses.formula(&init.formula, true, &vec![None; init.variables.len()], false);
        }
        let most = self.model.max_processes.map_or(usize::MAX, |most| most as usize);
        for further in 0..=witnesses.count() {
            // An instance has at least one process: if no other is involved, take that one.
            let processes = (self.processes + further).max(1);
            if processes > most {
                return Ok((None, further));
            }
            if processes > MOST_PROCESSES {
                return Err(Obstacle::TooHard(format!("{processes} processes are involved")));
            }
            if let Some(found) = self.solve(processes, certificate, assumed, options)? {
                return Ok((Some(found), further + 1));
            }
        }
        Ok((None, witnesses.count() + 1))
    }

    fn solve(
        &self,
        processes: usize,
        certificate: &Certificate,
        assumed: &Hypotheses<'m>,
        options: &CheckOptions,
    ) -> Result<Option<Vec<String>>, Obstacle> {
        let universe = Universe::new(self.model, processes, false)?;
        let mut grounder = Grounder::new(&universe, self.step);
        let mut node = Node::new(grounder.table.values.clone());
        for (formula, binding, after) in &self.goals {
            let scope = Scope { binding, after: *after, goal: true };
            if !include(&mut grounder, &mut node, formula, scope)? {
                return Ok(None);
            }
        }
        if let Some(init) = self.init
            && !include_init(&mut grounder, &mut node, init)?
        {
            return Ok(None);
        }
        for fact in std::mem::take(&mut grounder.facts).iter().chain(&universe.facts) {
            if !node.include(fact, &grounder.table.values) {
                return Ok(None);
            }
        }
        if !node.draw_conclusions() {
            return Ok(None);
        }
        let Some(mut exclusions) = self.exclusions(certificate, &mut grounder, &node)? else {
            return Ok(None);
        };
        // Most exclusions do not matter: those that a solution violates are added until there is none.
        loop {
            let mut search = Search {
                grounder: &mut grounder,
                hypotheses: assumed,
                budget: BUDGET,
                used: BTreeSet::new(),
                options,
            };
            let Some(found) = search.state(node.clone())? else { return Ok(None) };
            let wanting = wanting(&mut exclusions, &found);
            if wanting.is_empty() {
                return Ok(Some(describe(&universe, &found.values)));
            }
            if !wanting.iter().all(|tree| node.include(tree, &grounder.table.values)) {
                return Ok(None);
            }
        }
    }

    /// That no cube matches, as far as it is open; none if one matches in any case.
    fn exclusions(
        &self,
        certificate: &Certificate,
        grounder: &mut Grounder<'_, 'm>,
        node: &Node,
    ) -> Result<Option<Vec<Tree>>, Obstacle> {
        let mut all = Vec::new();
        let Some(place) = &self.place else { return Ok(Some(all)) };
        for cube in &certificate.cubes {
            for (formula, binding) in place.matches(cube, grounder.universe, &node.values) {
                let scope = Scope { binding: &binding, after: false, goal: false };
                let tree = grounder.formula(&formula, false, scope)?;
                match node.truth(&tree) {
                    Some(false) => return Ok(None),
                    Some(true) => {}
                    None => all.push(tree),
                }
            }
        }
        Ok(Some(all))
    }
}

/// Takes out those of some trees that do not hold in a solution. If none of them fails there, one that is open, with as few
/// open disjuncts as possible.
fn wanting(trees: &mut Vec<Tree>, found: &Node) -> Vec<Tree> {
    let (failing, others): (Vec<Tree>, Vec<Tree>) =
        std::mem::take(trees).into_iter().partition(|tree| found.truth(tree) == Some(false));
    *trees = others;
    if !failing.is_empty() {
        return failing;
    }
    let open = |tree: &Tree| match tree {
        Tree::Any(parts) => parts.iter().filter(|part| found.truth(part).is_none()).count(),
        _ => 1,
    };
    let undecided = trees.iter().enumerate().filter(|(_, tree)| found.truth(tree).is_none());
    match undecided.min_by_key(|(_, tree)| open(tree)).map(|(at, _)| at) {
        Some(at) => vec![trees.swap_remove(at)],
        None => vec![],
    }
}
