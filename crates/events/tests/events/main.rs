//! Proofs by memory events: models for each rule, random models against exact store buffers, and certificates that are
//! tampered with.

mod corpus;
mod forgery;
mod generator;
mod judging;
mod machine;
mod models;
mod random;
mod refusals;
