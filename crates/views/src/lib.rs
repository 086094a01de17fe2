//! Safety of models for every number of processes, by forward search over views.
//!
//! A *view* is a state cut down to the globals and the cells of a few processes, its members. [`search`] computes a set that
//! contains all views of all reachable states, for every number of processes. If no structure that consists of these views is
//! bad, [`prove()`] makes the set the oracle of the backward search of the crate `prove`: what no view matches is unreachable,
//! so that nearly all of its candidates are right. The answer is that of the backward search: a model holds only with a
//! certificate that was checked.
//!
//! What this crate must not know: the text of models, files, terminals, other engines than `prove`, and how certificates are
//! checked.

mod abstraction;
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
mod live_values;
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
mod thread_count;

pub use abstraction::AbstractionLevel;
pub use closure::Progress;
pub use contains::MOST_PROCESSES;
pub use gap::{Gap, Path, gap};
pub use proof::{Outcome, ProofOptions, Reason, Verdict, follows_numbers, prove};
pub use thread_count::{Pause, Threads};

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

/// A construct that views do not support.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words.
    pub what: String,
    /// Its location in the model.
    pub at: Option<At>,
}

impl Unsupported {
    fn new(what: &str, at: Option<At>) -> Unsupported {
        Unsupported { what: what.to_owned(), at }
    }
}

/// How large and how fine views are, and when a search of them gives up.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The number of members of a view: 2 or 3.
    pub size: usize,
    /// How much views keep.
    pub level: AbstractionLevel,
    /// When to give up. States are views, steps are those that are taken within structures.
    pub limits: Limits,
    /// The threads to use. The result does not depend on their number.
    pub threads: Threads,
    /// Receives the counters of the search while it runs.
    pub progress: Option<Arc<Progress>>,
}

/// The size of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of views.
    pub views: usize,
    /// The number of members of each view.
    pub size: usize,
    /// Structures in which a step was taken.
    pub structures: u64,
    /// The bytes that views take, with the tables to find them.
    pub memory: usize,
    /// Wall-clock time.
    pub time: Duration,
}

/// The result of a search.
#[derive(Debug)]
pub enum Found {
    /// The set is closed under steps, and no structure that consists of its views is bad.
    Closed(Box<Views>),
    /// An abstract path to a bad structure. It may be spurious: not every structure is part of a reachable state.
    Coarse {
        /// The property, by position in the model.
        property: usize,
        /// The rules on the path.
        rules: Vec<ir::RuleId>,
        /// The views on the path.
        path: Box<Path>,
    },
    /// A limit was hit.
    Limit(Limit),
}

/// A set of views that contains those of all reachable states.
#[derive(Debug)]
pub struct Views {
    layout: Layout,
    forget: Forget,
    set: set::ViewSet,
}

/// A search with more initial views than this is not begun.
const MOST_INITIAL: usize = 4_000_000;

/// Whether views support all constructs of a model.
pub fn is_supported(model: &Model) -> Result<(), Unsupported> {
    let model = &normal::normal(model);
    items(model, &Layout::new(model)?, None).map(|_| ())
}

/// Searches for all views of reachable states.
pub fn search(model: &Model, options: &Options) -> Result<(Found, Statistics), Unsupported> {
    let begun = Instant::now();
    let model = &normal::normal(model);
    let mut layout = Layout::new(model)?;
    let context = options.level.context(model);
    if let Some(context) = &context {
        layout = context::with_context(model, layout, context)?;
    }
    let items = items(model, &layout, context.as_ref())?;
    let forget = options.level.forget(model, &layout);
    let mut closure = Closure::new(&layout, &forget, &items, options.size, &options.limits, begun);
    let (mut too_many, mut limit) = (false, None);
    // One process outside is enough to see what the context may be.
    let more = usize::from(context.is_some());
    let is_late = || options.limits.ended_since(begun).is_some();
    for members in options.size..=options.size + more {
        Initial::each(model, &layout, &forget, members, &is_late, &mut |structure: &Structure| {
            closure.add_initial(structure);
            too_many = closure.set.views.len() >= MOST_INITIAL;
            limit = closure.limit();
            !too_many && limit.is_none()
        })?;
        limit = limit.or_else(|| closure.limit());
    }
    if too_many {
        return Err(Unsupported::new("that many initial states", None));
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
            let (rules, views) = path_to(&closure, &items, view);
            let (layout, forget) = (layout.clone(), forget.clone());
            let path = Box::new(Path { layout, forget, size: options.size, views });
            Found::Coarse { property, rules, path }
        }
        Ended::Closed => {
            let set = closure.set;
            Found::Closed(Box::new(Views { layout: layout.clone(), forget: forget.clone(), set }))
        }
    };
    Ok((found, statistics))
}

/// The rules on the path to a view, and the views before and after them.
fn path_to(closure: &Closure<'_>, items: &[Item], view: u32) -> (Vec<ir::RuleId>, Vec<Vec<u8>>) {
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

/// All steps that can be taken, and all structures that must not occur.
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
