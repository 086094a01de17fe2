//! Static checks: what is wrong with a protocol whatever its values are.

use crate::syntax::tree::{Communication, File, Name, Operator, RoleExpr, Session, Spec, SpecKind};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Source, nearest};

/// The messages about a file.
pub(crate) fn check(file: &File, source: &Source) -> Vec<Diagnostic> {
    let mut check = Check { file, source, found: vec![] };
    for session in &file.sessions {
        check.spec(&session.body);
    }
    for inner in &file.loops {
        check.spec(&inner.body);
        check.unguarded_loop(inner);
    }
    for session in &file.sessions {
        check.unguarded_session(session);
    }
    check.found
}

/// The sessions that a specification calls, with the number of values.
pub(crate) fn calls(spec: &Spec, file: &File) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    each(spec, file, &mut |spec| {
        if let SpecKind::Call(name, values) = &spec.kind {
            found.push((name.text.to_string(), values.len()));
        }
    });
    found
}

/// Calls `visit` with a specification and all its parts, those of loops included.
fn each(spec: &Spec, file: &File, visit: &mut impl FnMut(&Spec)) {
    visit(spec);
    match &spec.kind {
        SpecKind::Join(_, parts) => parts.iter().for_each(|part| each(part, file, visit)),
        SpecKind::Every(_, _, body) | SpecKind::Let(_, body) => each(body, file, visit),
        SpecKind::If(_, then, otherwise) => {
            each(then, file, visit);
            each(otherwise, file, visit);
        }
        SpecKind::Loop(number) => each(&file.loops[*number].body, file, visit),
        _ => {}
    }
}

struct Check<'f> {
    file: &'f File,
    source: &'f Source,
    found: Vec<Diagnostic>,
}

impl Check<'_> {
    /// Looks at a specification and its parts, but not at loops, which are in a list of their own.
    fn spec(&mut self, spec: &Spec) {
        match &spec.kind {
            SpecKind::Action(communication) => self.communication(communication, spec),
            SpecKind::Any(roles) => roles.iter().for_each(|role| self.role(role)),
            SpecKind::Join(operator, parts) => {
                if *operator == Operator::Alt && parts.is_empty() {
                    let error = Diagnostic::error("dead-choice", spec.span, "this choice has no branch");
                    self.found.push(
                        error.help("nothing can happen after it; write `(end)` if the protocol may stop"),
                    );
                }
                parts.iter().for_each(|part| self.spec(part));
            }
            SpecKind::Every(_, _, body) | SpecKind::Let(_, body) => self.spec(body),
            SpecKind::If(_, then, otherwise) => {
                self.spec(then);
                self.spec(otherwise);
            }
            SpecKind::Call(name, values) => self.call(name, values.len()),
            SpecKind::End | SpecKind::Loop(_) | SpecKind::Recur(..) | SpecKind::Graph(_) => {}
        }
    }

    fn communication(&mut self, communication: &Communication, spec: &Spec) {
        self.role(&communication.from);
        for to in &communication.to {
            self.role(to);
            if self.is_same(&communication.from, to) {
                let message = format!("`{}` communicates with itself", self.source.slice(to.span));
                let error = Diagnostic::error("self-send", spec.span, message);
                self.found.push(error.help("sender and receiver must be different roles"));
            }
        }
    }

    /// Whether two roles are the same whatever variables hold.
    fn is_same(&self, one: &RoleExpr, other: &RoleExpr) -> bool {
        let text = |role: &RoleExpr| -> Vec<String> {
            let words = self.source.slice(role.span).trim_start_matches('(').trim_end_matches(')');
            words.split_whitespace().map(|word| word.trim_start_matches(':').to_owned()).collect()
        };
        one.name.text == other.name.text && one.variable == other.variable && text(one) == text(other)
    }

    fn role(&mut self, role: &RoleExpr) {
        let declared = |key: &str| self.file.roles.iter().any(|known| &*known.key.text == key);
        if role.variable || declared(&role.name.text) {
            return;
        }
        let name = &role.name;
        let warning = Diagnostic::warning(
            "undeclared-role",
            name.span,
            format!("role `{}` is not declared", name.text),
        );
        let near = nearest(&name.text, self.file.roles.iter().map(|known| &*known.key.text));
        let near = near.map(|near| format!(":{near}"));
        self.found.push(match near {
            Some(near) => warning.did_you_mean(Some(&near)),
            None => warning.help(format!("declare it: `(defrole :{})`", name.text)),
        });
    }

    fn call(&mut self, name: &Name, values: usize) {
        let named: Vec<&Session> =
            self.file.sessions.iter().filter(|session| session.key.text == name.text).collect();
        if named.iter().any(|session| session.params.len() == values) {
            return;
        }
        let error = if let Some(session) = named.first() {
            let message =
                format!("session `{}` takes {} values, not {values}", name.text, session.params.len());
            Diagnostic::error("wrong-arity", name.span, message).also(session.key.span, "defined here")
        } else {
            let near = nearest(&name.text, self.file.sessions.iter().map(|session| &*session.key.text));
            let near = near.map(|near| format!(":{near}"));
            let message = format!("there is no session `{}`", name.text);
            Diagnostic::error("unknown-session", name.span, message).did_you_mean(near.as_deref())
        };
        self.found.push(error);
    }

    fn unguarded_loop(&mut self, inner: &crate::syntax::tree::Loop) {
        // What sugar stands for may go around in vain, and means what it says.
        if inner.name.text.starts_with('@') {
            return;
        }
        let mut heads = Heads { file: self.file, loops: vec![], calls: FxHashSet::default() };
        heads.of(&inner.body);
        if heads.loops.contains(&inner.name.text.to_string()) {
            let message = format!("loop `{}` may go around without an action", inner.name.text);
            let error = Diagnostic::error("unguarded-recursion", inner.name.span, message);
            self.found.push(error.help("put an action before `recur`"));
        }
    }

    fn unguarded_session(&mut self, session: &Session) {
        let mut heads = Heads { file: self.file, loops: vec![], calls: FxHashSet::default() };
        heads.of(&session.body);
        if heads.calls.contains(&(session.key.text.to_string(), session.params.len())) {
            let message = format!("session `{}` may call itself without an action", session.key.text);
            let error = Diagnostic::error("unguarded-recursion", session.key.span, message);
            self.found.push(error.help("put an action before the call"));
        }
    }
}

/// What a specification may begin with, whatever its data are: branches that data decide about are left out.
struct Heads<'f> {
    file: &'f File,
    /// Names of loops that it may recur to.
    loops: Vec<String>,
    /// Sessions that it may call, directly or through others.
    calls: FxHashSet<(String, usize)>,
}

impl Heads<'_> {
    /// Collects what a specification may begin with; whether it is certainly done without an action.
    fn of(&mut self, spec: &Spec) -> bool {
        match &spec.kind {
            SpecKind::End => true,
            SpecKind::Action(_)
            | SpecKind::Any(_)
            | SpecKind::Graph(_)
            | SpecKind::Every(..)
            | SpecKind::If(..) => false,
            SpecKind::Join(Operator::Cat | Operator::Async, parts) => parts.iter().all(|part| self.of(part)),
            SpecKind::Join(Operator::Alt, parts) => {
                let mut done = false;
                parts.iter().for_each(|part| done |= self.of(part));
                done
            }
            SpecKind::Join(Operator::Par, parts) => {
                let mut done = true;
                parts.iter().for_each(|part| done &= self.of(part));
                done
            }
            SpecKind::Let(_, body) => self.of(body),
            SpecKind::Loop(number) => self.of(&self.file.loops[*number].body.clone()),
            SpecKind::Recur(name, _) => {
                self.loops.push(name.text.to_string());
                false
            }
            SpecKind::Call(name, values) => self.call(&name.text, values.len()),
        }
    }

    fn call(&mut self, name: &str, values: usize) -> bool {
        if !self.calls.insert((name.to_owned(), values)) {
            return false;
        }
        let is_it = |session: &&Session| &*session.key.text == name && session.params.len() == values;
        let Some(session) = self.file.sessions.iter().find(is_it) else { return false };
        // Loops of another session are none of ours.
        let outer = std::mem::take(&mut self.loops);
        let done = self.of(&session.body);
        self.loops = outer;
        done
    }
}
