//! Auxiliary variables: a proof may add a variable to a model, for a process that no cube can mention.
//!
//! A cube says that some processes are never in certain states. "Then some process is responsible" is not a statement of this
//! form. It becomes one with an auxiliary variable `W` for a formula `ψ` about one process: no step of the model reads `W`, and
//! `W` holds a process with `ψ` whenever there is one, as far as steps can tell. If `W` is never without `ψ`, some process
//! always has it.
//!
//! # Why this is sound
//!
//! [`extended`] adds `W`, which starts as any process of the run, and replaces every step that assigns something that `ψ` reads
//! by variants: `W` stays if it has `ψ` after the step, or if no process has; otherwise it becomes a process that has `ψ`.
//! What a guard or a property requires of every process is also required of `W`, by name. A variant changes what the step
//! changes, and `W`. So every run of the model is a run of the extended model, provided that
//!
//! - whenever a step can be taken, one of its variants can, and
//! - whenever a state matches a property of the model, it matches that property of the extended model.
//!
//! These are the [`Extended::lifts`]: the checker and the solvers have to show them of all states, like every other obligation.
//! All that has to be trusted of this file is that a variant is a copy of its step with a stronger guard and an assignment to
//! `W`, and that a property is a copy with a further conjunct.

use crate::Cube;
use ir::{
    Arm, At, Domain, Formula, Model, Origin, Property, PropertyKind, Quantifier, Sort, Symbol, SymbolId,
    Term, Transition, Update, Value, Var,
};
use std::borrow::Cow;
use std::fmt;

/// A variable for a process with a certain formula, if there is such a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuxiliaryVariable {
    /// Its name in the model that it is added to.
    pub name: String,
    /// The names of the variables of the formula: exactly one, for the process that it is about.
    pub variables: Vec<String>,
    /// What holds of that process; without quantifiers.
    pub formula: Formula,
}

impl AuxiliaryVariable {
    /// The states in which there is such a process.
    pub(crate) fn cube(&self) -> Cube {
        let AuxiliaryVariable { variables, formula, .. } = self;
        Cube { params: vec![Var(0)], variables: variables.clone(), formula: formula.clone() }
    }

    /// Its meaning, in words.
    pub fn display<'a>(&'a self, model: &'a Model) -> impl fmt::Display + 'a {
        Shown { auxiliary: self, model }
    }
}

struct Shown<'a> {
    auxiliary: &'a AuxiliaryVariable,
    model: &'a Model,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AuxiliaryVariable { name, variables, formula } = self.auxiliary;
        let about = variables.first().map_or("?", String::as_str);
        write!(
            f,
            "{name} is a process {about} with {}, if there is one",
            formula.display(self.model, variables)
        )
    }
}

/// A model with auxiliary variables.
#[derive(Debug)]
pub struct Extended<'m> {
    /// The model with these variables; the model itself, if there are none.
    pub model: Cow<'m, Model>,
    /// What remains to be shown for the extension to be sound.
    pub(crate) lifts: Vec<Lift>,
    /// What no reachable state satisfies, since counters are the numbers that they stand for.
    pub(crate) never: Vec<Property>,
}

/// A formula that no state may satisfy, or else the extended model lacks some of the runs of the model.
#[derive(Debug)]
pub(crate) struct Lift {
    /// The formula, as a property.
    pub(crate) never: Property,
    /// The auxiliary variable that it is about, if that holds a process.
    pub(crate) auxiliary: Option<Term>,
    /// Of which states it has to be shown.
    pub(crate) given: Given,
}

/// What may be supposed of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given {
    /// Nothing.
    Nothing,
    /// That it matches no cube.
    Invariant,
    /// That it is an initial one, by its position.
    Init(usize),
}

/// Adds auxiliary variables to a model. Fails, with an explanation, where the effect of a step on one cannot be expressed.
pub fn extended<'m>(model: &'m Model, auxiliaries: &[AuxiliaryVariable]) -> Result<Extended<'m>, String> {
    let mut all = Extended { model: Cow::Borrowed(model), lifts: vec![], never: vec![] };
    for auxiliary in auxiliaries {
        let extension = Extension { auxiliary, variable: SymbolId::from_index(all.model.symbols.len()) };
        extension.check(&all.model)?;
        let next = extension.extend(&all.model, &mut all.lifts)?;
        all.model = Cow::Owned(next);
    }
    Ok(all)
}

/// One auxiliary variable that is being added.
struct Extension<'w> {
    auxiliary: &'w AuxiliaryVariable,
    variable: SymbolId,
}

/// What a step may do with the auxiliary variable: a further parameter that its rule does not have, the condition, and the new
/// value of the variable, unless it stays.
struct Variant {
    param: Option<Var>,
    when: Formula,
    becomes: Option<Term>,
}

impl Extension<'_> {
    fn check(&self, model: &Model) -> Result<(), String> {
        let AuxiliaryVariable { name, variables, formula } = self.auxiliary;
        if model.symbols.iter().any(|symbol| symbol.name == *name) {
            return Err(format!("the model has a `{name}` already"));
        }
        if variables.len() != 1 || formula.has_quantifier() || counts(formula) {
            return Err(format!("`{name}` is an auxiliary variable for more than one process"));
        }
        Ok(())
    }

    fn extend(&self, model: &Model, lifts: &mut Vec<Lift>) -> Result<Model, String> {
        let mut next = model.clone();
        next.symbols.push(Symbol {
            name: self.auxiliary.name.clone(),
            arity: 0,
            sort: Sort::Proc,
            domain: Domain::Full,
            constant: false,
            weak: false,
            holds_outsiders: false,
            origin: Origin::Declared,
            at: nowhere(),
        });
        for property in &mut next.properties {
            lifts.extend(self.extend_property(property).map(|never| self.lift(never)));
        }
        next.transitions.clear();
        for transition in &model.transitions {
            let (variants, lift) = self.extend_step(model, transition)?;
            next.transitions.extend(variants);
            lifts.extend(lift.map(|never| self.lift(never)));
        }
        Ok(next)
    }

    fn lift(&self, never: Property) -> Lift {
        Lift { never, auxiliary: Some(self.read()), given: Given::Nothing }
    }

    fn read(&self) -> Term {
        Term::read(self.variable, vec![])
    }

    /// The formula of the auxiliary variable, about a given process.
    fn formula_of(&self, process: &Term) -> Formula {
        self.auxiliary.formula.substitute(&|_| Some(process.clone()))
    }

    /// What a formula requires of every process, required of the auxiliary variable.
    fn instances(&self, formula: &Formula) -> Vec<Formula> {
        let instance = |conjunct: &Formula| match conjunct {
            Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body } => {
                let [about] = variables.as_slice() else { return None };
                // The checker knows nested quantifiers and counts only by their wording, and would not recognize them.
                if body.has_quantifier() || counts(body) {
                    return None;
                }
                let left_out = apart_from.iter().map(|var| Formula::eq(self.read(), Term::Var(*var)));
                let body = body.substitute(&|var| (var == *about).then(|| self.read()));
                Some(Formula::or(left_out.chain([body])))
            }
            _ => None,
        };
        formula.conjuncts().iter().filter_map(instance).collect()
    }

    fn extend_property(&self, property: &mut Property) -> Option<Property> {
        let instances = Formula::and(self.instances(&property.formula));
        if instances == Formula::True {
            return None;
        }
        let lift = Property {
            name: format!("what matches `{}` does so with `{}`", property.name, self.auxiliary.name),
            formula: Formula::and([property.formula.clone(), instances.clone().not()]),
            ..property.clone()
        };
        property.formula = Formula::and([property.formula.clone(), instances]);
        Some(lift)
    }

    fn extend_step(
        &self,
        model: &Model,
        transition: &Transition,
    ) -> Result<(Vec<Transition>, Option<Property>), String> {
        let rule = &model.rules[transition.rule.index()];
        let mut variables = transition.variables.clone();
        let variants = if self.is_assigned_by(transition) {
            let new = Var::from_index(variables.len());
            let mut name = self.auxiliary.name.to_lowercase();
            while variables.contains(&name) {
                name.push('_');
            }
            variables.push(name);
            self.variants(transition, new).ok_or_else(|| {
                format!("the effect of `{}` on `{}` cannot be expressed", rule.name, self.auxiliary.name)
            })?
        } else {
            vec![Variant { param: None, when: Formula::True, becomes: None }]
        };
        let instances = Formula::and(self.instances(&transition.guard));
        let steps = variants.iter().map(|variant| Transition {
            params: transition.params.iter().copied().chain(variant.param).collect(),
            variables: variables.clone(),
            guard: Formula::and([transition.guard.clone(), instances.clone(), variant.when.clone()]),
            updates: transition.updates.iter().cloned().chain(self.update(variant)).collect(),
            ..transition.clone()
        });
        let steps = steps.filter(|step| step.guard != Formula::False).collect();
        // The step can be taken, but none of its variants.
        let impossible = variants.iter().map(|variant| {
            let taken = Formula::and([instances.clone(), variant.when.clone()]);
            let bound = variant.param.into_iter().collect::<Vec<_>>();
            if bound.is_empty() {
                return taken.not();
            }
            Formula::quantified(Quantifier::Exists, bound, transition.params.clone(), taken).not()
        });
        let formula = Formula::and([transition.guard.clone()].into_iter().chain(impossible));
        let lift = (formula != Formula::False).then(|| Property {
            kind: PropertyKind::Invariant,
            name: format!(
                "`{}` can be taken with `{}` whenever it can be taken",
                rule.name, self.auxiliary.name
            ),
            params: transition.params.clone(),
            variables,
            formula,
            rule: None,
            at: rule.at,
        });
        Ok((steps, lift))
    }

    /// Whether a step assigns something that the formula of the auxiliary variable reads.
    fn is_assigned_by(&self, transition: &Transition) -> bool {
        let mut found = false;
        self.auxiliary.formula.each_term(&mut |term| found |= assigns(transition, term));
        found
    }

    fn variants(&self, transition: &Transition, new: Var) -> Option<Vec<Variant>> {
        let after = |process: Term| after(transition, &self.formula_of(&process));
        let kept = after(self.read())?;
        let lost = kept.clone().not();
        let keep = Variant { param: None, when: kept, becomes: None };
        let nobody = Formula::forall(vec![new], after(Term::Var(new))?.not());
        let nobody = Variant { param: None, when: Formula::and([lost.clone(), nobody]), becomes: None };
        let mut variants = vec![keep, nobody];
        for var in transition.params.iter().copied().chain([new]) {
            variants.push(Variant {
                param: (var == new).then_some(new),
                when: Formula::and([lost.clone(), after(Term::Var(var))?]),
                becomes: Some(Term::Var(var)),
            });
        }
        Some(variants)
    }

    fn update(&self, variant: &Variant) -> Option<Update> {
        let value = Value::Term(variant.becomes.clone()?);
        let arms = vec![Arm { condition: Formula::True, value }];
        Some(Update { symbol: self.variable, cell: vec![], arms, at: nowhere() })
    }
}

/// Not in the text of the model.
fn nowhere() -> At {
    At::nowhere()
}

pub(crate) fn counts(formula: &Formula) -> bool {
    let mut found = false;
    formula.each_term(&mut |term| found |= matches!(term, Term::Count { .. }));
    found
}

fn assigned<'t>(transition: &'t Transition, term: &Term) -> Option<&'t Update> {
    transition.updates.iter().find(|update| Some(update.symbol) == term.symbol())
}

/// Whether a step assigns something that a term reads.
pub(crate) fn assigns(transition: &Transition, term: &Term) -> bool {
    let mut found = false;
    term.each_term(&mut |part| found |= assigned(transition, part).is_some());
    found
}

/// The weakest precondition of a formula under a step, if it can be expressed.
pub(crate) fn after(transition: &Transition, formula: &Formula) -> Option<Formula> {
    let rec = |formula: &Formula| after(transition, formula);
    let all = |parts: &[Formula]| parts.iter().map(rec).collect::<Option<Vec<_>>>();
    Some(match formula {
        Formula::True | Formula::False => formula.clone(),
        Formula::Compare(relation, left, right) => {
            let (left, right) = (values(transition, left)?, values(transition, right)?);
            Formula::or(left.iter().flat_map(|(left_if, left)| {
                right.iter().map(move |(right_if, right)| {
                    let holds = Formula::compare(*relation, left.clone(), right.clone());
                    Formula::and([left_if.clone(), right_if.clone(), holds])
                })
            }))
        }
        Formula::Not(inner) => rec(inner)?.not(),
        Formula::And(parts) => Formula::and(all(parts)?),
        Formula::Or(parts) => Formula::or(all(parts)?),
        Formula::Iff(left, right) => rec(left)?.iff(rec(right)?),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(rec(condition)?, rec(then)?, rec(otherwise)?)
        }
        Formula::Quantified { .. } | Formula::Fence => return None,
    })
}

/// The possible values of a term after a step, each with its condition before the step.
fn values(transition: &Transition, term: &Term) -> Option<Vec<(Formula, Term)>> {
    if !assigns(transition, term) {
        return Some(vec![(Formula::True, term.clone())]);
    }
    let Term::Read { indices, reader: None, .. } = term else { return None };
    if indices.iter().any(|index| assigns(transition, index)) {
        return None;
    }
    let update = assigned(transition, term)?;
    let index = |var: Var| {
        let at = update.cell.iter().position(|cell| *cell == var)?;
        indices.get(at).cloned()
    };
    let mut values = Vec::new();
    let mut none_before = Formula::True;
    for arm in &update.arms {
        if arm.condition.has_quantifier() {
            return None;
        }
        let applies = arm.condition.substitute(&index);
        let value = match &arm.value {
            Value::Term(value) => value.substitute(&index),
            Value::Keep => term.clone(),
            Value::Any => return None,
        };
        values.push((Formula::and([none_before.clone(), applies.clone()]), value));
        none_before = Formula::and([none_before, applies.not()]);
    }
    values.push((none_before, term.clone()));
    values.retain(|(when, _)| *when != Formula::False);
    Some(values)
}
