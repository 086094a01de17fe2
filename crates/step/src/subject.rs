//! What a session can be about.

use crate::{Call, Vocabulary};
use explore::Valuation;

/// A state to tell from others and to come back to: equal exactly if the states are. What is in it is the subject's business.
pub type Snapshot = Box<[u64]>;

/// One way to go on from a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// As traces write it, unlike every other exit of the same state.
    pub label: String,
    /// What is done and by whom; every part is given.
    pub call: Call,
    /// Who acts, from 0.
    pub process: Option<usize>,
}

/// Something that is wrong with a state, as the engine of the subject says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The kind of property in a word, such as `unsafe` or `deadlock`.
    pub kind: &'static str,
    /// The name of the property.
    pub name: String,
    /// Whether it is a violation, rather than a remark.
    pub violation: bool,
    /// All of it in a sentence.
    pub sentence: String,
}

/// A state, for people.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// The processes in order.
    pub processes: Vec<ProcessStatus>,
    /// Variables and cells, without those that resources are made of.
    pub variables: Valuation,
    /// What processes share and wait for: locks, conditions, semaphores.
    pub resources: Vec<Resource>,
}

/// What a process is and does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessStatus {
    /// Its kind, if there are kinds.
    pub kind: Option<String>,
    /// Whether it is active, suspended or asleep, and on what.
    pub activity: String,
}

/// Something that processes wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// What kind of thing, in the plural: a heading.
    pub group: &'static str,
    /// Its name.
    pub name: String,
    /// Who has it and who waits for it.
    pub text: String,
}

/// Why something can or cannot be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It can be done: the exits that fit, by their labels.
    Possible(Vec<String>),
    /// It cannot, for all of these reasons.
    Impossible(Vec<String>),
}

/// What a search for a state has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The exits to take, one after the other, each by its position, and how many states were visited.
    Path(Vec<usize>, usize),
    /// There is no such state, and why that is sure.
    Nowhere(String),
    /// It is not known, and why.
    Unknown(String),
}

/// Something that can be stepped through. Between two calls it stands in a state; exits are numbered from 0, in an order that
/// depends on the state alone.
pub trait Subject {
    /// How many processes there are.
    fn processes(&self) -> usize;

    /// How many initial states there are; at least one.
    fn initials(&self) -> usize;

    /// Goes to an initial state, a number below [`initials`](Self::initials).
    fn start(&mut self, initial: usize) -> Result<(), String>;

    /// How many exits there are here.
    fn exits(&self) -> usize;

    /// One of the exits.
    fn exit(&self, at: usize) -> Exit;

    /// What an exit does, as a number: the same for exits that differ only by who takes part.
    fn rule(&self, at: usize) -> usize;

    /// Whether a process acts in an exit.
    fn acts(&self, at: usize, process: usize) -> bool;

    /// Whether a process takes part in an exit.
    fn takes_part(&self, at: usize, process: usize) -> bool;

    /// Takes an exit.
    fn take(&mut self, at: usize) -> Result<(), String>;

    /// The state.
    fn snapshot(&self) -> Snapshot;

    /// Comes back to a state.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), String>;

    /// The state as traces write it.
    fn describe(&self) -> Valuation;

    /// What the processes are called, where their numbers do not say it all; else empty.
    fn actors(&self) -> Vec<String>;

    /// The state as people look at it.
    fn status(&self) -> Status;

    /// Everything that is wrong with the state.
    fn wrong(&self) -> Vec<Wrong>;

    /// Why exits or judgements may be missing here, if they may.
    fn trouble(&self) -> Option<String>;

    /// Why something can or cannot be done here; an error if it makes no sense at all.
    fn why(&self, call: &Call) -> Result<Why, String>;

    /// All ways to give processes to a transition that is called by its name alone; none if it takes no process, or is none.
    fn choices(&self, name: &str) -> Vec<Call>;

    /// The text of a transition or property, in lines with their numbers; an error if there is none of that name.
    fn text_of(&self, name: &str) -> Result<Vec<String>, String>;

    /// The value of an expression here; an error if it is none.
    fn evaluate(&mut self, expression: &str) -> Result<String, String>;

    /// The way to the nearest state that satisfies a formula, or is called by the name of a property.
    fn find(&mut self, goal: &str) -> Result<Found, String>;

    /// The words that can be used here.
    fn vocabulary(&self) -> Vocabulary;
}
