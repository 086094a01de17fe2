//! A system that is cloned: two actors that send each other letters.

use std::collections::VecDeque;

use explore::{Entry, Fault, Footprint, Label, Steered, Symmetry, System, Valuation, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    Send(usize),
    Receive(usize),
}

impl Act {
    pub(crate) fn actor(self) -> usize {
        match self {
            Act::Send(actor) | Act::Receive(actor) => actor,
        }
    }

    /// The owner of the mailbox that is touched.
    pub(crate) fn mailbox(self) -> usize {
        match self {
            Act::Send(actor) => 1 - actor,
            Act::Receive(actor) => actor,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Mailboxes {
    letters: usize,
    pub(crate) sent: [usize; 2],
    pub(crate) inbox: [VecDeque<String>; 2],
}

impl Mailboxes {
    /// The number of letters that each actor sends.
    pub(crate) fn new(letters: usize) -> Self {
        Mailboxes { letters, sent: [0, 0], inbox: Default::default() }
    }
}

impl Steered for Mailboxes {
    type Action = Act;
    type Identity = [(usize, Vec<String>); 2];

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        *self = Mailboxes::new(self.letters);
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<Act>) {
        for actor in 0..2 {
            if self.sent[actor] < self.letters {
                actions.push(Act::Send(actor));
            }
            if !self.inbox[actor].is_empty() {
                actions.push(Act::Receive(actor));
            }
        }
    }

    fn take(&mut self, action: &Act) -> Result<(), Fault> {
        match *action {
            Act::Send(actor) => {
                self.sent[actor] += 1;
                self.inbox[1 - actor].push_back(format!("letter {}", self.sent[actor]));
            }
            Act::Receive(actor) => drop(self.inbox[actor].pop_front()),
        }
        Ok(())
    }

    fn identity(&self) -> Self::Identity {
        [0, 1].map(|actor| (self.sent[actor], self.inbox[actor].iter().cloned().collect()))
    }

    fn ended(&self) -> bool {
        true
    }

    fn footprint(&self, action: &Act, footprint: &mut Footprint) {
        footprint.write(action.mailbox() as u64);
    }

    fn process(&self, action: &Act) -> Option<usize> {
        Some(action.actor())
    }

    fn heap_bytes(&self) -> usize {
        self.inbox.iter().flatten().map(String::len).sum()
    }

    fn label(&self, action: &Act) -> Label {
        format!("{action:?}").into()
    }

    fn describe(&self) -> Valuation {
        let inbox = |actor: usize| Value::Word(format!("{:?}", self.inbox[actor]));
        [0, 1].map(|actor| Entry::variable(format!("inbox {actor}"), inbox(actor))).to_vec()
    }
}

impl System for Mailboxes {
    type Checkpoint = Mailboxes;

    fn checkpoint(&mut self) -> Mailboxes {
        self.clone()
    }

    fn restore(&mut self, checkpoint: &Mailboxes) -> Result<(), Fault> {
        self.clone_from(checkpoint);
        Ok(())
    }
}

impl Symmetry for Mailboxes {
    fn canonical(&self) -> Self::Identity {
        let mut identity = self.identity();
        identity.sort();
        identity
    }
}
