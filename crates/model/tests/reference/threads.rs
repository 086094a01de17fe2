//! Locks, conditions and semaphores: the table of section 7, row by row.

use super::{
    instance::Instance,
    number::Ratio,
    state::{Queues, State, Value},
    tree::{LockType, Operation, Primitive, Type},
};

/// What a primitive makes of its lock: the queues, and the value if it is a semaphore.
#[derive(Debug, Clone)]
pub(crate) struct After {
    pub(crate) queues: Queues,
    pub(crate) value: Option<Value>,
}

impl Instance<'_> {
    /// Everything that a primitive may lead to; none if it is a misuse. "Any one" is a choice.
    pub(crate) fn perform(
        &self,
        primitive: &Primitive,
        indices: &[usize],
        actor: usize,
        state: &State,
    ) -> Option<Vec<After>> {
        let symbol = primitive.symbol;
        let queues = state.locks[self.lock(symbol, indices)].clone();
        let Type::Lock(lock) = self.program.symbols[symbol].of else { panic!("no lock") };
        if lock == LockType::Semaphore {
            let Value::Number(value) = state.cells[self.cell(symbol, indices)] else { panic!("no value") };
            return Some(semaphore(primitive.operation, queues, value, actor));
        }
        let after = if primitive.operation == Operation::Acquire {
            vec![acquire(lock, queues, actor)]
        } else if queues.owner != Some(actor) {
            return None;
        } else {
            owned(primitive.operation, queues, actor)
        };
        Some(after.into_iter().map(|queues| After { queues, value: None }).collect())
    }
}

/// Free: the actor owns it. Taken: it waits. The owner of an `rlock` may re-acquire, which counts.
fn acquire(lock: LockType, mut queues: Queues, actor: usize) -> Queues {
    match queues.owner {
        None => (queues.owner, queues.held) = (Some(actor), 1),
        Some(owner) if owner == actor && lock == LockType::Reentrant => queues.held += 1,
        Some(_) => _ = queues.waiters.insert(actor),
    }
    queues
}

/// What the owner may do.
fn owned(operation: Operation, mut queues: Queues, actor: usize) -> Vec<Queues> {
    match operation {
        Operation::Acquire => unreachable!("anyone may acquire"),
        Operation::Release => release(queues),
        // Gives the lock up as `release` does, and sleeps.
        Operation::Wait => {
            let mut after = release(queues);
            after.iter_mut().for_each(|queues| _ = queues.sleepers.insert(actor));
            after
        }
        // Any one sleeper joins the waiters; without a sleeper nothing happens.
        Operation::Notify if queues.sleepers.is_empty() => vec![queues],
        Operation::Notify => queues.sleepers.iter().map(|sleeper| notified(&queues, *sleeper)).collect(),
        Operation::NotifyAll => {
            let sleepers = std::mem::take(&mut queues.sleepers);
            queues.waiters.extend(sleepers);
            vec![queues]
        }
    }
}

fn notified(queues: &Queues, sleeper: usize) -> Queues {
    let mut queues = queues.clone();
    queues.sleepers.remove(&sleeper);
    queues.waiters.insert(sleeper);
    queues
}

/// Counts down; at 0 any one waiter becomes owner and active, and without a waiter the lock is free.
fn release(mut queues: Queues) -> Vec<Queues> {
    queues.held -= 1;
    if queues.held > 0 {
        return vec![queues];
    }
    queues.owner = None;
    if queues.waiters.is_empty() {
        return vec![queues];
    }
    let pass_to = |waiter: &usize| {
        let mut queues = Queues { owner: Some(*waiter), held: 1, ..queues.clone() };
        queues.waiters.remove(waiter);
        queues
    };
    queues.waiters.iter().map(pass_to).collect()
}

/// `acquire`: above 0 decrement, at 0 wait. `release`: a waiter becomes active and the value stays, else increment.
fn semaphore(operation: Operation, mut queues: Queues, value: Ratio, actor: usize) -> Vec<After> {
    let changed = |by: Ratio| Some(Value::Number(value.plus(by).expect("small")));
    if operation == Operation::Acquire {
        let open = value > Ratio::ZERO;
        if !open {
            queues.waiters.insert(actor);
        }
        return vec![After { queues, value: open.then(|| changed(Ratio::ONE.negative())).flatten() }];
    }
    if queues.waiters.is_empty() {
        return vec![After { queues, value: changed(Ratio::ONE) }];
    }
    let wake = |waiter: &usize| {
        let mut queues = queues.clone();
        queues.waiters.remove(waiter);
        After { queues, value: None }
    };
    queues.waiters.iter().map(wake).collect()
}
