//! Weak memory: what single rules of section 8 mean, by hand, and what all runs with buffers have in common.

mod common;

use common::{Bounds, bounds, explore, program};
use modelgen::{Feature, Features, Options, Size, random_model};
use reference::{bounded::Found, search::Refusal, state::State, tree::Memory};
use std::collections::HashSet;

fn tso(text: &str, processes: usize) -> Found {
    explore(text, Memory::Tso, processes, &bounds()).expect("small")
}

/// The names of the properties that are violated.
fn violated(text: &str, processes: usize) -> Vec<String> {
    let found = tso(text, processes);
    assert!(found.exhaustive, "within the bounds");
    found.violations.into_keys().map(|(_, name)| name).collect()
}

/// Every process stores once.
const STORE: &str = "type pc = A | B
    weak var X : bool
    array P[proc] : pc
    init (i) { X = False && P[i] = A }
    transition store ([i]) requires { P[i] = A } { X := True; P[i] := B }";

/// A process has not stored, has the store in its buffer, or has it in memory; memory is true if somebody has.
#[test]
fn a_store_waits_in_its_buffer() {
    assert_eq!(tso(STORE, 1).states.len(), 3);
    assert_eq!(tso(STORE, 2).states.len(), 9);
    assert_eq!(tso(STORE, 3).states.len(), 27);
    assert_eq!(explore(STORE, Memory::Sc, 2, &bounds()).expect("small").states.len(), 4);
}

/// Store buffering: both processes may miss each other's store, unless a fence stands between.
#[test]
fn a_load_may_overtake_a_store() {
    let model = |fence: &str| {
        format!(
            "type pc = A | B | C
            weak array F[proc] : bool
            array P[proc] : pc
            init (i) {{ F[i] = False && P[i] = A }}
            unsafe both (i j) {{ P[i] = C && P[j] = C }}
            transition store ([i]) requires {{ P[i] = A }} {{ F[i] := True; P[i] := B }}
            transition load ([i]) requires {{ P[i] = B {fence} && forall_other j. F[j] = False }} {{ P[i] := C }}"
        )
    };
    assert_eq!(violated(&model(""), 2), ["both"]);
    assert_eq!(violated(&model(""), 3), ["both"]);
    assert!(violated(&model("&& fence()"), 2).is_empty());
    assert!(violated(&model("&& fence()"), 3).is_empty());
}

/// Of two processes both are parameters, and there is no other.
#[test]
fn a_fence_under_a_quantifier_over_nobody_does_not_wait() {
    let model = "type pc = A | B | C
        weak var X : bool
        array P[proc] : pc
        init (i) { X = False && P[i] = A }
        unsafe early (i j) { P[i] = C && j@X = False }
        transition store ([i]) requires { P[i] = A } { X := True; P[i] := B }
        transition look ([i] j) requires { P[i] = B && forall_other k. fence() } { P[i] := C }";
    assert_eq!(violated(model, 2), ["early"]);
    assert!(violated(model, 3).is_empty());
}

/// A transition that reads and writes waits for the buffer of its actor, and its own writes are in memory at once.
#[test]
fn reading_and_writing_is_atomic() {
    let model = |read: &str| {
        format!(
            "type pc = A | B | C
            weak var X : bool
            weak var Y : bool
            weak var T : proc
            weak array F[proc] : bool
            array P[proc] : pc
            init (i) {{ X = False && Y = False && F[i] = False && P[i] = A }}
            unsafe late (i j) {{ P[i] = C && j@X = False }}
            unsafe buffered (i j) {{ P[i] = C && i@Y = True && j@Y = False }}
            transition store ([i]) requires {{ P[i] = A }} {{ X := True; P[i] := B }}
            transition step ([i]) requires {{ P[i] = B }} {{ {read}; Y := True; P[i] := C }}"
        )
    };
    let kept = ["F[i] := ?", "F[i] := F[i]", "F[k] := case | k = i : True | _ : F[k]"];
    for plain in kept {
        assert_eq!(violated(&model(plain), 2), ["buffered", "late"], "{plain}");
    }
    let reads = [
        "T := case | X = True : i | _ : T",
        "F[i] := X",
        "F[T] := True",
        "F[k] := case | k = T : True | _ : F[k]",
        "F[k] := case | k = i : True | _ : X",
        "let x = X in F[i] := x",
    ];
    for read in reads {
        assert!(violated(&model(read), 2).is_empty(), "{read}");
    }
}

/// Without a weak write there is nothing to wait for: the store of the same process is still in its buffer.
#[test]
fn a_load_alone_does_not_wait() {
    let model = "type pc = A | B | C
        weak var X : bool
        array P[proc] : pc
        array R[proc] : bool
        init (i) { X = False && P[i] = A && R[i] = False }
        unsafe own (i j) { P[i] = C && R[i] = True && j@X = False }
        unsafe stale (i) { P[i] = C && R[i] = False }
        transition store ([i]) requires { P[i] = A } { X := True; P[i] := B }
        transition load ([i]) requires { P[i] = B } { R[i] := X; P[i] := C }";
    assert_eq!(violated(model, 2), ["own"]);
}

/// While `j` has not begun, only `i` has stored.
#[test]
fn the_youngest_store_is_read_and_the_oldest_leaves_first() {
    let model = "type pc = A | B | C
        type n = [0..2]
        weak var X : n
        weak var Y : n
        array P[proc] : pc
        init (i) { X = 0 && Y = 0 && P[i] = A }
        unsafe old (i j) { P[i] = C && P[j] = A && i@X <> 2 }
        unsafe order (i j) { P[j] = A && j@Y = 2 && j@X = 1 }
        unsafe apart (i j) { P[j] = A && j@Y = 0 && j@X = 2 }
        unsafe first (i j) { P[i] = C && P[j] = A && j@X = 1 }
        unsafe second (i j) { P[j] = A && j@X = 2 }
        transition one ([i]) requires { P[i] = A } { X := 1; P[i] := B }
        transition two ([i]) requires { P[i] = B } { X := 2; Y := 2; P[i] := C }";
    assert_eq!(violated(model, 2), ["first", "second"]);
}

#[test]
fn any_value_is_a_store() {
    let model = "type c = Red | Green | Blue
        type pc = A | B
        weak var X : c
        array P[proc] : pc
        init (i) { X = Red && P[i] = A }
        transition any ([i]) requires { P[i] = A } { X := ?; P[i] := B }";
    // The start; each of three values in the buffer, or in memory.
    assert_eq!(tso(model, 1).states.len(), 7);
}

#[test]
fn a_plain_variable_is_written_at_once() {
    let model = "type pc = A | B
        weak var X : bool
        var V : bool
        array P[proc] : pc
        init (i) { X = False && V = False && P[i] = A }
        unsafe ahead (i j) { V = True && i@X = False && j@X = True }
        unsafe behind (i) { V = False && i@X = True }
        transition store ([i]) requires { P[i] = A } { X := True; V := True; P[i] := B }";
    assert_eq!(violated(model, 2), ["ahead"]);
    let reads = model.replace("P[i] = A } {", "P[i] = A && V = False } {");
    assert_eq!(violated(&reads, 2), ["ahead"], "reading it makes nothing atomic");
}

#[test]
fn buffers_that_grow_for_ever_are_not_exhausted() {
    let model = "weak var X : bool
        array P[proc] : bool
        init (i) { X = False && P[i] = False }
        transition store ([i]) { X := True; P[i] := True }";
    let found = tso(model, 1);
    assert!(!found.exhaustive);
    assert_eq!(found.longest, bounds().buffer);
    // Nothing has happened; or the buffer has any length within the bound before the first flush, or after it.
    assert_eq!(found.states.len(), 1 + bounds().buffer + bounds().buffer + 1);
}

/// Values of an abstract type are the same when they are equal, whether in memory or in a buffer.
#[test]
fn abstract_values_in_buffers_are_renamed_too() {
    let model = "type t
        type pc = A | B
        weak var X : t
        weak var Y : t
        array P[proc] : pc
        init (i) { X = Y && P[i] = A }
        unsafe differ (i) { i@X <> i@Y }
        unsafe seen (i j) { i@X <> j@X }
        transition store ([i]) requires { P[i] = A } { X := ?; P[i] := B }";
    // The start; the same value or another one in the buffer, or in memory.
    assert_eq!(tso(model, 1).states.len(), 5);
    assert_eq!(violated(model, 2), ["differ", "seen"]);
}

/// A process that has stored can still flush: that is no deadlock.
#[test]
fn a_run_ends_with_empty_buffers() {
    let ends = |formula: &str| tso(&format!("{STORE}\nfinal {{ {formula} }}"), 2).violations;
    assert!(ends("forall i. i@X = True && P[i] = B").is_empty());
    assert_eq!(ends("forall i. P[i] = A").into_keys().collect::<Vec<_>>(), [("deadlock", String::new())]);
}

/// Every run without buffers is one with buffers that are flushed at once.
#[test]
fn what_happens_without_buffers_happens_with_them() {
    let mut tally = Tally::default();
    for seed in 0..600 {
        let mut features = Features::store_buffers();
        if seed % 2 == 0 {
            features = features.with(&[Feature::PlainVariables]);
        }
        let text = random_model(&Options { seed, size: Size::Small, features });
        for processes in 1..=2 {
            tally.compare(&format!("seed {seed}, {processes} processes"), &text, processes);
        }
    }
    println!("{tally:?}");
    assert!(tally.compared >= 700, "{tally:?}");
    assert!(tally.buffered >= 400, "{tally:?}");
    assert!(tally.delayed >= 20, "{tally:?}");
    assert!(tally.endless >= 10, "{tally:?}");
}

#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    /// Of these, with something in a buffer.
    buffered: usize,
    /// With more states or violations than without buffers.
    delayed: usize,
    /// Whose buffers grow beyond the bound.
    endless: usize,
}

impl Tally {
    fn compare(&mut self, name: &str, text: &str, processes: usize) {
        let bounds = Bounds { states: 3_000, ..bounds() };
        let explored = |memory| explore(text, memory, processes, &bounds);
        let (Ok(sc), Ok(tso)) = (explored(Memory::Sc), explored(Memory::Tso)) else { return };
        if !sc.exhaustive || tso.states.len() > bounds.states {
            return;
        }
        let settled = |state: &&State| state.buffers.iter().all(Vec::is_empty);
        let reached: HashSet<&State> = tso.states.keys().filter(settled).collect();
        for state in sc.states.keys() {
            assert!(reached.contains(state), "{name}: {state:?} is lost\n{text}");
        }
        for violation in sc.violations.keys() {
            assert!(tso.violations.contains_key(violation), "{name}: {violation:?} is lost\n{text}");
        }
        let more = reached.len() > sc.states.len() || tso.violations.len() > sc.violations.len();
        self.compared += 1;
        self.buffered += usize::from(tso.longest > 0);
        self.delayed += usize::from(more);
        self.endless += usize::from(!tso.exhaustive);
    }
}

/// The lowered model says which transitions read weak symbols as well, from the same words of the definition.
#[test]
fn the_text_decides_what_is_atomic() {
    let (mut atomic, mut others) = (0, 0);
    for seed in 0..400 {
        for features in [Features::store_buffers(), Features::weak(), Features::everything_weak()] {
            let text = random_model(&Options { seed, size: Size::Medium, features });
            let source = source::Source::new("model.cub", text.clone());
            let Some(model) = model::load(&source).model else { continue };
            let program = program(&text, Memory::Tso);
            assert_eq!(program.rules.len(), model.rules.len(), "seed {seed}");
            for transition in &model.transitions {
                let ours = &program.rules[transition.rule.index()];
                let reads = ours.reads.iter().any(|symbol| program.symbols[*symbol].weak);
                assert_eq!(reads, transition.reads_weak, "seed {seed}: {} in\n{text}", ours.name);
            }
            for rule in &program.rules {
                *(if program.is_atomic(rule) { &mut atomic } else { &mut others }) += 1;
            }
        }
    }
    assert!(atomic >= 300 && others >= 1000, "{atomic} atomic, {others} others");
}

#[test]
fn a_number_that_nothing_decides_needs_a_range() {
    let model = "weak var X : int
        array R[proc] : int
        init (i) { R[i] = 0 }
        transition load ([i]) { R[i] := X }";
    let refused = explore(model, Memory::Tso, 1, &bounds()).expect_err("it is open");
    assert_eq!(refused, Refusal::NeedsRange("X".to_owned()));
}
