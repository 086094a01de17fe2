//! The grammar of the body of a transition.

use super::{
    SyntaxKind::*,
    expressions,
    items::name,
    parser::Parser,
    slips::{LEFTOVERS, leftover},
};
use source::Diagnostic;

/// `{ let x = t in … stmt ; stmt ; }`
pub(super) fn body(p: &mut Parser<'_>) {
    p.start(Body);
    if p.expect(LBrace) {
        while p.at(LetKw) {
            let_binding(p);
        }
        while !matches!(p.current(), RBrace | EndOfFile) && !p.current().starts_item() {
            if p.at(LetKw) {
                late_let(p);
                continue;
            }
            statement(p);
            end_of_statement(p);
        }
        p.expect(RBrace);
    }
    p.finish();
}

/// `;`, unless the body ends here.
fn end_of_statement(p: &mut Parser<'_>) {
    if p.eat(Semicolon) || p.at(RBrace) {
        return;
    }
    if matches!(p.current(), Comma | And) && matches!(p.nth(1), UpperName | LowerName) {
        let (span, found) = (p.current_span(), p.current_text().to_owned());
        let message = format!("statements are separated by `;`, not by `{found}`");
        p.error(Diagnostic::error("syntax", span, message).fix(span, ";", "write"));
        return p.skip();
    }
    p.error_expected("`;` or `}`");
    p.skip_until(|kind| matches!(kind, Semicolon | RBrace));
    p.eat(Semicolon);
}

fn late_let(p: &mut Parser<'_>) {
    let span = p.current_span();
    p.error(
        Diagnostic::error("syntax", span, "`let` must come before the first statement")
            .label("too late here"),
    );
    let_binding(p);
}

fn let_binding(p: &mut Parser<'_>) {
    p.start(Let);
    p.bump();
    name(p, LowerName, "a `let` name begins with a lower-case letter");
    p.expect(Eq);
    expressions::expression(p);
    p.expect(InKw);
    p.finish();
}

fn statement(p: &mut Parser<'_>) {
    match p.current() {
        UpperName => assignment(p),
        LowerName if matches!(p.nth(1), Assign | LBracket) => assignment(p),
        LowerName if CONTROL.contains(&p.current_text()) => no_control(p),
        LowerName if p.nth(1) == LParen => primitive(p),
        IfKw => {
            let span = p.current_span();
            p.error(
                Diagnostic::error("syntax", span, "there is no `if` statement")
                    .help("a value that depends on a condition is written `X := case | condition : value | _ : X`")
                    .help("a step that depends on a condition is a transition of its own, with the condition under `requires`"),
            );
            p.skip_until(|kind| matches!(kind, Semicolon | RBrace));
        }
        Semicolon => {
            let span = p.current_span();
            let message = "expected a statement, found `;`";
            p.error(Diagnostic::error("syntax", span, message).fix(span, "", "leave it out"));
        }
        _ => {
            p.error_expected("a statement such as `X := t` or `A[i] := t`");
            p.skip_until(|kind| matches!(kind, Semicolon | RBrace));
        }
    }
}

/// Words for control flow in other languages.
const CONTROL: &[&str] =
    &["while", "for", "loop", "do", "repeat", "until", "goto", "return", "break", "await", "switch"];

fn no_control(p: &mut Parser<'_>) {
    let (span, word) = (p.current_span(), p.current_text().to_owned());
    p.error(
        Diagnostic::error("syntax", span, format!("there is no `{word}` statement"))
            .label("a transition is one step: all its statements happen at once")
            .help("what takes several steps is several transitions, each with its guard; a variable such as `array Loc[proc] : location` says how far a process is"),
    );
    p.skip_statement();
}

/// `X := t`, `A[i] := case …`, `X := ?`
fn assignment(p: &mut Parser<'_>) {
    p.start(Assignment);
    expressions::location(p);
    if let Some(arrow) = p.at_joined(Lt, Minus) {
        p.error(Diagnostic::error("syntax", arrow, "expected `:=`, found `<-`").fix(
            arrow,
            ":=",
            "to assign, write",
        ));
        p.skip();
        p.skip();
        value(p);
    } else if p.at(Eq) {
        let span = p.current_span();
        p.error(Diagnostic::error("syntax", span, "expected `:=`, found `=`").label("this compares").fix(
            span,
            ":=",
            "to assign, write",
        ));
        p.bump();
        value(p);
    } else if matches!(p.current(), Plus | Minus) {
        let span = p.current_span();
        p.error(
            Diagnostic::error("syntax", span, format!("expected `:=`, found {}", p.current().describe()))
                .help("to count up, write `X := X + 1`"),
        );
        p.skip_until(|kind| matches!(kind, Semicolon | RBrace));
    } else if p.expect(Assign) {
        value(p);
    }
    p.finish();
}

fn value(p: &mut Parser<'_>) {
    match p.current() {
        Question | Dot => {
            p.start(AnyValue);
            p.bump();
            p.finish();
        }
        CaseKw => case(p),
        _ => expressions::expression(p),
    }
}

/// `case | f : t … | _ : t`; a `;` may stand between arms.
pub(super) fn case(p: &mut Parser<'_>) {
    p.start(Case);
    p.bump();
    if !p.at(Bar) {
        p.error_expected("`|` and the first arm");
    }
    while p.eat(Bar) {
        p.nested(arm);
        if p.at(Semicolon) && p.nth(1) == Bar {
            p.bump();
        }
    }
    p.finish();
}

fn arm(p: &mut Parser<'_>) {
    p.start(Arm);
    if p.at(Underscore) {
        p.start(DefaultCondition);
        p.bump();
        p.finish();
    } else {
        expressions::expression(p);
    }
    if p.expect(Colon) {
        if matches!(p.current(), Question | Dot) {
            p.start(AnyValue);
            p.bump();
            p.finish();
        } else {
            expressions::term(p);
        }
    }
    p.finish();
}

/// `acquire(L, i)` and the like. Whether the name exists is checked later, when a similar one can be proposed.
fn primitive(p: &mut Parser<'_>) {
    if LEFTOVERS.contains(&p.current_text()) {
        let (span, word) = (p.current_span(), p.current_text().to_owned());
        let plain = word.split('_').next().unwrap_or_default().to_owned();
        p.error(leftover(&word, span).fix(
            span,
            plain.clone(),
            format!("`{plain}` works on every kind of lock"),
        ));
    }
    p.start(Primitive);
    p.start(Name);
    p.bump();
    p.finish();
    expressions::arguments(p);
    p.finish();
}
