//! Runs the search that the tester asks for, and answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use explore::{
    Cancel, DepthBound, DepthFirst, Dpor, End, Fault, Filtered, Learned, Limits, LocalCycles, MostSteps,
    NotSeenBefore, Outcome, Pct, Pos, PreemptionBound, Property, Replayed, Sampling, Schedule, Scheduler,
    Stats, Steered, SuperSteps, Surw, Turn, Uniform,
};

use crate::control::{Filter, Options, Search, Visible, addresses_text, schedule_text};
use crate::machine::Machine;
use crate::op::Kind;
use crate::races::Race;
use crate::runtime::{Failure, Runtime, rt};
use crate::serve::serve;
use crate::shorten::shorten;
use crate::sys;
use crate::thread::Phase;

/// Tests the program; returns the code that the process ends with.
pub(crate) fn run(alone: bool) -> i32 {
    if alone {
        // There is one run, which nothing has to be undone for.
        rt().is_child = true;
        return run_once();
    }
    let options = rt().options.clone();
    for (address, pcs) in &options.racy {
        rt().races.mark(*address, *pcs);
    }
    rt().races.racy_calls.extend(&options.calls);
    rt().watched.extend(&options.watched);
    (rt().cancels, rt().watches_ends) = (options.cancels, options.watches_ends);
    for address in &options.judged {
        rt().races.mark_judged(*address);
    }
    rt().forks = options.fork && !matches!(options.search, Search::Replay | Search::Serve);
    rt().is_child = options.fork;
    let begun = sys::cpu_time();
    let mut totals = Totals::default();
    match options.search {
        Search::Dpor => explore_all(&mut totals, reduced),
        Search::Exhaustive => explore_all(&mut totals, unreduced),
        Search::Filtered => {
            options.tell(&["setting", "loops-go-on"]);
            explore_all(&mut totals, filtered);
        }
        Search::Random => sample(&mut totals, &mut Uniform::new(options.seed)),
        Search::Pct(depth) => sample(&mut totals, &mut Pct::new(options.seed, depth)),
        Search::Pos => sample(&mut totals, &mut Pos::new(options.seed)),
        Search::Surw => sample(&mut totals, &mut Surw::new(options.seed)),
        Search::Learned => sample(&mut totals, &mut Learned::new(options.seed)),
        Search::Preemptions(most) => explore_all(&mut totals, |judge, limits, options| {
            fewest_preemptions_first(most, judge, limits, options)
        }),
        Search::Replay => replay(&mut totals),
        Search::Shorten => make_shorter(&mut totals),
        Search::Serve => serve(),
    }
    rt().end_child();
    let cpu = sys::cpu_time() - begun;
    for value in &rt().observed {
        options.tell(&["observed", &value.to_string()]);
    }
    rt().options.tell(&[
        "stats",
        &totals.runs.to_string(),
        &totals.vain.to_string(),
        &totals.steps.to_string(),
        &totals.depth.to_string(),
        &totals.restarts.to_string(),
        &cpu.to_string(),
        &rt().snapshot.bytes().to_string(),
        &totals.states.to_string(),
    ]);
    sys::exit(0)
}

#[derive(Default)]
struct Totals {
    runs: usize,
    vain: usize,
    steps: usize,
    depth: usize,
    restarts: usize,
    states: usize,
}

impl Totals {
    fn add(&mut self, stats: &Stats) {
        self.steps += stats.transitions;
        self.depth = self.depth.max(stats.depth);
    }
}

/// Judges steps and ends of runs.
struct Judge {
    cancel: Arc<AtomicBool>,
    /// Races that were told already, by their places.
    races: Vec<[usize; 2]>,
    fresh: Vec<Race>,
    /// Those that are not visible yet.
    racy: Vec<Race>,
    told: Vec<Failure>,
    runs: u64,
    /// The tester wants the search to end.
    cancelled: bool,
    /// It is told that the program cancels threads, and that it looks whether they have ended.
    told_cancels: bool,
    told_ends: bool,
}

impl Judge {
    fn new() -> Judge {
        Judge {
            cancel: Arc::default(),
            races: Vec::new(),
            fresh: Vec::new(),
            racy: Vec::new(),
            told: Vec::new(),
            runs: 0,
            cancelled: false,
            told_cancels: false,
            told_ends: false,
        }
    }

    /// Looks at what the last step has found.
    fn look(&mut self, found: &mut Vec<Failure>) {
        let runtime = rt();
        found.append(&mut runtime.failures);
        for race in std::mem::take(&mut runtime.found_races) {
            let places = [race.earlier.pc.min(race.later.pc), race.earlier.pc.max(race.later.pc)];
            if self.races.contains(&places) {
                continue;
            }
            self.races.push(places);
            self.fresh.push(race);
        }
    }

    /// Tells failures that were not told before.
    fn tell(&mut self, outcome: &Explored) {
        for found in &outcome.found {
            if !self.told.contains(&found.violation) {
                tell_failure(&found.violation, &found.schedule.actions);
                self.told.push(found.violation.clone());
            }
        }
    }

    /// At the end of a run: tells races, and asks for a new beginning if what was found changes what is visible.
    fn end_run(&mut self) {
        let runtime = rt();
        for race in std::mem::take(&mut self.fresh) {
            tell_race(&race, &runtime.taken);
            let pcs = [race.earlier.pc, race.later.pc];
            if runtime.options.visible == Visible::Racy && !runtime.races.is_marked(race.address, pcs) {
                self.racy.push(race);
            }
        }
        self.runs += 1;
        let progress = [self.runs, runtime.steps, runtime.taken.len() as u64, self.races.len() as u64];
        self.cancelled |= runtime.shared.progress(progress);
        let found =
            !self.racy.is_empty() || !runtime.hidden_loops.is_empty() || !runtime.found_loops.is_empty();
        let changed = found || runtime.judged_more || runtime.wants_fork;
        self.cancel.store(changed || self.cancelled, Ordering::Relaxed);
    }

    /// Makes visible what was found to be racy, and watches loops. To be called between searches alone: within one,
    /// the same schedule must lead to the same operations. Returns whether anything has changed.
    fn apply(&mut self) -> bool {
        let runtime = rt();
        let options = &runtime.options;
        for race in std::mem::take(&mut self.racy) {
            let pcs = [race.earlier.pc, race.later.pc];
            runtime.races.mark(race.address, pcs);
            options.tell(&["setting", &format!("racy {:x} {}", race.address, addresses_text(&pcs))]);
        }
        for pc in runtime.hidden_loops.drain(..) {
            if runtime.races.racy_calls.insert(pc) {
                options.tell(&["setting", &format!("call {pc:x}")]);
            }
        }
        for pc in runtime.found_loops.drain(..) {
            if runtime.watched.insert(pc) {
                options.tell(&["setting", &format!("watch {pc:x}")]);
            }
        }
        if std::mem::take(&mut runtime.wants_fork) {
            runtime.forks = true;
            options.tell(&["setting", "fork"]);
        }
        for address in runtime.judged.drain(..) {
            runtime.races.mark_judged(address);
            options.tell(&["setting", &format!("judged {address:x}")]);
        }
        for (name, now, told) in [
            ("cancels", runtime.cancels, &mut self.told_cancels),
            ("ends", runtime.watches_ends, &mut self.told_ends),
        ] {
            if now && !std::mem::replace(told, true) {
                options.tell(&["setting", name]);
            }
        }
        runtime.judged_more = false;
        self.cancel.swap(false, Ordering::Relaxed) && !self.cancelled
    }
}

pub(crate) fn tell_race(race: &Race, schedule: &[Turn]) {
    let options = &rt().options;
    if options.ignores("race") {
        return;
    }
    let word = |party: &crate::races::Party| match (party.atomic, party.writes) {
        (false, false) => "read",
        (false, true) => "write",
        (true, false) => "atomic read",
        (true, true) => "atomic write",
    };
    let message = format!("{} and {} of the same memory, unordered", word(&race.earlier), word(&race.later));
    let pcs = [race.earlier.pc, race.later.pc];
    let threads = format!("{} {}", race.earlier.thread, race.later.thread);
    options.tell(&[
        "finding",
        "race",
        &message,
        &addresses_text(&pcs),
        &threads,
        &schedule_text(schedule),
        &format!("{:x}", race.address),
    ]);
}

pub(crate) fn tell_failure(failure: &Failure, schedule: &[Turn]) {
    let threads: Vec<String> = failure.threads.iter().map(usize::to_string).collect();
    rt().options.tell(&[
        "finding",
        failure.kind,
        &failure.message,
        &addresses_text(&failure.pcs),
        &threads.join(" "),
        &schedule_text(schedule),
        "",
    ]);
}

impl Property<Replayed<Machine>> for &mut Judge {
    type Violation = Failure;

    fn state(&mut self, system: &Replayed<Machine>, found: &mut Vec<Failure>) {
        Property::<Machine>::state(self, system.inner(), found);
    }

    fn step(&mut self, system: &Replayed<Machine>, turn: &Turn, found: &mut Vec<Failure>) {
        Property::<Machine>::step(self, system.inner(), turn, found);
    }

    fn stuck(&mut self, system: &Replayed<Machine>, found: &mut Vec<Failure>) {
        Property::<Machine>::stuck(self, system.inner(), found);
    }
}

impl Property<Machine> for &mut Judge {
    type Violation = Failure;

    fn state(&mut self, _machine: &Machine, found: &mut Vec<Failure>) {
        let runtime = rt();
        if !runtime.options.invariants.is_empty() && !runtime.over && !runtime.forks {
            runtime.judge_invariants();
            found.append(&mut runtime.failures);
        }
    }

    fn step(&mut self, _machine: &Machine, _turn: &Turn, found: &mut Vec<Failure>) {
        self.look(found);
    }

    fn stuck(&mut self, _machine: &Machine, found: &mut Vec<Failure>) {
        self.look(found);
        found.extend(rt().judge_end());
        self.end_run();
    }
}

impl Runtime {
    /// What is wrong with the end of a run.
    pub(crate) fn judge_end(&self) -> Option<Failure> {
        if self.forks {
            return self.forked.place.end.clone();
        }
        if self.over {
            return self.judge_leaks();
        }
        // What others wait for may be in the hands of a thread that has crashed.
        if self.threads[..self.count].iter().any(|thread| thread.phase == Phase::Dead) {
            return None;
        }
        let waiting: Vec<usize> = (0..self.count).filter(|thread| self.next(*thread).is_some()).collect();
        if waiting.is_empty() {
            return None;
        }
        let pcs = waiting.iter().map(|thread| self.threads[*thread].next.pc).collect();
        let spins = waiting.iter().any(|thread| self.loops[*thread].waiting.is_some());
        let unheard = waiting.iter().any(|thread| {
            let op = self.threads[*thread].next;
            matches!(op.kind, Kind::Sleep { .. }) && self.unheard.get(&op.object) == Some(&self.run)
        });
        let kind = if spins {
            "livelock"
        } else if unheard {
            "lost-wakeup"
        } else {
            "deadlock"
        };
        let failure = Failure { kind, message: self.describe_waiting(&waiting), pcs, threads: waiting };
        (!self.options.ignores(failure.kind)).then_some(failure)
    }

    /// Threads that nobody has joined or detached when the program ends.
    fn judge_leaks(&self) -> Option<Failure> {
        if self.options.ignores("leak") || !self.has_ended() {
            return None;
        }
        let leaked = |thread: &usize| {
            let one = &self.threads[*thread];
            let ends = one.phase == Phase::Finished && one.next.kind == Kind::End;
            let is_awaited = self.stands_at(Kind::Join, *thread);
            one.phase != Phase::Absent && !one.joined && !one.detached && !ends && !is_awaited
        };
        let threads: Vec<usize> = (1..self.count).filter(leaked).collect();
        if threads.is_empty() {
            return None;
        }
        let names: Vec<String> = threads.iter().map(usize::to_string).collect();
        let message =
            format!("the program ends and thread {} was neither joined nor detached", names.join(", "));
        Some(Failure { kind: "leak", message, pcs: vec![], threads })
    }

    /// Whether the program has come to its end, rather than been stopped.
    fn has_ended(&self) -> bool {
        self.threads[..self.count]
            .iter()
            .any(|thread| thread.phase == Phase::Finished && thread.next.kind == Kind::End)
    }

    fn describe_waiting(&self, waiting: &[usize]) -> String {
        let describe = |thread: &usize| {
            let op = self.threads[*thread].next;
            if self.loops[*thread].waiting.is_some() {
                return format!("thread {thread} goes round a loop");
            }
            let what = match op.kind {
                Kind::Lock => self.describe_mutex(op.object),
                Kind::Sleep { .. } => "a signal".into(),
                Kind::Join => format!("the end of thread {}", op.object),
                Kind::Down => "a semaphore".into(),
                Kind::ReadLock | Kind::WriteLock => "a read-write lock".into(),
                Kind::Leave => "others at a barrier".into(),
                Kind::Once => "an initialisation".into(),
                kind => format!("{kind:?}"),
            };
            format!("thread {thread} waits for {what}")
        };
        waiting.iter().map(describe).collect::<Vec<_>>().join(", ")
    }

    /// A mutex, with who holds it.
    fn describe_mutex(&self, mutex: usize) -> String {
        // SAFETY: the program has passed the address to a function that uses the mutex there.
        match unsafe { *(mutex as *const u32) } {
            0 => "a mutex".into(),
            owner => format!("a mutex that thread {} holds", owner - 1),
        }
    }
}

fn limits(cancel: &Arc<AtomicBool>) -> Limits {
    let options = &rt().options;
    let time = (options.seconds > 0.0).then(|| Duration::from_secs_f64(options.seconds));
    Limits { time, cancel: Cancel::by(cancel.clone()), ..Limits::default() }
}

type Explored = Outcome<Turn, Failure>;

/// All schedules, up to the order of independent operations.
fn reduced(judge: &mut Judge, limits: Limits, options: &Options) -> Explored {
    let mut machine = Machine;
    let mut dpor = Dpor::new(&mut machine, judge).limits(limits);
    if options.all {
        dpor = dpor.find_all();
    }
    let most_runs = (options.runs > 0).then_some(options.runs);
    dpor.most_steps((options.depth > 0).then_some(options.depth))
        .most_runs(most_runs)
        .part(options.part)
        .run()
}

/// All schedules.
fn unreduced(judge: &mut Judge, limits: Limits, options: &Options) -> Explored {
    bounded(None, judge, limits, options)
}

/// All schedules with a number of preemptions, or any.
fn bounded(preemptions: Option<usize>, judge: &mut Judge, limits: Limits, options: &Options) -> Explored {
    let mut machine = Replayed::new(Machine);
    let depth = (options.depth > 0).then(|| DepthBound::new(options.depth));
    let bounds = (depth, preemptions.map(PreemptionBound::new));
    let mut search =
        explore::Search::new(&mut machine, DepthFirst::new(), judge).limit(limits).reduce(bounds);
    if options.all {
        search = search.find_all();
    }
    match search.run() {
        Ok(outcome) => outcome,
        Err(conflict) => {
            sys::complain(&conflict.to_string());
            sys::exit(70)
        }
    }
}

/// All schedules without a preemption, then with one, and so on: most bugs need few.
fn fewest_preemptions_first(most: usize, judge: &mut Judge, limits: Limits, options: &Options) -> Explored {
    let begun = sys::wall_time();
    let mut bound = 0;
    loop {
        let spent = Duration::from_nanos(sys::wall_time() - begun);
        let outcome = bounded(Some(bound), judge, limits.remaining_after(spent), options);
        let found = !options.all && !outcome.found.is_empty();
        if outcome.end != End::Bounded || bound >= most || found {
            return outcome;
        }
        bound += 1;
    }
}

/// Depth first, with filters.
fn filtered(judge: &mut Judge, limits: Limits, options: &Options) -> Explored {
    let mut machine = Machine;
    let mut search = Filtered::new(&mut machine, judge).limits(limits);
    for filter in &options.filters {
        search = match *filter {
            Filter::Seen(most) => search.filter(NotSeenBefore::new(most)),
            Filter::Depth(most) => search.filter(MostSteps::new(most)),
            Filter::Cycles => search.filter(LocalCycles::new()),
            Filter::SuperSteps => search.filter(SuperSteps::new()),
        };
    }
    if options.all {
        search = search.find_all();
    }
    if options.shuffle {
        search = search.shuffle(options.seed);
    }
    search.run()
}

/// Searches until nothing new becomes visible.
fn explore_all(totals: &mut Totals, search: impl Fn(&mut Judge, Limits, &Options) -> Explored) {
    let mut judge = Judge::new();
    let options = rt().options.clone();
    let begun = sys::wall_time();
    loop {
        let spent = Duration::from_nanos(sys::wall_time() - begun);
        let limits = limits(&judge.cancel).remaining_after(spent);
        let outcome = search(&mut judge, limits, &options);
        totals.runs = outcome.stats.runs;
        totals.vain = outcome.stats.vain;
        totals.states = outcome.stats.states;
        totals.add(&outcome.stats);
        // The run that has ended the search may have found races, too.
        judge.end_run();
        let restart = judge.apply();
        judge.tell(&outcome);
        if restart && (options.all || outcome.found.is_empty()) {
            totals.restarts += 1;
            rt().observed.clear();
            continue;
        }
        tell_end(&outcome.end);
        return;
    }
}

fn sample(totals: &mut Totals, scheduler: &mut dyn Scheduler<Machine>) {
    let options = rt().options.clone();
    let mut judge = Judge::new();
    let begun = sys::wall_time();
    loop {
        let spent = Duration::from_nanos(sys::wall_time() - begun);
        let limits = limits(&judge.cancel).remaining_after(spent);
        let runs = (options.runs > 0).then(|| options.runs - totals.runs);
        let mut machine = Machine;
        let mut sampling =
            Sampling::new(&mut machine, &mut judge, Borrowed(scheduler)).limits(limits).runs(runs);
        if options.all {
            sampling = sampling.find_all();
        }
        if options.depth > 0 {
            sampling = sampling.most_steps(Some(options.depth));
        }
        let outcome = sampling.run();
        totals.runs += outcome.stats.runs;
        totals.add(&outcome.stats);
        // The run that has ended the search may have found races, too.
        judge.end_run();
        let restart = judge.apply();
        judge.tell(&outcome);
        let ended = options.runs > 0 && totals.runs >= options.runs;
        if restart && !ended && (options.all || outcome.found.is_empty()) {
            totals.restarts += 1;
            continue;
        }
        tell_end(&outcome.end);
        return;
    }
}

/// A scheduler that outlives a search.
struct Borrowed<'s>(&'s mut dyn Scheduler<Machine>);

impl Scheduler<Machine> for Borrowed<'_> {
    fn begin(&mut self) {
        self.0.begin();
    }

    fn choose(&mut self, machine: &Machine, turns: &[Turn]) -> usize {
        self.0.choose(machine, turns)
    }

    fn taking(&mut self, machine: &Machine, turn: Turn) {
        self.0.taking(machine, turn);
    }
}

fn tell_end(end: &End) {
    let text = match end {
        End::Exhausted => "exhausted".into(),
        End::Bounded => "bounded".into(),
        End::Found => "found".into(),
        End::Limit(limit) => limit.to_string(),
        End::Fault(fault) => fault.to_string(),
    };
    rt().options.tell(&["end", &text]);
}

fn make_shorter(totals: &mut Totals) {
    let options = rt().options.clone();
    let Some(target) = &options.target else { return };
    let (schedule, runs) = shorten(&options.schedule, target);
    totals.runs = runs;
    options.tell(&["shortened", &schedule_text(&schedule)]);
    options.tell(&["end", "shortened"]);
}

fn replay(totals: &mut Totals) {
    let options = rt().options.clone();
    let schedule = Schedule { initial: 0, actions: options.schedule.clone() };
    let end = match follow(&schedule, totals) {
        Ok(()) => "replayed".to_owned(),
        Err(fault) => fault.to_string(),
    };
    options.tell(&["end", &end]);
}

fn follow(schedule: &Schedule<Turn>, totals: &mut Totals) -> Result<(), Fault> {
    let mut machine = Machine;
    let mut judge = Judge::new();
    let mut found = Vec::new();
    totals.runs = 1;
    machine.start(schedule.initial)?;
    let mut looks = |found: &mut Vec<Failure>| {
        let mut judge = &mut judge;
        judge.look(found);
        Property::<Machine>::state(&mut judge, &Machine, found);
    };
    looks(&mut found);
    for turn in &schedule.actions {
        totals.steps += 1;
        tell_step(totals.steps, *turn);
        machine.take(turn)?;
        looks(&mut found);
    }
    let mut turns = Vec::new();
    machine.enabled(&mut turns);
    if turns.is_empty() {
        found.extend(rt().judge_end());
    }
    judge.end_run();
    for failure in &found {
        tell_failure(failure, &schedule.actions);
    }
    flush_output();
    Ok(())
}

/// Tells what a thread is about to do.
fn tell_step(number: usize, turn: Turn) {
    let Some(op) = rt().next(turn.thread.into()) else { return };
    let calls = &rt().threads[usize::from(turn.thread)].calls;
    rt().options.tell(&[
        "step",
        &number.to_string(),
        &turn.thread.to_string(),
        &format!("{:?}", op.kind),
        &format!("{:x}", op.object),
        &format!("{:x}", op.pc),
        &addresses_text(calls),
        &format!("{:x}", op.second),
    ]);
}

/// Flushes what the program has printed.
fn flush_output() {
    unsafe extern "C" {
        fn fflush(file: usize) -> i32;
    }
    // SAFETY: no thread of the program runs.
    unsafe { fflush(0) };
}

/// Without a tester: one run, in which the first thread that can go on does.
fn run_once() -> i32 {
    let mut machine = Machine;
    let mut turns = Vec::new();
    let _ = machine.start(0);
    loop {
        turns.clear();
        machine.enabled(&mut turns);
        let Some(turn) = turns.first().copied() else { break };
        let _ = machine.take(&turn);
    }
    let runtime = rt();
    for failure in &runtime.failures {
        sys::complain(&format!("{}: {}", failure.kind, failure.message));
    }
    if let Some(failure) = runtime.judge_end() {
        sys::complain(&format!("{}: {}", failure.kind, failure.message));
        return 70;
    }
    let ended =
        |thread: &crate::thread::Thread| thread.phase == Phase::Finished && thread.next.kind == Kind::End;
    let code =
        runtime.threads.iter().find(|thread| ended(thread)).map_or(134, |thread| thread.next.size as i32);
    flush_output();
    sys::exit(code)
}
