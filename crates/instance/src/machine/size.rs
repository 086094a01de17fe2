//! Estimates how large an instance would be, before it is compiled.

use super::Obstacle;
use ir::{Arm, Formula, Model, Term, Value};

/// More conditions and values than this are refused: they would take gigabytes, and minutes to compile.
const MOST_PARTS: u64 = 20_000_000;
/// More variables and cells than this do not fit into any state.
const MOST_CELLS: u64 = 1 << 16;
/// More assignments of kinds to processes than this are refused.
const MOST_ASSIGNMENTS: u64 = 10_000;

/// Refuses numbers of processes for which an instance would be too large.
pub(super) fn check(model: &Model, processes: usize, symmetric: bool) -> Result<(), Obstacle> {
    let count = Count { processes: processes as u64 };
    let cells = model.symbols.iter().map(|symbol| count.tuples(symbol.arity));
    if sum(cells) > MOST_CELLS {
        return Err(Obstacle::TooWide);
    }
    let assignments = count.assignments(model, symmetric);
    let parts = count.parts(model).saturating_mul(assignments);
    if assignments > MOST_ASSIGNMENTS || parts > MOST_PARTS { Err(Obstacle::TooLarge) } else { Ok(()) }
}

/// Counts for a number of processes; all arithmetic saturates.
struct Count {
    processes: u64,
}

impl Count {
    /// The number of tuples of processes of this length.
    fn tuples(&self, length: usize) -> u64 {
        self.processes.saturating_pow(u32::try_from(length).unwrap_or(u32::MAX))
    }

    /// The number of assignments of kinds to processes.
    fn assignments(&self, model: &Model, symmetric: bool) -> u64 {
        let Some(kinds) = &model.kinds else { return 1 };
        let kinds = model.enums[kinds.kinds.index()].constructors.len() as u64;
        if symmetric {
            // Compositions of the number of processes into one positive part for each kind.
            (1..kinds).fold(1, |ways: u64, at| ways.saturating_mul(self.processes.saturating_sub(at)) / at)
        } else {
            kinds.saturating_pow(u32::try_from(self.processes).unwrap_or(u32::MAX))
        }
    }

    /// The number of conditions and values of all items.
    fn parts(&self, model: &Model) -> u64 {
        let inits = model.init.iter().map(|init| (init.params.len(), self.formula(&init.formula)));
        let properties = model.properties.iter().chain(&model.assumptions);
        let properties = properties.map(|property| (property.params.len(), self.formula(&property.formula)));
        let steps = model.transitions.iter().map(|transition| {
            let updates = transition.updates.iter().map(|update| {
                let arms = sum(update.arms.iter().map(|arm| self.arm(arm)));
                arms.saturating_mul(self.tuples(update.cell.len()))
            });
            (transition.params.len(), self.formula(&transition.guard).saturating_add(sum(updates)))
        });
        let finals = model.finals.iter().map(|end| (0, self.formula(&end.formula)));
        let all = inits.chain(properties).chain(finals).chain(steps);
        sum(all.map(|(params, parts)| parts.saturating_mul(self.tuples(params))))
    }

    fn arm(&self, arm: &Arm) -> u64 {
        let value = match &arm.value {
            Value::Term(term) => term_size(term),
            Value::Any | Value::Keep => 1,
        };
        self.formula(&arm.condition).saturating_add(value)
    }

    fn formula(&self, formula: &Formula) -> u64 {
        let parts = match formula {
            Formula::True | Formula::False | Formula::Fence => 0,
            Formula::Compare(_, left, right) => term_size(left).saturating_add(term_size(right)),
            Formula::Not(inner) => self.formula(inner),
            Formula::And(parts) | Formula::Or(parts) => sum(parts.iter().map(|part| self.formula(part))),
            Formula::Iff(left, right) => self.formula(left).saturating_add(self.formula(right)),
            Formula::If(condition, then, otherwise) => {
                sum([condition, then, otherwise].into_iter().map(|part| self.formula(part)))
            }
            Formula::Quantified { variables, body, .. } => {
                self.formula(body).saturating_mul(self.tuples(variables.len()))
            }
        };
        parts.saturating_add(1)
    }
}

fn term_size(term: &Term) -> u64 {
    let parts = match term {
        Term::Read { indices, .. } => sum(indices.iter().map(term_size)),
        Term::Linear(linear) => sum(linear.parts.iter().map(|(_, part)| term_size(part))),
        Term::Count { row, value, .. } => sum(row.iter().chain(value.as_deref()).map(term_size)),
        Term::Var(_) | Term::Process(_) | Term::Outsider(_) | Term::Constructor(..) | Term::ProcessCount => 0,
    };
    parts.saturating_add(1)
}

fn sum(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts.into_iter().fold(0, u64::saturating_add)
}
