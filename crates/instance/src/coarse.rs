//! An abstraction of a model in which unbounded numbers may have any value at any time.
//!
//! It over-approximates the model: every run of the model is a run of it. It often has finitely many states where the
//! model has infinitely many, so candidate invariants that do not mention these numbers can be read off its states.
//! It has no properties.

use ir::{Domain, Formula, Model, Sort, Term, Transition, Update, Value, negate};

/// Abstracts from the unbounded numbers of a model; the ids of symbols stay valid. `None` if the model has no such
/// numbers, or if one of them decides which arm of an update applies.
pub fn without_numbers(model: &Model) -> Option<Model> {
    if !model.symbols.iter().any(|symbol| is_dropped(symbol.sort, symbol.domain)) {
        return None;
    }
    let mut coarse = model.clone();
    for init in &mut coarse.init {
        init.formula = weaken(model, &init.formula);
    }
    for assumption in &mut coarse.assumptions {
        // An assumption excludes its matches; dropping those that mention a number keeps the over-approximation.
        if mentions_dropped(model, &assumption.formula) {
            assumption.formula = Formula::False;
        }
    }
    // The abstraction may reach bad states that the model does not.
    coarse.properties.clear();
    coarse.finals.clear();
    for transition in &mut coarse.transitions {
        coarsen(model, transition)?;
    }
    Some(coarse)
}

fn is_dropped(sort: Sort, domain: Domain) -> bool {
    matches!(sort, Sort::Int | Sort::Real) && !matches!(domain, Domain::Range(..))
}

fn coarsen(model: &Model, transition: &mut Transition) -> Option<()> {
    transition.guard = weaken(model, &transition.guard);
    let kept = |update: &Update| {
        let symbol = model.symbol(update.symbol);
        !is_dropped(symbol.sort, symbol.domain)
    };
    transition.updates.retain(kept);
    for arm in transition.updates.iter_mut().flat_map(|update| &mut update.arms) {
        if mentions_dropped(model, &arm.condition) {
            return None;
        }
        if matches!(&arm.value, Value::Term(term) if reads_dropped(model, term)) {
            arm.value = Value::Any;
        }
    }
    Some(())
}

/// Replaces every comparison of dropped numbers by `true`, whether it occurs negated or not.
fn weaken(model: &Model, formula: &Formula) -> Formula {
    let rec = |formula: &Formula| weaken(model, formula);
    match formula {
        Formula::Compare(_, left, right) if reads_dropped(model, left) || reads_dropped(model, right) => {
            Formula::True
        }
        Formula::True | Formula::False | Formula::Fence | Formula::Compare(..) => formula.clone(),
        Formula::Not(inner) => match negate(inner) {
            Formula::Not(inner) => Formula::Not(inner),
            pushed => rec(&pushed),
        },
        Formula::And(parts) => Formula::and(parts.iter().map(rec)),
        Formula::Or(parts) => Formula::or(parts.iter().map(rec)),
        Formula::Iff(left, right) => {
            let (not_left, not_right) = (negate(left), negate(right));
            Formula::or([
                Formula::and([rec(left), rec(right)]),
                Formula::and([rec(&not_left), rec(&not_right)]),
            ])
        }
        Formula::If(condition, then, otherwise) => {
            let not = negate(condition);
            Formula::or([
                Formula::and([rec(condition), rec(then)]),
                Formula::and([rec(&not), rec(otherwise)]),
            ])
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), rec(body))
        }
    }
}

fn mentions_dropped(model: &Model, formula: &Formula) -> bool {
    let mut found = false;
    formula.each_term(&mut |term| found |= is_read_of_dropped(model, term));
    found
}

fn reads_dropped(model: &Model, term: &Term) -> bool {
    let mut found = false;
    term.each_term(&mut |term| found |= is_read_of_dropped(model, term));
    found
}

fn is_read_of_dropped(model: &Model, term: &Term) -> bool {
    term.symbol().is_some_and(|symbol| {
        let symbol = model.symbol(symbol);
        is_dropped(symbol.sort, symbol.domain)
    })
}
