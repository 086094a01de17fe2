//! The checker of certificates: every obligation is refuted by a ground search of our own.
//!
//! # Why this is enough
//!
//! Let `I` say that no cube of the certificate has a match. A model is safe for every number of processes if (I) no
//! initial state matches a cube, (S) no step leads from a state in `I` to one that matches a cube, and (P) no state in `I`
//! matches a property. A counterexample to one of these is a state (with a step) of some run with any number of
//! processes. The argument is that each counterexample shows up in one of finitely many *ground problems*, so that none
//! exists if all of these are unsatisfiable.
//!
//! 1. **Which processes are involved.** The processes that are named `#k`, those that the parameters of the transition and
//!    of the cube stand for, and those that the counterexample itself points at: a witness for each existential
//!    quantifier, and the value of each term that is an index or is compared by `<` ([`witnesses`]); where that is
//!    not enough, also the values of variables in what is said of all processes. All ways in which
//!    parameters of one item coincide with those of another or with named processes are gone through, and every number of
//!    further processes that may be pointed at. So for each counterexample there is a problem with just the processes
//!    that it involves, pairwise distinct; if these are none, any one of the run will do.
//! 2. **What the problem says about it.** The guard and the cube after the step are *goals*: over the involved processes
//!    they are exact, except that what holds for all processes is only asked of the involved ones, which is weaker. The
//!    cube after the step is read through the updates: the value of a cell is that of the first arm that applies.
//!    Hypotheses (no match of a cube, no match of an assumption, and in (I) `init` for all values of its parameters) are
//!    instantiated over the involved processes only, which is weaker too. An existential claim under a universal
//!    one is dropped. What is weaker has more solutions: the counterexample is still one.
//! 3. **What is not involved.** A cell may hold a process that is not involved. Such values can only be compared for
//!    equality; they are numbered by first occurrence, enough of them for every cell, so that every pattern of equalities
//!    is there. A hypothesis that reads a cell of such a process, or of an outsider, gets a value of which nothing
//!    is known. What a step does after a misuse does not matter: guards exclude it, and the misuse is a property.
//! 4. **What is left out.** That there is a process of each kind, how many processes there are and how many cells have
//!    a value: of `SYS_PROCS` it is only known that it is at least the number of involved processes, which are distinct,
//!    and within the bounds of the model; of `count` nothing is known. That is weaker again. What cannot be
//!    weakened soundly is refused: weak memory, and a variable that nothing binds.
//! 5. **What is taken from the typed form.** Initial states give each cell a value of its sort and domain. That steps keep
//!    it so (outsiders only where [`ir::Symbol::holds_outsiders`] says so, ranges and kinds because guards see to
//!    it) is an obligation of its own. Assumptions about symbols that change are not used.
//! 6. **The search.** It is a search for a solution that closes a branch only when a set of values becomes empty, linear
//!    constraints contradict each other, or a hypothesis matches outright. Numbers are exact; what
//!    does not fit into 128 bits, or takes too long, ends in [`Cause::Undecided`]. Before all hypotheses are spelt out it
//!    draws conclusions from those of which at most one literal is open, and tries those of which little is; an [`index`]
//!    leaves out those that cannot match. No branch is closed by what is left out.
//! 7. **Shortcuts.** Most problems are refuted by what they say of single cells, without being spelt out ([`fast`]). What
//!    is used there is part of the problem, for any number of further processes.
//!
//! A case that needs no problem: if a step changes no cell that the cube reads, a match after the step was one before.

mod direct;
mod fast;
mod ground;
mod hypotheses;
mod index;
mod linear;
mod obligations;
mod placements;
mod reading;
mod relevance;
mod search;
mod tree;
mod universe;
mod validity;
mod witnesses;
mod wording;

pub(crate) use obligations::relevant;
pub use obligations::{Cause, Checked, How, Obligation, Rejection, Stop, check, check_with};
pub(crate) use relevance::Relevant;
pub(crate) use validity::complaint;

/// Why a problem has no answer.
#[derive(Debug)]
pub(crate) enum Obstacle {
    /// Something has no ground form.
    Unsupported(String),
    /// The search takes too long, or numbers become too large.
    TooHard(String),
}
