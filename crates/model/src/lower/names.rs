//! What names stand for: process constants, names in scope, and declared names.

use super::{
    elaborate::{Elaborator, Phrase},
    environment::Meaning,
    expansion::TooLarge,
    places::Place,
    scope::Binding,
    types::Type,
};
use crate::syntax::{SyntaxKind, SyntaxToken, ast};
use ir::Term;
use source::{Diagnostic, nearest};

/// The term or formula that a name stands for.
pub(super) fn name(elaborator: &mut Elaborator<'_>, name: &ast::NameExpr) -> Phrase {
    let Some(token) = name.token() else { return Phrase::Unknown };
    match token.kind() {
        SyntaxKind::ProcessConstant => process_constant(elaborator, &token),
        SyntaxKind::LowerName => lower_name(elaborator, &token),
        _ => upper_name(elaborator, &token),
    }
}

/// `#1`
fn process_constant(elaborator: &mut Elaborator<'_>, token: &SyntaxToken) -> Phrase {
    let number = token.text()[1..].parse().unwrap_or(u32::MAX);
    elaborator.mentions.named_processes = elaborator.mentions.named_processes.max(number);
    let limit = elaborator.env.max_processes;
    if limit.is_none_or(|limit| number > limit) {
        let diagnostic = Diagnostic::error(
            "unknown-process",
            token.text_range(),
            format!("there is no process `{}`", token.text()),
        );
        elaborator.out.push(match limit {
            Some(limit) => diagnostic.label(format!("the last one is `#{limit}`")),
            None => diagnostic.help(format!(
                "`number_procs {number}` at the top of the file declares the processes up to `#{number}`"
            )),
        });
        return Phrase::Unknown;
    }
    Phrase::Term(Term::Process(number), Type::Proc(None))
}

fn lower_name(elaborator: &mut Elaborator<'_>, token: &SyntaxToken) -> Phrase {
    if let Some(phrase) = in_scope(elaborator, token) {
        return phrase;
    }
    if elaborator.env.lookup(token.text()).is_some() {
        // Declared in the wrong case, which has been reported.
        return upper_name(elaborator, token);
    }
    let unknown = unknown_variable(elaborator, token);
    elaborator.out.push(unknown);
    Phrase::Unknown
}

/// What a name in scope stands for.
fn in_scope(elaborator: &mut Elaborator<'_>, token: &SyntaxToken) -> Option<Phrase> {
    let entry = elaborator.scope.used(token.text())?;
    if let Err(TooLarge) = elaborator.expansion.substitute(entry.extent) {
        elaborator.give_up(token.text_range());
        return Some(Phrase::Unknown);
    }
    Some(match &entry.binding {
        Binding::Var(var, ty) => Phrase::Term(Term::Var(*var), *ty),
        Binding::Phrase(phrase) => phrase.clone(),
    })
}

fn upper_name(elaborator: &mut Elaborator<'_>, token: &SyntaxToken) -> Phrase {
    // Bound in the wrong case, which has been reported.
    if let Some(phrase) = in_scope(elaborator, token) {
        return phrase;
    }
    match (elaborator.env.lookup(token.text()), token.text()) {
        (Some(Meaning::Constructor(id, at)), _) => Phrase::Term(Term::Constructor(*id, *at), Type::Enum(*id)),
        (Some(Meaning::Symbol(info)), _) => {
            let place = Place { info: info.clone(), indices: vec![], at: token.text_range() };
            place.read(elaborator, None)
        }
        (Some(Meaning::Broken), _) => Phrase::Unknown,
        (None, "True") => Phrase::Term(Term::boolean(true), Type::BOOL),
        (None, "False") => Phrase::Term(Term::boolean(false), Type::BOOL),
        (None, "SYS_PROCS") => Phrase::Term(Term::ProcessCount, Type::Int),
        (None, _) => {
            report_unknown(elaborator, token);
            Phrase::Unknown
        }
    }
}

fn unknown_variable(elaborator: &Elaborator<'_>, token: &SyntaxToken) -> Diagnostic {
    let (env, text) = (elaborator.env, token.text());
    let candidate = nearest(text, elaborator.scope.names()).or_else(|| {
        // The lower-case spelling of a declared symbol.
        let upper = env.nearest_name(text)?;
        upper.eq_ignore_ascii_case(text).then_some(upper)
    });
    let message = format!("unknown process variable `{text}`");
    let diagnostic = Diagnostic::error("unknown-name", token.text_range(), message)
        .label("not a parameter and not bound here")
        .did_you_mean(candidate);
    if env.predicates.contains_key(text) {
        diagnostic.help(format!("a predicate is used with its arguments: `{text}(…)`"))
    } else if is_null(text) {
        diagnostic.help(NO_NULL)
    } else if candidate.is_none() {
        elaborator.context.how_to_bind(text).into_iter().fold(diagnostic, Diagnostic::help)
    } else {
        diagnostic
    }
}

/// Reports that an upper-case name is not declared.
pub(super) fn report_unknown(elaborator: &mut Elaborator<'_>, token: &SyntaxToken) {
    // The wrong case of a lower-case name instead of a variable has been reported.
    if token.kind() == SyntaxKind::LowerName {
        return;
    }
    // Searching for a similar name takes time, and is pointless if the message would be dropped.
    let full = elaborator.out.is_full();
    let candidate = if full { None } else { elaborator.env.nearest_name(token.text()) };
    let message = format!("unknown name `{}`", token.text());
    let diagnostic = Diagnostic::error("unknown-name", token.text_range(), message).label("not declared");
    elaborator.out.push(match candidate {
        None if is_null(token.text()) => diagnostic.help(NO_NULL),
        candidate => diagnostic.did_you_mean(candidate),
    });
}

const NO_NULL: &str = "there is no such value: declare `const Nobody : proc` and say `init (p) { Nobody <> p }`, which makes it none of the processes";

/// Whether a word stands for a null value in other languages.
fn is_null(word: &str) -> bool {
    ["null", "nil", "none", "nobody", "undefined", "bottom"].contains(&word.to_ascii_lowercase().as_str())
}
