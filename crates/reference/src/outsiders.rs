//! Which variables and arrays hold outsiders initially (section 6).

use crate::{
    state::Value,
    tree::{Init, Phrase, Program, Relation, Type},
};
use std::collections::BTreeMap;

/// The symbols that hold an outsider initially, each with the symbol that its outsider is named after.
pub type Outside = BTreeMap<usize, usize>;

/// A literal: a formula that is not a connective, and whether it is asserted or denied.
type Literal<'p> = (bool, &'p Phrase);

/// A part of `init`: outsiders, and the disjuncts that require them.
#[derive(Debug)]
pub struct Start<'p> {
    pub init: &'p Init,
    pub outside: Outside,
    pub formula: Phrase,
}

/// The parts of all `init`s: one for each way in which its disjuncts equate outsiders.
pub fn starts(program: &Program) -> Vec<Start<'_>> {
    let may_be_outside =
        |symbol: &crate::tree::Symbol| matches!(symbol.of, Type::Process(_)) && symbol.arity == 0;
    if !program.symbols.iter().any(may_be_outside) {
        return program.inits.iter().map(whole).collect();
    }
    let mut parts: Vec<(&Init, Vec<Literal<'_>>, Outside)> = Vec::new();
    for init in &program.inits {
        for literals in disjuncts(&init.formula, true) {
            let outside = outsiders(program, init, &literals);
            parts.push((init, literals, outside));
        }
    }
    // Every disjunct of every `init` must require it.
    let everywhere: Vec<usize> = (0..program.symbols.len())
        .filter(|symbol| parts.iter().all(|(_, _, outside)| outside.contains_key(symbol)))
        .collect();
    if everywhere.is_empty() || parts.is_empty() {
        return program.inits.iter().map(whole).collect();
    }
    group(parts, &everywhere)
}

fn whole(init: &Init) -> Start<'_> {
    Start { init, outside: Outside::new(), formula: init.formula.clone() }
}

/// Disjuncts of one `init` with the same outsiders belong together.
fn group<'p>(parts: Vec<(&'p Init, Vec<Literal<'p>>, Outside)>, everywhere: &[usize]) -> Vec<Start<'p>> {
    let mut groups: Vec<(&Init, Outside, Vec<Phrase>)> = Vec::new();
    for (init, literals, mut outside) in parts {
        outside.retain(|symbol, _| everywhere.contains(symbol));
        let disjunct = Phrase::And(literals.into_iter().map(literal).collect());
        let same =
            |(known, names, _): &&mut (&Init, Outside, _)| std::ptr::eq(*known, init) && *names == outside;
        match groups.iter_mut().find(same) {
            Some((_, _, disjuncts)) => disjuncts.push(disjunct),
            None => groups.push((init, outside, vec![disjunct])),
        }
    }
    let start = |(init, outside, disjuncts)| Start { init, outside, formula: Phrase::Or(disjuncts) };
    groups.into_iter().map(start).collect()
}

fn literal((asserted, phrase): Literal<'_>) -> Phrase {
    if asserted { phrase.clone() } else { Phrase::Not(Box::new(phrase.clone())) }
}

/// The outsiders of one disjunct: `G <> i` with a parameter, closed under equations. Equated symbols share the
/// outsider of the one that is declared first.
fn outsiders(program: &Program, init: &Init, literals: &[Literal<'_>]) -> Outside {
    let mut outside = Outside::new();
    for (left, right) in equalities(literals, false) {
        for (variable, other) in [(left, right), (right, left)] {
            if let (Some(symbol), true) = (global(program, variable), is_free_param(init, other)) {
                outside.insert(symbol, symbol);
            }
        }
    }
    let place = |phrase| global(program, phrase).or_else(|| whole_array(program, init, phrase));
    let pairs = equalities(literals, true);
    let pairs: Vec<_> = pairs.into_iter().filter_map(|(a, b)| Some((place(a)?, place(b)?))).collect();
    loop {
        let before = outside.clone();
        for (a, b) in &pairs {
            let named = [outside.get(a), outside.get(b)].into_iter().flatten().min().copied();
            outside.extend(named.into_iter().flat_map(|named| [(*a, named), (*b, named)]));
        }
        if outside == before {
            return outside;
        }
    }
}

/// Both sides of the equations among literals, or of the disequations.
fn equalities<'p>(literals: &[Literal<'p>], equal: bool) -> Vec<(&'p Phrase, &'p Phrase)> {
    let sides = |(asserted, phrase): &Literal<'p>| match phrase {
        Phrase::Compare(Relation::Eq, left, right) if *asserted == equal => Some((&**left, &**right)),
        Phrase::Compare(Relation::Neq, left, right) if *asserted != equal => Some((&**left, &**right)),
        _ => None,
    };
    literals.iter().filter_map(sides).collect()
}

fn global(program: &Program, phrase: &Phrase) -> Option<usize> {
    let Phrase::Read(symbol, indices) = phrase else { return None };
    (indices.is_empty() && matches!(program.symbols[*symbol].of, Type::Process(_))).then_some(*symbol)
}

/// The array of a read `A[p]` with distinct parameters as indices, which stands for all cells.
fn whole_array(program: &Program, init: &Init, phrase: &Phrase) -> Option<usize> {
    let Phrase::Read(symbol, indices) = phrase else { return None };
    let different = |at: usize| !indices[..at].contains(&indices[at]);
    let every = indices.iter().all(|index| is_free_param(init, index)) && (0..indices.len()).all(different);
    (every && matches!(program.symbols[*symbol].of, Type::Process(_))).then_some(*symbol)
}

/// A parameter that stands for every process of the run: one without a kind.
fn is_free_param(init: &Init, phrase: &Phrase) -> bool {
    let same = |variable: &usize| {
        init.params.iter().any(|param| param.variable == *variable && param.kind.is_none())
    };
    matches!(phrase, Phrase::Variable(variable) if same(variable))
}

/// The disjuncts of a formula, negations pushed inwards. A quantifier is a literal; `false` has none.
fn disjuncts(formula: &Phrase, asserted: bool) -> Vec<Vec<Literal<'_>>> {
    let rec = |part| disjuncts(part, asserted);
    let not = |part| disjuncts(part, !asserted);
    match (formula, asserted) {
        (Phrase::Value(Value::Truth(truth)), _) => {
            if *truth == asserted {
                vec![vec![]]
            } else {
                vec![]
            }
        }
        (Phrase::Not(part), _) => not(part),
        (Phrase::And(parts), true) | (Phrase::Or(parts), false) => {
            parts.iter().map(rec).fold(vec![vec![]], |all, part| both(&all, &part))
        }
        (Phrase::And(parts), false) | (Phrase::Or(parts), true) => parts.iter().flat_map(rec).collect(),
        (Phrase::Implies(premise, conclusion), true) => [not(premise), rec(conclusion)].concat(),
        (Phrase::Implies(premise, conclusion), false) => both(&not(premise), &rec(conclusion)),
        (Phrase::Iff(left, right), _) => {
            let same = both(&disjuncts(left, true), &rec(right));
            [same, both(&disjuncts(left, false), &not(right))].concat()
        }
        (Phrase::If(condition, then, otherwise), _) => {
            let yes = both(&disjuncts(condition, true), &rec(then));
            [yes, both(&disjuncts(condition, false), &rec(otherwise))].concat()
        }
        _ => vec![vec![(asserted, formula)]],
    }
}

/// Combines every disjunct of one with every disjunct of the other.
fn both<'p>(left: &[Vec<Literal<'p>>], right: &[Vec<Literal<'p>>]) -> Vec<Vec<Literal<'p>>> {
    left.iter().flat_map(|a| right.iter().map(move |b| [a.as_slice(), b].concat())).collect()
}
