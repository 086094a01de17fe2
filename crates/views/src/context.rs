//! Context: a bit of a view that is set if some process outside violates a universal guard.
//!
//! A guard such as `forall_other j. Shared[j] = False` is checked for the members of a structure only. Where a proof needs that
//! it holds for the others as well, views get one bit more: some process that is not a member violates the guard. The bit
//! of a view follows from that of a larger structure and from the members that are left out.

use crate::Unsupported;
use crate::formula::{Compiler, Formula, MOST_VARIABLES, Reading, Term, UNBOUND};
use crate::layout::{Kind, Layout, Place, Slot};
use crate::structure::Structure;
use ir::{self, Model, Quantifier, Var};

/// The guard that the bit is about.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The bit is a global of views, but of no state.
    pub(crate) slot: usize,
    /// The guard for one process, which is the last of all variables.
    body: Formula,
    /// The symbols that the body reads.
    pub(crate) cells: Vec<usize>,
    pub(crate) globals: Vec<usize>,
}

/// The variable of the body.
const VARIABLE: usize = MOST_VARIABLES - 1;

/// The bodies of universal guards that depend on one process and the globals.
pub(crate) fn candidates(model: &Model) -> Vec<ir::Formula> {
    let mut found: Vec<ir::Formula> = Vec::new();
    for transition in &model.transitions {
        for part in ir::negate(&ir::negate(&transition.guard)).conjuncts() {
            if let Some(body) = body(model, part)
                && !found.contains(&body)
            {
                found.push(body);
            }
        }
    }
    found
}

/// The body of a universal guard over one process, in terms of `VARIABLE`.
pub(crate) fn body(model: &Model, part: &ir::Formula) -> Option<ir::Formula> {
    let ir::Formula::Quantified { quantifier: Quantifier::Forall, variables, body, .. } = part else {
        return None;
    };
    let [variable] = variables.as_slice() else { return None };
    let mut simple = true;
    body.each_term(&mut |term| {
        simple &= match term {
            ir::Term::Var(var) => var == variable,
            ir::Term::Read { symbol, indices, .. } => {
                matches!(model.symbol(*symbol).sort, ir::Sort::Enum(_)) && indices.len() <= 1
            }
            ir::Term::Constructor(..) => true,
            _ => false,
        };
    });
    let renamed = |var: Var| (var == *variable).then_some(ir::Term::Var(Var::from_index(VARIABLE)));
    (simple && !body.has_quantifier()).then(|| body.substitute(&renamed))
}

/// A layout with one bit more.
pub(crate) fn with_context(
    model: &Model,
    mut layout: Layout,
    body: &ir::Formula,
) -> Result<Layout, Unsupported> {
    let slot = layout.globals.len();
    let compiled = Compiler { model, layout: &layout, context: None }.formula(body)?;
    let (mut cells, mut globals) = (Vec::new(), Vec::new());
    body.each_term(&mut |term| {
        if let Some(symbol) = term.symbol() {
            match layout.places[symbol.index()] {
                Place::Cell(cell) => cells.push(cell),
                Place::Global(global) => globals.push(global),
                Place::Block(_) | Place::Number(_) | Place::NumberCell(_) => {}
            }
        }
    });
    layout.globals.push(Slot { kind: Kind::Enum(2), of_kind: None, holds_outsiders: false });
    layout.context = Some(Context { slot, body: compiled, cells, globals });
    Ok(layout)
}

impl Context {
    /// Whether a member violates the guard. Unknown values do not: those that the guard reads are never forgotten.
    pub(crate) fn is_violated_by(&self, layout: &Layout, structure: &Structure, member: usize) -> bool {
        self.holds(layout, structure, member) == Some(false)
    }

    /// Whether the body holds for a member.
    pub(crate) fn holds(&self, layout: &Layout, structure: &Structure, member: usize) -> Option<bool> {
        let mut env = UNBOUND;
        env[VARIABLE] = u8::try_from(member).expect("few members");
        Reading { layout, structure }.holds(&self.body, &env)
    }

    /// The conjunct of a guard which says that no process outside violates it, once all parameters are members.
    pub(crate) fn nobody(&self, params: &[u8]) -> Formula {
        let none = Formula::Equal(Term::Global(self.slot), Term::Constant(0));
        Formula::OnceBound(params.to_vec(), Box::new(none))
    }
}
