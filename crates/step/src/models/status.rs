//! The state of a model by processes, variables and locks.

use super::ModelSystem;
use crate::{Activity, Inspect, ProcessStatus, Resource, ResourceKind, Status};
use explore::{Steered, Subject, Valuation};
use instance::{LockStatus, Waiting};
use ir::{LockKind, Origin, SymbolId};

impl<const W: usize> ModelSystem<'_, '_, W> {
    pub(super) fn status_here(&self) -> Status {
        let mut resources: Vec<Resource> = self.machine.locks().into_iter().map(resource).collect();
        resources.sort_by_key(|resource| resource.kind);
        Status {
            processes: (0..self.processes()).map(|process| self.process_status(process)).collect(),
            variables: self.variables(),
            resources,
        }
    }

    /// Whether a variable was declared by the user and is not a lock.
    fn is_plain(&self, symbol: SymbolId) -> bool {
        let locks = self.model().threads.iter().flat_map(|threads| &threads.locks);
        self.model().symbol(symbol).origin == Origin::Declared
            && !locks.into_iter().any(|lock| lock.state == symbol)
    }

    fn variables(&self) -> Valuation {
        let cells = self.machine.places();
        let plain = cells.iter().enumerate().filter(|(_, (symbol, _))| self.is_plain(*symbol));
        let buffers =
            self.machine.describe().into_iter().filter(|entry| matches!(entry.subject, Subject::Buffer(_)));
        plain.map(|(slot, _)| self.machine.entry_at(slot)).chain(buffers).collect()
    }

    fn process_status(&self, process: usize) -> ProcessStatus {
        let names = self.model().kinds.as_ref().map(|kinds| &self.model().enums[kinds.kinds.index()]);
        let kind = names.map(|names| names.constructors[self.machine.kinds()[process] as usize].clone());
        ProcessStatus {
            name: None,
            next: None,
            kind,
            activity: self.machine.waiting(process).as_ref().map_or(Activity::Active, activity),
        }
    }
}

pub(super) fn activity(waiting: &Waiting) -> Activity {
    let (on, ahead) = (waiting.on.to_string(), waiting.ahead);
    if waiting.asleep { Activity::Asleep { on, ahead } } else { Activity::Suspended { on, ahead } }
}

fn resource(lock: LockStatus) -> Resource {
    let kind = match lock.kind {
        LockKind::Lock | LockKind::Reentrant => ResourceKind::Lock,
        LockKind::Condition => ResourceKind::Condition,
        LockKind::Semaphore => ResourceKind::Semaphore,
    };
    // Only a semaphore and a reentrant lock have something to count.
    let count = lock.count.filter(|_| matches!(lock.kind, LockKind::Reentrant | LockKind::Semaphore));
    let owner = lock.owner.filter(|_| kind != ResourceKind::Semaphore);
    Resource { kind, name: lock.name.to_string(), owner, count, waiting: lock.waiting, asleep: lock.asleep }
}
