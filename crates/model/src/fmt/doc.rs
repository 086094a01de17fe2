//! A small pretty-printer: documents with optional line breaks, laid out to a width.
//!
//! After Oppen (1980) and Wadler (2003): a group is printed on one line if it fits; otherwise all line breaks
//! directly in it are taken. Comments are part of the document, so that none is lost.

/// Something to print.
#[derive(Debug, Clone)]
pub(super) enum Doc {
    Text(String),
    /// A blank, or a line break if the group around it does not fit on the line.
    Line,
    /// A line break.
    Break,
    /// A line break and an empty line.
    Gap,
    /// A comment after something on the same line.
    Trailing(String),
    /// A comment on a line of its own.
    OwnLine(String),
    Concat(Vec<Doc>),
    /// Printed on one line if it fits.
    Group(Box<Doc>),
    /// Lines in it are indented.
    Indent(Box<Doc>),
}

impl Doc {
    pub(super) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    pub(super) fn group(parts: Vec<Doc>) -> Doc {
        Doc::Group(Box::new(Doc::Concat(parts)))
    }

    pub(super) fn indent(parts: Vec<Doc>) -> Doc {
        Doc::Indent(Box::new(Doc::Concat(parts)))
    }

    /// Whether it contains a forced line break.
    fn must_break(&self) -> bool {
        match self {
            Doc::Break | Doc::Gap | Doc::OwnLine(_) => true,
            Doc::Text(text) => text.contains('\n'),
            Doc::Trailing(text) => text.starts_with("//") || text.contains('\n'),
            Doc::Line => false,
            Doc::Concat(parts) => parts.iter().any(Doc::must_break),
            Doc::Group(inner) | Doc::Indent(inner) => inner.must_break(),
        }
    }
}

const INDENT: usize = 2;

/// Lays a document out.
pub(super) fn print(doc: &Doc, width: usize) -> String {
    let mut printer = Printer { width, out: String::new(), column: 0, must_break: None };
    printer.run(doc);
    printer.finish()
}

struct Printer {
    width: usize,
    out: String,
    column: usize,
    /// After a comment that ends its line: the indentation of the next line.
    must_break: Option<usize>,
}

/// What is left to print: indentation, whether line breaks are taken, and the document.
type Work<'d> = Vec<(usize, bool, &'d Doc)>;

impl Printer {
    fn run(&mut self, doc: &Doc) {
        let mut work: Work<'_> = vec![(0, true, doc)];
        while let Some((indent, broken, doc)) = work.pop() {
            match doc {
                Doc::Text(text) => self.text(text, indent),
                Doc::Line if broken => self.new_line(indent),
                Doc::Line => self.text(" ", indent),
                Doc::Break => self.new_line(indent),
                Doc::Gap => {
                    self.new_line(indent);
                    self.empty_line();
                }
                Doc::Trailing(comment) => self.trailing(comment, indent),
                Doc::OwnLine(comment) => self.own_line(comment, indent),
                Doc::Concat(parts) => work.extend(parts.iter().rev().map(|part| (indent, broken, part))),
                Doc::Indent(inner) => work.push((indent + INDENT, broken, inner)),
                Doc::Group(inner) => {
                    let fits = !inner.must_break() && self.fits(inner, &work);
                    work.push((indent, !fits, inner));
                }
            }
        }
    }

    /// Whether a group fits on the rest of the line, together with the text up to the next possible break.
    fn fits(&self, doc: &Doc, rest: &Work<'_>) -> bool {
        let mut room = self.width.saturating_sub(self.column);
        let mut look: Work<'_> = vec![(0, false, doc)];
        let mut following = rest.iter().rev();
        loop {
            let (_, broken, doc) = match look.pop() {
                Some(work) => work,
                None => match following.next() {
                    Some((_, broken, doc)) => (0, *broken, *doc),
                    None => return true,
                },
            };
            let length = match doc {
                Doc::Text(text) => text.chars().count(),
                Doc::Trailing(text) => text.chars().count() + 1,
                Doc::Line if broken => return true,
                Doc::Line => 1,
                Doc::Break | Doc::Gap | Doc::OwnLine(_) => return true,
                Doc::Concat(parts) => {
                    look.extend(parts.iter().rev().map(|part| (0, broken, part)));
                    0
                }
                // A following group may still break: only the text before its first break must fit.
                Doc::Indent(inner) | Doc::Group(inner) => {
                    look.push((0, broken, inner));
                    0
                }
            };
            if length > room {
                return false;
            }
            room -= length;
        }
    }

    fn text(&mut self, text: &str, indent: usize) {
        if let Some(at) = self.must_break.take() {
            if text.trim().is_empty() {
                self.must_break = Some(at);
                return;
            }
            self.new_line(at.max(indent));
        }
        self.out.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    fn new_line(&mut self, indent: usize) {
        self.must_break = None;
        self.trim_line();
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    fn empty_line(&mut self) {
        self.trim_line();
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.column = 0;
    }

    fn trim_line(&mut self) {
        let kept = self.out.trim_end_matches(' ').len();
        self.out.truncate(kept);
    }

    fn trailing(&mut self, comment: &str, indent: usize) {
        if self.must_break.is_none() && self.column > 0 && !self.out.ends_with([' ', '\n']) {
            self.text(" ", indent);
        }
        self.text(comment, indent);
        if comment.starts_with("//") {
            self.must_break = Some(indent);
        }
    }

    fn own_line(&mut self, comment: &str, indent: usize) {
        self.must_break = None;
        let line_has_text = self.out.rsplit('\n').next().is_some_and(|line| !line.trim().is_empty());
        if line_has_text {
            self.new_line(indent);
        }
        self.text(comment, indent);
        self.must_break = Some(indent);
    }

    fn finish(mut self) -> String {
        let kept = self.out.trim_end().len();
        self.out.truncate(kept);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}
