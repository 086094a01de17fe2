//! The `.cub` model language.

pub mod syntax;
