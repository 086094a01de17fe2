//! The condition of a test: a formula about final states, and how it is asked.

use crate::Test;
use serde::Serialize;

/// A register of a thread, or a shared location, by position. Registers come first, as herd prints them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// The thread, and the register in it.
    Register(usize, usize),
    /// The shared location, by position in the program.
    Location(usize),
}

/// How the formula is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantifier {
    /// `exists`: some final state satisfies it.
    Exists,
    /// `~exists`: none does.
    NotExists,
    /// `forall`: every one does.
    Forall,
}

impl Quantifier {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::Forall => "forall",
        }
    }

    /// What herd calls a test with this condition.
    pub fn kind(self) -> &'static str {
        match self {
            Quantifier::Exists => "Allowed",
            Quantifier::NotExists => "Forbidden",
            Quantifier::Forall => "Required",
        }
    }
}

/// What a test asks about its final states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How it is asked.
    pub quantifier: Quantifier,
    /// What holds of a final state, or does not.
    pub formula: Formula,
}

/// A formula about a final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `true`, `false`
    Truth(bool),
    /// `0:EAX=1`, `x=1`
    Equals(Place, i64),
    /// `not`, `~`
    Not(Box<Formula>),
    /// `/\`
    And(Vec<Formula>),
    /// `\/`
    Or(Vec<Formula>),
}

/// How tightly a formula binds, to know where parentheses are needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
}

impl Formula {
    /// Whether it holds, given the value of each register and location.
    pub fn holds(&self, value: &dyn Fn(Place) -> i64) -> bool {
        match self {
            Formula::Truth(truth) => *truth,
            Formula::Equals(place, number) => value(*place) == *number,
            Formula::Not(part) => !part.holds(value),
            Formula::And(parts) => parts.iter().all(|part| part.holds(value)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(value)),
        }
    }

    /// The registers and locations that it mentions.
    pub fn places(&self) -> Vec<Place> {
        match self {
            Formula::Truth(_) => vec![],
            Formula::Equals(place, _) => vec![*place],
            Formula::Not(part) => part.places(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().flat_map(Formula::places).collect(),
        }
    }

    /// As it is written in a test, with the parentheses that it needs.
    pub fn text(&self, test: &Test) -> String {
        self.at_level(test, Level::Or)
    }

    fn at_level(&self, test: &Test, around: Level) -> String {
        let (own, written) = match self {
            Formula::Truth(truth) => return truth.to_string(),
            Formula::Equals(place, number) => return format!("{}={number}", test.place_name(*place)),
            Formula::Not(part) => (Level::Not, format!("not {}", part.at_level(test, Level::Not))),
            Formula::And(parts) => (Level::And, joined(parts, test, Level::And, " /\\ ")),
            Formula::Or(parts) => (Level::Or, joined(parts, test, Level::Or, " \\/ ")),
        };
        if own < around { format!("({written})") } else { written }
    }
}

fn joined(parts: &[Formula], test: &Test, level: Level, sign: &str) -> String {
    let parts: Vec<String> = parts.iter().map(|part| part.at_level(test, level)).collect();
    parts.join(sign)
}
