//! The one search loop, for every system, strategy, memory, reduction and property.

mod history;
mod pool;

use history::{History, Link};
use pool::Pool;

use crate::limits::Meter;
use crate::trace::no_such_initial;
use crate::{
    Conflict, Cut, End, Fault, Forget, Found, FoundBy, Limit, Limits, Memory, Next, NodeId, Outcome,
    OutcomeOf, Property, Reduction, Schedule, Strategy, System,
};

/// A builder for a search. By default it does not remember states, applies no reduction, has no limits, and ends at
/// the first violation.
#[derive(Debug)]
pub struct Search<'s, S, T, P, M = Forget, R = ()> {
    system: &'s mut S,
    strategy: T,
    property: P,
    memory: M,
    reduction: R,
    limits: Limits,
    find_all: bool,
}

impl<'s, S: System, T: Strategy<S>, P: Property<S>> Search<'s, S, T, P> {
    /// Searches `system` in the order of `strategy` for violations of `property`.
    pub fn new(system: &'s mut S, strategy: T, property: P) -> Self {
        let limits = Limits::default();
        Search { system, strategy, property, memory: Forget, reduction: (), limits, find_all: false }
    }
}

impl<'s, S: System, T: Strategy<S>, P: Property<S>, M, R> Search<'s, S, T, P, M, R> {
    /// Recognises states by `memory`.
    #[must_use]
    pub fn remember<N>(self, memory: N) -> Search<'s, S, T, P, N, R> {
        let Search { system, strategy, property, reduction, limits, find_all, .. } = self;
        Search { system, strategy, property, memory, reduction, limits, find_all }
    }

    /// Leaves out the actions that `reduction` removes.
    #[must_use]
    pub fn reduce<Q>(self, reduction: Q) -> Search<'s, S, T, P, M, Q> {
        let Search { system, strategy, property, memory, limits, find_all, .. } = self;
        Search { system, strategy, property, memory, reduction, limits, find_all }
    }

    /// Gives up when a limit is hit.
    #[must_use]
    pub fn limit(self, limits: Limits) -> Self {
        Search { limits, ..self }
    }

    /// Continues after a violation, also from the violating state. Equal violations are reported once.
    #[must_use]
    pub fn find_all(self) -> Self {
        Search { find_all: true, ..self }
    }

    /// Runs the search, unless its reductions are unsound together.
    pub fn run(self) -> Result<OutcomeOf<S, P>, Conflict>
    where
        R: Reduction<S>,
        M: Memory<S, R::Mark>,
    {
        self.reduction.nature().check(self.memory.renames())?;
        Ok(Run::new(self).finish())
    }
}

/// A node of the current path.
#[derive(Debug)]
struct Open<A, C, K> {
    /// The actions to try here, in order.
    actions: Vec<A>,
    /// The number of actions taken. The last one taken leads to the next node of the path.
    taken: usize,
    /// To backtrack to this node; `None` if there is only one action, so that the search never does.
    checkpoint: Option<C>,
    mark: K,
    /// Assigned when a node further down is postponed.
    link: Option<Link>,
}

/// A node that the strategy has postponed.
#[derive(Debug)]
struct Postponed<C, K> {
    checkpoint: C,
    mark: K,
    link: Link,
    depth: usize,
}

type Path<S, K> = Vec<Open<<S as crate::Steered>::Action, <S as System>::Checkpoint, K>>;

/// The state of a running search.
struct Run<'s, S: System, T, P: Property<S>, M, R: Reduction<S>> {
    search: Search<'s, S, T, P, M, R>,
    meter: Meter,
    /// The nodes from the one that the strategy resumed last to the current state, or the one before the last step.
    path: Path<S, R::Mark>,
    /// Whether the system is in the state of the last node of the path.
    here: bool,
    /// For each initial state whether it was entered.
    started: Vec<bool>,
    /// Whether the strategy has removed an action.
    declined: bool,
    /// The initial state that the path began with. Unused if there is an `origin`.
    initial: usize,
    /// The link of the postponed node that the path begins with, if it does.
    origin: Option<Link>,
    /// The depth of the first node of the path.
    base: usize,
    pool: Pool<Postponed<S::Checkpoint, R::Mark>>,
    history: History<S::Action>,
    found: Vec<FoundBy<S, P>>,
    /// Buffer for the reports of the property; empty between calls.
    violations: Vec<P::Violation>,
    /// Buffers of closed nodes, to be used again.
    spare: Vec<Vec<S::Action>>,
}

impl From<Limit> for End {
    fn from(limit: Limit) -> End {
        End::Limit(limit)
    }
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Fault(fault)
    }
}

impl<'s, S, T, P, M, R> Run<'s, S, T, P, M, R>
where
    S: System,
    T: Strategy<S>,
    P: Property<S>,
    R: Reduction<S>,
    M: Memory<S, R::Mark>,
{
    fn new(search: Search<'s, S, T, P, M, R>) -> Self {
        Run {
            meter: Meter::new(search.limits.clone()),
            search,
            path: Vec::new(),
            here: false,
            started: Vec::new(),
            declined: false,
            initial: 0,
            origin: None,
            base: 0,
            pool: Pool::new(),
            history: History::new(),
            found: Vec::new(),
            violations: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// The only place that says [`End::Exhausted`].
    fn finish(mut self) -> OutcomeOf<S, P> {
        let early = self.search_all().err();
        let mut cuts: Vec<Cut> = Vec::new();
        self.search.reduction.cuts(&mut cuts);
        if self.declined || (early.is_none() && self.unfinished()) {
            cuts.push(Cut::Sampled);
        }
        let end = early.unwrap_or(if cuts.is_empty() { End::Exhausted } else { End::Bounded });
        let fingerprint_bits = self.search.memory.fingerprint_bits(self.search.system);
        let bytes = self.bytes();
        Outcome { end, found: self.found, cuts, fingerprint_bits, stats: self.meter.finish(bytes) }
    }

    /// The memory of the search, without the current path.
    fn bytes(&self) -> usize {
        let heap = self.search.system.heap_bytes();
        self.search.memory.bytes(self.search.system) + self.pool.bytes(heap) + self.history.bytes()
    }

    /// Whether the strategy has left out an initial state or a postponed node.
    fn unfinished(&self) -> bool {
        self.started.contains(&false) || !self.pool.is_empty()
    }

    /// Searches until nothing is left, or returns why it ended before.
    fn search_all(&mut self) -> Result<(), End> {
        let initials = self.search.system.initials()?;
        self.started = vec![false; initials];
        loop {
            if !self.path.is_empty() {
                self.advance()?;
                continue;
            }
            match self.search.strategy.next(initials) {
                Next::Initial(initial) => self.start(initial)?,
                Next::Resume(node) => self.resume(node)?,
                Next::Done => return Ok(()),
            }
        }
    }

    fn start(&mut self, initial: usize) -> Result<(), End> {
        let initials = self.started.len();
        let started = self.started.get_mut(initial).ok_or_else(|| no_such_initial(initial, initials))?;
        *started = true;
        self.search.system.start(initial)?;
        (self.initial, self.origin, self.base) = (initial, None, 0);
        self.arrive(R::Mark::default())
    }

    fn resume(&mut self, id: NodeId) -> Result<(), End> {
        let node = self.pool.remove(id).ok_or_else(|| Fault::Broken("a node was resumed twice".into()))?;
        self.search.system.restore(&node.checkpoint)?;
        (self.origin, self.base) = (Some(node.link), node.depth);
        self.open(node.mark)
    }

    /// Tries the next action of the last node of the path, or backtracks if there is none.
    fn advance(&mut self) -> Result<(), End> {
        let depth = self.path.len();
        let Some(node) = self.path.last_mut() else { return Ok(()) };
        let Some(action) = node.actions.get(node.taken) else {
            self.step_back();
            return Ok(());
        };
        let Search { system, reduction, memory, property, .. } = &mut self.search;
        self.meter.step(|| {
            let heap = system.heap_bytes();
            let open = depth * (size_of::<Open<S::Action, S::Checkpoint, R::Mark>>() + heap);
            memory.bytes(system) + open + self.pool.bytes(heap) + self.history.bytes()
        })?;
        if let (false, Some(checkpoint)) = (self.here, &node.checkpoint) {
            system.restore(checkpoint)?;
        }
        let mark = reduction.step(system, &mut node.mark, action);
        self.here = false;
        system.take(action)?;
        property.step(system, action, &mut self.violations);
        node.taken += 1;
        self.judge()?;
        self.arrive(mark)
    }

    fn step_back(&mut self) {
        if let Some(mut closed) = self.path.pop() {
            closed.actions.clear();
            self.spare.push(closed.actions);
        }
        self.here = false;
    }

    /// The system is in a state just reached: searches from it now, later or not at all.
    fn arrive(&mut self, mut mark: R::Mark) -> Result<(), End> {
        if !self.search.memory.admit(self.search.system, &mut mark) {
            return Ok(());
        }
        self.meter.state(self.depth())?;
        self.search.property.state(self.search.system, &mut self.violations);
        self.judge()?;
        if self.search.strategy.postpones() { self.postpone(mark) } else { self.open(mark) }
    }

    /// The depth of a state that was just reached and is not on the path yet.
    fn depth(&self) -> usize {
        self.base + self.path.len()
    }

    /// Adds the current state to the path, with the actions to try from it.
    fn open(&mut self, mut mark: R::Mark) -> Result<(), End> {
        let mut actions = self.spare.pop().unwrap_or_default();
        self.search.system.enabled(&mut actions);
        if actions.is_empty() {
            self.meter.run();
            self.search.property.stuck(self.search.system, &mut self.violations);
            self.judge()?;
        }
        let Search { system, strategy, reduction, .. } = &mut self.search;
        reduction.prune(system, &mut mark, &mut actions);
        let needed = actions.len();
        strategy.choose(system, &mut actions)?;
        self.declined |= actions.len() < needed;
        let checkpoint = if actions.len() > 1 { Some(system.checkpoint()) } else { None };
        let link = if self.path.is_empty() { self.origin } else { None };
        self.path.push(Open { actions, taken: 0, checkpoint, mark, link });
        self.here = true;
        Ok(())
    }

    /// Hands the current state to the strategy, to be resumed later.
    fn postpone(&mut self, mark: R::Mark) -> Result<(), End> {
        let link = self.link()?;
        let checkpoint = self.search.system.checkpoint();
        let id = self.pool.insert(Postponed { checkpoint, mark, link, depth: self.depth() })?;
        self.search.strategy.postponed(id);
        Ok(())
    }

    /// Gives a link to the current state, and to the nodes of the path that have none.
    fn link(&mut self) -> Result<Link, Limit> {
        let Some(first) = self.path.first_mut() else { return self.history.root(self.initial) };
        let mut last = match first.link {
            Some(link) => link,
            None => self.history.root(self.initial)?,
        };
        first.link = Some(last);
        for node in 1..self.path.len() {
            last = match self.path[node].link {
                Some(link) => link,
                None => self.history.step(last, taken(&self.path[node - 1]).clone())?,
            };
            self.path[node].link = Some(last);
        }
        self.history.step(last, taken(&self.path[self.path.len() - 1]).clone())
    }

    /// Records the violations that the property reported for the current state or the step to it.
    fn judge(&mut self) -> Result<(), End> {
        if self.violations.is_empty() {
            return Ok(());
        }
        let mut violations = std::mem::take(&mut self.violations);
        violations.retain(|violation| self.found.iter().all(|found| found.violation != *violation));
        for violation in violations {
            let schedule = self.schedule();
            self.found.push(Found { violation, schedule });
        }
        if self.search.find_all { Ok(()) } else { Err(End::Found) }
    }

    /// The schedule that leads to the current state: every node of the path was left by its last taken action.
    fn schedule(&self) -> Schedule<S::Action> {
        let mut schedule = match self.origin {
            Some(link) => self.history.schedule(link),
            None => Schedule { initial: self.initial, actions: Vec::new() },
        };
        schedule.actions.extend(self.path.iter().map(|node| taken(node).clone()));
        schedule
    }
}

/// The action by which the search has left a node.
fn taken<A, C, K>(node: &Open<A, C, K>) -> &A {
    &node.actions[node.taken - 1]
}
