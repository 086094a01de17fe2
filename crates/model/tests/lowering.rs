//! The typed form of the constructs of the language.

use ir::{Formula, Model, Origin, PropertyKind, Quantifier, Relation, Term, Transition, Value, Var};
use source::Source;

fn lowered(text: &str) -> Model {
    let loaded = model::load(&Source::new("model.cub", text));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()))
}

/// The transitions of the rule of a name.
fn transitions<'m>(model: &'m Model, name: &str) -> Vec<&'m Transition> {
    let of_rule = |transition: &&Transition| model.rules[transition.rule.index()].name == name;
    model.transitions.iter().filter(of_rule).collect()
}

/// The direct parts of a formula.
fn parts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::True | Formula::False | Formula::Fence | Formula::Compare(..) => vec![],
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => vec![inner],
        Formula::And(parts) | Formula::Or(parts) => parts.iter().collect(),
        Formula::Iff(left, right) => vec![left, right],
        Formula::If(condition, then, otherwise) => vec![condition, then, otherwise],
    }
}

/// The quantifiers of a formula: the names of their variables and of those that they exclude.
fn quantifiers(formula: &Formula, names: &[String]) -> Vec<(String, String)> {
    let join =
        |vars: &[Var]| vars.iter().map(|var| names[var.index()].as_str()).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    if let Formula::Quantified { variables, apart_from, .. } = formula {
        found.push((join(variables), join(apart_from)));
    }
    found.extend(parts(formula).into_iter().flat_map(|part| quantifiers(part, names)));
    found
}

fn guard_quantifiers(transition: &Transition) -> Vec<(String, String)> {
    quantifiers(&transition.guard, &transition.variables)
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

/// For each transition of a rule the name of the process that it wakes, and its number of parameters.
fn woken(model: &Model, rule: &str) -> Vec<(Option<String>, usize)> {
    let name =
        |transition: &Transition| transition.woken.map(|var| transition.variables[var.index()].clone());
    transitions(model, rule).into_iter().map(|t| (name(t), t.params.len())).collect()
}

fn some(name: &str, params: usize) -> (Option<String>, usize) {
    (Some(name.to_owned()), params)
}

const LOCKS: &str = "var L : lock  var R : rlock  var C : condition  var S : semaphore
    init { S = 1 }
    transition acquire_lock_ ([i] j) requires { i <> j } { acquire(L, i) }
    transition release_lock_ ([i] j) requires { i <> j } { release(L, i) }
    transition release_alone ([i]) { release(L, i) }
    transition release_rlock ([i]) { release(R, i) }
    transition release_semaphore (j [i]) requires { i <> j } { release(S, i) }
    transition sleep ([i] j) requires { i <> j } { wait(C, i) }
    transition call ([i] j k) requires { i <> j && j <> k } { notify(C, i) }
    transition call_all ([i] j) requires { i <> j } { notify_all(C, i) }";

#[test]
fn whoever_may_be_woken_has_a_transition() {
    let model = lowered(LOCKS);
    let nobody = |params| (None, params);
    assert_eq!(woken(&model, "acquire_lock_"), [nobody(2)]);
    assert_eq!(woken(&model, "release_lock_"), [some("woken", 3), some("j", 2), nobody(2)]);
    assert_eq!(woken(&model, "release_alone"), [some("woken", 2), nobody(1)]);
    assert_eq!(woken(&model, "release_semaphore"), [some("woken", 3), some("j", 2), nobody(2)]);
    assert_eq!(woken(&model, "sleep"), [some("woken", 3), some("j", 2), nobody(2)]);
    assert_eq!(woken(&model, "call"), [some("woken", 4), some("j", 3), some("k", 3), nobody(3)]);
    assert_eq!(woken(&model, "call_all"), [nobody(2)]);
    // Releasing a reentrant lock that is held more than once wakes no process.
    assert_eq!(woken(&model, "release_rlock"), [nobody(1), some("woken", 2), nobody(1)]);
}

#[test]
fn lock_operations_that_need_the_owner_have_a_misuse() {
    let model = lowered(LOCKS);
    let misused = |name: &str| {
        let of_rule = |rule: ir::RuleId| model.rules[rule.index()].name == name;
        let misuse = |property: &&ir::Property| {
            property.kind == PropertyKind::Misuse && property.rule.is_some_and(of_rule)
        };
        model.properties.iter().filter(misuse).count()
    };
    for rule in ["release_lock_", "release_rlock", "sleep", "call", "call_all"] {
        assert_eq!(misused(rule), 1, "{rule}");
    }
    assert_eq!(misused("acquire_lock_"), 0);
    assert_eq!(misused("release_semaphore"), 0, "anyone may release a semaphore");
}

#[test]
fn locks_become_owners_depths_and_values() {
    let model = lowered(LOCKS);
    let origins = |origin: Origin| model.symbols.iter().filter(|symbol| symbol.origin == origin).count();
    assert_eq!((origins(Origin::Owner), origins(Origin::Depth), origins(Origin::Blocked)), (3, 1, 1));
    assert_eq!(origins(Origin::BlockedAt), 0, "no lock is in an array");
    let threads = model.threads.as_ref().expect("there are locks");
    let owners = threads.locks.iter().filter(|lock| lock.state_is_owner());
    for lock in owners {
        assert!(model.init[0].outsiders.contains(&(lock.state, threads.nobody)), "{} starts free", lock.name);
    }
}

#[test]
fn other_leaves_out_the_parameters_even_inside_of_predicates_and_quantifiers() {
    let model = lowered(
        "array A[proc] : bool  init (i) { A[i] = True }
         predicate alone(p) { forall_other k. A[k] = True || k = p }
         transition t (i j) requires { A[i] = A[j] && alone(j) && exists m. alone(m) && forall n. A[n] = True } { }",
    );
    let expected = pairs(&[("k", "i j"), ("m", ""), ("k", "i j"), ("n", "")]);
    assert_eq!(guard_quantifiers(transitions(&model, "t")[0]), expected);
}

#[test]
fn other_does_not_leave_out_the_process_that_is_woken() {
    let model = lowered(
        "var L : lock  array A[proc] : bool  init (i) { A[i] = True }
         transition t ([i]) requires { forall_other k. A[k] = True } { release(L, i) }",
    );
    for transition in transitions(&model, "t") {
        assert_eq!(guard_quantifiers(transition)[0], ("k".to_owned(), "i".to_owned()));
    }
}

#[test]
fn other_in_init_and_properties_leaves_out_their_parameters() {
    let model = lowered(
        "array A[proc] : bool  init (i) { A[i] = True && forall_other k. A[k] = True }
         unsafe (i j) { A[i] <> A[j] && exists_other k. A[k] = True }",
    );
    let (init, property) = (&model.init[0], &model.properties[0]);
    assert_eq!(quantifiers(&init.formula, &init.variables), pairs(&[("k", "i")]));
    assert_eq!(quantifiers(&property.formula, &property.variables), pairs(&[("k", "i j")]));
}

#[test]
fn two_variables_of_a_quantifier_are_declared_together() {
    let model = lowered("array A[proc] : bool  init { forall i <> j. A[i] = A[j] }");
    let Formula::Quantified { quantifier, variables, apart_from, .. } = &model.init[0].formula else {
        panic!("one quantifier")
    };
    assert_eq!((*quantifier, variables.len(), apart_from.len()), (Quantifier::Forall, 2, 0));
}

/// The initial outsiders of each alternative of `init`: the symbol, and the name of its outsider.
fn outsiders(text: &str) -> Vec<Vec<(String, String)>> {
    let model = lowered(text);
    let named = |(symbol, outsider): &(ir::SymbolId, ir::OutsiderId)| {
        (model.symbol(*symbol).name.clone(), model.outsiders[outsider.index()].name.clone())
    };
    model.init.iter().map(|init| init.outsiders.iter().map(named).collect()).collect()
}

#[test]
fn every_disjunct_of_every_init_must_put_a_variable_outside() {
    let symbols = "var G : proc  var H : proc  var X : bool";
    let of = |inits: &str| outsiders(&format!("{symbols} {inits}"));
    assert_eq!(of("init (i) { G <> i && (X = True || H <> i) }"), [pairs(&[("G", "G")])]);
    assert_eq!(of("init (i) { (G <> i && X = True) || X = False }"), [pairs(&[])]);
    assert_eq!(of("init (i) { G <> i } init { X = True }"), [pairs(&[]), pairs(&[])]);
    assert_eq!(
        of("init (i) { G <> i && H <> i } init (k) { k <> G }"),
        [pairs(&[("G", "G")]), pairs(&[("G", "G")])]
    );
    assert_eq!(of("init (i) { forall j. G <> j && X = True || i <> i }"), [pairs(&[])]);
}

#[test]
fn equated_outsiders_are_one() {
    let symbols = "var G : proc  var H : proc  const K : proc";
    let of = |inits: &str| outsiders(&format!("{symbols} {inits}"));
    assert_eq!(of("init (i) { K = H && H = G && K <> i }"), [pairs(&[("G", "K"), ("H", "K"), ("K", "K")])]);
    assert_eq!(
        of("init (i) { G <> i && (H <> i || H = G) }"),
        [pairs(&[("G", "G"), ("H", "H")]), pairs(&[("G", "G"), ("H", "G")])]
    );
}

#[test]
fn outsiders_spread_by_assignment_only() {
    let model = lowered(
        "var Home : proc  var A : proc  var B : proc  array N[proc] : proc
         init (i) { Home <> i && N[i] = i && A = B }
         transition t (i) { N[i] := Home }  transition u (i) { A := N[i] }  transition v () { B := ? }",
    );
    let holds = |name: &str| model.symbols.iter().any(|symbol| symbol.name == name && symbol.holds_outsiders);
    assert!(holds("Home") && holds("N") && holds("A"));
    assert!(!holds("B"), "`?` is a process of the run");
}

/// The properties of misuse and range of a model: kind and formula.
fn violations(text: &str) -> Vec<(PropertyKind, String)> {
    let model = lowered(text);
    let of_rule = model.properties.iter().filter(|property| property.rule.is_some());
    of_rule.map(|p| (p.kind, p.formula.display(&model, &p.variables).to_string())).collect()
}

#[test]
fn values_outside_of_a_range_are_properties() {
    let with = |statement: &str| {
        violations(&format!(
            "type small = [0..3]  type tiny = [1..2]  var X : small  var Y : tiny  array A[proc] : small
             init (i) {{ X = 0 && Y = 1 && A[i] = 0 }} transition t (i) requires {{ A[i] = 0 }} {{ {statement} }}"
        ))
    };
    assert!(with("X := Y").is_empty(), "the smaller range is part of the larger one");
    assert!(with("X := ?").is_empty() && with("X := 3").is_empty());
    let range = |formula: &str| vec![(PropertyKind::Range, formula.to_owned())];
    assert_eq!(with("Y := X"), range("A[i] = 0 && (X < 1 || 2 < X)"));
    assert_eq!(with("X := 4"), range("A[i] = 0"));
    assert_eq!(with("A[i] := A[i] + 1"), range("A[i] = 0 && (A[i] + 1 < 0 || 3 < A[i] + 1)"));
    let by_case = with("A[k] := case | k = i : 3 | _ : X + 1");
    assert_eq!(by_case, range("A[i] = 0 && (exists k. not (k = i) && (X + 1 < 0 || 3 < X + 1))"));
}

#[test]
fn a_process_of_another_kind_is_outside_of_the_domain() {
    let with = |statement: &str| {
        violations(&format!(
            "type a < proc  type b < proc  var X : a  var Z : a  var Y : proc
             init {{ X = X && Y = Y && Z = Z }} transition t () {{ {statement} }}"
        ))
    };
    assert_eq!(with("X := Y").len(), 1);
    assert!(with("X := Z").is_empty() && with("X := ?").is_empty() && with("Y := X").is_empty());
}

#[test]
fn a_share_is_a_comparison_of_whole_numbers() {
    let model = lowered("array V[proc] : bool  init (i) { V[i] = True }  unsafe { count(V, True) > 2/3 }");
    let Formula::Compare(Relation::Lt, Term::Linear(share), Term::Linear(count)) =
        &model.properties[0].formula
    else {
        panic!("{:?}", model.properties[0].formula)
    };
    assert_eq!(share.parts, [(2, Term::ProcessCount)]);
    assert!(matches!(count.parts.as_slice(), [(3, Term::Count { .. })]));
}

/// Whether a transition of a weak model with this guard and body reads memory.
fn reads_weak(guard: &str, body: &str) -> bool {
    let model = lowered(&format!(
        "weak var X : bool  weak array A[proc] : bool  array R[proc] : bool  const K : bool
         init (i) {{ X = True && A[i] = True && R[i] = K }}
         transition t ([i]) requires {{ {guard} }} {{ {body} }}"
    ));
    model.transitions[0].reads_weak
}

#[test]
fn the_text_decides_whether_a_transition_reads_memory() {
    assert!(!reads_weak("R[i] = K && fence()", "X := True; A[i] := ?"));
    assert!(reads_weak("X = True", "R[i] := True"));
    assert!(reads_weak("true", "R[i] := X"));
    assert!(reads_weak("true", "X := case | A[i] = True : True | _ : X"));
    assert!(reads_weak("true", "let x = A[i] in R[i] := x"));
    assert!(reads_weak("count(A, True) > 0", "X := True"));
}

#[test]
fn an_arm_that_keeps_the_cell_reads_nothing() {
    assert!(!reads_weak("true", "X := case | R[i] = True : False | _ : X"));
    assert!(!reads_weak("true", "A[k] := case | k = i : False | _ : A[k]"));
    assert!(reads_weak("true", "A[k] := case | k = i : False | _ : A[i]"));
    assert!(!reads_weak("true", "X := X"));
}

#[test]
fn an_assignment_that_keeps_the_cell_reads_nothing() {
    assert!(!reads_weak("true", "A[i] := A[i]; X := True"));
}

#[test]
fn keeping_is_told_from_copying() {
    let model = lowered(
        "array A[proc] : bool  var X : bool  init (i) { A[i] = True && X = True }
         transition t (i) { A[k] := case | k = i : A[i] | X = True : X | _ : A[k]; X := X }",
    );
    let updates = &model.transitions[0].updates;
    let keeps: Vec<bool> = updates.iter().flat_map(|u| &u.arms).map(|arm| arm.value == Value::Keep).collect();
    assert_eq!(keeps, [false, false, true, true]);
}

#[test]
fn assumptions_are_told_from_claims() {
    let model = lowered(
        "type role = A | B  array R[proc] : role  const K : int  array D[proc] : bool  var X : int
         init (i) { D[i] = False && X = 0 }
         assume (i j) { R[i] = A && R[j] = A }
         invariant rigid (i) { R[i] = B && K < 0 }
         invariant mixed (i) { R[i] = B && D[i] = True }
         invariant started { X = 1 }
         invariant nothing (i j) { i = j }
         unsafe unassigned (i) { R[i] = A }
         transition t (i) { D[i] := True }",
    );
    let names = |properties: &[ir::Property]| {
        properties.iter().map(|property| property.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&model.assumptions), ["assume1", "rigid"]);
    assert_eq!(names(&model.properties), ["mixed", "started", "nothing", "unassigned"]);
    assert!(model.assumptions.iter().all(|property| property.kind == PropertyKind::Assumption));
}
