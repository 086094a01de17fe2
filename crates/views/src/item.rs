//! Transitions and properties in the form that is applied to structures.
//!
//! A guard may need processes that are not parameters: a witness of `exists`, or the process in a pointer that is used as an
//! index. They become parameters here, with a variant of the item for each way in which they may coincide with others.

use crate::Unsupported;
use crate::context;
use crate::formula::{Compiler, Formula, Number, Term, slots_of};
use crate::layout::{MOST_MEMBERS, Place};
use crate::numbers::{self, is_number};
use ir::{self, Quantifier, RuleId, Sort, Var};

/// The value that an arm assigns.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Term(Term),
    /// A number plus a constant.
    Sum(Number, i32),
    Any,
    Keep,
}

/// New values of a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) place: Place,
    pub(crate) target: Target,
}

/// The cells that an update assigns.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// The cell with these variables as indices.
    Single { indices: Vec<u8>, value: Value },
    /// Every cell for which an arm applies, with these variables for its indices.
    Each { cell: Vec<u8>, arms: Vec<(Formula, Value)> },
}

/// The two kinds of items.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Step {
        rule: RuleId,
        updates: Vec<Update>,
    },
    /// A property of the model, by position.
    Bad(usize),
}

/// A step that can be taken, or a state that is bad, where some distinct members as parameters satisfy the whole guard.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) params: Vec<u8>,
    pub(crate) guard: Vec<Formula>,
    pub(crate) what: What,
}

impl Item {
    /// The number of roles: the parameters, and one for all other members.
    pub(crate) fn roles(&self) -> usize {
        self.params.len() + 1
    }

    /// Whether a step assigns any of some arrays.
    pub(crate) fn assigns(&self, cells: &[usize]) -> bool {
        let What::Step { updates, .. } = &self.what else { return false };
        updates.iter().any(|update| matches!(update.place, Place::Cell(cell) if cells.contains(&cell)))
    }

    /// Whether a step changes anything of a view whose members are some of the parameters (a bit for each), and others.
    pub(crate) fn changes(&self, visible: u32, others: bool) -> bool {
        let What::Step { updates, .. } = &self.what else { return true };
        updates.iter().any(|update| match &update.target {
            _ if matches!(update.place, Place::Global(_) | Place::Number(_)) => true,
            Target::Single { indices, .. } => indices.iter().all(|index| {
                self.params.iter().position(|param| param == index).is_none_or(|at| visible >> at & 1 == 1)
            }),
            Target::Each { .. } => visible != 0 || others,
        })
    }
}

/// An item in terms of the model, before it is split into variants.
#[derive(Clone)]
struct Draft {
    params: Vec<Var>,
    next: usize,
    guard: Vec<ir::Formula>,
    updates: Vec<ir::Update>,
    /// Pointers that hold outsiders.
    outsiders: Vec<ir::Term>,
}

/// Items with more parameters are not split, which is less precise.
const MOST_PARAMS: usize = 4;
/// Items that have more variants are not split any further.
const MOST_VARIANTS: usize = 64;

impl Compiler<'_> {
    /// The variants of a transition.
    pub(crate) fn transition(self, transition: &ir::Transition) -> Result<Vec<Item>, Unsupported> {
        let draft = Draft {
            params: transition.params.clone(),
            next: transition.variables.len(),
            guard: conjuncts(&transition.guard),
            updates: transition.updates.clone(),
            outsiders: vec![],
        };
        let rule = transition.rule;
        self.variants(draft, &|updates| What::Step { rule, updates })
    }

    /// The variants of a property.
    pub(crate) fn property(self, at: usize, property: &ir::Property) -> Result<Vec<Item>, Unsupported> {
        let draft = Draft {
            params: property.params.clone(),
            next: property.variables.len(),
            guard: conjuncts(&property.formula),
            updates: vec![],
            outsiders: vec![],
        };
        self.variants(draft, &|_| What::Bad(at))
    }

    fn variants(self, draft: Draft, what: &dyn Fn(Vec<Update>) -> What) -> Result<Vec<Item>, Unsupported> {
        let (mut open, mut items) = (vec![draft], Vec::new());
        while let Some(draft) = open.pop() {
            let many = open.len() + items.len() >= MOST_VARIANTS || draft.params.len() >= MOST_PARAMS;
            let split = if many { None } else { self.split(&draft) };
            match split {
                Some(variants) => open.extend(variants),
                None => items.push(self.item(&draft, what)?),
            }
        }
        Ok(items)
    }

    /// The variants by one process that the guard needs, if it needs one.
    fn split(self, draft: &Draft) -> Option<Vec<Draft>> {
        if let Some(at) = draft.guard.iter().position(is_existential) {
            return Some(draft.choose_witness(at));
        }
        if let Some(at) = draft.guard.iter().position(hides_witness)
            && let ir::Formula::Or(parts) = &draft.guard[at]
        {
            return Some(parts.iter().map(|part| draft.with_conjunct(at, part)).collect());
        }
        let pointer = draft.pointer_index()?;
        Some(self.choose_pointer(draft, &pointer))
    }

    fn choose_pointer(self, draft: &Draft, pointer: &ir::Term) -> Vec<Draft> {
        let mut variants: Vec<Draft> =
            draft.params.iter().map(|param| draft.with_pointer(pointer, *param)).collect();
        let mut fresh = draft.clone();
        let new = Var::from_index(fresh.next);
        fresh.next += 1;
        fresh.params.push(new);
        variants.push(fresh.with_pointer(pointer, new));
        let holds_outsiders = pointer.symbol().is_some_and(|symbol| {
            debug_assert_eq!(self.model.symbol(symbol).sort, Sort::Proc);
            self.model.symbol(symbol).holds_outsiders
        });
        if holds_outsiders {
            let mut outside = draft.clone();
            outside.outsiders.push(pointer.clone());
            variants.push(outside);
        }
        variants
    }

    fn item(self, draft: &Draft, what: &dyn Fn(Vec<Update>) -> What) -> Result<Item, Unsupported> {
        let mut guard: Vec<Formula> =
            draft.guard.iter().map(|part| self.formula(part)).collect::<Result<_, _>>()?;
        for pointer in &draft.outsiders {
            guard.push(Formula::IsOutsider(self.term(pointer)?));
        }
        let updates = draft.updates.iter().map(|update| self.update(update)).collect::<Result<_, _>>()?;
        let params = slots_of(&draft.params)?;
        if let (Some(context), Some(of)) = (&self.layout.context, self.context)
            && draft.guard.iter().any(|part| context::body(self.model, part).as_ref() == Some(of))
        {
            guard.push(context.nobody(&params));
        }
        if params.len() >= MOST_MEMBERS - 2 {
            return Err(Unsupported::new("an item with that many parameters", None));
        }
        Ok(Item { params, guard, what: what(updates) })
    }

    fn update(self, update: &ir::Update) -> Result<Update, Unsupported> {
        let place = self.layout.places[update.symbol.index()];
        if let Some((indices, value)) = update.single_cell()
            && !indices.is_empty()
        {
            let variables: Option<Vec<Var>> = indices
                .iter()
                .map(|index| match index {
                    ir::Term::Var(var) => Some(*var),
                    _ => None,
                })
                .collect();
            if let Some(variables) = variables {
                let target = Target::Single { indices: slots_of(&variables)?, value: self.value(value)? };
                return Ok(Update { place, target });
            }
        }
        let mut arms = Vec::new();
        for arm in &update.arms {
            arms.push((self.formula(&arm.condition)?, self.value(&arm.value)?));
        }
        Ok(Update { place, target: Target::Each { cell: slots_of(&update.cell)?, arms } })
    }

    fn value(self, value: &ir::Value) -> Result<Value, Unsupported> {
        Ok(match value {
            ir::Value::Keep => Value::Keep,
            ir::Value::Any => Value::Any,
            ir::Value::Term(term) if is_number(self.model, term) => match numbers::sum_of(term) {
                Some((number, constant)) => Value::Sum(self.number(number.as_ref())?, constant),
                None => Value::Any,
            },
            ir::Value::Term(term) => Value::Term(self.term(term)?),
        })
    }
}

impl Draft {
    /// The variants by the witness of an existential conjunct of the guard: a parameter, or one more process.
    fn choose_witness(&self, at: usize) -> Vec<Draft> {
        let ir::Formula::Quantified { variables, apart_from, body, .. } = &self.guard[at] else {
            unreachable!("only called for existential conjuncts")
        };
        let (first, others) = variables.split_first().expect("a quantifier has variables");
        let rest = |witness: Var, body: ir::Formula| {
            if others.is_empty() {
                return body;
            }
            let mut apart = apart_from.clone();
            apart.push(witness);
            ir::Formula::quantified(Quantifier::Exists, others.to_vec(), apart, body)
        };
        let mut variants = Vec::new();
        for param in self.params.iter().filter(|param| !apart_from.contains(param)) {
            let instance = body.substitute(&|var| (var == *first).then_some(ir::Term::Var(*param)));
            variants.push(self.with_conjunct(at, &rest(*param, instance)));
        }
        let mut fresh = self.with_conjunct(at, &rest(*first, (**body).clone()));
        fresh.params.push(*first);
        variants.push(fresh);
        variants
    }

    fn with_conjunct(&self, at: usize, conjunct: &ir::Formula) -> Draft {
        let mut draft = self.clone();
        draft.guard.remove(at);
        draft.guard.extend(conjuncts(conjunct));
        draft
    }

    /// A pointer that is used as an index, and depends on parameters only.
    fn pointer_index(&self) -> Option<ir::Term> {
        let mut found = None;
        let mut look = |term: &ir::Term| {
            let ir::Term::Read { indices, .. } = term else { return };
            for index in indices {
                if found.is_none() && self.is_pointer_of_params(index) && !self.outsiders.contains(index) {
                    found = Some(index.clone());
                }
            }
        };
        self.guard.iter().for_each(|part| part.each_term(&mut look));
        for arm in self.updates.iter().flat_map(|update| &update.arms) {
            arm.condition.each_term(&mut look);
            if let ir::Value::Term(term) = &arm.value {
                term.each_term(&mut look);
            }
        }
        found
    }

    fn is_pointer_of_params(&self, term: &ir::Term) -> bool {
        let ir::Term::Read { indices, .. } = term else { return false };
        indices.iter().all(|index| matches!(index, ir::Term::Var(var) if self.params.contains(var)))
    }

    /// The variant in which a pointer holds a parameter, which replaces it wherever it is an index.
    fn with_pointer(&self, pointer: &ir::Term, param: Var) -> Draft {
        let mut draft = self.clone();
        for part in &mut draft.guard {
            *part = in_formula(part, pointer, param);
        }
        for arm in draft.updates.iter_mut().flat_map(|update| &mut update.arms) {
            arm.condition = in_formula(&arm.condition, pointer, param);
            if let ir::Value::Term(term) = &mut arm.value {
                *term = in_term(term, pointer, param);
            }
        }
        draft.guard.push(ir::Formula::eq(pointer.clone(), ir::Term::Var(param)));
        draft
    }
}

fn conjuncts(formula: &ir::Formula) -> Vec<ir::Formula> {
    let pushed = ir::negate(&ir::negate(formula));
    pushed.conjuncts().iter().filter(|part| **part != ir::Formula::True).cloned().collect()
}

fn is_existential(formula: &ir::Formula) -> bool {
    matches!(formula, ir::Formula::Quantified { quantifier: Quantifier::Exists, .. })
}

/// Whether some case of a formula needs a witness.
fn hides_witness(formula: &ir::Formula) -> bool {
    let needs_one =
        |case: &ir::Formula| case.conjuncts().iter().any(|part| is_existential(part) || hides_witness(part));
    matches!(formula, ir::Formula::Or(cases) if cases.iter().any(needs_one))
}

/// A term with a pointer replaced by a variable wherever it is an index.
fn in_term(term: &ir::Term, pointer: &ir::Term, param: Var) -> ir::Term {
    match term {
        ir::Term::Read { symbol, indices, reader } => {
            let index = |index: &ir::Term| {
                if index == pointer { ir::Term::Var(param) } else { in_term(index, pointer, param) }
            };
            ir::Term::Read {
                symbol: *symbol,
                indices: indices.iter().map(index).collect(),
                reader: reader.clone(),
            }
        }
        other => other.clone(),
    }
}

fn in_formula(formula: &ir::Formula, pointer: &ir::Term, param: Var) -> ir::Formula {
    use ir::Formula;
    let inner = |part: &Formula| in_formula(part, pointer, param);
    match formula {
        Formula::True | Formula::False | Formula::Fence => formula.clone(),
        Formula::Compare(relation, left, right) => {
            Formula::Compare(*relation, in_term(left, pointer, param), in_term(right, pointer, param))
        }
        Formula::Not(part) => Formula::Not(Box::new(inner(part))),
        Formula::And(parts) => Formula::And(parts.iter().map(inner).collect()),
        Formula::Or(parts) => Formula::Or(parts.iter().map(inner).collect()),
        Formula::Iff(left, right) => Formula::Iff(Box::new(inner(left)), Box::new(inner(right))),
        Formula::If(condition, then, otherwise) => {
            Formula::If(Box::new(inner(condition)), Box::new(inner(then)), Box::new(inner(otherwise)))
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => Formula::Quantified {
            quantifier: *quantifier,
            variables: variables.clone(),
            apart_from: apart_from.clone(),
            body: Box::new(inner(body)),
        },
    }
}
