//! Processes that are promised: by assumptions, and by counters that are together more than all processes.

use crate::support::{cubes, load};
use certify::{Certificate, Counter, Obligation, Start, check};
use ir::{EnumId, Formula, Model, SymbolId, Term, Var};

/// Whoever has the votes of a quorum wins, everybody votes once, and two quorums have a member in common.
const QUORUMS: &str = "
const Quorum[proc,proc] : bool
array For[proc,proc] : bool
array Won[proc] : bool
init (i j) { For[i,j] = False && Won[i] = False }
unsafe (q r) { Won[q] && Won[r] }
transition elect (i j) requires { forall k. not For[i,k] } { For[i,j] := True }
transition elect_itself (i) requires { forall k. not For[i,k] } { For[i,i] := True }
transition win (q) requires { forall k. Quorum[q,k] => For[k,q] } { Won[q] := True }
";
const DISJOINT: &str = "assume disjoint (q r) { forall k. not Quorum[q,k] || not Quorum[r,k] }";
const LEMMAS: [&str; 4] = [
    "unsafe (q k) { Won[q] && Quorum[q,k] && not For[k,q] }",
    "unsafe (q) { Won[q] && Quorum[q,q] && not For[q,q] }",
    "unsafe (k q r) { For[k,q] && For[k,r] }",
    "unsafe (k q) { For[k,k] && For[k,q] }",
];

fn elected(assumption: &str, lemmas: &[&str]) -> (Model, Certificate) {
    let declared = format!("{QUORUMS}{assumption}\n");
    let cubes = cubes(&load(&format!("{declared}{}", lemmas.join("\n"))));
    (load(&declared), Certificate { cubes, ..Certificate::default() })
}

#[test]
fn the_common_member_of_two_quorums_votes_once() {
    let (model, certificate) = elected(DISJOINT, &LEMMAS);
    check(&model, &certificate).unwrap_or_else(|rejection| panic!("{rejection}"));
}

#[test]
fn without_the_assumption_there_may_be_no_common_member() {
    // That each quorum has a member does not make them have one in common.
    for assumption in ["", "assume empty (q) { forall k. not Quorum[q,k] }"] {
        let (model, certificate) = elected(assumption, &LEMMAS);
        check(&model, &certificate).expect_err("two disjoint quorums elect two");
    }
}

#[test]
fn the_common_member_may_be_anybody() {
    // Without the lemma about a third process, and without that about one of the two.
    for left_out in [2, 3] {
        let lemmas: Vec<&str> =
            LEMMAS.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, lemma)| *lemma).collect();
        let (model, certificate) = elected(DISJOINT, &lemmas);
        check(&model, &certificate).expect_err("the member may vote for both");
    }
}

#[test]
fn a_promise_depends_on_its_premise() {
    // Only large quorums have a member in common.
    let premise = "const Large[proc] : bool\nassume disjoint (q r) { Large[q] && Large[r] && forall k. not Quorum[q,k] || not Quorum[r,k] }";
    let (model, certificate) = elected(premise, &LEMMAS);
    check(&model, &certificate).expect_err("small ones need not");
}

/// Two parties for which different processes vote.
fn parties(threshold: &str, seen: &str) -> (Model, Certificate) {
    let text = format!(
        "
array Red[proc] : bool
array Blue[proc] : bool
var IsRed : bool
var IsBlue : bool
init (i) {{ Red[i] = False && Blue[i] = False && IsRed = False && IsBlue = False }}
unsafe () {{ IsRed = True && IsBlue = True }}
transition red (i) requires {{ Blue[i] = False }} {{ Red[i] := True }}
transition blue (i) requires {{ Red[i] = False }} {{ Blue[i] := True }}
transition red_wins () requires {{ count(Red, True) {threshold} }} {{ IsRed := True }}
transition blue_wins () requires {{ count(Blue, True) {threshold} }} {{ IsBlue := True }}
"
    );
    let never = format!(
        "
var Reds : int
var Blues : int
unsafe (i) {{ Red[i] = True && Blue[i] = True }}
unsafe () {{ IsRed = True && 2 * Reds {seen} SYS_PROCS }}
unsafe () {{ IsBlue = True && 2 * Blues {seen} SYS_PROCS }}
"
    );
    let model = load(&text);
    let counter = |name: &str, at: u32| {
        let cell = Term::read(SymbolId(at), vec![Term::Var(Var(0))]);
        let formula = Formula::eq(cell, Term::Constructor(EnumId(0), 1));
        Counter { name: name.into(), variables: vec!["k".into()], formula, start: Start::Nobody }
    };
    let counters = vec![counter("Reds", 0), counter("Blues", 1)];
    let cubes = cubes(&load(&format!("{text}{never}")));
    (model, Certificate { cubes, counters, ..Certificate::default() })
}

#[test]
fn two_majorities_have_a_member_in_common() {
    let (model, certificate) = parties("> 1/2", "<=");
    check(&model, &certificate).unwrap_or_else(|rejection| panic!("{rejection}"));
}

#[test]
fn two_halves_have_none() {
    let (model, certificate) = parties(">= 1/2", "<");
    let rejection = check(&model, &certificate).expect_err("two and two of four");
    assert!(matches!(rejection.obligation, Obligation::Step { .. }), "{rejection}");
}
