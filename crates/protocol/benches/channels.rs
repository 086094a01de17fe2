//! What generated code costs at run time, beside channels that are used by hand: `cargo bench -p motet-protocol --bench channels`.
//!
//! Each line is the best of some runs, in nanoseconds per message. Sessions are opened before the clock starts, and threads are reused, so that messages are
//! all that is measured.

extern crate session as motet_session;

#[rustfmt::skip]
#[path = "generated/butterfly_liberal.rs"]
mod butterfly_liberal;
#[rustfmt::skip]
#[path = "generated/double_buffering_liberal.rs"]
mod double_buffering_liberal;
#[rustfmt::skip]
#[path = "generated/double_buffering_strict.rs"]
mod double_buffering_strict;
#[rustfmt::skip]
#[path = "generated/streaming_liberal.rs"]
mod streaming_liberal;
#[rustfmt::skip]
#[path = "generated/streaming_strict.rs"]
mod streaming_strict;

use std::{
    sync::{Barrier, mpsc},
    thread,
    time::{Duration, Instant},
};

const RUNS: usize = 9;
const VALUES: u64 = 50;
const SESSIONS: usize = 400;
const BUFFERS: usize = 4000;
const BYTES: usize = 1024;
const WORKERS: usize = 8;
const STAGES: usize = 3;

/// Runs what each role does in a thread of its own, and measures from when the first begins until the last is done.
fn timed(roles: Vec<Box<dyn FnMut() + Send>>) -> Duration {
    let barrier = Barrier::new(roles.len());
    let barrier = &barrier;
    thread::scope(|scope| {
        let start = |mut role: Box<dyn FnMut() + Send>| {
            scope.spawn(move || {
                barrier.wait();
                let begun = Instant::now();
                role();
                // Endpoints are dropped after the time was taken.
                (begun, Instant::now())
            })
        };
        let threads: Vec<_> = roles.into_iter().map(start).collect();
        let times: Vec<_> = threads.into_iter().map(|it| it.join().expect("a role does not panic")).collect();
        let (begun, ended) = (times.iter().map(|it| it.0).min(), times.iter().map(|it| it.1).max());
        begun.zip(ended).map_or(Duration::ZERO, |(begun, ended)| ended - begun)
    })
}

fn report(what: &str, messages: usize, run: impl Fn() -> Duration) -> f64 {
    let best = (0..RUNS).map(|_| run()).min().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let nanoseconds = best.as_nanos() as f64 / messages as f64;
    println!("{what:<42} {nanoseconds:>8.1} ns");
    nanoseconds
}

/// The same program for both styles of a generated module.
macro_rules! streaming {
    ($module:ident) => {
        || {
            use $module::Message;
            let (mut sources, mut sinks) = (Vec::new(), Vec::new());
            for _ in 0..SESSIONS {
                let $module::Session { source, sink } = $module::open();
                sources.push(source);
                sinks.push(sink);
            }
            timed(vec![
                Box::new(move || {
                    for source in &mut sources {
                        (0..VALUES).for_each(|value| source.send_value_to_sink(value).unwrap());
                        source.send_stop_to_sink().unwrap();
                    }
                }),
                Box::new(move || {
                    for sink in &mut sinks {
                        let mut sum = 0;
                        while let Message::Value(value) = sink.recv_from_source().unwrap() {
                            sum += value;
                        }
                        assert_eq!(sum, VALUES * (VALUES - 1) / 2);
                    }
                }),
            ])
        }
    };
}

/// By hand, with any channels: how to make one, to send and to receive.
macro_rules! streaming_by_hand {
    ($make:expr) => {
        || {
            let (mut sources, mut sinks) = (Vec::new(), Vec::new());
            for _ in 0..SESSIONS {
                let (source, sink) = $make;
                sources.push(source);
                sinks.push(sink);
            }
            timed(vec![
                Box::new(move || {
                    for source in &sources {
                        (0..VALUES).for_each(|value| source.send(Some(value)).unwrap());
                        source.send(None).unwrap();
                    }
                }),
                Box::new(move || {
                    for sink in &sinks {
                        let mut sum = 0;
                        while let Some(value) = sink.recv().unwrap() {
                            sum += value;
                        }
                        assert_eq!(sum, VALUES * (VALUES - 1) / 2);
                    }
                }),
            ])
        }
    };
}

macro_rules! double_buffering {
    ($module:ident) => {
        || {
            use $module::Message;
            let $module::Session { mut source, mut kernel, mut sink } = $module::open();
            timed(vec![
                Box::new(move || {
                    for _ in 0..BUFFERS {
                        source.recv_from_kernel().unwrap();
                        source.send_full_to_kernel(vec![1; BYTES]).unwrap();
                    }
                }),
                Box::new(move || {
                    for _ in 0..BUFFERS {
                        kernel.send_ready_to_source().unwrap();
                        let Message::Full(buffer) = kernel.recv_from_source().unwrap() else { panic!() };
                        kernel.recv_from_sink().unwrap();
                        kernel.send_full_to_sink(buffer).unwrap();
                    }
                }),
                Box::new(move || {
                    for _ in 0..BUFFERS {
                        sink.send_ready_to_kernel().unwrap();
                        let Message::Full(buffer) = sink.recv_from_kernel().unwrap() else { panic!() };
                        assert_eq!(buffer.len(), BYTES);
                    }
                }),
            ])
        }
    };
}

macro_rules! double_buffering_by_hand {
    ($make:expr, $signals:expr) => {
        || {
            let (ready_source, source_is_asked) = $signals;
            let (fill, filled) = $make;
            let (ready_sink, sink_is_ready) = $signals;
            let (give, given) = $make;
            timed(vec![
                Box::new(move || {
                    for _ in 0..BUFFERS {
                        source_is_asked.recv().unwrap();
                        fill.send(vec![1_u8; BYTES]).unwrap();
                    }
                }),
                Box::new(move || {
                    for _ in 0..BUFFERS {
                        ready_source.send(()).unwrap();
                        let buffer = filled.recv().unwrap();
                        sink_is_ready.recv().unwrap();
                        give.send(buffer).unwrap();
                    }
                }),
                Box::new(move || {
                    for _ in 0..BUFFERS {
                        ready_sink.send(()).unwrap();
                        assert_eq!(given.recv().unwrap().len(), BYTES);
                    }
                }),
            ])
        }
    };
}

macro_rules! butterfly {
    ($module:ident) => {
        || {
            use $module::Message;
            let mut workers: Vec<Vec<_>> = (0..WORKERS).map(|_| Vec::new()).collect();
            for _ in 0..SESSIONS {
                let ends: Vec<motet_session::Endpoint<Message>> = motet_session::open(&$module::TABLES);
                for end in ends {
                    // Roles are numbered in the order in which the protocol mentions them.
                    let name = &end.tables().roles[end.role() as usize];
                    let number: usize =
                        name.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap();
                    workers[number].push(end);
                }
            }
            let partners: Vec<Vec<u32>> = (0..WORKERS)
                .map(|worker| {
                    let role = |number: usize| workers[number][0].role();
                    (0..STAGES).map(|stage| role(worker ^ (1 << stage))).collect()
                })
                .collect();
            timed(
                workers
                    .into_iter()
                    .zip(partners)
                    .map(|(mut ends, partners)| {
                        Box::new(move || {
                            for end in &mut ends {
                                let mut sum = 1;
                                for partner in &partners {
                                    end.send(*partner, Message::Value(sum)).unwrap();
                                    let Message::Value(other) = end.recv(*partner).unwrap();
                                    sum += other;
                                }
                                assert_eq!(sum, WORKERS as u64);
                            }
                        }) as Box<dyn FnMut() + Send>
                    })
                    .collect(),
            )
        }
    };
}

macro_rules! butterfly_by_hand {
    ($make:expr) => {
        || {
            let mut sends: Vec<Vec<_>> = (0..WORKERS).map(|_| Vec::new()).collect();
            let mut receives: Vec<Vec<_>> = (0..WORKERS).map(|_| Vec::new()).collect();
            for _ in 0..SESSIONS {
                for worker in 0..WORKERS {
                    for stage in 0..STAGES {
                        let (send, receive) = $make;
                        sends[worker].push(send);
                        receives[worker ^ (1 << stage)].push((stage, receive));
                    }
                }
            }
            // For each session the receives in the order of the stages.
            receives
                .iter_mut()
                .for_each(|all| all.chunks_mut(STAGES).for_each(|one| one.sort_by_key(|(stage, _)| *stage)));
            timed(
                sends
                    .into_iter()
                    .zip(receives)
                    .map(|(sends, receives)| {
                        Box::new(move || {
                            for (sends, receives) in sends.chunks(STAGES).zip(receives.chunks(STAGES)) {
                                let mut sum = 1_u64;
                                for (send, (_, receive)) in sends.iter().zip(receives) {
                                    send.send(sum).unwrap();
                                    sum += receive.recv().unwrap();
                                }
                                assert_eq!(sum, WORKERS as u64);
                            }
                        }) as Box<dyn FnMut() + Send>
                    })
                    .collect(),
            )
        }
    };
}

fn compared(title: &str, generated: f64, by_hand: &[f64]) {
    let fastest = by_hand.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "{title}: generated liberal code takes {:.2} times as long as the fastest by hand\n",
        generated / fastest
    );
}

fn main() {
    let messages = SESSIONS * (usize::try_from(VALUES).unwrap_or(0) + 1);
    let liberal = report("streaming, generated liberal", messages, streaming!(streaming_liberal));
    report("streaming, generated strict", messages, streaming!(streaming_strict));
    let by_hand = [
        report("streaming, std::sync::mpsc", messages, streaming_by_hand!(mpsc::channel())),
        report("streaming, crossbeam", messages, streaming_by_hand!(crossbeam_channel::unbounded())),
    ];
    compared("streaming", liberal, &by_hand);
    let messages = BUFFERS * 4;
    let liberal =
        report("double buffering, generated liberal", messages, double_buffering!(double_buffering_liberal));
    report("double buffering, generated strict", messages, double_buffering!(double_buffering_strict));
    let by_hand = [
        report(
            "double buffering, std::sync::mpsc",
            messages,
            double_buffering_by_hand!(mpsc::channel(), mpsc::channel()),
        ),
        report(
            "double buffering, crossbeam",
            messages,
            double_buffering_by_hand!(crossbeam_channel::unbounded(), crossbeam_channel::unbounded()),
        ),
    ];
    compared("double buffering", liberal, &by_hand);
    let messages = SESSIONS * WORKERS * STAGES;
    let liberal = report("butterfly, generated liberal", messages, butterfly!(butterfly_liberal));
    let by_hand = [
        report("butterfly, std::sync::mpsc", messages, butterfly_by_hand!(mpsc::channel())),
        report("butterfly, crossbeam", messages, butterfly_by_hand!(crossbeam_channel::unbounded())),
    ];
    compared("butterfly", liberal, &by_hand);
}
