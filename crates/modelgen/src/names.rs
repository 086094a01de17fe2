//! Names: unique, of the right case, and none of them a keyword, a predeclared type or a word of the thread
//! primitives.

use crate::rng::Rng;

/// What a name is for. Each class has its own words, so that names of different classes never collide.
#[derive(Clone, Copy)]
pub(crate) enum Class {
    Type,
    Kind,
    Constructor,
    Global,
    Array,
    Constant,
    Lock,
    Predicate,
    Transition,
    Property,
}

fn words(class: Class) -> &'static [&'static str] {
    match class {
        Class::Type => &["state", "mode", "phase", "colour", "level", "msg", "data", "loc"],
        Class::Kind => &["producer", "consumer", "reader", "writer"],
        Class::Constructor => &[
            "Idle",
            "Busy",
            "Want",
            "Crit",
            "Red",
            "Green",
            "Blue",
            "Empty",
            "Full",
            "Shared",
            "Exclusive",
            "Invalid",
            "Req",
            "Ack",
            "Up",
            "Down",
            "L0",
            "L1",
            "L2",
            "L3",
            "L4",
            "L5",
            "L6",
            "L7",
        ],
        Class::Global => &["X", "Y", "Turn", "Flag", "Next", "Total", "Last_seen", "Round", "G", "U"],
        Class::Array => &["A", "B", "PC", "Cell", "Cache", "Chan", "Vote", "Edge", "Ticket"],
        Class::Constant => &["K", "Max", "Root", "Limit", "Weight"],
        Class::Lock => &["Mutex", "Door", "Gate", "Slots", "Monitor", "Fork"],
        Class::Predicate => &["calm", "ready", "both", "near", "quiet", "pending"],
        Class::Transition => {
            &["enter", "leave", "step", "send", "Recv", "toggle", "move_on", "Reset", "tick", "grant", "drop"]
        }
        Class::Property => &["bad", "mutual", "Worse", "stuck", "lost", "never_both", "fine", "bound"],
    }
}

/// The names in use.
#[derive(Default)]
pub(crate) struct Names {
    taken: Vec<String>,
}

impl Names {
    /// A name that no other symbol has.
    pub(crate) fn fresh(&mut self, class: Class, rng: &mut Rng) -> String {
        let word = rng.one_of(words(class));
        let free = |name: &String| !self.taken.contains(name);
        let numbered = (2..).map(|number| format!("{word}{number}"));
        let name = std::iter::once(word.to_string()).chain(numbered).find(free).expect("names never run out");
        self.taken.push(name.clone());
        name
    }
}

/// A name for a process variable or a `let` that is not in scope yet.
pub(crate) fn local<'a>(
    rng: &mut Rng,
    words: &[&'static str],
    in_scope: impl Iterator<Item = &'a str>,
) -> String {
    let used: Vec<&str> = in_scope.collect();
    let left: Vec<&str> = words.iter().copied().filter(|word| !used.contains(word)).collect();
    (*rng.pick(&left).expect("more words than variables in any scope")).to_string()
}

pub(crate) const PROCESS_VARIABLES: &[&str] =
    &["i", "j", "k", "l", "m", "n", "p", "q", "r", "p1", "p2", "other", "z_1", "z_2", "q1", "q2", "r1", "r2"];

pub(crate) const LET_NAMES: &[&str] = &["x", "y", "old", "now", "tmp_1"];

pub(crate) const PREDICATE_PARAMETERS: &[&str] = &["a", "b", "c", "d", "e", "f"];
