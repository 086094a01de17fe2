//! Generating code in a build script: a real file in the sources, so that editors complete it.

use crate::{Implementation, Language, Style, Wishes, generate, specification};
use std::{fs, path::Path};

/// What a build script generates.
///
/// ```no_run
/// // In build.rs:
/// motet_protocol::Build::new("protocols/chess.dcj")
///     .style(motet_protocol::Style::Liberal)
///     .map_type("Move", "crate::game::Move")
///     .write("src/chess.rs");
/// ```
#[derive(Debug, Clone)]
pub struct Build {
    file: String,
    session: Option<String>,
    values: Vec<String>,
    style: Style,
    capacity: Option<usize>,
    wishes: Wishes,
}

impl Build {
    /// From a protocol.
    pub fn new(file: &str) -> Build {
        let (session, values, capacity) = (None, vec![], None);
        Build {
            file: file.to_owned(),
            session,
            values,
            style: Style::Liberal,
            capacity,
            wishes: Wishes::default(),
        }
    }

    /// The session; by default the last one that no other one calls.
    #[must_use]
    pub fn session(mut self, session: &str) -> Build {
        self.session = Some(session.to_owned());
        self
    }

    /// A value for the next parameter of the session.
    #[must_use]
    pub fn arg(mut self, value: &str) -> Build {
        self.values.push(value.to_owned());
        self
    }

    /// How it is implemented; by default liberally.
    #[must_use]
    pub fn style(mut self, style: Style) -> Build {
        self.style = style;
        self
    }

    /// The most messages of each channel.
    #[must_use]
    pub fn capacity(mut self, most: usize) -> Build {
        self.capacity = Some(most);
        self
    }

    /// The type of the values of a message type.
    #[must_use]
    pub fn map_type(mut self, message: &str, kind: &str) -> Build {
        self.wishes.types.insert(message.to_owned(), kind.to_owned());
        self
    }

    /// Also types for the states of roles.
    #[must_use]
    pub fn typed(mut self) -> Build {
        self.wishes.typed = true;
        self
    }

    /// Also roles in different processes.
    #[must_use]
    pub fn tcp(mut self) -> Build {
        self.wishes.tcp = true;
        self
    }

    /// The text of the file. The error is for people.
    pub fn text(&self) -> Result<String, String> {
        let text = fs::read_to_string(&self.file)
            .map_err(|error| format!("cannot read `{}`: {error}", self.file))?;
        let values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        let graph = specification(&text, self.session.as_deref(), &values)?;
        let implementation =
            Implementation::new(&graph, self.style).map_err(|_| "the implementation is too large")?;
        let name = Path::new(&self.file)
            .file_stem()
            .map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        let origin = format!("{} ({})", self.file, self.style);
        let wishes = Wishes { name, origin, ..self.wishes.clone() };
        let files = generate(&implementation.with_capacity(self.capacity), Language::Rust, &wishes)?;
        Ok(files.into_iter().next().map(|file| file.text).unwrap_or_default())
    }

    /// Writes the file if it is not there or differs, so that nothing is built again in vain. Panics with a message if that fails, as build scripts do.
    pub fn write(&self, to: &str) {
        println!("cargo:rerun-if-changed={}", self.file);
        let text = self.text().unwrap_or_else(|error| panic!("{}: {error}", self.file));
        if fs::read_to_string(to).ok().as_deref() != Some(&text) {
            fs::write(to, text).unwrap_or_else(|error| panic!("cannot write `{to}`: {error}"));
        }
    }
}
