//! Random models with random cubes: whatever the checker accepts is true of every state that small instances reach.
//!
//! Of many candidates, those that the checker rejects are dropped until the rest is accepted. The variable
//! `CERTIFY_SEEDS` is the number of models that are tried, from the seed `CERTIFY_FROM` on.

use super::{
    reachable::Reachable,
    solver::{Said, z3},
    support::load,
};
use certify::{Cause, Certificate, CheckOptions, Checked, Cube, Obligation, Rejection, check, check_with};
use ir::{Formula, Model, Relation, Sort, SymbolId, Term, Update, Value, Var};
use modelgen::{Feature, Features, Options, Size, random_model};

/// A small generator of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }
}

const PARAMS: usize = 3;
const CANDIDATES: usize = 40;

fn features(seed: u64) -> Features {
    match seed % 6 {
        0 => Features::plain(),
        1 => Features::threads(),
        2 => Features::everything(),
        3 => Features::plain().with(&[
            Feature::Processes,
            Feature::Outsiders,
            Feature::TermIndices,
            Feature::TermTargets,
            Feature::ProcessOrder,
        ]),
        4 => Features::any(seed).without(&[Feature::Weak]),
        _ => Features::cubicle().with(&[
            Feature::ArbitraryCells,
            Feature::Quantifiers,
            Feature::NestedQuantifiers,
            Feature::Ranges,
            Feature::Kinds,
            Feature::KindedVariables,
        ]),
    }
}

/// All comparisons of a model.
fn atoms(model: &Model) -> Vec<Formula> {
    let mut atoms = Vec::new();
    for transition in &model.transitions {
        collect(&transition.guard, &mut atoms);
        let arms = transition.updates.iter().flat_map(|update: &Update| &update.arms);
        arms.for_each(|arm| collect(&arm.condition, &mut atoms));
        for update in &transition.updates {
            let cell: Vec<Term> = update.cell.iter().map(|var| Term::Var(*var)).collect();
            for arm in &update.arms {
                if let Value::Term(term) = &arm.value {
                    atoms.push(Formula::Compare(
                        Relation::Eq,
                        Term::read(update.symbol, cell.clone()),
                        term.clone(),
                    ));
                }
            }
        }
    }
    model.init.iter().for_each(|init| collect(&init.formula, &mut atoms));
    model.properties.iter().for_each(|property| collect(&property.formula, &mut atoms));
    atoms.extend(cells(model));
    atoms
}

/// Every cell compared with every constant.
fn cells(model: &Model) -> Vec<Formula> {
    let mut atoms = Vec::new();
    for (at, symbol) in model.symbols.iter().enumerate() {
        let indices = (0..symbol.arity).map(|at| Term::Var(Var::from_index(at))).collect();
        let read = Term::read(SymbolId::from_index(at), indices);
        if let Sort::Enum(id) = symbol.sort {
            for constructor in 0..model.enums[id.index()].constructors.len() {
                let value = Term::Constructor(id, u32::try_from(constructor).expect("few"));
                atoms.push(Formula::Compare(Relation::Eq, read.clone(), value));
            }
        } else if symbol.sort == Sort::Proc {
            atoms.push(Formula::Compare(Relation::Eq, read, Term::Var(Var::from_index(1))));
        }
    }
    atoms
}

fn collect(formula: &Formula, atoms: &mut Vec<Formula>) {
    match formula {
        Formula::True | Formula::False | Formula::Fence => {}
        Formula::Compare(..) => atoms.push(formula.clone()),
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => collect(inner, atoms),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| collect(part, atoms)),
        Formula::Iff(left, right) => [left, right].into_iter().for_each(|part| collect(part, atoms)),
        Formula::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| collect(part, atoms));
        }
    }
}

fn candidate(atoms: &[Formula], dice: &mut Dice) -> Cube {
    let params = dice.below(PARAMS) + 1;
    let literals: Vec<Formula> = (0..=dice.below(3))
        .map(|_| {
            let renaming: Vec<usize> = (0..32).map(|_| dice.below(params)).collect();
            let to = |var: Var| Some(Term::Var(Var::from_index(renaming[var.index() % 32])));
            let literal = atoms[dice.below(atoms.len())].substitute(&to);
            if dice.below(3) == 0 { literal.not() } else { literal }
        })
        .collect();
    Cube {
        params: (0..params).map(Var::from_index).collect(),
        variables: ["x", "y", "z"][..params].iter().map(|name| (*name).to_owned()).collect(),
        formula: Formula::and(literals),
    }
}

/// The candidates that remain once the checker accepts them; none if it rejects something else.
fn accepted(model: &Model, mut certificate: Certificate, compared: bool) -> Option<Certificate> {
    // Part by part first: then little is checked again after each cube that goes.
    let without = |model: &Model| Model { transitions: vec![], init: vec![], ..model.clone() };
    let mut parts = vec![Model { init: model.init.clone(), ..without(model) }];
    for transition in &model.transitions {
        parts.push(Model { transitions: vec![transition.clone()], ..without(model) });
    }
    parts.push(model.clone());
    for part in parts {
        certificate = settled(&part, certificate, compared)?;
    }
    Some(certificate)
}

fn settled(model: &Model, mut certificate: Certificate, compared: bool) -> Option<Certificate> {
    loop {
        let result = check(model, &certificate);
        if compared {
            compare_with_the_long_way(model, &certificate, &result);
        }
        let Err(rejection) = result else { return Some(certificate) };
        match (rejection.obligation, rejection.cause) {
            (
                Obligation::Init { cube, .. } | Obligation::Step { cube, .. },
                Cause::Counterexample(_) | Cause::Undecided(_),
            ) => drop(certificate.cubes.remove(cube)),
            _ => return None,
        }
    }
}

/// Without shortcuts the result is the same, unless something is too hard.
fn compare_with_the_long_way(model: &Model, certificate: &Certificate, result: &Result<Checked, Rejection>) {
    let long = check_with(model, certificate, CheckOptions { shortcuts: false, ..CheckOptions::default() });
    let outcome = |result: &Result<Checked, Rejection>| match result {
        Ok(_) => Some(None),
        Err(Rejection { cause: Cause::Undecided(_), .. }) => None,
        Err(rejection) => Some(Some(rejection.obligation)),
    };
    if let (Some(short), Some(long)) = (outcome(result), outcome(&long)) {
        assert_eq!(short, long, "{certificate:?}");
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[derive(Default)]
struct Tally {
    models: usize,
    cubes: usize,
    instances: usize,
    solved: usize,
}

#[test]
fn what_is_accepted_is_true() {
    let mut tally = Tally::default();
    let (from, seeds) = (number("CERTIFY_FROM", 0), number("CERTIFY_SEEDS", 200));
    for seed in from..from + seeds {
        attempt(seed, &mut tally);
    }
    println!(
        "{} models with {} cubes, {} instances, {} solved",
        tally.models, tally.cubes, tally.instances, tally.solved
    );
    assert!(tally.instances as u64 > seeds / 2 && tally.cubes as u64 > 2 * seeds, "too little was tried");
}

fn attempt(seed: u64, tally: &mut Tally) {
    let text = random_model(&Options { seed, size: Size::Small, features: features(seed) });
    let mut model = load(&text);
    // Properties do not matter here: the cubes themselves are the claims.
    model.properties.clear();
    let atoms = atoms(&model);
    if model.is_weak() || atoms.is_empty() {
        return;
    }
    let mut dice = Dice(seed.wrapping_mul(77) + 5);
    let cubes =
        (0..CANDIDATES).map(|_| candidate(&atoms, &mut dice)).filter(|cube| cube.formula != Formula::False);
    let candidates = Certificate { cubes: cubes.collect(), ..Certificate::default() };
    let Some(certificate) = accepted(&model, candidates, seed.is_multiple_of(5)) else { return };
    if certificate.cubes.is_empty() {
        return;
    }
    tally.models += 1;
    tally.cubes += certificate.cubes.len();
    compare_with_states(seed, &text, &model, &certificate, tally);
    if seed.is_multiple_of(10) {
        compare_with_solver(seed, &text, &model, certificate, &mut dice, tally);
    }
}

/// No state of an instance matches a cube.
fn compare_with_states(seed: u64, text: &str, model: &Model, certificate: &Certificate, tally: &mut Tally) {
    for processes in model.min_processes()..=model.max_processes.unwrap_or(4).min(4) {
        let Some(reachable) = Reachable::new(model, processes as usize, 1_500) else { return };
        for cube in &certificate.cubes {
            assert!(
                !reachable.matches(cube),
                "seed {seed}: {} is accepted, but matches with {processes} processes in\n{text}",
                cube.display(model)
            );
        }
        tally.instances += 1;
    }
}

/// Whatever the checker accepts, a solver accepts, also without one of the cubes.
fn compare_with_solver(
    seed: u64,
    text: &str,
    model: &Model,
    mut certificate: Certificate,
    dice: &mut Dice,
    tally: &mut Tally,
) {
    for _ in 0..2 {
        if check(model, &certificate).is_ok() {
            match z3(model, &certificate) {
                Said::Rejected(why) => panic!("seed {seed}: the solver rejects: {why}\n{text}"),
                Said::Undecided(why) => println!("seed {seed}: the solver is undecided: {why}"),
                Said::Accepted => tally.solved += 1,
                Said::Nothing => return,
            }
        }
        let at = dice.below(certificate.cubes.len());
        certificate.cubes.remove(at);
        if certificate.cubes.is_empty() {
            return;
        }
    }
}
