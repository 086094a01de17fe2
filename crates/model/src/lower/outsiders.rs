//! Which variables hold outsiders initially, and which may hold them later.
//!
//! A variable of sort `proc` holds an outsider initially if every disjunct of `init` contains `G <> i` for a
//! parameter `i`, or equates it with such a variable; likewise all cells of an array, if they are equated with such a
//! variable. Outsiders of different variables differ unless a disjunct equates them; then there is one alternative
//! for each way to equate them, with the disjuncts that do so.

use super::{
    items::{MAX_INIT_DISJUNCTS, RawInit},
    threads::NOBODY,
};
use ir::{
    self, At, Formula, Init, Model, Origin, Outsider, OutsiderId, Property, PropertyKind, Relation, Sort,
    SymbolId, Term, Value, Var,
};
use source::{Diagnostic, Diagnostics};

/// Outsiders of variables, each given as the variable that it is named after.
type Assignment = Vec<(SymbolId, SymbolId)>;

/// Fills in [`Model::init`] and [`Model::outsiders`], and which symbols may hold an outsider. False after an error.
pub(super) fn resolve(model: &mut Model, inits: &[RawInit], out: &mut Diagnostics) -> bool {
    let errors = out.errors();
    inits.iter().for_each(|init| check_expanded(model, init, out));
    if model.threads.is_some() {
        model.outsiders.push(Outsider { name: "nobody".into() });
    }
    let per_init: Vec<Vec<Assignment>> = inits.iter().map(|init| assignments(model, init)).collect();
    // A variable must hold an outsider in every `init`, because the initial states are their union.
    let outside = |symbol: SymbolId| {
        let everywhere =
            |assignments: &Vec<Assignment>| assignments.iter().all(|a| a.iter().any(|(s, _)| *s == symbol));
        per_init.iter().all(everywhere)
    };
    let symbols: Vec<SymbolId> =
        (0..model.symbols.len()).map(SymbolId::from_index).filter(|id| outside(*id)).collect();
    for (init, mut assignments) in inits.iter().zip(per_init) {
        assignments
            .iter_mut()
            .for_each(|assignment| assignment.retain(|(symbol, _)| symbols.contains(symbol)));
        let mut alternatives: Vec<Assignment> = Vec::new();
        for assignment in &assignments {
            if !alternatives.contains(assignment) {
                alternatives.push(assignment.clone());
            }
        }
        for alternative in &alternatives {
            let outsiders: Vec<(SymbolId, OutsiderId)> =
                alternative.iter().map(|(symbol, named)| (*symbol, outsider(model, *named))).collect();
            check_indices(model, init, &outsiders, out);
            let formula = match alternatives.len() {
                1 => init.formula.clone(),
                _ => disjuncts_with(init, &assignments, alternative),
            };
            push_init(model, init, formula, outsiders);
        }
    }
    spread(model);
    out.errors() == errors
}

/// The disjuncts of an `init` that require these outsiders.
fn disjuncts_with(init: &RawInit, assignments: &[Assignment], wanted: &Assignment) -> Formula {
    let disjuncts = init.disjuncts.as_deref().unwrap_or_default().iter().zip(assignments);
    let asking = disjuncts.filter(|(_, assignment)| *assignment == wanted);
    let body = Formula::or(asking.map(|(literals, _)| Formula::and(literals.iter().cloned())));
    init.kinds.clone().implies(body)
}

/// Reports an `init` with too many disjuncts to expand, if they decide which variables hold outsiders.
fn check_expanded(model: &Model, init: &RawInit, out: &mut Diagnostics) {
    let matters = |symbol: &ir::Symbol| symbol.sort == Sort::Proc && symbol.arity == 0;
    if init.disjuncts.is_none() && (model.symbols.iter().any(matters) || model.threads.is_some()) {
        out.push(
            Diagnostic::error(
                "init-too-large",
                init.at,
                format!("this `init` has more than {MAX_INIT_DISJUNCTS} disjuncts"),
            )
            .label("too many to tell which variables start outside of the run")
            .help("use fewer `||`, or leave values open that may be anything"),
        );
    }
}

/// In `init`, too, an outsider is never an index.
fn check_indices(model: &Model, init: &RawInit, outsiders: &[(SymbolId, OutsiderId)], out: &mut Diagnostics) {
    init.formula.each_term(&mut |term| {
        let (Term::Read { indices, .. } | Term::Count { row: indices, .. }) = term else { return };
        for symbol in indices.iter().filter_map(Term::read_symbol) {
            if outsiders.iter().any(|(outside, _)| *outside == symbol) {
                let message = format!(
                    "`{}` is not a process of the run and cannot be an index",
                    model.symbol(symbol).name
                );
                out.push(
                    Diagnostic::error("outsider-as-index", init.at, message)
                        .label("here it is said to be none of the processes"),
                );
            }
        }
    });
}

/// The outsiders of each disjunct of an `init`. If there is no disjunct, one assignment without outsiders.
fn assignments(model: &Model, init: &RawInit) -> Vec<Assignment> {
    let disjuncts = init.disjuncts.as_deref().unwrap_or_default();
    if disjuncts.is_empty() {
        return vec![vec![]];
    }
    disjuncts.iter().map(|literals| assignment(model, literals, &init.free_params)).collect()
}

/// The outsiders of one disjunct: the closure of `G <> i` under equations between variables.
fn assignment(model: &Model, literals: &[Formula], params: &[Var]) -> Assignment {
    let global = |term: &Term| match term {
        Term::Read { symbol, indices, .. }
            if indices.is_empty() && model.symbol(*symbol).sort == Sort::Proc =>
        {
            Some(*symbol)
        }
        _ => None,
    };
    let mut found: Assignment = Vec::new();
    for literal in literals {
        let Formula::Compare(Relation::Neq, left, right) = literal else { continue };
        for (variable, other) in [(left, right), (right, left)] {
            let against_param = matches!(other, Term::Var(var) if params.contains(var));
            if let Some(symbol) = global(variable).filter(|_| against_param)
                && !found.iter().any(|(known, _)| *known == symbol)
            {
                found.push((symbol, symbol));
            }
        }
    }
    let whole = |term: &Term| global(term).or_else(|| whole_array(model, term, params));
    let equations: Vec<(SymbolId, SymbolId)> = literals
        .iter()
        .filter_map(|literal| match literal {
            Formula::Compare(Relation::Eq, left, right) => Some((whole(left)?, whole(right)?)),
            _ => None,
        })
        .collect();
    close(&mut found, &equations);
    found.sort_unstable();
    found
}

/// The array of a term `A[i, j]` with distinct parameters as indices, which stands for all cells.
fn whole_array(model: &Model, term: &Term, params: &[Var]) -> Option<SymbolId> {
    let Term::Read { symbol, indices, .. } = term else { return None };
    let param = |index: &Term| matches!(index, Term::Var(var) if params.contains(var));
    let different = |at: usize| !indices[..at].contains(&indices[at]);
    let all = indices.iter().all(param) && (0..indices.len()).all(different);
    (all && model.symbol(*symbol).sort == Sort::Proc).then_some(*symbol)
}

/// If one of several equated variables holds an outsider, all do: that of the one declared first.
fn close(found: &mut Assignment, equations: &[(SymbolId, SymbolId)]) {
    loop {
        let before = found.clone();
        for (a, b) in equations {
            let name = |symbol: &SymbolId, found: &Assignment| {
                found.iter().find(|(s, _)| s == symbol).map(|(_, named)| *named)
            };
            let Some(shared) = [name(a, found), name(b, found)].into_iter().flatten().min() else { continue };
            for symbol in [a, b] {
                match found.iter_mut().find(|(s, _)| s == symbol) {
                    Some((_, named)) => *named = shared,
                    None => found.push((*symbol, shared)),
                }
            }
        }
        if *found == before {
            return;
        }
    }
}

/// The outsider that is named after a variable.
fn outsider(model: &mut Model, symbol: SymbolId) -> OutsiderId {
    let name = model.symbol(symbol).name.clone();
    let known = model.outsiders.iter().position(|outsider| outsider.name == name);
    OutsiderId::from_index(known.unwrap_or_else(|| {
        model.outsiders.push(Outsider { name });
        model.outsiders.len() - 1
    }))
}

fn push_init(
    model: &mut Model,
    init: &RawInit,
    formula: Formula,
    mut outsiders: Vec<(SymbolId, OutsiderId)>,
) {
    let mut variables = init.variables.clone();
    let mut formula = vec![formula];
    if let Some(threads) = &model.threads {
        variables.push("k".into());
        let process = Var::from_index(variables.len() - 1);
        let blocked = model.symbol(threads.blocked);
        let Sort::Enum(reasons) = blocked.sort else { unreachable!("`blocked` is an enumeration") };
        let active =
            Formula::eq(Term::read(threads.blocked, vec![Term::Var(process)]), Term::Constructor(reasons, 0));
        formula.push(Formula::forall(vec![process], active));
        if let Some(before) = threads.before {
            variables.push("m".into());
            let other = Var::from_index(variables.len() - 1);
            let came_first = Term::read(before, vec![Term::Var(process), Term::Var(other)]);
            let nobody_did = Formula::eq(came_first, Term::boolean(false));
            // Variables bound by one quantifier are distinct, but the diagonal needs an initial value, too.
            let nobody_did = Formula::forall(vec![other], nobody_did);
            formula.push(Formula::forall(vec![process], nobody_did));
        }
        outsiders.extend(threads.blocked_at.map(|cells| (cells, NOBODY)));
        for lock in &threads.locks {
            if model.symbol(lock.state).origin == Origin::Owner {
                outsiders.push((lock.state, NOBODY));
            }
            if let Some(depth) = lock.depth {
                let indices = if lock.array { vec![Term::Var(process)] } else { vec![] };
                let zero = Formula::eq(Term::read(depth, indices), Term::int(0));
                formula.push(if lock.array { Formula::forall(vec![process], zero) } else { zero });
            }
        }
    }
    let formula = Formula::and(formula);
    model.init.push(Init { params: init.params.clone(), variables, formula, outsiders, at: At(init.at) });
}

/// Determines which symbols may ever hold an outsider: assignments copy them like any value.
fn spread(model: &mut Model) {
    for init in &model.init {
        for (symbol, _) in &init.outsiders {
            model.symbols[symbol.index()].holds_outsiders = true;
        }
    }
    loop {
        let mut reached = Vec::new();
        for update in model.transitions.iter().flat_map(|transition| &transition.updates) {
            let gets_one = update
                .arms
                .iter()
                .any(|arm| matches!(&arm.value, Value::Term(term) if may_be_outsider(model, term)));
            if gets_one && !model.symbol(update.symbol).holds_outsiders {
                reached.push(update.symbol);
            }
        }
        if reached.is_empty() {
            return;
        }
        for symbol in reached {
            model.symbols[symbol.index()].holds_outsiders = true;
        }
    }
}

fn may_be_outsider(model: &Model, term: &Term) -> bool {
    match term {
        Term::Outsider(_) => true,
        Term::Read { symbol, .. } => model.symbol(*symbol).holds_outsiders,
        _ => false,
    }
}

/// Adds properties that forbid the misuse of outsiders as an index, or in a comparison by `<`.
pub(super) fn forbid_misuse(model: &mut Model) {
    let mut misuses = Vec::new();
    let mut transitions = std::mem::take(&mut model.transitions);
    for transition in &mut transitions {
        let guard = defined(model, &transition.guard);
        let updates = Formula::and(transition.updates.iter().map(|update| defined_update(model, update)));
        let bad = Formula::or([
            guard.clone().not(),
            Formula::and([transition.guard.clone(), updates.clone().not()]),
        ]);
        if bad == Formula::False {
            continue;
        }
        transition.guard =
            Formula::and([guard, std::mem::replace(&mut transition.guard, Formula::True), updates]);
        let rule = &model.rules[transition.rule.index()];
        let (params, variables) = (transition.params.clone(), transition.variables.clone());
        misuses.push(misuse(bad, params, variables, Some(transition.rule), rule.at));
    }
    model.transitions = transitions;
    let mut properties = std::mem::take(&mut model.properties);
    for property in &mut properties {
        let makes_sense = defined(model, &property.formula);
        if makes_sense == Formula::True {
            continue;
        }
        // Misuse in the steps of a rule has its own properties.
        if property.rule.is_none() {
            let (params, variables) = (property.params.clone(), property.variables.clone());
            misuses.push(misuse(makes_sense.clone().not(), params, variables, None, property.at));
        }
        let formula = std::mem::replace(&mut property.formula, Formula::True);
        property.formula = Formula::and([makes_sense, formula]);
    }
    model.properties = properties;
    forbid_in_finals(model);
    for temporal in &model.temporal {
        temporal.formula.each_atom(&mut |atom| {
            if let ir::TemporalAtom::State(formula) = atom {
                let bad = defined(model, formula).not();
                if bad != Formula::False {
                    let bad = Formula::and([temporal.kinds.clone(), bad]);
                    let (params, variables) = (temporal.params.clone(), temporal.variables.clone());
                    misuses.push(misuse(bad, params, variables, None, temporal.at));
                }
            }
        });
    }
    model.properties.extend(misuses);
}

/// A `final` that misuses an outsider in a state does not hold there. That is not a violation: `final` matters only
/// in states where a run ends.
fn forbid_in_finals(model: &mut Model) {
    let mut finals = std::mem::take(&mut model.finals);
    for end in &mut finals {
        let formula = std::mem::replace(&mut end.formula, Formula::True);
        end.formula = Formula::and([defined(model, &formula), formula]);
    }
    model.finals = finals;
}

fn misuse(
    formula: Formula,
    params: Vec<Var>,
    variables: Vec<String>,
    rule: Option<ir::RuleId>,
    at: At,
) -> Property {
    Property { kind: PropertyKind::Misuse, name: String::new(), params, variables, formula, rule, at }
}

/// The condition that a formula, evaluated from left to right, misuses no outsider: earlier parts may guard later
/// ones.
fn defined(model: &Model, formula: &Formula) -> Formula {
    let rec = |formula: &Formula| defined(model, formula);
    match formula {
        Formula::True | Formula::False | Formula::Fence => Formula::True,
        Formula::Compare(relation, left, right) => {
            let order = matches!(relation, Relation::Lt | Relation::Le);
            let compared = [left, right].into_iter().filter(|_| order).map(|term| inside(model, term));
            Formula::and([defined_term(model, left), defined_term(model, right)].into_iter().chain(compared))
        }
        Formula::Not(inner) => rec(inner),
        Formula::And(parts) => {
            let before = |at: usize| Formula::and(parts[..at].iter().cloned());
            Formula::and(parts.iter().enumerate().map(|(at, part)| given(|| before(at), rec(part))))
        }
        Formula::Or(parts) => {
            let none_before = |at: usize| Formula::or(parts[..at].iter().cloned()).not();
            Formula::and(parts.iter().enumerate().map(|(at, part)| given(|| none_before(at), rec(part))))
        }
        Formula::Iff(left, right) => Formula::and([rec(left), rec(right)]),
        Formula::If(condition, then, otherwise) => Formula::and([
            rec(condition),
            given(|| (**condition).clone(), rec(then)),
            given(|| (**condition).clone().not(), rec(otherwise)),
        ]),
        Formula::Quantified { variables, apart_from, body, .. } => {
            Formula::quantified(ir::Quantifier::Forall, variables.clone(), apart_from.clone(), rec(body))
        }
    }
}

/// An implication. If the conclusion is true, as usual, the premise is not built.
fn given(premise: impl FnOnce() -> Formula, conclusion: Formula) -> Formula {
    if conclusion == Formula::True { conclusion } else { premise().implies(conclusion) }
}

fn defined_update(model: &Model, update: &ir::Update) -> Formula {
    let mut parts = Vec::new();
    for (at, arm) in update.arms.iter().enumerate() {
        let earlier = || Formula::and(update.arms[..at].iter().map(|arm| arm.condition.clone().not()));
        parts.push(given(earlier, defined(model, &arm.condition)));
        if let Value::Term(term) = &arm.value {
            let reached = || Formula::and([earlier(), arm.condition.clone()]);
            parts.push(given(reached, defined_term(model, term)));
        }
    }
    // The cell of a single update is an index as well.
    if let Some((indices, _)) = update.single_cell() {
        parts.extend(
            indices.into_iter().map(|index| Formula::and([defined_term(model, index), inside(model, index)])),
        );
    }
    let body = Formula::and(parts);
    update.cell.iter().rev().fold(body, |body, cell| Formula::forall(vec![*cell], body))
}

/// The condition that no index in a term is an outsider.
fn defined_term(model: &Model, term: &Term) -> Formula {
    let mut parts = Vec::new();
    term.each_term(&mut |part| {
        if let Term::Read { indices, .. } | Term::Count { row: indices, .. } = part {
            parts.extend(indices.iter().map(|index| inside(model, index)));
        }
    });
    Formula::and(parts)
}

/// The condition that a term is a process of the run.
fn inside(model: &Model, term: &Term) -> Formula {
    if !may_be_outsider(model, term) {
        return Formula::True;
    }
    let ids = (0..model.outsiders.len()).map(OutsiderId::from_index);
    Formula::and(ids.map(|id| Formula::neq(term.clone(), Term::Outsider(id))))
}
