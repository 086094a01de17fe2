//! The detector against all pairs of accesses, on random executions.

use super::{Access, Party, Races};
use crate::clock::Clock;
use explore::Rng;

const THREADS: usize = 3;
const LOCKS: usize = 2;

/// An access of the past, with what its thread knew.
struct Past {
    party: Party,
    bytes: std::ops::Range<usize>,
    time: u32,
}

/// Whether an access races with one of the past, by definition.
fn races(past: &[Past], party: Party, bytes: &std::ops::Range<usize>, clock: &Clock) -> bool {
    past.iter().any(|other| {
        other.party.thread != party.thread
            && (other.party.writes || party.writes)
            && !(other.party.atomic && party.atomic)
            && other.bytes.start < bytes.end
            && bytes.start < other.bytes.end
            && other.time > clock.get(other.party.thread)
    })
}

/// Runs a random execution until the first race; returns its length and whether there was one.
fn compare(seed: u64, races_found: &mut Races) -> (usize, bool) {
    let mut rng = Rng::new(seed);
    races_found.restart();
    let mut clocks: Vec<Clock> = (0..THREADS)
        .map(|thread| {
            let mut clock = Clock::default();
            clock.set(thread, 1);
            clock
        })
        .collect();
    let mut locks = vec![Clock::default(); LOCKS];
    let mut past = Vec::new();
    for step in 0..40 {
        let thread = rng.below(THREADS);
        let lock = rng.below(LOCKS);
        match rng.below(4) {
            0 => clocks[thread].join(&locks[lock].clone()),
            1 => {
                locks[lock].join(&clocks[thread].clone());
                clocks[thread].increment(thread);
            }
            _ => {
                let start = 0x1000 + rng.below(12);
                let bytes = start..start + [1, 2, 4, 8, 16][rng.below(5)];
                let (writes, atomic) = (rng.below(3) == 0, rng.below(4) == 0);
                let party = Party { thread, pc: step, writes, atomic };
                let clock = &clocks[thread];
                let expected = races(&past, party, &bytes, clock);
                let found = races_found.access(start, bytes.len(), Access { party, clock }).is_some();
                assert_eq!(found, expected, "seed {seed}, step {step}");
                if found {
                    return (step, true);
                }
                past.push(Past { party, bytes, time: clock.get(thread) });
            }
        }
    }
    (40, false)
}

#[test]
fn finds_the_first_race_of_every_execution_and_no_other() {
    let mut detector = Races::default();
    let (mut with, mut steps) = (0, 0);
    for seed in 0..20_000 {
        let (length, race) = compare(seed, &mut detector);
        with += usize::from(race);
        steps += length;
    }
    assert!(with > 10_000 && with < 20_000, "{with}");
    assert!(steps > 60_000, "{steps}");
}

#[test]
fn what_is_racy_stays_known_and_what_was_freed_does_not() {
    let mut detector = Races::default();
    detector.mark(0x2000, [7, 8]);
    detector.set_freed(0x3000, 16, true);
    assert!(detector.is_freed(0x3008) && !detector.is_freed(0x3010));
    detector.restart();
    assert!(detector.is_racy(0x2004, 4, 1), "the same eight bytes");
    assert!(!detector.is_racy(0x2008, 4, 1) && detector.is_racy(0x9000, 1, 8));
    assert!(!detector.is_freed(0x3008));
}
