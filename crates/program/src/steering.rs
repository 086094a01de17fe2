//! A program that is steered, as a system that `explore` can search: with strategies and reductions of one's own.
//!
//! Every step crosses the border between two processes, which is a hundred times slower than the searches inside of the
//! program: this is for trying ideas.

use crate::{operation::actor, serving::Served};
use explore::{Entry, Fault, Label, Steered, System, Turn};

impl Steered for Served<'_, '_> {
    type Action = Turn;
    /// States are the same only if the same steps led to them: what is in memory is not compared.
    type Identity = Vec<Turn>;

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        self.go(&[]).map_err(Fault::Broken)
    }

    fn enabled(&self, actions: &mut Vec<Turn>) {
        actions.extend(self.possible());
    }

    fn take(&mut self, turn: &Turn) -> Result<(), Fault> {
        self.step(*turn).map_err(Fault::Broken)
    }

    fn identity(&self) -> Vec<Turn> {
        self.turns().to_vec()
    }

    fn ended(&self) -> bool {
        self.has_ended()
    }

    fn process(&self, turn: &Turn) -> Option<usize> {
        Some(turn.thread.into())
    }

    fn actors(&self) -> Vec<String> {
        (0..self.count()).map(actor).collect()
    }

    fn label(&self, turn: &Turn) -> Label {
        format!("{}: {}", actor(turn.thread.into()), self.operation(*turn)).into()
    }

    fn describe(&self) -> Vec<Entry> {
        self.values()
    }
}

impl System for Served<'_, '_> {
    type Checkpoint = Vec<Turn>;

    fn checkpoint(&mut self) -> Vec<Turn> {
        self.turns().to_vec()
    }

    fn restore(&mut self, checkpoint: &Vec<Turn>) -> Result<(), Fault> {
        self.go(checkpoint).map_err(Fault::Broken)
    }
}
