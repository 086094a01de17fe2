//! Running C programs with threads, as systems that a session can inspect.
//!
//! A step is the next operation of a thread: `T1` takes it, `T1 choice 2` where it has several outcomes. Going back means
//! to run the program again, which is a matter of microseconds for a step. Two states are the same only if the same
//! steps led to them: what is in a program's memory is not compared.

use crate::{
    Activity, Call, Excerpt, Finding, Inspect, LineColumn, Location, Matter, ProcessStatus, Reason, Refusal,
    Status, Value,
};
use explore::{Fault, FindingKind, Label, Steered, System, Turn, Valuation};
use program::{Place, Program, Schedule, Served, ThreadState, Worth, actor};
use std::{cell::RefCell, fs, rc::Rc};

/// A program to step through.
pub struct ProgramSystem<'p, 'd> {
    program: &'p Program,
    /// Questions about memory go through the process, which changes nothing that can be seen.
    served: RefCell<Served<'p, 'd>>,
    /// What is not reported.
    ignore: Vec<FindingKind>,
    /// The steps that led to where it is: for those who write runs to files.
    here: Rc<RefCell<Schedule>>,
}

/// How many lines of source are shown before and after one.
const AROUND: usize = 4;

impl<'p, 'd> ProgramSystem<'p, 'd> {
    /// A program that is being run.
    pub fn new(
        program: &'p Program,
        served: Served<'p, 'd>,
        ignore: Vec<FindingKind>,
    ) -> ProgramSystem<'p, 'd> {
        ProgramSystem { program, served: RefCell::new(served), ignore, here: Rc::default() }
    }

    /// The steps that led to where it is, at any time.
    pub fn here(&self) -> Rc<RefCell<Schedule>> {
        Rc::clone(&self.here)
    }

    fn arrive(&mut self, arrived: Result<(), Fault>) -> Result<(), Fault> {
        arrived?;
        *self.here.borrow_mut() = self.served.get_mut().schedule();
        Ok(())
    }

    /// The thread of a name.
    fn thread(&self, name: &str) -> Result<usize, Refusal> {
        let names = self.names();
        names.iter().position(|known| known == name).ok_or_else(|| Refusal::Unanswerable {
            why: format!("there is no thread `{name}` here; there are {}", names.join(", ")),
        })
    }

    fn names(&self) -> Vec<String> {
        self.served.borrow().actors()
    }

    fn states(&self) -> Vec<ThreadState> {
        self.served.borrow_mut().threads().unwrap_or_default()
    }

    /// The lines around one.
    fn excerpt(&self, place: &Place) -> Option<Excerpt> {
        let text = fs::read_to_string(self.program.recipe.path(&place.file)).ok()?;
        let line = place.line as usize;
        let first = line.saturating_sub(AROUND).max(1);
        let marked =
            |(number, text): (usize, &str)| format!("{} {text}", if number == line { '>' } else { ' ' });
        let numbered = (1..).zip(text.lines()).skip(first - 1).take(line + AROUND + 1 - first);
        Some(Excerpt { file: place.file.clone(), line: first, lines: numbered.map(marked).collect() })
    }
}

fn location_of(place: &Place) -> Location {
    let at = LineColumn { line: place.line as usize, column: place.column.max(1) as usize };
    Location { file: place.file.clone(), start: at, end: at }
}

/// A label without the line of the source.
fn without_line(label: &str) -> (&str, Option<&str>) {
    match label.split_once(" at ") {
        Some((what, rest)) => (what, rest.split_once(", ").map(|(_, outcome)| outcome)),
        None => (label, None),
    }
}

impl Steered for ProgramSystem<'_, '_> {
    type Action = Turn;
    type Identity = Vec<Turn>;

    fn initials(&mut self) -> Result<usize, Fault> {
        self.served.get_mut().initials()
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        let arrived = self.served.get_mut().start(initial);
        self.arrive(arrived)
    }

    fn enabled(&self, actions: &mut Vec<Turn>) {
        self.served.borrow().enabled(actions);
    }

    fn take(&mut self, turn: &Turn) -> Result<(), Fault> {
        let arrived = self.served.get_mut().take(turn);
        self.arrive(arrived)
    }

    fn identity(&self) -> Vec<Turn> {
        self.served.borrow().identity()
    }

    fn ended(&self) -> bool {
        self.served.borrow().ended()
    }

    fn process(&self, turn: &Turn) -> Option<usize> {
        self.served.borrow().process(turn)
    }

    fn actors(&self) -> Vec<String> {
        self.served.borrow().actors()
    }

    fn label(&self, turn: &Turn) -> Label {
        self.served.borrow().label(turn)
    }

    fn describe(&self) -> Valuation {
        self.served.borrow().describe()
    }
}

impl System for ProgramSystem<'_, '_> {
    type Checkpoint = Vec<Turn>;

    fn checkpoint(&mut self) -> Vec<Turn> {
        self.served.get_mut().checkpoint()
    }

    fn restore(&mut self, checkpoint: &Vec<Turn>) -> Result<(), Fault> {
        let arrived = self.served.get_mut().restore(checkpoint);
        self.arrive(arrived)
    }
}

impl Inspect for ProgramSystem<'_, '_> {
    fn processes(&self) -> usize {
        self.served.borrow().count()
    }

    fn call(&self, turn: &Turn) -> Call {
        let choice = Some(turn.choice.into());
        Call { name: actor(turn.thread.into()), processes: vec![], woken: None, choice, variant: None }
    }

    fn evaluate(&mut self, expression: &str) -> Result<Value, Refusal> {
        match self.served.get_mut().evaluate(expression) {
            Ok(Worth::Truth(truth)) => Ok(Value::Truth(truth)),
            Ok(Worth::Term(text)) => Ok(Value::Term(text)),
            Ok(Worth::Nothing(why)) => Ok(Value::Undefined(why)),
            Err(why) => Err(Refusal::Unanswerable { why }),
        }
    }

    fn explain(&self, call: &Call) -> Result<Vec<Reason>, Refusal> {
        let thread = self.thread(&call.name)?;
        let told = |why: String, location| vec![Reason::Told { why, location }];
        let name = &call.name;
        let Some(state) = self.states().into_iter().find(|state| state.name == *name) else {
            return Ok(told(format!("{name} was not created in this run"), None));
        };
        let location = state.place.as_ref().map(location_of);
        Ok(match (state.waits, state.next) {
            (_, None) => told(format!("{name} has ended"), None),
            (Some(waits), Some(next)) => told(format!("{}: {next}", waits.sentence), location),
            (None, Some(_)) => {
                let choice = call.choice.map_or(1, |choice| choice + 1);
                let enabled = self.served.borrow().possible();
                if enabled.iter().any(|turn| usize::from(turn.thread) == thread) {
                    vec![Reason::NoSuchChoice { choice }]
                } else {
                    told("the program has ended".to_owned(), None)
                }
            }
        })
    }

    fn status(&self) -> Status {
        let activity = |state: &ThreadState| match (&state.waits, &state.next) {
            (_, None) => Activity::Ended,
            (Some(waits), _) if waits.asleep => Activity::Asleep { on: waits.on.clone(), ahead: None },
            (Some(waits), _) => Activity::Suspended { on: waits.on.clone(), ahead: None },
            (None, _) => Activity::Active,
        };
        let process = |state: &ThreadState| ProcessStatus {
            name: Some(state.name.clone()),
            kind: None,
            activity: activity(state),
            next: state.next.clone(),
        };
        let processes = self.states().iter().map(process).collect();
        Status { processes, variables: self.describe(), resources: vec![] }
    }

    fn findings(&self) -> Vec<Finding> {
        let wrong = self.served.borrow_mut().wrong();
        let told = wrong.into_iter().filter(|wrong| !self.ignore.contains(&wrong.kind));
        let mut findings: Vec<Finding> = told
            .map(|wrong| {
                let line = |(what, place): &(String, Option<Place>)| match place {
                    Some(place) => format!("{what} at {place}"),
                    None => what.clone(),
                };
                let place = wrong.parties.iter().find_map(|(_, place)| place.as_ref());
                let location = place.map(location_of);
                let matter = Matter::Told {
                    message: wrong.message,
                    lines: wrong.parties.iter().map(line).filter(|line| !line.is_empty()).collect(),
                };
                Finding { kind: wrong.kind, name: wrong.name, violation: true, matter, location }
            })
            .collect();
        if findings.is_empty() && self.served.borrow().possible().is_empty() {
            let matter = Matter::Told { message: "the program has come to its end".into(), lines: vec![] };
            let (kind, name) = (FindingKind::Stuck, "end".to_owned());
            findings.push(Finding { kind, name, violation: false, matter, location: None });
        }
        findings
    }

    fn location(&self, turn: &Turn) -> Option<Location> {
        self.served.borrow().place(turn.thread.into()).map(|place| location_of(&place))
    }

    /// The source around the next operation of a thread, or of each of them for a name that is no thread's.
    fn text_of(&self, name: &str) -> Result<Vec<Excerpt>, Refusal> {
        let thread = self.thread(name)?;
        let place = self.served.borrow().place(thread);
        let place = place.ok_or_else(|| Refusal::Unanswerable {
            why: format!("{name} has ended, or stands where there is no source"),
        })?;
        self.excerpt(&place).map(|excerpt| vec![excerpt]).ok_or_else(|| Refusal::File {
            why: format!("cannot read `{}`, the source at {place}", place.file),
        })
    }

    /// Lines may have moved since a label was recorded, and files have schedules alone.
    fn is_meant(&self, turn: &Turn, label: &Label) -> bool {
        match label {
            Label::Call(call) => call.means(&self.call(turn)),
            Label::Text(text) => without_line(text) == without_line(&self.label(turn).to_string()),
        }
    }

    /// The traces of programs have no states.
    fn is_recorded(&self, state: &Valuation) -> bool {
        state.is_empty() || self.describe() == *state
    }

    /// Any thread that there may be.
    fn transitions(&self) -> Vec<String> {
        (0..MOST_THREADS).map(actor).collect()
    }

    fn words(&self) -> Vec<String> {
        self.served.borrow().words()
    }
}

/// The most threads of a program under test.
const MOST_THREADS: usize = 256;
