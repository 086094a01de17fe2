//! Data of protocols: values, and the small language of expressions.

mod builtins;
mod evaluation;
mod number;
mod pattern;
mod value;

pub(crate) use builtins::{BUILTINS, is_builtin};
pub(crate) use evaluation::Scope;
pub use evaluation::{EvaluationError, Evaluator};
pub use value::Value;
