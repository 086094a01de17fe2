//! The machinery of the recursive-descent parser: a cursor over tokens that builds the tree.

use super::{Parse, SyntaxKind, SyntaxNode, Token, tokenize};
use rowan::{Checkpoint, GreenNodeBuilder};
use source::{Diagnostic, Span, TextSize};
use std::collections::HashSet;

/// The largest nesting depth of formulas. Deeper ones are rejected with a message, so that no recursion over a tree
/// can overflow the stack.
pub const MAX_NESTING: usize = 200;

/// Runs a grammar rule over a text.
pub(super) fn parse(text: &str, rule: fn(&mut Parser<'_>)) -> Parse {
    let (tokens, lexical) = tokenize(text);
    let mut parser = Parser {
        text,
        tokens,
        position: 0,
        offset: TextSize::from(0),
        previous_end: TextSize::from(0),
        builder: GreenNodeBuilder::new(),
        error_places: lexical.iter().map(|error| error.primary.span.start()).collect(),
        errors: lexical,
        nesting: 0,
        hopeless: false,
    };
    rule(&mut parser);
    let tree = SyntaxNode::new_root(parser.builder.finish());
    Parse { tree, errors: parser.errors }
}

/// A cursor over the tokens. Trivia goes into the tree just before the token that follows it, and
/// outside of any node that begins there, so that the span of a node is the span of its tokens.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// Index of the first token that is not in the tree yet.
    position: usize,
    /// Offset of that token in the text.
    offset: TextSize,
    /// The end of the last token in the tree that is not trivia.
    previous_end: TextSize,
    builder: GreenNodeBuilder<'static>,
    errors: Vec<Diagnostic>,
    /// The locations of errors: a second one at the same location is dropped.
    error_places: HashSet<TextSize>,
    nesting: usize,
    /// Set when the input nests too deep: the rest is skipped.
    hopeless: bool,
}

impl Parser<'_> {
    /// The kind of the next token that is not trivia.
    pub(super) fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    /// The kind of the `n`-th token from here, not counting trivia.
    pub(super) fn nth(&self, n: usize) -> SyntaxKind {
        if self.hopeless {
            return SyntaxKind::EndOfFile;
        }
        self.significant().nth(n).map_or(SyntaxKind::EndOfFile, |(kind, _)| kind)
    }

    /// The text of the next token.
    pub(super) fn current_text(&self) -> &str {
        let span = self.current_span();
        &self.text[std::ops::Range::<usize>::from(span)]
    }

    /// The span of the next token; empty at the end of the file.
    pub(super) fn current_span(&self) -> Span {
        let end = || Span::empty(TextSize::of(self.text));
        self.significant().next().map_or_else(end, |(_, span)| span)
    }

    /// The location right after the last token consumed, to report that something is missing.
    pub(super) fn behind(&self) -> Span {
        Span::empty(self.previous_end)
    }

    /// The span of the next two tokens, if they are of these kinds with nothing between them.
    pub(super) fn at_joined(&self, first: SyntaxKind, second: SyntaxKind) -> Option<Span> {
        let mut next = self.significant();
        let ((one, before), (two, after)) = (next.next()?, next.next()?);
        let joined = (one, two) == (first, second) && before.end() == after.start();
        joined.then(|| before.cover(after))
    }

    /// The span of the next few tokens.
    pub(super) fn span_of(&self, tokens: usize) -> Span {
        let spans = self.significant().take(tokens).map(|(_, span)| span);
        spans.reduce(Span::cover).unwrap_or_else(|| self.behind())
    }

    /// A part of the text.
    pub(super) fn slice(&self, span: Span) -> &str {
        &self.text[std::ops::Range::<usize>::from(span)]
    }

    fn significant(&self) -> impl Iterator<Item = (SyntaxKind, Span)> + '_ {
        let mut at = self.offset;
        self.tokens[self.position..].iter().filter_map(move |token| {
            let span = Span::at(at, token.len);
            at += token.len;
            (!token.kind.is_trivia()).then_some((token.kind, span))
        })
    }

    pub(super) fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    /// Whether the next token is this contextual keyword.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(SyntaxKind::LowerName) && self.current_text() == word
    }

    /// Whether the block that opens here is followed by another.
    pub(super) fn at_two_blocks(&self) -> bool {
        let mut depth = 0_usize;
        let mut kinds = self.significant().map(|(kind, _)| kind);
        let closed = kinds.find(|kind| {
            match kind {
                SyntaxKind::LBrace => depth += 1,
                SyntaxKind::RBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 || kind.starts_item()
        });
        closed == Some(SyntaxKind::RBrace) && kinds.next() == Some(SyntaxKind::LBrace)
    }

    /// Puts the next token into the tree, whatever it is.
    pub(super) fn bump(&mut self) {
        self.flush_trivia();
        self.put();
    }

    /// Consumes the next token if it is of this kind.
    pub(super) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let here = self.at(kind);
        if here {
            self.bump();
        }
        here
    }

    /// Consumes the next token if it is of this kind; otherwise reports an error, and consumes nothing.
    pub(super) fn expect(&mut self, kind: SyntaxKind) -> bool {
        self.eat(kind) || {
            self.error_expected(kind.describe());
            false
        }
    }

    fn put(&mut self) {
        let Some(token) = self.tokens.get(self.position) else { return };
        let span = Span::at(self.offset, token.len);
        let text = &self.text[std::ops::Range::<usize>::from(span)];
        self.builder.token(rowan::SyntaxKind(token.kind as u16), text);
        self.position += 1;
        self.offset = span.end();
        if !token.kind.is_trivia() {
            self.previous_end = span.end();
        }
    }

    fn flush_trivia(&mut self) {
        while self.tokens.get(self.position).is_some_and(|token| token.kind.is_trivia()) {
            self.put();
        }
    }

    /// Begins a node at the next token.
    pub(super) fn start(&mut self, kind: SyntaxKind) {
        self.flush_trivia();
        self.builder.start_node(rowan::SyntaxKind(kind as u16));
    }

    /// Begins the root, which also contains the trivia before its first token.
    pub(super) fn start_root(&mut self, kind: SyntaxKind) {
        self.builder.start_node(rowan::SyntaxKind(kind as u16));
    }

    /// Ends the root: everything left over belongs to it.
    pub(super) fn finish_root(&mut self) {
        while self.position < self.tokens.len() {
            self.put();
        }
        self.builder.finish_node();
    }

    pub(super) fn finish(&mut self) {
        self.builder.finish_node();
    }

    /// Remembers a position at which a node may begin later.
    pub(super) fn checkpoint(&mut self) -> Checkpoint {
        self.flush_trivia();
        self.builder.checkpoint()
    }

    pub(super) fn start_at(&mut self, checkpoint: Checkpoint, kind: SyntaxKind) {
        self.builder.start_node_at(checkpoint, rowan::SyntaxKind(kind as u16));
    }

    /// Runs a recursive rule, up to the nesting limit.
    pub(super) fn nested(&mut self, rule: impl FnOnce(&mut Self)) {
        if self.nesting == MAX_NESTING {
            self.give_up();
            return;
        }
        self.nesting += 1;
        rule(self);
        self.nesting -= 1;
    }

    fn give_up(&mut self) {
        if self.hopeless {
            return;
        }
        self.error(
            Diagnostic::error("nested-too-deep", self.current_span(), "this is nested too deep")
                .label(format!("more than {MAX_NESTING} levels"))
                .help("name parts of it with `predicate`"),
        );
        self.hopeless = true;
    }

    /// Reports an error, unless there was one at this location already.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        let at = diagnostic.primary.span.start();
        if !self.hopeless && self.error_places.insert(at) {
            self.errors.push(diagnostic);
        }
    }

    /// Reports what was expected instead of the next token.
    pub(super) fn error_expected(&mut self, what: &str) {
        let found = self.describe_current();
        let message = format!("expected {what}, found {found}");
        let diagnostic =
            Diagnostic::error("syntax", self.current_span(), message).label(format!("expected {what}"));
        self.error(diagnostic);
    }

    pub(super) fn describe_current(&self) -> String {
        let kind = self.current();
        match kind {
            SyntaxKind::EndOfFile => "the end of the file".to_owned(),
            SyntaxKind::Comment | SyntaxKind::Unknown => kind.describe().to_owned(),
            _ => format!("`{}`", self.current_text()),
        }
    }

    /// Wraps the next token in an error node.
    pub(super) fn skip(&mut self) {
        self.start(SyntaxKind::Error);
        self.bump();
        self.finish();
    }

    /// Skips a statement, including everything in its braces and parentheses.
    pub(super) fn skip_statement(&mut self) {
        self.start(SyntaxKind::Error);
        let mut depth = 0_usize;
        loop {
            match self.current() {
                SyntaxKind::EndOfFile => break,
                kind if kind.starts_item() => break,
                SyntaxKind::Semicolon | SyntaxKind::RBrace if depth == 0 => break,
                SyntaxKind::LBrace | SyntaxKind::LParen => depth += 1,
                SyntaxKind::RBrace | SyntaxKind::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
        self.finish();
    }

    /// Skips tokens up to one that `stop` accepts, the beginning of an item, or the end.
    pub(super) fn skip_until(&mut self, stop: impl Fn(SyntaxKind) -> bool) {
        let ends = |kind: SyntaxKind| kind == SyntaxKind::EndOfFile || kind.starts_item() || stop(kind);
        if ends(self.current()) {
            return;
        }
        self.start(SyntaxKind::Error);
        while !ends(self.current()) {
            self.bump();
        }
        self.finish();
    }
}
