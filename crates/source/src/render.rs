//! Rendering messages for the terminal, in the style of rustc.

use crate::{Diagnostic, Label, Severity, Source, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use std::ops::Range;

/// With colours (escape sequences) or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Escape sequences for terminals.
    Coloured,
    /// Plain text.
    Plain,
}

/// A line longer than this is not shown: it would fill the screen and hide the message.
const LONGEST_LINE: usize = 500;

/// The message with its location, the source lines and the proposed edit. Ends without a line break.
pub fn render(source: &Source, diagnostic: &Diagnostic, style: Style) -> String {
    let renderer = match style {
        Style::Coloured => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    let mut groups = vec![main_group(source, diagnostic)];
    groups.extend(fix_group(source, diagnostic));
    renderer.render(&groups)
}

fn main_group<'a>(source: &'a Source, diagnostic: &'a Diagnostic) -> Group<'a> {
    let title = level(diagnostic.severity).primary_title(&diagnostic.message).id(diagnostic.code);
    let group = match excerpt(source, diagnostic) {
        Some((lines, first)) => title.element(snippet(source, diagnostic, lines, first)),
        None => title.element(origin(source, diagnostic.primary.span)),
    };
    group.elements(diagnostic.help.iter().map(|text| Level::HELP.message(text)))
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

fn origin(source: &Source, span: Span) -> Origin<'_> {
    let position = source.position(span.start());
    Origin::path(source.name()).line(position.line).char_column(position.column)
}

/// The lines with all labels; `None` if they are too long to be shown.
fn excerpt(source: &Source, diagnostic: &Diagnostic) -> Option<(Span, usize)> {
    let all = labels(diagnostic).fold(diagnostic.primary.span, |all, label| all.cover(label.span));
    let (lines, first) = source.lines_around(all);
    let fits = source.slice(lines).lines().all(|line| line.len() <= LONGEST_LINE);
    fits.then_some((lines, first))
}

fn labels(diagnostic: &Diagnostic) -> impl Iterator<Item = &Label> {
    std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary)
}

fn snippet<'a>(
    source: &'a Source,
    diagnostic: &'a Diagnostic,
    lines: Span,
    first: usize,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let kinds = std::iter::once(AnnotationKind::Primary).chain(std::iter::repeat(AnnotationKind::Context));
    let annotations = kinds.zip(labels(diagnostic)).map(move |(kind, label)| {
        let annotation = kind.span(relative(label.span, lines));
        if label.text.is_empty() { annotation } else { annotation.label(&label.text) }
    });
    Snippet::source(source.slice(lines)).line_start(first).path(source.name()).annotations(annotations)
}

fn fix_group<'a>(source: &'a Source, diagnostic: &'a Diagnostic) -> Option<Group<'a>> {
    let fix = diagnostic.fix.as_ref()?;
    let (lines, first) = source.lines_around(fix.span);
    let too_long = source.slice(lines).lines().any(|line| line.len() > LONGEST_LINE);
    let title = Level::HELP.secondary_title(&fix.text);
    Some(if too_long {
        title.element(origin(source, fix.span))
    } else {
        let patch = Patch::new(relative(fix.span, lines), &fix.replacement);
        title.element(Snippet::source(source.slice(lines)).line_start(first).path(source.name()).patch(patch))
    })
}

fn relative(span: Span, lines: Span) -> Range<usize> {
    let start = span.start().max(lines.start()).min(lines.end()) - lines.start();
    let end = span.end().max(lines.start()).min(lines.end()) - lines.start();
    start.into()..end.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_location_line_label_and_fix() {
        let source = Source::new("m.cub", "type state = A\nvar X : stat\n");
        let span = Span::new(23.into(), 27.into());
        let diagnostic = Diagnostic::error("unknown-type", span, "unknown type `stat`")
            .label("no such type")
            .did_you_mean(Some("state"));
        let text = render(&source, &diagnostic, Style::Plain);
        for part in
            ["error[unknown-type]: unknown type `stat`", "m.cub:2:9", "no such type", "did you mean `state`?"]
        {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_huge_line_is_named_but_not_shown() {
        let source = Source::new("m.cub", "x".repeat(1 << 20));
        let diagnostic = Diagnostic::error("e", Span::new(70_000.into(), 70_001.into()), "wrong");
        let text = render(&source, &diagnostic, Style::Plain);
        assert!(text.len() < 200 && text.contains("m.cub:1:70001"), "{text}");
    }
}
