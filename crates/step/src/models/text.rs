//! Where the items of a model stand in its text.

use super::ModelSystem;
use crate::{Excerpt, LineColumn, Location, Refusal, suggest::suggestion};
use ir::At;
use source::{Source, Span, TextSize};

impl<const W: usize> ModelSystem<'_, '_, W> {
    pub(super) fn location_of(&self, at: At) -> Location {
        let source = self.origin.source;
        let (start, end) = (line_column(source, at.0.start()), line_column(source, at.0.end()));
        Location { file: source.name().to_owned(), start, end }
    }

    /// The text of all transitions and properties of a name.
    pub(super) fn excerpts(&self, name: &str) -> Result<Vec<Excerpt>, Refusal> {
        let model = self.model();
        let rules = model.rules.iter().map(|rule| (&rule.name, rule.at));
        let declared = model.properties.iter().chain(&model.assumptions);
        let properties =
            declared.filter(|property| property.rule.is_none()).map(|property| (&property.name, property.at));
        let all: Vec<(&String, At)> = rules.chain(properties).collect();
        let named = all.iter().filter(|(known, _)| *known == name);
        let excerpts: Vec<Excerpt> = named.map(|(_, at)| excerpt(self.origin.source, at.0)).collect();
        if excerpts.is_empty() {
            let suggestion = suggestion(name, all.iter().map(|(name, _)| name.as_str()));
            return Err(Refusal::UnknownItem { name: name.to_owned(), suggestion });
        }
        Ok(excerpts)
    }
}

fn line_column(source: &Source, at: TextSize) -> LineColumn {
    let found = source.position(at);
    LineColumn { line: found.line, column: found.column }
}

/// The lines of the item that contains a span.
fn excerpt(source: &Source, at: Span) -> Excerpt {
    let tree = model::syntax::parse_file(source.text()).tree;
    let item = tree.children().find(|item| item.text_range().contains_range(at));
    let span = item.map_or(at, |item| item.text_range());
    let text = source.slice(span);
    let skipped = text[..text.len() - text.trim_start().len()].matches('\n').count();
    Excerpt {
        file: source.name().to_owned(),
        line: line_column(source, span.start()).line + skipped,
        lines: text.trim().lines().map(|line| line.trim_end().to_owned()).collect(),
    }
}
