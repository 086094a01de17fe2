//! Watching the program from inside: what its threads do is compared with a protocol as it happens.

mod channels;
#[cfg(feature = "tracing")]
mod events;

pub use channels::{WatchedError, WatchedReceiver, WatchedSender};
#[cfg(feature = "tracing")]
pub use events::WatchLayer;

use crate::{Action, Implementation, Monitor, Observed, Property, Style, specification};
use source::{Source, render};
use std::{
    fmt,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

/// What a watched program did wrong, with all that it did before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alarm {
    /// The protocol does not allow this. The watch goes on as if it had not happened.
    Deviation(String),
    /// A property is violated, however the program goes on. The protocol allows the action, and the watch counts it as done.
    Violation(String),
    /// This is no action of the protocol: there is no such role or message type.
    NoAction(String),
}

impl fmt::Display for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Alarm::Deviation(text) | Alarm::Violation(text) | Alarm::NoAction(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for Alarm {}

/// What is watched for.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The protocol.
    pub text: String,
    /// The session; by default the last one that no other one calls.
    pub session: Option<String>,
    /// The values of its parameters, as they are written on the command line.
    pub values: Vec<String>,
    /// Strict: exactly the protocol. Liberal: also what roles do that need not wait for each other.
    pub style: Style,
    /// Temporal properties.
    pub properties: Vec<String>,
}

impl Watched {
    /// A protocol without parameters and properties; roles need not wait for each other.
    pub fn new(text: &str) -> Watched {
        Watched {
            text: text.to_owned(),
            session: None,
            values: vec![],
            style: Style::Liberal,
            properties: vec![],
        }
    }

    fn observer(&self) -> Result<Observer, String> {
        let values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        let graph = specification(&self.text, self.session.as_deref(), &values)?;
        if self.style == Style::Spec {
            return Err("a program is compared with a strict or liberal implementation".into());
        }
        let implementation =
            Implementation::new(&graph, self.style).map_err(|_| "the implementation is too large")?;
        let parse = |formula: &String| {
            Property::parse(formula, implementation.vocabulary()).map_err(|error| {
                render(&Source::new("formula", formula.clone()), &error, source::Style::Plain)
            })
        };
        let properties = self.properties.iter().map(parse).collect::<Result<_, _>>()?;
        let monitor =
            Monitor::new(implementation.clone(), properties).map_err(|reason| reason.to_string())?;
        Ok(Observer { implementation, monitor, formulas: self.properties.clone() })
    }
}

enum Question {
    Sees(String),
    Ends,
}

type Answer = Result<(), Alarm>;

/// A program that is watched. All its threads may tell what they do: a send before it is done, a receive afterwards, so that what is told is
/// in an order in which it can have happened.
#[derive(Debug)]
pub struct Watch {
    questions: Mutex<mpsc::Sender<(Question, mpsc::Sender<Answer>)>>,
}

impl Watch {
    /// Begins to watch. The error is for people: what is wrong with the protocol or with a property.
    pub fn new(watched: Watched) -> Result<Watch, String> {
        let (questions, asked) = mpsc::channel::<(Question, mpsc::Sender<Answer>)>();
        let (ready, begun) = mpsc::channel();
        // A monitor shares parts of its states without counting atomically, so that it stays in one thread.
        thread::spawn(move || match watched.observer() {
            Ok(mut observer) => {
                let _ = ready.send(Ok(()));
                asked.into_iter().for_each(|(question, answer)| {
                    // Who asks waits for the answer, unless that thread has gone.
                    let _ = answer.send(observer.answer(&question));
                });
            }
            Err(reason) => drop(ready.send(Err(reason))),
        });
        begun.recv().unwrap_or_else(|_| Err("the monitor did not begin".into()))?;
        Ok(Watch { questions: Mutex::new(questions) })
    }

    /// The program does something: `white SEND Move TO black`.
    pub fn see(&self, words: &str) -> Result<(), Alarm> {
        self.ask(Question::Sees(words.to_owned()))
    }

    /// The program has ended: whether it was allowed to, and whether the whole run satisfies all properties.
    pub fn end(&self) -> Result<(), Alarm> {
        self.ask(Question::Ends)
    }

    fn ask(&self, question: Question) -> Answer {
        let (answer, answered) = mpsc::channel();
        let questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = questions.send((question, answer));
        drop(questions);
        let gone = || Alarm::NoAction("the monitor has gone".into());
        asked.map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}

/// A monitor, and the words for what it says.
struct Observer {
    implementation: Implementation,
    monitor: Monitor,
    formulas: Vec<String>,
}

impl Observer {
    fn answer(&mut self, question: &Question) -> Answer {
        match question {
            Question::Sees(words) => self.see(words),
            Question::Ends => self.end(),
        }
    }

    fn see(&mut self, words: &str) -> Answer {
        let action = self.implementation.vocabulary().read(words).map_err(Alarm::NoAction)?;
        match self.monitor.observe(&action) {
            Observed::Allowed(violated) => match violated.first() {
                None => Ok(()),
                Some(at) => Err(self.violation(*at, "however the program goes on")),
            },
            Observed::Deviation(allowed) => Err(self.deviation(&action, &allowed)),
        }
    }

    fn end(&self) -> Answer {
        let Some(judged) = self.monitor.end() else {
            let text = format!("the session is not over{}", self.run());
            return Err(Alarm::Deviation(text));
        };
        match judged.iter().position(|holds| !holds) {
            None => Ok(()),
            Some(at) => Err(self.violation(at, "by the whole run")),
        }
    }

    fn violation(&self, at: usize, how: &str) -> Alarm {
        Alarm::Violation(format!("`{}` is violated, {how}{}", self.formulas[at], self.run()))
    }

    fn deviation(&self, action: &Action, allowed: &[Action]) -> Alarm {
        let vocabulary = self.implementation.vocabulary();
        let allowed: Vec<String> = allowed.iter().map(|action| vocabulary.text(action)).collect();
        let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join("; ") };
        let text = vocabulary.text(action);
        Alarm::Deviation(format!(
            "the protocol does not allow `{text}`{}\n  allowed here: {allowed}",
            self.run()
        ))
    }

    /// What was seen, a line each.
    fn run(&self) -> String {
        let vocabulary = self.implementation.vocabulary();
        let steps = (1..).zip(self.monitor.trace());
        let steps: String =
            steps.map(|(at, action)| format!("\n    {at} {}", vocabulary.text(action))).collect();
        if steps.is_empty() { ", at the start".to_owned() } else { format!(", after{steps}") }
    }
}
