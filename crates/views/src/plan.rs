//! What is done for every view: which structures are built for an item, and which views of them change.

use crate::forget::Forget;
use crate::formula::{Formula, Number, Term};
use crate::item::{Item, Target, Update, Value, What};
use crate::layout::{Kind, Layout, Place};
use crate::roles::RoleBits;

/// The items of a search, and how structures for them are made.
pub(crate) struct Task<'m> {
    pub(crate) forget: &'m Forget,
    pub(crate) items: &'m [Item],
    pub(crate) plans: Vec<Vec<Plan>>,
    pub(crate) role_bits: RoleBits,
    /// Cells of parameters that are not seen and not read, each set once.
    pub(crate) masks: Vec<Vec<usize>>,
    /// Whether two members can be related by more than their own cells.
    pub(crate) has_relations: bool,
}

/// A kind of structure for an item: the number of other members beside the parameters, and the views of it that change.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) others: usize,
    pub(crate) sights: Vec<Sight>,
}

/// A view of the structure after a step: it has the others and some of the parameters.
#[derive(Debug)]
pub(crate) struct Sight {
    /// Its number among those of all items.
    pub(crate) number: u32,
    pub(crate) visible: Vec<u8>,
    pub(crate) unseen: Vec<Unseen>,
}

/// A parameter that is not in the view, with the cells of it that the step does not read. One structure is enough for all that
/// only differ in these. Mistakes here cost precision only: in the structure in which the step is taken, they are unknown.
#[derive(Debug)]
pub(crate) struct Unseen {
    pub(crate) param: u8,
    /// These cells, by number in the task.
    pub(crate) mask: usize,
}

impl<'m> Task<'m> {
    pub(crate) fn new(layout: &Layout, forget: &'m Forget, items: &'m [Item], size: usize) -> Task<'m> {
        let mut planner = Planner { layout, size, sights: 0, masks: vec![] };
        Task {
            forget,
            items,
            plans: items.iter().map(|item| planner.plans(item)).collect(),
            role_bits: RoleBits::new(items, size),
            masks: planner.masks,
            has_relations: layout.has_relations(),
        }
    }
}

/// Makes plans, and numbers what is in them.
struct Planner<'l> {
    layout: &'l Layout,
    size: usize,
    sights: u32,
    masks: Vec<Vec<usize>>,
}

impl Planner<'_> {
    /// The structures that an item needs: with as many others as a view may have, unless nothing that it sees changes.
    fn plans(&mut self, item: &Item) -> Vec<Plan> {
        let (params, size) = (item.params.len(), self.size);
        let least = size.saturating_sub(params);
        let most = if matches!(item.what, What::Bad(_)) { least } else { size };
        // A process that is not seen may begin or cease to violate the guard that the context is about.
        let in_context = self.layout.context.as_ref().is_some_and(|context| item.assigns(&context.cells));
        let plan = |others: usize| {
            let visible = 0..1_u32 << params;
            let visible = visible.filter(|set| set.count_ones() as usize == size - others);
            let visible = visible.filter(|set| in_context || item.changes(*set, others > 0));
            Plan { others, sights: visible.map(|set| self.sight(item, set)).collect() }
        };
        let plans = (least..=most).map(plan);
        plans.filter(|plan| matches!(item.what, What::Bad(_)) || !plan.sights.is_empty()).collect()
    }

    fn sight(&mut self, item: &Item, visible: u32) -> Sight {
        let is_visible = |at: &usize| visible >> at & 1 == 1;
        let params = 0..item.params.len();
        self.sights += 1;
        Sight {
            number: self.sights - 1,
            visible: params.clone().filter(is_visible).map(|at| item.params[at]).collect(),
            unseen: params
                .filter(|at| !is_visible(at))
                .map(|at| self.unseen(item, item.params[at]))
                .collect(),
        }
    }

    fn unseen(&mut self, item: &Item, param: u8) -> Unseen {
        let layout = self.layout;
        let is_difference = |cell: usize| matches!(layout.cells[cell].kind, Kind::Difference(_));
        let is_unread = |cell: &usize| {
            layout.kind_cell != Some(*cell) && !is_difference(*cell) && !reads(item, param, *cell)
        };
        let cells: Vec<usize> = (0..layout.cells.len()).filter(is_unread).collect();
        let mask = self.masks.iter().position(|mask| *mask == cells).unwrap_or(self.masks.len());
        if mask == self.masks.len() {
            self.masks.push(cells);
        }
        Unseen { param, mask }
    }
}

/// Whether the updates of an item may read a cell of a parameter to which they assign nothing that is seen.
fn reads(item: &Item, param: u8, cell: usize) -> bool {
    let What::Step { updates, .. } = &item.what else { return true };
    updates.iter().any(|update| Reader { item, param, cell, update }.is_read())
}

struct Reader<'i> {
    item: &'i Item,
    param: u8,
    cell: usize,
    update: &'i Update,
}

impl Reader<'_> {
    fn is_read(&self) -> bool {
        match &self.update.target {
            Target::Single { indices, .. } if indices.contains(&self.param) => false,
            Target::Single { value, .. } => self.in_value(value),
            Target::Each { arms, .. } => {
                arms.iter().any(|(condition, value)| self.in_formula(condition) || self.in_value(value))
            }
        }
    }

    fn in_value(&self, value: &Value) -> bool {
        match value {
            Value::Term(term) => self.in_term(term),
            Value::Sum(number, _) => self.in_number(number),
            Value::Any | Value::Keep => false,
        }
    }

    fn in_term(&self, term: &Term) -> bool {
        match term {
            Term::Constant(_) | Term::Var(_) | Term::Global(_) => false,
            Term::Cell(cell, index) => *cell == self.cell && self.may_be_it(index) || self.in_term(index),
            Term::Block(_, first, second) => self.in_term(first) || self.in_term(second),
        }
    }

    /// Differences of numbers are never masked, but what leads to a number may be.
    fn in_number(&self, number: &Number) -> bool {
        matches!(number, Number::Cell(_, index) if self.in_term(index))
    }

    /// Whether an index may be the parameter. The cells of which every one is assigned are those of members that are seen;
    /// variables of quantifiers stand for all members.
    fn may_be_it(&self, index: &Term) -> bool {
        match index {
            Term::Var(var) if self.item.params.contains(var) => *var == self.param,
            Term::Var(var) => !self.assigned().contains(var),
            _ => true,
        }
    }

    fn assigned(&self) -> &[u8] {
        match &self.update.target {
            Target::Each { cell, .. }
                if !matches!(self.update.place, Place::Global(_) | Place::Number(_)) =>
            {
                cell
            }
            _ => &[],
        }
    }

    fn in_formula(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Known(_) | Formula::Perhaps => false,
            Formula::AtMost(a, b, _) => self.in_number(a) || self.in_number(b),
            Formula::Equal(a, b) | Formula::Before(a, b) => self.in_term(a) || self.in_term(b),
            Formula::IsOutsider(term) => self.in_term(term),
            Formula::OnceBound(_, inner) | Formula::Not(inner) | Formula::Quantified { body: inner, .. } => {
                self.in_formula(inner)
            }
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| self.in_formula(part)),
            Formula::Iff(a, b) => self.in_formula(a) || self.in_formula(b),
            Formula::If(a, b, c) => [a, b, c].into_iter().any(|part| self.in_formula(part)),
        }
    }
}
