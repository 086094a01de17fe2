//! A step within a structure.

use crate::choice::Choices;
use crate::context::Context;
use crate::forget::{Forget, Keep};
use crate::formula::{Env, Reading};
use crate::item::{Target, Update, Value};
use crate::layout::{
    FIRST_NEW_CLASS, FIRST_OUTSIDER, Kind, Layout, MOST_MEMBERS, OTHER, Place, Slot, UNKNOWN,
};
use crate::numbers::{Move, Point};
use crate::structure::{Members, Structure, is_class};
use smallvec::{SmallVec, smallvec};

/// Codes that a symbol may have.
type Codes = SmallVec<[u8; 16]>;

/// The structure before a step, and the one after it.
pub(crate) struct Step<'s> {
    pub(crate) layout: &'s Layout,
    pub(crate) forget: &'s Forget,
    pub(crate) before: &'s Structure,
    pub(crate) after: &'s mut Structure,
    pub(crate) choices: &'s mut Choices,
    /// The members whose cells matter afterwards.
    pub(crate) visible: &'s [u8],
    /// New classes of this step, each with the cell that pointed there before, if a cell did.
    pub(crate) new_classes: SmallVec<[Option<usize>; 4]>,
    /// Numbers that get new values.
    pub(crate) moves: Vec<Move>,
}

impl Step<'_> {
    /// Takes the step, by the choices made so far and further ones.
    pub(crate) fn take(&mut self, updates: &[Update], env: &Env) {
        self.after.copy_from(self.layout, self.before);
        for update in updates {
            self.update(update, env);
        }
        self.settle_unknown();
        self.settle_numbers();
        self.settle_others(updates);
        self.settle_context(updates, env);
        self.forget.apply(self.layout, self.after, self.visible);
    }

    /// Whether some process outside violates the guard that the context is about.
    fn settle_context(&mut self, updates: &[Update], env: &Env) {
        let Some(context) = &self.layout.context else { return };
        let touches = |update: &Update| match update.place {
            Place::Global(at) => context.globals.contains(&at),
            Place::Cell(cell) => {
                context.cells.contains(&cell) && matches!(update.target, Target::Each { .. })
            }
            Place::Block(_) | Place::Number(_) | Place::NumberCell(_) => false,
        };
        if !updates.iter().any(touches) {
            return;
        }
        if self.outsider_after(context, updates, env) == Some(true) {
            self.after.bytes[context.slot] = 0;
        } else {
            self.after.bytes[context.slot] = u8::from(self.choices.choose(2) == 1);
        }
    }

    /// Whether the body of the context is known to hold for every process outside after the step.
    fn outsider_after(&self, context: &Context, updates: &[Update], env: &Env) -> Option<bool> {
        let (layout, outsider) = (self.layout, self.before.members);
        if outsider >= MOST_MEMBERS {
            return None;
        }
        let (mut before, mut after) = (self.before.clone(), self.after.clone());
        for structure in [&mut before, &mut after] {
            structure.members += 1;
            for cell in 0..layout.cells.len() {
                structure.bytes[layout.cell(outsider, cell)] = UNKNOWN;
            }
        }
        let reading = Reading { layout, structure: &before };
        for update in updates {
            let (Place::Cell(at), Target::Each { cell, arms }) = (update.place, &update.target) else {
                continue;
            };
            let mut env = *env;
            env[usize::from(cell[0])] = u8::try_from(outsider).ok()?;
            for (condition, value) in arms {
                match (reading.holds(condition, &env), value) {
                    (Some(false), _) => continue,
                    (Some(true), Value::Term(term)) => {
                        after.bytes[layout.cell(outsider, at)] = reading.term(term, &env);
                    }
                    _ => {}
                }
                break;
            }
        }
        context.holds(layout, &after, outsider)
    }

    fn reading(&self) -> Reading<'_> {
        Reading { layout: self.layout, structure: self.before }
    }

    fn update(&mut self, update: &Update, env: &Env) {
        match (&update.target, update.place) {
            (Target::Single { indices, value }, _) => {
                let members: Members = indices.iter().map(|index| env[usize::from(*index)]).collect();
                if members.iter().all(|member| self.visible.contains(member)) {
                    self.assign(update.place, &members, value, env);
                }
            }
            (Target::Each { arms, .. }, Place::Global(_) | Place::Number(_)) => {
                if let Some(value) = self.arm(arms, env) {
                    self.assign(update.place, &[], value, env);
                }
            }
            (Target::Each { cell, arms }, Place::Cell(_) | Place::NumberCell(_)) => {
                for member in self.visible {
                    let mut env = *env;
                    env[usize::from(cell[0])] = *member;
                    if let Some(value) = self.arm(arms, &env) {
                        self.assign(update.place, &[*member], value, &env);
                    }
                }
            }
            (Target::Each { cell, arms }, Place::Block(_)) => {
                for first in self.visible {
                    for second in self.visible {
                        let mut env = *env;
                        env[usize::from(cell[0])] = *first;
                        env[usize::from(cell[1])] = *second;
                        if let Some(value) = self.arm(arms, &env) {
                            self.assign(update.place, &[*first, *second], value, &env);
                        }
                    }
                }
            }
        }
    }

    /// The value of the first arm that applies. Where that is not known, both are tried.
    fn arm<'a>(&mut self, arms: &'a [(crate::formula::Formula, Value)], env: &Env) -> Option<&'a Value> {
        for (condition, value) in arms {
            let applies = match self.reading().holds(condition, env) {
                Some(applies) => applies,
                None => self.choices.choose(2) == 0,
            };
            if applies {
                return Some(value);
            }
        }
        None
    }

    fn assign(&mut self, place: Place, members: &[u8], value: &Value, env: &Env) {
        match place {
            Place::Number(at) => return self.move_number(Point::Global(at), value, env),
            Place::NumberCell(cell) => {
                return self.move_number(Point::Cell(cell, members[0].into()), value, env);
            }
            Place::Global(_) | Place::Cell(_) | Place::Block(_) => {}
        }
        let at = self.at(place, members);
        let code = match value {
            Value::Keep => return,
            Value::Sum(..) => unreachable!("only numbers get sums"),
            // Chosen when everything else is known, from all values.
            Value::Any => {
                self.after.bytes[at] = UNKNOWN;
                return self.any(place, members, false);
            }
            Value::Term(term) => self.reading().term(term, env),
        };
        self.after.bytes[at] = match (code, place, value) {
            (OTHER, Place::Global(_), Value::Term(term)) => {
                let source = self.source(term, env);
                self.class_of(source)
            }
            (code, ..) => code,
        };
    }

    fn move_number(&mut self, number: Point, value: &Value, env: &Env) {
        let to = match value {
            Value::Keep => return,
            Value::Any | Value::Term(_) => None,
            Value::Sum(number, constant) => self.reading().point(number, env).map(|point| (point, *constant)),
        };
        self.moves.push((number, to));
    }

    /// How numbers differ after the step.
    fn settle_numbers(&mut self) {
        if let Some(numbers) = &self.layout.numbers {
            let structures = (self.before, &mut *self.after);
            numbers.settle((self.layout, self.forget), structures, &self.moves, self.visible, self.choices);
        }
    }

    fn at(&self, place: Place, members: &[u8]) -> usize {
        match place {
            Place::Global(at) => at,
            Place::Cell(cell) => self.layout.cell(members[0].into(), cell),
            Place::Block(block) => self.layout.block(members[0].into(), members[1].into(), block),
            Place::Number(_) | Place::NumberCell(_) => unreachable!("numbers have no bytes"),
        }
    }

    fn slot(&self, place: Place) -> &Slot {
        match place {
            Place::Global(at) => &self.layout.globals[at],
            Place::Cell(at) => &self.layout.cells[at],
            Place::Block(at) => &self.layout.blocks[at],
            Place::Number(_) | Place::NumberCell(_) => unreachable!("numbers have no bytes"),
        }
    }

    /// The byte that a term reads.
    fn source(&self, term: &crate::formula::Term, env: &Env) -> Option<usize> {
        match term {
            crate::formula::Term::Cell(cell, index) => {
                self.reading().member(index, env).map(|member| self.layout.cell(member, *cell))
            }
            _ => None,
        }
    }

    /// The class of a process outside to which no global has pointed: that of the same cell, another new one, or one more.
    fn class_of(&mut self, source: Option<usize>) -> u8 {
        let known = source.and_then(|source| self.new_classes.iter().position(|of| *of == Some(source)));
        let at = known.unwrap_or_else(|| self.choices.choose(self.new_classes.len() + 1));
        if at == self.new_classes.len() {
            self.new_classes.push(source);
        }
        FIRST_NEW_CLASS + u8::try_from(at).expect("few globals")
    }

    /// Cells that pointed to a process to which now a global points.
    fn settle_others(&mut self, updates: &[Update]) {
        if self.new_classes.is_empty() {
            return;
        }
        for member in self.visible {
            for cell in &self.layout.pointer_cells {
                let at = self.layout.cell((*member).into(), *cell);
                if self.after.bytes[at] != OTHER {
                    continue;
                }
                let kept = !updates.iter().any(|update| update.place == Place::Cell(*cell));
                let source = self.new_classes.iter().position(|of| kept && *of == Some(at));
                let class = source.unwrap_or_else(|| self.choices.choose(self.new_classes.len() + 1));
                if class < self.new_classes.len() {
                    self.after.bytes[at] = FIRST_NEW_CLASS + u8::try_from(class).expect("few globals");
                }
            }
        }
    }

    /// Chooses a value for everything that is unknown and not forgotten, for slots that decide about others first.
    fn settle_unknown(&mut self) {
        for certain in [true, false] {
            for at in 0..self.layout.globals.len() {
                if (self.forget.globals[at] == Keep::Always) == certain && self.after.bytes[at] == UNKNOWN {
                    let dead = !certain && self.forget.global(self.layout, self.after, at);
                    if !dead {
                        self.any(Place::Global(at), &[], true);
                    }
                }
            }
            for member in self.visible {
                for cell in 0..self.layout.cells.len() {
                    let at = self.layout.cell((*member).into(), cell);
                    if (self.forget.cells[cell] == Keep::Always) == certain && self.after.bytes[at] == UNKNOWN
                    {
                        let dead =
                            !certain && self.forget.cell(self.layout, self.after, (*member).into(), cell);
                        if !dead {
                            self.any(Place::Cell(cell), &[*member], true);
                        }
                    }
                }
            }
        }
        for block in 0..self.layout.blocks.len() {
            for first in self.visible {
                for second in self.visible {
                    let at = self.layout.block((*first).into(), (*second).into(), block);
                    if self.after.bytes[at] == UNKNOWN && !self.forget.block(block) {
                        self.any(Place::Block(block), &[*first, *second], true);
                    }
                }
            }
        }
    }

    /// Any value of a symbol; outsiders only if it may have been one before.
    fn any(&mut self, place: Place, members: &[u8], with_outsiders: bool) {
        let at = self.at(place, members);
        let slot = self.slot(place).clone();
        self.after.bytes[at] = match slot.kind {
            Kind::Enum(count) => {
                u8::try_from(self.choices.choose(count.into())).expect("a constructor is a byte")
            }
            Kind::Abstract(of) => self.any_abstract(of),
            // Chosen later, with all others.
            Kind::Difference(_) => UNKNOWN,
            Kind::Pointer => self.any_pointer(&slot, matches!(place, Place::Global(_)), with_outsiders),
        };
    }

    fn any_abstract(&mut self, of: u8) -> u8 {
        let layout = self.layout;
        let fresh = self.before.next_abstract(layout).max(self.after.next_abstract(layout));
        let mut codes: Codes = smallvec![fresh];
        for structure in [self.before, &*self.after] {
            codes.extend(structure.abstract_codes(layout, of));
        }
        codes.sort_unstable();
        codes.dedup();
        codes[self.choices.choose(codes.len())]
    }

    fn any_pointer(&mut self, slot: &Slot, is_global: bool, with_outsiders: bool) -> u8 {
        let mut codes = Codes::new();
        for member in 0..self.before.members {
            let kind = self.layout.kind_cell.map(|cell| self.before.bytes[self.layout.cell(member, cell)]);
            let fits = match (slot.of_kind, kind) {
                (Some(wanted), Some(kind)) => kind == wanted || kind == UNKNOWN,
                _ => true,
            };
            if fits {
                codes.push(u8::try_from(member).expect("few members"));
            }
        }
        for structure in [self.before, &*self.after] {
            let classes = self.layout.pointer_globals.iter().map(|at| structure.bytes[*at]);
            codes.extend(classes.filter(|code| is_class(*code)));
        }
        if with_outsiders && slot.holds_outsiders {
            codes.extend((0..self.layout.outsiders).map(|at| FIRST_OUTSIDER + u8::try_from(at).unwrap_or(0)));
        }
        codes.push(OTHER);
        codes.sort_unstable();
        codes.dedup();
        match codes[self.choices.choose(codes.len())] {
            OTHER if is_global => {
                // A process to which no global points. Cells may.
                self.new_classes.push(None);
                FIRST_NEW_CLASS + u8::try_from(self.new_classes.len() - 1).expect("few globals")
            }
            code => code,
        }
    }
}
