//! The statements of a transition (sections 5 and 7).

use crate::{
    scope::Scope,
    tree::{Assigned, Operation, Phrase, Primitive, Target, Update},
};
use model::syntax::ast::{self, Expr};

impl Scope<'_> {
    /// The updates and the primitive of a body. `let` substitutes.
    pub fn body(mut self, body: &ast::Body) -> (Vec<Update>, Option<Primitive>) {
        for item in body.lets() {
            let value = self.phrase(&item.value().expect("a value"));
            self.names.insert(item.name().expect("a name").text(), value);
        }
        let (mut updates, mut primitive) = (Vec::new(), None);
        for statement in body.statements() {
            match statement {
                ast::Statement::Assignment(item) => updates.push(self.update(&item)),
                ast::Statement::Primitive(item) => primitive = Some(self.primitive(&item)),
            }
        }
        (updates, primitive)
    }

    fn update(&self, item: &ast::Assignment) -> Update {
        let target = item.target().expect("a target");
        let mut inner = self.clone();
        let mut every = None;
        if let (Expr::IndexExpr(cell), Some(_)) = (&target, item.case()) {
            let indices = cell.list().into_iter().flat_map(|list| list.indices());
            every = Some(indices.map(|index| inner.bind(&new_name(&index))).collect());
        }
        let (symbol, indices) = inner.target(&target);
        let arms = inner.arms(item, &Phrase::Read(symbol, indices.clone()));
        let target = every.map_or(Target::Cell(indices), Target::Every);
        Update { symbol, target, arms }
    }

    /// What is assigned is not read, but its indices are.
    fn target(&self, target: &Expr) -> (usize, Vec<Phrase>) {
        let before = self.mentioned.borrow().clone();
        let Phrase::Read(symbol, indices) = self.phrase(target) else { panic!("no variable is assigned") };
        self.mentioned.replace(before);
        if let Expr::IndexExpr(cell) = target {
            cell.list().into_iter().flat_map(|list| list.indices()).for_each(|index| _ = self.phrase(&index));
        }
        (symbol, indices)
    }

    fn arms(&self, item: &ast::Assignment, itself: &Phrase) -> Vec<(Phrase, Assigned)> {
        let assigned = |value: Option<Expr>| {
            let Some(value) = value else { return Assigned::Any };
            let before = self.mentioned.borrow().clone();
            let term = self.phrase(&value);
            if term != *itself {
                return Assigned::Term(term);
            }
            self.mentioned.replace(before);
            Assigned::Keep
        };
        let Some(case) = item.case() else { return vec![(Phrase::TRUE, assigned(item.value()))] };
        let condition = |arm: &ast::Arm| arm.condition().map_or(Phrase::TRUE, |c| self.phrase(&c));
        case.arms().map(|arm| (condition(&arm), assigned(arm.value()))).collect()
    }

    fn primitive(&self, item: &ast::Primitive) -> Primitive {
        let lock = item.arguments().and_then(|list| list.arguments().next()).expect("a lock");
        let Phrase::Read(symbol, indices) = self.phrase(&lock) else { panic!("no lock") };
        let operation = match item.name().expect("a name").text().as_str() {
            "acquire" => Operation::Acquire,
            "release" => Operation::Release,
            "wait" => Operation::Wait,
            "notify" => Operation::Notify,
            _ => Operation::NotifyAll,
        };
        Primitive { operation, symbol, indices }
    }
}

/// The `k` of `A[k] := case`.
fn new_name(index: &Expr) -> String {
    let Expr::NameExpr(name) = index else { panic!("the index of a `case` is a name") };
    name.token().expect("a name").text().to_owned()
}
