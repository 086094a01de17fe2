//! Certificates from which something is missing, or in which a cube is too general.
//!
//! The checker and the solver must agree on each.

use super::{
    models::MODELS,
    solver::{Said, z3},
    support::certified,
};
use certify::{Certificate, Cube, check};
use ir::{Formula, Model};

/// Single changes to a certificate.
fn corruptions(certificate: &Certificate) -> Vec<(String, Certificate)> {
    let mut all = Vec::new();
    for (at, cube) in certificate.cubes.iter().enumerate() {
        let mut without = certificate.clone();
        without.cubes.remove(at);
        all.push((format!("without cube {at}"), without));
        let literals = cube.formula.conjuncts();
        for dropped in 0..literals.len() {
            let rest = literals.iter().enumerate().filter(|(literal, _)| *literal != dropped);
            let formula = Formula::and(rest.map(|(_, literal)| literal.clone()));
            all.push((format!("cube {at} without literal {dropped}"), replaced(certificate, at, formula)));
            let turned = literals.iter().enumerate().map(|(literal, formula)| {
                if literal == dropped { formula.clone().not() } else { formula.clone() }
            });
            let formula = Formula::and(turned);
            all.push((
                format!("cube {at} with literal {dropped} turned"),
                replaced(certificate, at, formula),
            ));
        }
    }
    all
}

fn replaced(certificate: &Certificate, at: usize, formula: Formula) -> Certificate {
    let mut changed = certificate.clone();
    changed.cubes[at] = Cube { formula, ..changed.cubes[at].clone() };
    changed
}

/// Whether the corruption still happens to be an inductive invariant that excludes the properties.
fn accepted(model: &Model, certificate: &Certificate) -> bool {
    check(model, certificate).is_ok()
}

/// Cubes that the rest of their certificate makes superfluous; solvers agree, see below.
const IMPLIED: [(&str, usize); 22] = [
    ("chain", 0),
    ("chain", 1),
    ("chain", 2),
    ("kinds", 1),
    ("kinds", 3),
    ("lock", 0),
    ("lock", 1),
    ("lock", 4),
    ("lock", 6),
    ("matrix", 1),
    ("order", 0),
    ("order", 1),
    ("owner", 0),
    ("owner", 1),
    ("reals", 1),
    ("reals", 2),
    ("ticket", 0),
    ("ticket", 2),
    ("ticket", 3),
    ("ticket", 4),
    ("ticket", 7),
    ("turn", 0),
];

#[test]
fn without_any_one_cube_a_certificate_is_none() {
    let mut accepted_still = Vec::new();
    for name in MODELS {
        let (model, certificate) = certified(name);
        for at in 0..certificate.cubes.len() {
            let mut without = certificate.clone();
            without.cubes.remove(at);
            if accepted(&model, &without) {
                accepted_still.push((name, at));
            }
        }
    }
    assert_eq!(accepted_still, IMPLIED);
}

#[test]
fn the_checker_and_the_solver_say_the_same() {
    let (mut accepted_too, mut rejected) = (0, 0);
    for name in MODELS {
        let (model, certificate) = certified(name);
        for (what, corrupted) in corruptions(&certificate) {
            let ours = accepted(&model, &corrupted);
            match z3(&model, &corrupted) {
                Said::Accepted => assert!(
                    ours,
                    "{name} {what}: only the solver accepts; {}",
                    check(&model, &corrupted).unwrap_err()
                ),
                Said::Rejected(why) => assert!(!ours, "{name} {what}: the solver rejects: {why}"),
                Said::Undecided(why) => panic!("{name} {what}: the solver is undecided: {why}"),
                Said::Nothing => return println!("skipped: z3 is not installed"),
            }
            accepted_too += usize::from(ours);
            rejected += usize::from(!ours);
        }
    }
    println!("{rejected} corruptions rejected, {accepted_too} are invariants as well");
    assert!(rejected > 100, "only {rejected} corruptions were rejected");
}
