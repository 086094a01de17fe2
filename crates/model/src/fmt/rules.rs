//! How each construct is laid out.

use super::doc::Doc;
use crate::syntax::{
    SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken,
    ast::{self, AstNode, Item},
};
use SyntaxKind::*;

/// A whole file: items with the blank lines of the author, at most one at a time.
pub(super) fn file(file: &ast::File) -> Doc {
    let mut parts = Vec::new();
    let mut previous: Option<Item> = None;
    for item in file.items() {
        if let Some(previous) = &previous {
            let gap = starts_after_gap(item.syntax()) || stands_alone(previous) || stands_alone(&item);
            parts.push(if gap { Doc::Gap } else { Doc::Break });
        }
        parts.push(node(item.syntax()));
        previous = Some(item);
    }
    parts.extend(last_comments(file.syntax()));
    Doc::Concat(parts)
}

/// Items that are always surrounded by empty lines.
fn stands_alone(item: &Item) -> bool {
    matches!(item, Item::Transition(_))
}

/// Whether an empty line stands before a node, or before the comments that belong to it.
fn starts_after_gap(node: &SyntaxNode) -> bool {
    let breaks = |trivium: &SyntaxToken| trivium.text().matches('\n').count();
    // Comments before the first line break belong to the item before.
    let first_break = node.first_token().and_then(|first| {
        trivia_before(&first).find(|trivium| trivium.kind() == Whitespace && breaks(trivium) > 0)
    });
    first_break.is_some_and(|trivium| breaks(&trivium) > 1)
}

/// The trivia just before a token, in order.
fn trivia_before(token: &SyntaxToken) -> impl Iterator<Item = SyntaxToken> + use<> {
    let mut found: Vec<SyntaxToken> = std::iter::successors(token.prev_token(), SyntaxToken::prev_token)
        .take_while(|t| t.kind().is_trivia())
        .collect();
    found.reverse();
    found.into_iter()
}

/// Comments before a token, without those on the line of the previous token; each with whether an empty line precedes
/// it.
fn leading_comments(token: &SyntaxToken) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    let trivia: Vec<SyntaxToken> = trivia_before(token).collect();
    let at_start = trivia.first().map_or(token.prev_token().is_none(), |first| first.prev_token().is_none());
    let (mut new_line, mut gap) = (at_start, false);
    for trivium in trivia {
        if trivium.kind() == Whitespace {
            let breaks = trivium.text().matches('\n').count();
            new_line |= breaks > 0;
            gap = breaks > 1;
        } else if new_line {
            found.push((gap, trivium.text().trim_end().to_owned()));
            gap = false;
        }
    }
    found
}

/// Comments behind a token on the same line.
fn trailing_comments(token: &SyntaxToken) -> Vec<String> {
    std::iter::successors(token.next_token(), SyntaxToken::next_token)
        .take_while(|t| t.kind().is_comment() || t.kind() == Whitespace && !t.text().contains('\n'))
        .filter(|t| t.kind().is_comment())
        .map(|t| t.text().trim_end().to_owned())
        .collect()
}

/// Comments after the last item.
fn last_comments(file: &SyntaxNode) -> Vec<Doc> {
    let Some(last) = file.last_token().filter(|token| token.kind().is_trivia()) else { return vec![] };
    let mut trivia: Vec<SyntaxToken> = trivia_before(&last).chain([last]).collect();
    let at_start = trivia[0].prev_token().is_none();
    let (mut new_line, mut gap) = (at_start, false);
    let mut docs = Vec::new();
    for trivium in trivia.drain(..) {
        if trivium.kind() == Whitespace {
            let breaks = trivium.text().matches('\n').count();
            new_line |= breaks > 0;
            gap = breaks > 1;
        } else if new_line {
            docs.push(if gap { Doc::Gap } else { Doc::Break });
            docs.push(Doc::OwnLine(trivium.text().trim_end().to_owned()));
        }
    }
    docs
}

fn token(token: &SyntaxToken) -> Doc {
    let mut parts = Vec::new();
    for (at, (gap, comment)) in leading_comments(token).into_iter().enumerate() {
        // Empty lines are kept between the comments before an item; the one before the first comment belongs to the
        // item.
        if gap && at > 0 {
            parts.push(Doc::Gap);
        }
        parts.push(Doc::OwnLine(comment));
    }
    if !parts.is_empty() && ends_with_gap(token) {
        parts.push(Doc::Gap);
    }
    parts.push(Doc::text(token.text()));
    parts.extend(trailing_comments(token).into_iter().map(Doc::Trailing));
    Doc::Concat(parts)
}

/// Whether an empty line separates a token from the comments before it, as after the header of a file.
fn ends_with_gap(token: &SyntaxToken) -> bool {
    token
        .prev_token()
        .is_some_and(|before| before.kind() == Whitespace && before.text().matches('\n').count() > 1)
}

/// The tokens and nodes in a node, trivia left out.
fn elements(node: &SyntaxNode) -> impl Iterator<Item = SyntaxElement> + use<> {
    node.children_with_tokens().filter(|element| !element.kind().is_trivia())
}

fn element(element: &SyntaxElement) -> Doc {
    match element {
        SyntaxElement::Node(inner) => node(inner),
        SyntaxElement::Token(inner) => token(inner),
    }
}

/// Any node.
fn node(node: &SyntaxNode) -> Doc {
    match node.kind() {
        Transition => transition(node),
        Block => braces(node, formula_lines),
        Body => braces(node, statements),
        EnumBody => alternatives(node),
        Case => case(node),
        AndExpr | OrExpr | ImpliesExpr | IffExpr => Doc::group(vec![Doc::indent(vec![chain(node)])]),
        IfExpr => if_expression(node),
        QuantifiedExpr => quantified(node),
        NegExpr | IndexList | IndexSorts => spaced(node, |_, _| true),
        LtlBody => spaced(node, |left, right| left == LParen || right == RParen || left == Bang),
        LtlAtom => spaced(node, |left, right| {
            [left, right].iter().any(|kind| matches!(kind, DoubleQuote | SingleQuote))
        }),
        _ => spaced(node, tight),
    }
}

/// Elements side by side, with a blank between them unless `tight` says otherwise.
fn spaced(node: &SyntaxNode, tight: fn(SyntaxKind, SyntaxKind) -> bool) -> Doc {
    let mut parts = Vec::new();
    let mut previous: Option<SyntaxKind> = None;
    for part in elements(node) {
        let empty = part.as_node().is_some_and(|node| node.first_token().is_none());
        if empty {
            continue;
        }
        if previous.is_some_and(|previous| !tight(previous, part.kind())) {
            parts.push(Doc::text(" "));
        }
        parts.push(element(&part));
        previous = Some(part.kind());
    }
    Doc::Concat(parts)
}

/// Whether two neighbours have no blank between them.
fn tight(left: SyntaxKind, right: SyntaxKind) -> bool {
    let opens = matches!(left, LParen | LBracket | At | Slash | DotDot);
    let closes = matches!(right, RParen | RBracket | Comma | Semicolon | Dot | At | Slash | DotDot);
    // Indices and arguments follow their name without a blank; parameters of an item do not.
    let belongs = matches!(right, IndexList | IndexSorts | ArgList | PredicateParams | TakeArgs);
    // The minus sign of a bound of a range has no blank after it; other minus signs are operators.
    let sign = (left, right) == (Minus, Integer);
    opens || closes || belongs || sign
}

/// `transition t (i j)`, the guard and the body, each on a line.
fn transition(node: &SyntaxNode) -> Doc {
    let mut parts = Vec::new();
    for part in elements(node) {
        if !parts.is_empty() {
            parts.push(if matches!(part.kind(), Requires | Body) { Doc::Break } else { Doc::text(" ") });
        }
        parts.push(element(&part));
    }
    Doc::Concat(parts)
}

/// `{ … }` on one line, or the inside indented on lines of its own.
fn braces(node: &SyntaxNode, inside: fn(&[SyntaxElement]) -> Doc) -> Doc {
    let all: Vec<SyntaxElement> = elements(node).collect();
    let [open, inner @ .., close] = all.as_slice() else { return spaced(node, tight) };
    if inner.is_empty() {
        return Doc::Concat(vec![element(open), Doc::text(" "), element(close)]);
    }
    Doc::group(vec![element(open), Doc::indent(vec![Doc::Line, inside(inner)]), Doc::Line, element(close)])
}

/// A formula in braces: its operands break together with the braces.
fn formula_lines(inner: &[SyntaxElement]) -> Doc {
    let [SyntaxElement::Node(formula)] = inner else {
        return Doc::Concat(inner.iter().map(element).collect());
    };
    match formula.kind() {
        AndExpr | OrExpr | ImpliesExpr | IffExpr => chain(formula),
        _ => node(formula),
    }
}

/// Operands with the operator before each but the first, each on a line if they do not fit on one.
fn chain(node: &SyntaxNode) -> Doc {
    let mut parts = Vec::new();
    for part in elements(node) {
        match &part {
            SyntaxElement::Token(operator) => {
                parts.push(Doc::Line);
                parts.push(token(operator));
                parts.push(Doc::text(" "));
            }
            SyntaxElement::Node(_) => parts.push(element(&part)),
        }
    }
    Doc::Concat(parts)
}

/// Statements, one on each line if they do not fit on one.
fn statements(inner: &[SyntaxElement]) -> Doc {
    let mut parts = Vec::new();
    for (at, part) in inner.iter().enumerate() {
        if at > 0 && part.kind() != Semicolon {
            parts.push(Doc::Line);
        }
        parts.push(element(part));
    }
    Doc::Concat(parts)
}

/// `A | B | C`
fn alternatives(node: &SyntaxNode) -> Doc {
    let mut parts = Vec::new();
    let mut after_bar = true;
    for part in elements(node) {
        let bar = part.kind() == Bar;
        if bar && !parts.is_empty() {
            parts.push(Doc::Line);
        } else if !after_bar || bar {
            parts.push(Doc::text(""));
        }
        parts.push(element(&part));
        if bar {
            parts.push(Doc::text(" "));
        }
        after_bar = bar;
    }
    Doc::group(vec![Doc::indent(parts)])
}

/// `case | f : t | _ : u`, each arm on a line if they do not fit on one.
fn case(node: &SyntaxNode) -> Doc {
    let mut parts = Vec::new();
    let mut word = Vec::new();
    for part in elements(node) {
        match part.kind() {
            CaseKw => word.push(element(&part)),
            Bar => {
                parts.push(Doc::Line);
                parts.push(element(&part));
                parts.push(Doc::text(" "));
            }
            _ => parts.push(element(&part)),
        }
    }
    word.push(Doc::indent(parts));
    Doc::group(word)
}

/// `forall i <> j. f`, with the body on lines of its own if it does not fit behind.
fn quantified(node: &SyntaxNode) -> Doc {
    let (head, body): (Vec<SyntaxElement>, Vec<SyntaxElement>) =
        elements(node).partition(|part| part.as_token().is_some() || part.kind() == BoundVars);
    let mut parts = Vec::new();
    for part in &head {
        if part.kind() == BoundVars {
            parts.push(Doc::text(" "));
        }
        parts.push(element(part));
    }
    parts.push(Doc::indent(vec![Doc::Line, Doc::group(vec![formula_lines(&body)])]));
    Doc::group(parts)
}

/// `if f then g else h`
fn if_expression(node: &SyntaxNode) -> Doc {
    let mut parts = Vec::new();
    for part in elements(node) {
        match part.kind() {
            ThenKw | ElseKw => {
                parts.push(Doc::Line);
                parts.push(element(&part));
                parts.push(Doc::text(" "));
            }
            IfKw => {
                parts.push(element(&part));
                parts.push(Doc::text(" "));
            }
            _ => parts.push(element(&part)),
        }
    }
    Doc::group(vec![Doc::indent(parts)])
}
