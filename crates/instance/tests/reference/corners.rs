//! Corner cases of the language: small models, with expectations worked out by hand or agreed on by both
//! interpreters.

use super::{
    agreement::{Verdict, compare},
    instance::Ranges,
    reading::read,
    search::{Limits, Report, explore},
};
use source::Source;

fn limits() -> Limits {
    Limits { ranges: Ranges::new(), states: 20_000, stop_at_first: false }
}

fn report(text: &str, processes: usize) -> Report {
    explore(&read(text), processes, &limits()).expect("small")
}

/// The violations as `kind name@depth`.
fn violations(text: &str, processes: usize) -> Vec<String> {
    let found = report(text, processes).violations;
    found.iter().map(|found| format!("{} {}@{}", found.kind, found.name, found.depth)).collect()
}

/// Every process takes a lock once, and then releases it.
const MUTEX: &str = "type pc = Out | In | Done
     var L : lock
     array P[proc] : pc
     init (i) { P[i] = Out }
     unsafe (i j) { owner(L, i) && owner(L, j) }
     transition enter ([i]) requires { P[i] = Out } { acquire(L, i); P[i] := In }
     transition leave ([i]) requires { P[i] = In } { release(L, i); P[i] := Done }";

/// One process: out, in, done. Two: also the second in the queue, and each order; by hand, 1 + 2 + 2 + 2 + 2 + 1:
/// none in; one in; one in and one waits; one done; one done and one in; both done.
#[test]
fn states_and_transitions_are_counted() {
    let one = report(MUTEX, 1);
    assert_eq!((one.initial, one.states, one.transitions), (1, 3, 2));
    let two = report(MUTEX, 2);
    assert_eq!((two.initial, two.states, two.transitions), (1, 10, 12));
    assert!(!two.is_bad());
    assert_eq!(two.deadlocks.len(), 1, "the end of the run");
    assert!(two.deadlocks[0].waits.is_empty());
}

/// With k processes inside, the order of the k - 1 that wait counts too. That matters only for k = 3, where there are
/// 6 states instead of 3.
#[test]
fn queues_in_order_have_more_states() {
    let in_order = super::tree::Program { fifo: true, ..read(MUTEX) };
    let in_order = explore(&in_order, 3, &limits()).expect("small");
    assert_eq!((report(MUTEX, 3).states, in_order.states), (35, 38));
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let stuck = MUTEX.replace("P[i] = In }", "P[i] = In && false }");
    let stuck = report(&stuck, 2);
    assert_eq!(stuck.first_stuck(), Some(2));
    let mut waits: Vec<_> = stuck.deadlocks.iter().map(|deadlock| deadlock.waits.clone()).collect();
    waits.sort();
    assert_eq!(waits, [vec![(0, "L".to_owned())], vec![(1, "L".to_owned())]]);
}

/// Section 6: every disjunct says `H <> p`. The kind of another parameter is not part of them.
#[test]
fn an_outsider_beside_a_parameter_with_a_kind() {
    let text = "type a < proc  type b < proc  var H : proc  array D[proc] : bool
                init (i : a  p) { H <> p && D[p] = False }  unsafe (p) { H = p }";
    assert_eq!(report(text, 2).initial, 1);
    assert!(violations(text, 2).is_empty());
}

/// Section 7: asking for the state of a lock does not use the process as an index, so it may be an outsider, which
/// waits for nothing.
#[test]
fn an_outsider_waits_for_nothing() {
    let text = "var H : proc  var L : lock  init (p) { H <> p }
                unsafe waits { waiting(L, H) }  unsafe owns { owner(L, H) }  unsafe idle { active(H) }
                transition t ([i]) { acquire(L, i) }";
    assert_eq!(violations(text, 2), ["unsafe idle@0"]);
}

/// Section 2: a value outside of the type is a violation of kind `range`; an outsider has no kind but that
/// of the variable that it is named after.
#[test]
fn an_outsider_in_a_variable_of_a_kind() {
    let text = "type a < proc  type b < proc  var H : proc  var X : a
                init (p) { H <> p }  transition t () { X := H }";
    assert_eq!(violations(text, 2), ["range t@0"]);
    let text = "type a < proc  type b < proc  var H : a  var X : a
                init (p) { H <> p }  transition t () { X := H }";
    assert!(violations(text, 2).is_empty());
}

/// Section 6: a variable that `init` constrains is not open, whatever the form of the constraint.
#[test]
fn a_linear_equation_decides_a_number() {
    let with = |equation: &str| format!("var X : int  init {{ {equation} }}  unsafe {{ X = 2 }}");
    assert_eq!(violations(&with("X + X = 4"), 1), ["unsafe unsafe1@0"]);
    assert_eq!(violations(&with("X = 4 - X"), 1), ["unsafe unsafe1@0"]);
    assert_eq!(report(&with("2 * X = 3"), 1).initial, 0);
}

/// Section 7: the start value of a semaphore is not negative, so such an instance has no initial state.
#[test]
fn a_semaphore_does_not_start_below_zero() {
    let text = "var S : semaphore  init { S = SYS_PROCS - 2 }  transition t ([i]) { acquire(S, i) }";
    assert_eq!(report(text, 1).initial, 0);
    assert_eq!(report(text, 2).initial, 1);
}

#[test]
fn both_interpreters_agree_on_corners() {
    for text in CORNERS {
        let loaded = model::load(&Source::new("corner.cub", (*text).to_owned()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()));
        let program = read(text);
        for processes in (1..=3).filter(|processes| program.allows(*processes)) {
            if let Verdict::Differ(how) = compare(&program, &model, processes, &limits()) {
                panic!("{text}\n{processes} processes: {how}");
            }
        }
    }
}

/// Each combines constructs that are easy to get wrong together.
const CORNERS: &[&str] = &[
    "type a < proc type b < proc var H : proc array D[proc] : bool
     init (p : a) { H <> p }
     unsafe (p) { H = p }",
    "array A[proc] : bool array B[proc] : bool var X : bool
     predicate p(f, g) { exists k. f && (A[k] = True || g) }
     init (i) { A[i] = False && X = False }
     unsafe (k) { p(forall k. B[k] = True, B[k] = False && exists_other k. A[k] = True) }
     transition t (k) requires { not p(B[k] = True, forall_other j. A[j] = False) } { A[k] := True }
     transition u (k j) requires { p(A[k] = B[j], false) } { B[j] := ?; X := True }",
    "type t array A[proc] : t var G : t var K : t
     init (i) { A[i] = G }
     transition w (i j) { A[i] := ?; G := ? ; K := A[j] }
     unsafe (i j) { A[i] = A[j] && G = K && A[i] <> G }",
    "var X : int var Y : int var Z : bool
     init { X = 1 || Y = 2 || Z = True && X = 1 && Y = 2 }
     unsafe { Z = False && X = 1 }",
    "var X : int var Y : int var Z : bool
     init { (X = 1 && Y = 3) || Y = 2 && X = 0 }
     transition t () { X := Y; Y := case | Z = True : X | _ : Y }
     unsafe { X > Y }",
    "var X : int
     init { X - X = 0 }
     transition t () { X := X }",
    "var X : real
     init { X = 0.1 }
     transition t () requires { X < 1.0 } { X := X + 0.2 }
     unsafe { X = 0.3 }",
    "var X : bool var Y : int
     init { Y = case | X = True : 1 | _ : 2 }
     unsafe { Y = 2 && X = False }",
    "var X : bool var Y : int
     init { not (Y = case | X = True : 1) }
     unsafe { true }",
    "var X : bool var Y : bool
     init { not (Y = case | X = True : X) }
     unsafe { Y = False }",
    "var H : proc array N[proc] : proc array D[proc] : int
     init (p) { H <> p && N[p] = H && D[p] = 0 }
     transition t (i) requires { exists_other k. D[N[k]] = 0 } { D[i] := 1 }
     transition u (i) { N[i] := i }
     transition w (i) requires { forall k. N[k] = H || D[N[k]] = 0 } { D[i] := 1 }",
    "var H : proc array M[proc,proc] : proc
     init (p q) { H <> p && M[p,q] = H }
     unsafe (p q) { M[p,q] = p }
     transition t (p) { M[k,l] := case | k = l : p | _ : M[k,l] }",
    "var H : proc array M[proc,proc] : proc
     init (p) { H <> p && M[p,p] = H }
     unsafe (p q) { M[p,q] = p }",
    "var H : proc var G : proc array N[proc] : proc
     init (p) { H <> p && N[p] = G && G = H }
     transition t (i) { G := i }
     unsafe (i) { N[i] = G && G = i }",
    "array S[proc] : semaphore var T : proc array D[proc] : bool
     init (i) { S[i] = 0 && D[i] = False }
     transition t ([i] j) requires { D[i] = False && T = j } { D[i] := True; acquire(S[T], i) }
     transition u ([i] j) requires { waiting(S[i], j) } { D[j] := False; release(S[i], i) }
     unsafe (i) { S[i] >= 1 }",
    "var C : condition type pc = P0 | P1 | P2 | P3 array L[proc] : pc
     init (i) { L[i] = P0 }
     transition a ([i]) requires { L[i] = P0 } { acquire(C, i); L[i] := P1 }
     transition b ([i]) requires { L[i] = P1 } { wait(C, i); L[i] := P2 }
     transition c ([i]) requires { L[i] = P1 && exists k. sleeping(C, k) } { notify(C, i); L[i] := P2 }
     transition d ([i]) requires { L[i] = P2 } { release(C, i); L[i] := P3 }
     transition e ([i] j) requires { L[i] = P3 && L[j] = P2 } { notify_all(C, i) }
     unsafe (i j) { owner(C, i) && L[i] = P2 && waiting(C, j) && L[j] = P2 }",
    "array C[proc] : condition type pc = P0 | P1 | P2 | P3 array L[proc] : pc array N[proc] : proc
     init (i) { L[i] = P0 }
     transition a ([i]) requires { L[i] = P0 } { let n = N[i] in acquire(C[n], i); L[i] := P1 }
     transition b ([i]) requires { L[i] = P1 } { wait(C[N[i]], i); L[i] := P2 }
     transition d ([i]) requires { L[i] = P2 } { release(C[i], i); L[i] := P3 }",
    "var L : rlock type small = [0..1] var X : small array D[proc] : small
     init (i) { X = 0 && D[i] = 0 }
     transition a ([i]) { acquire(L, i); X := X + 1 }
     transition b ([i]) { release(L, i); D[i] := D[i] + 1 }",
    "type a < proc type b < proc number_procs 3 var X : a
     init { X <> #1 }
     transition t (i : b j : a) requires { i < j } { X := j }
     unsafe { X = #2 }",
    "type a < proc type b < proc var X : a
     init { X = X }
     transition t (i : b j) requires { i < j } { X := j }
     unsafe (i : a) { X = i && forall_other j. i < j }",
    "type small = [0..3] var X : small var Y : int
     init { Y = X + 1 && X <> 2 }
     transition t () { X := Y }
     unsafe { X = 3 }",
    "const K : proc const Adj[proc,proc] : bool array D[proc] : bool
     init (i) { D[i] = False }
     assume sym (i j) { Adj[i,j] = True && Adj[j,i] = False }
     invariant { D[K] = False && forall k. Adj[K,k] = True }
     invariant con (i) { not exists j. Adj[i,j] = True }
     transition t (i) requires { Adj[K,i] } { D[i] := True }",
    "var H : proc const K[proc] : proc var X : bool
     init (p) { H <> p && X = True }
     invariant (i) { K[i] = i }
     unsafe (i j) { K[i] = j }
     transition t () { H := ? }",
    "var X : int array A[proc] : int
     init (i) { A[i] = 0 }
     transition t (i) requires { A[i] = 0 && X > 0 || A[i] = 1 } { A[i] := 1 }",
    "var X : int array A[proc] : int
     init (i) { A[i] = 0 }
     transition t (i) { A[i] := 1; X := case | A[i] = 0 : 5 }
     transition u (i) requires { A[i] = 1 } { X := X + 0 }",
    "array A[proc] : int var X : int
     init (i) { X = 1 }
     transition t (i j) { A[i] := A[j] }",
    "array A[proc] : int var X : int
     init (i) { X = 1 }
     transition t (i j) requires { false } { A[i] := A[j] }
     transition u (i) { A[i] := 3 }
     transition v (i) { A[k] := case | k = i : 4 }",
    "array A[proc] : int
     init (i j) { A[i] = 1 && (i = j || A[j] = A[i]) }
     unsafe { count(A, 1) = SYS_PROCS && forall i <> j. i <> j && exists_other k <> l. k <> l }",
    "var X : bool
     init { X = True }
     init { X = False }
     transition t () requires { X } { X := case | not X : True | X && X = True : False }
     unsafe { if X then false else not X <=> X = False => X }",
    "type t = A | B var G : proc var H : proc var X : t
     init (i) { (G <> i && H = G && X = A) || (G <> i && H <> i && X = B) }
     init (i) { G <> i && i <> H }
     unsafe { G = H && X = B }
     unsafe y { G <> H && X = A }",
    "var G : proc array A[proc] : bool
     init (i) { not (G = i) && (A[i] => false) }
     transition t (i) requires { G <> i => A[i] = False } { G := i }
     transition u () requires { A[G] = False } { A[G] := True }",
    "var G : proc
     init (i) { G <> i }
     transition t (i) requires { i < G } { G := i }",
    "var G : proc var F : proc
     init (i) { G <> i }
     unsafe { F < G }
     transition t (i) { F := G }",
    "var G : proc array A[proc] : bool
     init (i) { G <> i && A[i] = True }
     unsafe u (i) { A[i] = False || A[G] = True }
     transition t (i) { A[i] := False; G := i }",
    "weak var X : int weak array A[proc] : bool array R[proc] : int
     init (i) { X = 0 && A[i] = False && R[i] = 0 }
     transition t ([i] j) requires { fence() && A[j] = False } { A[i] := True; X := 1 }
     transition u ([i]) { R[i] := X }
     unsafe (i j) { i@A[j] = True && j@X = 1 && R[i] = 1 }",
    "var X : bool var Y : int
     init { Y = case | X = True : 1 | _ : 2 }
     unsafe { Y = 2 && X = False }",
    "var X : bool var Y : int
     init { not (Y = case | X = True : 1 | _ : 3) && Y = 3 }
     unsafe { Y = 3 && X = True }",
    "var H : proc array N[proc] : int
     init (p) { H <> p && N[p] = 0 }
     transition t (i) requires { N[i] = case | H = i : N[H] | _ : 0 } { N[i] := 1 }
     transition u (i) requires { N[i] = case | N[H] = 0 : 1 } { N[i] := 2 }",
    "type c < proc type s < proc var L : lock array Q[proc] : rlock array D[proc] : bool var T : s
     init (i : c) { D[i] = False }
     transition a ([i : c] j : s) requires { D[i] = False && T = j } { acquire(Q[j], i); D[i] := True; T := ? }
     transition b ([i : s] j) requires { D[j] } { acquire(L, i) }
     transition c ([i] j : c) requires { owner(Q[T], i) } { release(Q[T], i); T := T }
     unsafe (i j : s) { waiting(L, j) && owner(L, i) && not free(Q[i]) }
     invariant (i : s) { active(i) && D[i] = True }",
    "type c < proc type s < proc number_procs 3 array D[proc] : bool var T : s
     init (i : c) { D[i] = False }
     init (i : s) { D[i] = True && T <> #1 }
     transition a (i : c) requires { i <> #3 && exists_other k <> l. k < l } { D[k] := case | k > i : ? | _ :
        D[k] }
     unsafe (i : c) { D[i] && D[#2] }
     invariant { D[#1] && forall k <> l. D[k] => not D[l] }",
    "array M[proc,proc] : proc var T : proc
     init (i j) { M[i,j] = i || M[i,j] = j }
     transition t (i j) { T := M[T,M[i,j]]; M[k,l] := case | M[l,k] = T : k | k = l : T }
     unsafe (i) { forall j. M[M[i,j],T] = i && T <> i }",
    "var X : int var B : bool
     init { (B = True => X = 1) && (B = False => X = 2 || X = 3) && (X = 1 <=> B) }
     unsafe { X = 3 && not B }",
    "array A[proc] : int
     init (i j) { exists k. A[k] = 1 && (i = k || A[i] = 0) }
     unsafe { count(A, 1) <> 1 }
     unsafe z (i j) { A[i] = 1 && A[j] = 1 }",
    "var L : lock array P[proc] : int
     init (i) { P[i] = 0 }
     transition a ([i]) requires { P[i] < 2 } { acquire(L, i); P[i] := P[i] + 1 }
     transition b ([i] j) requires { P[i] = 2 } { release(L, i); P[j] := 0 }",
    "var C : condition array P[proc] : int array Z[proc] : bool
     init (i) { P[i] = 0 && Z[i] = False }
     transition a ([i]) requires { P[i] = 0 } { acquire(C, i); P[i] := 1 }
     transition w ([i]) requires { P[i] = 1 && owner(C, i) } { wait(C, i); P[i] := 2 }
     transition n ([i] j) requires { owner(C, i) && sleeping(C, j) } { notify(C, i); Z[j] := True }
     transition r ([i] j) requires { owner(C, i) && (waiting(C, j) || Z[i]) } { release(C, i); P[k] := case |
        waiting(C, k) : P[k] + 1 | _ : 0 }
     unsafe (i j) { Z[i] && sleeping(C, i) && owner(C, j) && P[j] > 3 }",
    "const N : int var X : int
     init { X = 0 && N = 3 }
     transition t () requires { X < N } { X := X + 1 }
     unsafe { X + 2 * N > 8 && X - N = 0 }",
    "type r = [-2..2] var X : r array A[proc] : r
     init (i) { A[i] = -1 }
     transition t (i) { A[i] := -A[i] - X }
     transition u (i j) requires { A[i] + A[j] > 0 } { X := A[i] - A[j] }
     unsafe (i j) { 2 * A[i] - 3 * X = A[j] && A[j] = 2 }",
    "var Home : proc const Dir : proc array O[proc] : proc var R : proc
     init (p) { Home <> p && Dir = Home && O[p] = Dir }
     transition g (i) requires { R = i && O[i] = Home } { O[i] := R; R := Home }
     transition b (i) requires { O[i] <> Dir } { O[k] := case | k = i : Dir | O[k] = R : k | _ : O[k]; R := ? }
     unsafe (i j) { O[i] = i && O[j] = O[i] }
     unsafe { R = Dir && exists k. O[k] = k }",
    "var Home : proc array O[proc] : proc array F[proc] : bool
     init (p) { Home <> p && F[p] = False }
     transition g (i) requires { exists k. O[i] = k && F[O[i]] = False } { F[i] := True; O[i] := Home }
     transition b (i) requires { exists k. O[i] = k } { O[i] := O[O[i]] }
     unsafe (i j) { O[i] = O[j] && O[i] = Home && forall k. O[k] = Home || F[O[k]] }",    "var L : lock array Q[proc] : condition array D[proc] : bool
     predicate held(l, i) { owner(l, i) && not free(l) }
     predicate idle(l) { forall_other k. not waiting(l, k) && active(k) }
     init (i) { D[i] = False }
     transition t ([i] j) requires { not held(Q[j], i) && idle(Q[j]) } { acquire(Q[j], i) }
     transition u ([i] j) requires { held(Q[j], i) } { wait(Q[j], i); D[i] := True }
     transition v ([i] j) requires { D[j] && idle(L) } { acquire(L, i) }
     unsafe (i j) { held(Q[i], j) && idle(Q[j]) && D[i] }",
    "predicate free(x) { x = True }
     predicate owner(a, b) { a <> b }
     predicate active(i) { false } var X : bool
     init { free(X) }
     transition t (i j) requires { owner(i, j) } { X := ? }
     unsafe (i) { active(i) || owner(X, True) }",
    "type lock = A | B type condition = C | D var X : lock var Y : condition
     init { X = A }
     transition t () { X := B; Y := ? }
     unsafe { X = B && Y = D }",
    "array M[proc,proc,proc] : bool array A[proc] : proc
     init (i j k) { M[i,j,k] = False }
     transition t (i) requires { count(M[i], True) < SYS_PROCS && count(M[i,A[i]], True) < 2/3 } { M[a,b,c] :=
        case | a = i && c = A[b] && M[c,b,a] = False : True }
     unsafe (i) { count(M[i], _) = 4 && count(M[A[i]], True) = 2 && count(M, True) > SYS_PROCS }",
    "var X : int var S : semaphore array T[proc] : semaphore
     init (i) { X = 0 && S = SYS_PROCS - 1 && T[i] = 1 }
     transition t ([i]) requires { S < SYS_PROCS && X < 3 } { acquire(T[i], i); X := 2 * (X + S) - -1 - X * 2 }
     transition u ([i]) requires { S > 0 && X > -3 } { acquire(S, i); X := -2 * X + SYS_PROCS }
     transition w ([i] j) requires { count(T, 0) > 1/2 } { release(T[j], i); X := case | T[j] = 0 : S | _ :
        T[i] + 1 }
     unsafe (i j) { X = 7 && waiting(T[i], j) }",
    "var H : proc array N[proc] : bool
     init (p) { H <> p && N[p] = False }
     transition t (i) requires { N[i] = False } { N[i] := True }
     ltl a { G \"N[H] = True\" }",
    "type a < proc type b < proc const K[proc] : a array N[proc] : b
     init (i : b) { N[i] = i }
     transition t (i : a j : b) requires { K[j] = i && N[i] <> j } { N[i] := j }
     unsafe (i : a) { forall_other k. N[k] = N[i] && K[k] = i }
     invariant (i : b j) { K[i] = K[j] && i < j }",
    "type a < proc type b < proc array R[proc] : bool
     invariant (i : a) { R[i] = True }
     assume (i : b) { R[i] = False } var X : bool
     init { X = True }
     transition t (i) requires { R[i] } { X := False }
     unsafe (i : a) { X = False && R[i] }",
    "var X : bool var Y : bool
     init { X = True }
     transition t () requires { X } { X := Y; Y := X }
     transition t (i) requires { Y && not X } { Y := case | Y = X : Y }
     unsafe { X = Y && not (if X then Y else not Y) }",
    "var G : proc var H : proc array A[proc] : bool
     init (i) { G <> i && H = #1 && A[i] = True } number_procs 2
     transition t (i) requires { H = G || A[H] } { H := G; G := H }
     transition u (i) requires { G = i } { A[G] := ? }
     unsafe (i) { A[i] = False && A[H] }",
    "var G : proc var H : proc
     init (i) { G <> i && G = H || H <> i && G <> i && H = G }
     unsafe { G <> H }",
    "var G : proc var H : proc var F : proc
     init (i j) { G <> i && H <> j && (F = G || F = H) }
     unsafe x { F = G }
     unsafe y { F = H }
     unsafe z { G = H }",
    "var G : proc
     init (i) { forall j. G <> j }
     unsafe { true }",
    "var G : proc array A[proc] : proc
     init (i) { if A[i] = G then G <> i else false }
     unsafe (i) { A[i] = G }",
    "var G : proc array A[proc] : proc
     init (i) { (G <> i <=> true) && (not (A[i] <> G)) }
     unsafe (i) { A[i] = G }",
    "predicate out(x, i) { x <> i } var G : proc
     init (i) { out(G, i) }
     unsafe (i) { not out(G, i) }
     transition t (i) requires { out(i, G) } { G := i }",
    "type small = [0..2] array A[proc] : small var X : int
     init (i) { A[i] = 0 && X = 5 }
     transition t (i) { A[k] := case | k = i : A[k] + 1 | A[k] < A[i] : X | _ : ? }
     unsafe (i) { A[i] = 2 }",
    "var R : rlock array P[proc] : int
     init (i) { P[i] = 0 }
     transition a ([i]) requires { P[i] < 2 } { acquire(R, i); P[i] := P[i] + 1 }
     transition b ([i] j) requires { P[i] > 0 && owner(R, i) } { release(R, i); P[i] := P[i] - 1 }
     unsafe (i j) { waiting(R, i) && P[i] > 1 }
     invariant m (i j) { owner(R, i) && P[i] = 0 && free(R) }",
    "var C : condition array P[proc] : int
     init (i) { P[i] = 0 }
     transition a ([i]) requires { P[i] = 0 } { acquire(C, i); P[i] := 1 }
     transition b ([i] j) requires { P[i] = 1 && owner(C, i) } { wait(C, i); P[k] := case | sleeping(C, k) : 0
        | k = j : P[k] | _ : 1 }
     transition n ([i]) requires { exists j. sleeping(C, j) } { notify(C, i) }
     unsafe (i j) { owner(C, i) && P[i] = 0 && sleeping(C, j) }",
    "type small = [0..2] var X : small array A[proc] : small
     init (i) { X = 0 && A[i] = 0 }
     transition t (i) { X := case | X = 2 : 0 | X >= 1 : X + 1 | _ : 1 }
     transition u (i) { A[k] := case | k <> i : A[k] | A[k] = 2 : 0 | A[k] >= 0 : A[k] + 1 }
     unsafe (i j) { A[i] = 2 && A[j] = 1 && X = 2 }",
    "var F : proc var G : proc var H : proc array A[proc] : proc
     init (i) { H <> i && G <> i && F = H && A[i] = F && G = H }
     unsafe (i) { G = H && F = G && A[i] = G }",
];
