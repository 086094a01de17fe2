//! The parser for temporal formulas, by precedence climbing.

use crate::{
    Binary, Formula,
    lexer::{Token, tokenize},
};
use source::{Diagnostic, Span, TextSize};

/// The largest nesting depth of formulas, so that no recursion over them can overflow the stack.
pub const MAX_NESTING: usize = 200;
/// The largest number of operators in a formula: a chain of them nests as deeply as it is long.
const MAX_OPERATORS: usize = 1000;

/// An atom as it is written: its text without quotes, and where that text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// What stands between the quotes, or a word such as `DEAD`.
    pub text: String,
    /// Its location, without the quotes.
    pub span: Span,
}

/// Parses a formula. `offset` is the position of the text in its source, for the locations of messages.
pub fn parse(text: &str, offset: TextSize) -> Result<Formula<Atom>, Box<Diagnostic>> {
    parse_around(text, offset, &[])
}

/// Parses a formula in which some atoms are already known: the language of the atoms says where they end. Atoms may be in
/// quotes; the location of an atom is without them.
pub fn parse_around(text: &str, offset: TextSize, atoms: &[Span]) -> Result<Formula<Atom>, Box<Diagnostic>> {
    let end = Span::empty(offset + TextSize::of(text.trim_end()));
    let tokens = tokenize(text, offset, atoms);
    let mut parser = Parser { tokens, position: 0, end, nesting: 0, operators: 0 };
    let formula = parser.climb(0)?;
    match parser.tokens.get(parser.position) {
        None => Ok(formula),
        Some((_, span)) => Err(Box::new(error(*span, "expected an operator or the end of the formula"))),
    }
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    position: usize,
    end: Span,
    nesting: usize,
    operators: usize,
}

/// How tightly an operator binds, and whether it groups to the right.
fn binding(operator: Binary) -> (u8, bool) {
    match operator {
        Binary::Implies | Binary::Iff => (1, true),
        Binary::Xor => (2, false),
        Binary::Or => (3, false),
        Binary::And => (4, false),
        Binary::Until | Binary::WeakUntil | Binary::Release | Binary::StrongRelease => (5, true),
    }
}

fn error(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error("temporal-syntax", span, message)
        .help("temporal formulas are made of atoms, `!`, `&`, `|`, `->`, `<->`, `F`, `G`, `X`, `U`, `W`, `R` and `M`")
}

impl Parser {
    fn climb(&mut self, lowest: u8) -> Result<Formula<Atom>, Box<Diagnostic>> {
        if self.nesting == MAX_NESTING {
            return Err(Box::new(error(self.here(), "this temporal formula is nested too deep")));
        }
        self.nesting += 1;
        let mut left = self.operand()?;
        while let Some((Token::Binary(operator), _)) = self.tokens.get(self.position) {
            let operator = *operator;
            let (level, right) = binding(operator);
            if level < lowest {
                break;
            }
            self.operators += 1;
            if self.operators > MAX_OPERATORS {
                return Err(Box::new(error(self.here(), "this temporal formula is too long")));
            }
            self.position += 1;
            let operand = self.climb(if right { level } else { level + 1 })?;
            left = Formula::Binary(operator, Box::new(left), Box::new(operand));
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula<Atom>, Box<Diagnostic>> {
        let span = self.here();
        let token = self.tokens.get(self.position).map(|(token, _)| token.clone());
        self.position += 1;
        Ok(match token {
            Some(Token::True) => Formula::True,
            Some(Token::False) => Formula::False,
            Some(Token::Atom(text)) => {
                let quotes = TextSize::from(u32::from(span.len() > TextSize::of(&*text)));
                Formula::Atom(Atom { span: Span::at(span.start() + quotes, TextSize::of(&*text)), text })
            }
            // Operators on one formula bind tighter than all others.
            Some(Token::Unary(operator)) => Formula::Unary(operator, Box::new(self.climb(u8::MAX)?)),
            Some(Token::Open) => {
                let inner = self.climb(0)?;
                if !matches!(self.tokens.get(self.position), Some((Token::Close, _))) {
                    return Err(Box::new(error(self.here(), "expected `)`").also(span, "to close this")));
                }
                self.position += 1;
                inner
            }
            _ => return Err(Box::new(error(span, "expected a temporal formula"))),
        })
    }

    fn here(&self) -> Span {
        self.tokens.get(self.position).map_or(self.end, |(_, span)| *span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unary;

    fn shape(formula: &Formula<Atom>) -> String {
        match formula {
            Formula::True => "tt".into(),
            Formula::False => "ff".into(),
            Formula::Atom(atom) => atom.text.clone(),
            Formula::Unary(operator, inner) => {
                let word = match operator {
                    Unary::Not => "!",
                    Unary::Next => "X",
                    Unary::Finally => "F",
                    Unary::Globally => "G",
                };
                format!("{word}({})", shape(inner))
            }
            Formula::Binary(operator, left, right) => {
                format!("({} {operator:?} {})", shape(left), shape(right))
            }
        }
    }

    fn parsed(text: &str) -> String {
        shape(&parse(text, 0.into()).unwrap())
    }

    #[test]
    fn precedence_is_the_standard_one() {
        assert_eq!(parsed("G a -> F b & c"), "(G(a) Implies (F(b) And c))");
        assert_eq!(parsed("a U b U c"), "(a Until (b Until c))");
        assert_eq!(parsed("! a | b ^ c"), "((!(a) Or b) Xor c)");
        assert_eq!(parsed("a -> b <-> c"), "(a Implies (b Iff c))");
        assert_eq!(parsed("a AND b OR c IMP d"), "(((a And b) Or c) Implies d)");
        assert_eq!(parsed("a & b U c"), "(a And (b Until c))");
    }

    #[test]
    fn atoms_keep_their_text_and_place() {
        let Formula::Unary(_, inner) = parse("G \"X = 1\"", 10.into()).unwrap() else { panic!("G is unary") };
        let Formula::Atom(atom) = *inner else { panic!("an atom") };
        assert_eq!((atom.text.as_str(), atom.span), ("X = 1", Span::at(13.into(), 5.into())));
    }

    #[test]
    fn errors_point_at_the_token() {
        let at = |text: &str| u32::from(parse(text, 0.into()).unwrap_err().primary.span.start());
        assert_eq!(at("a b"), 2);
        assert_eq!(at("(a"), 2);
        assert_eq!(at("a & $"), 4);
        assert_eq!(at(""), 0);
        let known = parse_around("G x < 3 U 'y z'", 5.into(), &[Span::at(7.into(), 5.into())]).unwrap();
        assert_eq!(shape(&known), "(G(x < 3) Until y z)");
        assert!(parse(&"!".repeat(100_000), 0.into()).is_err());
        assert!(parse(&"a & ".repeat(100_000), 0.into()).is_err());
    }
}
