//! A session: where it is, how it got there, and what it does when it is told something.

mod breaks;
mod help;
mod kept;
mod looking;
mod moves;
mod steps;

use crate::{Answer, Command, Outcome, Subject, Vocabulary, Wrong, parse::parse, run::Run};
use explore::{Rng, Step as TraceStep, Trace};
use help::help;
pub use kept::Kept;
use std::sync::{Arc, atomic::AtomicBool};

/// Reads and writes runs.
pub trait Store {
    /// Writes a run, with the first violation of its last state.
    fn save(&self, file: &str, trace: &Trace, wrong: Option<&Wrong>) -> Result<(), String>;

    /// Reads a run, and what there is to say about it.
    fn load(&self, file: &str) -> Result<(Trace, Vec<String>), String>;
}

/// How a session is held.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where chance begins.
    pub seed: u64,
    /// More states than this are not visited by `execute_bfs`.
    pub most_states: usize,
    /// Set by anyone who wants a long command to end.
    pub cancel: Arc<AtomicBool>,
}

/// A session about a subject.
pub struct Session<'s> {
    subject: Box<dyn Subject + 's>,
    store: Box<dyn Store + 's>,
    options: Options,
    rng: Rng,
    /// The subject stands at the end of this run between commands.
    run: Run,
    undone: Vec<Run>,
    done: Vec<Run>,
    /// Every so manyth state is remembered.
    flag: usize,
    /// Expressions with the values that were told last.
    watches: Vec<(String, String)>,
    /// Formulas at which `continue` stops.
    breaks: Vec<String>,
    transitions: Vec<String>,
}

impl<'s> Session<'s> {
    /// A session that begins at the first initial state.
    pub fn new(
        mut subject: Box<dyn Subject + 's>,
        store: Box<dyn Store + 's>,
        options: Options,
    ) -> Result<Session<'s>, String> {
        let run = Run::begin(&mut *subject, 0)?;
        let transitions = subject.vocabulary().transitions;
        Ok(Session {
            rng: Rng::new(options.seed),
            subject,
            store,
            options,
            run,
            undone: vec![],
            done: vec![],
            flag: 1,
            watches: vec![],
            breaks: vec![],
            transitions,
        })
    }

    /// How many steps the run has.
    pub fn step(&self) -> usize {
        self.run.len()
    }

    /// Whether something is wrong with the state.
    pub fn is_violated(&self) -> bool {
        self.subject.wrong().iter().any(|wrong| wrong.violation)
    }

    /// The words that can be used here.
    pub fn vocabulary(&self) -> Vocabulary {
        self.subject.vocabulary()
    }

    /// Where the session is, in a few lines.
    pub fn greeting(&self) -> Vec<String> {
        let lines = [self.beginning()];
        lines.into_iter().chain(self.judgement()).collect()
    }

    /// The run so far.
    pub fn trace(&mut self) -> Result<Trace, String> {
        let (run, subject) = (&self.run, &mut *self.subject);
        run.visit(subject, 0)?;
        let start = subject.describe();
        let mut steps = Vec::with_capacity(run.len());
        for step in &run.steps {
            subject.take(step.exit)?;
            let (label, process) = (step.label.clone(), step.process);
            steps.push(TraceStep { label, process, state: subject.describe() });
        }
        Ok(Trace { initial: run.initial, actors: subject.actors(), start, steps })
    }

    /// Reads a line; none if it says nothing.
    pub fn read(&self, line: &str) -> Result<Option<Command>, Answer> {
        parse(line, &self.transitions).map_err(|reason| Answer::refused(&reason))
    }

    /// Does what a command says.
    pub fn answer(&mut self, command: Command) -> Answer {
        let before = self.run.clone();
        self.obey(command).unwrap_or_else(|reason| {
            // Nothing has changed if it could not be done.
            self.run = before;
            match self.run.visit(&mut *self.subject, self.run.len()) {
                Ok(()) => Answer::refused(&reason),
                Err(worse) => Answer::refused(&format!("{reason}; {worse}")),
            }
        })
    }

    fn obey(&mut self, command: Command) -> Result<Answer, String> {
        match command {
            Command::Transition(calls) => self.transition(&calls),
            Command::Choose(number) => self.choose(number),
            Command::All => Ok(self.all()),
            Command::Random(steps) => self.random(steps),
            Command::Execute(way, runs, depth) => self.execute(way, runs, depth),
            Command::Breadth(depth) => self.breadth(depth),
            Command::Status => self.status(),
            Command::Unsafe => Ok(self.wrong()),
            Command::Reset(initial) => self.reset(initial),
            Command::Trace => self.show_trace(),
            Command::Why(call) => self.why(&call),
            Command::Flag(every) => self.set_flag(every),
            Command::Replay => self.replay(),
            Command::Rerun(from, to) => self.rerun(from, to),
            Command::Backtrack(step) => self.backtrack(step),
            Command::Undo(moves) => self.undo(moves),
            Command::Redo(moves) => self.redo(moves),
            Command::Save(file) => self.save(&file),
            Command::Load(file) => self.load(&file),
            Command::Watch(expression) => self.watch(expression),
            Command::Unwatch(number) => self.unwatch(number),
            Command::Print(expression) => self.print(&expression),
            Command::Break(formula) => self.set_break(formula),
            Command::Unbreak(number) => self.unbreak(number),
            Command::Continue(steps) => self.go_on(steps),
            Command::List(name) => self.list(name.as_deref()),
            Command::Reload => Ok(Answer { pages: vec![], outcome: Outcome::Reload }),
            Command::Goto(goal) => self.go_to(&goal),
            Command::Help(about) => help(about.as_deref()),
            Command::Quit => Ok(Answer { pages: vec![], outcome: Outcome::Quit }),
        }
    }
}
