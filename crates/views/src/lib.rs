//! Safety of models for every number of processes, by forward search over views.
//!
//! A *view* is a state cut down to the globals and the cells of a few processes. [`prove()`] computes a set of views that holds
//! all views of all reachable states, for every number of processes. If nothing that is made of these views is bad, the set
//! is the oracle of the backward search of the crate `prove`: whatever no view matches is never reached, so that its guesses
//! are right and small. The answer is that search's: it holds only with a certificate that was checked.
//!
//! What this crate must not know: the text of models, files, terminals, and how certificates are checked.

mod choice;
mod closure;
mod contains;
mod context;
mod expand;
mod export;
mod fire;
mod forget;
mod formula;
mod gap;
mod group;
mod initial;
mod item;
mod join;
mod layout;
mod liveness;
mod normal;
mod numbers;
mod plan;
mod proof;
mod repeat;
mod roles;
mod set;
mod step;
mod store;
mod structure;
mod threads;

pub use closure::Progress;
pub use contains::MOST_PROCESSES;
pub use gap::{Gap, Way, gap};
pub use proof::{Outcome, ProofOptions, Reason, Verdict, follows_numbers, prove};
pub use threads::{Pause, Threads};

use closure::{Closure, Ended};
use explore::{Limit, Limits};
use forget::Forget;
use formula::Compiler;
use initial::Initial;
use ir::{At, Model};
use item::{Item, What};
use layout::Layout;
use std::sync::Arc;
use std::time::{Duration, Instant};
use structure::Structure;

/// A construct that views cannot follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words.
    pub what: String,
    /// Where it is.
    pub at: Option<At>,
}

impl Unsupported {
    fn new(what: &str, at: Option<At>) -> Unsupported {
        Unsupported { what: what.to_owned(), at }
    }
}

/// How much views keep. What they do not keep may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rung {
    /// Everything.
    Everything,
    /// What may still be read.
    #[default]
    Living,
    /// Of that, symbols near the properties: the more, the higher the number.
    Near(usize),
    /// What may still be read, and a bit about the processes outside: one for each universal guard that has no parameters.
    Context(usize),
}

/// How to search.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How many members a view has: 2 or 3.
    pub size: usize,
    /// How much they keep.
    pub rung: Rung,
    /// When to give up. Of the states: views; of the steps: those that are taken within structures.
    pub limits: Limits,
    /// How many threads there are. What comes out does not depend on it.
    pub threads: Threads,
    /// Told from time to time how far it is.
    pub progress: Option<Arc<Progress>>,
}

/// What a search has taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many views there are.
    pub views: usize,
    /// How many members each has.
    pub size: usize,
    /// Structures in which a step was taken.
    pub structures: u64,
    /// What the views take, in bytes.
    pub memory: usize,
    /// Wall-clock time.
    pub time: Duration,
}

/// What came of a search.
#[derive(Debug)]
pub enum Found {
    /// All views of reachable states; nothing that is made of them is bad.
    Closed(Box<Views>),
    /// A way to something bad that is made of views, which need not be one of a state.
    Coarse {
        /// The property, by position in the model.
        property: usize,
        /// The rules on the way.
        rules: Vec<ir::RuleId>,
        /// The views on the way.
        way: Box<Way>,
    },
    /// A limit was hit.
    Limit(Limit),
}

/// A set of views that holds those of all reachable states.
#[derive(Debug)]
pub struct Views {
    layout: Layout,
    forget: Forget,
    set: set::ViewSet,
}

/// There are no more initial views than this.
const MOST_INITIAL: usize = 4_000_000;

/// Whether views can follow a model, as far as its text tells.
pub fn is_supported(model: &Model) -> Result<(), Unsupported> {
    let model = &normal::normal(model);
    items(model, &Layout::new(model)?, None).map(|_| ())
}

/// Searches for all views of reachable states.
pub fn search(model: &Model, options: &Options) -> Result<(Found, Statistics), Unsupported> {
    let begun = Instant::now();
    let model = &normal::normal(model);
    let mut layout = Layout::new(model)?;
    let context = match options.rung {
        Rung::Context(number) => context::candidates(model).into_iter().nth(number),
        _ => None,
    };
    if let Some(context) = &context {
        layout = context::with_context(model, layout, context)?;
    }
    let items = items(model, &layout, context.as_ref())?;
    let forget = match options.rung {
        Rung::Everything => Forget::nothing(&layout),
        Rung::Living | Rung::Context(_) => liveness::forget(model, &layout, &vec![true; model.symbols.len()]),
        Rung::Near(number) => {
            let ladder = liveness::ladder(model);
            liveness::forget(model, &layout, &ladder[number.min(ladder.len() - 1)])
        }
    };
    let mut closure = Closure::new(&layout, &forget, &items, options.size, &options.limits, begun);
    let (mut enough, mut limit) = (false, None);
    // Of the processes outside, one is enough to see what the context may be.
    let more = usize::from(context.is_some());
    let is_late = || options.limits.ended_since(begun).is_some();
    for members in options.size..=options.size + more {
        Initial::each(model, &layout, &forget, members, &is_late, &mut |structure: &Structure| {
            closure.add_initial(structure);
            enough = closure.set.views.len() >= MOST_INITIAL;
            limit = closure.limit();
            !enough && limit.is_none()
        })?;
        limit = limit.or_else(|| closure.limit());
    }
    if enough {
        return Err(Unsupported::new("so many initial states", None));
    }
    let ended = match limit {
        Some(limit) => Ended::Limit(limit),
        None => closure.run(&options.threads, options.progress.as_deref()),
    };
    let statistics = Statistics {
        views: closure.set.views.len(),
        size: options.size,
        structures: closure.structures,
        memory: closure.memory,
        time: begun.elapsed(),
    };
    let found = match ended {
        Ended::Limit(limit) => Found::Limit(limit),
        Ended::Bad { view, property } => {
            let (rules, views) = path(&closure, &items, view);
            let (layout, forget) = (layout.clone(), forget.clone());
            let way = Box::new(Way { layout, forget, size: options.size, views });
            Found::Coarse { property, rules, way }
        }
        Ended::Closed => {
            let set = closure.set;
            Found::Closed(Box::new(Views { layout: layout.clone(), forget: forget.clone(), set }))
        }
    };
    Ok((found, statistics))
}

/// The rules on the way to a view, and the views before and after them.
fn path(closure: &Closure<'_>, items: &[Item], view: u32) -> (Vec<ir::RuleId>, Vec<Vec<u8>>) {
    let mut rules = Vec::new();
    let mut views = vec![closure.set.views.get(view).to_vec()];
    let mut parent = closure.parents[view as usize];
    while parent.view != u32::MAX {
        if let What::Step { rule, .. } = items[parent.item as usize].what {
            rules.push(rule);
            views.push(closure.set.views.get(parent.view).to_vec());
        }
        parent = closure.parents[parent.view as usize];
    }
    rules.reverse();
    views.reverse();
    (rules, views)
}

/// Everything that can happen, and everything that must not.
fn items(model: &Model, layout: &Layout, context: Option<&ir::Formula>) -> Result<Vec<Item>, Unsupported> {
    let compiler = Compiler { model, layout, context };
    let mut items = Vec::new();
    for (at, property) in model.properties.iter().enumerate() {
        items.extend(compiler.property(at, property)?);
    }
    for transition in &model.transitions {
        items.extend(compiler.transition(transition)?);
    }
    Ok(items)
}
