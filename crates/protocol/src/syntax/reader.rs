//! Text to a tree of S-expressions, with locations. It never fails: there is a tree, and a list of errors.

use super::lexer::{Token, TokenKind, tokenize};
use source::{Diagnostic, Span};

/// The deepest nesting, so that no recursion over a tree can overflow the stack.
pub(crate) const MAX_NESTING: usize = 120;

/// An expression with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) datum: Datum,
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Datum {
    Symbol(String),
    /// Without its colons.
    Keyword(String),
    Integer(i64),
    Text(String),
    Boolean(bool),
    Nil,
    List(Vec<Node>),
    Vector(Vec<Node>),
    Set(Vec<Node>),
    Map(Vec<Node>),
    /// To the end of its line; only the formatter looks at comments.
    Comment(String),
}

impl Node {
    /// The name of a symbol, without the prefix `s/`.
    pub(crate) fn symbol(&self) -> Option<&str> {
        match &self.datum {
            Datum::Symbol(name) => Some(name.strip_prefix("s/").unwrap_or(name)),
            _ => None,
        }
    }

    /// What is in a list, vector, set or map, without comments.
    pub(crate) fn items(&self) -> Option<Vec<&Node>> {
        match &self.datum {
            Datum::List(items) | Datum::Vector(items) | Datum::Set(items) | Datum::Map(items) => {
                Some(items.iter().filter(|item| !item.is_comment()).collect())
            }
            _ => None,
        }
    }

    pub(crate) fn is_comment(&self) -> bool {
        matches!(self.datum, Datum::Comment(_))
    }
}

/// Reads all expressions of a text. What is broken is left out.
pub(crate) fn read(text: &str) -> (Vec<Node>, Vec<Diagnostic>) {
    let (tokens, errors) = tokenize(text);
    let mut reader = Reader { text, tokens, next: 0, errors, nesting: 0 };
    let mut nodes = Vec::new();
    while reader.next < reader.tokens.len() {
        nodes.extend(reader.node());
    }
    (nodes, reader.errors)
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    next: usize,
    errors: Vec<Diagnostic>,
    nesting: usize,
}

impl Reader<'_> {
    /// The next expression; `None` if what stands there is none.
    fn node(&mut self) -> Option<Node> {
        let token = self.tokens[self.next].clone();
        self.next += 1;
        let datum = match token.kind {
            TokenKind::Open(bracket) => return self.group(bracket, token.span),
            TokenKind::Close(bracket) => {
                let message = format!("nothing is open that this `{bracket}` could close");
                self.errors.push(Diagnostic::error("unmatched-bracket", token.span, message).fix(
                    token.span,
                    "",
                    "delete it",
                ));
                return None;
            }
            TokenKind::Datum(datum) => datum,
        };
        Some(Node { datum, span: token.span })
    }

    fn group(&mut self, bracket: &'static str, open: Span) -> Option<Node> {
        if self.nesting == MAX_NESTING {
            self.errors.push(Diagnostic::error("nested-too-deep", open, "this is nested too deep"));
            self.next = self.tokens.len();
            return None;
        }
        self.nesting += 1;
        let (items, end) = self.items(bracket, open);
        self.nesting -= 1;
        let datum = match bracket {
            "(" => Datum::List(items),
            "[" => Datum::Vector(items),
            "#{" => Datum::Set(items),
            _ => Datum::Map(items),
        };
        Some(Node { datum, span: Span::new(open.start(), end.end().max(open.end())) })
    }

    /// What is in a group, and its last token.
    fn items(&mut self, bracket: &'static str, open: Span) -> (Vec<Node>, Span) {
        let wanted = closing(bracket);
        let mut items = Vec::new();
        let mut last = open;
        while let Some(token) = self.tokens.get(self.next) {
            let span = token.span;
            if let TokenKind::Close(found) = token.kind {
                self.next += 1;
                if found != wanted {
                    let message = format!("`{wanted}` was expected, found `{found}`");
                    let error = Diagnostic::error("unmatched-bracket", span, message);
                    self.errors.push(error.also(open, "opened here").fix(span, wanted, "close it with"));
                }
                return (items, span);
            }
            // A definition at the beginning of a line is never inside of something else.
            if self.nesting > 0 && self.begins_definition() {
                break;
            }
            items.extend(self.node());
            last = items.last().map_or(span, |item: &Node| item.span);
        }
        let error = Diagnostic::error("unclosed-bracket", open, format!("`{bracket}` is never closed")).fix(
            Span::empty(last.end()),
            wanted,
            "close it here, perhaps",
        );
        self.errors.push(error);
        (items, last)
    }

    fn begins_definition(&self) -> bool {
        let start = usize::from(self.tokens[self.next].span.start());
        let at_line_start = start == 0 || self.text.as_bytes()[start - 1] == b'\n';
        let rest = &self.text[start..];
        at_line_start && (rest.starts_with("(def") || rest.starts_with("(s/def"))
    }
}

fn closing(bracket: &str) -> &'static str {
    match bracket {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_errors_are_found_and_the_rest_is_read() {
        let (nodes, errors) = read("(a (b]\n(defrole :x)\n) 99999999999999999999 (c \"open\n");
        assert_eq!(errors.len(), 6, "{errors:?}");
        assert!(nodes.iter().any(|node| matches!(&node.datum, Datum::List(items) if items.len() == 2)));
    }

    #[test]
    fn what_nests_too_deep_is_refused() {
        assert!(read(&"(".repeat(100_000)).1.iter().any(|error| error.code == "nested-too-deep"));
    }

    #[test]
    fn all_kinds_of_data_are_read() {
        let (nodes, errors) = read("s/cat ::key :k -12 \"a\\\"b\" true nil [1] #{2} {3 4} ; end");
        assert!(errors.is_empty());
        assert_eq!(nodes.len(), 11);
        assert_eq!(nodes[0].symbol(), Some("cat"));
        assert_eq!(nodes[1].datum, Datum::Keyword("key".into()));
        assert_eq!(nodes[4].datum, Datum::Text("a\"b".into()));
    }
}
