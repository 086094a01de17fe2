//! The commands, one per file.

pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explore;
pub(crate) mod fmt;
pub(crate) mod fuzz;
pub(crate) mod hunt;
pub(crate) mod prove;
pub(crate) mod replay;
