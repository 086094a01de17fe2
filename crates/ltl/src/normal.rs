//! Formulas in negation normal form, each stored once and simplified as it is made.
//!
//! The rules are equivalences from the literature (Somenzi, Bloem: Efficient Büchi automata from LTL formulae, 2000;
//! Etessami, Holzmann: Optimizing Büchi automata, 2000), applied where they make the formula smaller or move temporal operators
//! out of each other's way.

mod implication;
mod rewriting;

use crate::{Binary, Formula, Unary};
use std::collections::HashMap;

/// A formula of a [`Pool`]. Formulas with the same normal form are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(u32);

impl Id {
    pub(crate) const TRUE: Id = Id(0);
    pub(crate) const FALSE: Id = Id(1);
}

/// The outermost operator. `F g` is `true U g`, and `G g` is `false R g`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    True,
    False,
    /// An atom, or its negation.
    Literal(u32, bool),
    /// Sorted, without duplicates, at least two, none of them a conjunction.
    And(Box<[Id]>),
    /// Sorted, without duplicates, at least two, none of them a disjunction.
    Or(Box<[Id]>),
    Next(Id),
    Until(Id, Id),
    WeakUntil(Id, Id),
    Release(Id, Id),
    StrongRelease(Id, Id),
}

/// What is known about a formula from its parts.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// Whether a run satisfies it as soon as a suffix of the run does.
    eventual: bool,
    /// Whether all suffixes of a run satisfy it as soon as the run does.
    universal: bool,
}

/// All formulas made so far.
#[derive(Debug)]
pub(crate) struct Pool {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    known: HashMap<Node, Id>,
    negations: HashMap<Id, Id>,
    implications: HashMap<(Id, Id), bool>,
}

impl Pool {
    pub(crate) fn new() -> Pool {
        let mut pool = Pool {
            nodes: vec![],
            facts: vec![],
            known: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
        };
        pool.store(Node::True);
        pool.store(Node::False);
        pool
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Adds a formula whose atoms are numbers, or its negation.
    pub(crate) fn add(&mut self, formula: &Formula<u32>, positive: bool) -> Id {
        match formula {
            Formula::True | Formula::False => {
                if matches!(formula, Formula::True) == positive {
                    Id::TRUE
                } else {
                    Id::FALSE
                }
            }
            Formula::Atom(atom) => self.store(Node::Literal(*atom, positive)),
            Formula::Unary(operator, inner) => self.add_unary(*operator, inner, positive),
            Formula::Binary(operator, left, right) => self.add_binary(*operator, left, right, positive),
        }
    }

    fn add_unary(&mut self, operator: Unary, inner: &Formula<u32>, positive: bool) -> Id {
        let part = self.add(inner, positive != (operator == Unary::Not));
        match (operator, positive) {
            (Unary::Not, _) => part,
            (Unary::Next, _) => self.next(part),
            (Unary::Finally, true) | (Unary::Globally, false) => self.until(Id::TRUE, part),
            (Unary::Globally, true) | (Unary::Finally, false) => self.release(Id::FALSE, part),
        }
    }

    fn add_binary(
        &mut self,
        operator: Binary,
        left: &Formula<u32>,
        right: &Formula<u32>,
        positive: bool,
    ) -> Id {
        let (left, right) =
            (|pool: &mut Pool, as_is| pool.add(left, as_is), |pool: &mut Pool, as_is| pool.add(right, as_is));
        match operator {
            Binary::Xor | Binary::Iff => {
                // Exactly one of them, or both or none.
                let differ = (operator == Binary::Xor) == positive;
                let (l, r) = (left(self, true), right(self, !differ));
                let one = self.and([l, r]);
                let (l, r) = (left(self, false), right(self, differ));
                let other = self.and([l, r]);
                self.or([one, other])
            }
            Binary::And | Binary::Or | Binary::Implies => {
                let parts = [left(self, positive != (operator == Binary::Implies)), right(self, positive)];
                if (operator == Binary::And) == positive { self.and(parts) } else { self.or(parts) }
            }
            _ => {
                let (l, r) = (left(self, positive), right(self, positive));
                match (operator, positive) {
                    (Binary::Until, true) | (Binary::Release, false) => self.until(l, r),
                    (Binary::Release, true) | (Binary::Until, false) => self.release(l, r),
                    (Binary::WeakUntil, true) | (Binary::StrongRelease, false) => self.weak_until(l, r),
                    _ => self.strong_release(l, r),
                }
            }
        }
    }

    /// The negation.
    pub(crate) fn negate(&mut self, id: Id) -> Id {
        if let Some(known) = self.negations.get(&id) {
            return *known;
        }
        let all = |pool: &mut Pool, parts: &[Id]| -> Vec<Id> {
            parts.iter().map(|part| pool.negate(*part)).collect()
        };
        let negation = match self.node(id).clone() {
            Node::True => Id::FALSE,
            Node::False => Id::TRUE,
            Node::Literal(atom, positive) => self.store(Node::Literal(atom, !positive)),
            Node::And(parts) => {
                let parts = all(self, &parts);
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = all(self, &parts);
                self.and(parts)
            }
            Node::Next(inner) => {
                let inner = self.negate(inner);
                self.next(inner)
            }
            Node::Until(left, right) => {
                let (left, right) = (self.negate(left), self.negate(right));
                self.release(left, right)
            }
            Node::WeakUntil(left, right) => {
                let (left, right) = (self.negate(left), self.negate(right));
                self.strong_release(left, right)
            }
            Node::Release(left, right) => {
                let (left, right) = (self.negate(left), self.negate(right));
                self.until(left, right)
            }
            Node::StrongRelease(left, right) => {
                let (left, right) = (self.negate(left), self.negate(right));
                self.weak_until(left, right)
            }
        };
        self.negations.insert(id, negation);
        self.negations.entry(negation).or_insert(id);
        negation
    }

    /// Whether the formula holds for a run as soon as it holds for one of its suffixes.
    pub(crate) fn is_eventual(&self, id: Id) -> bool {
        self.facts[id.0 as usize].eventual
    }

    /// Whether the formula holds for all suffixes of a run as soon as it holds for the run.
    pub(crate) fn is_universal(&self, id: Id) -> bool {
        self.facts[id.0 as usize].universal
    }

    fn store(&mut self, node: Node) -> Id {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("formulas are short"));
        self.facts.push(self.facts_of(&node));
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let both = |ids: &[Id]| Facts {
            eventual: ids.iter().all(|id| self.is_eventual(*id)),
            universal: ids.iter().all(|id| self.is_universal(*id)),
        };
        match node {
            Node::True | Node::False => Facts { eventual: true, universal: true },
            Node::Literal(..) => Facts { eventual: false, universal: false },
            Node::And(parts) | Node::Or(parts) => both(parts),
            Node::Next(inner) => both(&[*inner]),
            Node::Until(left, right) => Facts {
                eventual: *left == Id::TRUE || self.is_eventual(*right),
                universal: both(&[*left, *right]).universal,
            },
            Node::Release(left, right) => Facts {
                eventual: both(&[*left, *right]).eventual,
                universal: *left == Id::FALSE || self.is_universal(*right),
            },
            Node::WeakUntil(left, right) | Node::StrongRelease(left, right) => both(&[*left, *right]),
        }
    }
}
