//! The least set of views that contains those of the initial states and is closed under steps.
//!
//! After Abdulla, Haziza, Holík: All for the price of few (VMCAI 2013). A view of the state after a step depends on its own
//! members and the parameters of the step, as they were before it. All views of that structure are in the set, by induction:
//! it is enough to build every structure all of whose views are in the set, and to take the step there.
//!
//! The search proceeds in rounds: all waiting views are taken up, each [group](crate::group) by one thread. New views are added at the
//! end of the round, in the order of the groups, so that nothing depends on the number of threads.

use crate::expand::{Expansion, Worker};
use crate::forget::Forget;
use crate::group::{Group, Round, agreed};
use crate::item::Item;
use crate::layout::Layout;
use crate::plan::Task;
use crate::set::{Cut, ViewSet};
use crate::structure::{Structure, subsets};
use crate::thread_count::Threads;
use explore::{Limit, Limits};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Counters of a search in progress.
#[derive(Debug, Default)]
pub struct Progress {
    /// The views so far.
    pub views: AtomicUsize,
    /// The views that wait to be taken up.
    pub waiting: AtomicUsize,
    /// The number of members of a view.
    pub size: AtomicUsize,
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The set is closed, and no structure that consists of its views is bad.
    Closed,
    /// A structure that consists of this view and others violates a property.
    Bad {
        view: u32,
        property: usize,
    },
    Limit(Limit),
}

/// The view and the item from which a view was found first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent {
    pub(crate) view: u32,
    pub(crate) item: u32,
}

/// The parent of views of initial states.
pub(crate) const NO_PARENT: Parent = Parent { view: u32::MAX, item: u32::MAX };

/// A round with fewer views is not worth a thread.
const FEW: usize = 16;

/// A search in progress.
pub(crate) struct Closure<'m> {
    layout: &'m Layout,
    task: Task<'m>,
    pub(crate) set: ViewSet,
    pub(crate) parents: Vec<Parent>,
    groups: Vec<Group>,
    /// The group of the views that agree on this.
    group_of: FxHashMap<Vec<u8>, usize>,
    /// The number of views that are in a group.
    grouped: usize,
    limits: Limits,
    begun: Instant,
    /// The bytes that views took when the last round began: that does not depend on threads.
    pub(crate) memory: usize,
    pub(crate) structures: u64,
    /// Structures, and steps that were taken in them; each choice within a step counts.
    steps: usize,
}

impl<'m> Closure<'m> {
    pub(crate) fn new(
        layout: &'m Layout,
        forget: &'m Forget,
        items: &'m [Item],
        size: usize,
        limits: &Limits,
        begun: Instant,
    ) -> Closure<'m> {
        Closure {
            layout,
            task: Task::new(layout, forget, items, size),
            set: ViewSet::new(layout, size),
            parents: vec![],
            groups: vec![],
            group_of: FxHashMap::default(),
            grouped: 0,
            limits: limits.clone(),
            begun,
            memory: 0,
            structures: 0,
            steps: 0,
        }
    }

    /// Adds the views of an initial structure.
    pub(crate) fn add_initial(&mut self, structure: &Structure) {
        let members: Vec<u8> = (0..u8::try_from(structure.members).expect("few members")).collect();
        let (mut after, mut cut) = (structure.clone(), Cut::new(self.layout));
        self.task.forget.apply(self.layout, &mut after, &members);
        for members in subsets(structure.members, self.set.size) {
            cut.down(self.layout, &after, &members);
            if self.set.views.insert(&cut.packed).1 {
                self.parents.push(NO_PARENT);
            }
        }
    }

    /// Closes the set.
    pub(crate) fn run(&mut self, threads: &Threads, progress: Option<&Progress>) -> Ended {
        let mut workers: Vec<Worker> = Vec::new();
        loop {
            let waiting = self.set.views.len() - self.grouped;
            if waiting == 0 {
                return Ended::Closed;
            }
            if let Some(progress) = progress {
                progress.views.store(self.set.views.len(), Ordering::Relaxed);
                progress.waiting.store(waiting, Ordering::Relaxed);
            }
            let active = self.group_all();
            self.expand(&active, &mut workers, threads);
            if let Some(ended) = self.merge(&active) {
                return ended;
            }
        }
    }

    /// Assigns new views to groups. Returns the groups in which views wait, in order.
    fn group_all(&mut self) -> Vec<usize> {
        let mut active = Vec::new();
        for view in self.grouped..self.set.views.len() {
            let view = u32::try_from(view).expect("views are numbered");
            let agreed = agreed(self.layout, &self.set, view);
            let group = *self.group_of.entry(agreed).or_insert(self.groups.len());
            if group == self.groups.len() {
                self.groups.push(Group::new(self.layout, self.set.size, self.task.masks.len()));
            }
            if self.groups[group].waiting.is_empty() {
                active.push(group);
            }
            self.groups[group].waiting.push(view);
        }
        self.grouped = self.set.views.len();
        active.sort_unstable();
        active
    }

    /// Takes up all waiting views of some groups.
    fn expand(&mut self, active: &[usize], workers: &mut Vec<Worker>, threads: &Threads) {
        self.memory = self.count_memory();
        let (views, memory) = (self.set.views.len(), self.memory);
        let waiting: usize = active.iter().map(|at| self.groups[*at].waiting.len()).sum();
        let Closure { groups, task, set, layout, limits, begun, steps, .. } = self;
        let watch = Watch { limits, begun: *begun, views, steps: *steps, memory };
        let mut wanted = active.iter().copied().peekable();
        let chosen = groups.iter_mut().enumerate().filter(|(at, _)| wanted.next_if_eq(at).is_some());
        let queue = Mutex::new(chosen.peekable());
        // Groups after one with which the search has ended are left out; all before it are taken up.
        let ended = AtomicUsize::new(usize::MAX);
        let is_wanted = |at: usize| at <= ended.load(Ordering::Relaxed);
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next_if(|(at, _)| is_wanted(*at));
        threads.work_off(
            waiting < FEW,
            workers,
            || Worker::new(layout),
            |worker| {
                let Some((at, group)) = next() else { return false };
                Expansion::new(task, layout, set, group, worker, &watch).run();
                if group.round.ended.is_some() {
                    ended.fetch_min(at, Ordering::Relaxed);
                }
                true
            },
        );
    }

    /// Adds the new views of a round. Returns how the search has ended, if it has.
    fn merge(&mut self, active: &[usize]) -> Option<Ended> {
        for group in active {
            let round = std::mem::take(&mut self.groups[*group].round);
            self.structures += round.structures;
            self.steps += round.steps;
            if round.ended.is_some() {
                return round.ended;
            }
            let Some(found) = round.found else { continue };
            if let Some(limit) = self.limit() {
                return Some(Ended::Limit(limit));
            }
            for (number, parent) in (0_u32..).zip(round.parents) {
                if self.set.views.insert(found.get(number)).1 {
                    self.parents.push(parent);
                }
            }
        }
        let memory = if self.limits.memory.is_some() { self.count_memory() } else { 0 };
        let (views, steps) = (self.set.views.len(), self.steps);
        let watch = Watch { limits: &self.limits, begun: self.begun, views, steps, memory };
        watch.look().or_else(|| watch.count(&Round::default()))
    }

    /// The limit on time or cancellation that is hit, if one is.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.limits.ended_since(self.begun)
    }

    fn count_memory(&self) -> usize {
        self.set.views.memory() + self.groups.iter().map(Group::memory).sum::<usize>()
    }
}

/// When to give up within a round.
pub(crate) struct Watch<'w> {
    limits: &'w Limits,
    begun: Instant,
    /// As of the beginning of the round. That does not depend on threads, and so neither does where a limit is hit.
    views: usize,
    steps: usize,
    memory: usize,
}

impl Watch<'_> {
    /// Checks the deadline, and the memory that was used when the round began.
    pub(crate) fn look(&self) -> Option<Ended> {
        let limits = self.limits;
        let too_large = limits.memory.is_some_and(|most| self.memory >= most).then_some(Limit::Memory);
        limits.ended_since(self.begun).or(too_large).map(Ended::Limit)
    }

    /// Checks the limits on counted work.
    pub(crate) fn count(&self, round: &Round) -> Option<Ended> {
        let limits = self.limits;
        let found = round.found.as_ref().map_or(0, crate::store::Store::len);
        if limits.states.is_some_and(|most| self.views + found >= most) {
            Some(Ended::Limit(Limit::States))
        } else if limits.steps.is_some_and(|most| self.steps + round.steps >= most) {
            Some(Ended::Limit(Limit::Steps))
        } else {
            None
        }
    }
}
