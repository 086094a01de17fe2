//! The compiler wrapper: `motet cc` and `motet c++`.
//!
//! Files are compiled with the instrumentation of `ThreadSanitizer`, and linked with our runtime in place of the sanitizer's.
//! Everything else on the command line is handed on.

use crate::{
    command_line::{CommandLine, Purpose},
    compiler::{self, Compiler, Language},
    runtime::{self, Runtime},
};
use std::{
    ffi::{OsStr, OsString},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// What became of a call of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// Whether it has succeeded.
    pub success: bool,
    /// What it has written to standard error, if that was asked for.
    pub messages: String,
}

/// Runs the compiler in place of which the wrapper was called. The error is a sentence.
pub fn wrap(language: Language, arguments: &[OsString]) -> Result<bool, String> {
    let compiler = Compiler::find(language)?;
    let wrapper = Wrapper { compiler, runtime: Runtime::unpack()?, quiet: false, folder: None };
    Ok(wrapper.run(arguments)?.success)
}

pub(crate) struct Wrapper {
    pub(crate) compiler: Compiler,
    pub(crate) runtime: Runtime,
    /// Keeps messages instead of showing them.
    pub(crate) quiet: bool,
    /// Where the compiler runs, if not here.
    pub(crate) folder: Option<PathBuf>,
}

impl Wrapper {
    pub(crate) fn run(&self, arguments: &[OsString]) -> Result<Compiled, String> {
        let line = CommandLine::read(arguments);
        let has_sources = line.sources().next().is_some();
        match line.purpose {
            Purpose::Ask => self.call(arguments.to_vec()),
            Purpose::Compile => self.call(self.instrumented(arguments)),
            Purpose::Join if !has_sources => self.call(arguments.to_vec()),
            Purpose::Link { .. } if line.is_static => Err(
                "a static executable cannot be tested: the runtime is a shared library; leave out `-static`"
                    .into(),
            ),
            Purpose::Link { .. } | Purpose::Join => self.link(&line),
        }
    }

    fn instrumented(&self, arguments: &[OsString]) -> Vec<OsString> {
        let flags = self.compiler.instrumentation().into_iter().map(OsString::from);
        flags.chain(arguments.iter().cloned()).chain(compiler::LAST.map(OsString::from)).collect()
    }

    /// Compiles what is to be compiled, and links.
    fn link(&self, line: &CommandLine) -> Result<Compiled, String> {
        let folder = TempDir::with_prefix("motet-cc-").map_err(|error| no_folder(&error))?;
        let mut messages = String::new();
        let object = |at: usize| folder.path().join(format!("{at}.o")).into_os_string();
        for (at, file, language) in line.sources() {
            let mut arguments = line.options();
            arguments.extend(["-c".into(), "-o".into(), object(at)]);
            arguments.extend(language.into_iter().flat_map(|language| ["-x".into(), language.clone()]));
            arguments.push(file.clone());
            let compiled = self.call(self.instrumented(&arguments))?;
            messages.push_str(&compiled.messages);
            if !compiled.success {
                return Ok(Compiled { success: false, messages });
            }
        }
        let mut arguments = match line.purpose {
            Purpose::Link { .. } => self.runtime_flags(),
            _ => vec![],
        };
        arguments.extend(line.linking(object));
        // The last one of several decides. Addresses of code are the same in every run then.
        if line.purpose == (Purpose::Link { shared: false }) {
            arguments.push("-no-pie".into());
        }
        let linked = self.call(arguments)?;
        messages.push_str(&linked.messages);
        Ok(Compiled { success: linked.success, messages })
    }

    /// What links the runtime. It comes first, so that the loader asks it before libc; in a group of its own, so that
    /// `--as-needed` does not drop it before anything has asked for it.
    fn runtime_flags(&self) -> Vec<OsString> {
        let folder = self.runtime.folder();
        let with = |prefix: &str| [OsStr::new(prefix), folder.as_os_str()].into_iter().collect::<OsString>();
        let mut flags: Vec<OsString> = vec![
            with("-L"),
            format!("-Wl,--push-state,--no-as-needed,-l{},--pop-state", runtime::NAME).into(),
            "-Wl,-z,now,--enable-new-dtags".into(),
            "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset".into(),
        ];
        // An argument with a comma cannot be handed on with `-Wl`.
        flags.extend(["-Xlinker".into(), "-rpath".into(), "-Xlinker".into(), folder.as_os_str().to_owned()]);
        flags
    }

    fn call(&self, arguments: Vec<OsString>) -> Result<Compiled, String> {
        let mut command = self.compiler.command();
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let response = add_arguments(&mut command, arguments)?;
        let done = if self.quiet {
            command.stdin(Stdio::null()).output().map(|output| {
                let messages = [output.stdout, output.stderr].concat();
                Compiled {
                    success: output.status.success(),
                    messages: String::from_utf8_lossy(&messages).into_owned(),
                }
            })
        } else {
            command.status().map(|status| Compiled { success: status.success(), messages: String::new() })
        };
        drop(response);
        done.map_err(|error| format!("cannot run the compiler: {error}"))
    }
}

/// The length of a command line, in bytes, that every system can pass on.
const LONGEST: usize = 64 << 10;

/// Adds arguments, in a response file if there are very many: kept until it is dropped.
fn add_arguments(command: &mut Command, arguments: Vec<OsString>) -> Result<Option<TempDir>, String> {
    if arguments.iter().map(|argument| argument.len() + 1).sum::<usize>() <= LONGEST {
        command.args(arguments);
        return Ok(None);
    }
    let folder = TempDir::with_prefix("motet-cc-").map_err(|error| no_folder(&error))?;
    let file = folder.path().join("arguments");
    write_response(&file, &arguments)
        .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    command.arg([OsStr::new("@"), file.as_os_str()].into_iter().collect::<OsString>());
    Ok(Some(folder))
}

fn write_response(file: &Path, arguments: &[OsString]) -> std::io::Result<()> {
    let mut text = std::io::BufWriter::new(fs::File::create(file)?);
    for argument in arguments {
        let quoted = argument.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "\"{quoted}\"")?;
    }
    text.flush()
}

pub(crate) fn no_folder(error: &std::io::Error) -> String {
    format!("cannot make a temporary folder in `{}`: {error}", std::env::temp_dir().display())
}
