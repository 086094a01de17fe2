//! The scripts of a certificate: for the initial states, the properties and each transition.

use super::encode::{Encoder, Polarity, Scope, has_domain};
use crate::{
    Certificate, Cube, Extended,
    auxiliary::Given,
    check::{Relevant, relevant},
};
use ir::{Formula, Model, Property, SymbolId, Term, Transition, Update, Var};
use std::collections::BTreeSet;

/// A script with a sentence for each of its questions.
pub(super) struct Script {
    pub(super) file: String,
    pub(super) says: String,
    pub(super) questions: Vec<String>,
    pub(super) text: String,
}

/// The scripts of a certificate, or a reason why there are none.
pub(super) fn scripts(model: &Model, certificate: &Certificate) -> Result<Vec<Script>, String> {
    if model.is_weak() {
        return Err("certificates of models with weak memory cannot be written yet".into());
    }
    // A question gets only those hypotheses that the checker needed for it, or all if the checker did not accept. Leaving out
    // hypotheses makes a script easier to satisfy, never harder: `unsat` is as good a proof as with all of them.
    let extended = certificate.extended(model)?;
    let relevant = relevant(&extended, certificate);
    let relevant = relevant.as_ref();
    let model = &*extended.model;
    let mut scripts =
        vec![init_script(model, certificate), property_script(&extended, certificate, relevant)];
    if !certificate.auxiliaries.is_empty() || !certificate.counters.is_empty() {
        scripts.push(auxiliary_script(&extended, certificate, relevant));
    }
    for at in 0..model.transitions.len() {
        scripts.extend(step_script(&extended, certificate, relevant, at));
    }
    Ok(scripts)
}

/// The names of the processes of a cube.
fn cube_names(count: usize) -> Vec<String> {
    (1..=count).map(|at| format!("c{at}")).collect()
}

/// The numbers of parameters that cubes have.
fn sizes<'a>(cubes: impl Iterator<Item = &'a Cube>) -> Vec<usize> {
    let mut sizes: Vec<usize> = cubes.map(|cube| cube.params.len()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn scope_of(cube: &Cube, after: bool) -> Scope {
    let mut names = vec![None; cube.variables.len()];
    for (param, name) in cube.params.iter().zip(cube_names(cube.params.len())) {
        names[param.index()] = Some(name);
    }
    Scope { names, after, instance: false }
}

fn declare_cube_processes(encoder: &mut Encoder<'_>, size: usize, distinct: bool) {
    let names = cube_names(size);
    names.iter().for_each(|name| encoder.declare_process(name));
    if size > 1 && distinct {
        encoder.assert(&format!("(distinct {})", names.join(" ")));
    }
    // A run has at least one process.
    if !encoder.has_process_terms() {
        encoder.declare_process("somebody");
    }
}

/// That some processes match a cube.
fn assert_match<'m>(encoder: &mut Encoder<'m>, cube: &'m Cube, after: bool) {
    let scope = scope_of(cube, after);
    let formula = encoder.formula(&cube.formula, &scope, Polarity::Positive);
    encoder.assert(&formula);
}

fn assume<'m>(encoder: &mut Encoder<'m>, model: &'m Model) {
    for assumption in model.assumptions.iter().filter(|assumption| is_constant(model, &assumption.formula)) {
        encoder.never(&assumption.params, assumption.variables.len(), &assumption.formula);
    }
}

/// Names the processes that assumptions and counters promise.
fn name_promised<'m>(encoder: &mut Encoder<'m>, extended: &'m Extended<'_>, by_counters: &BTreeSet<usize>) {
    let model = &*extended.model;
    for never in by_counters.iter().filter_map(|at| extended.never.get(*at)) {
        encoder.promise(&never.params, never.variables.len(), &never.formula);
    }
    for assumption in model.assumptions.iter().filter(|assumption| is_constant(model, &assumption.formula)) {
        if assumption.formula.has_quantifier() {
            encoder.promise(&assumption.params, assumption.variables.len(), &assumption.formula);
        }
    }
}

/// Whether no step changes what the formula is about.
fn is_constant(model: &Model, formula: &Formula) -> bool {
    let mut constant = true;
    formula.each_term(&mut |term| {
        let changes = |transition: &Transition| {
            transition.updates.iter().any(|update| Some(update.symbol) == term.symbol())
        };
        constant &= term.symbol().is_none() || !model.transitions.iter().any(changes);
    });
    constant
}

/// That no cube has a match: none of these, or none at all.
fn suppose_invariant<'m>(
    encoder: &mut Encoder<'m>,
    certificate: &'m Certificate,
    cubes: Option<impl Iterator<Item = usize>>,
) {
    let mut suppose = |at: usize| {
        let cube = &certificate.cubes[at];
        encoder.never(&cube.params, cube.variables.len(), &cube.formula);
    };
    match cubes {
        Some(cubes) => cubes.for_each(&mut suppose),
        None => (0..certificate.cubes.len()).for_each(suppose),
    }
}

fn init_script(model: &Model, certificate: &Certificate) -> Script {
    let mut encoder = Encoder::new(model, certificate);
    let mut questions = Vec::new();
    encoder.comment("No initial state matches a cube.");
    assume(&mut encoder, model);
    for init in &model.init {
        encoder.push();
        encoder.comment(&format!("init {}", init.formula.display(model, &init.variables)));
        encoder.initial(init);
        for size in sizes(certificate.cubes.iter()) {
            encoder.push();
            declare_cube_processes(&mut encoder, size, true);
            encoder.instantiate();
            for cube in certificate.cubes.iter().filter(|cube| cube.params.len() == size) {
                let question = format!("no initial state matches {}", cube.display(model));
                encoder.push();
                encoder.comment(&question);
                assert_match(&mut encoder, cube, false);
                encoder.instantiate();
                encoder.initial_cells(init);
                encoder.line("(check-sat)");
                encoder.pop();
                questions.push(question);
            }
            encoder.pop();
        }
        encoder.pop();
    }
    let says = "no initial state matches a cube".to_owned();
    Script { file: "init.smt2".into(), says, questions, text: encoder.text }
}

fn property_script(
    extended: &Extended<'_>,
    certificate: &Certificate,
    relevant: Option<&Relevant>,
) -> Script {
    let model = &*extended.model;
    let mut encoder = Encoder::new(model, certificate);
    let mut questions = Vec::new();
    encoder.comment("A state that matches a property matches a cube.");
    assume(&mut encoder, model);
    for (at, property) in model.properties.iter().enumerate() {
        let question = format!("what matches `{}` matches a cube", property.name);
        encoder.push();
        suppose_invariant(&mut encoder, certificate, relevant.map(|relevant| relevant.to_property(at)));
        let promised = relevant.and_then(|relevant| relevant.promised_to_property(at));
        ask_for_state(&mut encoder, property, &question, promised.map(|promised| (extended, promised)));
        encoder.pop();
        questions.push(question);
    }
    let says = "every state that matches a property matches a cube".to_owned();
    Script { file: "properties.smt2".into(), says, questions, text: encoder.text }
}

/// That every run of the model is a run of the model with the auxiliary variables and counters.
fn auxiliary_script(
    extended: &Extended<'_>,
    certificate: &Certificate,
    relevant: Option<&Relevant>,
) -> Script {
    let model = &*extended.model;
    let mut encoder = Encoder::new(model, certificate);
    let says = "whatever can happen can happen with the auxiliary variables as well";
    encoder.comment(&format!("{says}."));
    for auxiliary in &certificate.auxiliaries {
        encoder.comment(&format!("{}.", auxiliary.display(model)));
    }
    for counter in &certificate.counters {
        encoder.comment(&format!("{}.", counter.display(model)));
    }
    assume(&mut encoder, model);
    for (at, lift) in extended.lifts.iter().enumerate() {
        encoder.push();
        if let Some(auxiliary) = &lift.auxiliary {
            encoder.collect(auxiliary, &Scope { names: vec![], after: false, instance: false });
        }
        match lift.given {
            Given::Nothing => {}
            Given::Invariant => {
                let needed = relevant.map(|relevant| relevant.to_lift(at));
                suppose_invariant(&mut encoder, certificate, needed);
            }
            Given::Init(init) => encoder.initial(&model.init[init]),
        }
        // What counters start as has to be shown without supposing it.
        encoder.counts = !matches!(lift.given, Given::Init(_));
        ask_for_state(&mut encoder, &lift.never, &lift.never.name, None);
        encoder.pop();
    }
    let questions = extended.lifts.iter().map(|lift| lift.never.name.clone()).collect();
    Script { file: "auxiliary.smt2".into(), says: says.into(), questions, text: encoder.text }
}

/// Asks whether there is a state that matches a property.
fn ask_for_state<'m>(
    encoder: &mut Encoder<'m>,
    property: &'m Property,
    question: &str,
    promised: Option<(&'m Extended<'_>, &BTreeSet<usize>)>,
) {
    encoder.comment(question);
    encoder.comment(&property.formula.display(encoder.model, &property.variables).to_string());
    let names = cube_names(property.params.len());
    let names = encoder.declare_params(&property.params, property.variables.len(), &names);
    if !encoder.has_process_terms() {
        encoder.declare_process("somebody");
    }
    let scope = Scope { names, after: false, instance: false };
    let formula = encoder.formula(&property.formula, &scope, Polarity::Positive);
    encoder.assert(&formula);
    if let Some((extended, promised)) = promised {
        name_promised(encoder, extended, promised);
    }
    encoder.instantiate();
    encoder.line("(check-sat)");
}

/// What is asked about a transition, by position.
struct Asked<'c> {
    /// The cubes that read what it assigns.
    cubes: Vec<(usize, &'c Cube)>,
    /// The symbols that it assigns and whose domain is smaller than their sort.
    domains: Vec<SymbolId>,
}

impl<'c> Asked<'c> {
    fn new(model: &Model, certificate: &'c Certificate, transition: &Transition) -> Asked<'c> {
        let assigned = |term: &Term| {
            transition.updates.iter().any(|update: &Update| Some(update.symbol) == term.symbol())
        };
        let reads_assigned = |cube: &Cube| {
            let mut found = false;
            cube.formula.each_term(&mut |term| found |= assigned(term));
            found
        };
        let symbols = transition.updates.iter().map(|update| update.symbol);
        Asked {
            cubes: certificate.cubes.iter().enumerate().filter(|(_, cube)| reads_assigned(cube)).collect(),
            domains: symbols.filter(|symbol| has_domain(model, *symbol)).collect(),
        }
    }
}

/// `None` if the transition assigns nothing that a cube reads, and nothing whose domain is smaller than its sort.
fn step_script(
    extended: &Extended<'_>,
    certificate: &Certificate,
    relevant: Option<&Relevant>,
    at: usize,
) -> Option<Script> {
    let model = &*extended.model;
    let transition = &model.transitions[at];
    let asked = Asked::new(model, certificate, transition);
    if asked.cubes.is_empty() && asked.domains.is_empty() {
        return None;
    }
    let rule = &model.rules[transition.rule.index()].name;
    let mut encoder = Encoder::new(model, certificate);
    let says =
        format!("`{rule}` does not lead from the invariant to a cube, nor out of the domain of a symbol");
    encoder.comment(&format!(
        "{says}.\nThe cubes have the processes c1, c2, ... in the order of their parameters."
    ));
    suppose_step(&mut encoder, transition);
    assume(&mut encoder, model);
    if relevant.is_none() {
        suppose_invariant(&mut encoder, certificate, None::<std::iter::Empty<usize>>);
    }
    let mut questions = Vec::new();
    for size in sizes(asked.cubes.iter().map(|(_, cube)| *cube)) {
        encoder.push();
        declare_cube_processes(&mut encoder, size, true);
        encoder.instantiate();
        for (cube_at, cube) in asked.cubes.iter().filter(|(_, cube)| cube.params.len() == size) {
            let needed = relevant.map(|relevant| relevant.to_step(at, *cube_at));
            let question = format!("`{rule}` does not lead to {}", cube.display(model));
            let promised = relevant.and_then(|relevant| relevant.promised_to_step(at, *cube_at));
            ask_after(&mut encoder, certificate, needed, &question, |encoder| {
                assert_match(encoder, cube, true);
                if let Some(promised) = promised {
                    name_promised(encoder, extended, promised);
                }
            });
            questions.push(question);
        }
        encoder.pop();
    }
    for symbol in asked.domains {
        let needed = relevant.map(|relevant| relevant.to_domain(at, symbol.index()));
        let question = format!("`{rule}` keeps `{}` within its domain", model.symbol(symbol).name);
        encoder.push();
        // The indices of a cell may coincide.
        declare_cube_processes(&mut encoder, model.symbol(symbol).arity, false);
        ask_after(&mut encoder, certificate, needed, &question, |encoder| {
            let outside = encoder.outside_of_domain(symbol, &cube_names(model.symbol(symbol).arity));
            encoder.assert(&outside);
        });
        encoder.pop();
        questions.push(question);
    }
    let file = format!("step-{:03}-{rule}.smt2", at + 1);
    Some(Script { file, says, questions, text: encoder.text })
}

/// That some processes take the step.
fn suppose_step<'m>(encoder: &mut Encoder<'m>, transition: &'m Transition) {
    let name = |var: &Var| format!("t.{}", transition.variables[var.index()]);
    let names: Vec<String> = transition.params.iter().map(name).collect();
    let names = encoder.declare_params(&transition.params, transition.variables.len(), &names);
    encoder.comment(&format!("requires {}", transition.guard.display(encoder.model, &transition.variables)));
    let scope = Scope { names: names.clone(), after: false, instance: false };
    let guard = encoder.formula(&transition.guard, &scope, Polarity::Positive);
    encoder.assert(&guard);
    encoder.set_step(transition, &names);
}

/// Asks whether a formula may hold after the step if these cubes have no match before it, or none at all.
fn ask_after<'m>(
    encoder: &mut Encoder<'m>,
    certificate: &'m Certificate,
    needed: Option<impl Iterator<Item = usize>>,
    question: &str,
    assert: impl FnOnce(&mut Encoder<'m>),
) {
    encoder.push();
    encoder.comment(question);
    if needed.is_some() {
        suppose_invariant(encoder, certificate, needed);
    }
    assert(encoder);
    encoder.instantiate();
    encoder.line("(check-sat)");
    encoder.pop();
}
