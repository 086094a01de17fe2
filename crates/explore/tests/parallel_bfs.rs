//! A parallel breadth-first search has the same result as the plain one, whatever the number of workers.
#![cfg(feature = "threads")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use explore::{
    BadState, BreadthFirst, Cancel, Deadlock, End, Entry, Fault, Label, Limit, Limits, Named, Outcome,
    Packed, ParallelBfs, Progress, Property, Replay, Rng, Search, Seen, Steered, Symmetric, Symmetry, System,
    Valuation, Value, replay,
};

/// Tokens on a random directed graph; a step moves one along an edge. The order of the tokens does not matter.
#[derive(Clone, Debug)]
struct Tokens {
    at: [u64; 2],
    edges: Vec<Vec<u64>>,
    starts: Vec<[u64; 2]>,
}

impl Tokens {
    /// A graph with a number of nodes that depends on `seed` alone, some of them dead ends.
    fn new(seed: u64, nodes: usize) -> Self {
        let mut rng = Rng::new(seed);
        let mut targets = |count: usize| (0..count).map(|_| rng.below(nodes) as u64).collect::<Vec<_>>();
        let counts = targets(nodes);
        let edges = counts.iter().map(|count| targets(usize::try_from(count % 4).unwrap())).collect();
        let starts = targets(6).as_chunks::<2>().0.to_vec();
        Tokens { at: [0; 2], edges, starts }
    }

    /// A graph whose dead ends are not all that can be reached: some thousand states.
    fn large() -> Self {
        let large = |system: &Tokens| ParallelBfs::new(&mut system.clone(), ()).run().stats.states > 3000;
        (0..100).map(|seed| Tokens::new(seed, 90)).find(large).unwrap()
    }
}

impl Steered for Tokens {
    type Action = (usize, u64);
    type Identity = [u64; 2];

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(self.starts.len())
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.at = self.starts[initial];
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<(usize, u64)>) {
        for token in 0..2 {
            let edges = &self.edges[usize::try_from(self.at[token]).unwrap()];
            actions.extend(edges.iter().map(|target| (token, *target)));
        }
    }

    fn take(&mut self, (token, target): &(usize, u64)) -> Result<(), Fault> {
        self.at[*token] = *target;
        Ok(())
    }

    fn identity(&self) -> [u64; 2] {
        self.at
    }

    fn ended(&self) -> bool {
        self.at[0] == self.at[1]
    }

    fn label(&self, action: &(usize, u64)) -> Label {
        format!("{action:?}").into()
    }

    fn describe(&self) -> Valuation {
        vec![Entry::variable("tokens", Value::Word(format!("{:?}", self.at)))]
    }
}

impl System for Tokens {
    type Checkpoint = [u64; 2];

    fn checkpoint(&mut self) -> [u64; 2] {
        self.at
    }

    fn restore(&mut self, at: &[u64; 2]) -> Result<(), Fault> {
        self.at = *at;
        Ok(())
    }
}

impl Symmetry for Tokens {
    fn canonical(&self) -> [u64; 2] {
        [self.at[0].min(self.at[1]), self.at[0].max(self.at[1])]
    }
}

impl Packed<2> for Tokens {}

/// A violation that is invariant under renaming, and deadlocks.
fn property() -> impl Property<Tokens, Violation = Named> + Clone + Send {
    let far = |tokens: &Tokens| tokens.at[0] + tokens.at[1] >= 170;
    let close = |tokens: &Tokens| tokens.at[0].abs_diff(tokens.at[1]) == 1;
    (Deadlock, (BadState::new("far", far), BadState::new("close", close)))
}

const WORKERS: [usize; 4] = [1, 2, 3, 7];

/// The part of an outcome that must not depend on the number of workers.
fn essence<A: Clone, V: Clone + Ord>(outcome: &Outcome<A, V>) -> (End, [usize; 4], Vec<(V, usize)>) {
    let stats = &outcome.stats;
    let mut found: Vec<_> =
        outcome.found.iter().map(|found| (found.violation.clone(), found.schedule.actions.len())).collect();
    found.sort_by_key(|(violation, length)| (*length, violation.clone()));
    (outcome.end.clone(), [stats.states, stats.transitions, stats.runs, stats.depth], found)
}

#[test]
fn it_says_what_a_search_says() {
    let mut violations = 0;
    for seed in 0..40 {
        let mut system = Tokens::new(seed, 90);
        let search = |system: &mut Tokens, symmetric: bool| {
            let search = Search::new(system, BreadthFirst::new(), property()).find_all();
            let outcome = if symmetric {
                search.remember(Symmetric::new()).run()
            } else {
                search.remember(Seen::new()).run()
            };
            outcome.unwrap()
        };
        for symmetric in [false, true] {
            let expected = search(&mut system, symmetric);
            violations += expected.found.len();
            for (workers, compact) in WORKERS.into_iter().flat_map(|n| [(n, false), (n, true)]) {
                let outcome = ParallelBfs::new(&mut system, property())
                    .end_at(|_| false)
                    .up_to_symmetry(symmetric)
                    .compact(compact)
                    .share(workers, Some(1))
                    .run();
                assert_eq!(essence(&outcome), essence(&expected), "seed {seed}, {workers} workers");
                assert_eq!(outcome.fingerprint_bits, compact.then_some(64));
                for found in &outcome.found {
                    let replayed = replay(&mut system, &found.schedule, property());
                    assert!(matches!(replayed, Replay::Confirmed(_)), "seed {seed}: {found:?}");
                }
            }
        }
    }
    assert!(violations > 100, "only {violations}");
}

/// The runs are not only as long, but the very same, and so is the end at the first violation.
#[test]
fn the_runs_are_the_same_for_any_number_of_workers() {
    let mut found = 0;
    for seed in 0..40 {
        let mut system = Tokens::new(seed, 400);
        let mut search = |workers| {
            let far = BadState::new("far", |tokens: &Tokens| tokens.at[0] + tokens.at[1] == 700);
            let search = ParallelBfs::new(&mut system, far).share(workers, Some(16)).up_to_symmetry(true);
            let outcome = search.run();
            (essence(&outcome), outcome.found)
        };
        let expected = search(1);
        found += expected.1.len();
        assert!(WORKERS.iter().all(|workers| search(*workers) == expected), "seed {seed}");
    }
    assert!(found > 10, "only {found}");
}

/// The level with the first violation is the last one, and it is finished; violations for which `end_at` is false
/// change nothing.
#[test]
fn it_ends_with_the_level_of_the_first_violation() {
    let edges = (1..100).map(|next| vec![next, next]).chain([vec![]]).collect();
    let mut system = Tokens { at: [0; 2], edges, starts: vec![[0, 0]] };
    let far = BadState::new("far", |tokens: &Tokens| tokens.at == [3, 2]);
    for workers in WORKERS {
        let outcome = ParallelBfs::new(&mut system, far.clone()).share(workers, Some(1)).run();
        // All pairs that are at most five steps away, each as the sum of two tokens.
        assert_eq!((outcome.end, outcome.stats.states, outcome.stats.depth), (End::Found, 21, 5));
        assert_eq!(outcome.found.len(), 1);
        let search = ParallelBfs::new(&mut system, far.clone()).share(workers, Some(1)).end_at(|_| false);
        let outcome = search.run();
        assert_eq!((outcome.end, outcome.stats.states), (End::Exhausted, 10_000));
    }
}

/// Levels with a single state each, in a long chain.
#[test]
fn a_long_thin_system() {
    let edges = (1..800).map(|next| vec![next]).chain([vec![]]).collect();
    let mut system = Tokens { at: [0; 2], edges, starts: vec![[0, 799]] };
    for workers in WORKERS {
        let outcome = ParallelBfs::new(&mut system, Deadlock).share(workers, Some(1)).run();
        assert_eq!(essence(&outcome), (End::Exhausted, [800, 799, 1, 799], vec![]));
    }
}

#[test]
fn nothing_to_begin_with() {
    let mut system = Tokens { at: [0; 2], edges: vec![], starts: vec![] };
    let outcome = ParallelBfs::new(&mut system, ()).share(2, Some(1)).run();
    assert_eq!(essence(&outcome), (End::Exhausted, [0; 4], vec![]));
}

/// A limit that is just enough is not hit, and a smaller one is never exceeded.
#[test]
fn limits_are_exact() {
    let mut system = Tokens::large();
    let mut search =
        |workers, limits| ParallelBfs::new(&mut system, ()).limit(limits).share(workers, Some(1)).run();
    let all = search(1, Limits::default()).stats;
    assert!(all.states > 1000 && all.depth > 3, "{all:?}");
    for workers in WORKERS {
        let enough = Limits {
            states: Some(all.states),
            steps: Some(all.transitions),
            depth: Some(all.depth),
            time: Some(Duration::from_secs(1000)),
            memory: Some(1 << 30),
            cancel: Cancel::by(Arc::default()),
        };
        assert_eq!(search(workers, enough).end, End::Exhausted);
        for less in [0, 1, 2, 100, all.states - 1] {
            let outcome = search(workers, Limits { states: Some(less), ..Limits::default() });
            assert_eq!((outcome.end, outcome.stats.states), (End::Limit(Limit::States), less));
        }
        for less in [0, 1, 100, all.transitions - 1] {
            let outcome = search(workers, Limits { steps: Some(less), ..Limits::default() });
            assert_eq!((outcome.end, outcome.stats.transitions), (End::Limit(Limit::Steps), less));
        }
        let outcome = search(workers, Limits { depth: Some(all.depth - 1), ..Limits::default() });
        assert_eq!((outcome.end, outcome.stats.depth), (End::Limit(Limit::Depth), all.depth - 1));
        let outcome = search(workers, Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!((outcome.end, outcome.stats.transitions), (End::Limit(Limit::Time), 0));
        let cancel = Cancel::by(Arc::new(AtomicBool::new(true)));
        let outcome = search(workers, Limits { cancel, ..Limits::default() });
        assert_eq!((outcome.end, outcome.stats.transitions), (End::Limit(Limit::Cancelled), 0));
    }
}

/// A violation by a state that was not stored because of a limit is not reported: there is no run to it.
#[test]
fn what_is_found_within_a_limit_can_be_repeated() {
    let mut system = Tokens::large();
    let judge = || (BadState::new("any", |_: &Tokens| true), property());
    for (workers, states) in WORKERS.into_iter().flat_map(|n| [1, 2, 10, 100, 1000].map(|most| (n, most))) {
        let limits = Limits { states: Some(states), ..Limits::default() };
        let search = ParallelBfs::new(&mut system, judge()).limit(limits).share(workers, Some(1));
        let outcome = search.end_at(|_| false).run();
        assert_eq!(outcome.end, End::Limit(Limit::States));
        for found in &outcome.found {
            assert!(
                matches!(replay(&mut system, &found.schedule, judge()), Replay::Confirmed(_)),
                "{found:?}"
            );
        }
    }
}

/// The table does not grow beyond the limit, and the reported memory is that in use.
#[test]
fn memory_is_limited_before_it_is_used() {
    let mut system = Tokens::large();
    let all = ParallelBfs::new(&mut system, ()).run();
    let memory = all.stats.bytes / 2;
    let limits = Limits { memory: Some(memory), ..Limits::default() };
    let progress = Arc::<Progress>::default();
    let outcome = ParallelBfs::new(&mut system, ()).limit(limits).tell(progress.clone()).run();
    assert_eq!(outcome.end, End::Limit(Limit::Memory));
    // Arenas grow by segments, which are counted only afterwards.
    assert!(outcome.stats.bytes < memory * 3 / 2, "{} of {memory}", outcome.stats.bytes);
    assert_eq!(progress.snapshot().bytes, outcome.stats.bytes);
}

#[test]
fn progress_ends_where_the_search_does() {
    let mut system = Tokens::large();
    for workers in WORKERS {
        let progress = Arc::<Progress>::default();
        let outcome = ParallelBfs::new(&mut system, ()).share(workers, Some(1)).tell(progress.clone()).run();
        let last = progress.snapshot();
        let stats = outcome.stats;
        assert_eq!(
            (last.states, last.transitions, last.bytes, last.waiting),
            (stats.states, stats.transitions, stats.bytes, 0)
        );
    }
}

/// A fault ends a search, and no worker waits for another.
#[test]
fn a_fault_ends_it() {
    #[derive(Clone, Debug)]
    struct Faulty(Tokens);

    impl Steered for Faulty {
        type Action = (usize, u64);
        type Identity = [u64; 2];
        fn initials(&mut self) -> Result<usize, Fault> {
            self.0.initials()
        }
        fn start(&mut self, initial: usize) -> Result<(), Fault> {
            self.0.start(initial)
        }
        fn enabled(&self, actions: &mut Vec<(usize, u64)>) {
            self.0.enabled(actions);
        }
        fn take(&mut self, action: &(usize, u64)) -> Result<(), Fault> {
            if self.0.at[0] == 40 { Err(Fault::Broken("worn out".into())) } else { self.0.take(action) }
        }
        fn identity(&self) -> [u64; 2] {
            self.0.identity()
        }
        fn ended(&self) -> bool {
            true
        }
        fn label(&self, action: &(usize, u64)) -> Label {
            self.0.label(action)
        }
        fn describe(&self) -> Valuation {
            self.0.describe()
        }
    }

    impl System for Faulty {
        type Checkpoint = [u64; 2];
        fn checkpoint(&mut self) -> [u64; 2] {
            self.0.checkpoint()
        }
        fn restore(&mut self, at: &[u64; 2]) -> Result<(), Fault> {
            self.0.restore(at)
        }
    }

    impl Symmetry for Faulty {
        fn canonical(&self) -> [u64; 2] {
            self.0.canonical()
        }
    }

    impl Packed<2> for Faulty {}

    for workers in WORKERS {
        let outcome = ParallelBfs::new(&mut Faulty(Tokens::large()), ()).share(workers, Some(1)).run();
        assert_eq!(outcome.end, End::Fault(Fault::Broken("worn out".into())));
    }
}
