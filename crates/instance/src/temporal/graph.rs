//! An instance as a graph whose steps carry letters, for the product with an automaton.

use super::{
    Open, Question,
    atoms::is_called,
    fairness::constraints,
    interner::Interner,
    judging::{ends_here, is_dead},
};
use crate::{Compiled, Machine, Obstacle, exploration::Incomplete, machine::Move};
use explore::{Limit, Steered};
use ir::TemporalAtom;
use ltl::{Fairness, Graph, Label, Letter, Size, Step, Stopped, is_refuted};
use std::time::Instant;

/// The most constraints: a set of them is a word.
const MOST_CONSTRAINTS: usize = 64;

/// What a step of the instance contributes to labels.
#[derive(Debug, Clone, Copy, Default)]
struct Contribution {
    /// The atoms that hold when it is taken.
    taken: Letter,
    /// The atoms that hold when it is enabled.
    enabled: Letter,
    /// The constraints that it belongs to.
    constraints: u64,
}

/// What a state contributes to the labels of its steps.
struct Here {
    letter: Letter,
    constraints: u64,
    /// The label of staying here for ever, if the run ends.
    end: Option<Label>,
}

impl Here {
    /// The label of a step.
    #[inline]
    fn label(&self, step: Contribution) -> Label {
        Label { letter: self.letter | step.taken, enabled: self.constraints, taken: step.constraints }
    }
}

/// An instance as a graph.
pub(super) struct ModelGraph<'q, 'm, 'i, const W: usize> {
    question: &'q Question<'q>,
    machine: Machine<'m, 'i, W>,
    states: Interner<W>,
    /// Atoms about states, with their bits.
    compiled: Vec<(Compiled, Letter)>,
    contributions: Vec<Contribution>,
    fairness: Fairness,
    /// The bits of `END` and `DEAD`.
    ended: Letter,
    dead: Letter,
    /// Whether states are identified up to permutations of processes.
    reduce: bool,
    has_buffers: bool,
    begun: Instant,
    /// Why the search was stopped, or is not exhaustive.
    stopped: Option<Incomplete>,
    unanswered: bool,
    enabled: Vec<u32>,
    moves: Vec<Move<W>>,
}

impl<'q, 'm, 'i, const W: usize> ModelGraph<'q, 'm, 'i, W> {
    pub(super) fn new(
        question: &'q Question<'q>,
        machine: Machine<'m, 'i, W>,
        chosen: &[usize],
        reduce: bool,
        begun: Instant,
    ) -> Result<Self, Open> {
        let mut compiled = Vec::new();
        let (mut ended, mut dead) = (0, 0);
        let binding: Vec<_> = question.temporal.params.iter().copied().zip(chosen.iter().copied()).collect();
        for (at, atom) in question.atoms.0.iter().enumerate() {
            match atom {
                TemporalAtom::State(formula) => {
                    let code = machine.compile(formula, &binding);
                    compiled.push((code.map_err(|reason| Open::Unanswerable(Some(reason)))?, 1 << at));
                }
                TemporalAtom::End => ended |= 1 << at,
                TemporalAtom::Dead => dead |= 1 << at,
                TemporalAtom::Take(_) | TemporalAtom::Enabled(_) => {}
            }
        }
        let (contributions, fairness) = contributions(question, &machine, chosen)?;
        Ok(ModelGraph {
            question,
            machine,
            states: Interner::new(),
            compiled,
            contributions,
            fairness,
            ended,
            dead,
            reduce,
            has_buffers: question.model.buffers.is_some(),
            begun,
            stopped: None,
            unanswered: false,
            enabled: vec![],
            moves: vec![],
        })
    }

    pub(super) fn fairness(&self) -> Fairness {
        self.fairness
    }

    pub(super) fn machine_mut(&mut self) -> &mut Machine<'m, 'i, W> {
        &mut self.machine
    }

    /// Whether a run without a cycle is violated however it goes on: by one more step that it may take, any of them. A run with
    /// a cycle is judged later.
    pub(super) fn refutes(&mut self, formula: &ltl::Formula<u32>, run: &ltl::Run) -> bool {
        let mut letters: Vec<Letter> = run.labels.iter().map(|label| label.letter).collect();
        if let Some(last) = run.states.get(letters.len()) {
            let mut steps = Vec::new();
            let Ok(()) = self.list(*last, &mut steps) else { return false };
            letters.extend(steps.first().map(|step| step.label.letter));
        }
        is_refuted(formula, &letters)
    }

    /// Why a search that found nothing does not decide; `None` if it does.
    pub(super) fn open(&self) -> Option<Open> {
        match self.machine.obstacle() {
            Some(Obstacle::Limit(limit)) => return Some(Open::Incomplete(Incomplete::Limit(limit))),
            Some(obstacle) => return Some(Open::Incomplete(Incomplete::Obstacle(obstacle))),
            None => {}
        }
        if let Some(reason) = &self.stopped {
            return Some(Open::Incomplete(reason.clone()));
        }
        if self.unanswered {
            return Some(Open::Unanswerable(None));
        }
        if self.machine.was_cut() || self.machine.dropped() > 0 {
            return Some(Open::Incomplete(Incomplete::Range));
        }
        let full = || Open::Incomplete(Incomplete::Obstacle(self.machine.full_buffer()));
        self.machine.overflowed().then(full)
    }

    /// The number of the current state of the machine, up to permutation if states are reduced.
    fn number(&mut self, state: &[u64; W]) -> u32 {
        if self.reduce {
            self.machine.go_to(state);
            let canonical = explore::Symmetry::canonical(&self.machine);
            return self.states.intern(&canonical);
        }
        self.states.intern(state)
    }

    /// The number of a state of the machine, if the search has met it.
    pub(super) fn known(&mut self, state: &[u64; W]) -> Option<u32> {
        if self.reduce {
            self.machine.go_to(state);
            let canonical = explore::Symmetry::canonical(&self.machine);
            return self.states.find(&canonical);
        }
        self.states.find(state)
    }

    /// The steps from the current state of the machine: each with its label and the state that it leads to. A run that ends stays
    /// where it is.
    pub(super) fn labelled(&mut self) -> Result<Vec<(Option<Move<W>>, Label)>, Stopped> {
        let here = self.look()?;
        let moves =
            self.moves.iter().map(|step| (Some(*step), here.label(self.contributions[step.action.step()])));
        Ok(moves.chain(here.end.map(|label| (None, label))).collect())
    }

    /// Looks at the current state of the machine, and lists its moves in `self.moves`.
    fn look(&mut self) -> Result<Here, Stopped> {
        let mut here = Here { letter: self.state_letter(), constraints: 0, end: None };
        self.enabled.clear();
        self.moves.clear();
        if self.has_buffers {
            self.machine.each_violated(|_| {});
        }
        self.machine.moves(&mut self.enabled, &mut self.moves).map_err(|_| Stopped)?;
        for step in &self.enabled {
            let contribution = self.contributions[*step as usize];
            here.letter |= contribution.enabled;
            here.constraints |= contribution.constraints;
        }
        if self.enabled.is_empty() && !self.question.runs.infinite_only && ends_here(&self.machine) {
            let end = if is_dead(&self.machine) { self.dead } else { self.ended };
            here.end = Some(Label { letter: here.letter | end, enabled: 0, taken: 0 });
        }
        Ok(here)
    }

    fn state_letter(&mut self) -> Letter {
        let here = self.machine.identity();
        let mut letter = 0;
        for (compiled, bit) in &self.compiled {
            match compiled.holds_in(&here) {
                Some(true) => letter |= bit,
                Some(false) => {}
                None => self.unanswered = true,
            }
        }
        letter
    }

    /// The steps from a state of the graph.
    fn list(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<(), Stopped> {
        let here = self.states.state(state);
        self.machine.go_to(&here);
        let look = self.look()?;
        let moves = std::mem::take(&mut self.moves);
        for step in &moves {
            let label = look.label(self.contributions[step.action.step()]);
            steps.push(Step { to: self.number(&step.to), label });
        }
        self.moves = moves;
        steps.extend(look.end.map(|label| Step { to: state, label }));
        Ok(())
    }

    fn limit(&mut self, limit: Limit) -> Stopped {
        self.stopped = Some(Incomplete::Limit(limit));
        Stopped
    }
}

impl<const W: usize> Graph for ModelGraph<'_, '_, '_, W> {
    fn initial(&mut self, states: &mut Vec<u32>) -> Result<(), Stopped> {
        for initial in 0..self.machine.initials().map_err(|_| Stopped)? {
            self.machine.start(initial).map_err(|_| Stopped)?;
            let here = self.machine.identity();
            states.push(self.number(&here));
        }
        Ok(())
    }

    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<(), Stopped> {
        if self.question.options.limits.states.is_some_and(|most| self.states.len() > most) {
            return Err(self.limit(Limit::States));
        }
        self.list(state, steps)
    }

    fn progress(&mut self, size: Size) -> Result<(), Stopped> {
        let limits = &self.question.options.limits;
        let bytes = size.bytes + self.states.bytes();
        self.question.options.progress.show(self.states.len(), size.expanded, size.transitions, bytes);
        let ended = limits.ended_since(self.begun);
        let full = limits.memory.is_some_and(|most| bytes > most).then_some(Limit::Memory);
        match ended.or(full) {
            Some(limit) => Err(self.limit(limit)),
            None => Ok(()),
        }
    }
}

/// What each step of the instance contributes, and which constraints are weak or strong.
fn contributions<const W: usize>(
    question: &Question<'_>,
    machine: &Machine<'_, '_, W>,
    chosen: &[usize],
) -> Result<(Vec<Contribution>, Fairness), Open> {
    let steps: Vec<(usize, Vec<usize>)> =
        machine.all_steps().map(|(transition, processes)| (transition, processes.to_vec())).collect();
    let constraints = constraints(question.model, &question.runs.fair, &steps);
    if constraints.len() > MOST_CONSTRAINTS {
        return Err(Open::Constraints(constraints.len()));
    }
    let mut contributions = vec![Contribution::default(); steps.len()];
    let mut fairness = Fairness::default();
    for (at, constraint) in constraints.iter().enumerate() {
        let set = if constraint.strong { &mut fairness.strong } else { &mut fairness.weak };
        *set |= 1 << at;
        let members = contributions.iter_mut().zip(&constraint.steps).filter(|(_, member)| **member);
        members.for_each(|(contribution, _)| contribution.constraints |= 1 << at);
    }
    let context = (question.temporal, chosen);
    for (at, atom) in question.atoms.0.iter().enumerate() {
        let (calls, is_take) = match atom {
            TemporalAtom::Take(calls) => (calls, true),
            TemporalAtom::Enabled(calls) => (calls, false),
            _ => continue,
        };
        for (contribution, (transition, processes)) in contributions.iter_mut().zip(&steps) {
            if is_called(question.model, calls, context, (*transition, processes)) {
                let letter = if is_take { &mut contribution.taken } else { &mut contribution.enabled };
                *letter |= 1 << at;
            }
        }
    }
    Ok((contributions, fairness))
}
