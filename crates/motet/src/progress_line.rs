//! One line on the terminal that tells how far a long run is.

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

/// How long it takes until the line shows, and then until it changes.
const FIRST: Duration = Duration::from_secs(1);
const NEXT: Duration = Duration::from_millis(200);

/// Shows the line until it is dropped.
pub(crate) struct ProgressLine {
    /// Says by going away that the line must, too.
    alive: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows how far a run is, if somebody looks.
    pub(crate) fn show(progress: &Arc<Progress>, output: &Output) -> Option<ProgressLine> {
        let progress = progress.clone();
        ProgressLine::saying(output, move |elapsed| line(&progress.snapshot(), elapsed))
    }

    /// Shows what a function says after some time, if somebody looks.
    pub(crate) fn saying(
        output: &Output,
        say: impl Fn(Duration) -> String + Send + 'static,
    ) -> Option<ProgressLine> {
        output.is_watched().then(|| {
            let (alive, gone) = channel::<()>();
            let writer = std::thread::spawn(move || {
                let started = Instant::now();
                let mut wait = FIRST;
                while gone.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    wait = NEXT;
                    write(&say(started.elapsed()));
                }
                if started.elapsed() >= FIRST {
                    write("");
                }
            });
            ProgressLine { alive: Some(alive), writer: Some(writer) }
        })
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

/// Replaces the line.
fn write(text: &str) {
    let mut stream = std::io::stderr();
    let _ = write!(stream, "\r\x1b[2K{text}").and_then(|()| stream.flush());
}

fn line(now: &Snapshot, elapsed: Duration) -> String {
    let rate = now.states as u128 * 1000 / elapsed.as_millis().max(1);
    format!(
        "{} states, {} waiting, depth {}, {rate} states/s, {} MiB",
        now.states,
        now.waiting,
        now.depth,
        now.bytes >> 20
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let now = Snapshot { states: 3_000_000, waiting: 1_000, transitions: 0, depth: 12, bytes: 90 << 20 };
        assert_eq!(
            line(&now, Duration::from_secs(2)),
            "3000000 states, 1000 waiting, depth 12, 1500000 states/s, 90 MiB"
        );
        assert_eq!(
            line(&Snapshot::default(), Duration::ZERO),
            "0 states, 0 waiting, depth 0, 0 states/s, 0 MiB"
        );
    }
}
