//! The checker of certificates: every obligation is reduced to finitely many ground problems, and a search of its own shows
//! that none of them has a solution.
//!
//! # Why an accepted certificate proves the model safe
//!
//! Let `I` be the set of states that match no cube of the certificate. A model is safe for every number of processes if
//!
//! - **(I)** no initial state matches a cube,
//! - **(S)** no step leads from a state in `I` to a state that matches a cube, and
//! - **(P)** no state in `I` matches a property.
//!
//! A counterexample to one of these obligations is a state, with a step in the case of (S), of an instance with any number of
//! processes. We show that every counterexample gives rise to a solution of one of finitely many *ground problems*, each over a
//! fixed number of processes. If the search finds that none of these has a solution, there is no counterexample.
//!
//! 1. **The involved processes.** A counterexample *involves* the named processes `#k`, the processes that the parameters of
//!    the transition and of the cube stand for, and those that it points at itself: an existential witness for each variable of
//!    an existential quantifier, and the value of each term that is an index or is compared by `<` ([`witnesses`]). Where that
//!    does not suffice for a refutation, the values of terms in what is required of all processes are involved as well. The
//!    checker enumerates all ways in which parameters of the transition, parameters of the cube and named processes may
//!    coincide, and every number of further processes that may be pointed at. So for each counterexample there is a ground
//!    problem over exactly the processes that it involves, pairwise distinct. If it involves none, any process of the
//!    instance is taken.
//! 2. **Goals and hypotheses.** The guard and the cube after the step are *goals*. Over the involved processes they are
//!    exact, except that a universal quantifier ranges over the involved processes only, which makes the goal weaker. The cube
//!    after the step is evaluated through the updates: the new value of a cell is that of the first arm that applies.
//!    *Hypotheses* (no cube matches, no assumption is violated, and for (I) `init` for all values of its parameters) are
//!    instantiated with the involved processes only, which makes them weaker too. An existential quantifier below a
//!    universal one is dropped. A weaker problem has more solutions, so that the counterexample remains one.
//! 3. **Processes that are not involved.** A cell may hold a process that is not involved. Such values can only be compared for
//!    equality. They are numbered by first occurrence, with enough numbers for every cell, so that every pattern of
//!    equalities is represented. If a hypothesis reads a cell of such a process, or of an outsider, the result is a fresh value
//!    about which nothing is known. What a step does after a misuse does not matter: guards exclude it, and the misuse
//!    itself is a property.
//! 4. **What is not modelled.** The checker does not use that there is a process of each kind, and knows little about numbers
//!    of processes and cells: `SYS_PROCS` is at least the number of involved processes, which are distinct, and within the bounds
//!    of the model; a `count` may be anything. This is weaker again. What cannot be weakened soundly is refused: weak
//!    memory, and a variable that nothing binds.
//! 5. **What is taken for granted.** In initial states each cell has a value of its sort and domain; this is part of what the
//!    typed form means. That steps preserve it (a symbol holds outsiders only where [`ir::Symbol::holds_outsiders`] allows
//!    it, ranges and kinds are preserved because guards ensure it) is an obligation of its own. Assumptions about symbols that
//!    change are not used.
//! 6. **The search.** It looks for a solution, and closes a branch only when a cell has no possible value left, when linear
//!    constraints contradict each other, or when a hypothesis is violated outright. Arithmetic is exact; if numbers exceed
//!    128 bits or the search takes too long, the result is [`Cause::Undecided`]. Before all hypotheses are instantiated, the
//!    search draws conclusions from those with at most one open literal, and instantiates those with few open literals first;
//!    an [`index`] skips those that cannot match. Using fewer hypotheses never closes a branch.
//! 7. **Shortcuts.** Most problems are refuted by what they require of single cells, without being written out ([`fast`]).
//!    A shortcut uses only conjuncts of the problem, and they are the same for any number of further processes.
//!
//! One case needs no problem at all: if a step changes no cell that the cube reads, a match after the step was one before it.
//!
//! A certificate may add auxiliary variables to the model, and counters. Why that is sound is argued in [`crate::auxiliary`] and
//! [`crate::counters`]; the obligations that come with it are checked like all others. What is supposed of counters is in
//! [`counting`].

mod counting;
mod direct;
mod fast;
pub(crate) mod ground;
pub(crate) mod hypotheses;
mod index;
mod linear;
mod obligations;
mod options;
mod outcome;
pub(crate) mod placements;
mod promises;
pub(crate) mod reading;
mod relevance;
pub(crate) mod search;
pub(crate) mod tree;
pub(crate) mod universe;
mod validity;
pub(crate) mod witnesses;
pub(crate) mod wording;

pub use obligations::{check, check_with};
pub(crate) use obligations::{domains_hold, include, include_init, relevant};
pub use options::{CheckOptions, Stop};
pub use outcome::{Cause, Checked, Obligation, Rejection};
pub(crate) use relevance::Relevant;
pub(crate) use validity::complaint;

/// Why a ground problem could not be decided.
#[derive(Debug)]
pub(crate) enum Obstacle {
    /// A construct has no ground form.
    Unsupported(String),
    /// The search takes too long, or numbers get too large.
    TooHard(String),
}
