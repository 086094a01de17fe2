//! `motet cc` and `motet c++`: compilers for programs that are to be tested.

use crate::{Exit, flags, output::Output};
use clap::Args;
use program::Language;
use std::ffi::OsString;

#[derive(Debug, Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub(crate) struct CompilerArgs {
    /// What the compiler is called with
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

pub(crate) fn run(language: Language, args: &CompilerArgs) -> Exit {
    match program::wrap(language, &args.arguments) {
        Ok(true) => Exit::Holds,
        // The compiler has said why.
        Ok(false) => Exit::BadInput,
        Err(message) => {
            Output::new(flags::OutputFlags::default()).error(&message);
            Exit::BadInput
        }
    }
}
