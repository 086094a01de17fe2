//! Formulas as text with the precedence of their outermost connective, so that parentheses are added mostly where
//! necessary.

/// How tightly the outermost connective binds, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Implication,
    Disjunction,
    Conjunction,
    Conditional,
    Negation,
    Atom,
}

/// What the text leaves open at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Closed,
    /// The body of a quantifier, which extends as far right as possible.
    Quantifier,
    /// The arms of a `case`: a following `|` or `:` would be swallowed too.
    Case,
}

#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) text: String,
    level: Level,
    end: End,
}

impl Piece {
    pub(crate) fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), level: Level::Atom, end: End::Closed }
    }

    /// An operand with text after it: must bind at least as tightly as `level`, and be closed.
    fn operand(self, level: Level) -> String {
        if self.level < level || self.end != End::Closed { self.in_parentheses().text } else { self.text }
    }

    /// An operand at the end, where a quantifier needs no parentheses.
    fn last_operand(self, level: Level) -> Self {
        if self.level < level { self.in_parentheses() } else { self }
    }

    /// The text before a `:`, a `,` or a keyword, all of which end everything except a `case`.
    pub(crate) fn delimited(self) -> String {
        if self.end == End::Case { self.in_parentheses().text } else { self.text }
    }

    pub(crate) fn in_parentheses(self) -> Self {
        Self::atom(format!("({})", self.text))
    }

    pub(crate) fn not(self) -> Self {
        Self {
            text: format!("not {}", self.operand(Level::Negation)),
            level: Level::Negation,
            end: End::Closed,
        }
    }

    /// Operands joined by an associative connective.
    fn join(mut operands: Vec<Piece>, connective: &str, level: Level) -> Self {
        let last = operands.pop().unwrap_or_else(|| Self::atom("true"));
        if operands.is_empty() {
            return last;
        }
        let mut text = String::new();
        for operand in operands {
            text.push_str(&operand.operand(level));
            text.push_str(connective);
        }
        let last = last.last_operand(level);
        Self { text: text + &last.text, level, end: last.end }
    }

    /// The conjunction; `true` if there are no operands.
    pub(crate) fn and(operands: Vec<Piece>) -> Self {
        Self::join(operands, " && ", Level::Conjunction)
    }

    pub(crate) fn or(operands: Vec<Piece>) -> Self {
        Self::join(operands, " || ", Level::Disjunction)
    }

    /// `=>` and `<=>`, which associate to the right.
    pub(crate) fn implication(left: Piece, arrow: &str, right: &Piece) -> Self {
        let text = format!("{} {arrow} {}", left.operand(Level::Disjunction), right.text);
        Self { text, level: Level::Implication, end: right.end }
    }

    pub(crate) fn conditional(condition: Piece, yes: Piece, no: Piece) -> Self {
        let [condition, yes, no] = [condition.delimited(), yes.delimited(), no.operand(Level::Negation)];
        let text = format!("if {condition} then {yes} else {no}");
        Self { text, level: Level::Conditional, end: End::Closed }
    }

    /// `forall i. f` and the like; `head` is the text before the full stop.
    pub(crate) fn quantified(head: &str, body: &Piece) -> Self {
        Self {
            text: format!("{head}. {}", body.text),
            level: Level::Atom,
            end: body.end.max(End::Quantifier),
        }
    }

    /// `t = case | f : u …`
    pub(crate) fn case(text: String) -> Self {
        Self { text, level: Level::Atom, end: End::Case }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_stand_where_a_connective_binds_too_weakly() {
        let [a, b, c] = ["a", "b", "c"].map(Piece::atom);
        let or = Piece::or(vec![a.clone(), b.clone()]);
        assert_eq!(Piece::and(vec![or.clone(), c.clone()]).text, "(a || b) && c");
        assert_eq!(Piece::implication(or.clone(), "=>", &c).text, "a || b => c");
        assert_eq!(or.clone().not().text, "not (a || b)");
        assert_eq!(Piece::conditional(a, or.clone(), or).text, "if a then a || b else (a || b)");
    }

    #[test]
    fn a_quantifier_stays_bare_only_at_the_end() {
        let all = Piece::quantified("forall j", &Piece::atom("a"));
        let last = Piece::and(vec![Piece::atom("b"), all.clone()]);
        assert_eq!(last.text, "b && forall j. a");
        assert_eq!(Piece::and(vec![last, Piece::atom("c")]).text, "(b && forall j. a) && c");
        assert_eq!(Piece::and(vec![all.clone(), Piece::atom("c")]).text, "(forall j. a) && c");
        let or = Piece::or(vec![Piece::atom("b"), all]);
        assert_eq!(Piece::and(vec![Piece::atom("c"), or]).text, "c && (b || forall j. a)");
    }
}
