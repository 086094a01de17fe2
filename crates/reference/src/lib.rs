//! The meaning of a model, transcribed from the definition of the language, as an oracle for everything else.
//!
//! An interpreter that works from the parsed tree alone: of `model` it uses the syntax, never the lowering, and it does
//! nothing clever. Numbers in parentheses are sections of that definition. [`search`] and [`graph`] visit all states
//! of an instance; [`bounded`] visits as many as it may, for models whose store buffers have no bound.
//!
//! For tests only: everything is public, and what is wrong ends in a panic.

#![allow(missing_docs, reason = "the names are those of the language")]

pub mod bounded;
pub mod buffers;
pub mod evaluation;
pub mod graph;
pub mod initial;
pub mod instance;
pub mod linear;
pub mod number;
pub mod outsiders;
pub mod reading;
pub mod scope;
pub mod search;
pub mod state;
pub mod statements;
pub mod steps;
pub mod threads;
pub mod tree;
