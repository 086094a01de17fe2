//! `motet protocol generate`: programs from protocols, and whether they do what the protocol says.

use super::{COMMAND, refuse};
use crate::{
    Exit,
    flags::{LimitFlags, OutputFlags, TraceFlag},
    output::{Output, write_file, write_stdout},
    protocols::{
        self, Instance, InstanceFlags, NoInstance, building,
        checking::{self, Questions},
    },
    report::Report,
    telling,
};
use ::protocol::{GeneratedFile, Language, Runs, Style, Wishes};
use clap::Args;
use std::{fs, path::PathBuf};

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// A protocol (.dcj)
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    instance: InstanceFlags,
    /// The language: rust, java, c, python
    #[arg(long, value_name = "LANGUAGE")]
    lang: Language,
    /// How it is implemented: strict (one state that all roles share) or liberal (a machine for each role)
    #[arg(long, value_name = "STYLE")]
    style: Style,
    /// The most messages of each channel; a send waits until there is room
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    capacity: Option<u16>,
    /// What the module or class is called [default: the session]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The type of the values of a message type, in Rust, such as `Move=crate::game::Move`; others carry no value
    #[arg(long = "type", value_name = "NAME=TYPE")]
    types: Vec<String>,
    /// In Rust: also a type for each state of each role, so that what is not allowed does not compile
    #[arg(long)]
    typed: bool,
    /// In Rust: messages can be written and read (with serde), and roles can be in different processes
    #[arg(long)]
    tcp: bool,
    /// Build the program and compare it with the protocol: java, c, python
    #[arg(long)]
    verify: bool,
    /// The folder for the files [default: the program on standard output]
    #[arg(long, short = 'o', value_name = "FOLDER", id = "to")]
    to: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn generate(args: &GenerateArgs) -> Exit {
    let output = Output::new(args.output.clone());
    let output = if args.to.is_none() && !args.verify { output.leave_stdout() } else { output };
    let mut report = Report::new(COMMAND, std::slice::from_ref(&args.file));
    let exit =
        generated(args, &output, &mut report).unwrap_or_else(|message| refuse(message, &output, &mut report));
    output.document(&report);
    exit
}

fn generated(args: &GenerateArgs, output: &Output, report: &mut Report) -> Result<Exit, String> {
    let limits = protocols::limits(&args.limits);
    let instance = match protocols::load(&args.file, &args.instance, &limits, output, report) {
        Ok(instance) => instance,
        Err(NoInstance::Bad) => return Ok(Exit::BadInput),
        Err(NoInstance::Limit(reason)) => return Ok(telling::unknown(output, report, reason)),
    };
    let implementation = instance.implementation(args.style)?.with_capacity(args.capacity.map(usize::from));
    let files = ::protocol::generate(&implementation, args.lang, &wishes(args, &instance)?)?;
    match &args.to {
        Some(folder) => write(folder, &files, output)?,
        None if args.verify => {}
        None if output.human() => write_stdout(files[0].text.trim_end()),
        None => {}
    }
    if args.verify { verify(args, &instance, &files, output, report) } else { Ok(Exit::Holds) }
}

fn wishes(args: &GenerateArgs, instance: &Instance) -> Result<Wishes, String> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, kind)) if !name.is_empty() && !kind.is_empty() => Ok((name.to_owned(), kind.to_owned())),
        _ => Err(format!("`--type {text}`: write `--type Move=crate::game::Move`")),
    };
    let file = std::path::Path::new(instance.file())
        .file_name()
        .map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    let values: Vec<String> = instance.values.iter().map(|value| format!(" {value}")).collect();
    Ok(Wishes {
        name: args.name.clone().unwrap_or_else(|| instance.session.clone()),
        origin: format!("{file} (session `{}`{}, {})", instance.session, values.concat(), args.style),
        types: args.types.iter().map(pair).collect::<Result<_, _>>()?,
        tcp: args.tcp,
        typed: args.typed,
    })
}

fn write(folder: &std::path::Path, files: &[GeneratedFile], output: &Output) -> Result<(), String> {
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder `{}`: {error}", folder.display()))?;
    for file in files {
        let path = folder.join(&file.name);
        write_file(&path, &file.text)?;
        output.result(&format!("{}", path.display()));
    }
    Ok(())
}

/// Builds the files in a folder of their own, and compares the program with the protocol by calling it.
fn verify(
    args: &GenerateArgs,
    instance: &Instance,
    files: &[GeneratedFile],
    output: &Output,
    report: &mut Report,
) -> Result<Exit, String> {
    let built = match building::build(args.lang, files)? {
        Ok(built) => built,
        Err(missing) => {
            output.warn(report, "skipped", format!("not compared with the protocol: {missing}"));
            return Ok(Exit::Unknown);
        }
    };
    let trace = TraceFlag { trace: None };
    let questions = Questions {
        command: COMMAND,
        runs: Runs::default(),
        capacity: args.capacity.map(usize::from),
        asked: &[],
        limits: &protocols::limits(&args.limits),
        trace: &trace,
        drive: Some(&built.command),
    };
    checking::answer(instance, args.style, &questions, output, report)
}
