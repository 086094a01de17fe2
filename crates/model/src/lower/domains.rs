//! Values outside of their domain: what an assignment must not do.

use super::environment::Environment;
use ir::{Domain, Formula, Relation, Sort, Term, Update, Value, Var};

/// The condition that an update assigns a value outside of the symbol's domain; `None` if it cannot.
pub(super) fn outside_domain(env: &Environment, update: &Update) -> Option<Formula> {
    let domain = env.symbols[update.symbol.index()].domain;
    let mut bad = Vec::new();
    for (at, arm) in update.arms.iter().enumerate() {
        let Value::Term(term) = &arm.value else { continue };
        let outside = outside(env, domain, term);
        let earlier = update.arms[..at].iter().map(|arm| arm.condition.clone().not());
        bad.push(Formula::and(earlier.chain([arm.condition.clone(), outside])));
    }
    let bad = Formula::or(bad);
    if bad == Formula::False {
        return None;
    }
    if let Some((indices, _)) = update.single_cell() {
        let index = |var: Var| update.cell.iter().position(|cell| *cell == var).map(|at| indices[at].clone());
        return Some(bad.substitute(&index));
    }
    Some(if update.cell.is_empty() { bad } else { some_cells(&update.cell, bad) })
}

/// The condition that a value is outside of a domain.
fn outside(env: &Environment, domain: Domain, term: &Term) -> Formula {
    let own_domain = term.read_symbol().map(|symbol| env.symbols[symbol.index()].domain);
    match domain {
        Domain::Full => Formula::False,
        Domain::Range(low, high) => {
            if matches!(own_domain, Some(Domain::Range(l, h)) if low <= l && h <= high) {
                return Formula::False;
            }
            let below = Formula::compare(Relation::Lt, term.clone(), Term::int(low));
            Formula::or([below, Formula::compare(Relation::Lt, Term::int(high), term.clone())])
        }
        Domain::Kind(kind) => {
            let Some(symbol) = env.kind_symbol.filter(|_| own_domain != Some(domain)) else {
                return Formula::False;
            };
            let Sort::Enum(kinds) = env.symbols[symbol.index()].sort else { return Formula::False };
            Formula::neq(Term::read(symbol, vec![term.clone()]), Term::Constructor(kinds, kind.0))
        }
    }
}

/// For some processes, not assumed distinct: one quantifier for each variable.
fn some_cells(cells: &[Var], body: Formula) -> Formula {
    cells.iter().rev().fold(body, |body, cell| Formula::exists(vec![*cell], body))
}
