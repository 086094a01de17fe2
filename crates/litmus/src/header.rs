//! The first lines of a test: its architecture and name, a quoted text, and lines `Key=Value`.

use crate::lexer::span;
use source::{Diagnostic, Span};

/// What comes before the initial state.
#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) doc: Option<String>,
    pub(crate) info: Vec<(String, String)>,
    /// Where the rest begins, in bytes.
    pub(crate) end: usize,
}

/// Architectures that the tools diy and herd know.
const OTHERS: [&str; 16] = [
    "AArch64", "ARM", "ASL", "BPF", "C", "CPP", "GPU_PTX", "JAVA", "LISA", "Bell", "MIPS", "PPC", "PTX",
    "RISCV", "RISC-V", "X86_64",
];

/// Reads the first lines of a text. `None` if the test is for another machine: nothing else is worth saying then.
pub(crate) fn read(text: &str, errors: &mut Vec<Diagnostic>) -> Option<Header> {
    let start = skip_blank(text, 0, errors)?;
    let line = line_at(text, start);
    // A comment may begin in the first line, and end in another.
    let line = &line[..line.find("(*").unwrap_or(line.len())];
    let (architecture, name) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let at = span(start, start + architecture.len());
    if architecture != "X86" {
        errors.push(other_architecture(architecture, at));
        return None;
    }
    let name = name.trim();
    if name.is_empty() {
        errors.push(
            Diagnostic::error("syntax", at, "this test has no name").help("write `X86 SB` in the first line"),
        );
    }
    let mut header = Header { name: name.to_owned(), ..Header::default() };
    header.end = read_lines(text, start + line.len(), &mut header, errors)?;
    Some(header)
}

/// Everything up to the brace that opens the initial state. Returns where that is.
fn read_lines(text: &str, from: usize, header: &mut Header, errors: &mut Vec<Diagnostic>) -> Option<usize> {
    let mut at = from;
    loop {
        at = skip_blank(text, at, errors)?;
        let rest = &text[at..];
        if rest.starts_with('{') {
            return Some(at);
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some((doc, _)) = quoted.split_once('"') else {
                errors.push(Diagnostic::error("syntax", span(at, at + 1), "this quote is never closed"));
                return None;
            };
            header.doc.get_or_insert_with(|| doc.split_whitespace().collect::<Vec<_>>().join(" "));
            at += doc.len() + 2;
            continue;
        }
        let line = line_at(text, at);
        let Some((key, value)) = line.split_once('=').filter(|(key, _)| is_key(key)) else {
            errors.push(no_initial_state(span(at, at + line.len())));
            return None;
        };
        header.info.push((key.trim().to_owned(), value.trim().to_owned()));
        at += line.len();
    }
}

fn is_key(text: &str) -> bool {
    let key = text.trim();
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn line_at(text: &str, at: usize) -> &str {
    text[at..].lines().next().unwrap_or("")
}

/// The next offset that is neither blank nor in a comment.
fn skip_blank(text: &str, mut at: usize, errors: &mut Vec<Diagnostic>) -> Option<usize> {
    loop {
        at = text.len() - text[at..].trim_start().len();
        if !text[at..].starts_with("(*") {
            return Some(at);
        }
        let Some(length) = comment_length(&text[at..]) else {
            errors.push(unterminated_comment(span(at, at + 2)));
            return None;
        };
        at += length;
    }
}

/// The length of the comment that a text begins with; `None` if it is never closed. Comments nest.
pub(crate) fn comment_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match &bytes[at..] {
            [b'(', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b')', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

pub(crate) fn unterminated_comment(at: Span) -> Diagnostic {
    Diagnostic::error("unterminated-comment", at, "this comment is never closed").label("it begins here")
}

fn other_architecture(architecture: &str, at: Span) -> Diagnostic {
    let known = OTHERS.iter().any(|other| other.eq_ignore_ascii_case(architecture));
    let message = match (architecture, known) {
        ("", _) => "this file is empty: a litmus test begins with `X86` and its name".to_owned(),
        (_, true) => format!("this is a test for {architecture}: only X86 is supported"),
        (_, false) => "a litmus test begins with `X86` and its name".to_owned(),
    };
    let error = Diagnostic::error("unsupported-architecture", at, message);
    match architecture {
        "X86_64" => error.help("write it as `X86`, with operands such as `MOV [x],$1` and `MOV RAX,[x]`"),
        _ => error.did_you_mean(source::nearest(architecture, ["X86"])),
    }
}

fn no_initial_state(at: Span) -> Diagnostic {
    Diagnostic::error("syntax", at, "expected the initial state in braces")
        .label("neither a quoted text nor a line `Key=Value`")
        .help("where everything is zero at the start, write `{ }`")
}
