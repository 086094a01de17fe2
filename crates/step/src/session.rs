//! A session: where it is, how it got there, and how it executes commands.

mod breakpoints;
mod kept;
mod looking;
mod moves;
mod questions;
mod steps;
mod watches;

use crate::{
    Answer, Arrival, Command, Finding, Inspect, Refusal, Vocabulary, Watch,
    command::{TOPICS, topic},
    cursor::Cursor,
    parse::parse,
    run::{Recording, Run},
    suggest::suggestion,
};
use explore::{Fault, Rng, Step as TraceStep, Trace};
pub use kept::Kept;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Where runs are kept: the session itself knows nothing of files.
pub trait Store {
    /// Writes a run, with the first violation of its last state; a sentence says why it cannot.
    fn save(&self, file: &str, trace: &Trace, violation: Option<&Finding>) -> Result<(), String>;

    /// Reads a run, and remarks about it; a sentence says why it cannot.
    fn load(&self, file: &str) -> Result<(Trace, Vec<String>), String>;
}

/// What a session may spend, and what its random choices depend on.
#[derive(Debug, Clone)]
pub struct Options {
    /// The seed of all random choices.
    pub seed: u64,
    /// The session's own searches visit at most this many states.
    pub most_states: usize,
    /// Long commands end soon after this is set.
    pub cancel: Arc<AtomicBool>,
}

/// A run of a system that the user extends, takes back and asks about by commands.
pub struct Session<'s, S: Inspect> {
    /// Stands at the end of the run between commands.
    cursor: Cursor<S>,
    store: Box<dyn Store + 's>,
    options: Options,
    rng: Rng,
    run: Run<S>,
    initials: usize,
    /// The runs before each move, the last one last.
    done: Vec<Run<S>>,
    /// The runs that `redo` brings back, the next one last.
    undone: Vec<Run<S>>,
    /// States are remembered whose number this divides.
    interval: usize,
    /// Watched expressions with the values that were reported last.
    watches: Vec<Watch>,
    /// Formulas at which `continue` stops.
    breakpoints: Vec<String>,
    transitions: Vec<String>,
}

impl<'s, S: Inspect> Session<'s, S> {
    /// A session that begins at the first initial state.
    pub fn new(mut system: S, store: Box<dyn Store + 's>, options: Options) -> Result<Self, Fault> {
        let (initials, transitions) = (system.initials()?, system.transitions());
        let mut cursor = Cursor::new(system);
        let run = Run::begin(&mut cursor, 0)?;
        Ok(Session {
            rng: Rng::new(options.seed),
            cursor,
            store,
            options,
            run,
            initials,
            done: vec![],
            undone: vec![],
            interval: 1,
            watches: vec![],
            breakpoints: vec![],
            transitions,
        })
    }

    /// The number of steps of the run.
    pub fn step(&self) -> usize {
        self.run.len()
    }

    /// The number of initial states.
    pub fn initials(&self) -> usize {
        self.initials
    }

    /// Whether the state violates something.
    pub fn is_violated(&self) -> bool {
        self.cursor.is_violated()
    }

    /// The words that can be used here.
    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary {
            enabled: self.cursor.labels(),
            transitions: self.transitions.clone(),
            words: self.cursor.system().words(),
        }
    }

    /// Where the session is.
    pub fn here(&self) -> Arrival {
        Arrival { position: self.position(), judgement: self.judgement(), watches: vec![] }
    }

    /// The run so far.
    pub fn trace(&mut self) -> Result<Trace, Fault> {
        let (run, cursor) = (&self.run, &mut self.cursor);
        run.visit(cursor, 0)?;
        let start = cursor.system().describe();
        let mut steps = Vec::with_capacity(run.len());
        for step in &run.steps {
            cursor.take(&step.action)?;
            let (label, process) = (step.label.clone(), step.process);
            steps.push(TraceStep { label, process, state: cursor.system().describe() });
        }
        Ok(Trace { initial: run.initial, actors: cursor.system().actors(), start, steps, back: None })
    }

    /// Reads a line; none if there is no command in it.
    pub fn read(&self, line: &str) -> Result<Option<Command>, Refusal> {
        parse(line, &self.transitions)
    }

    /// Executes a command. If it is refused, nothing has changed.
    pub fn execute(&mut self, command: Command) -> Answer {
        let before = self.run.clone();
        let refusal = match self.try_execute(command) {
            Ok(answer) => return answer,
            Err(refusal) => refusal,
        };
        self.run = before;
        let back = self.run.visit(&mut self.cursor, self.run.len());
        Answer::Refused {
            refusal: match back {
                Ok(()) => refusal,
                Err(fault) => Refusal::Lost { cause: Box::new(refusal), fault: fault.to_string() },
            },
        }
    }

    fn try_execute(&mut self, command: Command) -> Result<Answer, Refusal> {
        match command {
            Command::Transition(calls) => self.transition(&calls),
            Command::Choose(number) => self.choose(number),
            Command::All => Ok(self.all()),
            Command::Random(steps) => self.random(steps),
            Command::Execute(way, runs, depth) => self.walk(way, runs, depth),
            Command::Breadth(depth) => self.breadth(depth),
            Command::Status => self.status(),
            Command::Unsafe => Ok(Answer::Judged(self.judgement())),
            Command::Reset(initial) => self.reset(initial),
            Command::Trace => self.show_run(),
            Command::Why(call) => self.why(call),
            Command::Flag(every) => self.set_interval(every),
            Command::Replay => self.replay(),
            Command::Rerun(from, to) => self.rerun(from, to),
            Command::Backtrack(step) => self.backtrack(step),
            Command::Undo(moves) => self.undo(moves),
            Command::Redo(moves) => self.redo(moves),
            Command::Save(file) => self.save(file),
            Command::Load(file) => self.load(file),
            Command::Watch(expression) => self.watch(expression),
            Command::Unwatch(number) => self.unwatch(number),
            Command::Print(expression) => self.print(expression),
            Command::Break(formula) => self.set_breakpoint(formula),
            Command::Unbreak(number) => self.remove_breakpoint(number),
            Command::Continue(steps) => self.go_on(steps),
            Command::List(name) => self.list(name.as_deref()),
            Command::Reload => Ok(Answer::Reload),
            Command::Goto(goal) => self.go_to(&goal),
            Command::Help(about) => help(about.as_deref()),
            Command::Quit => Ok(Answer::Quit),
        }
    }

    /// Takes an action at the end of the run.
    fn advance(&mut self, action: &S::Action, by_hand: bool) -> Result<(), Fault> {
        let recording = self.recording(by_hand);
        self.run.advance(&mut self.cursor, action, recording)
    }

    fn recording(&self, by_hand: bool) -> Recording {
        Recording { by_hand, interval: self.interval }
    }

    fn is_cancelled(&self) -> bool {
        self.options.cancel.load(Ordering::Relaxed)
    }
}

/// All commands, or one.
fn help(about: Option<&str>) -> Result<Answer, Refusal> {
    let Some(name) = about else { return Ok(Answer::Commands { commands: TOPICS }) };
    topic(name).map(Answer::Command).ok_or_else(|| {
        let suggestion = suggestion(name, TOPICS.iter().map(|topic| topic.name));
        Refusal::UnknownTopic { name: name.to_owned(), suggestion }
    })
}
