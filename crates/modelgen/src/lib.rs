//! Random models in the `.cub` language, as source text, for differential testing of everything that reads models.
//!
//! [`random_model`] writes a well-formed model: it satisfies every static rule of the language, so if a checker
//! rejects it, one of the two has a bug. [`mutate`] damages any text, for robustness tests of parsers. A [`Barrier`]
//! hides a bug behind a synchronisation barrier, for tests of engines that look for bugs.
//!
//! The generator keeps a small typed context: a `Signature` of all declarations, and a `Scope` with what is visible
//! at the current point. Terms and formulas are drawn by type from these two; each construct has its own file. This
//! crate knows no other crate of the project: it must not share a mistake with what it tests.

mod barrier;
mod counting;
mod declarations;
mod features;
mod formula;
mod generator;
mod init;
mod layout;
mod mutate;
mod names;
mod numbers;
mod piece;
mod predicate;
mod property;
mod quantifier;
mod rng;
mod scope;
mod symbols;
mod temporal;
mod term;
mod threads;
mod transition;
mod update;
mod weak;

pub use barrier::Barrier;
pub use counting::counting_model;
pub use features::{Feature, Features};
pub use mutate::mutate;

/// The size of a model. Instances of a small one have from a handful to some thousands of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// At most two globals, one array of each shape, three transitions.
    Small,
    /// About the size of a small model written by hand.
    Medium,
    /// For parsers and formatters: too large to explore in most cases.
    Large,
}

/// What to generate. Equal options give equal models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed of the random number generator.
    pub seed: u64,
    /// The size of the model.
    pub size: Size,
    /// The constructs that may occur in it.
    pub features: Features,
}

/// The source text of a random well-formed model.
pub fn random_model(options: &Options) -> String {
    generator::Generator::new(options).model()
}
