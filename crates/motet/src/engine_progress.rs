//! The facts that the progress line shows for each engine.

use crate::{
    output::{Output, count},
    progress_line::ProgressLine,
};
use portfolio::{Activity, Observer};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Shows a progress line for each activity of a portfolio.
pub(crate) struct Lines<'o> {
    output: &'o Output,
    line: Option<ProgressLine>,
}

impl<'o> Lines<'o> {
    pub(crate) fn new(output: &'o Output) -> Lines<'o> {
        Lines { output, line: None }
    }
}

impl Observer for Lines<'_> {
    fn begins(&mut self, activity: Activity) {
        self.line = match activity {
            Activity::Fuzzing(progress) => of_fuzzing(&progress, self.output),
            Activity::Exploring(progress) => ProgressLine::show(&progress, self.output),
            Activity::Proving { backward, views } => {
                ProgressLine::saying(self.output, "proving", move |_| {
                    views_facts(&views).unwrap_or_else(|| backward_facts(&backward))
                })
            }
        };
    }

    fn ends(&mut self) {
        self.line = None;
    }
}

/// Shows the counters of the fuzzer.
pub(crate) fn of_fuzzing(progress: &Arc<fuzz::Progress>, output: &Output) -> Option<ProgressLine> {
    let progress = progress.clone();
    ProgressLine::saying(output, "fuzzing", move |elapsed| fuzzing_facts(&progress.snapshot(), elapsed))
}

/// Shows the counters of the backward search.
pub(crate) fn of_backward(progress: &Arc<prove::Progress>, output: &Output) -> Option<ProgressLine> {
    let progress = progress.clone();
    ProgressLine::saying(output, "proving", move |_| backward_facts(&progress))
}

/// Shows the counters of views.
pub(crate) fn of_views(progress: &Arc<views::Progress>, output: &Output) -> Option<ProgressLine> {
    let progress = progress.clone();
    ProgressLine::saying(output, "proving by views", move |_| views_facts(&progress).unwrap_or_default())
}

/// Shows how far a test is while it runs.
pub(crate) fn of_testing<T>(
    output: &Output,
    test: impl FnOnce(&mut (dyn FnMut(program::Progress) + Send)) -> T,
) -> T {
    let told = Arc::new(Mutex::new(program::Progress::default()));
    let shown = told.clone();
    let now = |told: &Mutex<program::Progress>| *told.lock().unwrap_or_else(PoisonError::into_inner);
    let line = ProgressLine::saying(output, "testing", move |elapsed| testing_facts(now(&shown), elapsed));
    let tested = test(&mut |progress| *told.lock().unwrap_or_else(PoisonError::into_inner) = progress);
    drop(line);
    tested
}

fn testing_facts(now: program::Progress, elapsed: Duration) -> Vec<String> {
    let rate = u128::from(now.runs) * 1000 / elapsed.as_millis().max(1);
    vec![
        format!("{} schedules", now.runs),
        format!("{} races", now.races),
        format!("depth {}", now.depth),
        format!("{} steps", now.steps),
        format!("{rate} schedules/s"),
    ]
}

fn now(count: &AtomicUsize) -> usize {
    count.load(Ordering::Relaxed)
}

fn fuzzing_facts(now: &fuzz::Snapshot, elapsed: Duration) -> Vec<String> {
    let rate = now.steps as u128 * 1000 / elapsed.as_millis().max(1);
    vec![
        format!("{} states", now.states),
        format!("{} found", now.findings),
        format!("{} transitions", now.transitions),
        format!("{} pairs", now.pairs),
        format!("{} steps", now.steps),
        format!("{rate} steps/s"),
    ]
}

fn backward_facts(progress: &prove::Progress) -> Vec<String> {
    vec![
        format!("{} cubes", now(&progress.visited)),
        format!("{} waiting", now(&progress.queued)),
        count(now(&progress.processes), "process"),
        format!("{} candidates", now(&progress.candidates)),
        format!("{} refuted", now(&progress.refuted)),
    ]
}

/// The counters of views. None while no search of views runs.
fn views_facts(progress: &views::Progress) -> Option<Vec<String>> {
    let [views, size, waiting] = [&progress.views, &progress.size, &progress.waiting].map(now);
    (size > 0).then(|| vec![format!("{views} views of {size} processes"), format!("{waiting} waiting")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzz::Snapshot;

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let now = Snapshot { states: 10, steps: 3_000_000, transitions: 7, pairs: 20, findings: 1 };
        assert_eq!(
            fuzzing_facts(&now, Duration::from_secs(2)).join(", "),
            "10 states, 1 found, 7 transitions, 20 pairs, 3000000 steps, 1500000 steps/s"
        );
    }
}
