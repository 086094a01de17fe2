//! The flags of `motet prove`, and the options of the prover that follow from them.

use crate::{
    flags::{
        DeadlockFlag, DiagramFlag, GraphFlag, LimitFlags, ModelFlags, OutputFlags, SeedFlag, TraceFlag,
        WorkerFlag, seconds,
    },
    output::try_folder,
    pictures::GraphDetail,
};
use ::prove::{Approximation, Effort, Options, OracleOptions, Order, Techniques, Walk};
use clap::{Args, ValueEnum};
use std::{path::PathBuf, str::FromStr, time::Duration};

#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// Models
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<String>,
    /// How to search: `backward` from the bad states, forward by `views` of a few processes, or by memory `events`
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = Method::Auto)]
    pub(super) method: Method,
    /// Number of processes in a view [default: first 2, then 3]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(2..=3))]
    pub(super) view_size: Option<u8>,
    /// Test candidate invariants against instances with up to N processes: a number, `auto` or `off`
    #[arg(long, value_name = "N", default_value = "auto")]
    brab: Brab,
    #[command(flatten)]
    oracle: OracleFlags,
    /// Which cube is visited next
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = SearchOrder::Bfs)]
    search: SearchOrder,
    /// Do without a technique, to see what it is worth
    #[arg(long, value_enum, value_name = "TECHNIQUE")]
    without: Vec<Technique>,
    /// Write the certificate as SMT-LIB 2 into this folder, for `motet certify`
    #[arg(long, value_name = "DIR")]
    pub(super) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(super) workers: WorkerFlag,
    #[command(flatten)]
    pub(super) model: ModelFlags,
    #[command(flatten)]
    pub(super) deadlock: DeadlockFlag,
    #[command(flatten)]
    pub(super) limits: LimitFlags,
    #[command(flatten)]
    pub(super) trace: TraceFlag,
    #[command(flatten)]
    pub(super) diagram: DiagramFlag,
    #[command(flatten)]
    pub(super) graph: GraphFlag,
    /// How much the graph shows [default: invariant]
    #[arg(long, value_enum, value_name = "DETAIL", requires = "graph")]
    pub(super) graph_detail: Option<GraphDetail>,
    /// If there is no answer, explain why, and suggest what to try
    #[arg(long)]
    pub(super) explain: bool,
    #[command(flatten)]
    pub(super) output: OutputFlags,
}

/// `--method`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    /// A portfolio of both
    Auto,
    /// From the bad states backwards
    Backward,
    /// From the initial states forward, by views of a few processes
    Views,
    /// Of a weak model: backwards over memory events and their order
    Events,
}

/// The states of small instances that candidates are tested against.
#[derive(Debug, Args)]
struct OracleFlags {
    /// The order in which states for testing candidates are visited
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = OracleOrder::Auto)]
    oracle: OracleOrder,
    /// At most this many states for each number of processes [default: 200000; `--method auto` starts with 50000]
    #[arg(long, value_name = "NUMBER")]
    oracle_states: Option<usize>,
    /// Only states within this many steps of an initial state
    #[arg(long, value_name = "STEPS")]
    oracle_depth: Option<usize>,
    /// At most this much time to visit states, for each number of processes
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    oracle_time: Option<Duration>,
    #[command(flatten)]
    seed: SeedFlag,
}

impl OracleFlags {
    fn options(&self) -> OracleOptions {
        let seed = self.seed.seed.unwrap_or(0);
        let walk = match self.oracle {
            OracleOrder::Auto => None,
            OracleOrder::Bfs => Some(Walk::Breadth),
            OracleOrder::Dfs => Some(Walk::Depth),
            OracleOrder::Random => Some(Walk::Random { seed }),
            OracleOrder::Fuzz => Some(Walk::Fuzz { seed }),
        };
        let states = self.oracle_states.unwrap_or(OracleOptions::default().states);
        OracleOptions { walk, states, depth: self.oracle_depth, time: self.oracle_time }
    }

    /// Whether the seed has an effect.
    fn is_random(&self) -> bool {
        matches!(self.oracle, OracleOrder::Auto | OracleOrder::Random | OracleOrder::Fuzz)
    }
}

/// `--oracle`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OracleOrder {
    /// Near states first; if there are too many, also some far ones, by fuzzing
    Auto,
    /// Near states first
    Bfs,
    /// Depth first
    Dfs,
    /// Random runs
    Random,
    /// By fuzzing
    Fuzz,
}

/// `--brab`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Brab(Approximation);

impl FromStr for Brab {
    type Err = String;

    fn from_str(text: &str) -> Result<Brab, String> {
        match (text, text.parse()) {
            ("auto", _) => Ok(Brab(Approximation::Auto)),
            ("off", _) => Ok(Brab(Approximation::Off)),
            (_, Ok(processes)) if processes > 0 => Ok(Brab(Approximation::Processes(processes))),
            _ => Err("a number from 1, `auto` or `off`".into()),
        }
    }
}

/// Search orders, with the names that Cubicle gave them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchOrder {
    /// First in, first out
    Bfs,
    /// Last in, first out
    Dfs,
    /// Few literals first, then older ones
    Bfsh,
    /// Few literals first, then younger ones
    Dfsh,
    /// Few cells of arrays first, then older ones
    Bfsa,
    /// Few cells of arrays first, then younger ones
    Dfsa,
}

impl SearchOrder {
    fn order(self) -> Order {
        match self {
            SearchOrder::Bfs => Order::Bfs,
            SearchOrder::Dfs => Order::Dfs,
            SearchOrder::Bfsh => Order::Bfsh,
            SearchOrder::Dfsh => Order::Dfsh,
            SearchOrder::Bfsa => Order::Bfsa,
            SearchOrder::Dfsa => Order::Dfsa,
        }
    }
}

/// Techniques that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Technique {
    /// A cube that several visited ones subsume together is not visited
    #[value(alias = "union")]
    JointSubsumption,
    /// Visited cubes that a later one subsumes are deleted
    Deletion,
    /// The values that can occur at all are computed first
    Values,
    /// Cubes with more processes are visited later
    Postpone,
    /// Without candidates, the part of a cube about one process alone is tried by a short search of its own
    Inference,
    /// Where guards about all processes are in the way, auxiliary variables are added for the processes that they exclude
    #[value(alias = "witnesses")]
    AuxiliaryVariables,
    /// Without candidates, constraints on sums of numbers are weakened to comparisons
    Sums,
    /// Place invariants: sums of numbers and numbers of processes in places that no step changes
    Places,
}

impl ProveArgs {
    /// The options of the backward search.
    pub(super) fn options(&self) -> Options {
        let with = |technique: Technique| !self.without.contains(&technique);
        Options {
            approximation: self.brab.0,
            oracle: self.oracle.options(),
            order: self.search.order(),
            techniques: Techniques {
                joint_subsumption: with(Technique::JointSubsumption),
                deletion: with(Technique::Deletion),
                values: with(Technique::Values),
                postpone: with(Technique::Postpone),
                inference: with(Technique::Inference),
                auxiliary_variables: with(Technique::AuxiliaryVariables),
                sums: with(Technique::Sums),
                places: with(Technique::Places),
            },
            limits: self.limits.limits(),
            effort: Effort::Everything,
            threads: self.workers.count(),
            keep_history: self.graph.graph.is_some(),
            progress: None,
        }
    }

    /// Whether to run the portfolio. A flag that only the backward search supports selects that search.
    pub(super) fn is_portfolio(&self) -> bool {
        let is_plain =
            self.brab.0 == Approximation::Auto && self.graph.graph.is_none() && self.without.is_empty();
        self.method == Method::Auto && is_plain
    }

    /// Why the command line makes no sense, in a sentence.
    pub(super) fn refusal(&self) -> Option<String> {
        self.without_effect().or_else(|| self.unwritable())
    }

    /// Why no certificate can be written: for several models, or because of the folder.
    fn unwritable(&self) -> Option<String> {
        let folder = self.certificate.as_ref()?;
        if self.files.len() > 1 {
            return Some(format!("`--certificate` is for one model, and there are {}", self.files.len()));
        }
        try_folder(folder).err()
    }

    /// The first flag that has no effect with the method, in a sentence.
    fn without_effect(&self) -> Option<String> {
        let OracleFlags { oracle, oracle_states, oracle_depth, oracle_time, seed } = &self.oracle;
        let of_backward = [
            (self.brab.0 != Approximation::Auto, "--brab"),
            (*oracle != OracleOrder::Auto, "--oracle"),
            (oracle_states.is_some(), "--oracle-states"),
            (oracle_depth.is_some(), "--oracle-depth"),
            (oracle_time.is_some(), "--oracle-time"),
            (seed.seed.is_some(), "--seed"),
            (self.search != SearchOrder::Bfs, "--search"),
            (!self.without.is_empty(), "--without"),
            (self.graph.graph.is_some(), "--graph"),
        ];
        let by_views = matches!(self.method, Method::Views | Method::Events);
        let is_random = self.oracle.is_random() && self.brab.0 != Approximation::Off;
        if !by_views && seed.seed.is_some() && !is_random {
            return Some(
                "`--seed` has no effect: nothing is random without candidates, or with this order of states"
                    .into(),
            );
        }
        let of_views = [(self.view_size.is_some(), "--view-size")];
        let by_events = self.method == Method::Events;
        let mut without_effect: Vec<(bool, &str)> = Vec::new();
        without_effect.extend(of_backward.iter().filter(|_| by_views));
        without_effect.extend(of_views.iter().filter(|_| !by_views || by_events));
        let (_, flag) = without_effect.iter().find(|(given, _)| *given)?;
        let method =
            self.method.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        Some(format!("`{flag}` has no effect with `--method {method}`"))
    }
}
