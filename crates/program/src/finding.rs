//! Findings in words of the source, with the run that leads to them.

use crate::{
    answers::Told,
    building::Program,
    confirm::{Confirmed, Mark, Repeated},
    operation::{Writer, actor},
    options::Mode,
    schedule::Schedule,
    serving::{Served, Wrong},
    symbols::{Debug, Place, Symbols},
};
use explore::{FindingKind, Severity, Step, Trace, Turn};

/// Something that is wrong with a program, confirmed by a replay.
pub type Finding = explore::Finding<Setting>;

/// What a replay of a finding needs beside the program, and where in the source the finding is.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The steps.
    pub schedule: Schedule,
    /// What decides which operations are steps, beside the mode.
    pub marks: Vec<Mark>,
    /// How the schedule was found.
    pub mode: Mode,
    /// The number of threads.
    pub threads: usize,
    /// Who takes part, in words, and where: one for each line of a report.
    pub parties: Vec<Party>,
    /// What the program has printed in the run.
    pub output: String,
}

/// A thread that takes part in a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// The name of the thread, and what it does.
    pub what: String,
    /// Where it does that.
    pub place: Option<Place>,
}

/// Puts runs and findings into words.
pub(crate) struct Teller<'p> {
    program: &'p Program,
    debug: Debug,
}

/// The kinds of findings that the runtime knows.
const KINDS: [FindingKind; 11] = [
    FindingKind::Invariant,
    FindingKind::Race,
    FindingKind::Deadlock,
    FindingKind::LostWakeup,
    FindingKind::Livelock,
    FindingKind::Assertion,
    FindingKind::Abort,
    FindingKind::Crash,
    FindingKind::Misuse,
    FindingKind::Memory,
    FindingKind::Leak,
];

/// The kinds of findings about programs.
pub fn kinds() -> &'static [FindingKind] {
    &KINDS
}

impl<'p> Teller<'p> {
    pub(crate) fn new(program: &'p Program) -> Teller<'p> {
        Teller { program, debug: Debug::of(program) }
    }

    fn symbols(&self) -> Symbols<'_> {
        self.debug.symbols(self.program)
    }

    /// Who waits for what, and who has it: asked of the program at the end of the run. None if it does not say.
    fn waiting(&self, symbols: &Symbols<'_>, setting: &Setting) -> Option<Vec<String>> {
        let turns =
            setting.schedule.turns().iter().map(|(thread, choice)| Turn { thread: *thread, choice: *choice });
        let mut served =
            Served::start(self.program, symbols, setting.mode.clone(), setting.marks.clone()).ok()?;
        served.go(&turns.collect::<Vec<_>>()).ok()?;
        let waiting = served.threads().ok()?.into_iter().filter_map(|thread| thread.waits);
        // The place follows: `main waits for lock, which T1 holds, at bank.c:22`.
        let closed = |text: String| if text.contains(", ") { format!("{text},") } else { text };
        Some(waiting.map(|waits| closed(waits.sentence)).collect())
    }

    /// A finding that was confirmed. The error is a sentence.
    pub(crate) fn finding(&self, confirmed: Confirmed, mode: &Mode) -> Result<Finding, String> {
        let Confirmed { repeated, schedule, marks, told } = confirmed;
        let kind = KINDS.iter().find(|kind| kind.word() == told.kind);
        let kind =
            *kind.ok_or_else(|| format!("the runtime reports a `{}`, which is not known", told.kind))?;
        let symbols = self.symbols();
        let mut writer = Writer::new(&symbols);
        let threads = threads(&repeated, &told);
        let trace = trace(&repeated, threads, &mut writer);
        let parties = parties(kind, &told, &symbols);
        let mut setting =
            Setting { schedule, marks, mode: mode.clone(), threads, output: repeated.output, parties };
        if matches!(kind, FindingKind::Deadlock | FindingKind::LostWakeup | FindingKind::Livelock)
            && let Some(waiting) = self.waiting(&symbols, &setting)
            && waiting.len() == setting.parties.len()
        {
            setting.parties.iter_mut().zip(waiting).for_each(|(party, waits)| party.what = waits);
        }
        Ok(Finding {
            kind,
            name: name(kind, &setting.parties),
            severity: Severity::Violation,
            message: message(kind, &told, &mut writer),
            property: None,
            roles: told.threads,
            trace,
            setting,
        })
    }

    /// Something that is wrong in a state, without a run. None if it says nothing about the program.
    pub(crate) fn wrong(symbols: &Symbols<'_>, told: &Told) -> Option<Wrong> {
        let kind = *KINDS.iter().find(|kind| kind.word() == told.kind)?;
        let parties = parties(kind, told, symbols);
        Some(Wrong {
            kind,
            name: name(kind, &parties),
            message: sentence(kind, &message(kind, told, &mut Writer::new(symbols))),
            parties: parties.into_iter().map(|party| (party.what, party.place)).collect(),
        })
    }

    /// Something that is no finding, with its place.
    pub(crate) fn sentence(&self, told: &Told) -> String {
        let symbols = self.symbols();
        let place = told.pcs.first().and_then(|pc| symbols.call(*pc));
        place.map_or_else(|| told.message.clone(), |place| format!("{} ({place})", told.message))
    }

    /// The run itself, which claims nothing.
    pub(crate) fn run(&self, repeated: &Repeated) -> Trace {
        let symbols = self.symbols();
        let threads = repeated.steps.iter().map(|step| step.thread + 1).max().unwrap_or(1);
        trace(repeated, threads, &mut Writer::new(&symbols))
    }
}

/// What was found, with the word for its kind.
pub fn sentence(kind: FindingKind, message: &str) -> String {
    match kind {
        FindingKind::Race | FindingKind::Deadlock | FindingKind::LostWakeup | FindingKind::Livelock => {
            message.to_owned()
        }
        kind => format!("{}: {message}", kind.word()),
    }
}

/// The number of threads that a run and its finding name.
fn threads(repeated: &Repeated, told: &Told) -> usize {
    let acting = repeated.steps.iter().map(|step| step.thread);
    acting.chain(told.threads.iter().copied()).max().unwrap_or(0) + 1
}

fn trace(repeated: &Repeated, threads: usize, writer: &mut Writer<'_, '_>) -> Trace {
    let steps = repeated.steps.iter().map(|step| Step {
        label: writer.step(step).into(),
        process: Some(step.thread),
        state: vec![],
    });
    Trace {
        initial: 0,
        start: vec![],
        steps: steps.collect(),
        actors: (0..threads).map(actor).collect(),
        back: None,
    }
}

/// Who does what, where.
fn parties(kind: FindingKind, told: &Told, symbols: &Symbols<'_>) -> Vec<Party> {
    let parts: Vec<String> = match kind {
        FindingKind::Race => {
            let verbs = told.message.split(" of the same memory").next().unwrap_or_default();
            verbs.split(" and ").map(str::to_owned).collect()
        }
        FindingKind::Deadlock | FindingKind::LostWakeup | FindingKind::Livelock => {
            told.message
                .split(", ")
                .map(|part| part.split_once("thread ").map_or(part, |(_, rest)| rest))
                .map(|rest| {
                    // `1 waits for the end of thread 2`
                    in_words(rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start())
                })
                .collect()
        }
        _ => vec![],
    };
    // The address of a crash or of a function is that of an instruction; the others are behind a call.
    let exact = matches!(kind, FindingKind::Crash | FindingKind::Invariant);
    let place = |pc: u64| if exact { symbols.instruction(pc) } else { symbols.call(pc) };
    let one = |(at, pc): (usize, &u64)| {
        let thread = told.threads.get(at).map_or(String::new(), |thread| actor(*thread));
        let what = parts.get(at).map_or(thread.clone(), |part| format!("{thread}: {part}"));
        Party { what, place: place(*pc) }
    };
    told.pcs.iter().enumerate().map(one).collect()
}

/// Threads by their names.
fn in_words(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let number = word.parse::<usize>().ok().filter(|_| words.last().is_some_and(|last| last == "thread"));
        match number {
            Some(number) => *words.last_mut().expect("there is one") = actor(number),
            None => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// A name that tells findings of a kind apart: their places.
fn name(kind: FindingKind, parties: &[Party]) -> String {
    let mut places: Vec<String> =
        parties.iter().filter_map(|party| party.place.as_ref()).map(ToString::to_string).collect();
    // Which of two accesses that race comes first does not matter.
    if kind == FindingKind::Race {
        places.sort();
    }
    places.dedup();
    if places.is_empty() { kind.word().to_owned() } else { places.join(", ") }
}

fn message(kind: FindingKind, told: &Told, writer: &mut Writer<'_, '_>) -> String {
    match kind {
        FindingKind::Race => {
            told.address.map_or(String::new(), |address| format!("race on `{}`", writer.memory(address)))
        }
        FindingKind::Deadlock => "deadlock: no thread can go on".to_owned(),
        FindingKind::LostWakeup => {
            "lost wake-up: no thread can go on, and a signal came too early".to_owned()
        }
        FindingKind::Livelock => "livelock: no thread can make progress".to_owned(),
        FindingKind::Invariant => format!("`{}` is not true", told.message),
        _ => in_words(&told.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_named() {
        assert_eq!(in_words("waits for the end of thread 2"), "waits for the end of T2");
        assert_eq!(in_words("thread 0 and thread x"), "main and thread x");
    }
}
