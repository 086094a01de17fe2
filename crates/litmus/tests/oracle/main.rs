//! The machine against an oracle that knows no buffers: all candidate executions, and the axioms of the memory model.
//!
//! For programs without loops the oracle enumerates all ways to read from stores, and to order the stores to a
//! location, and keeps the executions that satisfy the axioms.
//! It must find the same final states as the machine, on every test of the project and on random ones.

mod axioms;
mod candidates;
mod compare;
mod random;
mod relation;
mod thread;
