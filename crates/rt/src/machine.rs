//! The program under test as a system of threads that `explore` can steer.

use explore::{Access, Fault, Label, Needs, Steered, Thread, Threads, Turn, Valuation};

use crate::forked::Lane;
use crate::op::{Kind, Op};
use crate::runtime::{Runtime, rt};
use crate::thread::Phase;

/// The program under test. There is one; the value only gives access to it.
pub(crate) struct Machine;

/// Stands for all that invariants read: the order of writes there matters.
const JUDGED: u64 = 1 << 61;

/// The outcome of an operation by choice: no choice beyond this is tried.
const MOST_CHOICES: u32 = 4096;

impl Runtime {
    /// The state of an object in words that `Needs` understands.
    fn object_state(&self, kind: Kind, object: usize) -> u32 {
        // SAFETY: the program has passed the address to a function that uses the object there.
        let word = unsafe { *(object as *const u32) };
        match kind {
            Kind::Once | Kind::OnceDone => u32::from(word == crate::interpose::once::RUNNING),
            _ => word,
        }
    }

    /// The number of outcomes that the next operation of a thread has; 0 if it is not enabled.
    fn choices(&self, thread: usize) -> u32 {
        if !self.spins_in_vain(thread) {
            return self.choices_without_time(thread);
        }
        // Time passes if nobody can go on otherwise.
        let others = || (0..self.count).filter(|other| *other != thread);
        let waits =
            self.spins_for_a_time(thread) && others().all(|other| self.choices_without_time(other) == 0);
        if waits { self.choices_of(thread) } else { 0 }
    }

    fn choices_without_time(&self, thread: usize) -> u32 {
        if self.spins_in_vain(thread) { 0 } else { self.choices_of(thread) }
    }

    /// The number of outcomes of the next operation, whether the thread spins or not.
    fn choices_of(&self, thread: usize) -> u32 {
        let one = &self.threads[thread];
        if one.phase != Phase::Ready {
            return 0;
        }
        let op = one.next;
        if self.is_cancelled_at(thread, &op) {
            return 1;
        }
        let admits = |needs: Needs| u32::from(needs.admits(self.object_state(op.kind, op.object)));
        match op.kind {
            Kind::Lock | Kind::WriteLock | Kind::Once => admits(Needs::Zero),
            Kind::ReadLock => admits(Needs::Shared),
            Kind::Down => admits(Needs::NonZero),
            Kind::Sleep { timed } => u32::from(timed),
            Kind::Signal => (self.sleepers(op.object).count() as u32).max(1),
            Kind::Join => u32::from(self.threads[op.object].phase == Phase::Finished),
            Kind::Leave => 0,
            Kind::Choose => op.size.clamp(1, MOST_CHOICES),
            Kind::End => u32::from(self.is_last(thread)),
            _ => 1,
        }
    }

    /// What the process that runs the program has said of a thread.
    fn remote(&self, thread: Thread) -> Option<&Lane> {
        self.forked.place.threads.get(usize::from(thread))
    }

    /// Whether no other thread can go on.
    fn is_last(&self, thread: usize) -> bool {
        let others =
            (0..self.count).filter(|other| *other != thread && self.threads[*other].next.kind != Kind::End);
        others.into_iter().all(|other| self.choices_without_time(other) == 0)
    }

    /// The next operation of a thread that is there and has not ended.
    pub(crate) fn next(&self, thread: usize) -> Option<Op> {
        let thread = &self.threads[thread];
        (thread.phase == Phase::Ready).then_some(thread.next)
    }
}

impl Steered for Machine {
    type Action = Turn;
    type Identity = u64;

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        if rt().forks {
            return rt().start_child();
        }
        rt().restart();
        Ok(())
    }

    fn enabled(&self, turns: &mut Vec<Turn>) {
        let runtime = rt();
        if runtime.over {
            return;
        }
        if runtime.forks {
            turns.extend_from_slice(&runtime.forked.place.turns);
            return;
        }
        for thread in 0..runtime.count {
            let choices = runtime.choices(thread) as u16;
            turns.extend((0..choices).map(|choice| Turn { thread: thread as Thread, choice }));
        }
    }

    fn take(&mut self, turn: &Turn) -> Result<(), Fault> {
        let runtime = rt();
        if runtime.forks {
            runtime.shared.take(runtime.taken.len(), *turn);
            return runtime.tell_child(*turn);
        }
        let thread = usize::from(turn.thread);
        runtime.released.clear();
        if u32::from(turn.choice) >= runtime.choices(thread) {
            return Err(Fault::Deviation {
                step: runtime.taken.len(),
                expected: format!("thread {thread} to go on"),
                found: format!("{:?}", runtime.next(thread)),
            });
        }
        runtime.choice = turn.choice;
        runtime.shared.take(runtime.taken.len(), *turn);
        runtime.taken.push(*turn);
        runtime.run_thread(thread);
        Ok(())
    }

    fn identity(&self) -> u64 {
        0
    }

    fn ended(&self) -> bool {
        rt().over
    }

    fn process(&self, turn: &Turn) -> Option<usize> {
        Some(turn.thread.into())
    }

    fn label(&self, turn: &Turn) -> Label {
        format!("{:?}", rt().next(turn.thread.into())).into()
    }

    fn describe(&self) -> Valuation {
        Vec::new()
    }
}

impl Threads for Machine {
    fn accesses(&self, turn: Turn, accesses: &mut Vec<Access>) {
        let runtime = rt();
        if runtime.forks {
            accesses.extend(runtime.remote(turn.thread).iter().flat_map(|lane| &lane.accesses));
            return;
        }
        if let Some(op) = runtime.next(turn.thread.into()) {
            op.accesses(|kind, object| runtime.object_state(kind, object), accesses);
            if runtime.cancels && op.is_cancellation_point() {
                accesses.push(Access::read(Op::cancellation(turn.thread.into())));
            }
            if matches!(op.kind, Kind::Write | Kind::AtomicWrite)
                && !runtime.options.invariants.is_empty()
                && runtime.races.is_judged(op.object)
            {
                accesses.push(Access::write(JUDGED));
            }
            if let Some(waiting) = &runtime.loops[usize::from(turn.thread)].waiting {
                waiting.accesses(accesses);
            }
        }
    }

    fn fingerprint(&self, turn: Turn) -> u64 {
        let runtime = rt();
        if runtime.forks {
            return runtime.remote(turn.thread).map_or(0, |lane| lane.fingerprint);
        }
        runtime.next(turn.thread.into()).map_or(0, |op| op.fingerprint())
    }

    fn local_state(&self, thread: Thread) -> Option<u64> {
        if rt().forks {
            return rt().remote(thread)?.local_state;
        }
        rt().next(thread.into()).map(|_| rt().threads[usize::from(thread)].local_state)
    }

    fn released(&self, threads: &mut Vec<Thread>) {
        threads.extend(&rt().released);
    }

    fn blocked(&self, turns: &mut Vec<Turn>) {
        let runtime = rt();
        if runtime.over {
            return;
        }
        if runtime.forks {
            let lanes = runtime.forked.place.threads.iter().enumerate().filter(|(_, lane)| lane.blocked);
            turns.extend(lanes.map(|(thread, _)| Turn { thread: thread as Thread, choice: 0 }));
            return;
        }
        for thread in 0..runtime.count {
            let waits =
                |op: Op| !matches!(op.kind, Kind::Join | Kind::Sleep { .. } | Kind::Leave | Kind::End);
            if runtime.next(thread).is_some_and(waits) && runtime.choices(thread) == 0 {
                turns.push(Turn { thread: thread as Thread, choice: 0 });
            }
        }
    }

    fn awaits(&self, turn: Turn) -> Option<Thread> {
        if rt().forks {
            return rt().remote(turn.thread)?.awaits;
        }
        let op = rt().next(turn.thread.into())?;
        (op.kind == Kind::Join).then_some(op.object as Thread)
    }

    fn spins(&self, thread: Thread) -> bool {
        if rt().forks {
            return rt().remote(thread).is_some_and(|lane| lane.spins);
        }
        rt().loops[usize::from(thread)].waiting.is_some()
    }

    fn replaceable(&self, thread: Thread) -> bool {
        if rt().forks {
            return rt().remote(thread).is_some_and(|lane| lane.replaceable);
        }
        rt().next(thread.into()).is_some_and(|op| matches!(op.kind, Kind::Sleep { .. }))
    }
}
