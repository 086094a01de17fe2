//! All states of an implementation, and what they say about ends, deadlocks and the length of queues.

use super::{behaviour::Behaviour, runner::Choice};
use crate::meaning::Action;
use explore::{Fault, Limit, Limits};
use rustc_hash::FxHashMap;
use session::State;
use std::time::Instant;

/// A queue of this length is not filled further: channels that grow for ever are reported long before.
pub(super) const LONGEST_QUEUE: usize = 64;

/// Why not all states were visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incomplete {
    /// A limit was reached.
    Limit(Limit),
    /// Some channel is longer than what is looked at.
    LongQueue,
    /// What is explored has failed.
    Fault(Fault),
}

/// A run that can be continued by the same steps for ever, each time with more messages in a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// The channel, by number.
    pub channel: usize,
    /// The state after the steps that can be repeated.
    pub state: u32,
    /// How many steps can be repeated.
    pub repeated: usize,
}

/// The states that were visited. State 0 is the first.
#[derive(Debug)]
pub struct Explored {
    /// States.
    pub states: Vec<State>,
    /// For each state its steps: the number of an action in `actions`, and the state after it.
    pub steps: Vec<Vec<(u32, u32)>>,
    /// Actions with the types of messages.
    pub actions: Vec<Action>,
    /// For each state whether the run may end there.
    pub may_end: Vec<bool>,
    /// Sender and receiver of each channel.
    channel_ends: Vec<(u32, u32)>,
    /// For each state but the first: the state and the step by which it was found first.
    parents: Vec<(u32, u32)>,
    /// Why it is not everything.
    pub incomplete: Option<Incomplete>,
    /// A proof that some channel grows without bound.
    pub growth: Option<Growth>,
}

impl Explored {
    /// Visits the states of an implementation, breadth first.
    pub fn new(behaviour: &dyn Behaviour, limits: &Limits) -> Explored {
        let begun = Instant::now();
        let mut search = Search { numbers: FxHashMap::default(), actions: FxHashMap::default(), longest: 1 };
        let (initial, fault) = match behaviour.initial() {
            Ok(initial) => (initial, None),
            Err(fault) => (State::default(), Some(Incomplete::Fault(fault))),
        };
        let mut explored = Explored {
            states: vec![initial.clone()],
            steps: vec![],
            actions: vec![],
            may_end: vec![],
            channel_ends: behaviour.channels().to_vec(),
            parents: vec![(0, 0)],
            incomplete: fault,
            growth: None,
        };
        search.numbers.insert(initial, 0);
        while explored.incomplete.is_none() && explored.steps.len() < explored.states.len() {
            if let Some(reason) = explored.stopped(limits, begun) {
                explored.incomplete = Some(reason);
                break;
            }
            if let Err(fault) = explored.expand(behaviour, &mut search) {
                explored.incomplete = Some(Incomplete::Fault(fault));
            }
        }
        explored
    }

    fn stopped(&self, limits: &Limits, begun: Instant) -> Option<Incomplete> {
        let at = self.steps.len();
        if limits.states.is_some_and(|most| at >= most) {
            return Some(Incomplete::Limit(Limit::States));
        }
        let bytes = at.is_multiple_of(1024).then(|| self.bytes());
        if bytes.zip(limits.memory).is_some_and(|(bytes, most)| bytes > most) {
            return Some(Incomplete::Limit(Limit::Memory));
        }
        let ended = at.is_multiple_of(1024).then(|| limits.ended_since(begun)).flatten();
        let long = |channel: &super::Channel| channel.messages.len() > LONGEST_QUEUE;
        let too_long = self.states[at].channels.iter().any(long) || self.growth.is_some();
        ended.map(Incomplete::Limit).or(too_long.then_some(Incomplete::LongQueue))
    }

    fn expand(&mut self, behaviour: &dyn Behaviour, search: &mut Search) -> Result<(), Fault> {
        let at = self.steps.len();
        let state = self.states[at].clone();
        let mut here = Vec::new();
        let may_end = behaviour.may_end(&state)?;
        for step in behaviour.moves(&state)? {
            let action = search.action(&mut self.actions, step.action);
            let next = number(self.states.len());
            let to = *search.numbers.entry(step.to.clone()).or_insert(next);
            if to == next {
                self.states.push(step.to);
                self.parents.push((number(at), action));
                if behaviour.ignores_lengths() {
                    self.look_for_growth(search, next);
                }
            }
            here.push((action, to));
        }
        self.may_end.push(may_end);
        self.steps.push(here);
        Ok(())
    }

    /// Whether the way to a new state passes an earlier state with the same machines, from where on nothing was taken from the channels
    /// that have grown since. Then the same steps are possible again and again.
    fn look_for_growth(&mut self, search: &mut Search, new: u32) {
        let longest =
            self.states[new as usize].channels.iter().map(|it| it.messages.len()).max().unwrap_or(0);
        if longest <= search.longest || self.growth.is_some() {
            return;
        }
        search.longest = longest;
        let (mut at, mut repeated) = (new, 0);
        let mut taken: Vec<(u32, u32)> = Vec::new();
        while at != 0 {
            let (before, action) = self.parents[at as usize];
            let action = &self.actions[action as usize];
            if action.verb == crate::syntax::tree::Verb::Receive {
                taken.push((action.from, action.to[0]));
            }
            (at, repeated) = (before, repeated + 1);
            if let Some(channel) = self.grown(at, new, &taken) {
                self.growth = Some(Growth { channel, state: new, repeated });
                return;
            }
        }
    }

    /// A channel that has grown, if everything else is as it was.
    fn grown(&self, before: u32, after: u32, taken: &[(u32, u32)]) -> Option<usize> {
        let (before, after) = (&self.states[before as usize], &self.states[after as usize]);
        if before.control != after.control {
            return None;
        }
        let mut grown = None;
        for (at, (old, new)) in before.channels.iter().zip(&after.channels).enumerate() {
            if old.closed != new.closed || old.messages != new.messages && self.is_taken(at, taken) {
                return None;
            }
            if !new.messages.starts_with(&old.messages) {
                return None;
            }
            if new.messages.len() > old.messages.len() {
                grown = grown.or(Some(at));
            }
        }
        grown
    }

    fn is_taken(&self, channel: usize, taken: &[(u32, u32)]) -> bool {
        self.channel_ends.get(channel).is_some_and(|ends| taken.contains(ends))
    }

    /// An estimate of the memory that states take: each is kept twice, as a state and as a key.
    pub fn bytes(&self) -> usize {
        let of_state = |state: &State| {
            let messages: usize = state.channels.iter().map(|channel| channel.messages.len()).sum();
            size_of_val(&*state.control)
                + size_of_val(&*state.channels)
                + messages * size_of::<super::Message>()
        };
        let state = self.states.last().map_or(0, of_state) + size_of::<State>();
        let step = size_of::<(u32, u32)>() * 4;
        self.states.len() * (2 * state + step + size_of::<Vec<u32>>())
    }

    /// Whether all states were visited.
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_none()
    }

    /// The number of steps.
    pub fn transitions(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// The largest distance of a state from the first one.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.states.len()];
        for at in 1..depths.len() {
            depths[at] = depths[self.parents[at].0 as usize] + 1;
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// A shortest way to a state, as a runner takes it.
    pub fn choices_to(&self, state: u32) -> Vec<Choice> {
        let mut at = 0_u32;
        let mut choices = Vec::new();
        let way: Vec<u32> = self.states_to(state);
        for next in way {
            let steps = &self.steps[at as usize];
            let position = steps.iter().position(|(_, to)| *to == next).expect("the way was found there");
            let (action, _) = steps[position];
            let number = steps[..position].iter().filter(|(known, _)| *known == action).count();
            choices.push(Choice { action: self.actions[action as usize].clone(), number });
            at = next;
        }
        choices
    }

    /// The states on a shortest way, without the first.
    fn states_to(&self, state: u32) -> Vec<u32> {
        let (mut at, mut way) = (state, Vec::new());
        while at != 0 {
            way.push(at);
            at = self.parents[at as usize].0;
        }
        way.reverse();
        way
    }

    /// A shortest way to a state: numbers of actions.
    pub fn way_to(&self, state: u32) -> Vec<u32> {
        let (mut at, mut way) = (state, Vec::new());
        while at != 0 {
            let (before, action) = self.parents[at as usize];
            way.push(action);
            at = before;
        }
        way.reverse();
        way
    }

    /// The first state in which nothing can happen although the run must not end there.
    pub fn deadlock(&self) -> Option<u32> {
        let stuck = |at: &usize| self.steps[*at].is_empty() && !self.may_end[*at];
        (0..self.steps.len()).find(stuck).map(number)
    }

    /// The first state from which the run can never end successfully, if the protocol can be over at all.
    pub fn trapped(&self) -> Option<u32> {
        let mut before: Vec<Vec<u32>> = vec![vec![]; self.states.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|(_, to)| before[*to as usize].push(number(from)));
        }
        let mut can_end = self.may_end.clone();
        can_end.resize(self.states.len(), true);
        let mut list: Vec<u32> = (0..can_end.len()).filter(|at| can_end[*at]).map(number).collect();
        while let Some(state) = list.pop() {
            for from in &before[state as usize] {
                if !std::mem::replace(&mut can_end[*from as usize], true) {
                    list.push(*from);
                }
            }
        }
        can_end.iter().position(|can| !can).map(number)
    }

    /// The most messages of any channel, in the states that were visited.
    pub fn longest_queue(&self) -> usize {
        let longest = |state: &State| state.channels.iter().map(|channel| channel.messages.len()).max();
        self.states.iter().filter_map(longest).max().unwrap_or(0)
    }
}

/// What the search needs beside its result.
struct Search {
    numbers: FxHashMap<State, u32>,
    actions: FxHashMap<Action, u32>,
    /// The longest queue so far.
    longest: usize,
}

impl Search {
    fn action(&mut self, list: &mut Vec<Action>, action: Action) -> u32 {
        let next = number(list.len());
        let known = *self.actions.entry(action.clone()).or_insert(next);
        if known == next {
            list.push(action);
        }
        known
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("there are fewer than 2^32 states")
}
