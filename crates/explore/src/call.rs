//! Calls of transitions: `take_left(#1)`, `notify(#2) waking #3`, `guess(#1) choice 2`.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A transition with its processes. What is not given may be anything.
///
/// Serialised it is a text, as people write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name of the transition.
    pub name: String,
    /// Its processes, from 0.
    pub processes: Vec<usize>,
    /// The process that it wakes, from 0.
    pub woken: Option<usize>,
    /// Which of several outcomes, from 0.
    pub choice: Option<usize>,
    /// Which of several transitions of the same name, from 0.
    pub variant: Option<usize>,
}

impl Call {
    /// A call of a transition whose name has one meaning and one outcome, and that wakes nobody.
    pub fn new(name: impl Into<String>, processes: Vec<usize>) -> Call {
        Call { name: name.into(), processes, woken: None, choice: Some(0), variant: Some(0) }
    }

    /// This one with nothing left open: the first of several where no number is given, as labels are written.
    #[must_use]
    pub fn closed(self) -> Call {
        Call { choice: self.choice.or(Some(0)), variant: self.variant.or(Some(0)), ..self }
    }

    /// Whether this one, with all that it leaves open, may mean another one that leaves nothing open.
    pub fn means(&self, exact: &Call) -> bool {
        self.name == exact.name
            && self.processes == exact.processes
            && (self.woken.is_none() || self.woken == exact.woken)
            && (self.choice.is_none() || self.choice == exact.choice)
            && (self.variant.is_none() || self.variant == exact.variant)
    }

    /// Whether a process takes part.
    pub fn involves(&self, process: usize) -> bool {
        self.processes.contains(&process) || self.woken == Some(process)
    }

    /// `waking #3`, `choice 2`, `variant 2`
    fn read_rest(&mut self, rest: &str) -> Option<Result<(), NotACall>> {
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            let value = words.next()?;
            match (word, process(value)) {
                ("waking", Ok(process)) => self.woken = Some(process),
                ("choice", Ok(choice)) => self.choice = Some(choice),
                ("variant", Ok(variant)) => self.variant = Some(variant),
                ("waking" | "choice" | "variant", Err(reason)) => return Some(Err(reason)),
                _ => return None,
            }
        }
        Some(Ok(()))
    }
}

/// Why a text is not a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotACall {
    /// It does not look like one.
    Text(String),
    /// A word in it should be a process.
    Process(String),
}

impl fmt::Display for NotACall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotACall::Text(text) => write!(f, "`{text}` is not a call of a transition"),
            NotACall::Process(word) => write!(f, "`{word}` is not a process"),
        }
    }
}

impl Error for NotACall {}

/// Reads what people and files write. Processes are `#1` or `1`, with commas or spaces between them.
impl FromStr for Call {
    type Err = NotACall;

    fn from_str(text: &str) -> Result<Call, NotACall> {
        let wrong = || NotACall::Text(text.to_owned());
        let (head, rest) = if let Some(open) = text.find('(') {
            let close = text.find(')').filter(|close| *close > open).ok_or_else(wrong)?;
            ((&text[..open], &text[open + 1..close]), &text[close + 1..])
        } else {
            let end = text.find(char::is_whitespace).unwrap_or(text.len());
            ((&text[..end], ""), &text[end..])
        };
        let name = head.0.trim();
        if name.is_empty() || !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            return Err(wrong());
        }
        let separators = |letter: char| letter == ',' || letter.is_whitespace();
        let processes = head.1.split(separators).filter(|word| !word.is_empty());
        let mut call = Call {
            name: name.to_owned(),
            processes: processes.map(process).collect::<Result<_, _>>()?,
            woken: None,
            choice: None,
            variant: None,
        };
        call.read_rest(rest).ok_or_else(wrong)??;
        Ok(call)
    }
}

/// `#1` or `1`
fn process(word: &str) -> Result<usize, NotACall> {
    let number = word.strip_prefix('#').unwrap_or(word).parse::<usize>().ok();
    let from_zero = number.and_then(|number| number.checked_sub(1));
    from_zero.ok_or_else(|| NotACall::Process(word.to_owned()))
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        // Who leaves open which of several transitions is meant need not mean a transition.
        if !self.processes.is_empty() || self.variant.is_some() {
            let processes: Vec<String> = self.processes.iter().map(|at| format!("#{}", at + 1)).collect();
            write!(f, "({})", processes.join(", "))?;
        }
        if let Some(woken) = self.woken {
            write!(f, " waking #{}", woken + 1)?;
        }
        // The first of several needs no number.
        let numbered = [("choice", self.choice), ("variant", self.variant)];
        numbered
            .iter()
            .filter(|(_, number)| number.is_some_and(|number| number > 0))
            .try_for_each(|(word, number)| write!(f, " {word} {}", number.map_or(1, |number| number + 1)))
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Call {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_as_people_write_them() {
        let call = |text: &str| text.parse::<Call>().map(|call| call.to_string());
        for (text, meant) in [
            ("enter(#1)", "enter(#1)"),
            ("  send ( #1 #3 ) ", "send(#1, #3)"),
            ("send(1,2)", "send(#1, #2)"),
            ("tick", "tick"),
            ("tick()", "tick"),
            ("notify(#2) waking #3", "notify(#2) waking #3"),
            ("guess(#1) choice 2", "guess(#1) choice 2"),
            ("guess(#1) choice 1 variant 2", "guess(#1) variant 2"),
        ] {
            assert_eq!(call(text), Ok(meant.to_owned()), "{text}");
        }
        for wrong in
            ["", "(#1)", "enter(#1", "enter)#1(", "enter(#0)", "enter(#x)", "enter(#1) now", "a-b(#1)"]
        {
            assert!(call(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_left_open_may_be_anything() {
        let call = |text: &str| text.parse::<Call>().unwrap();
        let exact = call("notify(#2) waking #3").closed();
        assert!(call("notify(#2)").means(&exact));
        assert!(!call("notify(#2) waking #1").means(&exact));
        assert!(!call("notify(#1)").means(&exact));
        assert!(!call("notify(#2) choice 2").means(&exact));
    }
}
