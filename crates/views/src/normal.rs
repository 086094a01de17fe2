//! Updates in a form that shows which cells they leave alone.

use ir::{Formula, Model, Term, Update, Value};

/// The model with `A[k] := case … | _ : A[k]` as updates whose last arm is not needed.
pub(crate) fn normal(model: &Model) -> Model {
    let mut model = model.clone();
    for update in model.transitions.iter_mut().flat_map(|transition| &mut transition.updates) {
        normalise(update);
    }
    model
}

fn normalise(update: &mut Update) {
    let indices: Vec<Term> = update.cell.iter().map(|cell| Term::Var(*cell)).collect();
    let own = Term::read(update.symbol, indices);
    for arm in &mut update.arms {
        if matches!(&arm.value, Value::Term(term) if *term == own) {
            arm.value = Value::Keep;
        }
    }
    if let Some(last) = update.arms.iter().position(|arm| arm.condition == Formula::True) {
        update.arms.truncate(last + 1);
    }
    while update.arms.last().is_some_and(|arm| arm.value == Value::Keep) {
        update.arms.pop();
    }
}
