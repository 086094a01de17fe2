//! The six techniques for walks from a node (Cubicle Fuzzy Loop, thesis of 2023, section 4.3).

mod more_enabled;
mod novelty;
mod one_process;
mod short_breadth_first;
#[cfg(test)]
mod tests;
mod uniform;
mod untaken;

use crate::{Guide, Target, walk::Walk};
use explore::Fault;
use std::{fmt, str::FromStr};

/// How a walk from a node chooses its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Technique {
    /// Each step is drawn uniformly from the enabled actions.
    Uniform,
    /// Only steps of one process, until it has none.
    OneProcess,
    /// Prefers actions to unseen states, then transitions never taken, then actions never taken from the node.
    Novelty,
    /// Prefers steps to states with more enabled actions.
    MoreEnabled,
    /// All states within a very small depth.
    ShortBreadthFirst,
    /// One enabled action that was never taken from the node.
    Untaken,
}

/// Walks have fewer steps than this, as in CFL.
const LONGEST_WALK: usize = 100;

impl Technique {
    /// All techniques, in the order in which they are listed for users.
    pub const ALL: [Technique; 6] = [
        Technique::Uniform,
        Technique::OneProcess,
        Technique::Novelty,
        Technique::MoreEnabled,
        Technique::ShortBreadthFirst,
        Technique::Untaken,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Uniform => "uniform",
            Technique::OneProcess => "one-process",
            Technique::Novelty => "novelty",
            Technique::MoreEnabled => "more-enabled",
            Technique::ShortBreadthFirst => "short-breadth-first",
            Technique::Untaken => "untaken",
        }
    }

    /// Executes the steps of a walk that has begun.
    pub(crate) fn walk<S: Target, G: Guide<S>>(self, walk: &mut Walk<'_, '_, S, G>) -> Result<(), Fault> {
        match self {
            Technique::Uniform => uniform::walk(walk),
            Technique::OneProcess => one_process::walk(walk),
            Technique::Novelty => novelty::walk(walk),
            Technique::MoreEnabled => more_enabled::walk(walk),
            Technique::ShortBreadthFirst => short_breadth_first::walk(walk),
            Technique::Untaken => untaken::walk(walk),
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Technique {
    type Err = String;

    fn from_str(text: &str) -> Result<Technique, String> {
        // A name of earlier versions.
        let text = if text == "more-exits" { Technique::MoreEnabled.name() } else { text };
        let known = Technique::ALL.into_iter().find(|technique| technique.name() == text);
        known.ok_or_else(|| {
            let names: Vec<&str> = Technique::ALL.iter().map(|technique| technique.name()).collect();
            format!("there is no technique `{text}`; there are {}", names.join(", "))
        })
    }
}

impl<S: Target, G: Guide<S>> Walk<'_, '_, S, G> {
    /// A random length for a walk, at least 1.
    fn length(&mut self) -> usize {
        (1 + self.rng.below(LONGEST_WALK - 1)).min(self.budget)
    }
}
