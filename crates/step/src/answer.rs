//! What a session answers: values that a terminal, a web page or an editor shows in its own way.

use crate::{
    Call, Excerpt, Explanation, Judgement, Location, Refusal, Status, Topic, Value, serialize, walk::Way,
};
use explore::Valuation;
use serde::Serialize;

/// What a session answers to a command: one variant for each thing there is to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// Steps were taken.
    Moved(Moved),
    /// The session is elsewhere in the run, or in another one, without new steps.
    Arrived(Arrival),
    /// No step was taken, as no action is enabled.
    Stuck(Judgement),
    /// The enabled actions, in the order of their numbers.
    Enabled {
        /// The actions; at least one.
        actions: Vec<EnabledAction>,
    },
    /// The state in which the session is.
    State(StateView),
    /// Some states of the run, to be looked at one after the other.
    States {
        /// The states.
        states: Vec<StateView>,
    },
    /// What is wrong with the state.
    Judged(Judgement),
    /// All steps from the initial state to where the session is.
    Run(RunView),
    /// Why a transition is enabled or not.
    Why {
        /// The transition.
        call: Call,
        /// Whether it is enabled, and why not.
        explanation: Explanation,
    },
    /// The same for every choice of processes.
    WhyEach {
        /// The choices.
        choices: Vec<Choice>,
    },
    /// How often states are remembered.
    Interval {
        /// One state in this number.
        every: usize,
    },
    /// The run was written to a file.
    Saved {
        /// The file.
        file: String,
        /// The number of steps.
        steps: usize,
    },
    /// The session follows the run of a file.
    Loaded {
        /// The file.
        file: String,
        /// The number of steps.
        steps: usize,
        /// What there is to know about the file.
        remarks: Vec<String>,
        /// Where the session is now.
        here: Arrival,
    },
    /// The run of a file is not a run of this system.
    NotFollowed {
        /// The file.
        file: String,
        /// Where it differs.
        divergence: Divergence,
        /// What there is to know about the file.
        remarks: Vec<String>,
    },
    /// The session goes on from where one about the same file was before an edit.
    Resumed(Resumed),
    /// An expression is watched from now on.
    Watching(Watch),
    /// The watched expressions, in the order of their numbers.
    Watches {
        /// The expressions with their values.
        watches: Vec<Watch>,
    },
    /// Expressions that are no longer watched.
    Unwatched {
        /// The expressions.
        expressions: Vec<String>,
    },
    /// The value of an expression.
    Value(Watch),
    /// A breakpoint is set, with the truth of its formula here.
    BreakpointSet(Watch),
    /// The breakpoints, in the order of their numbers.
    Breakpoints {
        /// The formulas.
        formulas: Vec<String>,
    },
    /// Breakpoints that are removed.
    BreakpointsRemoved {
        /// The formulas.
        formulas: Vec<String>,
    },
    /// The text of an item.
    Listing {
        /// The text; several parts if several items have the name.
        excerpts: Vec<Excerpt>,
    },
    /// The session is in a state that was searched for.
    AlreadyThere,
    /// No state that was searched for can be reached from here: all were visited.
    Unreachable {
        /// The number of processes for which that is so.
        processes: usize,
        /// How many states were visited.
        states: usize,
    },
    /// A search ended early, or could not evaluate everything.
    Inconclusive {
        /// How many states were visited.
        states: usize,
        /// Why it is not known.
        why: Inconclusive,
    },
    /// States within some steps were visited, and none of them violates anything.
    NoneWrong(Vicinity),
    /// The help: a line about each command.
    Commands {
        /// The commands, in the order in which they are listed.
        commands: &'static [Topic],
    },
    /// The help about one command.
    Command(&'static Topic),
    /// The command was not executed, and nothing has changed.
    Refused {
        /// Why.
        refusal: Refusal,
    },
    /// The file is to be read again: see [`Session::keep`](crate::Session::keep).
    Reload,
    /// The session is over.
    Quit,
}

/// What an answer means for a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The command was executed.
    Done,
    /// It was not, and nothing has changed.
    Refused,
    /// What was asked for is not known.
    Unknown,
    /// The session is over.
    Quit,
    /// The file is to be read again.
    Reload,
}

impl Answer {
    /// What it means for a script.
    pub fn outcome(&self) -> Outcome {
        match self {
            Answer::Refused { .. } => Outcome::Refused,
            Answer::Inconclusive { .. } | Answer::NotFollowed { .. } => Outcome::Unknown,
            Answer::NoneWrong(vicinity) if !vicinity.complete => Outcome::Unknown,
            Answer::Quit => Outcome::Quit,
            Answer::Reload => Outcome::Reload,
            _ => Outcome::Done,
        }
    }
}

/// Where a session is in its run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The number of steps before it.
    pub step: usize,
    /// The label of the last of them; none at the start.
    pub label: Option<String>,
    /// The number of the initial state, from 1.
    pub initial: usize,
    /// How many initial states there are.
    pub initials: usize,
}

/// Where a session has come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arrival {
    /// Its place in the run, and the initial state that the run is from.
    pub position: Position,
    /// What is wrong there.
    pub judgement: Judgement,
    /// The watched expressions whose values have changed.
    pub watches: Vec<WatchChange>,
}

/// Steps that were taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// How they were chosen, unless the user did.
    pub report: Option<Report>,
    /// The number of processes of the instance.
    pub processes: usize,
    /// How many steps came before those in `steps`: of many, only the last are listed.
    pub earlier: usize,
    /// The state before the first step in `steps`.
    #[serde(serialize_with = "serialize::valuation")]
    pub from: Valuation,
    /// The steps, in the order in which they were taken.
    pub steps: Vec<StepView>,
    /// Where they lead.
    pub here: Arrival,
}

/// What a command that chooses steps has to report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Report {
    /// Random runs, of which the last is the one that was kept.
    Execute {
        /// How steps were chosen.
        way: Way,
        /// The number of runs.
        runs: usize,
        /// How many states were entered, again or not.
        seen: usize,
        /// How many different states.
        distinct: usize,
        /// The state that was entered most often.
        most_seen: Option<MostSeen>,
        /// How the last run ended.
        end: RunEnd,
        /// The number of steps of the last run.
        steps: usize,
    },
    /// The nearest of the states that violate something.
    Breadth {
        /// The states that were visited.
        vicinity: Vicinity,
        /// The number of steps to it.
        steps: usize,
    },
    /// The nearest state with a property.
    Goto {
        /// The number of steps to it.
        steps: usize,
        /// How many states were visited.
        states: usize,
    },
    /// A random run to a breakpoint.
    Continue {
        /// The number of steps.
        steps: usize,
        /// Why it ended.
        stop: Stop,
    },
}

/// A state that was entered often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MostSeen {
    /// How often it was entered.
    pub times: usize,
    /// The state.
    #[serde(serialize_with = "serialize::valuation")]
    pub state: Valuation,
}

/// How a random run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// At a violation.
    Violation,
    /// Where runs may end.
    Final,
    /// No action is enabled, or none that the way would take.
    NoAction,
    /// It was long enough.
    Length,
    /// The user wanted it to end.
    Interrupted,
}

/// Why a run to a breakpoint ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Stop {
    /// The formula of a breakpoint holds.
    Breakpoint {
        /// The formula.
        formula: String,
    },
    /// Something is violated.
    Violation,
    /// No action is enabled.
    NoAction,
    /// It was long enough, or interrupted.
    Length,
}

/// The states within some steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Vicinity {
    /// The largest number of steps.
    pub depth: usize,
    /// How many states were entered, again or not.
    pub seen: usize,
    /// How many different states.
    pub distinct: usize,
    /// Whether these are all, if none violates anything.
    pub complete: bool,
}

/// A step of a run, with what it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepView {
    /// Its number, from 1.
    pub number: usize,
    /// The label of the action.
    pub label: String,
    /// The process that acted.
    #[serde(serialize_with = "serialize::process")]
    pub process: Option<usize>,
    /// How many actions were enabled before it.
    pub enabled_before: usize,
    /// How many are enabled after it.
    pub enabled_after: usize,
    /// Whether the user chose it.
    pub by_hand: bool,
    /// Whether the state after it is remembered.
    pub remembered: bool,
    /// The variables that it changed.
    pub changed: Vec<String>,
    /// The state after it.
    #[serde(serialize_with = "serialize::valuation")]
    pub state: Valuation,
}

/// A run from its initial state, with all its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunView {
    /// The number of the initial state, from 1.
    pub initial: usize,
    /// How many initial states there are.
    pub initials: usize,
    /// The number of processes of the instance.
    pub processes: usize,
    /// The initial state.
    #[serde(serialize_with = "serialize::valuation")]
    pub start: Valuation,
    /// How many actions are enabled there.
    pub enabled: usize,
    /// The steps, in the order in which they were taken.
    pub steps: Vec<StepView>,
    /// What is wrong with the last state.
    pub judgement: Judgement,
}

/// A state of the run beside the one before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StateView {
    /// Where it is in the run.
    pub position: Position,
    /// How many actions are enabled.
    pub enabled: usize,
    /// The processes, variables and resources in it.
    pub status: Status,
    /// The state before the last step; none at the start.
    pub before: Option<Status>,
    /// What is wrong with the state.
    pub judgement: Judgement,
}

/// An action that is enabled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EnabledAction {
    /// Its number, from 1.
    pub number: usize,
    /// As traces write it, unlike every other action enabled in the same state.
    pub label: String,
    /// The process that acts.
    #[serde(serialize_with = "serialize::process")]
    pub process: Option<usize>,
    /// Where it is declared.
    pub location: Option<Location>,
}

/// One choice of processes for a transition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The transition with its processes.
    pub call: Call,
    /// Whether it is enabled, and why not.
    pub explanation: Explanation,
}

/// An expression with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Watch {
    /// The formula or term, as the user wrote it.
    pub expression: String,
    /// Its value where the session is.
    pub value: Value,
}

/// A watched expression whose value has changed since it was reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WatchChange {
    /// The formula or term, as the user wrote it.
    pub expression: String,
    /// Its value where the session is.
    pub value: Value,
    /// The value that was reported last.
    pub before: Value,
}

/// Why a search did not give an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Inconclusive {
    /// The user wanted it to end.
    Interrupted,
    /// A limit ended it.
    Limit {
        /// The limit, in a sentence.
        limit: String,
    },
    /// The ranges that the user gave leave out some steps or values.
    Ranges,
    /// Something could not be evaluated on the way.
    Obstacle {
        /// Why, and what to do about it.
        reason: String,
    },
    /// In some state the goal reads what has no value.
    Undefined,
    /// The search contradicts itself.
    Contradiction {
        /// How.
        what: String,
    },
}

/// Where the run of a file differs from those of the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Divergence {
    /// No initial state looks like that of the run.
    Start,
    /// A step is not enabled.
    NotEnabled {
        /// Its number, from 1.
        step: usize,
        /// Its label.
        label: String,
    },
    /// A step leads to another state.
    OtherState {
        /// Its number, from 1.
        step: usize,
        /// Its label.
        label: String,
    },
    /// The system did not do as it was told.
    Fault {
        /// What happened.
        fault: String,
    },
}

/// What a session has taken over from the one before an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resumed {
    /// Whether the initial state of the run still exists.
    pub same_start: bool,
    /// How many steps could be followed.
    pub followed: usize,
    /// How many steps the run had.
    pub steps: usize,
    /// The label of the first step that is not enabled any more.
    pub stopped_at: Option<String>,
    /// Expressions that have no meaning any more and are no longer watched.
    pub lost_watches: Vec<String>,
    /// Breakpoints that have no meaning any more.
    pub lost_breakpoints: Vec<String>,
    /// What is wrong with the state now.
    pub judgement: Judgement,
}
