//! The state of the runtime, and how threads of the program and the scheduler take turns.

use std::collections::{BTreeSet, HashMap};

use crate::clock::Clock;
use crate::context;
use crate::control::Shared;
use crate::forked::Forked;
use crate::heap;
use crate::local::Local;
use crate::memory::Snapshot;
use crate::op::{Kind, Op};
use crate::races::{Access, Party, Race, Races};
use crate::spin::{LongStep, Loops};
use crate::stack;
use crate::table::{AddressMap, AddressSet};
use crate::thread::{MOST, Phase, Thread};

/// Where the program called the runtime: filled in by the entries of hooks before anything else happens.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The address behind the call.
    pub(crate) pc: usize,
    /// The stack at the call.
    pub(crate) sp: usize,
    /// `rbp`, `rbx` and `r12` to `r15`.
    pub(crate) registers: [usize; 6],
}

/// See [`Entry`].
pub(crate) static mut ENTRY: Entry = Entry { pc: 0, sp: 0, registers: [0; 6] };

/// The stack on which the next call of the current thread is handled; 0 while one is being handled, and while no thread
/// of the program runs.
pub(crate) static mut HOOK_STACK: usize = 0;

/// The size of such a stack.
const HOOK_STACK_SIZE: usize = 1 << 16;

/// The address behind the call of the program that is being handled.
#[inline]
pub(crate) fn pc() -> usize {
    // SAFETY: there is one OS thread.
    unsafe { ENTRY.pc }
}

/// Something that is wrong with the program, found in a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Failure {
    /// The class that `--ignore` and reports use.
    pub(crate) kind: &'static str,
    /// What happened, without addresses of the run.
    pub(crate) message: String,
    /// Where, as addresses of code.
    pub(crate) pcs: Vec<usize>,
    /// Who.
    pub(crate) threads: Vec<usize>,
}

/// What the runtime does when the program calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Before `main`, or without a tester: one thread, nothing is watched.
    Off,
    /// A run under control.
    Controlled,
    /// An invariant is evaluated.
    Judging,
}

/// All that the runtime knows. There is one, and one OS thread.
pub(crate) struct Runtime {
    pub(crate) mode: Mode,
    pub(crate) threads: Vec<Thread>,
    /// One more than the largest number of a thread of this run.
    pub(crate) count: usize,
    pub(crate) current: usize,
    /// The outcome of the operation that the current thread may take.
    pub(crate) choice: u16,
    /// Where the current thread continues when it stands at its next operation.
    back: usize,
    /// The numbers of threads by who created them, and in which order.
    names: HashMap<(usize, usize), usize>,
    /// Threads that the last step released or created.
    pub(crate) released: Vec<u16>,
    pub(crate) failures: Vec<Failure>,
    /// The program has ended, or cannot go on.
    pub(crate) over: bool,
    pub(crate) snapshot: Snapshot,
    pub(crate) races: Races,
    pub(crate) clocks: Vec<Clock>,
    /// What threads that take an object learn from those that released it; with the number of the run.
    objects: AddressMap<(u32, Clock)>,
    pub(crate) run: u32,
    pub(crate) found_races: Vec<Race>,
    /// Part of the heap for what outlives runs; `usize::MAX` if it is the current thread's.
    pub(crate) heap_of: usize,
    pub(crate) program: Program,
    pub(crate) options: crate::control::Options,
    pub(crate) local: Local,
    /// Hooks of the current step, to notice one that never ends.
    pub(crate) hooks: u64,
    pub(crate) exit_handlers: Vec<(usize, usize)>,
    /// Those that were registered before `main`.
    pub(crate) first_handlers: Vec<(usize, usize)>,
    /// The schedule of the run so far.
    pub(crate) taken: Vec<explore::Turn>,
    pub(crate) loops: Vec<Loops>,
    /// Calls in loops that may wait for others.
    pub(crate) watched: AddressSet,
    /// Such calls that were found in this run.
    pub(crate) found_loops: Vec<usize>,
    /// Calls of loops without any visible operation.
    pub(crate) hidden_loops: Vec<usize>,
    pub(crate) long: LongStep,
    hook_stacks: Vec<Vec<u8>>,
    /// What invariants have read in this search that was not known, and whether another one is needed.
    pub(crate) judged: Vec<usize>,
    pub(crate) judged_more: bool,
    /// Steps of all runs, to notice one that does not end.
    pub(crate) steps: u64,
    /// Conditions that were signalled in this run while nobody slept on them.
    pub(crate) unheard: AddressMap<u32>,
    pub(crate) shared: Shared,
    /// Values that runs have noted.
    pub(crate) observed: BTreeSet<u64>,
    /// Whether each run has a process of its own, and that process.
    pub(crate) forks: bool,
    pub(crate) forked: Forked,
    /// Whether this is such a process.
    pub(crate) is_child: bool,
    /// The program has asked for something that needs one.
    pub(crate) wants_fork: bool,
    /// Whether the program cancels threads.
    pub(crate) cancels: bool,
    /// Whether it looks if threads have ended.
    pub(crate) watches_ends: bool,
}

/// How the program is started.
#[derive(Clone, Copy, Default)]
pub(crate) struct Program {
    pub(crate) main: usize,
    pub(crate) argc: i32,
    pub(crate) argv: usize,
    pub(crate) environment: usize,
}

static mut RUNTIME: Option<Runtime> = None;

/// The runtime, made at the first call.
///
/// There is one OS thread, and no hook interrupts another one except for faults, which do not return to it or touch the
/// snapshot alone.
#[inline]
#[allow(static_mut_refs)]
pub(crate) fn rt() -> &'static mut Runtime {
    // SAFETY: see above.
    unsafe { RUNTIME.get_or_insert_with(Runtime::new) }
}

/// Debuggers stop here: a thread is about to take the step that was asked for.
#[cfg_attr(motet_interpose, unsafe(no_mangle))]
#[inline(never)]
pub extern "C" fn motet_reached() {
    std::hint::black_box(());
}

impl Runtime {
    fn new() -> Runtime {
        Runtime {
            mode: Mode::Off,
            threads: (0..MOST).map(|_| Thread::absent()).collect(),
            count: 1,
            current: 0,
            choice: 0,
            back: 0,
            names: HashMap::new(),
            released: Vec::new(),
            failures: Vec::new(),
            over: false,
            snapshot: Snapshot::default(),
            races: Races::default(),
            clocks: vec![Clock::default(); MOST],
            objects: AddressMap::default(),
            run: 0,
            found_races: Vec::new(),
            heap_of: usize::MAX,
            program: Program::default(),
            options: crate::control::Options::default(),
            local: Local::default(),
            hooks: 0,
            exit_handlers: Vec::new(),
            first_handlers: Vec::new(),
            taken: Vec::new(),
            loops: (0..MOST).map(|_| Loops::default()).collect(),
            watched: AddressSet::default(),
            found_loops: Vec::new(),
            hidden_loops: Vec::new(),
            long: LongStep::default(),
            hook_stacks: vec![Vec::new(); MOST],
            judged: Vec::new(),
            judged_more: false,
            steps: 0,
            unheard: AddressMap::default(),
            shared: Shared::default(),
            observed: BTreeSet::new(),
            forks: false,
            forked: Forked::default(),
            is_child: false,
            wants_fork: false,
            cancels: false,
            watches_ends: false,
        }
    }

    #[inline]
    pub(crate) fn is_controlled(&self) -> bool {
        self.mode == Mode::Controlled
    }

    /// Whether a thread of the program is running, rather than the search.
    pub(crate) fn runs_program(&self) -> bool {
        self.back != 0
    }

    pub(crate) fn this(&mut self) -> &mut Thread {
        &mut self.threads[self.current]
    }

    /// What the current thread knows of the others.
    pub(crate) fn own_clock(&mut self) -> &mut Clock {
        &mut self.clocks[self.current]
    }

    /// The part of the heap to use.
    pub(crate) fn heap(&mut self) -> usize {
        let part = if self.heap_of == usize::MAX { self.current } else { self.heap_of };
        // SAFETY: there is one OS thread.
        if let Some((start, end)) = unsafe { heap::make(part) }
            && self.is_controlled()
            && self.heap_of == usize::MAX
        {
            unsafe { self.snapshot.add_unused(start, end) };
        }
        part
    }

    /// Brings the program to its start: memory as it was, and one thread that has not begun.
    pub(crate) fn restart(&mut self) {
        // SAFETY: no thread of the program is running.
        unsafe { self.snapshot.restore() };
        self.run += 1;
        self.races.restart();
        for thread in 0..self.count {
            self.threads[thread].phase = Phase::Absent;
        }
        self.count = 0;
        self.over = false;
        self.failures.clear();
        self.released.clear();
        self.exit_handlers.clone_from(&self.first_handlers);
        // SAFETY: there is one OS thread.
        unsafe {
            crate::interpose::keys::restart();
            crate::interpose::streams::restart();
        }
        self.taken.clear();
        self.create(0, crate::program::run_main as *const () as usize, 0);
        self.released.clear();
        self.run_thread(0);
    }

    /// Creates a thread; it does not run yet.
    fn create(&mut self, number: usize, function: usize, argument: usize) {
        self.threads[number].begin(function, argument);
        self.loops[number].restart();
        crate::program::note_beginning(number);
        self.count = self.count.max(number + 1);
        self.clocks[number].clear();
        self.clocks[number].set(number, 1);
        // SAFETY: the stack belongs to this thread alone.
        unsafe {
            if stack::make(number) {
                self.snapshot.add_unused(stack::bottom(number), stack::top(number));
            }
            self.threads[number].stack = context::prepare(stack::top(number), crate::program::begin, number);
        }
        self.threads[number].local = self.local.prepare(number);
        self.released.push(number as u16);
    }

    /// Creates a thread on behalf of the current one, and runs it to its first visible operation.
    pub(crate) unsafe fn spawn(
        &mut self,
        handle: *mut usize,
        function: usize,
        argument: usize,
    ) -> Option<usize> {
        let (parent, order) = (self.current, self.this().children);
        let next = self.names.len() + 1;
        let number = *self.names.entry((parent, order)).or_insert(next);
        if number + 1 >= MOST {
            return None;
        }
        self.this().children += 1;
        self.create(number, function, argument);
        let (parents, child) = two(&mut self.clocks, parent, number);
        child.join(parents);
        parents.increment(parent);
        // The new thread may read its own handle.
        *handle = number + 1;
        self.run_thread(number);
        self.current = parent;
        context::set_thread_pointer(self.threads[parent].local);
        (self.hooks, self.long) = (0, LongStep::default());
        // The new thread may have ended the run before its first operation.
        if self.over {
            self.give_up_run();
        }
        Some(number)
    }

    /// Runs a thread until it stands at its next visible operation, or ends.
    pub(crate) fn run_thread(&mut self, thread: usize) {
        let back = std::mem::replace(&mut self.back, 0);
        self.current = thread;
        self.steps += 1;
        self.hooks = 0;
        self.long = LongStep::default();
        self.stop_waiting(thread);
        self.threads[thread].phase = Phase::Running;
        let stack = self.threads[thread].stack;
        // A thread that has begun is in the middle of a call.
        let hooks = if std::mem::replace(&mut self.threads[thread].begun, true) {
            0
        } else {
            self.hook_stack(thread)
        };
        // SAFETY: the thread stands where it was left; `back` is where it comes back to.
        unsafe {
            HOOK_STACK = hooks;
            context::set_thread_pointer(self.threads[thread].local);
            context::switch(&raw mut self.back, stack);
            HOOK_STACK = 0;
        }
        self.back = back;
    }

    /// The end of the stack on which the calls of a thread are handled.
    pub(crate) fn hook_stack(&mut self, thread: usize) -> usize {
        let stack = &mut self.hook_stacks[thread];
        if stack.is_empty() {
            *stack = vec![0; HOOK_STACK_SIZE];
        }
        (stack.as_ptr() as usize + HOOK_STACK_SIZE) & !15
    }

    /// Called by a thread: it stands at `op`. Returns the outcome when it may take it.
    pub(crate) fn visible(&mut self, op: Op) -> u16 {
        if self.options.local_states {
            self.keep_local_state();
        }
        self.follow_operation(&op);
        self.stand_at(op)
    }

    /// The current thread ends the life of an object, which is no scheduling point if all others have ended.
    pub(crate) fn destroy(&mut self, object: usize, pc: usize) {
        let lives = |thread: usize| matches!(self.threads[thread].phase, Phase::Ready | Phase::Dead);
        if (0..self.count).any(|thread| thread != self.current && lives(thread)) {
            self.visible(Op::new(Kind::Destroy, object, pc));
        }
    }

    /// As [`visible`](Self::visible), in the middle of a call.
    pub(crate) fn stand_at(&mut self, op: Op) -> u16 {
        if self.options.stacks {
            self.this().calls = crate::backtrace::calls(self.current);
        }
        let thread = self.this();
        (thread.next, thread.phase) = (op, Phase::Ready);
        self.yield_back();
        if self.options.stop != 0 && self.taken.len() == self.options.stop {
            motet_reached();
        }
        self.check_object(&op);
        self.choice
    }

    /// An object in memory that was given back must not be used.
    fn check_object(&mut self, op: &Op) {
        // Plain accesses are looked at whether they are visible or not.
        if !matches!(op.kind, Kind::Read | Kind::Write)
            && heap::contains(op.object)
            && self.races.is_freed(op.object)
        {
            self.fail("memory", "use of an object in memory that was freed".into(), vec![op.pc]);
        }
    }

    /// Gives control back to who has run the current thread.
    pub(crate) fn yield_back(&mut self) {
        let save = &raw mut self.threads[self.current].stack;
        // SAFETY: `back` was saved when the thread was run. Others enter meanwhile: what is known of this call is kept.
        unsafe {
            let entry = ENTRY;
            context::switch(save, self.back);
            ENTRY = entry;
        }
    }

    /// Another thread may go on, after it has taken its mutex again if there is one: it was signalled.
    pub(crate) fn wake(&mut self, thread: usize) {
        let next = &mut self.threads[thread].next;
        *next = match next.second {
            0 => Op { kind: Kind::Yield, ..*next },
            mutex => Op { kind: Kind::Lock, object: mutex, ..*next },
        };
        self.loops[thread].waiting = None;
        self.released.push(thread as u16);
    }

    /// The threads that sleep on a condition.
    pub(crate) fn sleepers(&self, condition: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).filter(move |&thread| {
            let thread = &self.threads[thread];
            thread.phase == Phase::Ready
                && matches!(thread.next.kind, Kind::Sleep { .. })
                && thread.next.object == condition
        })
    }

    /// Whether some thread stands at such an operation on an object.
    pub(crate) fn stands_at(&self, kind: Kind, object: usize) -> bool {
        let at = |thread: usize| self.next(thread).is_some_and(|op| op.kind == kind && op.object == object);
        (0..self.count).any(at)
    }

    /// What those who released an object knew.
    fn told_by(&self, object: usize) -> Option<&Clock> {
        self.objects.get(&object).filter(|(run, _)| *run == self.run).map(|(_, clock)| clock)
    }

    /// A relaxed load: what it could learn is learnt at the next fence.
    pub(crate) fn acquire_later(&mut self, object: usize) {
        let mut later = std::mem::take(&mut self.threads[self.current].learnt_later);
        if let Some(clock) = self.told_by(object) {
            later.join(clock);
        }
        self.threads[self.current].learnt_later = later;
    }

    /// A fence: what relaxed loads have read is learnt, and relaxed stores tell what is known now.
    pub(crate) fn fence(&mut self, acquires: bool, releases: bool) {
        let thread = self.current;
        if acquires {
            self.clocks[thread].join(&self.threads[thread].learnt_later);
        }
        if releases {
            self.threads[thread].told_later.copy(&self.clocks[thread]);
            self.clocks[thread].increment(thread);
        }
    }

    /// The current thread learns all that those who released an object knew.
    pub(crate) fn acquire(&mut self, object: usize) {
        if let Some((run, clock)) = self.objects.get(&object)
            && *run == self.run
        {
            self.clocks[self.current].join(clock);
        }
    }

    /// The current thread tells those who take an object later all that it knows.
    pub(crate) fn release(&mut self, object: usize) {
        let entry = self.objects.entry(object).or_default();
        if entry.0 != self.run {
            entry.0 = self.run;
            entry.1.clear();
        }
        entry.1.join(&self.clocks[self.current]);
        self.clocks[self.current].increment(self.current);
    }

    /// A relaxed read-modify-write tells what was known at the last fence.
    pub(crate) fn release_told(&mut self, object: usize) {
        let entry = self.objects.entry(object).or_default();
        if entry.0 != self.run {
            entry.0 = self.run;
            entry.1.clear();
        }
        entry.1.join(&self.threads[self.current].told_later);
    }

    /// The current thread overwrites what an object tells: a plain store of an atomic begins a new release sequence.
    pub(crate) fn replace(&mut self, object: usize, tells: bool) {
        let entry = self.objects.entry(object).or_default();
        entry.0 = self.run;
        entry.1.clear();
        entry.1.join(&self.threads[self.current].told_later);
        if tells {
            entry.1.join(&self.clocks[self.current]);
            self.clocks[self.current].increment(self.current);
        }
    }

    /// What the thread that was joined knew.
    pub(crate) fn learn_from(&mut self, thread: usize) {
        let (own, other) = two(&mut self.clocks, self.current, thread);
        own.join(other);
    }

    /// Notes an access of the current thread in the detector of races.
    #[inline]
    pub(crate) fn note(&mut self, address: usize, size: usize, writes: bool, atomic: bool, pc: usize) {
        let party = Party { thread: self.current, pc, writes, atomic };
        let clock = &self.clocks[self.current];
        if let Some(race) = self.races.access(address, size, Access { party, clock }) {
            self.found_races.push(race);
        }
    }

    /// Notes that the current thread gives a block back, which counts as a write.
    pub(crate) fn note_free(&mut self, address: usize, size: usize, pc: usize) {
        let party = Party { thread: self.current, pc, writes: true, atomic: false };
        let clock = &self.clocks[self.current];
        if let Some(race) = self.races.write_block(address..address + size, Access { party, clock }) {
            self.found_races.push(race);
        }
    }

    /// Notes that something is wrong.
    pub(crate) fn fail(&mut self, kind: &'static str, message: String, pcs: Vec<usize>) {
        if !self.options.ignores(kind) {
            self.failures.push(Failure { kind, message, pcs, threads: vec![self.current] });
        }
    }

    /// The current thread cannot go on: something is wrong with it. Does not return to it.
    pub(crate) fn die(&mut self) -> ! {
        self.this().phase = Phase::Dead;
        if !self.options.all {
            self.over = true;
        }
        loop {
            self.yield_back();
        }
    }
}

/// Two different elements, mutably.
fn two<T>(items: &mut [T], one: usize, other: usize) -> (&mut T, &mut T) {
    let [one, other] = items.get_disjoint_mut([one, other]).expect("two different threads");
    (one, other)
}
