//! Lines from a terminal: editing, history, completion, colours.

use ::step::{Completion, Vocabulary, complete, hint, topic};
use rustyline::{
    ColorMode, CompletionType, Config, Context, Editor,
    completion::{Completer, FilenameCompleter, Pair},
    error::ReadlineError,
    highlight::{CmdKind, Highlighter},
    hint::Hinter,
    history::DefaultHistory,
    validate::Validator,
};
use std::{
    borrow::Cow,
    env, fs,
    io::{self, Write},
    path::PathBuf,
};

/// What came from the keyboard.
pub(super) enum Input {
    Line(String),
    /// Ctrl-C
    Interrupted,
    /// Ctrl-D
    End,
}

/// An editor for lines, with a history that outlives the session.
pub(super) struct Reader {
    editor: Editor<Assistant, DefaultHistory>,
    history: Option<PathBuf>,
}

impl Reader {
    pub(super) fn new(paints: bool) -> io::Result<Reader> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .color_mode(if paints { ColorMode::Enabled } else { ColorMode::Disabled })
            .auto_add_history(false)
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(Assistant {
            files: FilenameCompleter::new(),
            vocabulary: Vocabulary::default(),
        }));
        let history = history_file();
        if let Some(file) = &history {
            // There is no history the first time.
            let _ = editor.load_history(file);
        }
        Ok(Reader { editor, history })
    }

    /// Sets the words for completion.
    pub(super) fn prepare(&mut self, vocabulary: Vocabulary) {
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.vocabulary = vocabulary;
        }
    }

    pub(super) fn read(&mut self, prompt: &str) -> io::Result<Input> {
        let input = self.ask(prompt)?;
        if let Input::Line(line) = &input {
            // A line that is missing in the history is not worth an error.
            let _ = self.editor.add_history_entry(line.as_str());
        }
        Ok(input)
    }

    /// Reads a line that does not go into the history.
    pub(super) fn ask(&mut self, prompt: &str) -> io::Result<Input> {
        match self.editor.readline(prompt) {
            Ok(line) => Ok(Input::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Input::Interrupted),
            Err(ReadlineError::Eof) => Ok(Input::End),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    /// Writes the history for the next session, if that is possible.
    pub(super) fn leave(&mut self) {
        let Some(file) = &self.history else { return };
        if let Some(folder) = file.parent() {
            let _ = fs::create_dir_all(folder);
        }
        let _ = self.editor.save_history(file);
        let _ = io::stdout().flush();
    }
}

/// The file of the history: in the folder for the state of programs, by the XDG convention.
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("motet").join("step-history"))
}

/// Completion, hints and colours while a line is typed.
struct Assistant {
    files: FilenameCompleter,
    vocabulary: Vocabulary,
}

impl rustyline::Helper for Assistant {}

impl Validator for Assistant {}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        match complete(&self.vocabulary, &line[..at]) {
            Completion::File => self.files.complete(line, at, context),
            Completion::Words(start, words) => {
                let pair = |word: String| Pair { display: word.clone(), replacement: word };
                Ok((start, words.into_iter().map(pair).collect()))
            }
        }
    }
}

impl Hinter for Assistant {
    type Hint = String;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<String> {
        (at == line.len()).then(|| hint(line)).flatten().map(str::to_owned)
    }
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        if topic(&line[..end]).is_none() {
            return Cow::Borrowed(line);
        }
        Cow::Owned(format!("{BOLD}{}{PLAIN}{}", &line[..end], &line[end..]))
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(format!("{GREEN}{prompt}{PLAIN}"))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("{DIM}{hint}{PLAIN}"))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        true
    }
}
