//! The language: messages with their codes, and values of expressions.

mod common;

use common::{protocol, size};
use explore::Limits;
use motet_protocol::{NoGraph, Protocol};
use source::{Severity, Source};

/// Codes of the messages about a text, errors with an exclamation mark.
fn codes(text: &str) -> Vec<String> {
    let found = Protocol::load(&Source::new("test.dcj", text)).diagnostics.sorted();
    let code = |severity, code: &str| {
        if severity == Severity::Error { format!("{code}!") } else { code.to_owned() }
    };
    found.iter().map(|it| code(it.severity, it.code)).collect()
}

fn one_session(body: &str) -> String {
    format!("(defroles :a :b :c)\n(defsession :s [] {body})")
}

#[test]
fn static_checks_have_codes() {
    for (body, expected) in [
        ("(-->> T :a :b)", &[][..]),
        ("(-->> T :a :x)", &["undeclared-role"]),
        ("(-->> T :a :a)", &["self-send!"]),
        ("(-->> T (:a 1) (:a 1))", &["self-send!"]),
        ("(-->> T (:a 1) (:a 2))", &[]),
        ("(alt)", &["dead-choice!"]),
        ("(:other 1)", &["unknown-session!"]),
        ("(:s 1)", &["wrong-arity!"]),
        ("(alt (-->> T :a :b) (:s))", &["unguarded-recursion!"]),
        ("(loop :l [] (alt (-->> T :a :b) (recur :l)))", &["unguarded-recursion!"]),
        ("(loop :l [] (-->> T :a :b) (recur :l))", &[]),
        ("(loop :l [x 1 y 2] (-->> T :a :b) (recur :l 3))", &["missing-values"]),
        ("(loop :l [x 1] (-->> T :a :b) (recur :l 3 4))", &["wrong-arity!"]),
        ("(loop :l [x 1] (-->> T :a :b) (recur :m))", &["unknown-loop!"]),
        ("(* (? (-->> T :a :b)))", &[]),
        ("(if (> x 1) (end))", &["unknown-variable!"]),
        ("(if (gt 1 1) (end))", &["unknown-function!"]),
        ("(if (inc 1 1) (end))", &["wrong-arity!"]),
        ("(cta (-->> T :a :b) (-->> T :a x))", &["unknown-operator!", "unknown-variable!"]),
        ("(-->> T :a #{:b :a})", &["self-send!"]),
        ("(-->> T :a #{})", &["syntax!"]),
        ("(any #{:a :b})", &[]),
        ("(graph des (0,1,2) (0,\"a SEND T TO b\",1))", &[]),
        ("(graph des (0,2,2) (0,\"a SEND T TO b\",1))", &["syntax!"]),
        ("(graph des (0,1,2) (0,\"hello\",1))", &["syntax!"]),
    ] {
        assert_eq!(codes(&one_session(body)), expected, "{body}");
    }
}

#[test]
fn all_errors_of_a_file_are_reported() {
    let text = "(defrole :a) (defrole :a)\n(defsession :s [x x] (end))\n(defsessio :t [] (end))\n(defsession :u [] (if 1))\n(defn f [x] (g x))";
    assert_eq!(
        codes(text),
        ["duplicate!", "duplicate!", "unknown-definition!", "syntax!", "unknown-function!"]
    );
}

#[test]
fn proposals_are_made_for_slips() {
    let text = "(defrole :client) (defrole :server)\n(defsession :talk [] (-->> T :clinet :server))";
    let found = Protocol::load(&Source::new("test.dcj", text)).diagnostics.sorted();
    assert_eq!(found[0].fix.as_ref().unwrap().replacement, ":client");
}

fn value(text: &str) -> Result<String, String> {
    let functions = "(defn add [x y] (if (= y 0) x (inc (add x (dec y))))) (defn even [x] (= 0 (mod x 2))) (defn down [x] (down (dec x)))";
    protocol(functions).value(text).map(|value| value.to_string())
}

#[test]
fn expressions_have_values() {
    for (text, expected) in [
        ("(+ 1 2 3)", "6"),
        ("(- 5)", "-5"),
        ("(/ 6 4)", "3/2"),
        ("(long (/ 7 2))", "3"),
        ("(long (/ -7 2))", "-3"),
        ("(+ (/ 1 2) (/ 1 2))", "1"),
        ("(mod -1 4)", "3"),
        ("(quot -7 2)", "-3"),
        ("(mod (inc 3) 4)", "0"),
        ("(< 1 2 3)", "true"),
        ("(>= 2 2 3)", "false"),
        ("(= 1 1 2)", "false"),
        ("(not= 1 2)", "true"),
        ("(and 1 nil 2)", "nil"),
        ("(or false 3)", "3"),
        ("(range 3)", "[0 1 2]"),
        ("(range 1 4)", "[1 2 3]"),
        ("(range 5 0 -2)", "[5 3 1]"),
        ("(set (list 2 1 2))", "#{1 2}"),
        ("(filter #{1 3 9} (range 5))", "[1 3]"),
        ("(filter even (range 5))", "[0 2 4]"),
        ("(remove even (range 5))", "[1 3]"),
        ("(filter some? [1 nil])", "[1]"),
        ("(disj #{1 2 3} 2)", "#{1 3}"),
        ("(conj #{1} 2)", "#{1 2}"),
        ("(conj [1] 2)", "[1 2]"),
        ("(contains? #{1} 1)", "true"),
        ("(contains? [5] 1)", "false"),
        ("(get {1 2} 1)", "2"),
        ("(get {1 2} 2 7)", "7"),
        ("(assoc {1 2} 1 3)", "{1 3}"),
        ("(keys {:a 1 :b 2})", "[:a :b]"),
        ("(count empty-set)", "0"),
        ("(empty? [])", "true"),
        ("(power-set #{1 2})", "#{#{} #{1} #{1 2} #{2}}"),
        ("(difference #{1 2 3} #{1} #{3})", "#{2}"),
        ("(union #{1} #{2})", "#{1 2}"),
        ("(str \"a\" 1 nil :k)", "\"a1:k\""),
        ("(long (Math/ceil (Math/sqrt 5)))", "3"),
        ("(ceil (sqrt 4))", "2"),
        ("(long (sqrt 8))", "2"),
        ("(sqrt 9)", "3"),
        ("(Long/parseLong \"101\" 2)", "5"),
        ("(try (Long/parseLong \"\" 2) (catch Exception e -1))", "-1"),
        ("(.replaceFirst (Long/toBinaryString 5) \".$\" \"\")", "\"10\""),
        ("(add 20 22)", "42"),
        ("(let [x 1 y (inc x)] (+ x y))", "3"),
        ("(if false 1)", "nil"),
        ("(#{1 2} 2)", "2"),
    ] {
        assert_eq!(value(text).as_deref(), Ok(expected), "{text}");
    }
    for text in [
        "(sqrt 5)",
        "(/ 1 0)",
        "(* 9223372036854775807 2)",
        "(range 1000000000)",
        "(power-set (range 60))",
        "(down 1)",
        "(try (down 1) (catch Exception e 0))",
        "(inc :a)",
        "(range 1 2 0)",
    ] {
        assert!(value(text).is_err(), "{text}");
    }
}

#[test]
fn what_never_ends_is_named() {
    let protocol = protocol("(defroles :a :b)(defsession :s [n] (-->> T :a :b) (:s (inc n)))");
    let session = protocol.session(None, 1).unwrap();
    let limits = Limits { states: Some(1000), ..Limits::default() };
    assert!(matches!(
        protocol.graph(session, vec![motet_protocol::Value::Integer(0)], &limits),
        Err(NoGraph::Limit(_))
    ));
    let deep =
        common::protocol("(defroles :a :b)(defsession :s [n] (if true (alt (-->> T :a :b) (:s (inc n)))))");
    let session = deep.session(None, 1).unwrap();
    match deep.graph(session, vec![motet_protocol::Value::Integer(0)], &Limits::default()) {
        Err(NoGraph::Obstacle(obstacle)) => assert_eq!(obstacle.0.code, "unguarded-recursion"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn operators_mean_what_the_table_says() {
    let sized = |body: &str| size(&protocol(&one_session(body)), &[]);
    assert_eq!(sized("(end)"), (1, 0));
    assert_eq!(sized("(cat)"), (1, 0));
    assert_eq!(sized("(--> T :a :b)"), (2, 1));
    assert_eq!(sized("(-->> T :a :b)"), (3, 2));
    assert_eq!(sized("(-->> T :a #{:b :c})"), (5, 5));
    assert_eq!(sized("(par (--> T :a :b) (--> T :b :c))"), (4, 4));
    assert_eq!(sized("(par (--> T :a :b) (--> T :a :b))"), (3, 2));
    // The second send may overtake the receive, but not the first send, which has the same subject.
    assert_eq!(sized("(async (-->> T :a :b) (-->> U :a :c))"), (7, 8));
    assert_eq!(sized("(async (-->> T :a :b) (-->> U :c :b))"), (7, 8));
    assert_eq!(sized("(ω (--> T :a :b))"), (2, 2));
    assert_eq!(sized("(* (--> T :a :b))"), (2, 2));
    assert_eq!(sized("(+ (--> T :a :b))"), (2, 2));
    assert_eq!(sized("(? (--> T :a :b))"), (2, 1));
    assert_eq!(sized("(cat-every [i (range 3) j (range i)] (--> T (:a i) (:b j)))"), (4, 3));
    assert_eq!(sized("(alt-every [i (range 3)] (--> T (:a i) :b))"), (2, 3));
    assert_eq!(sized("(loop :l [i 0] (if (< i 3) (cat (--> T (:a i) :b) (recur :l (inc i)))))"), (4, 3));
    assert_eq!(sized("(let [r :a] (--> T r (r 1)))"), (2, 1));
    assert_eq!(sized("[(--> T :a :b) (close :a :b)]"), (3, 2));
    assert_eq!(sized("(any #{:a :b})"), (2, 8));
    assert_eq!(sized("(graph des (0,2,2) (0,\"a SEND T TO b\",1) (1,\"b RECV T FROM a\",0))"), (2, 2));
}

#[test]
fn choices_are_looked_at() {
    let warned = |body: &str| -> Vec<&'static str> {
        common::graph(&protocol(&one_session(body)), &[]).warnings.iter().map(|it| it.code).collect()
    };
    assert_eq!(warned("(alt (--> T :a :b) (--> U :a :b))"), [""; 0]);
    assert_eq!(warned("(alt (--> T :a :b) (--> T :b :a))"), ["mixed-choice"]);
    assert_eq!(
        warned("(alt (cat (--> T :a :b) (--> U :b :a)) (cat (--> T :a :b) (--> V :b :a)))"),
        ["non-determinism"]
    );
    assert_eq!(warned("(alt-every [i []] (--> T :a :b))"), ["dead-choice"]);
}
