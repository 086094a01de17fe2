//! Comparing implementations with their specification: known defects with shortest traces, and every mutant of every table.

mod common;

use common::{corpus, graph, protocol};
use explore::Limits;
use motet_protocol::{
    Action, Behaviour, Difference, Entry, Explored, Implementation, Meeting, State, StateGraph, Style, Table,
    Vocabulary, compare,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

fn told(vocabulary: &Vocabulary, difference: &Difference) -> Vec<String> {
    let steps = difference.trace.iter().chain(&difference.action).map(|action| vocabulary.text(action));
    let end = difference.action.is_none().then(|| "END".to_owned());
    steps.chain(end).collect()
}

/// The shortest traces that an implementation has lost and added.
fn differences(text: &str, values: &[&str], style: Style) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let graph = graph(&protocol(text), values);
    let made = |style| Implementation::new(&graph, style).unwrap();
    let (specification, implementation) = (made(Style::Spec), made(style));
    let comparison = compare(&specification, &implementation, &Limits::default());
    assert_eq!(comparison.incomplete, None);
    let all = |list: &[Difference]| list.iter().map(|it| told(&graph.vocabulary, it)).collect();
    (all(&comparison.lost), all(&comparison.added))
}

const WHO_BEGINS: &str = "(defroles :a :b) (defsession :s [] (alt (:turns :a :b) (:turns :b :a)))
    (defsession :turns [x y] (-->> Move x y) (:turns y x))";

/// Without a shared state nobody can tell who begins, so both may: a defect of earlier tools that nothing reported.
#[test]
fn both_begin_where_the_choice_is_mixed() {
    assert_eq!(differences(WHO_BEGINS, &[], Style::Strict), (vec![], vec![]));
    let (lost, added) = differences(WHO_BEGINS, &[], Style::Liberal);
    assert_eq!(lost, Vec::<Vec<String>>::new());
    assert_eq!(added[0], ["a SEND Move TO b", "b SEND Move TO a"]);
}

/// A machine that takes the first of two transitions with the same label loses behaviour; the subset construction does not.
const TWO_BRANCHES: &str = "(defroles :a :b) (defsession :s [] (alt (cat (-->> T :a :b) (-->> U :b :a)) (cat (-->> T :a :b) (-->> V :b :a))))";

#[test]
fn choices_that_begin_alike_lose_nothing() {
    assert_eq!(differences(TWO_BRANCHES, &[], Style::Strict), (vec![], vec![]));
    assert_eq!(differences(TWO_BRANCHES, &[], Style::Liberal), (vec![], vec![]));
}

/// The defect itself is noticed, with a shortest trace.
#[test]
fn taking_the_first_of_two_branches_is_noticed() {
    let graph = graph(&protocol(TWO_BRANCHES), &[]);
    let specification = Implementation::new(&graph, Style::Spec).unwrap();
    let table = &specification.machines()[0];
    let first_only = |state: u32| {
        let mut row: Vec<Entry> = table.row(state).to_vec();
        row.dedup_by_key(|entry| entry.action);
        row
    };
    let states = u32::try_from(table.states()).unwrap();
    let table = Table::new((0..states).map(first_only).collect(), table.may_stop.to_vec());
    let wrong = Implementation::new(&graph, Style::Strict).unwrap().with_tables(vec![table], vec![]);
    let comparison = compare(&specification, &wrong, &Limits::default());
    let lost: Vec<Vec<String>> = comparison.lost.iter().map(|it| told(&graph.vocabulary, it)).collect();
    assert_eq!(lost, [["a SEND T TO b", "b RECV T FROM a", "b SEND V TO a"]]);
    assert!(comparison.added.is_empty());
}

/// Published protocols with known defects.
#[test]
fn published_defects_are_absent_or_reported() {
    let Some(folder) = corpus() else { return };
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let (lost, added) = differences(&read("tic-tac-toe.dcj"), &[], Style::Liberal);
    assert!(lost.is_empty());
    assert_eq!(added[0], ["player[1] SEND Move TO player[2]", "player[2] SEND Move TO player[1]"]);
    let scissors = read("rock-paper-scissors.dcj");
    for players in ["2", "3", "4"] {
        assert_eq!(differences(&scissors, &[players], Style::Strict), (vec![], vec![]), "{players} players");
    }
    let graph = graph(&protocol(&scissors), &["3"]);
    let liberal = Implementation::new(&graph, Style::Liberal).unwrap();
    let explored = Explored::new(&liberal, &Limits::default());
    let stuck = explored.deadlock().expect("players do not know who has lost");
    assert_eq!(explored.way_to(stuck).len(), 16);
}

/// Protocols of our own, of every kind: choices, loops, weak sequences, interleavings, several receivers, handshakes, closing, ends.
const OURS: &[&str] = &[
    WHO_BEGINS,
    TWO_BRANCHES,
    "(defroles :a :b) (defsession :s [] (loop :l [x :a y :b] (alt (cat (-->> Move x y) (recur :l y x)) (-->> Resign x y))))",
    "(defroles :a :b :c) (defsession :s [] (* (-->> T :a #{:b :c}) (par (-->> V :b :a) (-->> V :c :a)) (alt (-->> Y :a #{:b :c}) (-->> N :a #{:b :c}))))",
    "(defroles :a :b :c) (defsession :s [] (async (-->> T :a :b) (-->> T :b :c) (-->> T :a :b) (-->> T :b :c)))",
    "(defroles :a :b :c) (defsession :s [] (alt (cat (-->> O :a :c) (-->> A :c :a)) (cat (-->> O :b :c) (-->> A :c :b))))",
    "(defroles :a :b :c) (defsession :s [] (loop :l [] (--> Ask :a :b) (alt (cat (--> Yes :b :a) (--> T :a :c) (recur :l)) (--> No :b :a))) (close :a :b))",
    "(defroles :a :b) (defsession :s [] (par (* (-->> T :a :b) (-->> U :b :a)) (--> V :b :a)))",
    "(defroles :a :b :c) (defsession :s [] (loop :l [i 0] (alt-every [j (remove #{i} (range 3))] (cat (-->> Token (:a i) (:a j)) (recur :l j)))))",
];

#[test]
fn every_mutant_of_our_protocols_is_noticed() {
    let mut count = Count::default();
    for text in OURS {
        mutate(&graph(&protocol(text), &[]), &mut count);
    }
    assert!(count.mutants > 500 && count.different > count.mutants * 8 / 10, "{count:?}");
    assert!(count.different < count.mutants, "some mutants change nothing: {count:?}");
}

#[test]
fn every_mutant_of_published_protocols_is_noticed() {
    let Some(folder) = corpus() else { return };
    let mut count = Count::default();
    for (file, values) in [
        ("chess", &[][..]),
        ("tic-tac-toe", &[]),
        ("rock-paper-scissors", &["2"]),
        ("rock-paper-scissors", &["3"]),
        ("token-directed-ring", &["4", "0"]),
        ("token-undirected-ring", &["4", "0"]),
        ("token-star", &["4", "0"]),
        ("token-binary-tree", &["4", "0"]),
        ("token-2d-mesh", &["4", "0"]),
        ("cg", &["2"]),
        ("is", &["2"]),
        ("ft", &["2"]),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{file}.dcj"))).unwrap();
        mutate(&graph(&protocol(&text), values), &mut count);
    }
    eprintln!("{count:?}");
    assert!(count.mutants > 2000, "{count:?}");
}

#[derive(Debug, Default)]
struct Count {
    mutants: usize,
    different: usize,
}

/// Deletes and re-targets each transition of both implementations, and compares with the specification and with what was mutated. What the
/// comparison says must be what traces say that are enumerated without it.
fn mutate(graph: &StateGraph, count: &mut Count) {
    let limits = Limits { states: Some(4000), ..Limits::default() };
    let specification = Implementation::new(graph, Style::Spec).unwrap();
    for style in [Style::Strict, Style::Liberal] {
        let whole = Implementation::new(graph, style).unwrap();
        for mutant in mutants(&whole) {
            count.mutants += 1;
            for original in [&specification, &whole] {
                let comparison = compare(original, &mutant, &limits);
                let (lost, added) = included(original, &mutant);
                if comparison.incomplete.is_none() {
                    assert_eq!(!comparison.lost.is_empty(), lost, "{style}");
                    assert_eq!(!comparison.added.is_empty(), added, "{style}");
                } else {
                    // Where a mutant floods a channel, what was found is right all the same.
                    assert!(lost || comparison.lost.is_empty(), "{style}");
                    assert!(added || comparison.added.is_empty(), "{style}");
                    assert!(lost || added, "a mutant without bound has other traces");
                    assert!(!comparison.lost.is_empty() || !comparison.added.is_empty(), "{style}");
                }
                count.different += usize::from((lost || added) && std::ptr::eq(original, &raw const whole));
            }
        }
    }
}

/// The implementation without a transition, and with one that leads elsewhere: to the state before, behind, or far away.
fn mutants(whole: &Implementation) -> Vec<Implementation> {
    let mut found = Vec::new();
    for (at, table) in whole.machines().iter().enumerate() {
        let states = u32::try_from(table.states()).unwrap();
        for entry in 0..table.entries.len() {
            let mut changed: Vec<Table> = vec![deleted(table, entry)];
            let elsewhere = BTreeSet::from([1, states / 2, states.max(1) - 1]);
            for distance in elsewhere.into_iter().filter(|distance| distance % states != 0) {
                let mut other = table.clone();
                let target = &mut other.entries.to_mut()[entry];
                target.next = (target.next + distance) % states;
                changed.push(other);
            }
            for mutant in changed {
                let mut tables = whole.machines().to_vec();
                tables[at] = mutant;
                found.push(whole.clone().with_tables(tables, whole.meetings().to_vec()));
            }
        }
    }
    for at in 0..whole.meetings().len() {
        let mut meetings: Vec<Meeting> = whole.meetings().to_vec();
        meetings.remove(at);
        found.push(whole.clone().with_tables(whole.machines().to_vec(), meetings));
    }
    found
}

fn deleted(table: &Table, entry: usize) -> Table {
    let rows = (0..u32::try_from(table.states()).unwrap()).map(|state| {
        let start = table.rows[state as usize] as usize;
        let row = table.row(state).iter().enumerate();
        row.filter(|(at, _)| start + at != entry).map(|(_, entry)| *entry).collect()
    });
    Table::new(rows.collect(), table.may_stop.to_vec())
}

type Known = BTreeMap<State, (BTreeMap<Option<Action>, Vec<State>>, usize)>;

/// Whether traces of the first are missing in the second, and the other way round: by marking pairs, depth first, of a state of the one
/// and all states of the other that the same trace leads to.
fn included(one: &Implementation, other: &Implementation) -> (bool, bool) {
    (is_missing(one, other), is_missing(other, one))
}

fn is_missing(one: &Implementation, other: &Implementation) -> bool {
    let mut seen: BTreeSet<(usize, BTreeSet<usize>)> = BTreeSet::new();
    let (mut left, mut right) = (Known::new(), Known::new());
    let first = number(&mut left, one, &one.initial());
    let firsts = BTreeSet::from([number(&mut right, other, &other.initial())]);
    let (mut left_states, mut right_states) = (vec![one.initial()], vec![other.initial()]);
    let mut list = VecDeque::from([(first, firsts)]);
    while let Some((state, among)) = list.pop_back() {
        if !seen.insert((state, among.clone())) || seen.len() > 6000 {
            continue;
        }
        for (action, targets) in left[&left_states[state]].0.clone() {
            let others: Vec<State> = among
                .iter()
                .filter_map(|at| right[&right_states[*at]].0.get(&action))
                .flatten()
                .cloned()
                .collect();
            if others.is_empty()
                && !(action.is_none() && among.iter().any(|at| other.may_end(&right_states[*at])))
            {
                return true;
            }
            let mut next = BTreeSet::new();
            for state in others {
                next.insert(numbered(&mut right, &mut right_states, other, state));
            }
            for target in targets {
                let target = numbered(&mut left, &mut left_states, one, target);
                list.push_back((target, next.clone()));
            }
        }
    }
    false
}

fn numbered(known: &mut Known, states: &mut Vec<State>, of: &Implementation, state: State) -> usize {
    let at = number(known, of, &state);
    if at == states.len() {
        states.push(state);
    }
    at
}

fn number(known: &mut Known, of: &Implementation, state: &State) -> usize {
    let next = known.len();
    let entry = known.entry(state.clone()).or_insert_with(|| {
        let mut steps: BTreeMap<Option<Action>, Vec<State>> = BTreeMap::new();
        for step in of.moves(state) {
            steps.entry(Some(step.action)).or_default().push(step.to);
        }
        if of.may_end(state) {
            steps.entry(None).or_default();
        }
        (steps, next)
    });
    entry.1
}

/// The comparison and the exploration see the same object through the trait.
#[test]
fn the_trait_and_the_implementation_agree() {
    let graph = graph(&protocol(WHO_BEGINS), &[]);
    let liberal = Implementation::new(&graph, Style::Liberal).unwrap();
    let behaviour: &dyn Behaviour = &liberal;
    let first = behaviour.initial().unwrap();
    assert_eq!(behaviour.moves(&first).unwrap(), liberal.moves(&first));
    assert_eq!(behaviour.machine(1), "b");
}
