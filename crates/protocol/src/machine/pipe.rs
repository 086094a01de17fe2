//! A program behind a pipe as something that can be checked: each question is a line, and so is each answer. The lines are those of
//! [`session::drive`].

use super::{
    behaviour::Behaviour,
    implementation::{Implementation, Move},
};
use crate::meaning::{Action, Vocabulary};
use explore::Fault;
use session::{State, Verb};
use std::{
    cell::RefCell,
    io::{BufRead, Write},
};

/// A program that was generated for an implementation.
pub struct Pipe {
    made_for: Implementation,
    ends: RefCell<Ends>,
}

struct Ends {
    questions: Box<dyn Write>,
    answers: Box<dyn BufRead>,
}

impl Pipe {
    /// A program that runs, with its standard input and output.
    pub fn new(
        made_for: Implementation,
        questions: impl Write + 'static,
        answers: impl BufRead + 'static,
    ) -> Pipe {
        let ends = Ends { questions: Box::new(questions), answers: Box::new(answers) };
        Pipe { made_for, ends: RefCell::new(ends) }
    }

    fn ask(&self, question: &str) -> Result<String, Fault> {
        let failed = |error: std::io::Error| Fault::Broken(format!("the program does not answer: {error}"));
        let ends = &mut *self.ends.borrow_mut();
        writeln!(ends.questions, "{question}").and_then(|()| ends.questions.flush()).map_err(failed)?;
        let mut answer = String::new();
        ends.answers.read_line(&mut answer).map_err(failed)?;
        if answer.is_empty() {
            return Err(Fault::Broken("the program has ended".into()));
        }
        Ok(answer.trim_end().to_owned())
    }

    fn state(&self, text: &str) -> Result<State, Fault> {
        let state: State = text.parse().map_err(Fault::Broken)?;
        let first = self.made_for.initial();
        if state.control.len() != first.control.len() || state.channels.len() != first.channels.len() {
            return Err(Fault::Broken(format!("`{text}` is not a state of this protocol")));
        }
        Ok(state)
    }

    fn step(&self, number: usize, action: &Action, state: &State) -> Result<Option<Move>, Fault> {
        let receives = action.verb == Verb::Receive;
        let answer = self.ask(&format!("{} {number} {state}", if receives { "recv" } else { "send" }))?;
        if answer == "-" {
            return Ok(None);
        }
        if !receives {
            return Ok(Some(Move { action: action.clone(), to: self.state(&answer)? }));
        }
        let types = self.vocabulary().types.len();
        let parsed = answer.split_once(' ').and_then(|(kind, state)| {
            let kind = if kind == "*" { None } else { Some(kind.parse::<u32>().ok()?) };
            kind.is_none_or(|kind| (kind as usize) < types).then_some((kind, state))
        });
        let Some((message, state)) = parsed else {
            return Err(Fault::Broken(format!("`{answer}` is no answer to a receive")));
        };
        Ok(Some(Move { action: Action { message, ..action.clone() }, to: self.state(state)? }))
    }
}

impl Behaviour for Pipe {
    fn vocabulary(&self) -> &Vocabulary {
        self.made_for.vocabulary()
    }

    fn channels(&self) -> &[(u32, u32)] {
        self.made_for.channels()
    }

    fn initial(&self) -> Result<State, Fault> {
        let first = self.ask("start")?;
        self.state(&first)
    }

    fn moves(&self, state: &State) -> Result<Vec<Move>, Fault> {
        let actions = self.vocabulary().actions.iter().enumerate();
        let steps = actions.map(|(number, action)| self.step(number, action, state));
        steps.filter_map(Result::transpose).collect()
    }

    fn may_end(&self, state: &State) -> Result<bool, Fault> {
        match &*self.ask(&format!("end {state}"))? {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(Fault::Broken(format!("`{other}` is neither `yes` nor `no`"))),
        }
    }

    fn machine(&self, machine: usize) -> String {
        Behaviour::machine(&self.made_for, machine)
    }
}
