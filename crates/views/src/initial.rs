//! The views of initial states: backtracking over the values of slots, as long as `init` may hold.

use crate::Unsupported;
use crate::forget::{Forget, Keep};
use crate::formula::{Compiler, Env, Formula, MOST_VARIABLES, Reading, UNBOUND, slots_of};
use crate::layout::{FIRST_CLASS, FIRST_OUTSIDER, Kind, Layout, OTHER, Place, Slot, UNKNOWN, outsider};
use crate::structure::{Structure, is_class};
use ir::Model;
use std::cell::Cell;

/// An `init` for all members.
struct Instantiated {
    conjuncts: Vec<Formula>,
    envs: Vec<Env>,
    /// Symbols that hold an outsider: the byte code by place.
    outsiders: Vec<(Place, u8)>,
}

/// A formula that no instance satisfies.
pub(crate) struct Excluded {
    params: Vec<u8>,
    formula: Formula,
}

/// A byte to be chosen.
#[derive(Clone, Copy)]
struct Choice {
    place: Place,
    at: usize,
    member: Option<usize>,
    /// Whether it may be forgotten.
    certain: bool,
}

/// Lists initial structures.
pub(crate) struct Initial<'m> {
    layout: &'m Layout,
    forget: &'m Forget,
    order: Vec<Choice>,
    excluded: Vec<Excluded>,
    /// The number of evaluations of `init`.
    looked: Cell<u32>,
    /// Whether the deadline has passed.
    is_late: &'m dyn Fn() -> bool,
}

/// The deadline is checked once for this many evaluations.
const LOOKS_AT_THE_CLOCK: u32 = 1024;

impl<'m> Initial<'m> {
    /// Calls `visit` with every structure with this many members that an initial state may have, until it returns false or the
    /// deadline has passed.
    pub(crate) fn each(
        model: &'m Model,
        layout: &'m Layout,
        forget: &'m Forget,
        members: usize,
        is_late: &'m dyn Fn() -> bool,
        visit: &mut dyn FnMut(&Structure) -> bool,
    ) -> Result<(), Unsupported> {
        let compiler = Compiler { model, layout, context: None };
        let order = order(layout, forget, members);
        let mut excluded = Vec::new();
        for assumption in &model.assumptions {
            let (params, formula) = (slots_of(&assumption.params)?, compiler.formula(&assumption.formula)?);
            excluded.push(Excluded { params, formula });
        }
        let initial = Initial { layout, forget, order, excluded, looked: Cell::new(0), is_late };
        for init in &model.init {
            let formula = compiler.formula(&init.formula)?;
            let params = slots_of(&init.params)?;
            let conjuncts = match formula {
                Formula::And(parts) => parts,
                other => vec![other],
            };
            let outsiders = init.outsiders.iter();
            let outsiders =
                outsiders.map(|(symbol, id)| (layout.places[symbol.index()], outsider(*id))).collect();
            let instantiated = Instantiated { conjuncts, envs: assignments(&params, members), outsiders };
            let mut structure = Structure::new(layout);
            structure.members = members;
            initial.order_members(&mut structure);
            if let Some(context) = &layout.context {
                structure.bytes[context.slot] = 0;
            }
            if !initial.choose(&instantiated, &mut structure, 0, visit) {
                break;
            }
        }
        Ok(())
    }

    /// Puts members in the order of processes. Nothing is lost: views do not depend on the order of their members.
    fn order_members(&self, structure: &mut Structure) {
        let Some(order) = self.layout.order else { return };
        for first in 0..structure.members {
            for second in 0..structure.members {
                structure.bytes[self.layout.block(first, second, order)] = u8::from(first < second);
            }
        }
    }

    /// Chooses the values of all slots from a position on. False to end the enumeration.
    fn choose(
        &self,
        init: &Instantiated,
        structure: &mut Structure,
        from: usize,
        visit: &mut dyn FnMut(&Structure) -> bool,
    ) -> bool {
        let Some(choice) = self.order.get(from) else { return self.choose_numbers(init, structure, visit) };
        let forgotten = match (choice.place, choice.member) {
            _ if choice.certain => false,
            (Place::Global(at), _) => self.forget.global(self.layout, structure, at),
            (Place::Cell(cell), Some(member)) => self.forget.cell(self.layout, structure, member, cell),
            (Place::Block(block), _) => self.forget.block(block),
            (Place::Cell(_) | Place::Number(_) | Place::NumberCell(_), _) => false,
        };
        if forgotten {
            return self.choose(init, structure, from + 1, visit);
        }
        for code in self.codes(init, *choice, structure) {
            structure.bytes[choice.at] = code;
            if self.may_hold(init, structure) && !self.choose(init, structure, from + 1, visit) {
                return false;
            }
        }
        structure.bytes[choice.at] = UNKNOWN;
        true
    }

    fn choose_numbers(
        &self,
        init: &Instantiated,
        structure: &mut Structure,
        visit: &mut dyn FnMut(&Structure) -> bool,
    ) -> bool {
        let Some(numbers) = &self.layout.numbers else { return self.visit(structure, visit) };
        let may_hold = |structure: &Structure| self.may_hold(init, structure);
        numbers.choose_initial(self.layout, self.forget, structure, &may_hold, &mut |structure| {
            self.visit(structure, visit)
        })
    }

    fn visit(&self, structure: &Structure, visit: &mut dyn FnMut(&Structure) -> bool) -> bool {
        let reading = Reading { layout: self.layout, structure };
        let is_excluded = self.excluded.iter().any(|excluded| {
            distinct(&excluded.params, structure.members)
                .iter()
                .any(|env| reading.holds(&excluded.formula, env) == Some(true))
        });
        is_excluded || visit(structure)
    }

    /// Whether `init` may hold. Once the deadline has passed, it does not, which ends all choices.
    fn may_hold(&self, init: &Instantiated, structure: &Structure) -> bool {
        self.looked.set(self.looked.get().wrapping_add(1));
        if self.looked.get().is_multiple_of(LOOKS_AT_THE_CLOCK) && (self.is_late)() {
            return false;
        }
        let reading = Reading { layout: self.layout, structure };
        init.conjuncts
            .iter()
            .all(|conjunct| init.envs.iter().all(|env| reading.holds(conjunct, env) != Some(false)))
    }

    fn codes(&self, init: &Instantiated, choice: Choice, structure: &Structure) -> Vec<u8> {
        let slot = slot(self.layout, choice.place);
        match slot.kind {
            Kind::Enum(count) | Kind::Difference(count) => (0..count).collect(),
            Kind::Abstract(of) => {
                let mut codes = structure.abstract_codes(self.layout, of);
                codes.sort_unstable();
                codes.dedup();
                codes.push(structure.next_abstract(self.layout));
                codes
            }
            Kind::Pointer => {
                if let Some((_, code)) = init.outsiders.iter().find(|(place, _)| *place == choice.place) {
                    return vec![*code];
                }
                self.pointers(slot, choice.place, structure)
            }
        }
    }

    /// The processes of the run that a pointer may hold.
    fn pointers(&self, slot: &Slot, place: Place, structure: &Structure) -> Vec<u8> {
        let mut codes: Vec<u8> = Vec::new();
        for member in 0..structure.members {
            let kind = self.layout.kind_cell.map(|cell| structure.bytes[self.layout.cell(member, cell)]);
            let fits = match (slot.of_kind, kind) {
                (Some(wanted), Some(kind)) => kind == wanted || kind == UNKNOWN,
                _ => true,
            };
            if fits {
                codes.push(u8::try_from(member).expect("few members"));
            }
        }
        let classes = self.layout.pointer_globals.iter().map(|at| structure.bytes[*at]);
        let mut classes: Vec<u8> = classes.filter(|code| is_class(*code)).collect();
        classes.sort_unstable();
        classes.dedup();
        let next = FIRST_CLASS + u8::try_from(classes.len()).expect("few globals");
        codes.extend(classes);
        codes.push(if matches!(place, Place::Global(_)) { next } else { OTHER });
        debug_assert!(codes.iter().all(|code| *code < FIRST_OUTSIDER || *code == OTHER));
        codes
    }
}

fn slot(layout: &Layout, place: Place) -> &Slot {
    match place {
        Place::Global(at) => &layout.globals[at],
        Place::Cell(at) => &layout.cells[at],
        Place::Block(at) => &layout.blocks[at],
        Place::Number(_) | Place::NumberCell(_) => unreachable!("numbers have no slots"),
    }
}

/// Slots in the order of choice: those that are never forgotten come first, since others may depend on them, and globals first
/// among these.
fn order(layout: &Layout, forget: &Forget, members: usize) -> Vec<Choice> {
    let mut all = Vec::new();
    let context = layout.context.as_ref().map(|context| context.slot);
    for at in (0..layout.globals.len()).filter(|at| Some(*at) != context) {
        let certain = forget.globals[at] == Keep::Always;
        all.push(Choice { place: Place::Global(at), at, member: None, certain });
    }
    for member in 0..members {
        for cell in 0..layout.cells.len() {
            let certain = forget.cells[cell] == Keep::Always;
            let at = layout.cell(member, cell);
            all.push(Choice { place: Place::Cell(cell), at, member: Some(member), certain });
        }
    }
    for first in 0..members {
        for second in 0..members {
            for block in (0..layout.blocks.len()).filter(|block| Some(*block) != layout.order) {
                let certain = forget.blocks[block] == Keep::Always;
                let at = layout.block(first, second, block);
                all.push(Choice { place: Place::Block(block), at, member: None, certain });
            }
        }
    }
    // Differences of numbers come last, all together.
    all.retain(|choice| !matches!(slot(layout, choice.place).kind, Kind::Difference(_)));
    // The kinds of processes decide what pointers may hold.
    let is_kind =
        |place: Place| matches!((place, layout.kind_cell), (Place::Cell(cell), Some(kind)) if cell == kind);
    all.sort_by_key(|choice| (!is_kind(choice.place), !choice.certain));
    all
}

/// Every assignment of members to parameters, distinct or not.
fn assignments(params: &[u8], members: usize) -> Vec<Env> {
    let mut envs = vec![UNBOUND];
    for param in params {
        envs = envs.iter().flat_map(|env| (0..members).map(|member| bound(env, *param, member))).collect();
    }
    envs
}

/// Every assignment of distinct members to parameters.
fn distinct(params: &[u8], members: usize) -> Vec<Env> {
    let is_distinct = |env: &Env| {
        params.iter().enumerate().all(|(at, param)| {
            params[..at].iter().all(|earlier| env[usize::from(*earlier)] != env[usize::from(*param)])
        })
    };
    assignments(params, members).into_iter().filter(is_distinct).collect()
}

fn bound(env: &Env, param: u8, member: usize) -> Env {
    let mut env: [u8; MOST_VARIABLES] = *env;
    env[usize::from(param)] = u8::try_from(member).expect("few members");
    env
}
