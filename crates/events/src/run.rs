//! The run that a search has found backwards, as a schedule for a machine with store buffers.
//!
//! The search takes steps back in an order that respects programs, and the order in which memory sees writes. The machine
//! needs more: when each entry leaves its buffer. Both follow from the order of all events of the run.

use crate::instant::{Instants, each};
use crate::search::{Node, Source, Taken};
use crate::system::System;
use crate::variable::{Location, Process};
use ir::RuleId;

/// A run that violates a property, if guards that speak about all processes allow it: the search looks at them for the
/// processes of a cube only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateRun {
    /// The position of the property in the model.
    pub property: usize,
    /// The number of processes of the instance.
    pub processes: u32,
    /// What happens, from the start to the bad state.
    pub actions: Vec<Action>,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A process takes a step.
    Step {
        /// The rule.
        rule: RuleId,
        /// The position of the transition in the model.
        transition: usize,
        /// The processes of its parameters, from 1.
        processes: Vec<u32>,
        /// Whether the step fills an entry of the store buffer. It may turn out to write nothing, if it writes conditionally.
        buffers: bool,
    },
    /// The oldest entry of a store buffer reaches memory.
    Flush {
        /// The process whose buffer it is, from 1.
        process: u32,
    },
}

impl CandidateRun {
    /// The steps without what happens to buffers: rules and processes.
    pub fn steps(&self) -> impl Iterator<Item = (RuleId, &[u32])> {
        self.actions.iter().filter_map(|action| match action {
            Action::Step { rule, processes, .. } => Some((*rule, processes.as_slice())),
            Action::Flush { .. } => None,
        })
    }
}

/// A step of the run, with the numbers that processes have in the whole of it.
struct Stepped {
    transition: usize,
    processes: Vec<u32>,
    actor: u32,
    reads: Vec<(Location, Vec<u32>)>,
    writes: Vec<(Location, Vec<u32>)>,
    seen_at: Vec<usize>,
    unseen_at: Vec<usize>,
    buffers: bool,
    /// Whether what it writes reaches memory at once.
    is_atomic: bool,
    /// Whether it waits for the buffer to be empty.
    waits: bool,
}

/// The run from a node with an initial state of at least so many processes.
pub(crate) fn candidate(system: &System<'_>, nodes: &[Node], from: usize, processes: u32) -> CandidateRun {
    let first: Vec<u32> = (0..nodes[from].cube.processes).map(|process| u32::from(process) + 1).collect();
    let mut numbering = Numbering { system, most: first.len().try_into().unwrap_or(u32::MAX) };
    let (mut at, mut numbers, mut steps) = (from, first, Vec::new());
    let property = loop {
        match &nodes[at].source {
            Source::Property(property) => break *property,
            Source::Assumption | Source::Fact => unreachable!("these have no pre-images"),
            Source::Step(taken) => {
                let all = numbering.extended(taken, &numbers);
                steps.push(numbering.stepped(taken, &all));
                numbers = all[..usize::from(nodes[taken.to].cube.processes)].to_vec();
                at = taken.to;
            }
        }
    };
    // The processes of the property need not do anything, but they must be there.
    let params = u32::try_from(system.model.properties[property].params.len()).unwrap_or(u32::MAX);
    let processes = numbering.most.max(processes).max(system.model.min_processes()).max(params);
    CandidateRun { property, processes, actions: schedule(system, &steps) }
}

struct Numbering<'a, 'm> {
    system: &'a System<'m>,
    /// How many processes there are so far.
    most: u32,
}

impl Numbering<'_, '_> {
    /// The numbers of all processes of a step and the cube after it, given those of the cube before it.
    fn extended(&mut self, taken: &Taken, before: &[u32]) -> Vec<u32> {
        let known = |number: &Option<Process>| number.map(|number| before[usize::from(number)]);
        let mut all: Vec<Option<u32>> = taken.numbers.iter().map(known).collect();
        for at in 0..all.len() {
            if all[at].is_none() {
                all[at] = Some(self.fresh(&all));
            }
        }
        all.into_iter().flatten().collect()
    }

    /// The number of a process that nothing is known of: a new one, if there may be one more.
    fn fresh(&mut self, taken: &[Option<u32>]) -> u32 {
        if self.system.model.max_processes.is_none_or(|most| self.most < most) {
            self.most += 1;
            return self.most;
        }
        (1..=self.most)
            .find(|number| !taken.contains(&Some(*number)))
            .expect("cubes have no more processes than instances")
    }

    fn stepped(&self, taken: &Taken, all: &[u32]) -> Stepped {
        let step = &self.system.steps[taken.transition];
        let number = |process: Process| all[usize::from(process)];
        let place = |location: &Location| {
            (*location, location.indices().iter().map(|process| number(*process)).collect())
        };
        let processes: Vec<u32> = taken.processes.iter().map(|process| number(*process)).collect();
        Stepped {
            transition: taken.transition,
            actor: processes[step.actor],
            processes,
            reads: taken.event.reads.iter().map(place).collect(),
            writes: taken.event.writes.iter().map(place).collect(),
            seen_at: taken.seen_at.clone(),
            unseen_at: taken.unseen_at.clone(),
            buffers: !step.is_atomic && !step.writes.is_empty(),
            is_atomic: step.is_atomic,
            waits: step.is_atomic || taken.event.fence,
        }
    }
}

/// The origins of some instants.
pub(crate) fn origins(instants: &[crate::instant::Instant], of: Instants) -> Vec<usize> {
    each(of).map(|at| instants[at].origin).collect()
}

/// Steps and flushes in an order that memory allows.
fn schedule(system: &System<'_>, steps: &[Stepped]) -> Vec<Action> {
    let order = Order::of(steps);
    let happens = order.sorted().into_iter().take_while(|moment| *moment != order.end());
    let action = |moment: usize| {
        let step = &steps[moment / 2];
        let (transition, processes) = (step.transition, step.processes.clone());
        let rule = system.model.transitions[transition].rule;
        if moment.is_multiple_of(2) {
            Some(Action::Step { rule, transition, processes, buffers: step.buffers })
        } else {
            step.buffers.then_some(Action::Flush { process: step.actor })
        }
    };
    happens.filter_map(action).collect()
}

/// Which moment comes before which: step `k` happens at moment `2 k`, and what it buffers reaches memory at `2 k + 1`. The
/// bad state is the moment after all of these.
struct Order<'a> {
    steps: &'a [Stepped],
    before: Vec<(usize, usize)>,
}

impl Order<'_> {
    fn of(steps: &[Stepped]) -> Order<'_> {
        let mut order = Order { steps, before: vec![] };
        for (at, step) in steps.iter().enumerate() {
            order.before.push((2 * at, 2 * at + 1));
            order.before.push((2 * at, order.end()));
            for later in at + 1..steps.len() {
                order.relate(at, later);
            }
            for origin in &step.seen_at {
                order.before.push((order.written(at), order.moment(*origin)));
            }
            for origin in &step.unseen_at {
                order.before.push((order.moment(*origin), order.written(at)));
            }
        }
        order
    }

    /// The moment of a step that is so many steps before the bad state.
    fn moment(&self, origin: usize) -> usize {
        if origin == 0 { self.end() } else { 2 * (self.steps.len() - origin) }
    }

    /// The moment at which what a step writes reaches memory.
    fn written(&self, at: usize) -> usize {
        if self.steps[at].is_atomic { 2 * at } else { 2 * at + 1 }
    }

    fn end(&self) -> usize {
        2 * self.steps.len()
    }

    /// What is known about a step and a later one.
    fn relate(&mut self, at: usize, later: usize) {
        let (step, other) = (&self.steps[at], &self.steps[later]);
        let meets = |one: &[(Location, Vec<u32>)], two: &[(Location, Vec<u32>)]| {
            one.iter().any(|(a, i)| two.iter().any(|(b, j)| a.symbol() == b.symbol() && i == j))
        };
        if step.actor == other.actor {
            self.before.push((2 * at, 2 * later));
            self.before.push((self.written(at), self.written(later)));
            if other.waits {
                self.before.push((self.written(at), 2 * later));
            }
        }
        if meets(&step.writes, &other.writes) {
            self.before.push((self.written(at), self.written(later)));
        }
        if meets(&step.reads, &other.writes) {
            self.before.push((2 * at, self.written(later)));
        }
    }

    /// All moments, each after those that are before it; early steps first, and entries leave buffers as late as they may.
    fn sorted(&self) -> Vec<usize> {
        let end = self.end();
        let mut left: Vec<usize> = (0..end).step_by(2).chain([end]).chain((1..end).step_by(2)).collect();
        let mut sorted = Vec::with_capacity(left.len());
        while let Some(at) = left.iter().position(|moment| self.is_next(*moment, &left)) {
            sorted.push(left.remove(at));
        }
        sorted
    }

    fn is_next(&self, moment: usize, left: &[usize]) -> bool {
        self.before.iter().all(|(first, second)| *second != moment || !left.contains(first))
    }
}
