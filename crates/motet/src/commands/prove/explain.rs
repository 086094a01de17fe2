//! `--explain`: the reason why the backward search has no answer, in words.

use super::{
    ProveArgs,
    small::{self, Known},
};
use crate::output::Output;
use ::prove::{Buffers, Growth, Outcome, Reason, Verdict};
use ir::{Domain, Model, Sort, Symbol};
use std::time::Instant;

/// At most this many symbols are named.
const MOST_SYMBOLS: usize = 5;

/// Explains what keeps growing or where the search is imprecise, and suggests what to try.
pub(super) fn tell(args: &ProveArgs, model: &Model, outcome: &Outcome, output: &Output) {
    let Verdict::Unknown(reason) = &outcome.verdict else { return };
    if let Ok(sentences) = ::prove::place_invariants(model) {
        sentences.iter().for_each(|sentence| output.result(&format!("known: {sentence}")));
    }
    match reason {
        Reason::Limit(_) | Reason::TooManyProcesses => tell_growth(model, outcome, output),
        Reason::Spurious { universal, .. } => {
            output.result(if *universal { UNIVERSAL } else { SPURIOUS });
            output.result(&is_it_real(args, model, outcome));
            output.result(if *universal { TRY_UNIVERSAL } else { TRY_SPURIOUS });
        }
        Reason::NotCertified(_) => output.result(NOT_CERTIFIED),
        Reason::Buffers(Buffers::Full(_)) => output.result(FULL),
        Reason::Buffers(Buffers::Merged) => output.result(MERGED),
        Reason::NothingToProve | Reason::Unsupported(_) => {}
    }
}

const FULL: &str = "\
why: a process can store again and again without ever waiting for its store buffer, so that no number of entries suffices
try: `fence()` in a loop that stores different values, if the program has one there";

const MERGED: &str = "\
why: equal stores that follow each other in a buffer are counted up to a small number; the run that was found may need more
try: `motet explore --buffer N` with more and more entries";

const UNIVERSAL: &str = "\
why: the search considers a few processes at a time. A guard about all processes is only checked for those; the path that it
     found may be blocked by others.";

const SPURIOUS: &str = "\
why: the search goes backwards and approximates on its way: the path that it found looks possible, but may not be.";

const TRY_UNIVERSAL: &str = "\
try: an `invariant` that says what the other processes cannot do at that point; `--brab` with one process more";

const TRY_SPURIOUS: &str = "\
try: an `invariant` about what never happens on that path; `--method views`";

/// Instances with up to this many processes are explored.
const FEW_PROCESSES: u32 = 3;

/// Whether small instances reach a bad state, as far as visiting their states tells.
fn is_it_real(args: &ProveArgs, model: &Model, outcome: &Outcome) -> String {
    let begun = Instant::now();
    let least = model.min_processes();
    let most = FEW_PROCESSES.max(least).min(model.max_processes.unwrap_or(u32::MAX));
    let mut safe = None;
    for processes in least..=most {
        let limits = small::limits(args, outcome.statistics.time + begun.elapsed());
        match small::explored(model, processes, &limits) {
            Known::Safe => safe = Some(processes),
            Known::Violated => {
                return format!(
                    "     It is real: `motet explore -n {processes}` shows a run that goes there."
                );
            }
            Known::Unknown => break,
        }
    }
    let open = open_numbers(model);
    match (safe, open.as_slice()) {
        (Some(safe), _) => {
            let processes =
                if safe == 1 { "1 process".to_owned() } else { format!("up to {safe} processes") };
            format!("     With {processes} it is not: all states were visited. With more it may be.")
        }
        (None, []) => {
            "     It may be real: not all states of small instances were visited. `motet explore` may tell."
                .into()
        }
        (None, [first, ..]) => format!(
            "     It may be real: `init` leaves numbers open, and only a few of their values were tried. \
             `motet explore --range {first}=LOW..HIGH`\n     tries others."
        ),
    }
}

/// Numbers without a range that `init` does not mention.
fn open_numbers(model: &Model) -> Vec<&str> {
    let mut mentioned = vec![false; model.symbols.len()];
    for init in &model.init {
        init.formula.each_term(&mut |term| {
            if let Some(symbol) = term.symbol() {
                mentioned[symbol.index()] = true;
            }
        });
    }
    let symbols = model.symbols.iter().zip(mentioned);
    let is_open = |symbol: &Symbol| {
        matches!(symbol.sort, Sort::Int | Sort::Real) && !matches!(symbol.domain, Domain::Range(..))
    };
    symbols
        .filter(|(symbol, known)| !known && is_open(symbol))
        .map(|(symbol, _)| symbol.name.as_str())
        .collect()
}

const NOT_CERTIFIED: &str = "\
why: the search has ended, but the checker does not accept its invariant.
try: other candidates (`--brab off`, `--brab 3`), or another order (`--search`): they lead to other invariants";

fn tell_growth(model: &Model, outcome: &Outcome, output: &Output) {
    let mut tries: Vec<String> = Vec::new();
    let mut named = 0;
    for growth in &outcome.growth {
        let (why, advice) = match growth {
            Growth::Processes { from, to } => (
                format!("cubes have more and more processes: up to {from} among the first, up to {to} among the last"),
                "candidates from larger instances (`--brab` with one process more), which may be general enough with fewer processes"
                    .to_owned(),
            ),
            Growth::Numbers { symbol, from, to } => {
                let Some(symbol) = model.symbols.get(symbol.index()) else { continue };
                let name = &symbol.name;
                (
                    format!("constraints on the number `{name}` keep growing: factors and constants up to {from} among the first, up to {to} among the last"),
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
                    format!("cubes mention `{name}` more and more often: {from:.1} times each among the first, {to:.1} among the last"),
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
    let refuted = outcome.statistics.refuted;
    if refuted > outcome.statistics.invariants {
        output.result(&format!(
            "why: {refuted} candidates were refuted: they were tested against too few states"
        ));
        tries.push(
            "more states (`--oracle-states`, `--brab` with one process more), or no candidates (`--brab off`)".into(),
        );
    }
    tries.dedup();
    tries.iter().for_each(|advice| output.result(&format!("try: {advice}")));
}
