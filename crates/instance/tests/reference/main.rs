//! The compiled engine and the typed form against the meaning of the text, which the crate `reference` interprets.
//!
//! That interpreter shares neither the lowering nor the typed form with the rest of the project. Its results are
//! compared with the expectations in models, with an interpreter of the typed form, and with the engine.

mod against_engine;
mod agreement;
mod compiled;
mod corners;
mod engine;
mod models;

use reference::{graph, instance, number, reading, search, state, tree};

/// The interpreter of the typed form.
#[path = "../meaning"]
mod meaning {
    pub(crate) mod evaluation;
    pub(crate) mod expectation;
    pub(crate) mod initial;
    pub(crate) mod instance;
    pub(crate) mod search;
    pub(crate) mod steps;
    pub(crate) mod value;
}
