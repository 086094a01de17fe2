//! Judging a run of a machine by the definition: letter by letter, without an automaton.

use super::{Runs, atoms::Atoms, atoms::is_called, fairness::constraints};
use crate::{Action, Machine};
use explore::{Schedule, Steered};
use ir::{Model, Temporal, TemporalAtom};
use ltl::{Label, Letter, Word, is_refuted};

/// Whether the run ends in the current state, which has no enabled step. A step that breaks a rule of the language counts as enabled,
/// and is reported as such.
pub(super) fn ends_here<const W: usize>(machine: &Machine<'_, '_, W>) -> bool {
    !machine.ends_in_violation()
}

/// Whether the run is stuck in the current state, which has no enabled step: the model says where runs may end, and not here, or
/// some process waits.
pub(super) fn is_dead<const W: usize>(machine: &Machine<'_, '_, W>) -> bool {
    machine.is_final().map_or_else(|| machine.somebody_waits(), |may_end| !may_end)
}

/// A claim that a run violates a temporal property, for a choice of processes.
pub(crate) struct Witness<'w> {
    pub(crate) model: &'w Model,
    pub(crate) temporal: &'w Temporal,
    pub(crate) chosen: &'w [usize],
    pub(crate) runs: &'w Runs,
}

impl Witness<'_> {
    /// Follows the run from its start, and says why the property is not violated, if it is not.
    pub(crate) fn confirm<const W: usize>(
        &self,
        machine: &mut Machine<'_, '_, W>,
        schedule: &Schedule<Action>,
        back: Option<usize>,
    ) -> Result<(), String> {
        machine.start(schedule.initial).map_err(|fault| fault.to_string())?;
        let (formula, atoms) = Atoms::of(self.temporal);
        let (mut labels, mut places) = (Vec::new(), vec![machine.identity()]);
        for action in &schedule.actions {
            labels.push(self.label(machine, &atoms, Some(action))?);
            machine.take(action).map_err(|fault| fault.to_string())?;
            places.push(machine.identity());
        }
        let Some(back) = back else {
            // Any step will do for what the last state itself decides.
            let mut enabled = Vec::new();
            machine.enabled(&mut enabled);
            labels.push(self.label(machine, &atoms, enabled.first())?);
            let letters: Vec<Letter> = labels.iter().map(|label| label.letter).collect();
            let refuted = is_refuted(&formula, &letters) && !self.runs.infinite_only;
            return refuted.then_some(()).ok_or_else(|| "the property is still open".into());
        };
        if back == schedule.actions.len() {
            let mut enabled = Vec::new();
            machine.enabled(&mut enabled);
            if !enabled.is_empty() || self.runs.infinite_only {
                return Err("the run does not end there".into());
            }
            labels.push(self.label(machine, &atoms, None)?);
        } else if places.get(back) != places.last() {
            return Err("the cycle does not close".into());
        }
        let letters = labels.iter().map(|label| label.letter).collect();
        if (Word { letters, back }).satisfies(&formula) {
            return Err("the run satisfies the property".into());
        }
        self.is_fair(machine, &labels[back..]).then_some(()).ok_or_else(|| "the run is not fair".into())
    }

    /// What holds in the current state, when an action is taken or the run has ended.
    fn label<const W: usize>(
        &self,
        machine: &mut Machine<'_, '_, W>,
        atoms: &Atoms,
        action: Option<&Action>,
    ) -> Result<Label, String> {
        let (mut enabled, mut moves) = (Vec::new(), Vec::new());
        machine.moves(&mut enabled, &mut moves).map_err(|fault| fault.to_string())?;
        let binding: Vec<_> = self.temporal.params.iter().copied().zip(self.chosen.iter().copied()).collect();
        let context = (self.temporal, self.chosen);
        let all: Vec<(usize, &[usize])> = machine.all_steps().collect();
        let mut letter = 0;
        for (at, atom) in atoms.0.iter().enumerate() {
            let holds = match atom {
                TemporalAtom::State(formula) => {
                    machine.holds(formula, &binding).map_err(|reason| reason.to_string())?
                }
                TemporalAtom::Take(calls) => action
                    .is_some_and(|action| is_called(self.model, calls, context, machine.step_of(action))),
                TemporalAtom::Enabled(calls) => {
                    enabled.iter().any(|step| is_called(self.model, calls, context, all[*step as usize]))
                }
                TemporalAtom::End => action.is_none() && !is_dead(machine),
                TemporalAtom::Dead => action.is_none() && is_dead(machine),
            };
            letter |= u64::from(holds) << at;
        }
        let mut label = Label { letter, ..Label::default() };
        for (at, constraint) in self.constraints(machine).iter().enumerate() {
            let some = |steps: &[u32]| steps.iter().any(|step| constraint.steps[*step as usize]);
            label.enabled |= u64::from(some(&enabled)) << at;
            let taken = action.is_some_and(|action| constraint.steps[action.step()]);
            label.taken |= u64::from(taken) << at;
        }
        Ok(label)
    }

    fn constraints<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> Vec<super::fairness::Constraint> {
        let steps: Vec<(usize, Vec<usize>)> =
            machine.all_steps().map(|(transition, processes)| (transition, processes.to_vec())).collect();
        constraints(self.model, &self.runs.fair, &steps)
    }

    /// Whether a cycle is fair, by the definition.
    fn is_fair<const W: usize>(&self, machine: &Machine<'_, '_, W>, cycle: &[Label]) -> bool {
        self.constraints(machine).iter().enumerate().all(|(at, constraint)| {
            let has = |set: u64| set >> at & 1 == 1;
            let taken = cycle.iter().any(|label| has(label.taken));
            let demanded = if constraint.strong {
                cycle.iter().any(|label| has(label.enabled))
            } else {
                cycle.iter().all(|label| has(label.enabled))
            };
            taken || !demanded
        })
    }
}
