//! Formulas of the model, compiled so that they can be assumed for given processes: without negations, their sorts resolved.

use crate::linear::Comparison;
use crate::vocabulary::{Kind, Values, Vocabulary, outsider};
use ir::{Formula, Linear, Model, Number, Quantifier, Relation, Sort, Term, Value, Var, negate};
use smallvec::SmallVec;

/// A process by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessName {
    /// The value of a variable.
    Var(u16),
    /// `#1` is number 0.
    Named(u8),
}

/// A process by name or as the value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProcessTerm {
    Name(ProcessName),
    Read(Box<CellTerm>),
}

/// A global or a cell, its indices still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellTerm {
    pub(crate) symbol: u16,
    pub(crate) indices: SmallVec<[ProcessTerm; 1]>,
}

/// Multiples of cells.
pub(crate) type Terms = Vec<(i64, CellTerm)>;

/// A sum of multiples of cells, compared with 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SumTerm {
    pub(crate) terms: Terms,
    pub(crate) constant: i64,
    /// The whole sum is divided by this positive number.
    pub(crate) denominator: i64,
    pub(crate) whole: bool,
}

/// A formula without negations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    True,
    False,
    /// A cell has one of these values, none of which is a process of the run.
    In(CellTerm, Values),
    /// A cell is, or is not, a process.
    Is(CellTerm, ProcessName, bool),
    /// Two cells are equal, or differ.
    Equal(CellTerm, CellTerm, bool),
    /// Two names stand for the same process, or not.
    Same(ProcessName, ProcessName, bool),
    /// The first process comes before the second.
    Before(ProcessTerm, ProcessTerm),
    Compare(SumTerm, Comparison),
    And(Vec<Node>),
    Or(Vec<Node>),
    All {
        variables: Vec<u16>,
        apart_from: Vec<u16>,
        body: Box<Node>,
    },
    Some {
        variables: Vec<u16>,
        apart_from: Vec<u16>,
        body: Box<Node>,
    },
    /// A formula that is not compiled: it may hold or not.
    Perhaps,
}

impl Node {
    /// Whether its cubes match exactly the states that satisfy the formula: a universal part is required of the processes of a
    /// cube only.
    pub(crate) fn is_exact(&self) -> bool {
        match self {
            Node::All { .. } | Node::Perhaps => false,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(Node::is_exact),
            Node::Some { body, .. } => body.is_exact(),
            _ => true,
        }
    }
}

/// What an arm assigns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueTerm {
    Keep,
    Any,
    /// A constructor or an outsider.
    Constant(Values),
    Process(ProcessName),
    Read(CellTerm),
    Sum(SumTerm),
    /// A number that is not tracked: it may be any.
    Perhaps,
}

/// Compiles the formulas of one model.
pub(crate) struct Compiler<'m> {
    pub(crate) model: &'m Model,
    pub(crate) vocabulary: &'m mut Vocabulary,
    /// Constructs that are over-approximated, in words.
    pub(crate) approximated: Vec<&'static str>,
}

impl Compiler<'_> {
    pub(crate) fn formula(&mut self, formula: &Formula) -> Node {
        match formula {
            Formula::True | Formula::Fence => Node::True,
            Formula::False => Node::False,
            Formula::Compare(relation, left, right) => self.comparison(*relation, left, right),
            Formula::Not(inner) => match &**inner {
                Formula::Fence => Node::False,
                inner => self.formula(&negate(inner)),
            },
            Formula::And(parts) => conjunction(self.all(parts)),
            Formula::Or(parts) => disjunction(self.all(parts)),
            Formula::Iff(left, right) => {
                let (both, neither) =
                    ([self.formula(left), self.formula(right)], [self.opposite(left), self.opposite(right)]);
                disjunction(vec![conjunction(both.into()), conjunction(neither.into())])
            }
            Formula::If(condition, then, otherwise) => {
                let yes = conjunction(vec![self.formula(condition), self.formula(then)]);
                let no = conjunction(vec![self.opposite(condition), self.formula(otherwise)]);
                disjunction(vec![yes, no])
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let (variables, apart_from) = (numbers(variables), numbers(apart_from));
                let body = Box::new(self.formula(body));
                match quantifier {
                    Quantifier::Forall => Node::All { variables, apart_from, body },
                    Quantifier::Exists => Node::Some { variables, apart_from, body },
                }
            }
        }
    }

    /// The negation of a formula.
    pub(crate) fn opposite(&mut self, formula: &Formula) -> Node {
        self.formula(&negate(formula))
    }

    fn all(&mut self, parts: &[Formula]) -> Vec<Node> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn comparison(&mut self, relation: Relation, left: &Term, right: &Term) -> Node {
        match self.kind(left) {
            Kind::Whole | Kind::Real => self.number_comparison(relation, left, right),
            Kind::Process if matches!(relation, Relation::Lt | Relation::Le) => {
                self.process_order(relation, left, right)
            }
            _ => self.equation(relation == Relation::Eq, left, right),
        }
    }

    fn kind(&self, term: &Term) -> Kind {
        match term {
            Term::Var(_) | Term::Process(_) | Term::Outsider(_) => Kind::Process,
            Term::Constructor(..) => Kind::Finite,
            Term::Read { symbol, .. } => self.vocabulary.symbols[symbol.index()].kind,
            Term::Linear(linear) if linear.sort == Sort::Real => Kind::Real,
            Term::Linear(_) | Term::ProcessCount | Term::Count { .. } => Kind::Whole,
        }
    }

    fn equation(&mut self, equal: bool, left: &Term, right: &Term) -> Node {
        let constant = |term: &Term| match term {
            Term::Constructor(_, at) => Some(1 << at),
            Term::Outsider(id) => Some(outsider(*id)),
            _ => None,
        };
        match (left, right) {
            (Term::Read { .. }, Term::Read { .. }) => match (self.cell(left), self.cell(right)) {
                (Some(left), Some(right)) => Node::Equal(left, right, equal),
                _ => Node::False,
            },
            (Term::Read { .. }, other) | (other, Term::Read { .. }) => {
                let read = if matches!(left, Term::Read { .. }) { left } else { right };
                let Some(cell) = self.cell(read) else { return Node::False };
                match (constant(other), name(other)) {
                    (Some(value), _) => Node::In(cell, if equal { value } else { !value }),
                    (None, Some(process)) => Node::Is(cell, process, equal),
                    (None, None) => Node::Perhaps,
                }
            }
            (left, right) => match (constant(left), constant(right), name(left), name(right)) {
                (Some(a), Some(b), ..) => truth((a == b) == equal),
                (_, _, Some(a), Some(b)) => Node::Same(a, b, equal),
                // A constant and a name: an outsider is not a process of the run.
                _ => truth(!equal),
            },
        }
    }

    /// An outsider is never compared by `<`: such a state is a violation of its own.
    fn process_order(&mut self, relation: Relation, left: &Term, right: &Term) -> Node {
        let (Some(first), Some(second)) = (self.process(left), self.process(right)) else {
            return Node::False;
        };
        let before = Node::Before(first, second);
        match relation {
            Relation::Le => disjunction(vec![before, self.equation(true, left, right)]),
            _ => before,
        }
    }

    fn process(&mut self, term: &Term) -> Option<ProcessTerm> {
        match (name(term), term) {
            (Some(name), _) => Some(ProcessTerm::Name(name)),
            (None, Term::Read { .. }) => self.cell(term).map(|cell| ProcessTerm::Read(Box::new(cell))),
            _ => None,
        }
    }

    /// `None` if an index is an outsider: such a read has no meaning.
    pub(crate) fn cell(&mut self, term: &Term) -> Option<CellTerm> {
        let Term::Read { symbol, indices, .. } = term else { unreachable!("only called for reads") };
        let indices: Option<SmallVec<_>> = indices.iter().map(|index| self.process(index)).collect();
        let symbol = u16::try_from(symbol.index()).expect("checked when the vocabulary was made");
        indices.map(|indices| CellTerm { symbol, indices })
    }

    fn number_comparison(&mut self, relation: Relation, left: &Term, right: &Term) -> Node {
        let whole = self.kind(left) == Kind::Whole;
        let Some(sum) = self.difference(left, right, whole) else { return Node::Perhaps };
        let opposite = SumTerm {
            terms: sum.terms.iter().map(|(factor, cell)| (-factor, cell.clone())).collect(),
            constant: -sum.constant,
            denominator: 1,
            whole,
        };
        match relation {
            Relation::Eq => Node::Compare(sum, Comparison::Zero),
            Relation::Lt => Node::Compare(sum, Comparison::Below),
            Relation::Le => Node::Compare(sum, Comparison::AtMost),
            Relation::Neq => disjunction(vec![
                Node::Compare(sum, Comparison::Below),
                Node::Compare(opposite, Comparison::Below),
            ]),
        }
    }

    /// The left minus the right, multiplied by a positive number so that all factors are whole.
    fn difference(&mut self, left: &Term, right: &Term, whole: bool) -> Option<SumTerm> {
        let (left, right) = (self.sum(left)?, self.sum(right)?);
        let (a, b) = (left.1.denominator(), right.1.denominator());
        let scaled =
            |factor: i64, times: i64| factor.checked_mul(times).filter(|product| product.abs() < 1 << 60);
        let mut terms = Vec::new();
        for (parts, sign) in [(left.0, 1), (right.0, -1)] {
            for (factor, cell) in parts {
                terms.push((scaled(factor * sign, scaled(a, b)?)?, cell));
            }
        }
        let constant = scaled(left.1.numerator(), b)
            .zip(scaled(right.1.numerator(), a))
            .and_then(|(left, right)| left.checked_sub(right));
        constant.map(|constant| SumTerm { terms, constant, denominator: 1, whole })
    }

    /// A number as multiples of cells and a constant; `None` if it is not tracked.
    fn sum(&mut self, term: &Term) -> Option<(Terms, Number)> {
        match term {
            Term::Linear(Linear { parts, constant, .. }) => {
                let mut all = Vec::new();
                for (factor, part) in parts {
                    let (inner, _) = self.sum(part)?;
                    all.extend(inner.into_iter().map(|(one, cell)| (one * factor, cell)));
                }
                Some((all, *constant))
            }
            Term::ProcessCount => {
                self.vocabulary.counts_processes = true;
                let cell = CellTerm { symbol: self.vocabulary.process_count, indices: SmallVec::new() };
                Some((vec![(1, cell)], Number::ZERO))
            }
            Term::Read { .. } => self.cell(term).map(|cell| (vec![(1, cell)], Number::ZERO)),
            _ => {
                if !self.approximated.contains(&"count") {
                    self.approximated.push("count");
                }
                None
            }
        }
    }

    /// What an arm assigns to a symbol; `None` if it has no meaning.
    pub(crate) fn value(&mut self, value: &Value) -> Option<ValueTerm> {
        let term = match value {
            Value::Keep => return Some(ValueTerm::Keep),
            Value::Any => return Some(ValueTerm::Any),
            Value::Term(term) => term,
        };
        Some(match term {
            Term::Var(_) | Term::Process(_) => ValueTerm::Process(name(term).expect("it is a name")),
            Term::Outsider(id) => ValueTerm::Constant(outsider(*id)),
            Term::Constructor(_, at) => ValueTerm::Constant(1 << at),
            Term::Read { .. } => ValueTerm::Read(self.cell(term)?),
            Term::Linear(_) | Term::ProcessCount | Term::Count { .. } => {
                let whole = self.kind(term) == Kind::Whole;
                self.sum(term)
                    .map_or(ValueTerm::Perhaps, |(terms, constant)| scaled_sum(terms, constant, whole))
            }
        })
    }
}

/// A sum with a common denominator.
fn scaled_sum(terms: Terms, constant: Number, whole: bool) -> ValueTerm {
    let denominator = constant.denominator();
    let scaled: Option<Vec<_>> =
        terms.into_iter().map(|(factor, cell)| Some((factor.checked_mul(denominator)?, cell))).collect();
    match scaled {
        Some(terms) => ValueTerm::Sum(SumTerm { terms, constant: constant.numerator(), denominator, whole }),
        None => ValueTerm::Perhaps,
    }
}

fn name(term: &Term) -> Option<ProcessName> {
    match term {
        Term::Var(var) => {
            Some(ProcessName::Var(u16::try_from(var.index()).expect("items have few variables")))
        }
        Term::Process(k) => Some(ProcessName::Named(u8::try_from(k - 1).expect("few processes are named"))),
        _ => None,
    }
}

pub(crate) fn numbers(variables: &[Var]) -> Vec<u16> {
    variables.iter().map(|var| u16::try_from(var.index()).expect("items have few variables")).collect()
}

fn truth(value: bool) -> Node {
    if value { Node::True } else { Node::False }
}

/// A conjunction in which what causes branching comes last.
pub(crate) fn conjunction(parts: Vec<Node>) -> Node {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Node::True => {}
            Node::False => return Node::False,
            Node::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    flat.sort_by_key(|node| match node {
        Node::All { .. } => 1,
        Node::Or(_) => 2,
        Node::Some { .. } => 3,
        _ => 0,
    });
    match flat.len() {
        0 => Node::True,
        1 => flat.remove(0),
        _ => Node::And(flat),
    }
}

pub(crate) fn disjunction(parts: Vec<Node>) -> Node {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Node::False => {}
            Node::True => return Node::True,
            Node::Perhaps => return Node::Perhaps,
            Node::Or(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Node::False,
        1 => flat.remove(0),
        _ => Node::Or(flat),
    }
}
