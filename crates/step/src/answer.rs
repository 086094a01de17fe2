//! What a session says to a command.

/// How a command went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was done.
    Done,
    /// It makes no sense, or not here; nothing has changed.
    Refused,
    /// It could not find out what it was asked for.
    Unknown,
    /// The session is over.
    Quit,
    /// The file is to be read again, and what [`Session::keep`](crate::Session::keep) gives taken up with it.
    Reload,
}

/// The answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text, in pages: people look at one after the other.
    pub pages: Vec<String>,
    /// How it went.
    pub outcome: Outcome,
}

impl Answer {
    /// A text of some lines.
    pub(crate) fn done(lines: impl IntoIterator<Item = String>) -> Answer {
        let lines: Vec<String> = lines.into_iter().collect();
        Answer { pages: vec![lines.join("\n")], outcome: Outcome::Done }
    }

    /// Something that could not be done.
    pub(crate) fn refused(reason: &str) -> Answer {
        let style = crate::show::ERROR;
        Answer { pages: vec![format!("{style}error{style:#}: {reason}")], outcome: Outcome::Refused }
    }

    /// Something that is not known.
    pub(crate) fn unknown(reason: &str) -> Answer {
        Answer { pages: vec![format!("unknown: {reason}")], outcome: Outcome::Unknown }
    }
}
