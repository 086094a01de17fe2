//! How small automata are.

use ltl::{Formula, Unary, parse, translate};

/// Numbers the atoms of a formula.
fn numbered(text: &str) -> (Formula<u32>, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    let mut number = |atom: ltl::Atom| -> Result<u32, std::convert::Infallible> {
        let at = names.iter().position(|name| *name == atom.text).unwrap_or_else(|| {
            names.push(atom.text);
            names.len() - 1
        });
        Ok(u32::try_from(at).unwrap())
    };
    let formula = parse(text, 0.into()).unwrap().try_map(&mut number).unwrap();
    (formula, names)
}

/// The number of states of the automata of a formula and of its negation.
fn sizes(text: &str) -> (usize, usize) {
    let (formula, names) = numbered(text);
    let negation = Formula::Unary(Unary::Not, Box::new(formula.clone()));
    let size = |formula| translate(formula, names.clone()).unwrap().states.len();
    (size(&formula), size(&negation))
}

#[test]
fn common_patterns_have_the_smallest_automata() {
    for (formula, expected) in [
        ("true", (1, 0)),
        ("p", (2, 2)),
        ("G p", (1, 2)),
        ("F p", (2, 1)),
        ("G F p", (1, 2)),
        ("p U q", (2, 2)),
        ("G (p -> F q)", (2, 2)),
        ("G (p -> X q)", (2, 3)),
        ("G (p -> X F q)", (2, 2)),
        ("G F p & G F q", (1, 3)),
        ("G F p -> G F q", (4, 2)),
        ("F G p", (2, 1)),
    ] {
        assert_eq!(sizes(formula), expected, "{formula}");
    }
}

/// What has no small automaton is refused, and not in the next century.
#[test]
fn automata_are_not_made_at_any_price() {
    let all = |many: usize, pattern: &str| {
        let parts: Vec<String> = (0..many).map(|at| pattern.replace('#', &at.to_string())).collect();
        parts.join(" & ")
    };
    let translated = |text: &str| {
        let (formula, names) = numbered(text);
        translate(&formula, names)
    };
    assert_eq!(translated(&all(65, "F p#")).unwrap_err(), ltl::TooLarge::Atoms);
    for text in
        [all(30, "F p#"), all(30, "(G F p# -> G F q#)"), all(20, "(p# U X q#)"), all(12, "F (p# & X q#)")]
    {
        assert_eq!(translated(&text).unwrap_err(), ltl::TooLarge::Automaton, "{text}");
    }
    assert_eq!(translated(&all(10, "G F p#")).unwrap().states.len(), 1);
    assert!(translated(&all(3, "(G F p# -> G F q#)")).unwrap().states.len() < 40);
}

/// With `MOTET_FORMULAS=FILE`, one formula in each line: prints the sizes, and the average.
#[test]
fn formulas_of_a_file() {
    let Ok(file) = std::env::var("MOTET_FORMULAS") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let found: Vec<(usize, usize)> = text.lines().map(sizes).collect();
    for (formula, (positive, negative)) in text.lines().zip(&found) {
        println!("{positive:3} {negative:3}  {formula}");
    }
    let total: usize = found.iter().map(|(positive, negative)| positive + negative).sum();
    let hundredths = total * 100 / (2 * found.len());
    println!("{}.{:02} states on average", hundredths / 100, hundredths % 100);
    assert!(hundredths <= 410);
}
