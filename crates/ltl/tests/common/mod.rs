//! Random formulas, words and graphs, and the naive answers that the engine is compared with.
#![allow(dead_code, reason = "each test uses a part of it")]

use ltl::{Binary, Fairness, Formula, Graph, Label, Letter, Step, Stopped, Unary, Word};

/// A small generator of random numbers (Marsaglia: Xorshift RNGs, 2003).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    pub(crate) fn formula(&mut self, atoms: u64, size: u64) -> Formula<u32> {
        if size <= 1 {
            return match self.below(12) {
                0 => Formula::True,
                1 => Formula::False,
                _ => Formula::Atom(u32::try_from(self.below(atoms)).unwrap()),
            };
        }
        if self.below(5) < 2 {
            let operator = [Unary::Not, Unary::Next, Unary::Finally, Unary::Globally]
                [usize::try_from(self.below(4)).unwrap()];
            return Formula::Unary(operator, Box::new(self.formula(atoms, size - 1)));
        }
        let operators = [
            Binary::And,
            Binary::Or,
            Binary::Xor,
            Binary::Implies,
            Binary::Iff,
            Binary::Until,
            Binary::WeakUntil,
            Binary::Release,
            Binary::StrongRelease,
        ];
        let operator = operators[usize::try_from(self.below(9)).unwrap()];
        let left = 1 + self.below(size - 1);
        let (left, right) = (self.formula(atoms, left), self.formula(atoms, size - left));
        Formula::Binary(operator, Box::new(left), Box::new(right))
    }

    pub(crate) fn word(&mut self, atoms: u64) -> Word {
        let (stem, cycle) = (self.below(4), 1 + self.below(4));
        let letters = (0..stem + cycle).map(|_| self.below(1 << atoms)).collect();
        Word { letters, back: usize::try_from(stem).unwrap() }
    }

    /// A graph in which some states may have no step. All steps of a state have the same constraints enabled, and
    /// take only what is enabled.
    pub(crate) fn graph(&mut self, states: u64, atoms: u64, constraints: u64) -> Explicit {
        let steps = (0..states)
            .map(|_| {
                let enabled = self.below(1 << constraints);
                let many = self.below(4);
                (0..many)
                    .map(|_| {
                        let to = u32::try_from(self.below(states)).unwrap();
                        let taken = enabled & self.below(1 << constraints);
                        Step { to, label: Label { letter: self.below(1 << atoms), enabled, taken } }
                    })
                    .collect()
            })
            .collect();
        Explicit { steps }
    }
}

pub(crate) fn names(atoms: u64) -> Vec<String> {
    (0..atoms).map(|atom| format!("p{atom}")).collect()
}

pub(crate) fn negated(formula: &Formula<u32>) -> Formula<u32> {
    Formula::Unary(Unary::Not, Box::new(formula.clone()))
}

/// A graph that is known in full. State 0 is initial.
#[derive(Debug, Clone)]
pub(crate) struct Explicit {
    pub(crate) steps: Vec<Vec<Step>>,
}

impl Graph for Explicit {
    fn initial(&mut self, states: &mut Vec<u32>) -> Result<(), Stopped> {
        states.push(0);
        Ok(())
    }

    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<(), Stopped> {
        steps.extend_from_slice(&self.steps[state as usize]);
        Ok(())
    }
}

impl Explicit {
    /// Whether a run, given by states and labels, is one of this graph.
    pub(crate) fn has(&self, run: &ltl::Run) -> bool {
        let target = |at: usize| match run.states.get(at + 1) {
            Some(next) => *next,
            None => run.states[run.back.unwrap()],
        };
        run.states[0] == 0
            && run.labels.iter().enumerate().all(|(at, label)| {
                let step = Step { to: target(at), label: *label };
                self.steps[run.states[at] as usize].contains(&step)
            })
    }
}

/// Whether the cycle of a run is fair, by the definition.
pub(crate) fn is_fair(run: &ltl::Run, fairness: Fairness) -> bool {
    let cycle = &run.labels[run.back.unwrap()..];
    let taken = cycle.iter().fold(0, |all, label| all | label.taken);
    let always = cycle.iter().fold(u64::MAX, |all, label| all & label.enabled);
    let sometimes = cycle.iter().fold(0, |all, label| all | label.enabled);
    fairness.weak & always & !taken == 0 && fairness.strong & sometimes & !taken == 0
}

/// What a formula must satisfy now and next, by the textbook: the states of a tableau.
///
/// A tableau with one state for each set of subformulas that is consistent (Lichtenstein, Pnueli: Checking that
/// finite state concurrent programs satisfy their linear specification, 1985). It shares nothing with the automata.
pub(crate) struct Tableau {
    subformulas: Vec<Formula<u32>>,
    start: usize,
}

impl Tableau {
    pub(crate) fn new(formula: &Formula<u32>) -> Tableau {
        let mut tableau = Tableau { subformulas: vec![], start: 0 };
        tableau.start = tableau.add(formula);
        tableau
    }

    /// Subformulas before what is made of them.
    fn add(&mut self, formula: &Formula<u32>) -> usize {
        match formula {
            Formula::Unary(_, inner) => {
                self.add(inner);
            }
            Formula::Binary(_, left, right) => {
                self.add(left);
                self.add(right);
            }
            _ => {}
        }
        self.find(formula).unwrap_or_else(|| {
            self.subformulas.push(formula.clone());
            self.subformulas.len() - 1
        })
    }

    fn find(&self, formula: &Formula<u32>) -> Option<usize> {
        self.subformulas.iter().position(|known| known == formula)
    }

    /// Whether the graph has a run that is fair and satisfies the formula: the product with all consistent sets, whose strongly
    /// connected parts are tried by removing what is unfair, until nothing changes.
    pub(crate) fn satisfied_by_a_run_of(&self, graph: &Explicit, fairness: Fairness) -> bool {
        // Nodes are a step of the graph and the values of all subformulas at it.
        let steps: Vec<(usize, Step)> = graph
            .steps
            .iter()
            .enumerate()
            .flat_map(|(from, steps)| steps.iter().map(move |step| (from, *step)))
            .collect();
        let mut nodes: Vec<(usize, Vec<bool>)> = Vec::new();
        for (at, (_, step)) in steps.iter().enumerate() {
            self.each_valuation(step.label.letter, &mut |values| nodes.push((at, values.to_vec())));
        }
        let follows = |from: &(usize, Vec<bool>), to: &(usize, Vec<bool>)| {
            steps[from.0].1.to as usize == steps[to.0].0 && self.follows(&from.1, &to.1)
        };
        let edges: Vec<Vec<usize>> = nodes
            .iter()
            .map(|from| (0..nodes.len()).filter(|to| follows(from, &nodes[*to])).collect())
            .collect();
        let reached = closure(
            &edges,
            (0..nodes.len()).filter(|node| steps[nodes[*node].0].0 == 0 && nodes[*node].1[self.start]),
        );
        let alive: Vec<usize> =
            reached.iter().enumerate().filter(|(_, seen)| **seen).map(|(at, _)| at).collect();
        self.has_fair_cycle(&alive, &edges, &nodes, &steps, fairness)
    }

    fn has_fair_cycle(
        &self,
        alive: &[usize],
        edges: &[Vec<usize>],
        nodes: &[(usize, Vec<bool>)],
        steps: &[(usize, Step)],
        fairness: Fairness,
    ) -> bool {
        let inside: Vec<Vec<usize>> = edges
            .iter()
            .enumerate()
            .map(|(from, to)| {
                if alive.contains(&from) {
                    to.iter().copied().filter(|to| alive.contains(to)).collect()
                } else {
                    vec![]
                }
            })
            .collect();
        let forward: Vec<Vec<bool>> =
            alive.iter().map(|node| closure(&inside, inside[*node].iter().copied())).collect();
        let mut done = vec![false; alive.len()];
        for (at, node) in alive.iter().enumerate() {
            if done[at] || !forward[at][*node] {
                continue;
            }
            let part: Vec<usize> = (0..alive.len())
                .filter(|other| forward[at][alive[*other]] && forward[*other][*node])
                .collect();
            part.iter().for_each(|member| done[*member] = true);
            let part: Vec<usize> = part.into_iter().map(|member| alive[member]).collect();
            if !self.keeps_promises(&part, nodes) {
                continue;
            }
            let labels: Vec<Label> = part.iter().map(|node| steps[nodes[*node].0].1.label).collect();
            let taken = labels.iter().fold(0, |all, label| all | label.taken);
            let always = labels.iter().fold(u64::MAX, |all, label| all & label.enabled);
            let sometimes = labels.iter().fold(0, |all, label| all | label.enabled);
            if fairness.weak & always & !taken != 0 {
                continue;
            }
            let unfair = fairness.strong & sometimes & !taken;
            if unfair == 0 {
                return true;
            }
            let rest: Vec<usize> =
                part.into_iter().filter(|node| steps[nodes[*node].0].1.label.enabled & unfair == 0).collect();
            if self.has_fair_cycle(&rest, edges, nodes, steps, fairness) {
                return true;
            }
        }
        false
    }

    /// Whether a strongly connected part keeps the promise of each `U`, `F` and `M`, and breaks that of each `G`, `W` and `R` that is
    /// false in it.
    fn keeps_promises(&self, part: &[usize], nodes: &[(usize, Vec<bool>)]) -> bool {
        let value = |node: usize, formula: &Formula<u32>| nodes[node].1[self.find(formula).unwrap()];
        self.subformulas.iter().enumerate().all(|(at, formula)| {
            let always = |wanted: bool| part.iter().all(|node| nodes[*node].1[at] == wanted);
            let never = |test: &dyn Fn(usize) -> bool| part.iter().all(|node| !test(*node));
            let stuck = match formula {
                Formula::Unary(Unary::Finally, inner) => always(true) && never(&|node| value(node, inner)),
                Formula::Unary(Unary::Globally, inner) => always(false) && never(&|node| !value(node, inner)),
                Formula::Binary(Binary::Until, _, right) => always(true) && never(&|node| value(node, right)),
                Formula::Binary(Binary::StrongRelease, left, _) => {
                    always(true) && never(&|node| value(node, left))
                }
                Formula::Binary(Binary::WeakUntil, left, _) => {
                    always(false) && never(&|node| !value(node, left))
                }
                Formula::Binary(Binary::Release, _, right) => {
                    always(false) && never(&|node| !value(node, right))
                }
                _ => false,
            };
            !stuck
        })
    }

    /// All values of the subformulas that agree with a letter and with each other.
    fn each_valuation(&self, letter: Letter, visit: &mut impl FnMut(&[bool])) {
        let mut values = Vec::new();
        self.extend(letter, &mut values, visit);
    }

    fn extend(&self, letter: Letter, values: &mut Vec<bool>, visit: &mut impl FnMut(&[bool])) {
        let Some(formula) = self.subformulas.get(values.len()) else { return visit(values) };
        let known = |formula: &Formula<u32>| values[self.find(formula).unwrap()];
        let both = [true, false];
        let possible: Vec<bool> = match formula {
            Formula::True => vec![true],
            Formula::False => vec![false],
            Formula::Atom(atom) => vec![letter >> atom & 1 == 1],
            Formula::Unary(Unary::Not, inner) => vec![!known(inner)],
            Formula::Unary(Unary::Next, _) => both.to_vec(),
            Formula::Unary(Unary::Finally, inner) => {
                both.into_iter().filter(|v| *v || !known(inner)).collect()
            }
            Formula::Unary(Unary::Globally, inner) => {
                both.into_iter().filter(|v| !v || known(inner)).collect()
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (known(left), known(right));
                match operator {
                    Binary::And => vec![left && right],
                    Binary::Or => vec![left || right],
                    Binary::Xor => vec![left != right],
                    Binary::Implies => vec![!left || right],
                    Binary::Iff => vec![left == right],
                    Binary::Until | Binary::WeakUntil if right => vec![true],
                    Binary::Until | Binary::WeakUntil if !left => vec![false],
                    Binary::Release | Binary::StrongRelease if !right => vec![false],
                    Binary::Release | Binary::StrongRelease if left => vec![true],
                    _ => both.to_vec(),
                }
            }
        };
        for value in possible {
            values.push(value);
            self.extend(letter, values, visit);
            values.pop();
        }
    }

    /// Whether values may follow others: what was left open now is decided by what comes next.
    fn follows(&self, now: &[bool], next: &[bool]) -> bool {
        self.subformulas.iter().enumerate().all(|(at, formula)| {
            let value = |formula: &Formula<u32>| self.find(formula).unwrap();
            match formula {
                Formula::Unary(Unary::Next, inner) => now[at] == next[value(inner)],
                Formula::Unary(Unary::Finally, inner) => now[at] == (now[value(inner)] || next[at]),
                Formula::Unary(Unary::Globally, inner) => now[at] == (now[value(inner)] && next[at]),
                Formula::Binary(Binary::Until | Binary::WeakUntil, left, right) => {
                    now[at] == (now[value(right)] || now[value(left)] && next[at])
                }
                Formula::Binary(Binary::Release | Binary::StrongRelease, left, right) => {
                    now[at] == (now[value(right)] && (now[value(left)] || next[at]))
                }
                _ => true,
            }
        })
    }
}

/// All nodes that can be reached from some.
fn closure(edges: &[Vec<usize>], from: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open: Vec<usize> = from.collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&edges[node]);
        }
    }
    seen
}
