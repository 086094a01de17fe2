//! Which processes wait for which locks, and which hold them, in the current state of a machine.

use super::Machine;
use explore::Variable;
use ir::{Lock, LockKind, SymbolId};

/// What a blocked process waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The lock, with the index of its cell: `Fork[#2]`.
    pub on: Variable,
    /// Whether it sleeps until it is notified, rather than waiting for the lock.
    pub asleep: bool,
    /// The number of processes ahead of it in the same queue; `None` if queues have no order.
    pub ahead: Option<usize>,
}

/// A lock, or a cell of an array of locks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockStatus {
    /// Its name, with the index of the cell.
    pub name: Variable,
    /// Lock, condition or semaphore.
    pub kind: LockKind,
    /// The process that owns it, from 0; `None` if it is free, or a semaphore.
    pub owner: Option<usize>,
    /// How often the owner of a reentrant lock has acquired it; the value of a semaphore.
    pub count: Option<String>,
    /// The processes that wait for it, from 0; in queue order if queues have one.
    pub waiting: Vec<usize>,
    /// The processes that sleep on it, from 0.
    pub asleep: Vec<usize>,
}

impl<const W: usize> Machine<'_, '_, W> {
    /// What a process waits for; `None` if it is active.
    pub fn waiting(&self, process: usize) -> Option<Waiting> {
        let instance = self.instance();
        let threads = instance.model.threads.as_ref()?;
        let code = self.code_at(threads.blocked, process);
        let reason = threads.reasons.get(usize::try_from(code).ok()?.checked_sub(1)?)?;
        let lock = &threads.locks[reason.lock];
        let cell = threads.blocked_at.filter(|_| lock.array);
        let cell = cell.map(|cells| self.value_at(self.slot_at(cells, process)));
        let on = Variable { name: lock.name.clone(), indices: cell.into_iter().collect() };
        Some(Waiting { on, asleep: reason.asleep, ahead: self.ahead(process) })
    }

    /// The number of processes ahead of a process in its queue.
    fn ahead(&self, process: usize) -> Option<usize> {
        let instance = self.instance();
        let before = instance.model.threads.as_ref()?.before?;
        let count = instance.layout.processes;
        Some((0..count).filter(|other| self.code_at(before, other * count + process) != 0).count())
    }

    /// All locks, conditions and semaphores, in order of declaration.
    pub fn locks(&self) -> Vec<LockStatus> {
        let instance = self.instance();
        let Some(threads) = &instance.model.threads else { return vec![] };
        let cells = |lock: &Lock| if lock.array { instance.layout.processes } else { 1 };
        threads.locks.iter().flat_map(|lock| (0..cells(lock)).map(|cell| self.lock(lock, cell))).collect()
    }

    fn lock(&self, lock: &Lock, cell: usize) -> LockStatus {
        let index = [cell];
        let name = Variable::cell(lock.name.clone(), if lock.array { &index } else { &[] });
        let processes = self.instance().layout.processes;
        let is_count = lock.kind == LockKind::Semaphore;
        let owner = usize::try_from(self.code_at(lock.state, cell)).ok();
        let count = if is_count { Some(lock.state) } else { lock.depth };
        let mut blocked: Vec<(usize, Waiting)> =
            (0..processes).filter_map(|process| Some((process, self.waiting(process)?))).collect();
        blocked.retain(|(_, waiting)| waiting.on == name);
        blocked.sort_by_key(|(process, waiting)| (waiting.ahead, *process));
        let who = |asleep: bool| {
            let those = blocked.iter().filter(|(_, waiting)| waiting.asleep == asleep);
            those.map(|(process, _)| *process).collect()
        };
        LockStatus {
            kind: lock.kind,
            owner: owner.filter(|owner| !is_count && *owner < processes),
            count: count.map(|symbol| self.value_at(self.slot_at(symbol, cell)).to_string()),
            waiting: who(false),
            asleep: who(true),
            name,
        }
    }

    pub(super) fn slot_at(&self, symbol: SymbolId, cell: usize) -> usize {
        self.instance().layout.first(symbol).expect("the symbols of locks are stored") + cell
    }

    pub(super) fn code_at(&self, symbol: SymbolId, cell: usize) -> u64 {
        self.instance().layout.slots[self.slot_at(symbol, cell)].code(self.state())
    }
}
