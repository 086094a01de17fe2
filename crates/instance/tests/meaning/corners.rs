//! Corner cases of the language that lowering easily gets wrong: small models with their expected verdicts.

use super::{
    instance::Ranges,
    search::{Limits, Refusal, Report, explore},
};
use source::Source;

fn report(text: &str, processes: usize, stop_at_first: bool) -> Result<Report, Refusal> {
    let loaded = model::load(&Source::new("corner.cub", text));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()));
    explore(&model, processes, &Limits { ranges: Ranges::new(), states: 10_000, stop_at_first })
}

/// The kinds of the nearest violations; `holds` if there is none.
fn verdict(text: &str, processes: usize) -> String {
    match report(text, processes, true) {
        Ok(report) if report.initial == 0 => "no initial state".into(),
        Ok(report) if report.violations.is_empty() => "holds".into(),
        Ok(report) => report.violations.iter().map(|violation| violation.kind).collect::<Vec<_>>().join(" "),
        Err(refusal) => format!("{refusal:?}"),
    }
}

/// Whether an `unsafe` state is reachable.
fn is_unsafe(text: &str, processes: usize) -> bool {
    let report = report(text, processes, false).expect("small");
    report.violations.iter().any(|violation| violation.kind == "unsafe")
}

#[test]
fn a_release_wakes_a_parameter_or_another_process() {
    let model = |wanted: &str| {
        format!(
            "var L : lock  array In[proc] : bool  array Out[proc] : bool
             init (i) {{ In[i] = False && Out[i] = False }}
             unsafe (i j k) {{ Out[i] = True && Out[j] = False && owner(L, {wanted}) }}
             transition enter ([i]) requires {{ In[i] = False }} {{ In[i] := True; acquire(L, i) }}
             transition leave ([i] j) requires {{ owner(L, i) && waiting(L, j) }} {{ Out[i] := True; release(L, i) }}"
        )
    };
    assert_eq!(verdict(&model("j"), 3), "unsafe");
    assert_eq!(verdict(&model("k"), 3), "unsafe");
    assert_eq!(verdict(&model("i"), 3), "holds", "a process that releases a lock does not get it back");
}

#[test]
fn a_reentrant_lock_goes_to_a_waiter_only_when_it_is_released_as_often_as_acquired() {
    let model = |times: &str| {
        format!(
            "type pc = A | B | C | D | E  var L : rlock  array P[proc] : pc
             init (i) {{ P[i] = A }}
             unsafe (i j) {{ P[i] = {times} && owner(L, j) }}
             transition one ([i]) requires {{ P[i] = A }} {{ acquire(L, i); P[i] := B }}
             transition two ([i]) requires {{ P[i] = B && owner(L, i) }} {{ acquire(L, i); P[i] := C }}
             transition three ([i]) requires {{ P[i] = C }} {{ release(L, i); P[i] := D }}
             transition four ([i]) requires {{ P[i] = D }} {{ release(L, i); P[i] := E }}"
        )
    };
    assert_eq!(verdict(&model("D"), 2), "holds");
    assert_eq!(verdict(&model("E"), 2), "unsafe");
}

#[test]
fn locks_in_arrays_are_apart() {
    let model = |same: &str| {
        format!(
            "array L[proc] : lock  array Go[proc] : bool
             init (i) {{ Go[i] = False }}
             unsafe (i j k) {{ Go[i] = True && waiting(L[k], j) && {same} }}
             transition take ([i] j) requires {{ Go[i] = False }} {{ acquire(L[j], i) }}
             transition give ([i] j) requires {{ owner(L[j], i) }} {{ release(L[j], i); Go[i] := True }}"
        )
    };
    assert!(is_unsafe(&model("owner(L[k], i)"), 3));
    assert!(!is_unsafe(&model("free(L[k])"), 3), "a lock with waiters is never free");
}

#[test]
fn a_step_outside_of_a_range_is_enabled_and_ends_the_run() {
    let model = "type small = [0..2]  var X : small  init { X = 1 }
                 transition up () { X := X + 2 }";
    assert_eq!(verdict(model, 1), "range");
    let model = "type small = [0..2]  array A[proc] : small  init (i) { A[i] = 1 }
                 transition up (i) { A[k] := case | k = i : A[k] | _ : A[k] + 2 }";
    assert_eq!(verdict(model, 1), "holds", "the faulty arm applies to no process");
    assert_eq!(verdict(model, 2), "range");
}

#[test]
fn a_value_of_another_kind_is_a_violation() {
    let model = "type a < proc  type b < proc  var X : a  var Y : proc
                 transition t () { X := Y }  init { Y = Y }";
    assert_eq!(verdict(model, 2), "range");
    let model = "type a < proc  type b < proc  var X : a  init { X = X }
                 transition t (i : a) { X := i }  transition u () { X := ? }";
    assert_eq!(verdict(model, 2), "holds");
}

#[test]
fn kinds_are_assigned_in_every_way_when_processes_have_names() {
    let model = |process: &str| {
        format!(
            "number_procs 2  type a < proc  type b < proc  var X : b  init {{ X = X }} unsafe {{ X = {process} }}"
        )
    };
    assert_eq!(verdict(&model("#1"), 2), "unsafe");
    assert_eq!(verdict(&model("#2"), 2), "unsafe");
}

#[test]
fn shares_are_exact_on_either_side() {
    let model = |formula: &str| {
        format!(
            "array V[proc] : bool  init {{ V[#1] = True && forall i. i = #1 || V[i] = False }} number_procs 3 unsafe {{ {formula} }}"
        )
    };
    for (formula, expected) in [
        ("count(V, True) >= 1/3", "unsafe"),
        ("1/3 <= count(V, True)", "unsafe"),
        ("count(V, True) > 1/3", "holds"),
        ("1/3 < count(V, True)", "holds"),
        ("count(V, True) <> 1/3", "holds"),
        ("2/3 = count(V, False)", "unsafe"),
    ] {
        assert_eq!(verdict(&model(formula), 3), expected, "{formula}");
    }
}

#[test]
fn a_process_outside_of_the_run_as_an_index_is_misuse() {
    let with = |statement: &str| {
        format!(
            "var Home : proc  array A[proc] : proc  array N[proc] : int
             init (p) {{ Home <> p && A[p] = p && N[p] = 0 }}  transition t (i) {{ {statement} }}"
        )
    };
    for statement in
        ["N[i] := N[Home]", "N[Home] := 1", "A[i] := A[A[Home]]", "N[k] := case | A[Home] = k : 1"]
    {
        assert_eq!(verdict(&with(statement), 2), "misuse", "{statement}");
    }
    for statement in ["A[i] := Home", "N[k] := case | k = Home : 1 | _ : N[k]", "Home := i"] {
        assert_eq!(verdict(&with(statement), 2), "holds", "{statement}");
    }
}

#[test]
fn a_guard_may_rule_out_that_an_outsider_is_an_index() {
    let with = |guard: &str| {
        format!(
            "var Home : proc  array N[proc] : int  init (p) {{ Home <> p && N[p] = 0 }}
             transition t (i) requires {{ {guard} }} {{ N[i] := 1 }}"
        )
    };
    assert_eq!(verdict(&with("Home = i && N[Home] = 0"), 2), "holds");
    assert_eq!(verdict(&with("Home <> i || N[Home] = 0"), 2), "holds");
    assert_eq!(verdict(&with("N[Home] = 0 && Home = i"), 2), "misuse");
}

#[test]
fn a_lock_of_a_process_outside_of_the_run_is_misuse() {
    let with = |operation: &str| {
        format!(
            "var Home : proc  array L[proc] : {operation}  array D[proc] : bool
             init (p) {{ Home <> p && D[p] = False }}
             transition t ([i]) requires {{ D[i] = False }} {{ D[i] := True; acquire(L[Home], i) }}"
        )
    };
    assert_eq!(verdict(&with("lock"), 2), "misuse");
    assert_eq!(verdict(&with("rlock"), 2), "misuse");
}

#[test]
fn several_inits_share_an_outsider_only_if_all_have_it() {
    let model = |second: &str| {
        format!(
            "var H : proc  var X : bool  init (p) {{ H <> p && X = True }} init (p) {{ {second} }}
             unsafe (p) {{ H = p }}"
        )
    };
    assert_eq!(verdict(&model("H <> p && X = False"), 2), "holds");
    assert_eq!(
        verdict(&model("X = False && p = p"), 2),
        "unsafe",
        "open in one of them: a process of the run"
    );
}

#[test]
fn an_invariant_over_what_never_changes_restricts_the_instances() {
    let model = "type role = A | B  array R[proc] : role  array D[proc] : bool
                 init (i) { D[i] = False }  invariant (i j) { R[i] = A && R[j] = A }
                 unsafe (i j) { D[i] = True && D[j] = True }
                 transition t (i) requires { R[i] = A } { D[i] := True }";
    assert_eq!(verdict(model, 3), "holds");
    let claim = "type role = A | B  array R[proc] : role  init (i) { R[i] = A || R[i] = B }
                 invariant (i j) { R[i] = A && R[j] = A }";
    assert_eq!(verdict(claim, 2), "invariant", "`init` mentions it: a claim");
}

#[test]
fn an_equation_between_cells_is_no_single_cell() {
    let model = "type small = [0..2]  array M[proc,proc] : small  init (i j) { M[i,j] = 2 }
                 transition t (i) { M[k,l] := case | k = l && l = i : M[k,l] + 1 }";
    assert_eq!(verdict(model, 2), "range");
    let model =
        "type small = [0..2]  array A[proc] : small  array N[proc] : proc  init (i) { A[i] = 2 && N[i] = i }
                 transition t () { A[k] := case | k = N[k] : A[k] + 1 }";
    assert_eq!(verdict(model, 2), "range");
    let model = "var H : proc  array A[proc] : bool  array N[proc] : proc  init (i) { H <> i && A[i] = True && N[i] = i }
                 transition t (i) { N[i] := H }  transition u () { A[k] := case | k = N[k] : False }";
    assert_eq!(verdict(model, 2), "holds", "comparing an outsider is not misuse");
}

#[test]
fn outsiders_differ_in_disjuncts_that_do_not_equate_them() {
    let model = "type t = A | B  var G : proc  var H : proc  var X : t
                 init (i) { (G <> i && H = G && X = A) || (G <> i && H <> i && X = B) }
                 unsafe { G = H && X = B }";
    assert_eq!(verdict(model, 2), "holds");
}

#[test]
fn an_invariant_without_symbols_is_a_claim() {
    let model = |kind: &str| {
        format!(
            "number_procs 2 type a < proc  var X : bool  init {{ X = True }}  invariant (i {kind}) {{ i = #1 }}"
        )
    };
    assert_eq!(verdict(&model(""), 2), "invariant");
    assert_eq!(verdict(&model(": a"), 2), "invariant");
}

#[test]
fn an_invariant_over_lock_state_is_a_claim() {
    let model = "var L : lock  var X : bool  init { X = True }  invariant (i) { active(i) }";
    assert_eq!(verdict(model, 1), "invariant");
}

#[test]
fn an_invariant_that_mentions_a_variable_is_a_claim() {
    let model = "array A[proc] : bool  array R[proc] : bool  init (i) { A[i] = True }
                 invariant (i) { (A[i] = True || i = i) && R[i] = True }";
    assert_eq!(verdict(model, 1), "invariant");
}

#[test]
fn a_cell_that_init_equates_with_an_outsider_holds_it() {
    let model = "var H : proc  array N[proc] : proc  init (p) { H <> p && N[p] = H }
                 unsafe (p) { N[p] = H }";
    assert_eq!(verdict(model, 2), "unsafe");
}
