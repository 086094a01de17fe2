//! Looking: at the state, at the run, at what is watched.

use super::{Session, steps::impossible};
use crate::{
    Answer, Call, Outcome, Why, Wrong,
    show::{self, Record, WRONG, changes, faint, painted},
    words::count,
};

impl Session<'_> {
    /// What is wrong here, and what cannot be told.
    pub(super) fn judgement(&self) -> Vec<String> {
        let sentence = |wrong: &Wrong| {
            if wrong.violation { painted(&wrong.sentence, WRONG) } else { wrong.sentence.clone() }
        };
        let wrong = self.subject.wrong();
        wrong.iter().map(sentence).chain(self.subject.trouble()).collect()
    }

    /// What there is to say after every move. Values that are told are not told again until they change.
    pub(super) fn arrival(&mut self) -> Vec<String> {
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

    pub(super) fn all(&self) -> Answer {
        let exits = self.subject.exits();
        if exits == 0 {
            return self.stuck();
        }
        let width = exits.to_string().len();
        let line = |at: usize| {
            let number = (at + 1).to_string();
            format!("{}{number}  {}", " ".repeat(width - number.len()), self.subject.exit(at).label)
        };
        Answer::done((0..exits).map(line))
    }

    pub(super) fn wrong(&self) -> Answer {
        let told = self.judgement();
        if told.is_empty() { Answer::done(["nothing is wrong here".to_owned()]) } else { Answer::done(told) }
    }

    pub(super) fn why(&self, call: &Call) -> Result<Answer, String> {
        let choices = if call.processes.is_empty() { self.subject.choices(&call.name) } else { vec![] };
        if !choices.is_empty() {
            return self.why_each(&choices);
        }
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

    /// Why a transition is possible or not, for each choice of processes. Those that are not are summed up by their reasons.
    fn why_each(&self, choices: &[Call]) -> Result<Answer, String> {
        let (mut possible, mut refused) = (vec![], Vec::<(Vec<String>, Vec<String>)>::new());
        for call in choices {
            match self.subject.why(call)? {
                Why::Possible(labels) => possible.extend(labels),
                Why::Impossible(reasons) => match refused.iter_mut().find(|(known, _)| *known == reasons) {
                    Some((_, calls)) => calls.push(call.to_string()),
                    None => refused.push((reasons, vec![call.to_string()])),
                },
            }
        }
        let impossible: usize = refused.iter().map(|(_, calls)| calls.len()).sum();
        let title =
            format!("possible for {} of {}", choices.len() - impossible, count(choices.len(), "choice"));
        let possible = possible.iter().map(|label| format!("  {label}: possible"));
        let refused =
            refused.iter().map(|(reasons, calls)| format!("  {}: {}", calls.join(", "), reasons.join("; ")));
        Ok(Answer::done(std::iter::once(title).chain(possible).chain(refused)))
    }

    pub(super) fn print(&mut self, expression: &str) -> Result<Answer, String> {
        Ok(Answer::done([self.subject.evaluate(expression)?]))
    }

    /// The text of an item, or of the step that led here.
    pub(super) fn list(&self, name: Option<&str>) -> Result<Answer, String> {
        let last = self.run.steps.last().map(|step| step.label.split(['(', ' ']).next().unwrap_or_default());
        let name = name.or(last).ok_or("no step was taken yet; say what: `list NAME`")?;
        let name = name.split('(').next().unwrap_or(name).trim();
        Ok(Answer::done(self.subject.text_of(name)?))
    }

    pub(super) fn status(&mut self) -> Result<Answer, String> {
        let lines = self.status_at(self.run.len())?;
        Ok(Answer::done(lines.into_iter().chain(self.judgement())))
    }

    /// The state after a step, beside that before it. The subject is there afterwards.
    fn status_at(&mut self, step: usize) -> Result<Vec<String>, String> {
        let before = if step == 0 {
            None
        } else {
            self.run.visit(&mut *self.subject, step - 1)?;
            Some(self.subject.status())
        };
        self.run.visit(&mut *self.subject, step)?;
        let title = match step {
            0 => self.beginning(),
            _ => format!("step {step}, after {}", self.run.steps[step - 1].label),
        };
        let exits = format!("{title}: {}", count(self.subject.exits(), "exit"));
        Ok(std::iter::once(exits).chain(show::status(&self.subject.status(), before.as_ref())).collect())
    }

    pub(super) fn show_trace(&mut self) -> Result<Answer, String> {
        let records = self.records(0, self.run.len())?;
        let title =
            format!("{} from {}", count(self.run.len(), "step"), self.beginning().trim_start_matches("at "));
        Ok(Answer::done(std::iter::once(title).chain(show::table(&records)).chain(self.judgement())))
    }

    /// The steps from one to another, each with what it changed; the first is where they begin. The subject stands at
    /// the end of the run afterwards.
    pub(super) fn records(&mut self, from: usize, to: usize) -> Result<Vec<Record>, String> {
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

    pub(super) fn set_flag(&mut self, every: Option<usize>) -> Result<Answer, String> {
        match every {
            Some(0) => return Err("it is a number from 1".into()),
            Some(every) => self.flag = every,
            None => {}
        }
        let which = if self.flag == 1 { "every state".into() } else { format!("one state in {}", self.flag) };
        Ok(Answer::done([format!("{which} is remembered")]))
    }

    pub(super) fn replay(&mut self) -> Result<Answer, String> {
        let remembered: Vec<usize> = (0..=self.run.len()).filter(|step| self.run.remembers(*step)).collect();
        self.pages(&remembered)
    }

    pub(super) fn rerun(&mut self, from: usize, to: usize) -> Result<Answer, String> {
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

    pub(super) fn watch(&mut self, expression: Option<String>) -> Result<Answer, String> {
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

    pub(super) fn unwatch(&mut self, number: Option<usize>) -> Result<Answer, String> {
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
