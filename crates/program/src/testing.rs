//! A test: the search inside of the program, its findings confirmed, and what all that amounts to.

use crate::{
    answers::{Stats, Told},
    board::Progress,
    building::Program,
    confirm::{Mark, Repeater},
    finding::{Finding, Teller},
    options::{Options, Search, Visible},
    process::How,
    searching::{self, Searched, Shard},
};
use explore::{FindingKind, Incomplete, Limit, Verdict};
use std::collections::BTreeSet;

/// The result of a test.
#[derive(Debug)]
pub struct Testing {
    /// What is wrong with the program, each confirmed by a replay in a process of its own.
    pub findings: Vec<Finding>,
    /// What the search has reported and no replay has confirmed, in sentences.
    pub unconfirmed: Vec<String>,
    /// Why the search is not exhaustive; with a sentence for what stood in its way.
    pub incomplete: Option<Incomplete<String>>,
    /// Whether what was asked for was explored to its end: all schedules, or a part of them.
    pub explored: bool,
    /// Whether each run had a process of its own, which the program needs since it has effects that a copy of memory does not
    /// undo.
    pub forked: bool,
    /// What decides which operations are steps: parts of a search must agree on it.
    pub marks: Vec<Mark>,
    /// Whether all of the search was explored, or would have been, rather than a part of it.
    pub whole: bool,
    /// Values that runs have noted by `motet_observe`.
    pub observed: BTreeSet<u64>,
    /// Figures.
    pub stats: Stats,
}

/// What a search says, of which nothing was confirmed: for comparisons of searches.
#[derive(Debug)]
pub struct Claims {
    /// Why it has ended: `exhausted`, or a limit.
    pub end: Option<String>,
    /// The kinds of all findings.
    pub kinds: BTreeSet<String>,
    /// Values that runs have noted by `motet_observe`.
    pub observed: BTreeSet<u64>,
    /// Figures.
    pub stats: Stats,
}

impl Testing {
    /// Whether what was asked for was explored to its end, and nothing is left to doubt.
    pub fn is_explored(&self) -> bool {
        self.explored && self.unconfirmed.is_empty()
    }

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

/// Tests a program. `heard` is called now and then. The error is a sentence.
pub fn test(
    program: &Program,
    options: &Options,
    heard: impl FnMut(Progress) + Send,
) -> Result<Testing, String> {
    let (search, how, whole) = searching::search(program, options, heard)?;
    let mut incomplete = search.incomplete(options, how);
    let teller = Teller::new(program);
    let repeater = Repeater { program, mode: &options.mode, cancel: &explore::Cancel::default() };
    let (mut findings, mut unconfirmed) = (Vec::new(), Vec::new());
    for (told, marks) in search.wanted(options) {
        if NO_VERDICTS.contains(&told.kind.as_str()) {
            unconfirmed.push(teller.sentence(told));
            continue;
        }
        match repeater.confirm(told, marks) {
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
    let whole = whole || options.shard.is_none();
    let explored = incomplete.is_none();
    if let (Some(Shard { index, of }), true, false) = (options.shard, explored, whole) {
        let part = format!("no violation in part {} of {of}; `motet merge` joins the parts", index + 1);
        incomplete = Some(Incomplete::Obstacle(part));
    }
    let Searched { marks, observed, stats, .. } = search;
    Ok(Testing { findings, unconfirmed, incomplete, explored, forked, marks, whole, observed, stats })
}

/// What decides which operations are steps, as far as a search finds it out within the limits: for runs by hand. The error
/// is a sentence.
pub fn marks(program: &Program, options: &Options) -> Result<Vec<Mark>, String> {
    in_one_process(program, options).map(|search| search.marks)
}

/// Searches, and confirms nothing. The error is a sentence.
pub fn claims(program: &Program, options: &Options) -> Result<Claims, String> {
    let Searched { told, end, stats, observed, .. } = in_one_process(program, options)?;
    let kinds = told.into_iter().map(|(told, _)| told.kind).collect();
    Ok(Claims { end, kinds, observed, stats })
}

fn in_one_process(program: &Program, options: &Options) -> Result<Searched, String> {
    let whole = Options { threads: 1, shard: None, ..options.clone() };
    searching::search(program, &whole, |_| {}).map(|(search, ..)| search)
}

fn article(told: &Told) -> String {
    let an = told.kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    let message = if told.message.is_empty() { String::new() } else { format!(" ({})", told.message) };
    format!("{} {}{message}", if an { "an" } else { "a" }, told.kind)
}

impl Searched {
    /// The findings that are not ignored, each with the marks told before it.
    fn wanted(&self, options: &Options) -> impl Iterator<Item = (&Told, &[Mark])> {
        let ignored = |told: &Told| options.ignore.iter().any(|kind| kind.word() == told.kind);
        self.told.iter().filter(move |(told, _)| !ignored(told)).map(|(told, marks)| (told, marks.as_slice()))
    }

    /// Why the search is not exhaustive.
    fn incomplete(&self, options: &Options, how: How) -> Option<Incomplete<String>> {
        match (how, self.end.as_deref()) {
            (How::Stopped(limit), _) => Some(Incomplete::Limit(limit)),
            (How::Died(reason), _) => Some(Incomplete::Obstacle(reason)),
            (How::Done, None) => Some(Incomplete::Obstacle("the search ended without an answer".into())),
            (How::Killed(..), _) | (How::Done, Some("found")) => Some(Incomplete::Stopped),
            (How::Done, Some("exhausted")) if options.search.is_complete() => self.hidden(options),
            (How::Done, Some("bounded")) if !options.search.draws() => Some(bounded(&options.search)),
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

/// Why a search that leaves runs out is not exhaustive.
fn bounded(search: &Search) -> Incomplete<String> {
    match search {
        Search::Preemptions(most) => {
            Incomplete::Obstacle(format!("no violation in schedules with at most {most} preemptions"))
        }
        _ => Incomplete::Limit(Limit::Depth),
    }
}

/// A limit by its words, or another reason.
fn limit(text: &str) -> Incomplete<String> {
    let limits = [
        Limit::States,
        Limit::Steps,
        Limit::Depth,
        Limit::Time,
        Limit::Memory,
        Limit::Runs,
        Limit::Cancelled,
    ];
    let found = limits.into_iter().find(|limit| limit.to_string() == text);
    found.map_or_else(|| Incomplete::Obstacle(text.to_owned()), Incomplete::Limit)
}
