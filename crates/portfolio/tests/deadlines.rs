//! Every engine returns soon after its time is up or it is cancelled, whatever it is doing, and without a wrong verdict.

use explore::Deadline;
use explore::DeadlockPolicy;
use explore::{Cancel, Limits};
use instance::exploration;
use instance::fuzzing;
use ir::Model;
use portfolio::ProofOptions;
use prove::{Approximation, Effort};
use source::Source;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use views::Threads;

/// Machines that run tests may have much else to do.
const GRACE: Duration = Duration::from_secs(2);

/// Moments at which engines are interrupted, in milliseconds.
const MOMENTS: [u64; 4] = [0, 2, 25, 120];

/// One step has very many choices.
const MANY_CHOICES: &str = "\
array M[proc,proc] : bool
init (p q) { M[p,q] = False }
unsafe (p q) { M[p,q] = True && M[q,p] = True && M[p,p] = True && M[q,q] = False && M[p,q] = False }
transition any (p) requires { M[p,p] = False } { M[a,b] := case | a <> p || b <> p : ? | _ : M[a,b] }
";

/// Cubes get ever more processes and longer sums.
const ENDLESS: &str = "\
var X : int
var Y : int
array A[proc] : int
init (p) { X = 0 && Y = 0 && A[p] = 0 }
unsafe (p q) { A[p] > X + Y && A[q] < A[p] }
transition up (p) { A[p] := A[p] + 1; X := X + 1 }
transition hand (p q) requires { A[p] > A[q] } { A[q] := A[p]; Y := Y + 1 }
transition back (p) requires { A[p] > Y } { A[p] := Y; X := X + Y }
";

/// A model by name, and whether something bad can happen in it.
fn models() -> Vec<(&'static str, Model, bool)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let of_file = |name: &str| std::fs::read_to_string(folder.join(name)).expect("an example");
    let all = [
        ("many choices", MANY_CHOICES.to_owned(), false),
        ("endless", ENDLESS.to_owned(), false),
        ("german", of_file("german.cub"), false),
        ("clh-lock", of_file("protocols/clh-lock.cub"), false),
        ("tenderbake", of_file("tenderbake.cub"), false),
        ("mutex-broken", of_file("mutex-broken.cub"), true),
    ];
    let load = |name: &str, text: &str| model::load(&Source::new(name, text)).model.expect("a model");
    all.into_iter().map(|(name, text, is_bad)| (name, load(name, &text), is_bad)).collect()
}

/// What an engine has said, if anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Holds,
    Violated,
    Nothing,
}

type Engine = fn(&Model, &Limits) -> Said;

const ENGINES: [(&str, Engine); 7] = [
    ("backward", |model, limits| backward(model, limits, Approximation::Auto)),
    ("backward without candidates", |model, limits| backward(model, limits, Approximation::Off)),
    ("views", by_views),
    ("portfolio", by_portfolio),
    ("explore", explored),
    ("fuzz", fuzzed),
    ("certificate", certified),
];

fn said(verdict: &prove::Verdict) -> Said {
    match verdict {
        prove::Verdict::Holds(_) => Said::Holds,
        prove::Verdict::Violated(_) => Said::Violated,
        prove::Verdict::Unknown(_) => Said::Nothing,
    }
}

fn options(limits: &Limits) -> prove::Options {
    let effort = Effort::Everything;
    prove::Options { limits: limits.clone(), threads: 2, effort, ..prove::Options::default() }
}

fn backward(model: &Model, limits: &Limits, approximation: Approximation) -> Said {
    said(&prove::prove(model, &prove::Options { approximation, ..options(limits) }).verdict)
}

fn by_views(model: &Model, limits: &Limits) -> Said {
    let threads = Threads::from(2);
    let options = views::ProofOptions { limits: limits.clone(), threads, ..Default::default() };
    match views::prove(model, &options).verdict {
        views::Verdict::Holds(_) => Said::Holds,
        views::Verdict::Violated(_) => Said::Violated,
        views::Verdict::Unknown(_) => Said::Nothing,
    }
}

fn by_portfolio(model: &Model, limits: &Limits) -> Said {
    said(&proof(model, limits).verdict)
}

fn proof(model: &Model, limits: &Limits) -> prove::Outcome {
    let options = ProofOptions { backward: options(limits), small: None, ranges: vec![] };
    portfolio::prove(model, &options, &mut ()).proof
}

fn explored(model: &Model, limits: &Limits) -> Said {
    let deadlock = DeadlockPolicy::Ignore;
    let options =
        exploration::Options { limits: limits.clone(), deadlock, workers: 2, ..exploration::Options::new(5) };
    let exploration = exploration::explore(model, &options);
    match exploration.incomplete {
        _ if exploration.findings.iter().any(explore::Finding::is_violation) => Said::Violated,
        None => Said::Holds,
        Some(_) => Said::Nothing,
    }
}

fn fuzzed(model: &Model, limits: &Limits) -> Said {
    let mut options = fuzzing::Options { deadlock: DeadlockPolicy::Ignore, ..fuzzing::Options::new(Some(5)) };
    options.fuzz.limits = Limits { steps: Some(200_000), ..limits.clone() };
    if fuzzing::fuzz(model, &options).is_violated() { Said::Violated } else { Said::Nothing }
}

/// The checker, with a certificate that it would accept and one that lacks a cube.
fn certified(model: &Model, limits: &Limits) -> Said {
    let plenty = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let prove::Verdict::Holds(proof) = proof(model, &plenty).verdict else { return Said::Nothing };
    let begun = Instant::now();
    let deadline = Deadline::of(limits);
    let stop = certify::Stop::when(move || deadline.ended().is_some());
    let options = certify::CheckOptions { threads: NonZero::<usize>::MIN, stop, shortcuts: false };
    let answer = certify::check_with(model, &proof.certificate, options);
    assert!(
        begun.elapsed() < limits.time.unwrap_or_default() + GRACE,
        "the checker takes {:?}",
        begun.elapsed()
    );
    match answer {
        Ok(_) => Said::Holds,
        Err(_) => Said::Nothing,
    }
}

/// What certificates take to make, which the checker is not to blame for.
const MAKING: Duration = Duration::from_secs(2);

fn interrupt(by_flag: bool) {
    for (name, model, is_bad) in models() {
        for (engine, run) in ENGINES {
            for moment in MOMENTS.map(Duration::from_millis) {
                let flag = Arc::new(AtomicBool::new(false));
                let cancel = Cancel::by(flag.clone());
                let time = (!by_flag || engine == "certificate").then_some(moment);
                let limits = Limits { time, cancel, ..Limits::default() };
                let waiter = by_flag.then(|| {
                    thread::spawn(move || {
                        thread::sleep(moment);
                        flag.store(true, Ordering::Relaxed);
                    })
                });
                let begun = Instant::now();
                let said = run(&model, &limits);
                let took = begun.elapsed();
                let allowed = moment + GRACE + if engine == "certificate" { MAKING } else { Duration::ZERO };
                assert!(
                    took < allowed,
                    "{engine} of {name} takes {took:?} if it is interrupted after {moment:?}"
                );
                let wrong = if is_bad { Said::Holds } else { Said::Violated };
                assert_ne!(said, wrong, "{engine} of {name}, interrupted after {moment:?}");
                waiter.into_iter().for_each(|waiter| waiter.join().expect("it only waits"));
            }
        }
    }
}

#[test]
fn engines_end_when_time_is_up() {
    interrupt(false);
}

#[test]
fn engines_end_when_they_are_asked_to() {
    interrupt(true);
}
