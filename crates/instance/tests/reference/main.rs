//! The meaning of a model, transcribed from the definition of the language, as an oracle for everything else.
//!
//! An interpreter that works from the parsed tree alone: it shares neither the lowering nor the typed form with the
//! rest of the crate, and does nothing clever. Its results are compared with the expectations in models, and with an
//! interpreter of the typed form. Memory is sequentially consistent.

mod against_engine;
mod agreement;
mod compiled;
mod corners;
mod engine;
mod evaluation;
mod graph;
mod initial;
mod instance;
mod linear;
mod models;
mod number;
mod outsiders;
mod reading;
mod scope;
mod search;
mod state;
mod statements;
mod steps;
mod threads;
mod tree;

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
