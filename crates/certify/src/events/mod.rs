//! Certificates about memory events, and their checking.
//!
//! # What a cube means
//! Take a run of the model under x86-TSO, and let it go on until all store buffers are empty. Put its steps into an order of their
//! own, by the moment at which each is *done*: for a step that writes, when what it writes reaches memory; for any other, when
//! it is taken or when the last earlier write of its process reaches memory, whatever comes later. This order respects each
//! program, since a process empties its buffer first in, first out. It lists all writes as memory sees them. And a write comes
//! before every step that sees it. Registers belong to one process each, so that after the first `k` steps of this order,
//! they have the values that these steps gave to them, whenever the steps were really taken.
//!
//! A *beginning* of the run consists of the first `k` steps of this order. A cube matches a beginning if there are distinct
//! processes for its processes, and for each of its instants a moment at which a later step is taken, or the end of the run, such
//! that, in real time,
//! - registers have the required values after the beginning, and at each instant the reader would see the required value of
//!   a location; each such read is *open*: it sees a write of the beginning, or the initial memory. At the moment of a step, the reader is the
//!   process that takes it;
//! - an instant is before another if the cube says so;
//! - all steps of the beginning that a process of `after_steps` takes are taken before the instant, and all writes of the beginning by a
//!   process of `after_writes` reach memory before it;
//! - for a location of `after_writes_to`, there is a later write to it that reaches memory no later than the instant.
//!
//! # Why an accepted certificate proves the model safe
//! Suppose that some run ends in a state that matches a property. The whole run is a beginning, and a cube matches it: that is
//! an obligation. Then a cube matches every shorter beginning as well, which is the obligation about steps, down to the empty one.
//! But that no cube matches an initial state is an obligation too.
//!
//! For a step of process `p` that is the last one of a beginning, these facts are used; each is a line of `order.rs`.
//! - The step is taken before an instant whose `after_steps` has `p`, and before one whose `after_writes_to` is not empty: it is
//!   done before that later write.
//! - What it writes reaches memory before an instant whose `after_writes` has `p`, and, if it writes a location of `after_writes_to`,
//!   before that instant, because writes to a location are listed as memory sees them.
//! - If it writes the location of an open read of `p` itself, the read sees it: a process sees its own youngest write, or one that
//!   reached memory after that, and nothing of the beginning did.
//! - If it writes the location of an open read of another process, the read sees it, and then it has reached memory before that
//!   instant; or the read sees an older write, and then it reaches memory after that instant.
//! - Earlier steps of `p` are taken before it, and earlier writes of `p` reach memory before what it writes does. If its buffer is
//!   empty, they reach memory before it is taken. An atomic step writes to memory at the moment at which it is taken.
//! - What is before an instant is before all later ones. If an instant comes out as before itself, there is no such step.
//!
//! With the order of events settled, what is left are ground problems, one for each way in which a step may write and
//! be seen: is there a state in which the step can be taken, after which the cube matches, and before which no cube does? They are searched as for
//! other certificates, see the argument in `check/mod.rs`. Reads at the moment of a step are cells of weak symbols in such a problem; open
//! reads of the cube are symbols of their own.
//!
//! If a step changes no register that the cube speaks about, and none of its reads sees it, no problem is needed: the cube matches before
//! the step as well.

mod certificate;
mod check;
mod covering;
mod extension;
mod formulas;
mod json;
mod order;
mod problem;
mod step;
mod validity;

pub use certificate::{Certificate, Cube, Instant, Literal, Location, Value, Variable, Who};
pub use check::{check, check_with};

/// The file of such a certificate in its folder.
pub const EVENTS: &str = "events.json";
