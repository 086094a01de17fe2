//! Layout: the text of a protocol with the usual line breaks and indentation. Nothing but white space changes, which is verified.

use super::{
    lexer::{TokenKind, tokenize},
    reader::{Datum, Node, read},
};
use source::Diagnostic;

/// The most letters of a line, where something can be broken.
const WIDTH: usize = 100;

/// The text with its layout, or the errors that make that impossible.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (nodes, errors) = read(text);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut writer = Writer { text, out: String::new(), column: 0 };
    let mut before: Option<&Node> = None;
    for node in &nodes {
        if let Some(before) = before {
            writer.separate(before, node);
        }
        writer.node(node);
        before = Some(node);
    }
    let mut out = writer.out;
    if !out.is_empty() {
        out.push('\n');
    }
    assert!(same_tokens(text, &out), "layout changes white space only");
    Ok(out)
}

fn same_tokens(before: &str, after: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let (tokens, _) = tokenize(text);
        let word = |kind: &TokenKind| match kind {
            TokenKind::Open(bracket) | TokenKind::Close(bracket) => (*bracket).to_owned(),
            TokenKind::Datum(datum) => format!("{datum:?}"),
        };
        tokens.iter().map(|token| word(&token.kind)).collect()
    };
    words(before) == words(after)
}

struct Writer<'t> {
    text: &'t str,
    out: String,
    column: usize,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn break_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Between two definitions: a comment may end a line, and empty lines stay, one at a time.
    fn separate(&mut self, before: &Node, node: &Node) {
        let breaks = self.breaks_between(before, node);
        if node.is_comment() && breaks == 0 {
            self.put(" ");
            return;
        }
        let definitions = !before.is_comment() && !node.is_comment();
        self.break_line(0);
        if breaks > 1 || definitions && (is_long(before) || is_long(node)) {
            self.break_line(0);
        }
    }

    fn breaks_between(&self, before: &Node, node: &Node) -> usize {
        let between = usize::from(before.span.end())..usize::from(node.span.start());
        self.text[between].matches('\n').count()
    }

    fn node(&mut self, node: &Node) {
        match flat(node, self.text) {
            Some(line) if self.column + line.chars().count() <= WIDTH => self.put(&line),
            Some(line) if items(node).is_none() => self.put(&line),
            _ => self.broken(node),
        }
    }

    /// A group that takes several lines.
    fn broken(&mut self, node: &Node) {
        let Some((open, items)) = items(node) else {
            return self.put(&self.text[std::ops::Range::<usize>::from(node.span)]);
        };
        let start = self.column;
        self.put(open);
        let beside = if open == "(" { beside(items) } else { 1 };
        let mut indent = if open == "(" { start + 2 } else { self.column };
        for (at, item) in items.iter().enumerate() {
            let after = at.checked_sub(1).map(|before| &items[before]);
            let ends_line = item.is_comment() && after.is_some_and(|it| self.breaks_between(it, item) == 0);
            if at > 0 && (ends_line || at < beside && !after.is_some_and(Node::is_comment)) {
                self.put(" ");
            } else if at > 0 {
                self.break_line(indent);
            }
            // Arguments of an operator stand below each other.
            if open == "(" && at == 1 && beside == 2 && !has_body(items) {
                indent = self.column;
            }
            self.node(item);
        }
        if items.last().is_some_and(Node::is_comment) {
            self.break_line(indent);
        }
        self.put(if open == "(" {
            ")"
        } else if open == "[" {
            "]"
        } else {
            "}"
        });
    }
}

fn is_long(node: &Node) -> bool {
    items(node)
        .and_then(|(_, items)| items.first())
        .and_then(Node::symbol)
        .is_some_and(|word| matches!(word, "defsession" | "defn"))
}

fn items(node: &Node) -> Option<(&'static str, &[Node])> {
    match &node.datum {
        Datum::List(items) => Some(("(", items)),
        Datum::Vector(items) => Some(("[", items)),
        Datum::Set(items) => Some(("#{", items)),
        Datum::Map(items) => Some(("{", items)),
        _ => None,
    }
}

/// Whether what follows is a body, indented by two.
fn has_body(items: &[Node]) -> bool {
    let word = items.first().and_then(Node::symbol).unwrap_or_default();
    matches!(word, "defsession" | "defn" | "let" | "loop" | "if") || word.ends_with("-every")
}

/// How many items stay on the first line.
fn beside(items: &[Node]) -> usize {
    match items.first().and_then(Node::symbol).unwrap_or_default() {
        "defsession" | "defn" | "loop" | "graph" => 3,
        _ => 2,
    }
}

/// An expression on one line; `None` if a comment is in it.
fn flat(node: &Node, text: &str) -> Option<String> {
    let Some((open, items)) = items(node) else {
        return Some(text[std::ops::Range::<usize>::from(node.span)].trim_end().to_owned());
    };
    if items.iter().any(Node::is_comment) {
        return None;
    }
    // A definition takes a line for its head.
    if is_long(node) && items.len() > 3 {
        return None;
    }
    let parts: Option<Vec<String>> = items.iter().map(|item| flat(item, text)).collect();
    let close = if open == "(" {
        ")"
    } else if open == "[" {
        "]"
    } else {
        "}"
    };
    Some(format!("{open}{}{close}", parts?.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn layout_is_stable_and_keeps_comments() {
        let text = "; roles\n(s/defrole ::a)   (defrole ::b)\n(defsession ::s [k] ; size\n (cat (-->> Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ::a ::b)\n(-->> Bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb ::b ::a) ; last\n))\n";
        let once = format(text).unwrap();
        assert_eq!(format(&once).unwrap(), once);
        assert_eq!(
            once,
            "; roles\n(s/defrole ::a)\n(defrole ::b)\n\n(defsession ::s [k] ; size\n  (cat (-->> Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ::a ::b)\n       (-->> Bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb ::b ::a) ; last\n       ))\n"
        );
    }
}
