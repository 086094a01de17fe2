//! The Hanoi format: what we write, what others write, and what is refused.

use ltl::{Automaton, Formula, Unary, translate};

/// Whether an automaton over one atom accepts a word, written by `a` and `-`.
fn accepts(automaton: &Automaton, stem: &str, cycle: &str) -> bool {
    let letters = |text: &str| text.chars().map(|letter| u64::from(letter == 'a')).collect::<Vec<u64>>();
    automaton.accepts(&letters(stem), &letters(cycle))
}

/// Infinitely often `a`, as different tools may write it.
const RECURRENCE: [&str; 5] = [
    // Marks on transitions.
    r#"HOA: v1 name: "GFa" States: 1 Start: 0 AP: 1 "a" acc-name: Buchi Acceptance: 1 Inf(0)
       properties: trans-labels explicit-labels trans-acc deterministic
       --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--"#,
    // Marks on states: the edges of a state carry them.
    r#"HOA: v1 States: 2 Start: 1 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
       State: 1 "waiting" [0] 0 [!0] 1 State: 0 {0} [0] 0 [!0] 1 --END--"#,
    // Implicit labels: the letter without `a` comes first.
    r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 0 0 {0} --END--"#,
    // Labels on states, a complemented set, a set that is never mentioned, comments.
    r#"HOA: v1 /* two /* nested */ sets */ States: 2 Start: 0 Start: 1 AP: 1 "a" Acceptance: 2 (Inf(!0) & Inf(!1))
       --BODY-- State: [0] 0 0 1 State: [!0] 1 {0} 0 1 --END--"#,
    // Aliases, used in each other.
    r#"HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" Alias: @a 0 Alias: @any (@a | !@a) & t Acceptance: 1 Inf(0)
       --BODY-- State: 0 [@a & (1 | !1)] 0 {0} [!@a & @any] 0 --END--"#,
];

#[test]
fn automata_of_others_are_read() {
    for text in RECURRENCE {
        let automaton = Automaton::from_hoa(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let again = Automaton::from_hoa(&automaton.to_hoa()).unwrap();
        let reduced = automaton.reduced();
        assert!(reduced.states.len() <= 2 && reduced.marks == 1, "{text}");
        for automaton in [automaton, again, reduced] {
            assert!(accepts(&automaton, "--a-", "-a"), "{text}");
            assert!(accepts(&automaton, "", "a"), "{text}");
            assert!(!accepts(&automaton, "aaa", "-"), "{text}");
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    let formula = Formula::Unary(Unary::Globally, Box::new(Formula::Atom(0)));
    let automaton = translate(&formula, vec!["Loc[#1] = \"Idle\"".into()]).unwrap();
    let text = automaton.to_hoa();
    assert!(text.contains(r#"AP: 1 "Loc[#1] = \"Idle\"""#), "{text}");
    assert_eq!(Automaton::from_hoa(&text), Ok(automaton));
    let nothing = translate(&Formula::False, vec![]).unwrap();
    assert_eq!((nothing.states.len(), nothing.initial.len()), (0, 0));
    assert_eq!(Automaton::from_hoa(&nothing.to_hoa()), Ok(nothing));
}

#[test]
fn a_condition_that_is_false_accepts_nothing() {
    let text = "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 f --BODY-- State: 0 [t] 0 --END--";
    assert!(!Automaton::from_hoa(text).unwrap().accepts(&[], &[0]));
    assert!(Automaton::from_hoa(&text.replace("0 f", "0 t")).unwrap().accepts(&[], &[0]));
}

#[test]
fn what_is_not_supported_is_refused_with_line_and_reason() {
    let with = |acceptance: &str, body: &str| {
        format!(
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: {acceptance}\n--BODY--\n{body}\n--END--\n"
        )
    };
    for (text, line, reason) in [
        (with("1 Fin(0)", ""), 5, "`Fin`"),
        (with("2 Inf(0) | Inf(1)", ""), 5, "a disjunction"),
        (with("1 Inf(1)", ""), 5, "no set 1"),
        (with("1 Inf(0)", "State: 0\n[0] 0&1"), 8, "alternation"),
        (with("1 Inf(0)", "State: 0\n[1] 0"), 8, "no atom 1"),
        (with("1 Inf(0)", "State: 0\n[@x] 0"), 8, "`@x` is not defined"),
        (with("1 Inf(0)", "State: 0\n[0] 0 {1}"), 8, "no acceptance set 1"),
        (with("1 Inf(0)", "State: 0\n[0] 0\nState: 0\n[0] 0"), 9, "defined twice"),
        (with("1 Inf(0)", "State: 2\n[0] 0"), 7, "no state 2"),
        (with("1 Inf(0)", "State: 0\n0"), 7, "an edge for each letter"),
        (with("1 Inf(0)", "State: 0\n[0] 7"), 9, "8 states"),
        (with("1 Inf(0)", "State: 0 ["), 8, "expected a label"),
        ("HOA: v2 --BODY-- --END--".into(), 1, "version"),
        ("HOA: v1 --BODY-- --END--".into(), 1, "`Acceptance:` is missing"),
        ("HOA: v1 Strange: 3 --BODY-- --END--".into(), 1, "`Strange:` is not supported"),
        ("HOA: v1 name: \"x".into(), 1, "no end"),
        ("HOA: v1 /* x".into(), 1, "no end"),
        (String::new(), 1, "the text ends"),
        ("never begin".into(), 1, "expected `HOA:`"),
    ] {
        let error = Automaton::from_hoa(&text).expect_err(&text);
        assert!(error.message.contains(reason) && error.line == line, "{text}\n{error}");
    }
    let deep = with("1 Inf(0)", &format!("State: 0 [{}0] 0", "!".repeat(100_000)));
    assert!(Automaton::from_hoa(&deep).unwrap_err().message.contains("nested too deep"));
}
