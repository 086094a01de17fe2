//! How to prove: which invariants to try, in which order, with which techniques, and when to give up.

use crate::search::{Order, Progress};
use explore::Limits;
use instance::states::Walk;
use std::sync::Arc;
use std::time::Duration;

/// Which invariants a backward search tries, by which means, and when it gives up.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether to try candidate invariants.
    pub approximation: Approximation,
    /// Which states candidates are tested against.
    pub oracle: OracleOptions,
    /// Which cube is visited next.
    pub order: Order,
    /// What makes the search faster, or decide more models; each can be switched off.
    pub techniques: Techniques,
    /// When to give up. The limit on states is one on visited cubes.
    pub limits: Limits,
    /// How much of all this is tried.
    pub effort: Effort,
    /// The number of threads. The outcome does not depend on it, unless a limit is hit.
    pub threads: usize,
    /// Whether to keep the history of the search.
    pub keep_history: bool,
    /// Receives the counters of the search while it runs.
    pub progress: Option<Arc<Progress>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            approximation: Approximation::Auto,
            oracle: OracleOptions::default(),
            order: Order::default(),
            techniques: Techniques::default(),
            limits: Limits::default(),
            effort: Effort::Everything,
            threads: 1,
            keep_history: false,
            progress: None,
        }
    }
}

/// How much is tried at once, for a portfolio with other methods. Measured by counted work, so that it is the same on every
/// machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// A short search without candidates, then one with candidates, as long as limits allow.
    #[default]
    Everything,
    /// The short search only.
    Short,
    /// The search with candidates, as long as few of them are refuted and there are not too many cubes.
    Bounded,
    /// The search with candidates, as long as limits allow.
    Unbounded,
}

/// Which states candidates are tested against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OracleOptions {
    /// In which order states are reached. By default near ones first and, if there are more than the limit allows, some that
    /// are far.
    pub walk: Option<Walk>,
    /// The most states of each instance.
    pub states: usize,
    /// The most steps from an initial state.
    pub depth: Option<usize>,
    /// The most time for each instance.
    pub time: Option<Duration>,
}

impl Default for OracleOptions {
    fn default() -> OracleOptions {
        OracleOptions { walk: None, states: 200_000, depth: None, time: None }
    }
}

/// Whether to try candidate invariants, and which instances they are tested against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approximation {
    /// No candidates.
    Off,
    /// Instances of a size that suits the model.
    Auto,
    /// Instances with up to this many processes.
    Processes(u32),
}

/// Techniques that can be switched off to measure their worth. Verdicts stay right without any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Techniques {
    /// A cube that several visited cubes subsume together is not visited.
    pub joint_subsumption: bool,
    /// Visited cubes that a later one subsumes are deleted.
    pub deletion: bool,
    /// A first analysis finds out which values symbols can have at all.
    pub values: bool,
    /// Cubes with more processes are visited after all those with fewer.
    pub postpone: bool,
    /// What a cube says about one process alone is tried by a short search of its own, unless there are candidates.
    pub inference: bool,
    /// Where guards about all processes keep a search from finding a proof, auxiliary variables for those whom they exclude
    /// are added to the model.
    pub auxiliary_variables: bool,
    /// Without candidates, what a cube says about sums of numbers is weakened to how the numbers compare.
    pub sums: bool,
    /// Place invariants: what numbers say about how many processes are where.
    pub places: bool,
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques {
            joint_subsumption: true,
            deletion: true,
            values: true,
            postpone: true,
            inference: true,
            auxiliary_variables: true,
            sums: true,
            places: true,
        }
    }
}
