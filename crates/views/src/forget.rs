//! Values that views do not keep: those of hidden symbols, and those that are dead.
//!
//! Which values are forgotten is a function of the state: whether a value of a process is dead depends on other symbols of
//! that process and on globals, which are themselves never forgotten. All views of a state hence agree on it. Soundness needs
//! nothing more, since a step treats a forgotten value as any value.

use crate::layout::{Kind, Layout, Place, UNKNOWN};
use crate::structure::Structure;

/// A value is dead unless a symbol of the same process, or a global, has one of some constructors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) on: Place,
    pub(crate) live: u64,
}

/// When values of a symbol are forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Always,
    Never,
    /// Forgotten where one of the conditions is not met.
    While(Vec<Condition>),
}

/// When the values of each symbol are forgotten.
#[derive(Clone, Debug)]
pub(crate) struct Forget {
    pub(crate) globals: Vec<Keep>,
    pub(crate) cells: Vec<Keep>,
    pub(crate) blocks: Vec<Keep>,
}

impl Forget {
    /// Nothing is forgotten.
    pub(crate) fn nothing(layout: &Layout) -> Forget {
        Forget {
            globals: vec![Keep::Always; layout.globals.len()],
            cells: vec![Keep::Always; layout.cells.len()],
            blocks: vec![Keep::Always; layout.blocks.len()],
        }
    }

    pub(crate) fn of(&mut self, place: Place) -> &mut Keep {
        match place {
            Place::Global(at) => &mut self.globals[at],
            Place::Cell(at) => &mut self.cells[at],
            Place::Block(at) => &mut self.blocks[at],
            Place::Number(_) | Place::NumberCell(_) => unreachable!("only differences of numbers are kept"),
        }
    }

    pub(crate) fn keep(&self, place: Place) -> &Keep {
        match place {
            Place::Global(at) => &self.globals[at],
            Place::Cell(at) => &self.cells[at],
            Place::Block(at) => &self.blocks[at],
            Place::Number(_) | Place::NumberCell(_) => unreachable!("only differences of numbers are kept"),
        }
    }

    /// Whether a global is forgotten in a structure.
    pub(crate) fn global(&self, layout: &Layout, structure: &Structure, at: usize) -> bool {
        is_forgotten(&self.globals[at], layout, structure, None)
    }

    /// Whether a cell of a member is forgotten in a structure.
    pub(crate) fn cell(&self, layout: &Layout, structure: &Structure, member: usize, cell: usize) -> bool {
        is_forgotten(&self.cells[cell], layout, structure, Some(member))
    }

    /// Forgets values of the globals and of some members.
    pub(crate) fn apply(&self, layout: &Layout, structure: &mut Structure, members: &[u8]) {
        for at in 0..layout.globals.len() {
            if self.global(layout, structure, at) {
                structure.bytes[at] = UNKNOWN;
            }
        }
        for member in members.iter().map(|member| usize::from(*member)) {
            for cell in 0..layout.cells.len() {
                if self.cell(layout, structure, member, cell) {
                    structure.bytes[layout.cell(member, cell)] = UNKNOWN;
                }
            }
            for (other, block) in members
                .iter()
                .flat_map(|other| (0..layout.blocks.len()).map(|block| (usize::from(*other), block)))
            {
                if self.block(block) {
                    structure.bytes[layout.block(member, other, block)] = UNKNOWN;
                }
            }
        }
    }

    pub(crate) fn block(&self, block: usize) -> bool {
        self.blocks[block] == Keep::Never
    }
}

fn is_forgotten(keep: &Keep, layout: &Layout, structure: &Structure, member: Option<usize>) -> bool {
    let is_dead = |condition: &Condition| {
        let at = match (condition.on, member) {
            (Place::Global(at), _) => at,
            (Place::Cell(cell), Some(member)) => layout.cell(member, cell),
            _ => return false,
        };
        let code = structure.bytes[at];
        debug_assert_ne!(code, UNKNOWN, "what decides is known first, and never forgotten");
        condition.live.checked_shr(code.into()).is_none_or(|bits| bits & 1 == 0)
    };
    match keep {
        Keep::Always => false,
        Keep::Never => true,
        Keep::While(conditions) => conditions.iter().any(is_dead),
    }
}

/// Whether a slot may decide about others: only if it has few constructors.
pub(crate) fn can_decide(kind: Kind) -> bool {
    matches!(kind, Kind::Enum(count) if count <= 60)
}
