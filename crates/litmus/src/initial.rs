//! The initial state: `{ x=0; 0:EAX=1; }`.

use crate::{Place, Register, lexer::Kind, parser::Parser};
use source::{Diagnostic, Span};

/// What is given an initial value, before the number of processes is known.
#[derive(Debug)]
pub(crate) struct Start {
    /// The number of the process, and where it is, if it is a register.
    process: Option<(i64, Span)>,
    name: String,
    name_at: Span,
    value: i64,
}

impl Parser<'_, '_> {
    /// `{ x=0; 0:EAX=1; }`
    pub(crate) fn initial_state(&mut self) -> Result<Vec<Start>, Diagnostic> {
        let opening = self.cursor.expect(Kind::OpenBrace, "the initial state in braces")?;
        let mut starts = Vec::new();
        while !self.cursor.eat(Kind::CloseBrace) {
            if self.cursor.kind() == Kind::End {
                return Err(Diagnostic::error("syntax", opening, "this brace is never closed"));
            }
            match self.start() {
                Ok(start) => starts.extend(start),
                Err(error) => {
                    self.errors.push(error);
                    self.cursor.skip_to(&[Kind::Semicolon, Kind::CloseBrace]);
                }
            }
            self.cursor.eat(Kind::Semicolon);
        }
        Ok(starts)
    }

    /// `x=1`, `[x]=1`, `0:EAX=1`, `int x`, `int x=1`; `None` for an empty one.
    fn start(&mut self) -> Result<Option<Start>, Diagnostic> {
        if self.cursor.kind() == Kind::Semicolon {
            return Ok(None);
        }
        let typed = self.skip_type();
        let process = match self.cursor.kind() {
            Kind::Number => {
                let number = self.cursor.number()?;
                self.cursor.expect(Kind::Colon, "`:` and a register")?;
                Some(number)
            }
            _ => None,
        };
        let bracket = process.is_none() && self.cursor.eat(Kind::OpenBracket);
        let (name, name_at) = (self.cursor.text().to_owned(), self.cursor.here());
        self.cursor.expect(Kind::Word, "a location, or a register such as `0:EAX`")?;
        if bracket {
            self.cursor.expect(Kind::CloseBracket, "`]`")?;
        }
        let value = self.start_value(typed)?;
        Ok(Some(Start { process, name, name_at, value }))
    }

    /// `= 1`, or nothing after a type.
    fn start_value(&mut self, typed: bool) -> Result<i64, Diagnostic> {
        if typed && matches!(self.cursor.kind(), Kind::Semicolon | Kind::CloseBrace) {
            return Ok(0);
        }
        self.cursor.expect(Kind::Equals, "`=` and a number")?;
        if self.cursor.kind() == Kind::Word {
            return Err(Diagnostic::error(
                "address-as-value",
                self.cursor.here(),
                "addresses are no values here",
            )
            .label("a register or location holds a number")
            .help("name the location in the instruction: `MOV EAX,[x]`"));
        }
        let (value, at) = self.cursor.number()?;
        self.names.number(value, at);
        Ok(value)
    }

    /// `int` and the like before a name. They say nothing: all numbers of a test have one width.
    fn skip_type(&mut self) -> bool {
        let typed = self.cursor.kind() == Kind::Word
            && matches!(self.cursor.kind_after(1), Kind::Word | Kind::Number)
            && matches!(self.cursor.text(), "int" | "long" | "int32_t" | "int64_t" | "uint32_t" | "uint64_t");
        if typed {
            self.cursor.advance();
        }
        typed
    }

    /// Sets initial values, once there are processes.
    pub(crate) fn initialise(&mut self, starts: Vec<Start>) {
        for start in starts {
            let place = self.start_place(&start);
            let set = place.and_then(|place| self.names.set(place, start.value, start.name_at));
            self.errors.extend(set.err());
        }
    }

    fn start_place(&mut self, start: &Start) -> Result<Place, Diagnostic> {
        match start.process {
            Some((number, at)) => {
                let thread = self.names.thread(number, at)?;
                let register = self.register(&start.name, start.name_at)?;
                Ok(Place::Register(thread, self.names.register(thread, register)))
            }
            None if Register::named(&start.name).is_some() => {
                Err(Diagnostic::error("unknown-process", start.name_at, "a register needs its process")
                    .help(format!("write `0:{}` for that of P0", start.name)))
            }
            None => Ok(Place::Location(self.names.location(&start.name))),
        }
    }
}
