//! What cannot be handled is said, and by name.

use crate::judging::load;
use events::{Options, Outcome, Reason, Refusal, Verdict, prove};
use explore::{Cancel, Limit, Limits};
use ir::Model;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const LOCK: &str = include_str!("../models/test-and-set.cub");

fn lock() -> Model {
    load(LOCK).expect("a model")
}

fn refusal(model: &Model) -> Refusal {
    match prove(model, &Options::default()).verdict {
        Verdict::Unknown(Reason::Unsupported(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plain_variable_is_refused_with_advice() {
    let mut model = lock();
    model.symbols.iter_mut().for_each(|symbol| symbol.weak = false);
    let refusal = refusal(&model);
    assert!(refusal.what.contains("`Taken`"), "{refusal:?}");
    assert!(refusal.help.is_some_and(|help| help.contains("declare `Taken` as `weak`")));
    assert!(refusal.at.is_some());
}

#[test]
fn a_register_of_another_process_is_refused() {
    // The guard of the first transition reads the register of its first parameter, which is no longer the actor.
    let text = LOCK.replace("transition take ([i])", "transition take ([i] j)");
    let mut model = load(&text).expect("a model");
    model.transitions[0].actor = Some(model.transitions[0].params[1]);
    assert!(refusal(&model).what.contains("`PC`"));
    // The same for what is written alone.
    let text = LOCK.replace("PC[i] = Idle && Taken = False }\n", "Taken = False }\n");
    let text = text.replace("transition take ([i])", "transition take ([i] j)");
    let mut model = load(&text).expect("a model");
    model.transitions[0].actor = Some(model.transitions[0].params[1]);
    assert!(refusal(&model).what.contains("`PC`"));
}

#[test]
fn counting_and_the_order_of_processes_are_refused() {
    let with = |guard: &str| {
        let text = LOCK.replace("transition take ([i])", "transition take ([i] j)");
        let text = text.replace("requires { PC[i] = Idle", &format!("requires {{ PC[i] = Idle && {guard}"));
        load(&text).unwrap_or_else(|| panic!("not a model:\n{text}"))
    };
    assert!(refusal(&with("i < j")).what.contains("compared by `<`"));
    assert!(refusal(&with("SYS_PROCS > 2")).what.contains("SYS_PROCS"));
}

#[test]
fn limits_end_the_search() {
    let limited = |limits: Limits| {
        let Outcome { verdict, .. } = prove(&lock(), &Options { limits });
        match verdict {
            Verdict::Unknown(Reason::Limit(limit)) => limit,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(limited(Limits { states: Some(1), ..Limits::default() }), Limit::States);
    let cancel = Cancel::by(Arc::new(AtomicBool::new(true)));
    assert_eq!(limited(Limits { cancel, ..Limits::default() }), Limit::Cancelled);
    assert_eq!(limited(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() }), Limit::Time);
}

#[test]
fn statistics_count_cubes_reads_and_processes() {
    let statistics = prove(&lock(), &Options::default()).statistics;
    assert!(statistics.nodes > 1 && statistics.preimages >= statistics.nodes - 1, "{statistics:?}");
    assert!(statistics.events >= 1 && statistics.max_processes >= 2, "{statistics:?}");
}
