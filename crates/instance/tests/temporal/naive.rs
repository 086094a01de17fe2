//! The graph of an instance, listed by taking every step, with letters by the words of the language.

use crate::common::{Explicit, Tableau, negated};
use explore::{Steered, System};
use instance::temporal::{Runs, Unit};
use instance::{Action, Instance, Machine, Setup, for_width};
use ir::{Calls, Model, Temporal, TemporalAtom, Term};
use ltl::{Fairness, Formula, Label, Step};
use std::collections::HashMap;

/// More states than the engine may visit, since it may identify some.
const STATES: usize = 60;

/// Whether some run violates the first temporal property; `None` if that is too much work.
pub(crate) fn is_violated(model: &Model, processes: u32, runs: &Runs) -> Option<bool> {
    let instances = Instance::all(model, &Setup::new(processes as usize, 16)).ok()?;
    let mut violated = false;
    for at in 0..instances.len() {
        let one = &instances[at..=at];
        violated |= for_width!(one, in_instance(model, one, processes as usize, runs), None)?;
    }
    Some(violated)
}

fn in_instance<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    processes: usize,
    runs: &Runs,
) -> Option<bool> {
    let temporal = &model.temporal[0];
    let mut machine = Machine::<W>::new(instances);
    if instances[0].initial_states() == 0 {
        return Some(false);
    }
    let mut violated = false;
    for chosen in tuples(processes, temporal.params.len()) {
        machine.start(0).ok()?;
        let binding: Vec<_> = temporal.params.iter().copied().zip(chosen.iter().copied()).collect();
        if machine.holds(&temporal.kinds, &binding) != Ok(true) {
            continue;
        }
        let listing = Listing { model, temporal, chosen: &chosen, runs };
        let (graph, formula, fairness) = listing.graph(&mut machine)?;
        violated |= Tableau::new(&negated(&formula)).satisfied_by_a_run_of(&graph, fairness);
    }
    Some(violated)
}

/// All lists of distinct processes.
fn tuples(processes: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![vec![]], |all: Vec<Vec<usize>>, _| {
        all.iter()
            .flat_map(|list| {
                (0..processes).filter(|p| !list.contains(p)).map(|p| [list.as_slice(), &[p]].concat())
            })
            .collect()
    })
}

struct Listing<'l> {
    model: &'l Model,
    temporal: &'l Temporal,
    chosen: &'l [usize],
    runs: &'l Runs,
}

/// What a step is, for fairness: the position of the demand, and a process or a rule with its processes.
type Group = (usize, Option<usize>, Vec<usize>);

impl Listing<'_> {
    /// The graph, with a state 0 from which all initial states begin; the formula, and which constraints are weak or strong.
    fn graph<const W: usize>(
        &self,
        machine: &mut Machine<'_, '_, W>,
    ) -> Option<(Explicit, Formula<u32>, Fairness)> {
        let mut atoms: Vec<TemporalAtom> = Vec::new();
        let formula = self.temporal.formula.clone().try_map(&mut |atom| {
            let at = atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            });
            Ok::<u32, ()>(u32::try_from(at).unwrap())
        });
        let mut groups: Vec<Group> = Vec::new();
        let mut numbers: HashMap<[u64; W], usize> = HashMap::new();
        let mut places: Vec<[u64; W]> = Vec::new();
        let mut enter = |state: [u64; W], places: &mut Vec<[u64; W]>| {
            *numbers.entry(state).or_insert_with(|| {
                places.push(state);
                places.len() - 1
            })
        };
        let mut starts = Vec::new();
        for initial in 0..machine.initials().ok()? {
            machine.start(initial).ok()?;
            starts.push(enter(machine.identity(), &mut places));
        }
        let mut steps: Vec<Vec<Step>> = Vec::new();
        while steps.len() < places.len() {
            let here = places[steps.len()];
            machine.restore(&here).ok()?;
            let mut enabled = Vec::new();
            machine.enabled(&mut enabled);
            let mut found = Vec::new();
            for action in enabled.iter().map(Some).chain([None]) {
                machine.restore(&here).ok()?;
                // A step that breaks a rule of the language ends a run in a way of its own, which is a violation anyway.
                if machine.ends_in_violation() {
                    return None;
                }
                let ends = enabled.is_empty() && !self.runs.infinite_only;
                if action.is_none() && !ends {
                    continue;
                }
                let label = self.label(machine, &atoms, &enabled, action, &mut groups)?;
                if let Some(action) = action {
                    machine.take(action).ok()?;
                }
                let to = enter(machine.identity(), &mut places);
                found.push(Step { to: u32::try_from(to + 1).unwrap(), label });
            }
            steps.push(found);
            if places.len() > STATES || machine.obstacle().is_some() {
                return None;
            }
        }
        let begin = starts.iter().flat_map(|start| steps[*start].clone()).collect();
        let strong = |(demand, ..): &Group| self.runs.fair[*demand].strong;
        let set = |wanted: bool| {
            let bits = groups.iter().enumerate().filter(|(_, group)| strong(group) == wanted);
            bits.fold(0, |set, (at, _)| set | 1 << at)
        };
        let fairness = Fairness { weak: set(false), strong: set(true) };
        let graph = Explicit { steps: std::iter::once(begin).chain(steps).collect() };
        // The tableau is quadratic in the steps.
        let size: usize = graph.steps.iter().map(Vec::len).sum();
        (groups.len() <= 64 && size <= 32).then_some((graph, formula.ok()?, fairness))
    }

    fn label<const W: usize>(
        &self,
        machine: &Machine<'_, '_, W>,
        atoms: &[TemporalAtom],
        enabled: &[Action],
        action: Option<&Action>,
        groups: &mut Vec<Group>,
    ) -> Option<Label> {
        let binding: Vec<_> = self.temporal.params.iter().copied().zip(self.chosen.iter().copied()).collect();
        let dead = machine.is_final().map_or_else(|| machine.somebody_waits(), |is_final| !is_final);
        let mut label = Label::default();
        for (at, atom) in atoms.iter().enumerate() {
            let holds = match atom {
                TemporalAtom::State(formula) => machine.holds(formula, &binding).ok()?,
                TemporalAtom::Take(calls) => {
                    action.is_some_and(|action| self.is_one(machine, calls, *action))
                }
                TemporalAtom::Enabled(calls) => {
                    enabled.iter().any(|action| self.is_one(machine, calls, *action))
                }
                TemporalAtom::End => action.is_none() && !dead,
                TemporalAtom::Dead => action.is_none() && dead,
            };
            label.letter |= u64::from(holds) << at;
        }
        for demand in 0..self.runs.fair.len() {
            for other in enabled {
                label.enabled |= self.bit(machine, demand, *other, groups);
            }
            label.taken |= action.map_or(0, |action| self.bit(machine, demand, *action, groups));
        }
        Some(label)
    }

    /// The bit of the constraint that an action belongs to.
    fn bit<const W: usize>(
        &self,
        machine: &Machine<'_, '_, W>,
        demand: usize,
        action: Action,
        groups: &mut Vec<Group>,
    ) -> u64 {
        let call = machine.call(&action);
        let group = if self.runs.fair[demand].of == Unit::Process {
            let Some(process) = machine.process(&action) else { return 0 };
            (demand, None, vec![process])
        } else {
            let rule = self.model.transitions[machine.step_of(&action).0].rule;
            (demand, Some(rule.index()), call.processes)
        };
        let at = groups.iter().position(|known| *known == group).unwrap_or_else(|| {
            groups.push(group);
            groups.len() - 1
        });
        1_u64.checked_shl(u32::try_from(at).unwrap()).unwrap_or(0)
    }

    fn is_one<const W: usize>(&self, machine: &Machine<'_, '_, W>, calls: &Calls, action: Action) -> bool {
        let call = machine.call(&action);
        let wanted = |term: &Option<Term>, process: usize| match term {
            None => true,
            Some(Term::Process(k)) => *k as usize == process + 1,
            Some(Term::Var(var)) => {
                let param = self.temporal.params.iter().position(|param| param == var).unwrap();
                self.chosen[param] == process
            }
            Some(_) => false,
        };
        let rule = self.model.transitions[machine.step_of(&action).0].rule;
        calls.rules.contains(&rule)
            && (calls.processes.is_empty()
                || calls.processes.len() == call.processes.len()
                    && calls
                        .processes
                        .iter()
                        .zip(call.processes)
                        .all(|(term, process)| wanted(term, process)))
    }
}
