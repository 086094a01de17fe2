//! From sources to a program that can be tested.

use crate::{
    command_line::{is_cpp, is_source},
    compiler::{Compiler, Language},
    executable::{Executable, Linked, is_elf},
    recipe::Recipe,
    runtime::Runtime,
    wrapper::{Wrapper, no_folder},
};
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A program that can be tested.
#[derive(Debug)]
pub struct Program {
    /// How it was made.
    pub recipe: Recipe,
    pub(crate) path: PathBuf,
    pub(crate) executable: Executable,
    /// Where the loader finds the runtime.
    pub(crate) libraries: PathBuf,
    /// Removed with the program.
    _folder: Option<TempDir>,
    /// What the compiler had to say, though it has succeeded.
    pub warnings: String,
}

/// Why there is no program to test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// The compiler or the linker has refused the sources, with its own messages.
    Compiler(String),
    /// Anything else, in a sentence.
    Other(String),
}

impl From<String> for NoProgram {
    fn from(message: String) -> NoProgram {
        NoProgram::Other(message)
    }
}

impl Program {
    /// Builds the program, in a temporary folder, or looks at the executable that the recipe names.
    pub fn make(recipe: Recipe) -> Result<Program, NoProgram> {
        for file in &recipe.files {
            readable(&recipe.path(file), file)?;
        }
        let runtime = Runtime::unpack()?;
        match &recipe.files[..] {
            [] => Err(NoProgram::Other("there is nothing to test".into())),
            [one] if !is_source(one.as_ref()) && is_elf(&recipe.path(one)) => {
                Program::existing(recipe, &runtime)
            }
            _ => Program::build(recipe, runtime),
        }
    }

    fn existing(recipe: Recipe, runtime: &Runtime) -> Result<Program, NoProgram> {
        if !recipe.macros.is_empty() || !recipe.compiler_arguments.is_empty() {
            let message =
                format!("`{}` is built already: `-D` and `--cc-arg` are for sources", recipe.name());
            return Err(NoProgram::Other(message));
        }
        let path = recipe.path(recipe.name());
        Program::new(recipe, path, runtime, None, String::new())
    }

    fn build(recipe: Recipe, runtime: Runtime) -> Result<Program, NoProgram> {
        let is_input =
            |file: &&String| !is_source(file.as_ref()) && !is_elf(&recipe.path(file)) && !is_archive(file);
        if let Some(wrong) = recipe.files.iter().find(is_input) {
            return Err(NoProgram::Other(format!(
                "`{wrong}` is neither a source of C or C++ nor an executable"
            )));
        }
        let cpp = recipe.files.iter().any(|file| is_cpp(file.as_ref()));
        let compiler = Compiler::find(if cpp { Language::Cpp } else { Language::C })?;
        let folder = TempDir::with_prefix("motet-test-").map_err(|error| no_folder(&error))?;
        let stem = Path::new(recipe.name()).file_stem().unwrap_or(OsStr::new("program"));
        let path = folder.path().join(stem);
        let wrapper = Wrapper { compiler, runtime, quiet: true, folder: Some(recipe.folder.clone()) };
        let built = wrapper.run(&arguments(&recipe, &path))?;
        if !built.success {
            return Err(NoProgram::Compiler(built.messages));
        }
        Program::new(recipe, path, &wrapper.runtime, Some(folder), built.messages)
    }

    fn new(
        recipe: Recipe,
        path: PathBuf,
        runtime: &Runtime,
        folder: Option<TempDir>,
        warnings: String,
    ) -> Result<Program, NoProgram> {
        let executable = Executable::look(&path)?;
        let libraries = match executable.linked {
            Linked::Runtime => runtime.folder().to_owned(),
            Linked::Sanitizer => runtime.sanitizer_folder(),
        };
        Ok(Program { recipe, path, executable, libraries, _folder: folder, warnings })
    }

    /// The address of a function when the program runs. The error is a sentence.
    pub fn function(&self, name: &str) -> Result<u64, String> {
        self.executable.functions.get(name).map(|at| at + self.executable.base).ok_or_else(|| {
            format!("there is no function `{name}` in the program; a `static` one that nobody calls is left out by compilers")
        })
    }

    /// A fingerprint of its code, so that a replay can tell whether it has changed.
    pub fn hash(&self) -> &str {
        &self.executable.hash
    }
}

fn is_archive(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|ending| ending == "a")
}

fn readable(path: &Path, file: &str) -> Result<(), String> {
    match std::fs::File::open(path).and_then(|file| file.metadata()) {
        Ok(metadata) if metadata.is_dir() => Err(format!("`{file}` is a folder")),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot read `{file}`: {error}")),
    }
}

fn arguments(recipe: &Recipe, path: &Path) -> Vec<OsString> {
    let macros = recipe.macros.iter().map(|one| format!("-D{one}").into());
    // Linkers look into a library only for what was asked for before it.
    let (libraries, more): (Vec<&String>, Vec<&String>) =
        recipe.compiler_arguments.iter().partition(|argument| argument.starts_with("-l"));
    let files = recipe.files.iter().chain(libraries).map(OsString::from);
    let ending = ["-lm".into(), "-o".into(), path.as_os_str().to_owned()];
    macros.chain(more.into_iter().map(OsString::from)).chain(files).chain(ending).collect()
}
