//! Text to tokens. Nothing is dropped: the tokens' texts, joined, are the input.

use super::SyntaxKind;
use logos::{Lexer, Logos};
use source::{Diagnostic, Span, TextSize};

/// A token: its kind and its length in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: SyntaxKind,
    pub(crate) len: TextSize,
}

/// All tokens of a text, and the lexical errors.
pub(crate) fn tokenize(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = SyntaxKind::lexer(text);
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut errors = Vec::new();
    while let Some(found) = lexer.next() {
        let kind = match found {
            Ok(SyntaxKind::Comment) => finish_comment(&mut lexer, &mut errors),
            Ok(SyntaxKind::Integer) => finish_number(&mut lexer),
            Ok(SyntaxKind::Slash) if lexer.remainder().starts_with('*') => {
                finish_foreign_comment(&mut lexer, &mut errors)
            }
            Ok(kind) => kind,
            Err(()) => {
                errors.push(unknown_character(span(&lexer), lexer.slice(), lexer.remainder()));
                SyntaxKind::Unknown
            }
        };
        tokens.push(Token { kind, len: TextSize::of(lexer.slice()) });
    }
    (tokens, errors)
}

fn span(lexer: &Lexer<'_, SyntaxKind>) -> Span {
    let at = lexer.span();
    let offset = |at: usize| TextSize::try_from(at).expect("source texts are at most 4 GiB long");
    Span::new(offset(at.start), offset(at.end))
}

/// After `(*`: comments nest, so that a commented piece of a model can be commented out again.
fn finish_comment(lexer: &mut Lexer<'_, SyntaxKind>, errors: &mut Vec<Diagnostic>) -> SyntaxKind {
    let opening = span(lexer);
    let rest = lexer.remainder().as_bytes();
    let (mut depth, mut at) = (1_usize, 0);
    while depth > 0 && at < rest.len() {
        match &rest[at..] {
            [b'(', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b')', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    lexer.bump(at);
    if depth > 0 {
        errors.push(
            Diagnostic::error("unterminated-comment", opening, "this comment is never closed")
                .label("it begins here")
                .help(format!("comments nest: {depth} more `*)` needed")),
        );
    }
    SyntaxKind::Comment
}

/// After the `/` of `/* … */`, the comment syntax of other languages: reported as an error, and skipped as a comment.
fn finish_foreign_comment(lexer: &mut Lexer<'_, SyntaxKind>, errors: &mut Vec<Diagnostic>) -> SyntaxKind {
    let end = lexer.remainder()[1..].find("*/").map(|at| at + 3);
    lexer.bump(end.unwrap_or(1));
    let (at, text) = (span(lexer), lexer.slice());
    let inside = text.strip_prefix("/*").and_then(|text| text.strip_suffix("*/")).unwrap_or_default();
    let opening = Span::at(at.start(), TextSize::of("/*"));
    let error = Diagnostic::error("syntax", opening, "comments are written `(* … *)` or `// …`");
    let plain = end.is_some() && !inside.contains("(*") && !inside.contains("*)");
    errors.push(if plain { error.fix(at, format!("(*{inside}*)"), "write") } else { error });
    SyntaxKind::Comment
}

/// After digits: `1.5` and `5.` are decimal numbers, but `1..8` is a range.
fn finish_number(lexer: &mut Lexer<'_, SyntaxKind>) -> SyntaxKind {
    match lexer.remainder().as_bytes() {
        [b'.', b'.', ..] => SyntaxKind::Integer,
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            lexer.bump(1 + digits);
            SyntaxKind::Real
        }
        _ => SyntaxKind::Integer,
    }
}

fn unknown_character(at: Span, text: &str, rest: &str) -> Diagnostic {
    let quantifier = match (text, rest.chars().next()) {
        ("\\", Some('A')) => Some("forall"),
        ("\\", Some('E')) => Some("exists"),
        _ => None,
    };
    if let Some(word) = quantifier {
        let both = Span::at(at.start(), at.len() + TextSize::of('A'));
        let message = format!("`{text}{}` is written `{word}`", &rest[..1]);
        return Diagnostic::error("unknown-character", at, message)
            .help(format!("a quantifier is written `{word} j. f`"))
            .fix(both, word, format!("write `{word}`"));
    }
    let message = match text {
        _ if text.starts_with('#') => {
            "`#` begins a process constant and needs a number: `#1`, `#2`, …".to_owned()
        }
        "\\" => "`\\` has no meaning here".to_owned(),
        _ => format!("`{}` has no meaning here", text.escape_debug()),
    };
    let diagnostic = Diagnostic::error("unknown-character", at, message);
    match look_alike(text) {
        Some(ours) => diagnostic.fix(at, ours, format!("write `{ours}`")),
        None => diagnostic,
    }
}

/// The operator that a Unicode look-alike stands for, as word processors and mathematical texts use them.
fn look_alike(text: &str) -> Option<&'static str> {
    Some(match text {
        "≠" => "<>",
        "≤" => "<=",
        "≥" => ">=",
        "∧" => "&&",
        "∨" => "||",
        "¬" | "~" => "not",
        "→" | "⇒" => "=>",
        "↔" | "⇔" => "<=>",
        "∀" => "forall",
        "∃" => "exists",
        "−" | "–" => "-",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use SyntaxKind::*;

    fn kinds(text: &str) -> Vec<SyntaxKind> {
        let (tokens, _) = tokenize(text);
        let total: TextSize = tokens.iter().map(|t| t.len).sum();
        assert_eq!(total, TextSize::of(text), "the tokens make up the whole text");
        tokens.into_iter().map(|t| t.kind).filter(|k| *k != Whitespace).collect()
    }

    #[test]
    fn numbers_ranges_and_minus() {
        assert_eq!(kinds("1.5 5. 1..8"), [Real, Real, Integer, DotDot, Integer]);
        assert_eq!(kinds("X-1"), [UpperName, Minus, Integer]);
        assert_eq!(kinds("forall j. X"), [ForallKw, LowerName, Dot, UpperName]);
    }

    #[test]
    fn comments_nest_and_may_be_left_open() {
        assert_eq!(kinds("(* a (* b *) c *) x // y (*\nz"), [Comment, LowerName, LineComment, LowerName]);
        assert_eq!(tokenize("(* (*").1.len(), 1);
        assert_eq!(kinds("(*)*)"), [Comment]);
    }

    #[test]
    fn keywords_of_later_languages_are_names() {
        assert_eq!(kinds("wait lock fence SYS_PROCS"), [LowerName, LowerName, LowerName, UpperName]);
        assert_eq!(kinds("forall_other forall_others"), [ForallOtherKw, LowerName]);
    }

    #[test]
    fn unknown_characters_are_tokens_with_an_error() {
        let (tokens, errors) = tokenize("X ≠ Y $ #0");
        assert_eq!(tokens.iter().filter(|t| t.kind == Unknown).count(), 3);
        assert_eq!(errors.len(), 3);
        assert_eq!(errors[0].fix.as_ref().unwrap().replacement, "<>");
    }
}
