//! Litmus tests of x86: small programs whose final states tell memory models apart.
//!
//! [`parse`] reads the format of the tools diy and herd. [`Test::run`] explores the program on a machine with exact
//! store buffers ([`Memory::Tso`], the abstract machine of Owens, Sarkar and Sewell: *A better x86 memory model:
//! x86-TSO*, TPHOLs 2009) or without them ([`Memory::Sc`]), by the search of the crate `explore`, and gives an
//! [`Outcome`]: all final states, and whether the condition of the test is met. An outcome is printed as herd prints it.
//!
//! What this crate must not know: models, commands, files. Outcomes are data; [`std::fmt::Display`] is for people.
//!
//! ```
//! let text = r"X86 SB
//! { x=0; y=0; }
//!  P0          | P1          ;
//!  MOV [x],$1  | MOV [y],$1  ;
//!  MOV EAX,[y] | MOV EAX,[x] ;
//! exists (0:EAX=0 /\ 1:EAX=0)
//! ";
//! let test = litmus::parse(&source::Source::new("SB.litmus", text)).expect("no mistakes");
//! let outcome = test.run(litmus::Memory::Tso, &explore::Limits::default());
//! assert_eq!(outcome.states.len(), 4);
//! assert!(outcome.to_string().starts_with("Test SB Allowed\nStates 4\n0:EAX=0; 1:EAX=0;\n"));
//! assert_eq!(test.run(litmus::Memory::Sc, &explore::Limits::default()).positive, 0);
//! ```

#![allow(clippy::result_large_err, reason = "an error ends the reading of something, so that there are few")]

mod alu;

mod condition;
mod cursor;
mod flags;
mod formula_parser;
mod header;
mod herd;
mod initial;
mod instructions;
mod lexer;
mod machine;
mod names;
mod outcome;
mod parser;
mod program;
mod register;
mod table;

pub use alu::{Alu, Width};
pub use condition::{Condition, Formula, Place, Quantifier};
pub use machine::{Action, Machine, Memory, State};
pub use outcome::{FinalState, Observation, Outcome};
pub use parser::parse;
pub use program::{Effect, Instruction, Jump, Location, Op, Program, Test, Thread, Value};
pub use register::Register;
