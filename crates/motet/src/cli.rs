//! The command line.

use crate::{
    Exit, commands,
    commands::{
        cc::CompilerArgs, certify::CertifyArgs, check::CheckArgs, completions::CompletionsArgs,
        explore::ExploreArgs, fences::FencesArgs, fmt::FmtArgs, fuzz::FuzzArgs, hunt::HuntArgs,
        invariants::InvariantsArgs, litmus::LitmusArgs, merge::MergeArgs, protocol, prove::ProveArgs,
        replay::ReplayArgs, step::StepArgs, test::TestArgs,
    },
    output::{ended, noted},
    protocols,
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use program::Language;
use std::{ffi::OsString, io::Write};

/// Motet checks concurrent systems.
///
/// Without a command, it looks for bugs in each model (.cub) for two seconds, by fuzzing and by exploring instances with more and
/// more processes, and then tries to prove that there are none for any number of processes. It stops after 60 seconds, or after
/// `--limit-time`. A C program is tested for ten seconds. Protocols (.dcj) are checked, and both implementations are compared with them.
#[derive(Debug, Parser)]
#[command(name = "motet", version, max_term_width = 100, after_help = EXIT_CODES)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    main: HuntArgs,
}

const EXIT_CODES: &str = "Exit codes: 0 holds, 1 violated, 2 bad input or usage, 3 unknown.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Check models for errors and report all of them
    Check(CheckArgs),
    /// Explore all states of a model for a fixed number of processes
    Explore(ExploreArgs),
    /// Look for bugs by random walks that learn what pays off
    Fuzz(FuzzArgs),
    /// Prove a model safe for every number of processes, or find a violation
    Prove(ProveArgs),
    /// Step through a model: the interactive debugger
    Step(StepArgs),
    /// Replay a recorded trace and tell whether it still violates the property
    Replay(ReplayArgs),
    /// Check that a certificate is valid and proves a model safe
    Certify(CertifyArgs),
    /// Run a C program with threads under all schedules that matter
    Test(TestArgs),
    /// Join the reports of tests that explored a part of a program each
    Merge(MergeArgs),
    /// Compile or link a C program for `motet test`: use it in place of the compiler
    Cc(CompilerArgs),
    /// The same for C++
    #[command(name = "c++")]
    Cpp(CompilerArgs),
    /// Find out which fences a weak model needs
    Fences(FencesArgs),
    /// List the place invariants of a model: what its numbers say about how many processes are where
    Invariants(InvariantsArgs),
    /// Run litmus tests for x86 and list their final states
    Litmus(LitmusArgs),
    /// Check protocols, and draw them and their runs
    #[command(subcommand)]
    Protocol(Protocol),
    /// Format models and protocols in place
    Fmt(FmtArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

#[derive(Debug, Subcommand)]
enum Protocol {
    /// Check a protocol and its implementations, and temporal properties of their runs
    Check(protocol::CheckArgs),
    /// Draw the states of a protocol (DOT, SVG, Aldebaran)
    Graph(protocol::GraphArgs),
    /// Draw a recorded run as a sequence diagram (SVG, Mermaid)
    Diagram(protocol::DiagramArgs),
    /// Write a program in Rust, Java, C or Python that implements a protocol
    Generate(protocol::GenerateArgs),
    /// Watch the log of a program for deviations from a protocol, and for violated properties
    Monitor(protocol::MonitorArgs),
    /// Format protocols in place
    Fmt(FmtArgs),
}

pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    ended(command(arguments))
}

fn command(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli =
        Cli::command().try_get_matches_from(&arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    match cli {
        Ok(Cli { command: Some(Command::Check(args)), .. }) => commands::check::run(args),
        Ok(Cli { command: Some(Command::Explore(args)), .. }) => commands::explore::run(&args),
        Ok(Cli { command: Some(Command::Fuzz(args)), .. }) => commands::fuzz::run(&args),
        Ok(Cli { command: Some(Command::Prove(args)), .. }) => commands::prove::run(&args),
        Ok(Cli { command: Some(Command::Step(args)), .. }) => commands::step::run(&args),
        Ok(Cli { command: Some(Command::Replay(args)), .. }) => commands::replay::run(&args),
        Ok(Cli { command: Some(Command::Certify(args)), .. }) => commands::certify::run(&args),
        Ok(Cli { command: Some(Command::Test(args)), .. }) => commands::test::run(&args),
        Ok(Cli { command: Some(Command::Merge(args)), .. }) => commands::merge::run(&args),
        Ok(Cli { command: Some(Command::Cc(args)), .. }) => commands::cc::run(Language::C, &args),
        Ok(Cli { command: Some(Command::Cpp(args)), .. }) => commands::cc::run(Language::Cpp, &args),
        Ok(Cli { command: Some(Command::Fences(args)), .. }) => commands::fences::run(&args),
        Ok(Cli { command: Some(Command::Invariants(args)), .. }) => commands::invariants::run(&args),
        Ok(Cli { command: Some(Command::Litmus(args)), .. }) => commands::litmus::run(&args),
        Ok(Cli { command: Some(Command::Protocol(protocol)), .. }) => match protocol {
            Protocol::Check(args) => commands::protocol::check(&args),
            Protocol::Graph(args) => commands::protocol::graph(&args),
            Protocol::Diagram(args) => commands::protocol::diagram(&args),
            Protocol::Generate(args) => commands::protocol::generate(&args),
            Protocol::Monitor(args) => commands::protocol::monitor(&args),
            Protocol::Fmt(args) => commands::fmt::run(args),
        },
        Ok(Cli { command: Some(Command::Fmt(args)), .. }) => commands::fmt::run(args),
        Ok(Cli { command: Some(Command::Completions(args)), .. }) => commands::completions::run(&args),
        Ok(Cli { command: None, main }) => main_job(&main),
        Err(error) => {
            // Help and version are not errors, and neither is a closed pipe.
            let printed = error.print();
            if !error.use_stderr() {
                noted(printed.and_then(|()| std::io::stdout().flush()));
            }
            if error.use_stderr() { Exit::BadInput } else { Exit::Holds }
        }
    }
}

/// Runs the default command on files. A first file that does not exist may be a misspelt command.
fn main_job(args: &HuntArgs) -> Exit {
    let count = args.files.iter().filter(|file| protocols::is_protocol(file)).count();
    if count == args.files.len() {
        let HuntArgs { files, limits, trace, output, .. } = args;
        return commands::protocol::main_job(&protocol::Main { files, limits, trace, output });
    }
    if count > 0 {
        let output = crate::output::Output::new(args.output.clone());
        output.error("models and protocols cannot be checked together; name them separately");
        return Exit::BadInput;
    }
    let Some(command) = misspelt(args.first()) else { return commands::hunt::run(args) };
    let output = crate::output::Output::new(args.output.clone());
    output.error(&format!(
        "there is no command and no file `{}`; did you mean `motet {command}`?",
        args.first()
    ));
    Exit::BadInput
}

fn misspelt(word: &str) -> Option<String> {
    let looks_like_a_word = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    if !looks_like_a_word || std::path::Path::new(word).exists() {
        return None;
    }
    let commands: Vec<String> =
        Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    source::nearest(word, commands.iter().map(String::as_str)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn misspelt_commands_are_recognised() {
        assert_eq!(misspelt("chekc").as_deref(), Some("check"));
        assert_eq!(misspelt("mutex.cub"), None);
        assert_eq!(misspelt("src"), None);
    }
}
