//! The cases of a cube: a number that is at most another is less than it, or equal to it.
//!
//! Together they are the same cube. Each of them may have a candidate where the whole has none.

use crate::cube::Cube;
use crate::linear::{Comparison, Constraint};
use crate::vocabulary::Vocabulary;

/// The most comparisons that are split: each doubles the number of cases.
const MOST_SPLITS: usize = 3;

/// The cases of a settled cube.
pub(crate) fn cases(vocabulary: &Vocabulary, cube: Cube) -> Vec<Cube> {
    let splits: Vec<usize> =
        (0..cube.linear.len()).filter(|at| is_split(&cube.linear[*at])).take(MOST_SPLITS).collect();
    if splits.is_empty() {
        return vec![cube];
    }
    let choices = 0..1_usize << splits.len();
    let case = |choice: usize| {
        let mut case = cube.clone();
        for (bit, at) in splits.iter().enumerate() {
            let constraint = &mut case.linear[*at];
            if choice >> bit & 1 == 0 {
                constraint.comparison = Comparison::Zero;
                make_first_positive(constraint);
            } else {
                constraint.constant += 1;
            }
        }
        case.settle(vocabulary).ok().map(|()| case)
    };
    choices.filter_map(case).collect()
}

/// Whether a constraint bounds the difference of two whole numbers.
fn is_split(constraint: &Constraint) -> bool {
    constraint.whole
        && constraint.comparison == Comparison::AtMost
        && constraint.constant < i64::MAX
        && matches!(constraint.terms.as_slice(), [(_, 1), (_, -1)] | [(_, -1), (_, 1)])
}

/// Puts an equation into its normal form.
fn make_first_positive(constraint: &mut Constraint) {
    if constraint.terms[0].1 < 0 {
        constraint.terms.iter_mut().for_each(|(_, factor)| *factor = -*factor);
        constraint.constant = -constraint.constant;
    }
}
