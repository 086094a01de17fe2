//! A model under sequential consistency: weak symbols become ordinary ones, and every write is visible at once.

use super::{
    Arm, Final, Formula, Init, Linear, Model, Property, Symbol, Temporal, TemporalAtom, Term, Transition,
    Update, Value,
};
use std::convert::Infallible;

impl Model {
    /// The model under sequential consistency: no symbol is weak, fences are true, and reads do not depend on the
    /// reader. A model that is not weak is unchanged.
    #[must_use]
    pub fn sequentially_consistent(&self) -> Model {
        let property =
            |property: &Property| Property { formula: formula(&property.formula), ..property.clone() };
        Model {
            symbols: self.symbols.iter().map(|symbol| Symbol { weak: false, ..symbol.clone() }).collect(),
            init: self
                .init
                .iter()
                .map(|init| Init { formula: formula(&init.formula), ..init.clone() })
                .collect(),
            assumptions: self.assumptions.iter().map(property).collect(),
            transitions: self.transitions.iter().map(transition).collect(),
            properties: self.properties.iter().map(property).collect(),
            finals: self
                .finals
                .iter()
                .map(|end| Final { formula: formula(&end.formula), ..end.clone() })
                .collect(),
            temporal: self.temporal.iter().map(temporal).collect(),
            ..self.clone()
        }
    }
}

fn transition(transition: &Transition) -> Transition {
    Transition {
        guard: formula(&transition.guard),
        updates: transition.updates.iter().map(update).collect(),
        reads_weak: false,
        ..transition.clone()
    }
}

fn update(update: &Update) -> Update {
    let arm = |arm: &Arm| Arm {
        condition: formula(&arm.condition),
        value: match &arm.value {
            Value::Term(of) => Value::Term(term(of)),
            other => other.clone(),
        },
    };
    Update { arms: update.arms.iter().map(arm).collect(), ..update.clone() }
}

impl Temporal {
    /// The same property without store buffers.
    #[must_use]
    pub fn sequentially_consistent(&self) -> Temporal {
        temporal(self)
    }
}

fn temporal(temporal: &Temporal) -> Temporal {
    let mut atom = |atom: TemporalAtom| {
        Ok::<_, Infallible>(match atom {
            TemporalAtom::State(of) => TemporalAtom::State(formula(&of)),
            other => other,
        })
    };
    let changed = temporal.formula.clone().try_map(&mut atom).unwrap_or_else(|never| match never {});
    Temporal { formula: changed, ..temporal.clone() }
}

fn formula(of: &Formula) -> Formula {
    match of {
        Formula::True | Formula::Fence => Formula::True,
        Formula::False => Formula::False,
        Formula::Compare(relation, left, right) => Formula::compare(*relation, term(left), term(right)),
        Formula::Not(inner) => formula(inner).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(formula)),
        Formula::Or(parts) => Formula::or(parts.iter().map(formula)),
        Formula::Iff(left, right) => formula(left).iff(formula(right)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(formula(condition), formula(then), formula(otherwise))
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), formula(body))
        }
    }
}

fn term(of: &Term) -> Term {
    match of {
        Term::Read { symbol, indices, .. } => Term::read(*symbol, indices.iter().map(term).collect()),
        Term::Linear(linear) => Linear::map(linear, term),
        Term::Count { symbol, row, value } => Term::Count {
            symbol: *symbol,
            row: row.iter().map(term).collect(),
            value: value.as_ref().map(|value| Box::new(term(value))),
        },
        Term::Var(_) | Term::Process(_) | Term::ProcessCount | Term::Constructor(..) | Term::Outsider(_) => {
            of.clone()
        }
    }
}
