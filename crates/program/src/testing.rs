//! A test: the search inside of the program, its findings confirmed, and what all that amounts to.

use crate::{
    answers::{Answer, Stats, Told},
    board::Progress,
    building::Program,
    confirm::{Mark, Repeater, places},
    finding::{Finding, Teller},
    options::{Options, Visible},
    process::{How, Request},
};
use explore::{FindingKind, Incomplete, Limit, Verdict};
use std::{collections::HashSet, time::Duration};

/// The result of a test.
#[derive(Debug)]
pub struct Testing {
    /// What is wrong with the program, each confirmed by a replay in a process of its own.
    pub findings: Vec<Finding>,
    /// What the search has reported and no replay has confirmed, in sentences.
    pub unconfirmed: Vec<String>,
    /// Why the search is not exhaustive; with a sentence for what stood in its way.
    pub incomplete: Option<Incomplete<String>>,
    /// Whether each run had a process of its own, which the program needs since it has effects that a copy of memory does not
    /// undo.
    pub forked: bool,
    /// Figures.
    pub stats: Stats,
}

impl Testing {
    /// What the test has shown.
    pub fn verdict(&self) -> Verdict {
        if !self.findings.is_empty() {
            Verdict::Violated
        } else if self.incomplete.is_none() && self.unconfirmed.is_empty() {
            Verdict::Holds
        } else {
            Verdict::Unknown
        }
    }
}

/// What the runtime reports when it cannot go on, which says nothing about the program.
const NO_VERDICTS: [&str; 2] = ["unsupported", "hang"];

/// The runtime watches the time itself; this is how much longer it may take to notice.
const GRACE: Duration = Duration::from_secs(2);

/// Tests a program. `heard` is called now and then. The error is a sentence.
pub fn test(program: &Program, options: &Options, heard: impl FnMut(Progress)) -> Result<Testing, String> {
    let mut search = Searched::default();
    let request = Request {
        program,
        lines: options.request(program)?,
        most: options.limits.time.map(|time| time + GRACE),
        cancel: &options.limits.cancel,
        memory: options.limits.memory,
        output: false,
    };
    let ended = request.watch(|answer| search.hear(answer), heard)?;
    if let How::Killed(reason, schedule) = &ended.how {
        search.hear(Answer::Finding(Told::death(reason.clone(), schedule.clone())));
    }
    let mut incomplete = search.incomplete(options, ended.how);
    let teller = Teller::new(program);
    let repeater = Repeater { program, mode: &options.mode, cancel: &explore::Cancel::default() };
    let (mut findings, mut unconfirmed) = (Vec::new(), Vec::new());
    for (told, marks) in search.wanted(options) {
        if NO_VERDICTS.contains(&told.kind.as_str()) {
            unconfirmed.push(teller.sentence(told));
            continue;
        }
        match repeater.confirm(told, &search.marks[..marks]) {
            Ok(confirmed) => match teller.finding(confirmed, &options.mode) {
                Ok(finding) => findings.push(finding),
                Err(reason) => unconfirmed.push(reason),
            },
            Err(reason) => {
                unconfirmed.push(format!("{} was reported, but not confirmed: {reason}", article(told)));
            }
        }
    }
    // What races lead to is more telling than the races.
    findings.sort_by_key(|finding| finding.kind == FindingKind::Race);
    // A test that has run nothing has shown nothing.
    if incomplete.is_none() && search.stats.runs == 0 {
        incomplete = Some(Incomplete::Obstacle("no schedule was run".into()));
    }
    let forked = search.marks.contains(&Mark("fork".into()));
    Ok(Testing { findings, unconfirmed, incomplete, forked, stats: search.stats })
}

fn article(told: &Told) -> String {
    let an = told.kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    let message = if told.message.is_empty() { String::new() } else { format!(" ({})", told.message) };
    format!("{} {}{message}", if an { "an" } else { "a" }, told.kind)
}

/// What a search has said.
#[derive(Default)]
struct Searched {
    /// Distinct findings, each with the number of marks that were told before it.
    told: Vec<(Told, usize)>,
    seen: HashSet<(String, Vec<u64>)>,
    marks: Vec<Mark>,
    end: Option<String>,
    stats: Stats,
}

impl Searched {
    fn hear(&mut self, answer: Answer) {
        match answer {
            Answer::Finding(told) => {
                let marks = self.marks.len();
                if self.seen.insert((told.kind.clone(), places(&told))) {
                    self.told.push((told, marks));
                }
            }
            Answer::End(end) => self.end = Some(end),
            Answer::Stats(stats) => self.stats = stats,
            Answer::Mark(mark) => self.marks.push(Mark(mark)),
            Answer::Step(_) | Answer::Shortened(_) => {}
        }
    }

    /// The findings that are not ignored, each with the number of marks told before it.
    fn wanted(&self, options: &Options) -> impl Iterator<Item = (&Told, usize)> {
        let ignored = |told: &Told| options.ignore.iter().any(|kind| kind.word() == told.kind);
        self.told.iter().filter(move |(told, _)| !ignored(told)).map(|(told, marks)| (told, *marks))
    }

    /// Why the search is not exhaustive.
    fn incomplete(&self, options: &Options, how: How) -> Option<Incomplete<String>> {
        match (how, self.end.as_deref()) {
            (How::Stopped(limit), _) => Some(Incomplete::Limit(limit)),
            (How::Died(reason), _) => Some(Incomplete::Obstacle(reason)),
            (How::Done, None) => Some(Incomplete::Obstacle("the search ended without an answer".into())),
            (How::Killed(..), _) | (How::Done, Some("found")) => Some(Incomplete::Stopped),
            (How::Done, Some("exhausted")) if options.search.is_complete() => self.hidden(options),
            (How::Done, Some("bounded")) if !options.search.draws() => Some(Incomplete::Limit(Limit::Depth)),
            (How::Done, Some("exhausted")) if !options.search.draws() => {
                Some(Incomplete::Obstacle("no violation in what the filters let pass".into()))
            }
            (How::Done, Some("bounded" | "sampled" | "exhausted")) => Some(Incomplete::Sampled),
            (How::Done, Some(other)) => Some(limit(other)),
        }
    }

    /// With `--visible sync`, accesses that race are no scheduling points, so that their orders were not tried.
    fn hidden(&self, options: &Options) -> Option<Incomplete<String>> {
        let race = self.told.iter().any(|(told, _)| told.kind == FindingKind::Race.word());
        (race && options.mode.visible == Visible::Sync).then(|| {
            Incomplete::Obstacle("there are races, and accesses that race were no scheduling points".into())
        })
    }
}

/// A limit by its words, or another reason.
fn limit(text: &str) -> Incomplete<String> {
    let limits = [Limit::States, Limit::Steps, Limit::Depth, Limit::Time, Limit::Memory, Limit::Cancelled];
    let found = limits.into_iter().find(|limit| limit.to_string() == text);
    found.map_or_else(|| Incomplete::Obstacle(text.to_owned()), Incomplete::Limit)
}
