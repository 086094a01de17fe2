//! What the checker answers: that a certificate is accepted, or what could not be shown.

use super::Obstacle;
use std::fmt;

/// The certificate is accepted: the model is safe for every number of processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checked {
    /// The number of ground problems that were refuted.
    pub problems: usize,
    /// The number of cases that need no problem, because the step changes nothing that the cube reads.
    pub plain: usize,
}

/// The certificate is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// What could not be shown.
    pub obligation: Obligation,
    /// The same in words.
    pub statement: String,
    /// Why it could not be shown.
    pub cause: Cause,
}

/// What must be shown. Items are given by their position in the model or in the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obligation {
    /// The model and the certificate are well formed, and supported.
    Form,
    /// No initial state matches the cube.
    Init {
        /// In [`ir::Model::init`].
        init: usize,
        /// In [`crate::Certificate::cubes`].
        cube: usize,
    },
    /// No step leads to a match of the cube.
    Step {
        /// In [`ir::Model::transitions`].
        transition: usize,
        /// In [`crate::Certificate::cubes`].
        cube: usize,
    },
    /// Steps keep the values of a symbol within its domain.
    Domain {
        /// In [`ir::Model::transitions`].
        transition: usize,
        /// In [`ir::Model::symbols`].
        symbol: usize,
    },
    /// Every state that matches the property matches a cube.
    Property {
        /// In [`ir::Model::properties`].
        property: usize,
    },
    /// Every run of the model is a run of the model with the auxiliary variables.
    Lift {
        /// Among the properties and transitions for which there is something to show.
        lift: usize,
    },
}

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// There may be a counterexample. What is known of its state before the step, in words.
    Counterexample(Vec<String>),
    /// The search was given up.
    Undecided(String),
    /// Something in the model or the certificate cannot be checked.
    Unsupported(String),
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.statement)?;
        match &self.cause {
            Cause::Counterexample(state) => write!(f, "not so where {}", state.join(", ")),
            Cause::Undecided(reason) => write!(f, "undecided, {reason}"),
            Cause::Unsupported(what) => write!(f, "cannot be checked, {what}"),
        }
    }
}

impl std::error::Error for Rejection {}

impl From<Obstacle> for Cause {
    fn from(obstacle: Obstacle) -> Cause {
        match obstacle {
            Obstacle::Unsupported(what) => Cause::Unsupported(what),
            Obstacle::TooHard(reason) => Cause::Undecided(reason),
        }
    }
}
