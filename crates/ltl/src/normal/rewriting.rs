//! Making formulas: each constructor simplifies what it is given.

use super::{Id, Node, Pool};

/// Beyond this many operands only what is cheap is simplified.
const MANY: usize = 40;

impl Pool {
    pub(crate) fn and(&mut self, parts: impl IntoIterator<Item = Id>) -> Id {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        self.merge_universal(&mut flat);
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|part| *part != Id::TRUE);
        let clash = |pool: &mut Pool| {
            flat.iter().any(|part| match *pool.node(*part) {
                Node::Literal(atom, positive) => {
                    let other = pool.known.get(&Node::Literal(atom, !positive));
                    other.is_some_and(|other| flat.binary_search(other).is_ok())
                }
                _ => false,
            })
        };
        if flat.contains(&Id::FALSE) || clash(self) {
            return Id::FALSE;
        }
        if flat.len() <= MANY {
            self.drop_where(&mut flat, |pool, part, other| pool.implies(other, part));
            if self.any_pair(&flat, Pool::excludes) {
                return Id::FALSE;
            }
        }
        match flat.as_slice() {
            [] => Id::TRUE,
            [one] => *one,
            _ => self.store(Node::And(flat.into())),
        }
    }

    pub(crate) fn or(&mut self, parts: impl IntoIterator<Item = Id>) -> Id {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Or(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        self.merge_eventual(&mut flat);
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|part| *part != Id::FALSE);
        let covers = |pool: &mut Pool| {
            flat.iter().any(|part| match *pool.node(*part) {
                Node::Literal(atom, positive) => {
                    let other = pool.known.get(&Node::Literal(atom, !positive));
                    other.is_some_and(|other| flat.binary_search(other).is_ok())
                }
                _ => false,
            })
        };
        if flat.contains(&Id::TRUE) || covers(self) {
            return Id::TRUE;
        }
        if flat.len() <= MANY {
            self.drop_where(&mut flat, Pool::implies);
        }
        match flat.as_slice() {
            [] => Id::FALSE,
            [one] => *one,
            _ => self.store(Node::Or(flat.into())),
        }
    }

    /// Drops operands for which another one, which stays, makes them superfluous.
    fn drop_where(&mut self, parts: &mut Vec<Id>, superfluous: impl Fn(&mut Pool, Id, Id) -> bool) {
        let mut at = 0;
        while at < parts.len() {
            let part = parts[at];
            if parts.iter().any(|other| *other != part && superfluous(self, part, *other)) {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn any_pair(&mut self, parts: &[Id], mut test: impl FnMut(&mut Pool, Id, Id) -> bool) -> bool {
        (1..parts.len()).any(|at| parts[..at].iter().any(|other| test(self, parts[at], *other)))
    }

    /// Whether no run satisfies both, as far as negations that are already known show it.
    fn excludes(&mut self, left: Id, right: Id) -> bool {
        let negation = self.negations.get(&right).copied();
        negation.is_some_and(|negation| self.implies(left, negation))
    }

    /// `G f & G g` is `G (f & g)`, and `X f & X g` is `X (f & g)`.
    fn merge_universal(&mut self, parts: &mut Vec<Id>) {
        let always = self.take_out(parts, |node| match node {
            Node::Release(Id::FALSE, inner) => Some(*inner),
            _ => None,
        });
        let next =
            self.take_out(parts, |node| if let Node::Next(inner) = node { Some(*inner) } else { None });
        if !always.is_empty() {
            let inner = self.and(always);
            parts.push(self.always(inner));
        }
        if !next.is_empty() {
            let inner = self.and(next);
            parts.push(self.next(inner));
        }
    }

    /// `F f | F g` is `F (f | g)`, and `X f | X g` is `X (f | g)`.
    fn merge_eventual(&mut self, parts: &mut Vec<Id>) {
        let finally = self.take_out(parts, |node| match node {
            Node::Until(Id::TRUE, inner) => Some(*inner),
            _ => None,
        });
        let next =
            self.take_out(parts, |node| if let Node::Next(inner) = node { Some(*inner) } else { None });
        // Also `GF f | GF g`, which is `GF (f | g)`.
        let mut recurring = Vec::new();
        parts.retain(|part| match self.recurrence(*part) {
            Some(inner) => {
                recurring.push(inner);
                false
            }
            None => true,
        });
        if !finally.is_empty() {
            let inner = self.or(finally);
            parts.push(self.finally(inner));
        }
        if !next.is_empty() {
            let inner = self.or(next);
            parts.push(self.next(inner));
        }
        if !recurring.is_empty() {
            let inner = self.or(recurring);
            let inner = self.finally(inner);
            parts.push(self.always(inner));
        }
    }

    /// The `f` of a formula `GF f`.
    fn recurrence(&self, id: Id) -> Option<Id> {
        let Node::Release(Id::FALSE, inner) = *self.node(id) else { return None };
        let Node::Until(Id::TRUE, inner) = *self.node(inner) else { return None };
        Some(inner)
    }

    /// Removes the operands of a form, and returns their inner parts.
    fn take_out(&self, parts: &mut Vec<Id>, form: impl Fn(&Node) -> Option<Id>) -> Vec<Id> {
        let mut found = Vec::new();
        parts.retain(|part| match form(self.node(*part)) {
            Some(inner) => {
                found.push(inner);
                false
            }
            None => true,
        });
        found
    }

    pub(crate) fn next(&mut self, inner: Id) -> Id {
        // What is eventual and universal holds for all suffixes or for none.
        if self.is_eventual(inner) && self.is_universal(inner) {
            return inner;
        }
        self.store(Node::Next(inner))
    }

    pub(crate) fn finally(&mut self, inner: Id) -> Id {
        self.until(Id::TRUE, inner)
    }

    pub(crate) fn always(&mut self, inner: Id) -> Id {
        self.release(Id::FALSE, inner)
    }

    pub(crate) fn until(&mut self, left: Id, right: Id) -> Id {
        if left == Id::FALSE || self.is_eventual(right) || self.implies(left, right) {
            return right;
        }
        match (self.node(left).clone(), self.node(right).clone()) {
            // `f U (f U g)`; with `true` on the left also `F (f U g)`.
            (_, Node::Until(first, second)) if left == first || left == Id::TRUE => self.until(left, second),
            (_, Node::StrongRelease(first, second)) if left == Id::TRUE => {
                let both = self.and([first, second]);
                self.finally(both)
            }
            (Node::Next(first), Node::Next(second)) => {
                let inner = self.until(first, second);
                self.next(inner)
            }
            (Node::True, Node::Next(second)) => {
                let inner = self.finally(second);
                self.next(inner)
            }
            (Node::True, Node::Or(parts)) => {
                // Parts that are eventual need no `F`.
                let (free, rest): (Vec<Id>, Vec<Id>) =
                    parts.iter().copied().partition(|part| self.is_eventual(*part));
                if free.is_empty() {
                    return self.store(Node::Until(left, right));
                }
                let rest = self.or(rest);
                let rest = self.finally(rest);
                self.or(free.into_iter().chain([rest]))
            }
            (Node::True, Node::And(parts)) => {
                // What holds for all suffixes or for none can be asked at once.
                let (free, rest): (Vec<Id>, Vec<Id>) = parts
                    .iter()
                    .copied()
                    .partition(|part| self.is_eventual(*part) && self.is_universal(*part));
                if free.is_empty() {
                    return self.store(Node::Until(left, right));
                }
                let rest = self.and(rest);
                let rest = self.finally(rest);
                self.and(free.into_iter().chain([rest]))
            }
            _ => {
                // `f U g` is `F g` if `f` holds wherever `g` does not.
                let not_left = self.negations.get(&left).copied();
                if left != Id::TRUE && not_left.is_some_and(|not_left| self.implies(not_left, right)) {
                    return self.finally(right);
                }
                self.store(Node::Until(left, right))
            }
        }
    }

    pub(crate) fn release(&mut self, left: Id, right: Id) -> Id {
        if left == Id::TRUE || self.is_universal(right) || self.implies(right, left) {
            return right;
        }
        match (self.node(left).clone(), self.node(right).clone()) {
            (_, Node::Release(first, second)) if left == first || left == Id::FALSE => {
                self.release(left, second)
            }
            (_, Node::WeakUntil(first, second)) if left == Id::FALSE => {
                let either = self.or([first, second]);
                self.always(either)
            }
            (Node::Next(first), Node::Next(second)) => {
                let inner = self.release(first, second);
                self.next(inner)
            }
            (Node::False, Node::Next(second)) => {
                let inner = self.always(second);
                self.next(inner)
            }
            (Node::False, Node::And(parts)) => {
                let (free, rest): (Vec<Id>, Vec<Id>) =
                    parts.iter().copied().partition(|part| self.is_universal(*part));
                if free.is_empty() {
                    return self.store(Node::Release(left, right));
                }
                let rest = self.and(rest);
                let rest = self.always(rest);
                self.and(free.into_iter().chain([rest]))
            }
            (Node::False, Node::Or(parts)) => {
                let (free, rest): (Vec<Id>, Vec<Id>) = parts
                    .iter()
                    .copied()
                    .partition(|part| self.is_eventual(*part) && self.is_universal(*part));
                if free.is_empty() {
                    return self.store(Node::Release(left, right));
                }
                let rest = self.or(rest);
                let rest = self.always(rest);
                self.or(free.into_iter().chain([rest]))
            }
            _ => {
                let not_left = self.negations.get(&left).copied();
                if left != Id::FALSE && not_left.is_some_and(|not_left| self.implies(right, not_left)) {
                    return self.always(right);
                }
                self.store(Node::Release(left, right))
            }
        }
    }

    pub(crate) fn weak_until(&mut self, left: Id, right: Id) -> Id {
        if left == Id::TRUE || right == Id::TRUE {
            return Id::TRUE;
        }
        if left == Id::FALSE || self.implies(left, right) {
            return right;
        }
        if right == Id::FALSE {
            return self.always(left);
        }
        if self.is_universal(left) {
            return self.or([left, right]);
        }
        if let Node::WeakUntil(first, _) = *self.node(right)
            && first == left
        {
            return right;
        }
        self.store(Node::WeakUntil(left, right))
    }

    pub(crate) fn strong_release(&mut self, left: Id, right: Id) -> Id {
        if left == Id::FALSE || right == Id::FALSE {
            return Id::FALSE;
        }
        if left == Id::TRUE || self.implies(right, left) {
            return right;
        }
        if right == Id::TRUE {
            return self.finally(left);
        }
        if self.is_eventual(left) {
            return self.and([left, right]);
        }
        if let Node::StrongRelease(first, _) = *self.node(right)
            && first == left
        {
            return right;
        }
        self.store(Node::StrongRelease(left, right))
    }
}
