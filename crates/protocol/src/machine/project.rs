//! Projection: one machine for each role.
//!
//! A state of a role is what the role knows: the states of the protocol that it may be in and can act in. A send carries the set of states
//! that it leads to, as a stamp, which tells the receiver the branch. A receiver that gets a stamp keeps those of its states that follow from the
//! stamp by steps of others; if its own steps are in between, those that follow by any steps. Nothing is guessed, so
//! that two states which differ for others only never lose a trace.

use super::{
    determinise::MOST_STATES,
    implementation::TooLarge,
    sets::{Numbered, Set, set},
};
use crate::{
    meaning::{Action, StateGraph},
    syntax::tree::Verb,
};
use rustc_hash::{FxHashMap, FxHashSet};
use session::{Entry, Meeting, Table};
use std::collections::{BTreeMap, BTreeSet};

/// The most that is tried before the machines are called too large.
const MOST_WORK: usize = 20_000_000;

/// The machines of all roles.
pub(super) struct Projection {
    pub(super) tables: Vec<Table>,
    /// Handshakes, sorted.
    pub(super) meetings: Vec<Meeting>,
}

/// What a role knows: the states in which it can act, and whether the run may be over.
type Knowledge = (Set, bool);

pub(super) fn project(graph: &StateGraph) -> Result<Projection, TooLarge> {
    let roles = graph.vocabulary.roles.len();
    let mut projector = Projector {
        graph,
        roles: (0..roles).map(|_| Role::default()).collect(),
        stamps: Numbered::default(),
        by_others: FxHashMap::default(),
        by_any: FxHashMap::default(),
        meetings: vec![],
        met: FxHashSet::default(),
        work: 0,
    };
    projector.run()?;
    let may_stop = |role: &Role| role.states.list.iter().map(|(_, may_stop)| *may_stop).collect();
    let tables = projector.roles.iter().map(|role| Table::new(role.rows.clone(), may_stop(role))).collect();
    let mut meetings = projector.meetings;
    meetings.sort_unstable();
    Ok(Projection { tables, meetings })
}

#[derive(Default)]
struct Role {
    states: Numbered<Knowledge>,
    /// Entries of the states that were looked at.
    rows: Vec<Vec<Entry>>,
    /// For each of these states and each of its receives, the stamps that were tried.
    tried: Vec<BTreeMap<u32, FxHashSet<u32>>>,
}

/// States that can be reached, as a set and in the order in which they were.
struct Reached {
    bits: Vec<u64>,
    list: Vec<u32>,
}

impl Reached {
    fn contains(&self, state: u32) -> bool {
        self.bits[state as usize / 64] >> (state % 64) & 1 == 1
    }

    fn insert(&mut self, state: u32) {
        if !self.contains(state) {
            self.bits[state as usize / 64] |= 1 << (state % 64);
            self.list.push(state);
        }
    }
}

struct Projector<'g> {
    graph: &'g StateGraph,
    roles: Vec<Role>,
    stamps: Numbered<Set>,
    /// For a role and a stamp: what follows from it by steps of others.
    by_others: FxHashMap<(u32, u32), Reached>,
    /// For a stamp: what follows from it by any steps.
    by_any: FxHashMap<u32, Reached>,
    meetings: Vec<Meeting>,
    /// Handshakes that were tried: the action and both states.
    met: FxHashSet<(u32, u32, u32)>,
    work: usize,
}

impl Projector<'_> {
    fn run(&mut self) -> Result<(), TooLarge> {
        for role in 0..self.role_count() {
            let first = self.knowledge(role, [0]);
            self.roles[role as usize].states.number(first);
        }
        loop {
            let before = self.work;
            for role in 0..self.role_count() {
                self.open_states(role);
                self.receives(role);
                self.handshakes(role);
                if self.roles[role as usize].states.list.len() > MOST_STATES || self.work > MOST_WORK {
                    return Err(TooLarge);
                }
            }
            if self.work == before {
                return Ok(());
            }
        }
    }

    fn role_count(&self) -> u32 {
        u32::try_from(self.roles.len()).expect("there are few roles")
    }

    /// What is reachable from some states by steps that a test allows.
    fn reachable(&self, from: impl IntoIterator<Item = u32>, allowed: impl Fn(u32) -> bool) -> Reached {
        let mut reached = Reached { bits: vec![0; self.graph.steps.len().div_ceil(64)], list: vec![] };
        from.into_iter().for_each(|state| reached.insert(state));
        let mut at = 0;
        while let Some(state) = reached.list.get(at).copied() {
            for edge in self.graph.steps[state as usize].iter().filter(|edge| allowed(edge.action)) {
                reached.insert(edge.to);
            }
            at += 1;
        }
        reached
    }

    fn is_own(&self, role: u32, action: u32) -> bool {
        self.graph.vocabulary.actions[action as usize].is_step_of(role)
    }

    /// What a role knows when the protocol was in one of some states right after its own step.
    fn knowledge(&self, role: u32, from: impl IntoIterator<Item = u32>) -> Knowledge {
        let seen = self.reachable(from, |action| !self.is_own(role, action));
        let acts = |state: &&u32| {
            self.graph.steps[**state as usize].iter().any(|edge| self.is_own(role, edge.action))
        };
        let may_stop = seen.list.iter().any(|state| self.graph.done[*state as usize]);
        (set(seen.list.iter().filter(acts).copied()), may_stop)
    }

    fn state(&mut self, role: u32, targets: &[u32]) -> u32 {
        let knowledge = self.knowledge(role, targets.iter().copied());
        self.roles[role as usize].states.number(knowledge)
    }

    /// For each action of a role that some states enable, the states that it leads to.
    fn targets(&self, role: u32, states: &[u32]) -> BTreeMap<u32, Vec<u32>> {
        let mut targets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for edge in states.iter().flat_map(|state| &self.graph.steps[*state as usize]) {
            if self.is_own(role, edge.action) {
                targets.entry(edge.action).or_default().push(edge.to);
            }
        }
        targets
    }

    /// Looks at new states of a role: sends and closes are known at once, receives wait for stamps.
    fn open_states(&mut self, role: u32) {
        while self.roles[role as usize].rows.len() < self.roles[role as usize].states.list.len() {
            let at = self.roles[role as usize].rows.len();
            let (states, _) = self.roles[role as usize].states.list[at].clone();
            self.work += 1;
            let (mut row, mut tried) = (Vec::new(), BTreeMap::new());
            for (action, targets) in self.targets(role, &states) {
                match self.graph.vocabulary.actions[action as usize].verb {
                    Verb::Send | Verb::Close => {
                        let targets = set(targets);
                        let stamp = self.stamps.number(targets.clone());
                        let next = self.state(role, &targets);
                        row.push(Entry { action, stamp, next });
                    }
                    Verb::Receive => drop(tried.insert(action, FxHashSet::default())),
                    Verb::Handshake => {}
                }
            }
            self.roles[role as usize].rows.push(row);
            self.roles[role as usize].tried.push(tried);
        }
    }

    /// Tries stamps that are new to the states of a role.
    fn receives(&mut self, role: u32) {
        let actions = &self.graph.vocabulary.actions;
        let is_receive = |(_, action): &(u32, &Action)| action.verb == Verb::Receive && action.to[0] == role;
        let receives: Vec<(u32, u32)> =
            (0..).zip(actions).filter(is_receive).map(|(number, action)| (number, action.from)).collect();
        for (action, from) in receives {
            for (at, stamp) in self.arriving(from, role) {
                let tried = self.roles[role as usize].tried[at].get_mut(&action);
                if tried.is_some_and(|tried| tried.insert(stamp)) {
                    self.receive(role, at, action, stamp);
                }
            }
        }
    }

    /// Which stamps may come first in a channel in which state of the receiver: the word that the receiver has read from the channel is one that the sender
    /// has written, so that both machines are followed together, each alone where the other one is not concerned.
    fn arriving(&self, from: u32, to: u32) -> Vec<(usize, u32)> {
        let (sender, receiver) = (&self.roles[from as usize], &self.roles[to as usize]);
        let actions = &self.graph.vocabulary.actions;
        let puts = |entry: &Entry| {
            let action = &actions[entry.action as usize];
            action.verb == Verb::Send && action.to.contains(&to)
        };
        let takes = |entry: &Entry| {
            let action = &actions[entry.action as usize];
            action.verb == Verb::Receive && action.from == from
        };
        let mut seen: FxHashSet<(u32, u32)> = FxHashSet::from_iter([(0, 0)]);
        let (mut list, mut found) = (vec![(0, 0)], BTreeSet::new());
        while let Some((at, state)) = list.pop() {
            let mut next: Vec<(u32, u32)> = Vec::new();
            let (here, there) = (sender.rows.get(at as usize), receiver.rows.get(state as usize));
            for entry in here.into_iter().flatten() {
                if !puts(entry) {
                    next.push((entry.next, state));
                    continue;
                }
                if there.is_some() {
                    found.insert((state as usize, entry.stamp));
                }
                let fitting = there.into_iter().flatten().filter(|it| takes(it) && it.stamp == entry.stamp);
                next.extend(fitting.map(|it| (entry.next, it.next)));
            }
            let alone = there.into_iter().flatten().filter(|entry| !takes(entry));
            next.extend(alone.map(|entry| (at, entry.next)));
            next.extend(self.after_handshake(from, at).map(|after| (after, state)));
            next.extend(self.after_handshake(to, state).map(|after| (at, after)));
            list.extend(next.into_iter().filter(|pair| seen.insert(*pair)));
        }
        found.into_iter().collect()
    }

    /// The states of a role after the handshakes that are possible in a state.
    fn after_handshake(&self, role: u32, state: u32) -> impl Iterator<Item = u32> + '_ {
        self.meetings.iter().filter_map(move |meeting| {
            let action = &self.graph.vocabulary.actions[meeting.action as usize];
            let as_sender = action.from == role && meeting.sender == state;
            let as_receiver = action.to[0] == role && meeting.receiver == state;
            as_sender.then_some(meeting.sender_next).or(as_receiver.then_some(meeting.receiver_next))
        })
    }

    fn receive(&mut self, role: u32, at: usize, action: u32, stamp: u32) {
        self.work += 1;
        let (states, _) = self.roles[role as usize].states.list[at].clone();
        let enabled =
            |state: &&u32| self.graph.steps[**state as usize].iter().any(|edge| edge.action == action);
        let pick = |among: &Reached| -> Vec<u32> {
            states.iter().filter(|state| among.contains(**state)).filter(enabled).copied().collect()
        };
        let targets = self.stamps.list[stamp as usize].clone();
        if !self.by_others.contains_key(&(role, stamp)) {
            let reached = self.reachable(targets.iter().copied(), |action| !self.is_own(role, action));
            self.by_others.insert((role, stamp), reached);
        }
        let mut fitting = pick(&self.by_others[&(role, stamp)]);
        if fitting.is_empty() {
            if !self.by_any.contains_key(&stamp) {
                let reached = self.reachable(targets.iter().copied(), |_| true);
                self.by_any.insert(stamp, reached);
            }
            fitting = pick(&self.by_any[&stamp]);
        }
        let Some(targets) = self.targets(role, &fitting).remove(&action) else { return };
        let next = self.state(role, &set(targets));
        self.roles[role as usize].rows[at].push(Entry { action, stamp, next });
    }

    /// Tries all pairs of states for the handshakes that a role begins.
    fn handshakes(&mut self, role: u32) {
        for action in 0..self.graph.vocabulary.actions.len() {
            let known = &self.graph.vocabulary.actions[action];
            if known.verb != Verb::Handshake || known.from != role {
                continue;
            }
            let other = known.to[0];
            let action = u32::try_from(action).expect("there are few actions");
            let count = |role: u32| self.roles[role as usize].rows.len();
            let (senders, receivers) = (count(role), count(other));
            for sender in 0..senders {
                for receiver in 0..receivers {
                    self.handshake(action, (role, sender), (other, receiver));
                }
            }
        }
    }

    fn handshake(&mut self, action: u32, (from, sender): (u32, usize), (to, receiver): (u32, usize)) {
        let number = |at: usize| u32::try_from(at).expect("there are few states");
        let (sender_state, receiver_state) = (number(sender), number(receiver));
        if !self.met.insert((action, sender_state, receiver_state)) {
            return;
        }
        self.work += 1;
        let (known, _) = self.roles[from as usize].states.list[sender].clone();
        let (other, _) = self.roles[to as usize].states.list[receiver].clone();
        let both: Vec<u32> =
            known.iter().copied().filter(|state| other.binary_search(state).is_ok()).collect();
        let Some(targets) = self.targets(from, &both).remove(&action) else { return };
        let targets = set(targets);
        let (sender_next, receiver_next) = (self.state(from, &targets), self.state(to, &targets));
        self.meetings.push(Meeting {
            action,
            sender: sender_state,
            receiver: receiver_state,
            sender_next,
            receiver_next,
        });
    }
}
