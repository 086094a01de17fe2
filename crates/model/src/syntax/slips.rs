//! Common mistakes of users of other languages: recognised, and rejected with the correct spelling.

use super::{SyntaxKind::*, expressions, items::param, parser::Parser};
use source::{Diagnostic, Span};

/// The message for a word of another language where a declaration should begin.
pub(super) fn common_slip(word: &str, span: Span) -> Option<Diagnostic> {
    let slip = |message: &str| Diagnostic::error("syntax", span, message);
    Some(match word {
        "safe" | "property" | "assert" => slip(&format!("there is no `{word}`"))
            .help("`unsafe { … }` describes the states that must never be reached: write the negation of what you want"),
        ";" => slip("a declaration does not end with `;`").fix(span, "", "leave it out"),
        "int" | "bool" | "real" | "proc" | "integer" | "boolean" | "let" => slip(&format!("no declaration begins with `{word}`"))
            .help("a variable is declared `var X : int`, with an upper-case name, and starts as `init { X = 0 }` says"),
        "enum" => slip("there is no `enum`").help("an enumeration is declared `type t = A | B`"),
        "process" | "thread" | "proctype" | "module" => slip(&format!("there is no `{word}`"))
            .help("all processes are alike: what a process has is `array A[proc] : …`, what it does is `transition t (i) …`"),
        "rule" | "action" | "step" | "def" | "function" => slip(&format!("there is no `{word}`"))
            .help("what may happen is a `transition t (i) requires { … } { … }`; an abbreviation is a `predicate p(a) { … }`"),
        "=" | ":=" => slip("a declaration has no start value")
            .help("start values belong in `init { … }`"),
        _ => return None,
    })
}

/// Words that CFL reserves but no document describes.
pub(crate) const LEFTOVERS: &[&str] = &[
    "livelock",
    "add_proc",
    "sub_proc",
    "compare_procs",
    "acquire_lock",
    "acquire_rlock",
    "acquire_semaphore",
    "acquire_condition",
    "release_lock",
    "release_rlock",
    "release_semaphore",
    "release_condition",
];

/// The message for one of [`LEFTOVERS`].
pub(super) fn leftover(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("undocumented", span, format!("`{word}` is not part of the language"))
        .label("a leftover of CFL that no document describes")
}

/// `1..8` without its brackets.
pub(super) fn bare_range(p: &mut Parser<'_>) {
    let start = p.current_span().start();
    p.start(RangeBody);
    p.eat(Minus);
    p.expect(Integer);
    let whole = p.expect(DotDot) && {
        p.eat(Minus);
        p.expect(Integer)
    };
    let span = Span::new(start, p.behind().end());
    if whole {
        let range = format!("[{}]", p.slice(span));
        p.error(Diagnostic::error("syntax", span, "a range stands in brackets").fix(span, range, "write"));
    }
    p.finish();
}

/// Words for compound types in other languages, as in `set of proc`.
pub(super) const COLLECTIONS: &[&str] =
    &["set", "list", "seq", "sequence", "queue", "bag", "map", "option", "channel"];

pub(super) fn collection(p: &mut Parser<'_>) {
    let (span, word) = (p.span_of(3), p.current_text().to_owned());
    p.error(
        Diagnostic::error("syntax", span, format!("there is no `{word}` of values")).help(
            "a set of processes is an array of truth values: `array S[proc] : bool`, with `S[i] = True` for its members",
        ),
    );
    p.start(Error);
    while p.at(LowerName) {
        p.bump();
    }
    p.finish();
}

/// A name that begins with a letter of the wrong case.
pub(super) fn wrong_case(span: Span, text: &str, rule: &str) -> Diagnostic {
    let mut letters = text.chars();
    let swapped: String = letters.next().map_or(String::new(), |first| {
        let first =
            if first.is_ascii_uppercase() { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() };
        std::iter::once(first).chain(letters).collect()
    });
    Diagnostic::error("wrong-case", span, format!("`{text}` has the wrong case")).label(rule).fix(
        span,
        swapped,
        "change its first letter",
    )
}

/// Reports a separator that other languages use between the parts of a formula.
pub(super) fn wrong_connective(p: &mut Parser<'_>) {
    let (span, found) = (p.current_span(), p.current_text().to_owned());
    let last = p.nth(1) == RBrace;
    p.error(if p.at(Bar) {
        let message = format!("`{found}` is not an operator of this language");
        Diagnostic::error("foreign-operator", span, message).fix(span, "||", "write `||`")
    } else {
        let message = format!("the parts of a formula are not separated by `{found}`");
        let diagnostic = Diagnostic::error("syntax", span, message);
        if last { diagnostic.fix(span, "", "leave it out") } else { diagnostic.fix(span, " &&", "write") }
    });
}

/// A transition without its parentheses: its parameters, if there are any, are skipped.
pub(super) fn missing_params(p: &mut Parser<'_>) {
    let (span, found) = (p.current_span(), p.describe_current());
    let diagnostic = Diagnostic::error(
        "syntax",
        span,
        format!("expected `(` with the parameters, or `()`, found {found}"),
    );
    let at_param = |p: &Parser<'_>| p.at(LowerName) && !GUARD_WORDS.contains(&p.current_text());
    if at_param(p) {
        p.error(diagnostic.label("parameters stand in parentheses: `(i j)`"));
        p.start(Params);
        while at_param(p) {
            param(p);
        }
        p.finish();
    } else {
        p.error(diagnostic.fix(p.behind(), " ()", "without parameters, write"));
    }
}

/// Words that other languages put before a guard.
const GUARD_WORDS: &[&str] = &["when", "guard", "where", "require", "pre", "provided", "await"];

/// Whether the next token can only be meant as `requires`.
pub(super) fn at_guard_word(p: &Parser<'_>) -> bool {
    let word = p.at(LowerName) && (p.nth(1) == LBrace || GUARD_WORDS.contains(&p.current_text()));
    word || p.at(IfKw)
}

/// A guard without its braces.
pub(super) fn bare_guard(p: &mut Parser<'_>) {
    let span = p.current_span();
    p.start(Block);
    p.error(
        Diagnostic::error("syntax", span, format!("expected `{{`, found {}", p.describe_current()))
            .help("a guard stands in braces: `requires { … }`"),
    );
    if !p.current().starts_item() {
        expressions::expression(p);
    }
    p.finish();
}
