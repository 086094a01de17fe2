//! Certificates of small models: each is accepted, and it is noticed if anything is removed from one.
//!
//! A model of `tests/models` carries its certificate: what stands after the line `(* certificate *)` is written as
//! `unsafe` items, and together with the properties of the model these are the cubes.

mod auxiliary;
mod corruption;
mod counters;
mod mining;
mod models;
mod obligations;
mod promises;
mod random;
mod reachable;
mod reading;
mod solver;
mod support;
mod traps;

// The interpreter that says what the typed form means.
#[path = "../../../instance/tests/meaning/evaluation.rs"]
mod evaluation;
#[path = "../../../instance/tests/meaning/initial.rs"]
mod initial;
#[path = "../../../instance/tests/meaning/instance.rs"]
mod instance;
#[path = "../../../instance/tests/meaning/search.rs"]
#[allow(dead_code, reason = "the search of the interpreter itself is not used here")]
mod search;
#[path = "../../../instance/tests/meaning/steps.rs"]
mod steps;
#[path = "../../../instance/tests/meaning/value.rs"]
mod value;
