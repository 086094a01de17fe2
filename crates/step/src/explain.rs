//! Why a transition of a model is possible or not: every condition that is false, with its values.

use crate::{
    Call, Why,
    words::{count, did_you_mean, people},
};
use instance::Machine;
use ir::{Formula, Model, Origin, PropertyKind, Quantifier, Relation, Rule, RuleId, Term, Transition, Var};

/// A choice of processes for variables, from 0.
type Binding = Vec<(Var, usize)>;

/// Explains a call; `fitting` are the exits that it may mean.
pub(crate) fn why<const W: usize>(
    model: &Model,
    machine: &Machine<'_, '_, W>,
    call: &Call,
    fitting: Vec<String>,
) -> Result<Why, String> {
    let rules = rules(model, call)?;
    if !fitting.is_empty() {
        return Ok(Why::Possible(fitting));
    }
    let processes = machine.kinds().len();
    let named = call.processes.iter().chain(&call.woken);
    if let Some(missing) = named.copied().find(|process| *process >= processes) {
        let missing = people(&[missing]);
        return Err(format!("there is no process {missing}; there are {}", count(processes, "process")));
    }
    if let Some(twice) = twice(&call.processes) {
        let reason =
            format!("its parameters stand for different processes, but {} is given twice", people(&[twice]));
        return Ok(Why::Impossible(vec![reason]));
    }
    let asker = Asker { model, machine, processes };
    let mut reasons: Vec<String> = rules.iter().flat_map(|rule| asker.reasons(*rule, call)).collect();
    reasons.dedup();
    Ok(Why::Impossible(reasons))
}

/// The rules of that name and with so many processes.
fn rules(model: &Model, call: &Call) -> Result<Vec<RuleId>, String> {
    let alike: Vec<(usize, &Rule)> =
        model.rules.iter().enumerate().filter(|(_, rule)| rule.name == call.name).collect();
    let Some((_, first)) = alike.first() else {
        let names = model.rules.iter().map(|rule| rule.name.as_str());
        return Err(format!("there is no transition `{}`{}", call.name, did_you_mean(&call.name, names)));
    };
    let fits = |rule: &Rule| rule.params.len() == call.processes.len();
    let fitting: Vec<RuleId> =
        alike.iter().filter(|(_, rule)| fits(rule)).map(|(at, _)| RuleId::from_index(*at)).collect();
    if fitting.is_empty() {
        let (name, params) = (&first.name, first.params.join(", "));
        let many = if params.is_empty() { "no process".into() } else { count(first.params.len(), "process") };
        return Err(format!("`{name}` takes {many}: it is declared as `{name}({params})`"));
    }
    Ok(fitting)
}

fn twice(processes: &[usize]) -> Option<usize> {
    let again = |(at, process): (usize, &usize)| processes[..at].contains(process).then_some(*process);
    processes.iter().enumerate().find_map(again)
}

/// Asks a machine about conditions.
struct Asker<'a, 'm, 'i, const W: usize> {
    model: &'a Model,
    machine: &'a Machine<'m, 'i, W>,
    processes: usize,
}

impl<const W: usize> Asker<'_, '_, '_, W> {
    /// Why no transition that a rule stands for can be taken: the reasons that all of them have.
    fn reasons(&self, rule: RuleId, call: &Call) -> Vec<String> {
        let transitions = self.model.transitions.iter().filter(|transition| transition.rule == rule);
        let cases: Vec<Vec<String>> = transitions
            .flat_map(|transition| {
                let bindings = self.bindings(transition, call);
                bindings.into_iter().map(|binding| self.false_conjuncts(transition, &binding))
            })
            .collect();
        let forbidden = self.forbidden(rule, call);
        let Some((first, rest)) = cases.split_first() else {
            return [forbidden, vec!["there is no process that it could wake".to_owned()]].concat();
        };
        let common = first.iter().filter(|reason| rest.iter().all(|other| other.contains(reason)));
        let mut reasons: Vec<String> = common.cloned().collect();
        reasons.dedup();
        reasons.extend(forbidden);
        if reasons.is_empty() {
            reasons.extend(self.last_resort(&cases, call));
        }
        reasons
    }

    /// Where all conditions of some case hold, and yet it cannot be taken; or each case fails for its own reason.
    fn last_resort(&self, cases: &[Vec<String>], call: &Call) -> Vec<String> {
        if cases.iter().any(Vec::is_empty) {
            let obstacle = self.machine.obstacle().map(|obstacle| obstacle.explain(self.model));
            let ranges = "its conditions hold, but it leads out of the given ranges";
            let choice = call.choice.map(|choice| format!("there is no choice {}", choice + 1));
            return vec![obstacle.or(choice).unwrap_or_else(|| ranges.to_owned())];
        }
        let mut all: Vec<String> = cases.concat();
        all.sort();
        all.dedup();
        all
    }

    /// The processes of a call for the parameters of a transition; one more is woken, whoever that is.
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

    fn false_conjuncts(&self, transition: &Transition, binding: &Binding) -> Vec<String> {
        let names = names_of(&transition.variables, binding);
        let conjuncts = transition.guard.conjuncts().iter();
        conjuncts.filter_map(|conjunct| self.reason(conjunct, binding, &names)).collect()
    }

    /// Why a condition does not hold; none if it does.
    fn reason(&self, condition: &Formula, binding: &Binding, names: &[String]) -> Option<String> {
        let shown = condition.display(self.model, names);
        match self.machine.holds(condition, binding) {
            Ok(true) => None,
            Err(unanswerable) => Some(format!("`{shown}` cannot be told: {unanswerable}")),
            Ok(false) => Some(self.about_a_process(condition, binding).unwrap_or_else(|| {
                format!("`{shown}` is false{}", self.evidence(condition, binding, names))
            })),
        }
    }

    /// Conditions that people do not write: the kind of a process, and that it is active.
    fn about_a_process(&self, condition: &Formula, binding: &Binding) -> Option<String> {
        let Formula::Compare(Relation::Eq, Term::Read { symbol, indices, .. }, Term::Constructor(of, at)) =
            condition
        else {
            return None;
        };
        let [Term::Var(var)] = indices[..] else { return None };
        let process = binding.iter().find(|(known, _)| *known == var)?.1;
        let who = people(&[process]);
        let wanted = &self.model.enums[of.index()].constructors[*at as usize];
        match self.model.symbol(*symbol).origin {
            Origin::Kind => {
                let kind = self.machine.kinds()[process] as usize;
                let kind = &self.model.enums[of.index()].constructors[kind];
                Some(format!("{who} is no {wanted}, but a {kind}"))
            }
            Origin::Blocked if *at == 0 => {
                let waiting = self.machine.waiting(process)?;
                let verb = if waiting.asleep { "asleep on" } else { "suspended: it waits for" };
                Some(format!("{who} is {verb} {}", waiting.on))
            }
            _ => None,
        }
    }

    /// The values that make a condition false.
    fn evidence(&self, condition: &Formula, binding: &Binding, names: &[String]) -> String {
        match condition {
            Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body } => {
                let excluded: Vec<usize> =
                    binding.iter().filter(|(var, _)| apart_from.contains(var)).map(|(_, at)| *at).collect();
                let choices = self.choices(variables, &excluded, binding);
                let wrong = choices.iter().find(|choice| self.machine.holds(body, choice) == Ok(false));
                wrong.map_or(String::new(), |choice| self.counterexample(variables, body, choice, names))
            }
            Formula::Quantified { quantifier: Quantifier::Exists, .. } => {
                ": for no process it is true".into()
            }
            other => self.values(other, binding, names),
        }
    }

    /// For which processes a body is false, and its values there.
    fn counterexample(
        &self,
        variables: &[Var],
        body: &Formula,
        choice: &Binding,
        names: &[String],
    ) -> String {
        let bound = choice.iter().filter(|(var, _)| variables.contains(var));
        let told: Vec<String> =
            bound.map(|(var, process)| format!("{} = {}", names[var.index()], people(&[*process]))).collect();
        let names = names_of(names, choice);
        format!(" for {}{}", told.join(", "), self.values(body, choice, &names))
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
    fn values(&self, condition: &Formula, binding: &Binding, names: &[String]) -> String {
        let mut told: Vec<String> = Vec::new();
        condition.each_term(&mut |term| {
            if !matches!(term, Term::Read { .. } | Term::Count { .. }) || !is_bound(term, binding) {
                return;
            }
            if let Ok(value) = self.machine.value_of(term, binding) {
                let sentence = format!("{} is {value}", term.display(self.model, names));
                if !told.contains(&sentence) {
                    told.push(sentence);
                }
            }
        });
        if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) }
    }

    /// Rules of the language that the step would break: it is not taken then, and the run ends.
    fn forbidden(&self, rule: RuleId, call: &Call) -> Vec<String> {
        let properties = self.model.properties.iter().filter(|property| property.rule == Some(rule));
        let broken = properties.filter(|property| {
            let binding: Binding =
                property.params.iter().copied().zip(call.processes.iter().copied()).collect();
            self.machine.holds(&property.formula, &binding) == Ok(true)
        });
        broken
            .map(|property| {
                let what = match property.kind {
                    PropertyKind::Range => "assign a value outside of its range",
                    _ => "be a misuse",
                };
                format!("the step would {what} (`{}`), and the run ends here", property.name)
            })
            .collect()
    }
}

/// The names of variables: those that are bound are called by their processes.
fn names_of(variables: &[String], binding: &Binding) -> Vec<String> {
    let mut names = variables.to_vec();
    for (var, process) in binding {
        names[var.index()] = people(&[*process]);
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
