//! Random models in the `.cub` language, as source text, for differential testing of everything that reads models.
//!
//! [`random_model`] writes a well-formed model: every static rule of the language holds, so a checker that refuses one is
//! wrong, or this crate is. [`mutate`] damages any text, for tests of parsers that must survive all of it. A [`Barrier`] hides a bug
//! behind a synchronisation barrier, for tests of what looks for bugs.
//!
//! The generator carries a small typed context: a `Signature` of what is declared, and a `Scope` that
//! says what the place at hand may see. Terms and formulas are drawn by type from these two; each construct has its file.
//! This crate knows no other crate of the project: it must not share a mistake with what it tests.

mod barrier;
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
pub use features::{Feature, Features};
pub use mutate::mutate;

/// How large a model gets. Fixed instances of a small one have from a handful to some thousands of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// At most two globals, one array of each shape, three transitions.
    Small,
    /// What a person would call a small model.
    Medium,
    /// For parsers and formatters: too large to explore in most cases.
    Large,
}

/// What to generate. Equal options give equal models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where chance starts.
    pub seed: u64,
    /// How large the model gets.
    pub size: Size,
    /// What it may contain.
    pub features: Features,
}

/// The source text of a random well-formed model.
pub fn random_model(options: &Options) -> String {
    generator::Generator::new(options).model()
}
