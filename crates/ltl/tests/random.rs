//! Random formulas: automata, the search and fairness against definitions that share nothing with them.

mod common;

use common::{Random, Tableau, is_fair, names, negated};
use ltl::{Automaton, Emptiness, Fairness, search, translate};

const ATOMS: u64 = 3;

/// The seeds to try: `SEEDS=0..5000` asks for others.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let text = std::env::var("SEEDS").unwrap_or_default();
    let range = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    range.unwrap_or(0..usual)
}

#[test]
fn automata_accept_the_words_that_satisfy_the_formula() {
    for seed in seeds(1000) {
        let mut random = Random::new(seed);
        let size = 2 + random.below(9);
        let formula = random.formula(ATOMS, size);
        let automaton = translate(&formula, names(ATOMS)).unwrap();
        let opposite = translate(&negated(&formula), names(ATOMS)).unwrap();
        let again = Automaton::from_hoa(&automaton.to_hoa()).unwrap();
        for _ in 0..60 {
            let word = random.word(ATOMS);
            let (stem, cycle) = word.letters.split_at(word.back);
            let expected = word.satisfies(&formula);
            assert_eq!(automaton.accepts(stem, cycle), expected, "seed {seed}: {formula:?} on {word:?}");
            assert_eq!(opposite.accepts(stem, cycle), !expected, "seed {seed}: not {formula:?} on {word:?}");
            assert_eq!(again.accepts(stem, cycle), expected, "seed {seed}: read again");
        }
    }
}

/// A terminal automaton decides by reachability, on graphs whose runs all go on.
#[test]
fn terminal_automata_agree_with_reachability() {
    let mut terminal = 0;
    for seed in seeds(1000) {
        let mut random = Random::new(seed);
        let size = 2 + random.below(6);
        let formula = random.formula(ATOMS, size);
        let automaton = translate(&formula, names(ATOMS)).unwrap();
        let mut graph = random.graph(6, ATOMS, 0);
        for (state, steps) in graph.steps.iter_mut().enumerate() {
            if steps.is_empty() {
                let to = u32::try_from(state).unwrap();
                steps.push(ltl::Step { to, label: ltl::Label::default() });
            }
        }
        let (found, _) = search(&mut graph, &automaton, Fairness::default());
        let (reached, _) = ltl::reach(&mut graph.clone(), &automaton);
        let is_run = |result: &Emptiness| matches!(result, Emptiness::Run(_));
        if automaton.is_terminal() {
            terminal += 1;
            assert_eq!(is_run(&found), is_run(&reached), "seed {seed}: {formula:?}");
        } else {
            assert!(is_run(&found) || !is_run(&reached), "seed {seed}: {formula:?}");
        }
        if let Emptiness::Run(run) = reached {
            assert!(graph.has(&run), "seed {seed}: {run:?}");
            let letters: Vec<u64> = run.labels.iter().map(|label| label.letter).collect();
            let mut other = random.word(ATOMS);
            other.letters.splice(0..0, letters.iter().copied());
            other.back += letters.len();
            // What a prefix refutes, no continuation satisfies.
            assert!(!ltl::is_refuted(&formula, &other.letters) || !other.satisfies(&formula), "seed {seed}");
        }
    }
    assert!(terminal > 50, "{terminal}");
}

#[test]
fn runs_are_found_if_and_only_if_there_are_any() {
    let (mut found_runs, mut none) = (0, 0);
    for seed in seeds(1000) {
        let mut random = Random::new(seed);
        let size = 1 + random.below(5);
        let formula = random.formula(2, size);
        let constraints = random.below(4);
        let states = 2 + random.below(4);
        let mut graph = random.graph(states, 2, constraints);
        let weak = random.below(1 << constraints);
        let fairness = Fairness { weak, strong: random.below(1 << constraints) & !weak };
        let automaton = translate(&formula, names(2)).unwrap();
        let (found, _) = search(&mut graph, &automaton, fairness);
        let expected = Tableau::new(&formula).satisfied_by_a_run_of(&graph, fairness);
        match found {
            Emptiness::Run(run) => {
                assert!(expected, "seed {seed}: {formula:?} {fairness:?} {graph:?} {run:?}");
                assert!(graph.has(&run), "seed {seed}: {run:?}");
                assert!(is_fair(&run, fairness), "seed {seed}: {fairness:?} {run:?}");
                assert!(run.word().unwrap().satisfies(&formula), "seed {seed}: {formula:?} {run:?}");
                found_runs += 1;
            }
            Emptiness::Empty => {
                assert!(!expected, "seed {seed}: {formula:?} {fairness:?} {graph:?}");
                none += 1;
            }
            Emptiness::Stopped => panic!("nothing stops it"),
        }
    }
    assert!(found_runs > 100 && none > 100, "{found_runs} runs, {none} without");
}

/// The search meets the states where something is enabled first, and must find the cycle that avoids them.
#[test]
fn a_component_is_taken_apart_for_strong_fairness() {
    let step = |to, enabled| ltl::Step { to, label: ltl::Label { letter: 0, enabled, taken: 0 } };
    let steps =
        vec![vec![step(1, 0), step(2, 0), step(3, 0)], vec![step(0, 1)], vec![step(0, 2)], vec![step(0, 0)]];
    let mut graph = common::Explicit { steps };
    let automaton = translate(&ltl::Formula::True, vec![]).unwrap();
    let fairness = Fairness { weak: 0, strong: 3 };
    let (found, _) = search(&mut graph, &automaton, fairness);
    let Emptiness::Run(run) = found else { panic!("there is a fair run: {found:?}") };
    assert!(graph.has(&run) && is_fair(&run, fairness), "{run:?}");
    graph.steps[3][0].label.enabled = 2;
    assert_eq!(search(&mut graph, &automaton, fairness).0, Emptiness::Empty);
}

/// `p W q` does not promise `q`, although `p U q` does.
#[test]
fn a_weak_until_promises_nothing() {
    let (p, q) = (Box::new(ltl::Formula::Atom(0)), Box::new(ltl::Formula::Atom(1)));
    let weak = ltl::Formula::Binary(ltl::Binary::WeakUntil, p, q.clone());
    let both = ltl::Formula::Binary(
        ltl::Binary::And,
        Box::new(weak),
        Box::new(ltl::Formula::Unary(ltl::Unary::Finally, q)),
    );
    let automaton = translate(&both, names(2)).unwrap();
    assert!(!automaton.accepts(&[], &[1]) && automaton.accepts(&[1, 1], &[2]));
}
