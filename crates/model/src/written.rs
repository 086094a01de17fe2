//! The source text of properties, for reports that show what was violated.

use crate::syntax::{SyntaxKind, tokenize};
use ir::At;
use source::Source;

/// A piece of a file, as shown in reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The column at which it begins, from 1.
    pub column: usize,
    /// Its text on one line, without comments; for a declaration with a formula, only the formula.
    pub text: String,
}

/// The text of a property, a `final` or a statement. The source must be that of its model.
pub fn written(source: &Source, at: At) -> Written {
    let position = source.position(at.0.start());
    Written { line: position.line, column: position.column, text: on_one_line(source.slice(at.0)) }
}

/// The text without comments and with single blanks; for a declaration only its formula.
fn on_one_line(text: &str) -> String {
    let (tokens, _) = tokenize(text);
    let (mut at, mut pieces, mut braces) = (0, Vec::new(), Vec::new());
    for token in tokens {
        let piece = &text[at..at + usize::from(token.len)];
        at += piece.len();
        match token.kind {
            kind if kind.is_trivia() => pieces.push(" "),
            kind => {
                if matches!(kind, SyntaxKind::LBrace | SyntaxKind::RBrace) {
                    braces.push(pieces.len());
                }
                pieces.push(piece);
            }
        }
    }
    let inside = match (braces.first(), braces.last()) {
        (Some(open), Some(close)) if open < close => &pieces[open + 1..*close],
        _ => pieces.as_slice(),
    };
    inside.concat().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_first_property(text: &str) -> Written {
        let source = Source::new("model.cub", text);
        let model = crate::load(&source).model.expect("a model");
        written(&source, model.properties[0].at)
    }

    #[test]
    fn a_formula_stands_on_one_line_without_comments() {
        let text = "array A[proc] : bool\ninit (i) { A[i] = False }\n\
            unsafe both (i j) { A[i] && // the first\n    A[j] (* the second *)\n  }\n\
            transition t (i) { A[i] := True }";
        let expected = Written { line: 3, column: 1, text: "A[i] && A[j]".into() };
        assert_eq!(of_first_property(text), expected);
    }

    #[test]
    fn a_value_outside_of_its_range_is_shown_by_its_statement() {
        let text = "type t = [0..1]\nvar X : t\ninit { X = 0 }\ntransition up () {\n  X :=\n    X + 1 }";
        assert_eq!(of_first_property(text), Written { line: 5, column: 3, text: "X := X + 1".into() });
    }
}
