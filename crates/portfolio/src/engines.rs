//! The engines of the portfolio, one per file.

pub(crate) mod backward;
pub(crate) mod fuzzing;
pub(crate) mod small_instances;
pub(crate) mod views;
