//! The search inside of the program: in one process, or parts of it in several at the same time.

use crate::{
    answers::{Answer, Stats, Told},
    board::Progress,
    building::Program,
    confirm::{Mark, places},
    options::{Options, Search},
    process::{How, Request},
};
use explore::{Cancel, Limit};
use std::{
    collections::{BTreeSet, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// What a search has said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Searched {
    /// Distinct findings, each with the marks that were told before it.
    pub(crate) told: Vec<(Told, Vec<Mark>)>,
    seen: HashSet<(String, Vec<u64>)>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) end: Option<String>,
    pub(crate) stats: Stats,
    /// Values that runs have noted.
    pub(crate) observed: BTreeSet<u64>,
}

impl Searched {
    pub(crate) fn hear(&mut self, answer: Answer) {
        match answer {
            Answer::Finding(told) => self.add(told, self.marks.clone()),
            Answer::End(end) => self.end = Some(end),
            Answer::Stats(stats) => self.stats = stats,
            Answer::Mark(mark) => self.mark(Mark(mark)),
            Answer::Observed(value) => drop(self.observed.insert(value)),
            _ => {}
        }
    }

    fn mark(&mut self, mark: Mark) {
        if !self.marks.contains(&mark) {
            self.marks.push(mark);
        }
    }

    fn add(&mut self, told: Told, marks: Vec<Mark>) {
        if self.seen.insert((told.kind.clone(), places(&told))) {
            self.told.push((told, marks));
        }
    }
}

/// One of several parts of a search, each for a machine of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 0.
    pub index: usize,
    /// The number of shards.
    pub of: usize,
}

/// The runtime watches the time itself; this is how much longer it may take to notice.
const GRACE: Duration = Duration::from_secs(2);

/// Schedules that are run before the search is divided: they show most of what decides which operations are steps, and many
/// searches have no more.
const FIRST_LOOK: usize = 2000;

/// How often a search is divided anew because a part has found out more about what is a step.
const MOST_ROUNDS: usize = 50;

/// Searches, and tells how it went, and whether one process did it all. `heard` is called now and then. The error is a sentence.
pub(crate) fn search(
    program: &Program,
    options: &Options,
    heard: impl FnMut(Progress) + Send,
) -> Result<(Searched, How, bool), String> {
    let whole =
        |lines| Process { program, options, lines, cancel: &options.limits.cancel, known: &options.known };
    // A number of runs is counted in one place, unless each process draws its share.
    let is_counted = options.runs.is_some() && !options.search.draws();
    let is_divided = options.threads > 1 && !is_counted || options.shard.is_some();
    if !is_divided || !options.search.can_be_divided() {
        let (searched, how) = whole(vec![]).run(heard)?;
        return Ok((searched, how, true));
    }
    let begun = Instant::now();
    let mut heard = heard;
    // Schedules that are drawn have nothing to do with each other, from the start.
    let mut known = options.known.clone();
    if !options.search.draws() {
        let first = options.runs.unwrap_or(FIRST_LOOK).min(FIRST_LOOK);
        let (look, how) = whole(vec![format!("runs {first}")]).run(&mut heard)?;
        let goes_on = how == How::Done && look.end.as_deref() == Some(&Limit::Runs.to_string());
        if !goes_on || options.runs.is_some_and(|runs| runs <= first) {
            return Ok((look, how, true));
        }
        known = look.marks;
    }
    let parts = Parts { program, options, begun, heard: Mutex::new((&mut heard, vec![])) };
    let (searched, how) = parts.run(known)?;
    Ok((searched, how, false))
}

/// A process that searches.
struct Process<'a> {
    program: &'a Program,
    options: &'a Options,
    /// Lines beside those of the options.
    lines: Vec<String>,
    cancel: &'a Cancel,
    known: &'a [Mark],
}

impl Process<'_> {
    fn run(&self, heard: impl FnMut(Progress)) -> Result<(Searched, How), String> {
        self.watched(self.options.limits.time, |_| {}, heard)
    }

    /// The same within some time, with a look at what it says.
    fn watched(
        &self,
        time: Option<Duration>,
        mut look: impl FnMut(&Searched),
        heard: impl FnMut(Progress),
    ) -> Result<(Searched, How), String> {
        let mut searched = Searched { marks: self.known.to_vec(), ..Searched::default() };
        let mut lines = self.options.request(self.program)?;
        lines.extend(time.map(|time| format!("seconds {}", time.as_secs_f64())));
        lines.extend(self.known.iter().map(|mark| mark.0.clone()));
        lines.extend(self.lines.iter().cloned());
        let request = Request {
            program: self.program,
            lines,
            most: time.map(|time| time + GRACE),
            cancel: self.cancel,
            memory: self.options.limits.memory.map(|most| most / self.options.threads.max(1)),
            output: false,
        };
        let ended = request.watch(
            |answer| {
                searched.hear(answer);
                look(&searched);
            },
            heard,
        )?;
        if let How::Killed(reason, schedule) = &ended.how {
            searched.hear(Answer::Finding(Told::death(reason.clone(), schedule.clone())));
        }
        Ok((searched, ended.how))
    }
}

/// A search that is divided among processes.
struct Parts<'a, H> {
    program: &'a Program,
    options: &'a Options,
    begun: Instant,
    /// Whom to tell, and how far each part is.
    heard: Mutex<(&'a mut H, Vec<Progress>)>,
}

impl<'a, H: FnMut(Progress) + Send> Parts<'a, H> {
    /// Divides the search until no part finds out more about what is a step.
    fn run(&self, mut known: Vec<Mark>) -> Result<(Searched, How), String> {
        for round in 1.. {
            let (searched, how) = self.round(&known)?;
            let fresh: Vec<Mark> =
                searched.marks.iter().filter(|mark| !known.contains(mark)).cloned().collect();
            let is_over = self.options.search.draws()
                || self.options.limits.cancel.is_asked()
                || self.finds_enough(&searched);
            if fresh.is_empty() || is_over || round == MOST_ROUNDS {
                return Ok((searched, how));
            }
            known.extend(fresh);
        }
        unreachable!("rounds have a number")
    }

    /// All parts at the same time.
    fn round(&self, known: &[Mark]) -> Result<(Searched, How), String> {
        let threads = self.options.threads.max(1);
        self.lock().1 = vec![Progress::default(); threads];
        let stop = Arc::new(AtomicBool::new(false));
        let parts = threads::together(0..threads, |number| self.part(number, known, &stop));
        let parts: Vec<(Searched, How)> = parts.into_iter().collect::<Result<_, _>>()?;
        let mut all = Searched { marks: known.to_vec(), ..Searched::default() };
        let mut all_how = How::Done;
        for (part, how) in parts {
            all.stats.add(&part.stats);
            all.observed.extend(part.observed);
            part.told.into_iter().for_each(|(told, marks)| all.add(told, marks));
            part.marks.into_iter().for_each(|mark| all.mark(mark));
            // The part that is not exhausted tells why.
            if all.end.as_deref().is_none_or(|end| end == "exhausted") {
                all.end = part.end;
            }
            if all_how == How::Done {
                all_how = how;
            }
        }
        if stop.load(Ordering::Relaxed) {
            (all.end, all_how) = (Some("found".into()), How::Done);
        }
        Ok((all, all_how))
    }

    fn part(&self, number: usize, known: &[Mark], stop: &Arc<AtomicBool>) -> Result<(Searched, How), String> {
        let cancel = self.options.limits.cancel.or_by(stop.clone());
        let lines = self.part_lines(number);
        let process = Process { program: self.program, options: self.options, lines, cancel: &cancel, known };
        let time = self.options.limits.time.map(|time| time.saturating_sub(self.begun.elapsed()));
        let look = |searched: &Searched| {
            let divides_anew = searched.marks.len() > known.len() && !self.options.search.draws();
            if divides_anew || self.finds_enough(searched) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        process.watched(time, look, |progress| self.tell(number, progress))
    }

    /// What this process is to do: its part of a search of all schedules, or schedules of its own.
    fn part_lines(&self, number: usize) -> Vec<String> {
        let threads = self.options.threads.max(1);
        let Shard { index, of } = self.options.shard.unwrap_or(Shard { index: 0, of: 1 });
        let (number, all) = (index * threads + number, of * threads);
        if self.options.search == Search::Dpor {
            return vec![format!("part {number} {all}")];
        }
        let share = |runs: usize| (runs * (number + 1) / all - runs * number / all).max(1);
        let runs = self.options.runs.map(|runs| format!("runs {}", share(runs)));
        let seed = self.options.seed.wrapping_mul(all as u64).wrapping_add(number as u64);
        [format!("seed {seed}")].into_iter().chain(runs).collect()
    }

    /// Whether what was found ends the search.
    fn finds_enough(&self, searched: &Searched) -> bool {
        !self.options.mode.all && searched.told.iter().any(|(told, _)| told.kind != "race")
    }

    fn tell(&self, number: usize, progress: Progress) {
        let mut heard = self.lock();
        heard.1[number] = progress;
        let sum = heard.1.iter().fold(Progress::default(), |sum, part| sum.with(*part));
        (heard.0)(sum);
    }

    fn lock(&self) -> MutexGuard<'_, (&'a mut H, Vec<Progress>)> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
