//! A line on the terminal that shows the progress of a long run.

use crate::output::Output;
use explore::{Progress, Snapshot};
use std::{
    io::Write,
    sync::{
        Arc,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// The time until the line appears on a terminal, and then between updates.
const FIRST: Duration = Duration::from_secs(1);
const NEXT: Duration = Duration::from_millis(200);
/// The time between lines if there is no terminal: logs should stay short.
const IN_LOGS: Duration = Duration::from_secs(10);
/// The width of a terminal that does not report its width.
const USUAL_WIDTH: usize = 80;

/// Shows the line until it is dropped.
pub(crate) struct ProgressLine {
    /// Dropping it ends the thread that writes the line.
    alive: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows the progress of an exploration, unless output is quiet.
    pub(crate) fn show(progress: &Arc<Progress>, output: &Output) -> Option<ProgressLine> {
        let progress = progress.clone();
        ProgressLine::saying(output, "exploring", move |elapsed| facts(&progress.snapshot(), elapsed))
    }

    /// Shows an activity, its duration, and the facts that a function provides, the most important ones first.
    pub(crate) fn saying(
        output: &Output,
        doing: &'static str,
        say: impl Fn(Duration) -> Vec<String> + Send + 'static,
    ) -> Option<ProgressLine> {
        let on_terminal = output.is_watched()?;
        let (alive, gone) = channel::<()>();
        let writer = std::thread::spawn(move || {
            let started = Instant::now();
            let (mut wait, next) = if on_terminal { (FIRST, NEXT) } else { (IN_LOGS, IN_LOGS) };
            while gone.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = next;
                let elapsed = started.elapsed();
                write(&line(doing, elapsed, &say(elapsed), on_terminal.then(width)), on_terminal);
            }
            if on_terminal && started.elapsed() >= FIRST {
                write("", true);
            }
        });
        Some(ProgressLine { alive: Some(alive), writer: Some(writer) })
    }
}

/// The width of standard error in characters.
fn width() -> usize {
    let of_terminal =
        terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0));
    of_terminal.filter(|width| *width > 0).unwrap_or(USUAL_WIDTH)
}

/// The activity, its duration, and as many facts as fit: a line that wraps cannot be replaced.
fn line(doing: &str, elapsed: Duration, facts: &[String], width: Option<usize>) -> String {
    let mut line = format!("{} {doing}", clock(elapsed));
    // The cursor is after the last character, and must not move to the next line.
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(1));
    let mut separator = ": ";
    for fact in facts {
        if line.chars().count() + separator.len() + fact.chars().count() > room {
            break;
        }
        line.push_str(separator);
        line.push_str(fact);
        separator = ", ";
    }
    line.chars().take(room).collect()
}

/// `7 s`, `2:05`
fn clock(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds => format!("{}:{:02}", seconds / 60, seconds % 60),
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// Replaces the line on a terminal, or adds one elsewhere.
fn write(text: &str, on_terminal: bool) {
    let mut stream = std::io::stderr();
    let written = if on_terminal { write!(stream, "\r\x1b[2K{text}") } else { writeln!(stream, "{text}") };
    let _ = written.and_then(|()| stream.flush());
}

fn facts(now: &Snapshot, elapsed: Duration) -> Vec<String> {
    let rate = now.states as u128 * 1000 / elapsed.as_millis().max(1);
    vec![
        format!("{} states", now.states),
        format!("{} waiting", now.waiting),
        format!("depth {}", now.depth),
        format!("{rate} states/s"),
        format!("{} MiB", now.bytes >> 20),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let now = Snapshot { states: 3_000_000, waiting: 1_000, transitions: 0, depth: 12, bytes: 90 << 20 };
        let said = |elapsed, width| line("exploring", elapsed, &facts(&now, elapsed), width);
        assert_eq!(
            said(Duration::from_secs(2), None),
            "2 s exploring: 3000000 states, 1000 waiting, depth 12, 1500000 states/s, 90 MiB"
        );
        assert_eq!(said(Duration::from_secs(125), Some(50)), "2:05 exploring: 3000000 states, 1000 waiting");
        assert!(facts(&Snapshot::default(), Duration::ZERO).contains(&"0 states/s".to_owned()));
    }

    #[test]
    fn no_line_wraps() {
        let facts = ["a fact of some length".to_owned(), "another one".to_owned()];
        for width in 0..90 {
            let line = line("doing something", Duration::from_secs(7), &facts, Some(width));
            assert!(line.chars().count() < width.max(1), "{width}: {line}");
        }
    }
}
