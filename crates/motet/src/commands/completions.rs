//! `motet completions SHELL`

use crate::{Exit, cli::Cli, output::noted};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "motet", &mut script);
    let mut stdout = std::io::stdout();
    noted(stdout.write_all(&script).and_then(|()| stdout.flush()));
    Exit::Holds
}
