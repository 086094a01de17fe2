//! Makes a failing schedule easier to read: fewest context switches, then fewest steps.
//!
//! Blocks of steps of one thread are moved next to its other ones, or left out, as long as the same failure shows. Every
//! attempt is a run of the program: what comes out has been seen to fail.

use explore::{Steered, Turn};

use crate::machine::Machine;
use crate::races::Race;
use crate::runtime::{Failure, rt};

/// What a schedule must still show.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) kind: String,
    pub(crate) pcs: Vec<usize>,
}

/// Runs that may be spent.
const MOST_RUNS: usize = 4000;

/// Context switches and steps of a schedule.
fn cost(turns: &[Turn]) -> (usize, usize) {
    (turns.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count(), turns.len())
}

/// A schedule with less to read that shows the same, and the number of runs that it took.
pub(crate) fn shorten(schedule: &[Turn], target: &Target) -> (Vec<Turn>, usize) {
    let mut runs = 1;
    let Some(mut best) = attempt(schedule, target) else { return (schedule.to_vec(), runs) };
    loop {
        let before = cost(&best);
        for candidate in candidates(&best) {
            if runs >= MOST_RUNS {
                return (best, runs);
            }
            runs += 1;
            if let Some(found) = attempt(&candidate, target)
                && cost(&found) < cost(&best)
            {
                best = found;
                break;
            }
        }
        if cost(&best) >= before {
            return (best, runs);
        }
    }
}

/// Schedules that differ by one block.
fn candidates(turns: &[Turn]) -> Vec<Vec<Turn>> {
    let blocks: Vec<&[Turn]> = turns.chunk_by(|one, other| one.thread == other.thread).collect();
    let mut found = Vec::new();
    for from in 0..blocks.len() {
        let rest: Vec<&[Turn]> =
            blocks.iter().enumerate().filter(|(at, _)| *at != from).map(|(_, block)| *block).collect();
        found.push(rest.concat());
        for to in 0..rest.len() {
            if rest[to][0].thread == blocks[from][0].thread {
                let mut moved = rest.clone();
                moved.insert(to + 1, blocks[from]);
                found.push(moved.concat());
            }
        }
    }
    found
}

/// Follows a schedule as far as it is possible, then lets the last thread go on; returns what was taken until the failure.
fn attempt(schedule: &[Turn], target: &Target) -> Option<Vec<Turn>> {
    let mut machine = Machine;
    let mut turns = Vec::new();
    rt().found_races.clear();
    machine.start(0).ok()?;
    let most = schedule.len() * 2 + 100;
    let mut wanted = schedule.iter();
    loop {
        if shows(target) {
            return Some(rt().taken.clone());
        }
        turns.clear();
        machine.enabled(&mut turns);
        if turns.is_empty() || rt().taken.len() > most {
            let ended = turns.is_empty() && rt().judge_end().is_some_and(|failure| matches(&failure, target));
            return ended.then(|| rt().taken.clone());
        }
        let next = wanted.by_ref().find_map(|turn| possible(*turn, &turns));
        let last = rt().taken.last().map(|turn| turn.thread);
        let same = turns.iter().find(|turn| Some(turn.thread) == last);
        let turn = next.or(same.copied()).unwrap_or(turns[0]);
        machine.take(&turn).ok()?;
    }
}

/// The same turn, or another outcome of it.
fn possible(turn: Turn, turns: &[Turn]) -> Option<Turn> {
    turns.iter().copied().rfind(|other| other.thread == turn.thread && other.choice <= turn.choice)
}

fn shows(target: &Target) -> bool {
    let runtime = rt();
    runtime.failures.iter().any(|failure| matches(failure, target))
        || target.kind == "race" && runtime.found_races.iter().any(|race| is_between(race, &target.pcs))
}

fn matches(failure: &Failure, target: &Target) -> bool {
    failure.kind == target.kind && (target.pcs.is_empty() || failure.pcs == target.pcs)
}

/// Whether a race is between these calls, in either order.
fn is_between(race: &Race, pcs: &[usize]) -> bool {
    let both = [race.earlier.pc, race.later.pc];
    pcs.len() == 2 && (both == [pcs[0], pcs[1]] || both == [pcs[1], pcs[0]])
}
