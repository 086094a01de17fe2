//! `--explain`: why there is no answer, in words.

use crate::output::Output;
use ::prove::{Growth, Outcome, Reason, Verdict};
use model::ir::Model;

/// More symbols than this are not named.
const MOST_SYMBOLS: usize = 5;

/// Tells what keeps growing, and what to try.
pub(super) fn tell(model: &Model, outcome: &Outcome, output: &Output) {
    let Verdict::Unknown(reason) = &outcome.verdict else { return };
    match reason {
        Reason::Limit(_) | Reason::TooManyProcesses => tell_growth(model, outcome, output),
        Reason::Spurious { universal: true, .. } => output.result(UNIVERSAL),
        Reason::Spurious { .. } => output.result(SPURIOUS),
        Reason::NotCertified(_) => output.result(NOT_CERTIFIED),
        Reason::NothingToProve | Reason::Unsupported(_) => {}
    }
}

const UNIVERSAL: &str = "\
why: the search looks at a few processes at a time. A guard about all processes is only asked of those, and what it found
     goes wrong where it is asked of the others.
try: `motet explore` with a few processes, to see whether the bad state is real; an `invariant` that says what the other
     processes cannot do at that point; `--brab` with one process more";

const SPURIOUS: &str = "\
why: the search goes backwards and keeps less than everything on its way: what it found looks possible, but is not.
try: `motet explore` with a few processes, to see whether the bad state is real; an `invariant` that says what is never the
     case on that way; `--method views`";

const NOT_CERTIFIED: &str = "\
why: nothing more comes up in the search, but the checker could not follow the proof to its end.
try: other guesses (`--brab off`, `--brab 3`), or another order (`--search`): they lead to other invariants";

fn tell_growth(model: &Model, outcome: &Outcome, output: &Output) {
    let mut tries: Vec<String> = Vec::new();
    let mut named = 0;
    for growth in &outcome.growth {
        let (why, advice) = match growth {
            Growth::Processes { from, to } => (
                format!("cubes have more and more processes: up to {from} among the first, up to {to} among the last"),
                "guesses from larger instances (`--brab` with one process more), so that fewer processes say more"
                    .to_owned(),
            ),
            Growth::Numbers { symbol, from, to } => {
                let Some(symbol) = model.symbols.get(symbol.index()) else { continue };
                let name = &symbol.name;
                (
                    format!("what is said about the number `{name}` keeps growing: factors and constants up to {from} first, up to {to} at last"),
                    format!("an `invariant` that compares `{name}` with another number, or a range for its type"),
                )
            }
            Growth::Mentions { symbol, from, to } => {
                let Some(symbol) = model.symbols.get(symbol.index()) else { continue };
                if named == MOST_SYMBOLS {
                    continue;
                }
                named += 1;
                let name = &symbol.name;
                (
                    format!("cubes say more and more about `{name}`: {from:.1} times each among the first, {to:.1} among the last"),
                    format!("an `invariant` about `{name}` and few other symbols"),
                )
            }
        };
        output.result(&format!("why: {why}"));
        tries.push(advice);
    }
    if outcome.growth.is_empty() {
        output.result("why: nothing keeps growing; it may just take longer");
        tries.push("more time".into());
    }
    let taken_back = outcome.statistics.undone;
    if taken_back > outcome.statistics.invariants {
        output.result(&format!(
            "why: {taken_back} guesses were taken back: the states that they were tested against are too few"
        ));
        tries.push(
            "more of them (`--oracle-states`, `--brab` with one process more), or none (`--brab off`)".into(),
        );
    }
    tries.dedup();
    tries.iter().for_each(|advice| output.result(&format!("try: {advice}")));
}
