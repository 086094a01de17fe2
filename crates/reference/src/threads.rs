//! Locks, conditions and semaphores: the table of section 7, row by row.

use crate::{
    instance::Instance,
    number::Ratio,
    state::{Queues, State, Value},
    tree::{LockType, Operation, Primitive, Type},
};

/// A lock after a primitive: its queues, and its value if it is a semaphore.
#[derive(Debug, Clone)]
pub struct After {
    pub queues: Queues,
    pub value: Option<Value>,
}

/// The order of queues: which process is next, any one or the first that came.
#[derive(Debug, Clone, Copy)]
struct Order {
    fifo: bool,
}

impl Order {
    /// Joins a queue at its end. Unordered queues are kept sorted.
    fn join(self, queue: &mut Vec<usize>, process: usize) {
        queue.push(process);
        if !self.fifo {
            queue.sort_unstable();
        }
    }

    /// Every process that may be next, each with the remaining queue.
    fn next(self, queue: &[usize]) -> Vec<(usize, Vec<usize>)> {
        let candidates = if self.fifo { 1.min(queue.len()) } else { queue.len() };
        let take = |at: usize| {
            let mut left = queue.to_vec();
            (left.remove(at), left)
        };
        (0..candidates).map(take).collect()
    }
}

impl Instance<'_> {
    /// All possible results of a primitive; `None` if it is a misuse. "Any one" is a choice.
    pub fn perform(
        &self,
        primitive: &Primitive,
        indices: &[usize],
        actor: usize,
        state: &State,
    ) -> Option<Vec<After>> {
        let symbol = primitive.symbol;
        let order = Order { fifo: self.program.fifo };
        let queues = state.locks[self.lock(symbol, indices)].clone();
        let Type::Lock(lock) = self.program.symbols[symbol].of else { panic!("no lock") };
        if lock == LockType::Semaphore {
            let Value::Number(value) = state.cells[self.cell(symbol, indices)] else { panic!("no value") };
            return Some(semaphore(order, primitive.operation, queues, value, actor));
        }
        let after = if primitive.operation == Operation::Acquire {
            vec![acquire(order, lock, queues, actor)]
        } else if queues.owner != Some(actor) {
            return None;
        } else {
            owned(order, primitive.operation, queues, actor)
        };
        Some(after.into_iter().map(|queues| After { queues, value: None }).collect())
    }
}

/// Free: the actor owns it. Taken: it waits. The owner of an `rlock` may re-acquire, which counts.
fn acquire(order: Order, lock: LockType, mut queues: Queues, actor: usize) -> Queues {
    match queues.owner {
        None => (queues.owner, queues.held) = (Some(actor), 1),
        Some(owner) if owner == actor && lock == LockType::Reentrant => queues.held += 1,
        Some(_) => order.join(&mut queues.waiters, actor),
    }
    queues
}

/// The operations that only the owner may perform.
fn owned(order: Order, operation: Operation, mut queues: Queues, actor: usize) -> Vec<Queues> {
    match operation {
        Operation::Acquire => unreachable!("anyone may acquire"),
        Operation::Release => release(order, queues),
        // Releases the lock as `release` does, and sleeps.
        Operation::Wait => {
            let mut after = release(order, queues);
            after.iter_mut().for_each(|queues| order.join(&mut queues.sleepers, actor));
            after
        }
        // Any one sleeper joins the waiters; without a sleeper nothing happens.
        Operation::Notify if queues.sleepers.is_empty() => vec![queues],
        Operation::Notify => order
            .next(&queues.sleepers)
            .into_iter()
            .map(|(sleeper, sleepers)| {
                let mut queues = Queues { sleepers, ..queues.clone() };
                order.join(&mut queues.waiters, sleeper);
                queues
            })
            .collect(),
        Operation::NotifyAll => {
            let sleepers = std::mem::take(&mut queues.sleepers);
            sleepers.into_iter().for_each(|sleeper| order.join(&mut queues.waiters, sleeper));
            vec![queues]
        }
    }
}

/// Counts down; at 0 any one waiter becomes owner and active, and without a waiter the lock is free.
fn release(order: Order, mut queues: Queues) -> Vec<Queues> {
    queues.held -= 1;
    if queues.held > 0 {
        return vec![queues];
    }
    queues.owner = None;
    if queues.waiters.is_empty() {
        return vec![queues];
    }
    let pass_to = |(waiter, waiters)| Queues { owner: Some(waiter), held: 1, waiters, ..queues.clone() };
    order.next(&queues.waiters).into_iter().map(pass_to).collect()
}

/// `acquire`: above 0 decrement, at 0 wait. `release`: a waiter becomes active and the value stays, else increment.
fn semaphore(
    order: Order,
    operation: Operation,
    mut queues: Queues,
    value: Ratio,
    actor: usize,
) -> Vec<After> {
    let changed = |by: Ratio| Some(Value::Number(value.plus(by).expect("small")));
    if operation == Operation::Acquire {
        let open = value > Ratio::ZERO;
        if !open {
            order.join(&mut queues.waiters, actor);
        }
        return vec![After { queues, value: open.then(|| changed(Ratio::ONE.negative())).flatten() }];
    }
    if queues.waiters.is_empty() {
        return vec![After { queues, value: changed(Ratio::ONE) }];
    }
    let wake = |(_, waiters)| After { queues: Queues { waiters, ..queues.clone() }, value: None };
    order.next(&queues.waiters).into_iter().map(wake).collect()
}
