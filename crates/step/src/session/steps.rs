//! Taking steps: by hand, at random, and on the way to somewhere.

use super::Session;
use crate::{
    Answer, Call, Inconclusive, Inspect, MostSeen, Reach, ReachEnd, Refusal, Report, RunEnd, Vicinity, Way,
    breadth::{Bounds, search},
    walk::{Tally, Walk},
};
use explore::Fault;

impl<S: Inspect> Session<'_, S> {
    pub(super) fn transition(&mut self, calls: &[Call]) -> Result<Answer, Refusal> {
        let before = self.run.clone();
        for (at, call) in calls.iter().enumerate() {
            let action = self.action_of(call).map_err(|cause| none_taken(cause, at, calls.len()))?;
            self.advance(&action, true)?;
        }
        self.moved(before, None)
    }

    /// The action that a call means: the one whose label it is, or the only one that fits.
    fn action_of(&self, call: &Call) -> Result<S::Action, Refusal> {
        let (system, fitting) = (self.cursor.system(), self.cursor.fitting(call));
        let label = call.clone().closed();
        let same = fitting.iter().find(|action| system.call(action) == label);
        match (same, &fitting[..]) {
            (Some(action), _) | (None, [action]) => Ok((*action).clone()),
            (None, []) => Err(Refusal::NotEnabled { call: call.clone(), reasons: system.explain(call)? }),
            (None, several) => {
                let actions = several.iter().map(|action| system.label(action).to_string()).collect();
                Err(Refusal::Ambiguous { call: call.clone(), actions })
            }
        }
    }

    pub(super) fn choose(&mut self, number: usize) -> Result<Answer, Refusal> {
        let enabled = self.cursor.enabled();
        let action = number.checked_sub(1).and_then(|at| enabled.get(at)).cloned();
        let action = action.ok_or(Refusal::NoSuchAction { enabled: enabled.len() })?;
        let before = self.run.clone();
        self.advance(&action, true)?;
        self.moved(before, None)
    }

    pub(super) fn random(&mut self, steps: usize) -> Result<Answer, Refusal> {
        let before = self.run.clone();
        for _ in 0..steps {
            if !self.random_step()? {
                break;
            }
        }
        if self.run.len() == before.len() { Ok(self.stuck()) } else { self.moved(before, None) }
    }

    /// Takes any enabled action; false if there is none, or the user wants the command to end.
    pub(super) fn random_step(&mut self) -> Result<bool, Fault> {
        let enabled = self.cursor.enabled();
        if enabled.is_empty() || self.is_cancelled() {
            return Ok(false);
        }
        let action = enabled[self.rng.below(enabled.len())].clone();
        self.advance(&action, false)?;
        Ok(true)
    }

    pub(super) fn stuck(&self) -> Answer {
        Answer::Stuck(self.judgement())
    }

    /// Random walks, each from here, until one meets a violation. The session follows the last one.
    pub(super) fn walk(&mut self, way: Way, runs: usize, depth: usize) -> Result<Answer, Refusal> {
        if self.cursor.enabled().is_empty() {
            return Ok(self.stuck());
        }
        let (before, here) = (self.run.clone(), self.cursor.checkpoint());
        let mut tally = Tally::new();
        tally.enter(&mut self.cursor);
        let (mut taken, mut end, mut made) = (vec![], RunEnd::NoAction, 0);
        while made < runs && !matches!(end, RunEnd::Violation | RunEnd::Interrupted) {
            self.cursor.restore(&here)?;
            let (cursor, rng, cancel) = (&mut self.cursor, &mut self.rng, &*self.options.cancel);
            (taken, end) = Walk { cursor, rng, tally: &mut tally, cancel }.run(way, depth)?;
            made += 1;
        }
        self.cursor.restore(&here)?;
        self.follow(&taken)?;
        let report = Report::Execute {
            way,
            runs: made,
            seen: tally.seen,
            distinct: tally.distinct(),
            most_seen: self.most_seen(&tally)?,
            end,
            steps: taken.len(),
        };
        self.moved(before, Some(report))
    }

    /// Takes actions one after the other.
    fn follow(&mut self, actions: &[S::Action]) -> Result<(), Fault> {
        actions.iter().try_for_each(|action| self.advance(action, false))
    }

    /// Describes the state that was seen most often. The cursor stays where it is.
    fn most_seen(&mut self, tally: &Tally<S>) -> Result<Option<MostSeen>, Fault> {
        let Some((checkpoint, times)) = tally.most_seen() else { return Ok(None) };
        let here = self.cursor.checkpoint();
        self.cursor.restore(checkpoint)?;
        let state = self.cursor.system().describe();
        self.cursor.restore(&here)?;
        Ok(Some(MostSeen { times, state }))
    }

    pub(super) fn breadth(&mut self, depth: usize) -> Result<Answer, Refusal> {
        let (before, here) = (self.run.clone(), self.cursor.checkpoint());
        let bounds = Bounds { depth, most_states: self.options.most_states, cancel: &self.options.cancel };
        let searched = search(&mut self.cursor, bounds, |cursor| Ok(cursor.is_violated()))?;
        self.cursor.restore(&here)?;
        let (seen, distinct, complete) = (searched.seen, searched.distinct, searched.complete);
        let vicinity = Vicinity { depth, seen, distinct, complete };
        let Some(path) = searched.path else { return Ok(Answer::NoneWrong(vicinity)) };
        self.follow(&path)?;
        self.moved(before, Some(Report::Breadth { vicinity, steps: path.len() }))
    }

    pub(super) fn go_to(&mut self, goal: &str) -> Result<Answer, Refusal> {
        let found = self.cursor.system_mut().reach(goal);
        let Reach { states, end } = found.unwrap_or_else(|| self.reach(goal))?;
        match end {
            ReachEnd::Path(actions) if actions.is_empty() => Ok(Answer::AlreadyThere),
            ReachEnd::Path(actions) => {
                let before = self.run.clone();
                self.follow(&actions)?;
                self.moved(before, Some(Report::Goto { steps: actions.len(), states }))
            }
            ReachEnd::Nowhere => {
                Ok(Answer::Unreachable { processes: self.cursor.system().processes(), states })
            }
            ReachEnd::Unknown(why) => Ok(Answer::Inconclusive { states, why }),
        }
    }

    /// Searches for a system that has no search of its own. The cursor comes back.
    fn reach(&mut self, goal: &str) -> Result<Reach<S::Action>, Refusal> {
        if self.cursor.system_mut().evaluate(goal)?.truth() == Some(true) {
            return Ok(Reach { states: 1, end: ReachEnd::Path(vec![]) });
        }
        let (here, mut undefined) = (self.cursor.checkpoint(), false);
        let (most_states, cancel) = (self.options.most_states, &*self.options.cancel);
        let bounds = Bounds { depth: usize::MAX, most_states, cancel };
        let searched = search(&mut self.cursor, bounds, |cursor| {
            let truth = cursor.system_mut().evaluate(goal)?.truth();
            undefined |= truth.is_none();
            Ok(truth == Some(true))
        })?;
        self.cursor.restore(&here)?;
        let end = match searched.path {
            Some(path) => ReachEnd::Path(path),
            None if self.is_cancelled() => ReachEnd::Unknown(Inconclusive::Interrupted),
            None if !searched.complete => {
                let limit = format!("the limit of {most_states} states is reached");
                ReachEnd::Unknown(Inconclusive::Limit { limit })
            }
            None if undefined => ReachEnd::Unknown(Inconclusive::Undefined),
            None => ReachEnd::Nowhere,
        };
        Ok(Reach { states: searched.distinct, end })
    }
}

/// All or nothing: says which of several transitions could not be taken.
fn none_taken(cause: Refusal, at: usize, of: usize) -> Refusal {
    if of == 1 { cause } else { Refusal::NoneTaken { number: at + 1, of, cause: Box::new(cause) } }
}
