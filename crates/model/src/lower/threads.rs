//! Locks, conditions and semaphores, lowered to ordinary variables and transitions.
//!
//! A lock is represented by its owner, `nobody` when it is free; a reentrant lock also has a depth; a semaphore is
//! represented by its value. One array, `blocked`, holds what each process waits for or sleeps on: a process is
//! blocked on one thing at a time, because only an active process takes steps. For locks in arrays a second array,
//! `blocked_at`, holds the index. So `waiting(L, i)` is `blocked[i] = waiting(L)`.
//!
//! Where the language chooses "any one" process, there is one transition for a process that is not a parameter, one
//! for each parameter that may be chosen, and one for the case that there is no candidate.
//!
//! If queues are first-in-first-out, another array, `before[p,q]`, tells whether p and q wait in the same queue and p
//! came first. A process that joins a queue has all its other processes before it, one that leaves is before none,
//! and only a process with none before it is chosen.

use super::variables::Variables;
use ir::{
    Arm, At, Blocked, EnumId, Formula, Lock, LockKind, OutsiderId, SymbolId, Term, Transition, Update, Value,
    Var,
};

/// The owner of a free lock: always the first outsider of a model with locks.
pub(super) const NOBODY: OutsiderId = OutsiderId(0);

/// The symbols that threads were lowered to.
#[derive(Debug)]
pub(super) struct ThreadTable {
    pub(super) locks: Vec<Lock>,
    pub(super) blocked_enum: EnumId,
    pub(super) blocked: SymbolId,
    pub(super) blocked_at: Option<SymbolId>,
    pub(super) reasons: Vec<Blocked>,
    /// Set if queues are first-in-first-out.
    pub(super) before: Option<SymbolId>,
}

/// A lock, or a cell of an array of locks.
#[derive(Debug, Clone)]
pub(super) struct LockRef {
    pub(super) lock: usize,
    pub(super) index: Option<Term>,
}

/// An operation of a transition on a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Acquire,
    Release,
    Wait,
    Notify,
    NotifyAll,
}

impl Operation {
    pub(super) const ALL: &[(&str, Operation)] = &[
        ("acquire", Operation::Acquire),
        ("release", Operation::Release),
        ("wait", Operation::Wait),
        ("notify", Operation::Notify),
        ("notify_all", Operation::NotifyAll),
    ];

    /// Whether only a `condition` has this operation.
    pub(super) fn needs_condition(self) -> bool {
        matches!(self, Operation::Wait | Operation::Notify | Operation::NotifyAll)
    }
}

/// The constructors of `blocked` by name, and the meaning of all but the first, which is "active".
pub(super) fn reasons(locks: &[Lock]) -> (Vec<String>, Vec<Blocked>) {
    let mut names = vec!["active".to_owned()];
    let mut reasons = Vec::new();
    for (at, lock) in locks.iter().enumerate() {
        names.push(format!("waiting({})", lock.name));
        reasons.push(Blocked { lock: at, asleep: false });
        if lock.kind == LockKind::Condition {
            names.push(format!("sleeping({})", lock.name));
            reasons.push(Blocked { lock: at, asleep: true });
        }
    }
    (names, reasons)
}

fn nobody() -> Term {
    Term::Outsider(NOBODY)
}

impl ThreadTable {
    /// `active(i)`
    pub(super) fn active(&self, process: Term) -> Formula {
        Formula::eq(Term::read(self.blocked, vec![process]), self.active_value())
    }

    fn active_value(&self) -> Term {
        Term::Constructor(self.blocked_enum, 0)
    }

    fn blocked_value(&self, lock: usize, asleep: bool) -> Term {
        let at = self.reasons.iter().position(|reason| *reason == Blocked { lock, asleep });
        let at = at.expect("every lock has a reason to wait, every condition one to sleep");
        Term::Constructor(self.blocked_enum, u32::try_from(at + 1).expect("fewer than 2^32 locks"))
    }

    /// The owner of a lock, or the value of a semaphore.
    fn state(&self, at: &LockRef) -> Term {
        Term::read(self.locks[at.lock].state, at.index.iter().cloned().collect())
    }

    fn depth(&self, at: &LockRef) -> Option<Term> {
        Some(Term::read(self.locks[at.lock].depth?, at.index.iter().cloned().collect()))
    }

    /// `free(L)`
    pub(super) fn free(&self, at: &LockRef) -> Formula {
        Formula::eq(self.state(at), nobody())
    }

    /// `owner(L, i)`
    pub(super) fn owner(&self, at: &LockRef, process: Term) -> Formula {
        Formula::eq(self.state(at), process)
    }

    /// `waiting(L, i)`
    pub(super) fn waiting(&self, at: &LockRef, process: Term) -> Formula {
        self.is_blocked(at, process, false)
    }

    /// `sleeping(C, i)`
    pub(super) fn sleeping(&self, at: &LockRef, process: Term) -> Formula {
        self.is_blocked(at, process, true)
    }

    fn is_blocked(&self, at: &LockRef, process: Term, asleep: bool) -> Formula {
        let reason =
            Formula::eq(Term::read(self.blocked, vec![process.clone()]), self.blocked_value(at.lock, asleep));
        let place = at
            .index
            .clone()
            .zip(self.blocked_at)
            .map(|(index, cells)| Formula::eq(Term::read(cells, vec![process]), index));
        Formula::and([reason].into_iter().chain(place))
    }
}

/// The changes of a step to locks, while it is built.
#[derive(Default)]
struct Effect {
    /// Further conditions of the step.
    guard: Vec<Formula>,
    /// New state of the lock: condition and value.
    state: Vec<(Formula, Term)>,
    depth: Vec<(Formula, Term)>,
    /// For processes that satisfy a condition on the variable of the cell: the new reason and the new index.
    blocked: Vec<(Formula, Term, Term)>,
    /// For pairs of processes that satisfy a condition on the variables of [`Fifo`]: whether the first is before the
    /// second.
    order: Vec<(Formula, Term)>,
    woken: Option<Var>,
}

/// The symbol and variables for first-in-first-out queues.
struct Fifo {
    before: SymbolId,
    /// The variables for the cells of `before`.
    pair: (Var, Var),
}

/// Turns a transition with a lock operation into the transitions that it stands for.
pub(super) struct Lowering<'t> {
    table: &'t ThreadTable,
    lock: LockRef,
    actor: Var,
    /// The parameters of the rule.
    params: Vec<Var>,
    /// An additional parameter, for the process that is woken.
    other: Var,
    /// The variable for the cells of `blocked`.
    cell: Var,
    /// The variable for the cells of the lock's own array.
    lock_cell: Var,
    fifo: Option<Fifo>,
}

impl<'t> Lowering<'t> {
    pub(super) fn new(
        table: &'t ThreadTable,
        lock: LockRef,
        actor: Var,
        params: &[Var],
        variables: &mut Variables,
    ) -> Lowering<'t> {
        Lowering {
            table,
            lock,
            actor,
            params: params.to_vec(),
            other: variables.fresh("woken"),
            cell: variables.fresh("k"),
            lock_cell: variables.fresh("cell"),
            fifo: table
                .before
                .map(|before| Fifo { before, pair: (variables.fresh("first"), variables.fresh("second")) }),
        }
    }

    fn kind(&self) -> LockKind {
        self.table.locks[self.lock.lock].kind
    }

    fn actor(&self) -> Term {
        Term::Var(self.actor)
    }

    /// The condition for misuse: the actor does not own the lock. `None` if the operation does not require that.
    pub(super) fn misuse(&self, operation: Operation) -> Option<Formula> {
        let anyone = operation == Operation::Acquire || self.kind() == LockKind::Semaphore;
        (!anyone).then(|| self.table.owner(&self.lock, self.actor()).not())
    }

    /// All transitions that `base` stands for.
    pub(super) fn lower(&self, operation: Operation, base: &Transition, at: At) -> Vec<Transition> {
        let effects = match operation {
            Operation::Acquire => vec![self.acquire()],
            Operation::Release => self.release(),
            Operation::Wait => self.give_up(|effect| self.block_actor(effect)),
            Operation::Notify => self.notify(),
            Operation::NotifyAll => vec![self.notify_all()],
        };
        let owned = self.misuse(operation).map(Formula::not);
        effects.into_iter().map(|effect| self.apply(effect, owned.as_ref(), base, at)).collect()
    }

    fn acquire(&self) -> Effect {
        let table = self.table;
        let mut effect = Effect::default();
        let must_wait = match self.kind() {
            LockKind::Semaphore => {
                let value = table.state(&self.lock);
                let positive = Formula::compare(ir::Relation::Lt, Term::int(0), value.clone());
                effect.state.push((positive.clone(), plus(value, -1)));
                positive.not()
            }
            kind => {
                let free = table.free(&self.lock);
                effect.state.push((free.clone(), self.actor()));
                let mine = table.owner(&self.lock, self.actor());
                if let Some(depth) = table.depth(&self.lock) {
                    effect.depth.push((free.clone(), Term::int(1)));
                    effect.depth.push((mine.clone(), plus(depth, 1)));
                }
                let again = if kind == LockKind::Reentrant { mine } else { Formula::False };
                Formula::or([free, again]).not()
            }
        };
        let who = |process| Formula::and([Formula::eq(process, self.actor()), must_wait.clone()]);
        self.block(&mut effect, who, false);
        effect
    }

    fn release(&self) -> Vec<Effect> {
        let Some(depth) = self.table.depth(&self.lock) else { return self.give_up(|_| ()) };
        let nested = Formula::compare(ir::Relation::Lt, Term::int(1), depth.clone());
        let mut inner = Effect::default();
        inner.guard.push(nested.clone());
        inner.depth.push((Formula::True, plus(depth, -1)));
        let outermost = self.give_up(|effect| effect.guard.push(nested.clone().not()));
        std::iter::once(inner).chain(outermost).collect()
    }

    /// Passes the lock to any one waiter; without a waiter it becomes free, or the semaphore is incremented.
    fn give_up(&self, also: impl Fn(&mut Effect)) -> Vec<Effect> {
        let table = self.table;
        let semaphore = self.kind() == LockKind::Semaphore;
        let mut effects = self.any_one(
            |process| table.waiting(&self.lock, process),
            |effect, waiter| {
                if !semaphore {
                    effect.state.push((Formula::True, Term::Var(waiter)));
                }
                self.activate(effect, waiter);
            },
        );
        let none = effects.last_mut().expect("the last case is that no process waits");
        if semaphore {
            none.state.push((Formula::True, plus(table.state(&self.lock), 1)));
        } else {
            none.state.push((Formula::True, nobody()));
            if self.kind() == LockKind::Reentrant {
                none.depth.push((Formula::True, Term::int(0)));
            }
        }
        effects.iter_mut().for_each(also);
        effects
    }

    fn notify(&self) -> Vec<Effect> {
        let table = self.table;
        self.any_one(
            |process| table.sleeping(&self.lock, process),
            |effect, sleeper| {
                self.block(effect, |process| Formula::eq(process, Term::Var(sleeper)), false);
            },
        )
    }

    fn notify_all(&self) -> Effect {
        let mut effect = Effect::default();
        // The woken processes keep their order among themselves.
        self.block(&mut effect, |process| self.table.sleeping(&self.lock, process), false);
        effect
    }

    /// One case for each process that may be chosen, and last the case that there is no candidate.
    fn any_one(&self, candidate: impl Fn(Term) -> Formula, chosen: impl Fn(&mut Effect, Var)) -> Vec<Effect> {
        let others = self.params.iter().copied().filter(|param| *param != self.actor);
        let mut effects: Vec<Effect> = std::iter::once(self.other)
            .chain(others)
            .map(|process| {
                let mut effect = Effect { woken: Some(process), ..Effect::default() };
                effect.guard.push(candidate(Term::Var(process)));
                self.leave(&mut effect, process);
                chosen(&mut effect, process);
                effect
            })
            .collect();
        let none = Formula::forall(vec![self.cell], candidate(Term::Var(self.cell)).not());
        effects.push(Effect { guard: vec![none], ..Effect::default() });
        effects
    }

    /// Puts the actor to sleep. It is active, so it is never the process that is woken.
    fn block_actor(&self, effect: &mut Effect) {
        self.block(effect, |process| Formula::eq(process, self.actor()), true);
    }

    fn block(&self, effect: &mut Effect, who: impl Fn(Term) -> Formula, asleep: bool) {
        let index = self.lock.index.clone().unwrap_or_else(nobody);
        let reason = self.table.blocked_value(self.lock.lock, asleep);
        effect.blocked.push((who(Term::Var(self.cell)), reason, index));
        if let Some(Fifo { pair: (first, second), .. }) = self.fifo {
            let waits_already = self.table.is_blocked(&self.lock, Term::Var(first), asleep);
            let last = Formula::and([who(Term::Var(second)), waits_already]);
            effect.order.push((last, Term::boolean(true)));
        }
    }

    /// Removes the first process of a queue. Must precede joining another queue.
    fn leave(&self, effect: &mut Effect, process: Var) {
        let Some(Fifo { before, pair: (first, _) }) = self.fifo else { return };
        let somebody = Term::read(before, vec![Term::Var(self.cell), Term::Var(process)]);
        let nobody = Formula::eq(somebody, Term::boolean(false));
        effect.guard.push(Formula::forall(vec![self.cell], nobody));
        let leaves = Formula::eq(Term::Var(first), Term::Var(process));
        effect.order.push((leaves, Term::boolean(false)));
    }

    fn activate(&self, effect: &mut Effect, process: Var) {
        let who = Formula::eq(Term::Var(self.cell), Term::Var(process));
        effect.blocked.push((who, self.table.active_value(), nobody()));
    }

    fn apply(&self, effect: Effect, owned: Option<&Formula>, base: &Transition, at: At) -> Transition {
        let mut transition = base.clone();
        let guard = std::iter::once(base.guard.clone()).chain(owned.cloned()).chain(effect.guard);
        transition.guard = Formula::and(guard);
        transition.woken = effect.woken;
        if effect.woken == Some(self.other) {
            transition.params.push(self.other);
        }
        let lock = &self.table.locks[self.lock.lock];
        transition.updates.extend(self.lock_update(lock.state, effect.state, at));
        transition.updates.extend(lock.depth.and_then(|depth| self.lock_update(depth, effect.depth, at)));
        let (reasons, indices) = effect
            .blocked
            .into_iter()
            .map(|(who, reason, index)| ((who.clone(), reason), (who, index)))
            .unzip();
        transition.updates.extend(update(self.table.blocked, vec![self.cell], reasons, at));
        if let Some(cells) = self.table.blocked_at.filter(|_| lock.array) {
            transition.updates.extend(update(cells, vec![self.cell], indices, at));
        }
        if let Some(Fifo { before, pair: (first, second) }) = self.fifo {
            transition.updates.extend(update(before, vec![first, second], effect.order, at));
        }
        transition
    }

    /// An update of the lock itself or, in an array, of its cell.
    fn lock_update(&self, symbol: SymbolId, arms: Vec<(Formula, Term)>, at: At) -> Option<Update> {
        let Some(index) = &self.lock.index else { return update(symbol, vec![], arms, at) };
        let here = Formula::eq(Term::Var(self.lock_cell), index.clone());
        let arms = arms
            .into_iter()
            .map(|(condition, value)| (Formula::and([here.clone(), condition]), value))
            .collect();
        update(symbol, vec![self.lock_cell], arms, at)
    }
}

fn update(symbol: SymbolId, cell: Vec<Var>, arms: Vec<(Formula, Term)>, at: At) -> Option<Update> {
    let arms: Vec<Arm> =
        arms.into_iter().map(|(condition, value)| Arm { condition, value: Value::Term(value) }).collect();
    (!arms.is_empty()).then_some(Update { symbol, cell, arms, at })
}

fn plus(term: Term, number: i64) -> Term {
    let sum = ir::Linear::from_term(ir::Sort::Int, term);
    let number = ir::Linear::constant(ir::Sort::Int, ir::Number::whole(number));
    sum.plus(number).expect("a variable plus or minus 1 cannot overflow").into_term()
}
