//! Binary decision diagrams: Boolean functions in a canonical form (Bryant: Graph-based algorithms for Boolean function
//! manipulation, 1986), as far as the translation of formulas needs them.

use std::collections::HashMap;

/// A function, by its node. Equal functions have equal nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub(crate) const FALSE: Bdd = Bdd(0);
    pub(crate) const TRUE: Bdd = Bdd(1);
}

/// More nodes than any formula needs that a person wrote.
const MOST_NODES: usize = 1 << 21;
/// More implicants than any automaton of such a formula needs.
const MOST_IMPLICANTS: usize = 100_000;

/// A decision on a variable. Variables on the way down only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// A conjunction of literals: for each variable that occurs, whether it is positive.
pub(crate) type Implicant = Vec<(u32, bool)>;

/// All functions made so far.
#[derive(Debug)]
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    unique: HashMap<Node, Bdd>,
    choices: HashMap<(Bdd, Bdd, Bdd), Bdd>,
    full: bool,
}

impl Diagrams {
    pub(crate) fn new() -> Diagrams {
        let leaf = |at| Node { variable: u32::MAX, low: Bdd(at), high: Bdd(at) };
        Diagrams {
            nodes: vec![leaf(0), leaf(1)],
            unique: HashMap::new(),
            choices: HashMap::new(),
            full: false,
        }
    }

    /// Whether there were too many nodes. Then all functions made since are wrong.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    pub(crate) fn literal(&mut self, variable: u32, positive: bool) -> Bdd {
        let (low, high) = if positive { (Bdd::FALSE, Bdd::TRUE) } else { (Bdd::TRUE, Bdd::FALSE) };
        self.node(variable, low, high)
    }

    fn node(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(known) = self.unique.get(&node) {
            return *known;
        }
        if self.nodes.len() >= MOST_NODES {
            self.full = true;
            return Bdd::FALSE;
        }
        let new = Bdd(u32::try_from(self.nodes.len()).expect("there is a limit on nodes"));
        self.nodes.push(node);
        self.unique.insert(node, new);
        new
    }

    fn top(&self, bdd: Bdd) -> u32 {
        self.nodes[bdd.0 as usize].variable
    }

    /// The cofactors with regard to a variable that is not below the top of the function.
    fn cofactors(&self, bdd: Bdd, variable: u32) -> (Bdd, Bdd) {
        let node = self.nodes[bdd.0 as usize];
        if node.variable == variable { (node.low, node.high) } else { (bdd, bdd) }
    }

    /// `if condition then yes else no`
    fn choose(&mut self, condition: Bdd, yes: Bdd, no: Bdd) -> Bdd {
        match (condition, yes, no) {
            (Bdd::TRUE, ..) => return yes,
            (Bdd::FALSE, ..) => return no,
            (_, Bdd::TRUE, Bdd::FALSE) => return condition,
            _ if yes == no || self.full => return yes,
            _ => {}
        }
        if let Some(known) = self.choices.get(&(condition, yes, no)) {
            return *known;
        }
        let variable = self.top(condition).min(self.top(yes)).min(self.top(no));
        let (c0, c1) = self.cofactors(condition, variable);
        let (y0, y1) = self.cofactors(yes, variable);
        let (n0, n1) = self.cofactors(no, variable);
        let low = self.choose(c0, y0, n0);
        let high = self.choose(c1, y1, n1);
        let chosen = self.node(variable, low, high);
        self.choices.insert((condition, yes, no), chosen);
        chosen
    }

    pub(crate) fn and(&mut self, left: Bdd, right: Bdd) -> Bdd {
        self.choose(left, right, Bdd::FALSE)
    }

    pub(crate) fn or(&mut self, left: Bdd, right: Bdd) -> Bdd {
        self.choose(left, Bdd::TRUE, right)
    }

    pub(crate) fn not(&mut self, bdd: Bdd) -> Bdd {
        self.choose(bdd, Bdd::FALSE, Bdd::TRUE)
    }

    /// Whether every assignment that satisfies the first function satisfies the second.
    pub(crate) fn implies(&mut self, left: Bdd, right: Bdd) -> bool {
        self.choose(left, right, Bdd::TRUE) == Bdd::TRUE
    }

    /// An irredundant sum of products (Minato: Fast generation of prime-irredundant covers from binary decision
    /// diagrams, 1993). A function that grows with a variable has no implicant in which that variable is negative.
    pub(crate) fn implicants(&mut self, bdd: Bdd) -> Vec<Implicant> {
        let (_, mut found) = self.cover(bdd, bdd);
        found.iter_mut().for_each(|implicant| implicant.reverse());
        found
    }

    /// A cover of everything in `least`, and of nothing outside of `most`.
    fn cover(&mut self, least: Bdd, most: Bdd) -> (Bdd, Vec<Implicant>) {
        if least == Bdd::FALSE || self.full {
            return (Bdd::FALSE, vec![]);
        }
        if most == Bdd::TRUE {
            return (Bdd::TRUE, vec![vec![]]);
        }
        let variable = self.top(least).min(self.top(most));
        let (l0, l1) = self.cofactors(least, variable);
        let (m0, m1) = self.cofactors(most, variable);
        let only = |diagrams: &mut Diagrams, inside: Bdd, outside: Bdd| {
            let rest = diagrams.not(outside);
            diagrams.and(inside, rest)
        };
        let needs_low = only(self, l0, m1);
        let (low, mut found) = self.cover(needs_low, m0);
        found.iter_mut().for_each(|implicant| implicant.push((variable, false)));
        let needs_high = only(self, l1, m0);
        let (high, mut highs) = self.cover(needs_high, m1);
        highs.iter_mut().for_each(|implicant| implicant.push((variable, true)));
        found.append(&mut highs);
        let (rest0, rest1) = (only(self, l0, low), only(self, l1, high));
        let rest = self.or(rest0, rest1);
        let either = self.and(m0, m1);
        let (both, mut anyway) = self.cover(rest, either);
        found.append(&mut anyway);
        self.full |= found.len() > MOST_IMPLICANTS;
        let (low, high) = (self.or(low, both), self.or(high, both));
        (self.node(variable, low, high), found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_equal_nodes() {
        let mut diagrams = Diagrams::new();
        let (a, b) = (diagrams.literal(0, true), diagrams.literal(1, true));
        let both = diagrams.and(a, b);
        let (not_a, not_b) = (diagrams.literal(0, false), diagrams.not(b));
        let one_fails = diagrams.or(not_a, not_b);
        assert_eq!(diagrams.not(both), one_fails);
        assert!(diagrams.implies(both, a) && !diagrams.implies(a, both));
    }

    #[test]
    fn implicants_cover_the_function_and_nothing_else() {
        let mut diagrams = Diagrams::new();
        let literals: Vec<Bdd> = (0..4).map(|variable| diagrams.literal(variable, true)).collect();
        let left = diagrams.and(literals[0], literals[1]);
        let right = diagrams.and(literals[2], literals[3]);
        let function = diagrams.or(left, right);
        let found = diagrams.implicants(function);
        assert_eq!(found, [vec![(0, true), (1, true)], vec![(2, true), (3, true)]]);
        let mut sum = Bdd::FALSE;
        for implicant in found {
            let mut product = Bdd::TRUE;
            for (variable, positive) in implicant {
                let literal = diagrams.literal(variable, positive);
                product = diagrams.and(product, literal);
            }
            sum = diagrams.or(sum, product);
        }
        assert_eq!(sum, function);
    }
}
