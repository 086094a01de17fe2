//! Why a transition of a model is not enabled: every condition that is false, with its values.

use super::{ModelSystem, status::activity};
use crate::{
    Call, Evidence, Inspect, Location, Offence, Reason, Refusal, Role, TermValue, suggest::suggestion,
};
use instance::Machine;
use ir::{Formula, Model, Origin, PropertyKind, Quantifier, Relation, Rule, RuleId, Term, Transition, Var};

/// A choice of processes for variables, from 0.
type Binding = Vec<(Var, usize)>;

impl<const W: usize> ModelSystem<'_, '_, W> {
    /// Every reason why no enabled action fits a call.
    pub(super) fn reasons(&self, call: &Call) -> Result<Vec<Reason>, Refusal> {
        let rules = rules(self.model(), call)?;
        let processes = self.processes();
        let named = call.processes.iter().chain(&call.woken);
        if let Some(process) = named.copied().find(|process| *process >= processes) {
            return Err(Refusal::NoSuchProcess { process, processes });
        }
        if let Some(process) = twice(&call.processes) {
            return Ok(vec![Reason::Repeated { process }]);
        }
        let mut reasons: Vec<Reason> = rules.iter().flat_map(|rule| self.reasons_of(*rule, call)).collect();
        reasons.dedup();
        Ok(reasons)
    }

    fn reasons_of(&self, rule: RuleId, call: &Call) -> Vec<Reason> {
        let (model, machine) = (self.model(), &self.machine);
        let location = self.location_of(model.rules[rule.index()].at);
        let explainer = Explainer { system: self, model, machine, processes: self.processes(), location };
        explainer.reasons(rule, call)
    }
}

/// The rules of that name and with that number of processes.
fn rules(model: &Model, call: &Call) -> Result<Vec<RuleId>, Refusal> {
    let alike: Vec<(usize, &Rule)> =
        model.rules.iter().enumerate().filter(|(_, rule)| rule.name == call.name).collect();
    let Some((_, first)) = alike.first() else {
        let suggestion = suggestion(&call.name, model.rules.iter().map(|rule| rule.name.as_str()));
        return Err(Refusal::UnknownTransition { name: call.name.clone(), suggestion });
    };
    let fits = |rule: &Rule| rule.params.len() == call.processes.len();
    let fitting: Vec<RuleId> =
        alike.iter().filter(|(_, rule)| fits(rule)).map(|(at, _)| RuleId::from_index(*at)).collect();
    if fitting.is_empty() {
        return Err(Refusal::Arity { name: first.name.clone(), parameters: first.params.clone() });
    }
    Ok(fitting)
}

fn twice(processes: &[usize]) -> Option<usize> {
    let again = |(at, process): (usize, &usize)| processes[..at].contains(process).then_some(*process);
    processes.iter().enumerate().find_map(again)
}

/// Evaluates the conditions of a rule.
struct Explainer<'a, 'm, 'i, const W: usize> {
    system: &'a ModelSystem<'m, 'i, W>,
    model: &'m Model,
    machine: &'a Machine<'m, 'i, W>,
    processes: usize,
    /// Where the rule is declared.
    location: Location,
}

impl<const W: usize> Explainer<'_, '_, '_, W> {
    /// Why no transition that a rule stands for can be taken: the reasons that all of them have.
    fn reasons(&self, rule: RuleId, call: &Call) -> Vec<Reason> {
        let transitions = self.model.transitions.iter().filter(|transition| transition.rule == rule);
        let cases: Vec<Vec<Reason>> = transitions
            .flat_map(|transition| {
                let bindings = self.bindings(transition, call);
                bindings.into_iter().map(|binding| self.false_conjuncts(transition, &binding))
            })
            .collect();
        let forbidden = self.forbidden(rule, call);
        let Some((first, rest)) = cases.split_first() else {
            return [forbidden, vec![Reason::NobodyToWake]].concat();
        };
        let common = first.iter().filter(|reason| rest.iter().all(|other| other.contains(reason)));
        let mut reasons: Vec<Reason> = common.cloned().collect();
        reasons.dedup();
        reasons.extend(forbidden);
        if reasons.is_empty() {
            reasons.push(self.last_resort(cases, call));
        }
        reasons
    }

    /// Where all conditions of some case hold, and yet it cannot be taken; or each case fails for its own reason.
    fn last_resort(&self, cases: Vec<Vec<Reason>>, call: &Call) -> Reason {
        if cases.iter().all(|reasons| !reasons.is_empty()) {
            return Reason::Cases { cases };
        }
        match (self.machine.obstacle(), call.choice) {
            (Some(obstacle), _) => Reason::Obstacle { why: obstacle.explain(self.model) },
            (None, Some(choice)) => Reason::NoSuchChoice { choice: choice + 1 },
            (None, None) => Reason::Ranges,
        }
    }

    /// The processes of a call for the parameters of a transition; if it wakes one more, every choice of that one.
    fn bindings(&self, transition: &Transition, call: &Call) -> Vec<Binding> {
        let given: Binding = transition.params.iter().copied().zip(call.processes.iter().copied()).collect();
        match transition.params.get(call.processes.len()) {
            None => vec![given],
            Some(woken) => {
                let others = (0..self.processes).filter(|process| !call.processes.contains(process));
                let wanted = others.filter(|process| call.woken.is_none_or(|wanted| wanted == *process));
                wanted.map(|process| [given.as_slice(), &[(*woken, process)]].concat()).collect()
            }
        }
    }

    fn false_conjuncts(&self, transition: &Transition, binding: &Binding) -> Vec<Reason> {
        let names = names_of(&transition.variables, binding);
        let conjuncts = transition.guard.conjuncts().iter();
        conjuncts.filter_map(|conjunct| self.reason(conjunct, binding, &names)).collect()
    }

    /// Why a condition does not hold; none if it does.
    fn reason(&self, condition: &Formula, binding: &Binding, names: &[String]) -> Option<Reason> {
        let shown = || condition.display(self.model, names).to_string();
        let location = Some(self.location.clone());
        match self.machine.holds(condition, binding) {
            Ok(true) => None,
            Err(unanswerable) => {
                Some(Reason::Undefined { condition: shown(), why: unanswerable.to_string(), location })
            }
            Ok(false) => Some(self.about_a_process(condition, binding).unwrap_or_else(|| Reason::False {
                condition: shown(),
                evidence: self.evidence(condition, binding, names),
                location,
            })),
        }
    }

    /// Conditions that people do not write: the kind of a process, and that it is active.
    fn about_a_process(&self, condition: &Formula, binding: &Binding) -> Option<Reason> {
        let Formula::Compare(Relation::Eq, Term::Read { symbol, indices, .. }, Term::Constructor(of, at)) =
            condition
        else {
            return None;
        };
        let [Term::Var(var)] = indices[..] else { return None };
        let process = binding.iter().find(|(known, _)| *known == var)?.1;
        let kinds = &self.model.enums[of.index()].constructors;
        match self.model.symbol(*symbol).origin {
            Origin::Kind => Some(Reason::Kind {
                process,
                expected: kinds[*at as usize].clone(),
                actual: kinds[self.machine.kinds()[process] as usize].clone(),
            }),
            Origin::Blocked if *at == 0 => {
                Some(Reason::Blocked { process, activity: activity(&self.machine.waiting(process)?) })
            }
            _ => None,
        }
    }

    /// What makes a condition false.
    fn evidence(&self, condition: &Formula, binding: &Binding, names: &[String]) -> Evidence {
        match condition {
            Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body } => {
                let excluded: Vec<usize> =
                    binding.iter().filter(|(var, _)| apart_from.contains(var)).map(|(_, at)| *at).collect();
                let choices = self.choices(variables, &excluded, binding);
                let wrong = choices.iter().find(|choice| self.machine.holds(body, choice) == Ok(false));
                wrong.map_or(Evidence::Values { values: vec![] }, |choice| {
                    self.counterexample(variables, body, choice, names)
                })
            }
            Formula::Quantified { quantifier: Quantifier::Exists, .. } => Evidence::NoWitness,
            other => Evidence::Values { values: self.values(other, binding, names) },
        }
    }

    /// For which processes a body is false, and its values there.
    fn counterexample(
        &self,
        variables: &[Var],
        body: &Formula,
        choice: &Binding,
        names: &[String],
    ) -> Evidence {
        let bound = choice.iter().filter(|(var, _)| variables.contains(var));
        let role =
            |(var, process): &(Var, usize)| Role { variable: names[var.index()].clone(), process: *process };
        let roles = bound.map(role).collect();
        Evidence::Counterexample { roles, values: self.values(body, choice, &names_of(names, choice)) }
    }

    /// Every way to give variables pairwise distinct processes.
    fn choices(&self, variables: &[Var], excluded: &[usize], binding: &Binding) -> Vec<Binding> {
        let Some((first, rest)) = variables.split_first() else { return vec![binding.clone()] };
        let free = (0..self.processes).filter(|process| !excluded.contains(process));
        free.flat_map(|process| {
            let excluded = [excluded, &[process]].concat();
            let binding = [binding.as_slice(), &[(*first, process)]].concat();
            self.choices(rest, &excluded, &binding)
        })
        .collect()
    }

    /// The values of all that a condition reads, as far as its variables are bound.
    fn values(&self, condition: &Formula, binding: &Binding, names: &[String]) -> Vec<TermValue> {
        let mut values: Vec<TermValue> = Vec::new();
        condition.each_term(&mut |term| {
            if !matches!(term, Term::Read { .. } | Term::Count { .. }) || !is_bound(term, binding) {
                return;
            }
            if let Ok(value) = self.machine.value_of(term, binding) {
                let found = TermValue { term: term.display(self.model, names).to_string(), value };
                if !values.contains(&found) {
                    values.push(found);
                }
            }
        });
        values
    }

    /// Rules of the language that the step would break: it is not taken then, and the run ends.
    fn forbidden(&self, rule: RuleId, call: &Call) -> Vec<Reason> {
        let properties = self.model.properties.iter().filter(|property| property.rule == Some(rule));
        let broken = properties.filter(|property| {
            let binding: Binding =
                property.params.iter().copied().zip(call.processes.iter().copied()).collect();
            self.machine.holds(&property.formula, &binding) == Ok(true)
        });
        broken
            .map(|property| Reason::Forbidden {
                property: property.name.clone(),
                offence: match property.kind {
                    PropertyKind::Range => Offence::Range,
                    _ => Offence::Misuse,
                },
                location: Some(self.system.location_of(property.at)),
            })
            .collect()
    }
}

/// The names of variables: those that are bound are called by their processes.
fn names_of(variables: &[String], binding: &Binding) -> Vec<String> {
    let mut names = variables.to_vec();
    for (var, process) in binding {
        names[var.index()] = format!("#{}", process + 1);
    }
    names
}

fn is_bound(term: &Term, binding: &Binding) -> bool {
    let mut bound = true;
    term.each_term(&mut |part| {
        if let Term::Var(var) = part {
            bound &= binding.iter().any(|(known, _)| known == var);
        }
    });
    bound
}
