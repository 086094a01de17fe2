//! What a test is asked to do, and how the runtime is told.

use crate::{building::Program, confirm::Mark, searching::Shard};
use explore::{FindingKind, Limits};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What to look for, how, and for how long.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How schedules are chosen.
    pub search: Search,
    /// What makes random choices repeatable.
    pub seed: u64,
    /// The largest number of schedules, for searches that draw them.
    pub runs: Option<usize>,
    /// The largest number of steps of a schedule; longer ones are cut.
    pub depth: Option<usize>,
    /// Time, and cancellation.
    pub limits: Limits,
    /// What is visible, and whether the search goes on past failures.
    pub mode: Mode,
    /// Whether a search with filters tries successors in a random order.
    pub shuffle: bool,
    /// What is not reported.
    pub ignore: Vec<FindingKind>,
    /// The number of processes that search at the same time.
    pub threads: usize,
    /// The part of the search that is explored here, if not all of it.
    pub shard: Option<Shard>,
    /// What decides which operations are steps, as far as it is known before.
    pub known: Vec<Mark>,
}

/// What a schedule depends on, beside the program: a replay needs the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// Which accesses to memory are scheduling points.
    pub visible: Visible,
    /// Goes on past failures.
    #[serde(default)]
    pub all: bool,
    /// Functions of the program that must return a non-zero value in every state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<String>,
    /// How often each thread may wake up from a wait for no reason.
    #[serde(default)]
    pub spurious: usize,
    /// The calls of which failing ones are tried: `malloc`, `read`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fail: Vec<String>,
    /// Files of which each may be the program's standard input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
}

/// How schedules are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// All of them, up to equivalence.
    #[default]
    Dpor,
    /// All of them.
    Exhaustive,
    /// All that these filters let pass, which are applied in this order.
    Filtered(Vec<String>),
    /// Each step at random.
    Random,
    /// By random priorities that change at some steps, for bugs that need this many orderings.
    Pct(usize),
    /// By random priorities of operations.
    Pos,
    /// The order of operations on one object at random, all orders alike.
    Surw,
    /// By whichever of the random ones shows the most.
    Learned,
    /// All with at most so many preemptions, which are switches away from a thread that could go on; fewest first.
    Preemptions(usize),
}

/// Which accesses to memory are scheduling points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visible {
    /// Atomic ones alone.
    Sync,
    /// Those that race, too.
    #[default]
    Racy,
    /// All but those to the stack of the own thread.
    All,
}

impl Search {
    /// Whether it has run everything when it ends by itself.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self, Search::Dpor | Search::Exhaustive | Search::Preemptions(_))
    }

    /// Whether several processes can share the work.
    pub fn can_be_divided(&self) -> bool {
        *self == Search::Dpor || self.draws()
    }

    /// Whether schedules are drawn, for as long as one likes.
    pub fn draws(&self) -> bool {
        matches!(self, Search::Random | Search::Pct(_) | Search::Pos | Search::Surw | Search::Learned)
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Search::Dpor => f.write_str("dpor"),
            Search::Exhaustive => f.write_str("exhaustive"),
            Search::Filtered(_) => f.write_str("filtered"),
            Search::Random => f.write_str("random"),
            Search::Pct(depth) => write!(f, "pct={depth}"),
            Search::Pos => f.write_str("pos"),
            Search::Surw => f.write_str("surw"),
            Search::Learned => f.write_str("learned"),
            Search::Preemptions(most) => write!(f, "preemptions={most}"),
        }
    }
}

impl fmt::Display for Visible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Visible::Sync => "sync",
            Visible::Racy => "racy",
            Visible::All => "all",
        })
    }
}

/// The steps of a run after which it is thought not to end, unless a user says otherwise.
const LONGEST_RUN: usize = 100_000;

impl Options {
    /// The steps of a schedule after which it is cut.
    pub fn most_steps(&self) -> usize {
        self.depth.unwrap_or(LONGEST_RUN)
    }

    /// The lines that tell the runtime. Races are always asked for, since they decide what is visible in a replay; who
    /// ignores them leaves them out of the report.
    pub(crate) fn request(&self, program: &Program) -> Result<Vec<String>, String> {
        let mut lines = vec![format!("search {}", self.search), format!("seed {}", self.seed)];
        lines.extend(self.runs.map(|runs| format!("runs {runs}")));
        lines.push(format!("depth {}", self.most_steps()));
        lines.extend(self.limits.time.map(|time| format!("seconds {}", time.as_secs_f64())));
        let ignored = self.ignore.iter().filter(|kind| **kind != FindingKind::Race);
        lines.extend(ignored.map(|kind| format!("ignore {kind}")));
        if let Search::Filtered(filters) = &self.search {
            lines.push(format!("filters {}", filters.join(",")));
        }
        lines.extend(self.shuffle.then(|| "shuffle".to_owned()));
        lines.extend(self.mode.request(program)?);
        Ok(lines)
    }
}

impl Mode {
    pub(crate) fn request(&self, program: &Program) -> Result<Vec<String>, String> {
        let mut lines = vec![format!("visible {}", self.visible)];
        lines.extend(self.all.then(|| "all".to_owned()));
        lines.extend((self.spurious > 0).then(|| format!("spurious {}", self.spurious)));
        lines.extend(self.fail.iter().map(|call| format!("fail {call}")));
        lines.extend(self.inputs.iter().map(|file| format!("input {file}")));
        for name in &self.invariants {
            lines.push(format!("invariant {:x} {name}", program.function(name)?));
        }
        Ok(lines)
    }
}
