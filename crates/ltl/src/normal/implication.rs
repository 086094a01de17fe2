//! Whether one formula implies another, as far as their syntax shows it.

use super::{Id, Node, Pool};

impl Pool {
    /// Whether every run that satisfies the first formula satisfies the second. `false` may mean that the syntax does not
    /// show it.
    pub(crate) fn implies(&mut self, left: Id, right: Id) -> bool {
        if left == right || left == Id::FALSE || right == Id::TRUE {
            return true;
        }
        if left == Id::TRUE || right == Id::FALSE {
            return false;
        }
        if let Some(known) = self.implications.get(&(left, right)) {
            return *known;
        }
        // The parts that are compared are smaller on one side at least, so this ends.
        let found = self.left_is_strong(left, right) || self.right_is_weak(left, right);
        self.implications.insert((left, right), found);
        found
    }

    /// Whether something that the left formula implies, implies the right one.
    fn left_is_strong(&mut self, left: Id, right: Id) -> bool {
        match self.node(left).clone() {
            Node::And(parts) => parts.iter().any(|part| self.implies(*part, right)),
            Node::Or(parts) => parts.iter().all(|part| self.implies(*part, right)),
            // `f U g` also implies `F g`.
            Node::Until(first, second) => {
                self.implies(second, right) && (self.is_eventual(right) || self.implies(first, right))
            }
            Node::WeakUntil(first, second) => self.implies(first, right) && self.implies(second, right),
            Node::Release(_, second) => self.implies(second, right),
            Node::StrongRelease(first, second) => {
                self.implies(second, right) || self.is_eventual(right) && self.implies(first, right)
            }
            Node::Next(inner) => match *self.node(right) {
                Node::Next(other) => self.implies(inner, other),
                // Whatever holds later also holds at some time.
                _ => self.is_eventual(right) && self.implies(inner, right),
            },
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }

    /// Whether the left formula implies something that implies the right one.
    fn right_is_weak(&mut self, left: Id, right: Id) -> bool {
        match self.node(right).clone() {
            Node::And(parts) => parts.iter().all(|part| self.implies(left, *part)),
            Node::Or(parts) => parts.iter().any(|part| self.implies(left, *part)),
            Node::Until(first, second) => {
                self.implies(left, second)
                    || matches!(self.node(left).clone(), Node::Until(f, s)
                        if self.implies(f, first) && self.implies(s, second))
            }
            Node::WeakUntil(first, second) => {
                self.implies(left, second)
                    || self.is_universal(left) && self.implies(left, first)
                    || matches!(self.node(left).clone(), Node::Until(f, s) | Node::WeakUntil(f, s)
                        if self.implies(f, first) && self.implies(s, second))
            }
            Node::Release(first, second) => {
                self.implies(left, first) && self.implies(left, second)
                    || self.is_universal(left) && self.implies(left, second)
                    || matches!(self.node(left).clone(), Node::Release(f, s) | Node::StrongRelease(f, s)
                        if self.implies(f, first) && self.implies(s, second))
            }
            Node::StrongRelease(first, second) => {
                self.implies(left, first) && self.implies(left, second)
                    || matches!(self.node(left).clone(), Node::StrongRelease(f, s)
                        if self.implies(f, first) && self.implies(s, second))
            }
            Node::Next(inner) => self.is_universal(left) && self.implies(left, inner),
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }
}
