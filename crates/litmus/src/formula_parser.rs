//! What is asked: `locations [x; 0:EAX]` and the condition, with `not`, `/\` and `\/` from tight to weak.

use crate::{Condition, Formula, Place, Quantifier, Register, lexer::Kind, parser::Parser};
use source::{Diagnostic, Span};

/// How deeply formulas may nest.
const DEEPEST: usize = 100;

impl Parser<'_, '_> {
    /// Everything after the table: the condition, and what else is observed.
    pub(crate) fn asked(&mut self) -> Result<(Condition, Vec<Place>), Diagnostic> {
        let mut observed = Vec::new();
        while self.cursor.eat_word("locations") {
            observed.extend(self.locations()?);
        }
        let quantifier = self.quantifier()?;
        let formula = self.disjunction(0)?;
        if self.cursor.kind() != Kind::End {
            return Err(self.cursor.unexpected("`/\\`, `\\/` or the end of the test"));
        }
        Ok((Condition { quantifier, formula }, observed))
    }

    fn quantifier(&mut self) -> Result<Quantifier, Diagnostic> {
        let negated = self.cursor.eat(Kind::Not) || self.cursor.eat_word("not");
        if self.cursor.eat_word("exists") {
            return Ok(if negated { Quantifier::NotExists } else { Quantifier::Exists });
        }
        if !negated && self.cursor.eat_word("forall") {
            return Ok(Quantifier::Forall);
        }
        let error = self.cursor.unexpected("`exists`, `~exists` or `forall`");
        Err(error.help("a test ends with a condition such as `exists (0:EAX=0 /\\ 1:EAX=0)`"))
    }

    /// `[x; 0:EAX;]`
    fn locations(&mut self) -> Result<Vec<Place>, Diagnostic> {
        self.cursor.expect(Kind::OpenBracket, "`[` and what to show, such as `[x; 0:EAX]`")?;
        let mut places = Vec::new();
        while !self.cursor.eat(Kind::CloseBracket) {
            let place = self.place();
            match place {
                Ok(place) => places.push(place),
                Err(error) if error.code == "syntax" => return Err(error),
                Err(error) => self.errors.push(error),
            }
            if !self.cursor.eat(Kind::Semicolon) && self.cursor.kind() != Kind::CloseBracket {
                return Err(self.cursor.unexpected("`;` or `]`"));
            }
        }
        Ok(places)
    }

    fn disjunction(&mut self, depth: usize) -> Result<Formula, Diagnostic> {
        let mut parts = vec![self.conjunction(depth)?];
        while self.cursor.eat(Kind::Or) {
            parts.push(self.conjunction(depth)?);
        }
        Ok(one_or(parts, Formula::Or))
    }

    fn conjunction(&mut self, depth: usize) -> Result<Formula, Diagnostic> {
        let mut parts = vec![self.literal(depth)?];
        while self.cursor.eat(Kind::And) {
            parts.push(self.literal(depth)?);
        }
        Ok(one_or(parts, Formula::And))
    }

    fn literal(&mut self, depth: usize) -> Result<Formula, Diagnostic> {
        if depth > DEEPEST {
            let message = format!("formulas may be nested {DEEPEST} deep");
            return Err(Diagnostic::error("nested-too-deeply", self.cursor.here(), message));
        }
        if self.cursor.eat(Kind::Not) || self.cursor.eat_word("not") {
            return Ok(Formula::Not(Box::new(self.literal(depth + 1)?)));
        }
        let opening = self.cursor.here();
        if self.cursor.eat(Kind::Open) {
            let inner = self.disjunction(depth + 1)?;
            if !self.cursor.eat(Kind::Close) {
                return Err(self.cursor.unexpected("`)`").also(opening, "to close this"));
            }
            return Ok(inner);
        }
        if self.cursor.eat_word("true") {
            return Ok(Formula::Truth(true));
        }
        if self.cursor.eat_word("false") {
            return Ok(Formula::Truth(false));
        }
        self.equation()
    }

    /// `0:EAX=1`, `x=1`, `[x]=1`. A wrong name is reported, and reading continues.
    fn equation(&mut self) -> Result<Formula, Diagnostic> {
        let place = match self.place() {
            Err(error) if error.code != "syntax" => {
                self.errors.push(error);
                None
            }
            place => Some(place?),
        };
        self.cursor.expect(Kind::Equals, "`=` and a number")?;
        if self.cursor.kind() == Kind::Word {
            return Err(Diagnostic::error("address-as-value", self.cursor.here(), "expected a number")
                .label("registers and locations are compared with numbers only"));
        }
        let (number, at) = self.cursor.number()?;
        self.names.number(number, at);
        Ok(place.map_or(Formula::Truth(true), |place| Formula::Equals(place, number)))
    }

    /// `0:EAX`, `x`, `[x]`
    fn place(&mut self) -> Result<Place, Diagnostic> {
        if self.cursor.kind() == Kind::Number {
            let (number, at) = self.cursor.number()?;
            self.cursor.expect(Kind::Colon, "`:` and a register")?;
            let (name, name_at) = (self.cursor.text(), self.cursor.here());
            self.cursor.expect(Kind::Word, "a register")?;
            return self.asked_register((number, at), name, name_at);
        }
        let bracket = self.cursor.eat(Kind::OpenBracket);
        let (name, at) = (self.cursor.text(), self.cursor.here());
        self.cursor.expect(Kind::Word, "a register such as `0:EAX`, or a location")?;
        if bracket {
            self.cursor.expect(Kind::CloseBracket, "`]`")?;
        }
        if !bracket && Register::named(name).is_some() {
            return Err(Diagnostic::error("unknown-process", at, "a register needs its process")
                .help(format!("write `0:{name}` for that of P0")));
        }
        self.names.asked_location(name, at)
    }

    fn asked_register(
        &mut self,
        (number, at): (i64, Span),
        name: &str,
        name_at: Span,
    ) -> Result<Place, Diagnostic> {
        let thread = self.names.thread(number, at)?;
        let register = self.register(name, name_at)?;
        self.names.asked_register(thread, register, name_at)
    }
}

fn one_or(mut parts: Vec<Formula>, join: fn(Vec<Formula>) -> Formula) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}
