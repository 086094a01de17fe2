//! Properties of runs: a monitor that watches the steps and whose memory becomes part of the state.

use crate::{Fault, Footprint, Label, Steered, System, Valuation};

/// A deterministic automaton that reads a run. Which of its memories are bad is left to a
/// [`BadState`](crate::BadState) of the product.
pub trait Monitor<S: Steered> {
    /// The state of the automaton; must take finitely many values for a search to end.
    type Memory: Clone + Eq + std::hash::Hash;

    /// The memory in an initial state.
    fn start(&self, system: &S) -> Self::Memory;

    /// The memory after a step to the current state.
    fn step(&self, memory: &Self::Memory, system: &S, action: &S::Action) -> Self::Memory;

    /// Whether `action`, enabled here, may change the memory. Observed actions depend on each other, because the
    /// monitor sees their order; a monitor that depends on states must observe all actions that change them.
    fn observes(&self, _system: &S, _action: &S::Action) -> bool {
        true
    }
}

/// The product of a system and a monitor (Vardi, Wolper: An automata-theoretic approach to automatic program
/// verification, LICS 1986): every search, reduction and trace works on it as on the system alone.
#[derive(Clone, Debug)]
pub struct Monitored<S: Steered, M: Monitor<S>> {
    system: S,
    monitor: M,
    /// `None` before the first start.
    memory: Option<M::Memory>,
}

impl<S: Steered, M: Monitor<S>> Monitored<S, M> {
    /// Watches `system` by `monitor`.
    pub fn new(system: S, monitor: M) -> Self {
        Monitored { system, monitor, memory: None }
    }

    /// The system that is watched.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The memory of the monitor; `None` before the first start.
    pub fn memory(&self) -> Option<&M::Memory> {
        self.memory.as_ref()
    }
}

impl<S: Steered, M: Monitor<S>> Steered for Monitored<S, M> {
    type Action = S::Action;
    type Identity = (S::Identity, Option<M::Memory>);

    fn initials(&mut self) -> Result<usize, Fault> {
        self.system.initials()
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.system.start(initial)?;
        self.memory = Some(self.monitor.start(&self.system));
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<S::Action>) {
        self.system.enabled(actions);
    }

    fn take(&mut self, action: &S::Action) -> Result<(), Fault> {
        self.system.take(action)?;
        if let Some(memory) = &mut self.memory {
            *memory = self.monitor.step(memory, &self.system, action);
        }
        Ok(())
    }

    fn identity(&self) -> Self::Identity {
        (self.system.identity(), self.memory.clone())
    }

    fn ended(&self) -> bool {
        self.system.ended()
    }

    fn footprint(&self, action: &S::Action, footprint: &mut Footprint) {
        self.system.footprint(action, footprint);
        if self.monitor.observes(&self.system, action) {
            footprint.write(Footprint::MONITOR);
        }
    }

    fn process(&self, action: &S::Action) -> Option<usize> {
        self.system.process(action)
    }

    fn fingerprint_bits(&self) -> Option<u32> {
        self.system.fingerprint_bits()
    }

    fn heap_bytes(&self) -> usize {
        self.system.heap_bytes()
    }

    fn label(&self, action: &S::Action) -> Label {
        self.system.label(action)
    }

    fn describe(&self) -> Valuation {
        self.system.describe()
    }
}

impl<S: System, M: Monitor<S>> System for Monitored<S, M> {
    type Checkpoint = (S::Checkpoint, Option<M::Memory>);

    fn checkpoint(&mut self) -> Self::Checkpoint {
        (self.system.checkpoint(), self.memory.clone())
    }

    fn restore(&mut self, (checkpoint, memory): &Self::Checkpoint) -> Result<(), Fault> {
        self.system.restore(checkpoint)?;
        self.memory.clone_from(memory);
        Ok(())
    }
}
