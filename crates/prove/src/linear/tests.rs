//! Normal forms, and satisfiability against exhaustive search.

use super::*;

fn cell(number: u16) -> Cell {
    Cell::new(number, &[])
}

fn constraint(factors: &[i64], constant: i64, comparison: Comparison, whole: bool) -> Option<Constraint> {
    let terms = (0..).zip(factors).map(|(at, factor)| (cell(at), i128::from(*factor)));
    match simplify(terms, constant.into(), comparison, whole)? {
        Simplified::Constraint(constraint) => Some(constraint),
        _ => None,
    }
}

#[test]
fn normal_forms() {
    // 2x + 1 <= 0 of whole numbers: x + 1 <= 0
    let tight = constraint(&[2], 1, Comparison::AtMost, true).unwrap();
    assert_eq!((tight.terms[0].1, tight.constant), (1, 1));
    // 2x - 1 <= 0: x <= 0
    let tight = constraint(&[2], -1, Comparison::AtMost, true).unwrap();
    assert_eq!((tight.terms[0].1, tight.constant), (1, 0));
    // -x + 3 = 0: x - 3 = 0
    let flipped = constraint(&[-1], 3, Comparison::Zero, true).unwrap();
    assert_eq!((flipped.terms[0].1, flipped.constant), (1, -3));
    assert_eq!(simplify([(cell(0), 2)], 1, Comparison::Zero, true), Some(Simplified::Never));
    assert_eq!(simplify([(cell(0), 1), (cell(0), -1)], 0, Comparison::Below, true), Some(Simplified::Never));
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % limit).unwrap()
    }

    fn system(&mut self, unit: bool) -> Vec<Constraint> {
        let count = 2 + self.below(5);
        let mut all = Vec::new();
        for _ in 0..count {
            let comparison = [Comparison::Zero, Comparison::AtMost, Comparison::Below, Comparison::AtMost]
                [usize::try_from(self.below(4)).unwrap()];
            let factors: Vec<i64> = if unit {
                let (a, b) =
                    (usize::try_from(self.below(3)).unwrap(), usize::try_from(self.below(3)).unwrap());
                (0..3).map(|at| i64::from(at == a) - i64::from(at == b && a != b)).collect()
            } else {
                (0..3).map(|_| self.below(7) - 3).collect()
            };
            let constant = self.below(7) - 3;
            all.extend(constraint(&factors, constant, comparison, true));
        }
        all
    }
}

fn holds(constraint: &Constraint, point: &[i64]) -> bool {
    let sum: i64 =
        constraint.terms.iter().map(|(cell, f)| f * point[usize::from(cell.symbol())]).sum::<i64>()
            + constraint.constant;
    match constraint.comparison {
        Comparison::Zero => sum == 0,
        Comparison::AtMost => sum <= 0,
        Comparison::Below => sum < 0,
    }
}

fn points() -> impl Iterator<Item = [i64; 3]> {
    (-12..=12).flat_map(|x| (-12..=12).flat_map(move |y| (-12..=12).map(move |z| [x, y, z])))
}

/// Whatever has a solution is satisfiable; differences that have none nearby have none at all.
#[test]
fn satisfiability_against_brute_force() {
    let mut random = Random(7);
    let (mut yes, mut no) = (0, 0);
    for round in 0..600 {
        let unit = round % 2 == 0;
        let system = random.system(unit);
        let brute = points().any(|point| system.iter().all(|c| holds(c, &point)));
        let answer = satisfiable(&system);
        assert!(answer || !brute, "{system:?}");
        if unit {
            assert_eq!(answer, brute, "{system:?}");
        }
        if answer { yes += 1 } else { no += 1 }
    }
    assert!(yes > 50 && no > 50, "{yes} and {no}");
}

#[test]
fn differences_and_elimination_agree() {
    let mut random = Random(5);
    let (mut yes, mut no) = (0, 0);
    for round in 0..20_000 {
        let mut system = random.system(true);
        for constraint in system.iter_mut().filter(|_| round % 2 == 0) {
            constraint.whole = false;
            if constraint.comparison == Comparison::AtMost && constraint.constant < 2 {
                constraint.comparison = Comparison::Below;
            }
        }
        let by_graph = differences::satisfiable(&system).expect("they are differences");
        assert_eq!(by_graph, satisfiable_by_elimination(&system), "{system:?}");
        if by_graph { yes += 1 } else { no += 1 }
    }
    assert!(yes > 4_000 && no > 4_000, "{yes} and {no}");
}

#[test]
fn projection_keeps_what_is_left() {
    let mut random = Random(3);
    for round in 0..300 {
        let system = random.system(round % 2 == 0);
        let projected = project(&system, cell(0));
        for point in points() {
            if system.iter().all(|c| holds(c, &point)) {
                let projected = projected.as_ref().unwrap_or_else(|| panic!("{system:?}"));
                assert!(projected.iter().all(|c| holds(c, &point)), "{system:?}");
            }
        }
    }
}

#[test]
fn entailment_is_sound() {
    let mut random = Random(11);
    let mut entailed = 0;
    for _ in 0..400 {
        let (system, conclusion) = (random.system(true), random.system(true));
        let Some(conclusion) = conclusion.first() else { continue };
        if entails(&system, &[], conclusion) {
            entailed += 1;
            assert!(
                points().all(|p| !system.iter().all(|c| holds(c, &p)) || holds(conclusion, &p)),
                "{system:?} does not imply {conclusion:?}"
            );
        }
    }
    assert!(entailed > 40, "{entailed}");
}
