//! Threads: programs that acquire and release primitives, and formulas about the state of locks.

use crate::features::Feature;
use crate::generator::Generator;
use crate::piece::Piece;
use crate::scope::Scope;
use crate::symbols::{Primitive, Symbol, Type};
use crate::term::cell;
use crate::transition::Draft;

/// A step of a program: the operation and its primitive, if any.
type Operation = Option<(&'static str, Symbol)>;

impl Generator {
    /// A program for each kind (one if there are no kinds), and sometimes a step outside of all programs.
    pub(crate) fn thread_transitions(&mut self) -> Vec<Draft> {
        let mut drafts = Vec::new();
        if !self.features.has_threads() {
            return drafts;
        }
        let kinds = self.signature.kinds.len();
        for kind in (0..kinds).map(Some).chain((kinds == 0).then_some(None)) {
            drafts.extend(self.program(kind));
        }
        if self.rng.chance(1, 4) {
            drafts.extend(self.rogue());
        }
        drafts
    }

    /// A loop through the values of the program counter. Acquisitions are released in reverse order, so that the
    /// depth of a reentrant lock and the value of a semaphore stay bounded.
    fn program(&mut self, kind: Option<usize>) -> Vec<Draft> {
        let Some((counter, enumeration)) = self.signature.counter.clone() else { return Vec::new() };
        let places = self.signature.enumerations[enumeration].1.clone();
        let operations = self.operations(places.len());
        let mut drafts = Vec::new();
        for (position, operation) in operations.into_iter().enumerate() {
            let mut draft = self.acting_draft(kind);
            let actor = draft.scope.actor.clone().expect("an acting draft has an actor");
            let next = &places[(position + 1) % places.len()];
            draft.guard.push(Piece::atom(format!("{counter}[{actor}] = {}", places[position])));
            draft.statements.push(format!("{counter}[{actor}] := {next}"));
            draft.assigned.push(counter.clone());
            if let Some((word, symbol)) = operation {
                let place = own_cell(&symbol, &actor);
                draft.statements.push(format!("{word}({place}, {actor})"));
            }
            drafts.push(draft);
        }
        drafts
    }

    /// Properly nested operations, one per step: acquire, something in between, release.
    fn operations(&mut self, places: usize) -> Vec<Operation> {
        let outer = self.primitive();
        let mut inside: Vec<Operation> = Vec::new();
        while inside.len() + 2 < places {
            let pair = inside.len() + 4 <= places && self.rng.chance(1, 2);
            let other = self.primitive();
            let again = other.name == outer.name && other.ty != Type::Primitive(Primitive::ReentrantLock);
            if pair && !again {
                inside.push(Some(("acquire", other.clone())));
                inside.push(Some(("release", other)));
            } else if outer.ty == Type::Primitive(Primitive::Condition) && self.rng.chance(2, 3) {
                let word = self.rng.one_of(&["wait", "notify", "notify_all"]);
                inside.push(Some((word, outer.clone())));
            } else {
                inside.push(None);
            }
        }
        let mut operations = vec![Some(("acquire", outer.clone()))];
        operations.extend(inside);
        operations.push(Some(("release", outer)));
        operations
    }

    fn primitives(&self) -> Vec<Symbol> {
        self.signature.symbols.iter().filter(|symbol| symbol.is_primitive()).cloned().collect()
    }

    fn primitive(&mut self) -> Symbol {
        let all = self.primitives();
        self.rng.pick(&all).expect("a model of threads declares a primitive").clone()
    }

    fn acting_draft(&mut self, kind: Option<usize>) -> Draft {
        let parameters = self.rng.one_of(&[1, 1, 1, 2]);
        let mut draft = self.empty_draft(parameters, true);
        for variable in &mut draft.scope.variables {
            if draft.scope.actor.as_ref() == Some(&variable.name) {
                variable.kind = kind;
            }
        }
        draft
    }

    /// A step outside of all programs: it may misuse a lock, or acquire one and never release it.
    fn rogue(&mut self) -> Option<Draft> {
        let symbol = self.primitive();
        let mut draft = self.acting_draft(None);
        let actor = draft.scope.actor.clone()?;
        let word = match symbol.ty {
            // Releases of a semaphore are unbounded, unless a guard may read its value.
            Type::Primitive(Primitive::Semaphore) if !self.has(Feature::SemaphoreValues) => "acquire",
            Type::Primitive(Primitive::Condition) => {
                self.rng.one_of(&["acquire", "release", "wait", "notify", "notify_all"])
            }
            // Repeated acquisitions of a reentrant lock are unbounded.
            Type::Primitive(Primitive::ReentrantLock) => "release",
            _ => self.rng.one_of(&["acquire", "release"]),
        };
        let parameter = self.rng.pick(&draft.scope.variables)?.name.clone();
        let place = own_cell(&symbol, &parameter);
        if symbol.ty == Type::Primitive(Primitive::Semaphore) && word == "release" {
            draft.guard.push(Piece::atom(format!("{place} < 2")));
        }
        draft.statements.push(format!("{word}({place}, {actor})"));
        Some(draft)
    }

    /// `free(L)`, `owner(L, i)`, `waiting(L, i)`, `sleeping(C, i)`, `active(i)`
    pub(crate) fn lock_state(&mut self, scope: &Scope) -> Option<String> {
        let symbol = self.primitive();
        let words: &[&str] = match symbol.ty {
            Type::Primitive(Primitive::Semaphore) => &["waiting", "active"],
            Type::Primitive(Primitive::Condition) => &["free", "owner", "waiting", "sleeping", "active"],
            _ => &["free", "owner", "waiting", "active"],
        };
        let word = self.rng.one_of(words);
        if word == "active" {
            return Some(format!("active({})", self.index(scope)?));
        }
        let place = self.access(&symbol, scope)?;
        Some(if word == "free" {
            format!("free({place})")
        } else {
            format!("{word}({place}, {})", self.index(scope)?)
        })
    }
}

/// The primitive, or the cell of this process if it is an array.
fn own_cell(symbol: &Symbol, process: &str) -> String {
    let indices = vec![process.to_string(); symbol.arity];
    cell(&symbol.name, &indices)
}
