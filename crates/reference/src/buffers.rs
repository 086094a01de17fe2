//! Store buffers (section 8): what a process sees, where its writes go, when it has to wait, and flushes.

use crate::{
    instance::{Env, Instance},
    state::{State, Value},
    steps::Step,
    tree::{Assigned, Memory, Program, Rule},
};
use std::{borrow::Cow, collections::BTreeSet};

impl State {
    /// The state as a process sees it: of each cell the youngest value in its own buffer, else memory.
    #[must_use]
    pub fn seen_by(&self, process: usize) -> State {
        let mut seen = self.clone();
        // From the oldest to the youngest, so that the youngest remains.
        for (cell, value) in self.buffers[process].iter().flatten() {
            seen.cells[*cell] = *value;
        }
        seen
    }

    /// Memory, and each buffered entry on top of it: every value that is present somewhere is in one of these.
    pub(crate) fn pictures(&self) -> Vec<Vec<Value>> {
        let mut pictures = vec![self.cells.clone()];
        for entry in self.buffers.iter().flatten() {
            let mut cells = self.cells.clone();
            entry.iter().for_each(|(cell, value)| cells[*cell] = *value);
            pictures.push(cells);
        }
        pictures
    }

    /// Writes to memory, or to the youngest entry of the buffer of a process.
    pub(crate) fn write(&mut self, buffer: Option<usize>, cell: usize, value: Value) {
        let Some(process) = buffer else {
            self.cells[cell] = value;
            return;
        };
        let entry = self.buffers[process].last_mut().expect("an entry has been made");
        entry.push((cell, value));
        entry.sort_by_key(|(cell, _)| *cell);
    }
}

impl Program {
    /// Whether a transition both reads and writes weak symbols. The text decides.
    pub fn is_atomic(&self, rule: &Rule) -> bool {
        let weak = |symbol: &usize| self.symbols[*symbol].weak;
        rule.reads.iter().any(weak) && self.weak_writes(rule).next().is_some()
    }

    fn weak_writes<'r>(&'r self, rule: &'r Rule) -> impl Iterator<Item = usize> + 'r {
        let writes = |arms: &[(_, Assigned)]| arms.iter().any(|(_, value)| !matches!(value, Assigned::Keep));
        let updates = rule.updates.iter().filter(move |update| writes(&update.arms));
        updates.map(|update| update.symbol).filter(|symbol| self.symbols[*symbol].weak)
    }
}

impl Instance<'_> {
    fn actor(rule: &Rule, env: &Env) -> Option<usize> {
        rule.actor.map(|actor| env[actor])
    }

    /// Whether a transition has to wait until the buffer of its actor is empty, whatever its guard says.
    pub(crate) fn waits_for_buffer(&self, rule: &Rule, env: &Env, state: &State) -> bool {
        let filled = Self::actor(rule, env).is_some_and(|actor| !state.buffers[actor].is_empty());
        filled && self.program.is_atomic(rule)
    }

    /// The state as the actor of a transition sees it.
    pub(crate) fn view<'s>(rule: &Rule, env: &Env, state: &'s State) -> Cow<'s, State> {
        match Self::actor(rule, env) {
            Some(actor) if !state.buffers[actor].is_empty() => Cow::Owned(state.seen_by(actor)),
            _ => Cow::Borrowed(state),
        }
    }

    /// The process into whose buffer these writes of a transition go; `None` if they go to memory.
    pub(crate) fn buffer_for(
        &self,
        rule: &Rule,
        env: &Env,
        mut written: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let buffered = self.program.memory == Memory::Tso && !self.program.is_atomic(rule);
        let weak = written.any(|symbol| self.program.symbols[symbol].weak);
        if buffered && weak { Self::actor(rule, env) } else { None }
    }

    /// The flush of the oldest entry of each buffer that has one.
    pub(crate) fn flushes(&self, state: &State) -> Vec<Step> {
        let filled = (0..self.processes).filter(|process| !state.buffers[*process].is_empty());
        let flush = |process: usize| {
            let mut after = state.clone();
            for (cell, value) in after.buffers[process].remove(0) {
                after.cells[cell] = value;
            }
            self.canonical(&mut after);
            let states = vec![after];
            Step { rule: None, processes: vec![process], states, faults: BTreeSet::new(), cut: false }
        };
        filled.map(flush).collect()
    }
}
