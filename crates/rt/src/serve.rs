//! Steered from outside, one step at a time: for the debugger.
//!
//! Commands are lines: `start`, `take THREAD[:CHOICE]`, `read ADDRESS SIZE`, `quit`. After `start` and `take` the state
//! is told: a line for each thread, what was found, and an empty line.

use explore::{Steered, Turn};

use crate::control::{addresses_text, parse_turn};
use crate::machine::Machine;
use crate::runtime::rt;
use crate::search::{tell_failure, tell_race};
use crate::sys;
use crate::thread::Phase;

/// Answers commands until there are no more.
pub(crate) fn serve() {
    let mut machine = Machine;
    let input = rt().options.input;
    while let Some(line) = sys::read_line(input) {
        let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
        let done = match command {
            "start" => machine.start(0),
            "take" => match parse_turn(argument) {
                Some(turn) => machine.take(&turn),
                None => return,
            },
            "read" => {
                tell_memory(argument);
                continue;
            }
            _ => return,
        };
        if let Err(fault) = done {
            rt().options.tell(&["fault", &fault.to_string()]);
        }
        tell_state();
    }
}

fn tell_state() {
    let runtime = rt();
    if !runtime.over {
        runtime.judge_invariants();
    }
    let mut turns = Vec::new();
    Machine.enabled(&mut turns);
    for thread in 0..runtime.count {
        let one = &runtime.threads[thread];
        let phase = match one.phase {
            Phase::Absent => continue,
            Phase::Ready | Phase::Running => "ready",
            Phase::Finished => "finished",
            Phase::Dead => "dead",
        };
        let op = one.next;
        let choices = turns.iter().filter(|turn: &&Turn| usize::from(turn.thread) == thread).count();
        let spins = if runtime.loops[thread].waiting.is_some() { "spins" } else { "" };
        runtime.options.tell(&[
            "thread",
            &thread.to_string(),
            phase,
            &format!("{:?}", op.kind),
            &format!("{:x}", op.object),
            &format!("{:x}", op.pc),
            &choices.to_string(),
            &addresses_text(&one.calls),
            spins,
        ]);
    }
    let taken = runtime.taken.clone();
    for race in std::mem::take(&mut runtime.found_races) {
        tell_race(&race, &taken);
    }
    for failure in std::mem::take(&mut runtime.failures) {
        tell_failure(&failure, &taken);
    }
    if turns.is_empty()
        && let Some(failure) = runtime.judge_end()
    {
        tell_failure(&failure, &taken);
    }
    let over = if runtime.over { "over" } else { "" };
    runtime.options.tell(&["state", &taken.len().to_string(), over]);
}

/// Tells what is in memory, in hexadecimal; nothing if it cannot be read.
fn tell_memory(argument: &str) {
    let Some((address, size)) = argument.split_once(' ') else { return };
    let (Ok(address), Ok(size)) = (usize::from_str_radix(address, 16), size.parse::<usize>()) else { return };
    let mut text = String::new();
    for byte in sys::peek(address, size.min(4096)) {
        text.push_str(&format!("{byte:02x}"));
    }
    rt().options.tell(&["memory", &text]);
}
