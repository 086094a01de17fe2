//! The grammar of declarations.

use super::{
    SyntaxKind::*,
    expressions,
    parser::Parser,
    slips::{
        COLLECTIONS, LEFTOVERS, at_guard_word, bare_guard, bare_range, collection, common_slip, leftover,
        missing_params, wrong_case, wrong_connective,
    },
    statements,
};
use source::{Diagnostic, Span};

/// `item*`
pub(super) fn file(p: &mut Parser<'_>) {
    p.start_root(File);
    while !p.at(EndOfFile) {
        item(p);
    }
    p.finish_root();
}

fn item(p: &mut Parser<'_>) {
    match p.current() {
        NumberProcsKw => number_procs(p),
        TypeKw => type_decl(p),
        VarKw | ArrayKw | ConstKw => symbol_decl(p),
        LowerName if p.at_word("weak") && matches!(p.nth(1), VarKw | ArrayKw | ConstKw) => symbol_decl(p),
        PredicateKw => predicate(p),
        InitKw => property(p, Init),
        UnsafeKw => property(p, Unsafe),
        InvariantKw => property(p, Invariant),
        LowerName if p.at_word("assume") => property(p, Assume),
        LowerName if p.at_word("final") => final_states(p),
        LowerName if p.at_word("ltl") => ltl(p),
        TransitionKw => transition(p),
        _ => no_item(p),
    }
}

/// Reports text that does not begin an item, and skips to the next item.
fn no_item(p: &mut Parser<'_>) {
    let span = p.current_span();
    let word = p.current_text().to_owned();
    let candidates = ITEM_WORDS.iter().copied();
    let diagnostic = if let Some(dashes) = p.at_joined(Minus, Minus) {
        Diagnostic::error("syntax", dashes, "comments are written `// …` or `(* … *)`")
            .fix(dashes, "//", "write")
    } else if LEFTOVERS.contains(&word.as_str()) {
        leftover(&word, span)
    } else if let Some(diagnostic) = common_slip(&word, span) {
        diagnostic
    } else {
        Diagnostic::error("syntax", span, format!("expected a declaration, found `{word}`"))
            .label("no declaration begins like this")
            .help("declarations begin with `type`, `const`, `var`, `array`, `predicate`, `init`, `transition`, `unsafe`, `invariant`, `assume`, `final` or `ltl`")
            .did_you_mean(source::nearest(&word, candidates))
    };
    p.error(diagnostic);
    p.start(Error);
    p.bump();
    while !p.at(EndOfFile) && !at_item(p) {
        p.bump();
    }
    p.finish();
}

/// Whether an item begins here. Contextual keywords count only if followed by what must follow them.
fn at_item(p: &Parser<'_>) -> bool {
    let contextual = match p.current_text() {
        "weak" => matches!(p.nth(1), VarKw | ArrayKw),
        "assume" => matches!(p.nth(1), LParen | LBrace),
        "final" => p.nth(1) == LBrace,
        "ltl" => p.nth(2) == LBrace,
        _ => false,
    };
    p.current().starts_item() || contextual
}

const ITEM_WORDS: &[&str] = &[
    "type",
    "const",
    "var",
    "array",
    "predicate",
    "init",
    "transition",
    "unsafe",
    "invariant",
    "assume",
    "final",
    "ltl",
    "weak",
    "number_procs",
];

/// `number_procs INT`
fn number_procs(p: &mut Parser<'_>) {
    p.start(NumberProcs);
    p.bump();
    p.expect(Integer);
    p.finish();
}

/// `type t`, `type t = A | B`, `type t < proc`, `type t = [1..8]`
fn type_decl(p: &mut Parser<'_>) {
    p.start(TypeDecl);
    p.bump();
    name(p, LowerName, "a type begins with a lower-case letter");
    if p.at(Lt) {
        p.start(KindBody);
        p.bump();
        type_ref(p);
        p.finish();
    } else if p.at(Colon) && matches!(p.nth(1), UpperName | LBracket) {
        let span = p.current_span();
        p.error(Diagnostic::error("syntax", span, "expected `=`, found `:`").fix(span, "=", "write"));
        p.skip();
        type_body(p);
    } else if p.eat(Eq) {
        type_body(p);
    }
    p.finish();
}

/// The definition of a type: `A | B` or `[1..8]`. Other brackets, as in other languages, are reported.
fn type_body(p: &mut Parser<'_>) {
    match p.current() {
        LBracket => range_body(p),
        Integer | Minus => bare_range(p),
        LBrace => {
            let span = p.current_span();
            let message = "the constructors of a type stand without braces";
            p.error(Diagnostic::error("syntax", span, message).help("write `type t = A | B`"));
            p.skip();
            enum_body(p);
            if p.at(RBrace) {
                p.skip();
            }
        }
        _ => enum_body(p),
    }
}

fn range_body(p: &mut Parser<'_>) {
    p.start(RangeBody);
    p.bump();
    p.eat(Minus);
    p.expect(Integer);
    p.expect(DotDot);
    p.eat(Minus);
    p.expect(Integer);
    p.expect(RBracket);
    p.finish();
}

fn enum_body(p: &mut Parser<'_>) {
    p.start(EnumBody);
    p.eat(Bar);
    loop {
        p.start(Constructor);
        name(p, UpperName, "a constructor begins with an upper-case letter");
        p.finish();
        if p.at(Comma) && matches!(p.nth(1), UpperName | LowerName) {
            let span = p.current_span();
            p.error(
                Diagnostic::error("syntax", span, "constructors are separated by `|`")
                    .fix(span, " |", "write"),
            );
            p.skip();
        } else if !p.eat(Bar) {
            break;
        }
    }
    p.finish();
}

/// `[weak] var X : t`, `[weak] array A[proc] : t`, `const K : t`, `const K[proc] : t`
fn symbol_decl(p: &mut Parser<'_>) {
    p.start(SymbolDecl);
    if p.at_word("weak") {
        p.bump();
    }
    p.bump();
    symbol_name(p);
    while p.at(Comma) && matches!(p.nth(1), UpperName | LowerName) {
        let span = p.current_span();
        p.error(
            Diagnostic::error("syntax", span, "every variable has a declaration of its own")
                .help("write `var X : int` and `var Y : int`"),
        );
        p.skip();
        // All names are declared, but only the last one gets a type.
        p.finish();
        p.start(SymbolDecl);
        symbol_name(p);
    }
    declared_type(p);
    p.finish();
}

/// `X`, `A[proc]`
fn symbol_name(p: &mut Parser<'_>) {
    name(p, UpperName, "variables, arrays and constants begin with an upper-case letter");
    if p.at(LBracket) {
        p.start(IndexSorts);
        p.bump();
        index_sort(p);
        while p.eat(Comma) {
            index_sort(p);
        }
        p.expect(RBracket);
        p.finish();
    }
}

/// `proc`. A number or a range instead is a common mistake.
fn index_sort(p: &mut Parser<'_>) {
    if !p.at(Integer) {
        return type_ref(p);
    }
    let start = p.current_span();
    p.start(TypeRef);
    p.start(Error);
    while matches!(p.current(), Integer | DotDot) {
        p.bump();
    }
    let span = Span::new(start.start(), p.behind().end());
    p.error(
        Diagnostic::error("syntax", span, "an array has a cell for each process, not for each number")
            .fix(span, "proc", "write"),
    );
    p.finish();
    p.finish();
}

/// `: t`
fn declared_type(p: &mut Parser<'_>) {
    if p.at(LowerName) {
        let (span, before) = (p.current_span(), p.behind());
        let message = format!("expected `:`, found `{}`", p.current_text());
        p.error(Diagnostic::error("syntax", span, message).fix(before, " :", "write"));
    } else {
        p.expect(Colon);
    }
    type_ref(p);
}

fn type_ref(p: &mut Parser<'_>) {
    p.start(TypeRef);
    match p.current() {
        LowerName if p.nth(1) == LowerName && COLLECTIONS.contains(&p.current_text()) => collection(p),
        LowerName => p.bump(),
        UpperName => {
            let (span, text) = (p.current_span(), p.current_text().to_owned());
            p.error(wrong_case(span, &text, "types begin with a lower-case letter"));
            p.bump();
        }
        _ => p.error_expected("a type"),
    }
    p.finish();
}

/// A name that is being declared. One of the wrong case is reported, and declared nevertheless.
pub(super) fn name(p: &mut Parser<'_>, kind: super::SyntaxKind, rule: &str) {
    p.start(Name);
    if matches!(p.current(), LowerName | UpperName) {
        if !p.at(kind) {
            let (span, text) = (p.current_span(), p.current_text().to_owned());
            p.error(wrong_case(span, &text, rule));
        }
        p.bump();
    } else {
        p.error_expected(kind.describe());
    }
    p.finish();
}

/// `predicate p(a, b) { f }`
fn predicate(p: &mut Parser<'_>) {
    p.start(PredicateDecl);
    p.bump();
    name(p, LowerName, "a predicate begins with a lower-case letter");
    p.start(PredicateParams);
    p.expect(LParen);
    while p.at(LowerName) {
        p.start(Name);
        p.bump();
        p.finish();
        // Parameters separated by blanks, as in transitions, are a common mistake.
        if !p.eat(Comma) && p.at(LowerName) {
            p.error_expected("`,`");
        }
    }
    p.expect(RParen);
    p.finish();
    block(p);
    p.finish();
}

/// `init (i j) { f }`, and likewise `unsafe`, `invariant` and `assume`, which may have a name.
fn property(p: &mut Parser<'_>, kind: super::SyntaxKind) {
    p.start(kind);
    p.bump();
    if matches!(p.current(), LowerName | UpperName) {
        if kind == Init {
            p.error_expected("`(` or `{`: an `init` has no name");
        }
        p.start(Name);
        p.bump();
        p.finish();
    }
    if p.at(LParen) {
        params(p);
    }
    block(p);
    p.finish();
}

/// `final { formula }`: neither a name nor parameters.
fn final_states(p: &mut Parser<'_>) {
    p.start(Final);
    p.bump();
    if matches!(p.current(), LowerName | UpperName) {
        p.error_expected("`{`: a `final` has no name");
        p.skip();
    }
    if p.at(LParen) {
        let span = p.current_span();
        p.error(
            Diagnostic::error("syntax", span, "a `final` has no parameters")
                .label("it speaks of a whole state")
                .help("quantify instead: `final { forall i. … }`"),
        );
        params(p);
    }
    block(p);
    p.finish();
}

/// `{ formula }`
fn block(p: &mut Parser<'_>) {
    p.start(Block);
    if p.expect(LBrace) {
        expressions::expression(p);
        close_block(p);
    }
    p.finish();
}

/// The end of a formula in braces: tokens before it are reported and skipped.
fn close_block(p: &mut Parser<'_>) {
    while matches!(p.current(), Semicolon | Bar | Comma) {
        wrong_connective(p);
        p.skip();
        if !matches!(p.current(), RBrace | EndOfFile) && !p.current().starts_item() {
            expressions::expression(p);
        }
    }
    if !p.at(RBrace) {
        p.error_expected("`}` or an operator such as `&&`");
        p.skip_until(|kind| kind == RBrace);
    }
    p.eat(RBrace);
}

/// `ltl name (i j) { temporal formula }`: the formula has a grammar of its own; here it ends at the matching brace, and its
/// atoms are parsed.
fn ltl(p: &mut Parser<'_>) {
    p.start(Ltl);
    p.bump();
    if matches!(p.current(), LowerName | UpperName) {
        p.start(Name);
        p.bump();
        p.finish();
    } else {
        p.error_expected("a name for the temporal property");
    }
    if p.at(LParen) {
        params(p);
    }
    if p.expect(LBrace) {
        ltl_body(p);
        p.expect(RBrace);
    }
    p.finish();
}

/// A temporal formula alone, as on the command line.
pub(super) fn lone_temporal(p: &mut Parser<'_>) {
    p.start_root(LoneExpression);
    ltl_body(p);
    if !p.at(EndOfFile) {
        p.error_expected("the end of the formula");
    }
    p.finish_root();
}

fn ltl_body(p: &mut Parser<'_>) {
    p.start(LtlBody);
    while !matches!(p.current(), RBrace | EndOfFile) && !p.current().starts_item() {
        match p.current() {
            DoubleQuote | SingleQuote => quoted_atom(p),
            _ if at_bare_atom(p) => bare_atom(p),
            _ => p.bump(),
        }
    }
    p.finish();
}

/// The words of temporal formulas. They are names of the model only where nothing else is possible.
const TEMPORAL_WORDS: [&str; 18] = [
    "G", "F", "X", "U", "W", "R", "M", "NOT", "AND", "OR", "XOR", "xor", "IMP", "BIIMP", "tt", "ff", "END",
    "DEAD",
];

/// Whether a formula of the model begins here that needs no quotes: a comparison, a term, a predicate or a step.
fn at_bare_atom(p: &Parser<'_>) -> bool {
    let compared = matches!(p.nth(1), Eq | Neq | Lt | Le | Gt | Ge | EqEq | BangEq | LBracket);
    match p.current() {
        UpperName | LowerName => compared || !TEMPORAL_WORDS.contains(&p.current_text()),
        Integer => compared || matches!(p.nth(1), Plus | Minus | Star | Slash),
        ProcessConstant | Minus => true,
        _ => false,
    }
}

fn bare_atom(p: &mut Parser<'_>) {
    p.start(LtlAtom);
    if at_step(p) {
        take(p);
    } else {
        expressions::comparison_or_term(p);
    }
    p.finish();
}

/// Whether `TAKE t` or `ENABLED t` comes next.
fn at_step(p: &Parser<'_>) -> bool {
    let word = p.at(UpperName) && matches!(p.current_text(), "TAKE" | "ENABLED");
    word && matches!(p.nth(1), LowerName | UpperName)
}

/// `"formula"`, `"TAKE t(#1)"`; anything that is not a formula, such as `"END"`, is checked later.
fn quoted_atom(p: &mut Parser<'_>) {
    let (quote, opening) = (p.current(), p.current_span());
    p.start(LtlAtom);
    p.bump();
    if at_step(p) {
        take(p);
    } else {
        expressions::expression(p);
    }
    let goes_on = !matches!(p.current(), RBrace | EndOfFile) && !p.at(quote);
    if goes_on {
        p.error_expected(&format!("{} or an operator", quote.describe()));
        p.skip_until(|kind| kind == quote || kind == RBrace);
    }
    if !p.eat(quote) {
        p.error(
            Diagnostic::error("unterminated-string", opening, "this quoted formula is never closed")
                .label("it begins here"),
        );
    }
    p.finish();
}

/// `TAKE t(#1, i)`, `ENABLED t(i)`: a step, optionally of given processes.
fn take(p: &mut Parser<'_>) {
    p.start(Take);
    p.bump();
    p.start(Name);
    p.bump();
    p.finish();
    if p.at(LParen) {
        p.start(TakeArgs);
        p.bump();
        while matches!(p.current(), LowerName | ProcessConstant | Underscore) {
            p.start(NameExpr);
            p.bump();
            p.finish();
            p.eat(Comma);
        }
        p.expect(RParen);
        p.finish();
    }
    p.finish();
}

/// `transition t ([i : kind] j) requires { f } { … }`
fn transition(p: &mut Parser<'_>) {
    p.start(Transition);
    p.bump();
    p.start(Name);
    if matches!(p.current(), LowerName | UpperName) {
        p.bump();
    } else {
        p.error_expected("a name for the transition");
    }
    p.finish();
    if p.at(LParen) {
        params(p);
    } else {
        missing_params(p);
    }
    if p.at(RequiresKw) || at_guard_word(p) {
        requires(p);
    } else if p.at(LBrace) && p.at_two_blocks() {
        let before = Span::empty(p.current_span().start());
        p.error(
            Diagnostic::error("syntax", p.current_span(), "expected `requires`, found `{`")
                .label("two blocks: the first must be the guard")
                .fix(before, "requires ", "write"),
        );
        p.start(Requires);
        block(p);
        p.finish();
    }
    statements::body(p);
    p.finish();
}

fn requires(p: &mut Parser<'_>) {
    p.start(Requires);
    if !p.at(RequiresKw) {
        let (span, word) = (p.current_span(), p.current_text().to_owned());
        p.error(Diagnostic::error("syntax", span, format!("expected `requires`, found `{word}`")).fix(
            span,
            "requires",
            "the guard is introduced by `requires`",
        ));
    }
    p.bump();
    if p.at(LBrace) {
        block(p);
    } else {
        bare_guard(p);
    }
    p.finish();
}

/// `([i : kind] j k)`
fn params(p: &mut Parser<'_>) {
    p.start(Params);
    p.bump();
    loop {
        match p.current() {
            LowerName => param(p),
            LBracket => {
                p.start(Actor);
                p.bump();
                if p.at(LowerName) {
                    param(p);
                } else {
                    p.error_expected("the process that acts");
                }
                p.expect(RBracket);
                p.finish();
            }
            Comma => {
                let span = p.current_span();
                p.error(Diagnostic::error("syntax", span, "parameters are separated by blanks").fix(
                    span,
                    "",
                    "leave it out",
                ));
                p.skip();
            }
            UpperName => {
                let (span, text) = (p.current_span(), p.current_text().to_owned());
                p.error(wrong_case(span, &text, "a process variable begins with a lower-case letter"));
                param(p);
            }
            _ => break,
        }
    }
    p.expect(RParen);
    p.finish();
}

/// `i` or `i : kind`
pub(super) fn param(p: &mut Parser<'_>) {
    p.start(Param);
    p.start(Name);
    p.bump();
    p.finish();
    if p.eat(Colon) {
        type_ref(p);
    }
    p.finish();
}
