//! A session: where it is, how it got there, and what it does when it is told something.

use crate::{
    Answer, Call, Command, Found, Outcome, Subject, TOPICS, Vocabulary, Way, Why, Wrong,
    breadth::look_around,
    command::{Topic, topic},
    parse::parse,
    run::Run,
    show::{self, Record, WRONG, changes, faint, heading, padded, painted, widest},
    walk::{End, Tally, Walk},
    words::{count, did_you_mean},
};
use explore::{Rng, Step as TraceStep, Trace};
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
    transitions: Vec<String>,
}

/// More steps than this are not told one by one when they are taken.
const MOST_TOLD: usize = 20;
/// More moves than this cannot be taken back.
const MOST_UNDONE: usize = 1000;

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
        Ok(Trace { initial: run.initial, start, steps })
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
            Command::Goto(goal) => self.go_to(&goal),
            Command::Help(about) => help(about.as_deref()),
            Command::Quit => Ok(Answer { pages: vec![], outcome: Outcome::Quit }),
        }
    }
}

/// Taking steps.
impl Session<'_> {
    fn transition(&mut self, calls: &[Call]) -> Result<Answer, String> {
        let before = self.run.clone();
        for (at, call) in calls.iter().enumerate() {
            let exit = self.exit_of(call).map_err(|reason| none_taken(reason, at, calls.len()))?;
            self.run.advance(&mut *self.subject, exit, true, self.flag)?;
        }
        self.moved(before, vec![])
    }

    /// The exit that a call means: the one that is written like it, or the only one that fits.
    fn exit_of(&self, call: &Call) -> Result<usize, String> {
        let exits: Vec<_> = (0..self.subject.exits()).map(|at| self.subject.exit(at)).collect();
        let fitting: Vec<usize> = (0..exits.len()).filter(|at| call.means(&exits[*at].call)).collect();
        let same = fitting.iter().find(|at| exits[**at].label == call.to_string());
        match (same, &fitting[..]) {
            (Some(exit), _) | (None, [exit]) => Ok(*exit),
            (None, []) => match self.subject.why(call)? {
                Why::Impossible(reasons) => Err(impossible(call, &reasons)),
                Why::Possible(_) => Err(format!("`{call}` is not possible here")),
            },
            (None, several) => {
                let labels: Vec<String> =
                    several.iter().map(|at| format!("`{}`", exits[*at].label)).collect();
                Err(format!("`{call}` may be one of several; say which: {}", labels.join(", ")))
            }
        }
    }

    fn choose(&mut self, number: usize) -> Result<Answer, String> {
        let exits = self.subject.exits();
        let exit = number.checked_sub(1).filter(|at| *at < exits);
        let exit =
            exit.ok_or_else(|| format!("there are {} here; `all` lists them", count(exits, "exit")))?;
        let before = self.run.clone();
        self.run.advance(&mut *self.subject, exit, true, self.flag)?;
        self.moved(before, vec![])
    }

    fn random(&mut self, steps: usize) -> Result<Answer, String> {
        let before = self.run.clone();
        for _ in 0..steps {
            let exits = self.subject.exits();
            if exits == 0 || self.is_cancelled() {
                break;
            }
            let exit = self.rng.below(exits);
            self.run.advance(&mut *self.subject, exit, false, self.flag)?;
        }
        if self.run.len() == before.len() {
            return self.stuck();
        }
        self.moved(before, vec![])
    }

    fn is_cancelled(&self) -> bool {
        self.options.cancel.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// There is nothing to do.
    fn stuck(&self) -> Result<Answer, String> {
        let mut reasons = self.judgement();
        if reasons.is_empty() {
            reasons.push("no transition is possible here".into());
        }
        Ok(Answer::done(reasons))
    }

    fn execute(&mut self, way: Way, runs: usize, depth: usize) -> Result<Answer, String> {
        if self.subject.exits() == 0 {
            return self.stuck();
        }
        let (before, here) = (self.run.clone(), self.subject.snapshot());
        let mut tally = Tally::default();
        tally.enter(here.clone());
        let (mut taken, mut end, mut made) = (vec![], End::NoExit, 0);
        for _ in 0..runs {
            self.subject.restore(&here)?;
            let cancel = &self.options.cancel;
            let mut walk =
                Walk { subject: &mut *self.subject, rng: &mut self.rng, tally: &mut tally, cancel };
            (taken, end) = walk.run(way, depth)?;
            made += 1;
            if is_over(&end) {
                break;
            }
        }
        self.subject.restore(&here)?;
        self.follow(&taken)?;
        let report = self.report(&tally, made, taken.len(), &end)?;
        self.moved(before, report)
    }

    /// Takes exits one after the other.
    fn follow(&mut self, exits: &[usize]) -> Result<(), String> {
        let (run, subject) = (&mut self.run, &mut *self.subject);
        exits.iter().try_for_each(|exit| run.advance(subject, *exit, false, self.flag))
    }

    /// What some runs have come to. The subject stays where it is.
    fn report(&mut self, tally: &Tally, runs: usize, steps: usize, end: &End) -> Result<Vec<String>, String> {
        let here = self.subject.snapshot();
        let mut lines = vec![format!(
            "{}: {} seen, {} distinct",
            count(runs, "run"),
            count(tally.seen, "state"),
            tally.distinct()
        )];
        if let Some((state, visits)) = tally.most() {
            self.subject.restore(state)?;
            let state = show::whole(&self.subject.describe(), self.subject.processes());
            self.subject.restore(&here)?;
            lines.push(format!("seen most, {}:{state}", count(visits, "time")));
        }
        let last = match end {
            End::Wrong(_) => "stopped at something wrong",
            End::NoExit => "ended without a step to take",
            End::Length => "ended",
            End::Cancelled => "interrupted",
        };
        lines.push(format!("run {runs} {last} after {}", count(steps, "step")));
        Ok(lines)
    }

    fn breadth(&mut self, depth: usize) -> Result<Answer, String> {
        let (before, here) = (self.run.clone(), self.subject.snapshot());
        let around = look_around(&mut *self.subject, depth, self.options.most_states, &self.options.cancel)?;
        self.subject.restore(&here)?;
        let seen = format!("{} seen, {} distinct", count(around.seen, "state"), around.distinct);
        let within = format!("within {}", count(depth, "step"));
        match around.wrong {
            Some(exits) => {
                self.follow(&exits)?;
                self.moved(
                    before,
                    vec![format!("{seen}; the nearest wrong one is {} away", count(exits.len(), "step"))],
                )
            }
            None if around.complete => {
                Ok(Answer::done([format!("{seen}: all that can be reached {within}; none is wrong")]))
            }
            None => Ok(Answer::unknown(&format!(
                "not all states {within} were visited; {seen}, and none is wrong"
            ))),
        }
    }

    fn go_to(&mut self, goal: &str) -> Result<Answer, String> {
        let before = self.run.clone();
        match self.subject.find(goal)? {
            Found::Path(exits, _) if exits.is_empty() => {
                Ok(Answer::done(["this is such a state already".to_owned()]))
            }
            Found::Path(exits, states) => {
                self.follow(&exits)?;
                let found = format!(
                    "found, {} away ({} visited)",
                    count(exits.len(), "step"),
                    count(states, "state")
                );
                self.moved(before, vec![found])
            }
            Found::Nowhere(why) => Ok(Answer::done([why])),
            Found::Unknown(why) => Ok(Answer::unknown(&why)),
        }
    }
}

fn is_over(end: &End) -> bool {
    match end {
        End::Wrong(wrong) => wrong.iter().any(|wrong| wrong.violation),
        End::Cancelled => true,
        End::NoExit | End::Length => false,
    }
}

/// All or nothing: which of several transitions could not be taken.
fn none_taken(reason: String, at: usize, all: usize) -> String {
    if all == 1 {
        reason
    } else {
        format!("nothing was done, because of transition {} of {all}: {reason}", at + 1)
    }
}

fn impossible(call: &Call, reasons: &[String]) -> String {
    let reasons: Vec<String> = reasons.iter().map(|reason| format!("  {reason}")).collect();
    format!("`{call}` is not possible here:\n{}", reasons.join("\n"))
}

/// Going elsewhere in the run, and to other runs.
impl Session<'_> {
    /// Notes a move, and tells about it: what was reported, the steps, what is wrong now, what is watched.
    fn moved(&mut self, before: Run, mut lines: Vec<String>) -> Result<Answer, String> {
        let from = before.len();
        self.remember(before);
        let new = self.run.len() - from;
        let first = if new > MOST_TOLD { self.run.len() - MOST_TOLD / 2 } else { from };
        if first > from {
            lines.push(faint(&format!(
                "{} more before these; `trace` shows all",
                count(first - from, "step")
            )));
        }
        let records = self.records(first, self.run.len())?;
        lines.extend(show::steps(&records[1..]));
        lines.extend(self.arrival());
        Ok(Answer::done(lines))
    }

    fn remember(&mut self, before: Run) {
        self.done.push(before);
        self.undone.clear();
        if self.done.len() > MOST_UNDONE {
            self.done.remove(0);
        }
    }

    /// Where the session is after a jump.
    fn jumped(&mut self, before: Run) -> Answer {
        self.remember(before);
        self.arrived()
    }

    fn arrived(&mut self) -> Answer {
        let place = self.place();
        let arrival = self.arrival();
        Answer::done(std::iter::once(place).chain(arrival))
    }

    fn place(&self) -> String {
        match self.run.steps.last() {
            None => self.beginning(),
            Some(step) => format!("at step {}, after {}", self.run.len(), step.label),
        }
    }

    fn beginning(&self) -> String {
        let (number, all) = (self.run.initial + 1, self.subject.initials());
        let which = if all == 1 { String::new() } else { format!(", initial state {number} of {all}") };
        format!("at the start{which}")
    }

    fn reset(&mut self, initial: Option<usize>) -> Result<Answer, String> {
        let all = self.subject.initials();
        let initial = match initial {
            None => self.run.initial,
            Some(number) if (1..=all).contains(&number) => number - 1,
            Some(_) if all == 1 => return Err("there is only one initial state".into()),
            Some(_) => return Err(format!("there are {}", count(all, "initial state"))),
        };
        let before = std::mem::replace(&mut self.run, Run::begin(&mut *self.subject, initial)?);
        Ok(self.jumped(before))
    }

    fn backtrack(&mut self, step: usize) -> Result<Answer, String> {
        self.check_step(step)?;
        let before = self.run.clone();
        self.run.steps.truncate(step);
        self.run.visit(&mut *self.subject, step)?;
        Ok(self.jumped(before))
    }

    fn check_step(&self, step: usize) -> Result<(), String> {
        if step <= self.run.len() {
            return Ok(());
        }
        Err(format!("the run has {}; there is no step {step}", count(self.run.len(), "step")))
    }

    fn undo(&mut self, moves: usize) -> Result<Answer, String> {
        let wanted = check_moves(moves, self.done.len(), "taken back")?;
        for run in self.done.drain(self.done.len() - wanted..).rev() {
            self.undone.push(std::mem::replace(&mut self.run, run));
        }
        self.run.visit(&mut *self.subject, self.run.len())?;
        Ok(self.arrived())
    }

    fn redo(&mut self, moves: usize) -> Result<Answer, String> {
        let wanted = check_moves(moves, self.undone.len(), "made again")?;
        for run in self.undone.drain(self.undone.len() - wanted..).rev() {
            self.done.push(std::mem::replace(&mut self.run, run));
        }
        self.run.visit(&mut *self.subject, self.run.len())?;
        Ok(self.arrived())
    }

    fn save(&mut self, file: &str) -> Result<Answer, String> {
        let trace = self.trace()?;
        let wrong = self.subject.wrong();
        self.store.save(file, &trace, wrong.iter().find(|wrong| wrong.violation))?;
        Ok(Answer::done([format!("{} written to `{file}`", count(trace.steps.len(), "step"))]))
    }

    fn load(&mut self, file: &str) -> Result<Answer, String> {
        let (trace, remarks) = self.store.load(file)?;
        let before = self.run.clone();
        match self.resolve(&trace) {
            Ok(run) => self.run = run,
            // The file is a trace, and its run is not there: that is nobody's mistake.
            Err(reason) => {
                self.run.visit(&mut *self.subject, self.run.len())?;
                let told = format!("the run of `{file}` cannot be followed: {reason}");
                let lines: Vec<String> = std::iter::once(told).chain(remarks).collect();
                return Ok(Answer::unknown(&lines.join("\n")));
            }
        }
        self.remember(before);
        let told = format!("{} from `{file}`", count(trace.steps.len(), "step"));
        let arrived = self.arrived();
        let lines = remarks.into_iter().chain([told]).chain(arrived.pages);
        Ok(Answer::done(lines))
    }

    /// Follows a run in words. Initial states are recognised by what they look like, and several may look alike.
    fn resolve(&mut self, trace: &Trace) -> Result<Run, String> {
        let all = self.subject.initials();
        let guess = Some(trace.initial).filter(|guess| *guess < all);
        let mut failure = "there is no such initial state".to_owned();
        for initial in guess.into_iter().chain(0..all) {
            self.subject.start(initial)?;
            if self.subject.describe() == trace.start {
                match self.resolve_from(trace, initial) {
                    Ok(run) => return Ok(run),
                    Err(reason) => failure = reason,
                }
            }
        }
        Err(failure)
    }

    fn resolve_from(&mut self, trace: &Trace, initial: usize) -> Result<Run, String> {
        let mut run = Run::begin(&mut *self.subject, initial)?;
        for (number, step) in (1..).zip(&trace.steps) {
            let exits = 0..self.subject.exits();
            let exit = exits.into_iter().find(|at| self.subject.exit(*at).label == step.label);
            let exit = exit.ok_or_else(|| format!("step {number}, {}, is not possible there", step.label))?;
            run.advance(&mut *self.subject, exit, false, self.flag)?;
            if self.subject.describe() != step.state {
                return Err(format!("step {number}, {}, leads to another state", step.label));
            }
        }
        Ok(run)
    }
}

fn check_moves(wanted: usize, there: usize, what: &str) -> Result<usize, String> {
    match there {
        0 => Err(format!("there is no move that could be {what}")),
        _ if wanted == 0 || wanted > there => Err(format!("{} can be {what}", count(there, "move"))),
        _ => Ok(wanted),
    }
}

/// Looking.
impl Session<'_> {
    /// What is wrong here, and what cannot be told.
    fn judgement(&self) -> Vec<String> {
        let sentence = |wrong: &Wrong| match wrong.violation {
            true => painted(&wrong.sentence, WRONG),
            false => wrong.sentence.clone(),
        };
        let wrong = self.subject.wrong();
        wrong.iter().map(sentence).chain(self.subject.trouble()).collect()
    }

    /// What there is to say after every move. Values that are told are not told again until they change.
    fn arrival(&mut self) -> Vec<String> {
        let mut lines = self.judgement();
        for (expression, known) in &mut self.watches {
            let value = self.subject.evaluate(expression).unwrap_or_else(|reason| format!("? ({reason})"));
            if value != *known {
                lines.push(format!("watch: {expression} is {value} {}", faint(&format!("(was {known})"))));
                *known = value;
            }
        }
        lines
    }

    fn all(&self) -> Answer {
        let exits = self.subject.exits();
        if exits == 0 {
            let reasons = self.judgement();
            let nothing = reasons.is_empty().then(|| "no transition is possible here".to_owned());
            return Answer::done(reasons.into_iter().chain(nothing));
        }
        let width = exits.to_string().len();
        let line = |at: usize| {
            let number = (at + 1).to_string();
            format!("{}{number}  {}", " ".repeat(width - number.len()), self.subject.exit(at).label)
        };
        Answer::done((0..exits).map(line))
    }

    fn wrong(&self) -> Answer {
        let told = self.judgement();
        if told.is_empty() { Answer::done(["nothing is wrong here".to_owned()]) } else { Answer::done(told) }
    }

    fn why(&self, call: &Call) -> Result<Answer, String> {
        Ok(match self.subject.why(call)? {
            Why::Possible(labels) if labels.len() == 1 => {
                Answer::done([format!("`{}` is possible here", labels[0])])
            }
            Why::Possible(labels) => Answer::done(
                std::iter::once(format!("`{call}` is possible here, in several ways:"))
                    .chain(labels.iter().map(|label| format!("  {label}"))),
            ),
            Why::Impossible(reasons) => Answer::done([impossible(call, &reasons)]),
        })
    }

    fn status(&mut self) -> Result<Answer, String> {
        let lines = self.status_at(self.run.len())?;
        Ok(Answer::done(lines.into_iter().chain(self.judgement())))
    }

    /// The state after a step, beside that before it. The subject is there afterwards.
    fn status_at(&mut self, step: usize) -> Result<Vec<String>, String> {
        let before = match step {
            0 => None,
            _ => {
                self.run.visit(&mut *self.subject, step - 1)?;
                Some(self.subject.status())
            }
        };
        self.run.visit(&mut *self.subject, step)?;
        let title = match step {
            0 => self.beginning(),
            _ => format!("step {step}, after {}", self.run.steps[step - 1].label),
        };
        let exits = format!("{title}: {}", count(self.subject.exits(), "exit"));
        Ok(std::iter::once(exits).chain(show::status(&self.subject.status(), before.as_ref())).collect())
    }

    fn show_trace(&mut self) -> Result<Answer, String> {
        let records = self.records(0, self.run.len())?;
        let title =
            format!("{} from {}", count(self.run.len(), "step"), self.beginning().trim_start_matches("at "));
        Ok(Answer::done(std::iter::once(title).chain(show::table(&records)).chain(self.judgement())))
    }

    /// The steps from one to another, each with what it changed; the first is where they begin. The subject stands at
    /// the end of the run afterwards.
    fn records(&mut self, from: usize, to: usize) -> Result<Vec<Record>, String> {
        let (run, subject) = (&self.run, &mut *self.subject);
        run.visit(subject, from)?;
        let processes = subject.processes();
        let mut before = subject.describe();
        let mut records = vec![Record {
            number: from,
            label: None,
            exits: (0, subject.exits()),
            by_hand: false,
            remembered: run.remembers(from),
            changes: changes(&before, None, processes),
        }];
        for number in from + 1..=to {
            let step = &run.steps[number - 1];
            subject.take(step.exit)?;
            let state = subject.describe();
            records.push(Record {
                number,
                label: Some(step.label.clone()),
                exits: (step.before, step.after),
                by_hand: step.by_hand,
                remembered: run.remembers(number),
                changes: changes(&state, Some(&before), processes),
            });
            before = state;
        }
        run.visit(subject, run.len())?;
        Ok(records)
    }

    fn set_flag(&mut self, every: Option<usize>) -> Result<Answer, String> {
        match every {
            Some(0) => return Err("it is a number from 1".into()),
            Some(every) => self.flag = every,
            None => {}
        }
        let which = if self.flag == 1 { "every state".into() } else { format!("one state in {}", self.flag) };
        Ok(Answer::done([format!("{which} is remembered")]))
    }

    fn replay(&mut self) -> Result<Answer, String> {
        let remembered: Vec<usize> = (0..=self.run.len()).filter(|step| self.run.remembers(*step)).collect();
        self.pages(&remembered)
    }

    fn rerun(&mut self, from: usize, to: usize) -> Result<Answer, String> {
        self.check_step(to)?;
        self.pages(&(from..=to).collect::<Vec<_>>())
    }

    /// A page for each of some states. The subject stands at the end of the run afterwards.
    fn pages(&mut self, steps: &[usize]) -> Result<Answer, String> {
        let page = |step: &usize| {
            let mut lines = self.status_at(*step)?;
            lines.extend(self.judgement());
            Ok(lines.join("\n"))
        };
        let pages = steps.iter().map(page).collect::<Result<Vec<String>, String>>()?;
        self.run.visit(&mut *self.subject, self.run.len())?;
        Ok(Answer { pages, outcome: Outcome::Done })
    }

    fn watch(&mut self, expression: Option<String>) -> Result<Answer, String> {
        if let Some(expression) = expression {
            let value = self.subject.evaluate(&expression)?;
            let told = format!("watch: {expression} is {value}");
            self.watches.retain(|(known, _)| *known != expression);
            self.watches.push((expression, value));
            return Ok(Answer::done([told]));
        }
        if self.watches.is_empty() {
            return Ok(Answer::done(["nothing is watched".to_owned()]));
        }
        let lines = self.watches.iter().enumerate();
        Ok(Answer::done(
            lines.map(|(at, (expression, value))| format!("{}  {expression} is {value}", at + 1)),
        ))
    }

    fn unwatch(&mut self, number: Option<usize>) -> Result<Answer, String> {
        let all = self.watches.len();
        let gone: Vec<(String, String)> = match number {
            None => std::mem::take(&mut self.watches),
            Some(number) if (1..=all).contains(&number) => vec![self.watches.remove(number - 1)],
            Some(_) => {
                return Err(format!(
                    "{} watched",
                    if all == 1 { "1 expression is".into() } else { format!("{all} expressions are") }
                ));
            }
        };
        let names: Vec<String> = gone.iter().map(|(expression, _)| format!("`{expression}`")).collect();
        let told = if names.is_empty() {
            "nothing was watched".into()
        } else {
            format!("no longer watched: {}", names.join(", "))
        };
        Ok(Answer::done([told]))
    }
}

/// All commands, or one.
fn help(about: Option<&str>) -> Result<Answer, String> {
    let Some(name) = about else { return Ok(Answer::done(list_of_commands())) };
    let Some(topic) = topic(name) else {
        let names = TOPICS.iter().map(|topic| topic.name);
        return Err(format!("there is no command `{name}`{}", did_you_mean(name, names)));
    };
    let mut lines =
        vec![heading(usage(topic).trim_end()), topic.summary.to_owned(), topic.details.to_owned()];
    if !topic.aliases.is_empty() {
        lines.push(format!("also written: {}", topic.aliases.join(", ")));
    }
    Ok(Answer::done(lines))
}

fn list_of_commands() -> Vec<String> {
    let width = widest(TOPICS.iter().map(usage));
    let line = |topic: &Topic| format!("{}  {}", heading(&padded(&usage(topic), width)), topic.summary);
    let more = "`help COMMAND` tells more about one; most have a short name.".to_owned();
    TOPICS.iter().map(line).chain([more]).collect()
}

fn usage(topic: &Topic) -> String {
    format!("{} {}", topic.name, topic.arguments).trim_end().to_owned()
}
