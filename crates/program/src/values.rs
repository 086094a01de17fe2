//! Values of global variables, and expressions over them: `jobs.head`, `slots[1].full == 0 && *last > 2`.
//!
//! The language is a small part of C: names, members, elements, pointers, numbers, sums, comparisons and logic. Nothing
//! that could change the program.

use crate::variables::{Located, Scalar, Type, Variables};

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Of a comparison.
    Truth(bool),
    /// As C writes it.
    Term(String),
    /// It has none here, for this reason.
    Nothing(String),
}

/// Why an expression cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Not in any state.
    Meaningless(String),
    /// Not in this state.
    Undefined(String),
}

/// Reads the memory of the program.
pub(crate) trait Memory {
    /// Bytes, as far as they can be read.
    fn read(&mut self, address: u64, size: u64) -> Vec<u8>;
}

/// Evaluates expressions.
pub(crate) struct Evaluator<'v, M> {
    pub(crate) variables: &'v Variables,
    /// What is added to the addresses of variables.
    pub(crate) base: u64,
    pub(crate) memory: M,
}

/// A value on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    Place(Located),
    Number(i128),
    Truth(bool),
}

/// The most elements of an array, and letters of a text, that are shown.
const MOST_SHOWN: u64 = 16;
/// Values nest no deeper than this when they are shown.
const DEEPEST: usize = 4;

impl<M: Memory> Evaluator<'_, M> {
    /// The value of an expression. The error is a sentence about what is wrong with the expression.
    pub(crate) fn worth(&mut self, text: &str) -> Result<Worth, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, at: 0, evaluator: self };
        let value = parser.disjunction().and_then(|value| match parser.tokens.get(parser.at) {
            None => Ok(value),
            Some(token) => Err(Problem::Meaningless(format!("`{token}` is not expected in `{text}`"))),
        });
        match value.and_then(|value| self.tell(value)) {
            Ok(worth) => Ok(worth),
            Err(Problem::Undefined(why)) => Ok(Worth::Nothing(why)),
            Err(Problem::Meaningless(why)) => Err(why),
        }
    }

    fn tell(&mut self, value: Operand) -> Result<Worth, Problem> {
        Ok(match value {
            Operand::Truth(truth) => Worth::Truth(truth),
            Operand::Number(number) => Worth::Term(number.to_string()),
            Operand::Place(place) => Worth::Term(self.text(place, 0)?),
        })
    }

    /// A value in memory as C writes it.
    pub(crate) fn text(&mut self, place: Located, depth: usize) -> Result<String, Problem> {
        let variables = self.variables;
        Ok(match variables.resolved(place.of) {
            Some(Type::Scalar { size, kind: Scalar::Float }) => self.float(place.address, *size)?,
            Some(Type::Scalar { kind: Scalar::Truth, .. }) => (self.number(place)? != 0).to_string(),
            Some(Type::Scalar { kind: Scalar::Letter, .. }) => letter(self.number(place)?),
            Some(Type::Scalar { .. }) => self.number(place)?.to_string(),
            Some(Type::Enum { names, .. }) => {
                let number = self.number(place)?;
                let name = names.iter().find(|(_, value)| i128::from(*value) == number);
                name.map_or_else(|| number.to_string(), |(name, _)| name.clone())
            }
            Some(Type::Pointer { .. }) => self.pointer(place)?,
            Some(Type::Array { .. } | Type::Struct { .. }) if depth >= DEEPEST => "{…}".to_owned(),
            Some(Type::Array { of, lengths }) => self.array(place.address, *of, lengths, depth)?,
            Some(Type::Struct { members, .. }) => {
                let shown = members.iter().filter(|member| !member.name.starts_with('_'));
                let parts: Result<Vec<String>, Problem> = shown
                    .map(|member| {
                        let part = Located { address: place.address + member.at, of: member.of };
                        Ok(format!("{} = {}", member.name, self.text(part, depth + 1)?))
                    })
                    .collect();
                format!("{{{}}}", parts?.join(", "))
            }
            _ => "{…}".to_owned(),
        })
    }

    fn array(
        &mut self,
        address: u64,
        of: Option<usize>,
        lengths: &[u64],
        depth: usize,
    ) -> Result<String, Problem> {
        let size = self.variables.size_of(of).unwrap_or(0);
        let length: u64 = lengths.iter().product();
        let mut parts = Vec::new();
        for at in 0..length.min(MOST_SHOWN) {
            parts.push(self.text(Located { address: address + at * size, of }, depth + 1)?);
        }
        parts.extend((length > MOST_SHOWN).then(|| "…".to_owned()));
        Ok(format!("{{{}}}", parts.join(", ")))
    }

    fn float(&mut self, address: u64, size: u64) -> Result<String, Problem> {
        let bytes = self.bytes(address, size)?;
        let single = <[u8; 4]>::try_from(bytes.as_slice()).map(|bytes| f32::from_le_bytes(bytes).to_string());
        let double = <[u8; 8]>::try_from(bytes.as_slice()).map(|bytes| f64::from_le_bytes(bytes).to_string());
        Ok(single.or(double).unwrap_or_else(|_| "{…}".to_owned()))
    }

    fn pointer(&mut self, place: Located) -> Result<String, Problem> {
        let address = u64::try_from(self.number(place)?).unwrap_or(0);
        if address == 0 {
            return Ok("NULL".to_owned());
        }
        let name = address.checked_sub(self.base).and_then(|within| self.variables.pointer(within));
        Ok(name.unwrap_or_else(|| format!("{address:#x}")))
    }

    fn bytes(&mut self, address: u64, size: u64) -> Result<Vec<u8>, Problem> {
        let bytes = self.memory.read(address, size);
        if bytes.len() as u64 == size {
            Ok(bytes)
        } else {
            Err(Problem::Undefined(format!("there is nothing at {address:#x}")))
        }
    }

    /// The number that something in memory is.
    fn number(&mut self, place: Located) -> Result<i128, Problem> {
        let variables = self.variables;
        let (size, signed) = match variables.resolved(place.of) {
            Some(Type::Scalar { size, kind: Scalar::Signed | Scalar::Letter }) => (*size, true),
            Some(Type::Scalar { size, kind: Scalar::Unsigned | Scalar::Truth }) => (*size, false),
            Some(Type::Enum { size, names }) => (*size, names.iter().any(|(_, value)| *value < 0)),
            Some(Type::Pointer { .. }) => (8, false),
            _ => return Err(Problem::Meaningless("only numbers and pointers can be compared".into())),
        };
        let bytes = self.bytes(place.address, size)?;
        let negative = signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
        let mut wide = [if negative { 0xff } else { 0 }; 16];
        wide.get_mut(..bytes.len()).map(|part| part.copy_from_slice(&bytes)).unwrap_or_default();
        Ok(i128::from_le_bytes(wide))
    }

    fn as_number(&mut self, value: Operand) -> Result<i128, Problem> {
        match value {
            Operand::Number(number) => Ok(number),
            Operand::Truth(truth) => Ok(i128::from(truth)),
            Operand::Place(place) => self.number(place),
        }
    }

    fn variable(&self, name: &str) -> Result<Operand, Problem> {
        if let Some(Located { address, of }) = self.variables.find(name) {
            return Ok(Operand::Place(Located { address: address + self.base, of }));
        }
        match name {
            "true" => Ok(Operand::Truth(true)),
            "false" => Ok(Operand::Truth(false)),
            "NULL" => Ok(Operand::Number(0)),
            _ => {
                self.variables.enumerator(name).map(|value| Operand::Number(value.into())).ok_or_else(|| {
                    Problem::Meaningless(format!("there is no global variable `{name}` in the program"))
                })
            }
        }
    }

    fn member(&self, value: Operand, name: &str) -> Result<Operand, Problem> {
        let Operand::Place(place) = value else {
            return Err(Problem::Meaningless(format!("a number has no member `{name}`")));
        };
        let Some(Type::Struct { members, .. }) = self.variables.resolved(place.of) else {
            return Err(Problem::Meaningless(format!("only structures have members, such as `{name}`")));
        };
        let found = members.iter().find(|member| member.name == name);
        let found = found.ok_or_else(|| Problem::Meaningless(format!("there is no member `{name}`")))?;
        Ok(Operand::Place(Located { address: place.address + found.at, of: found.of }))
    }

    fn pointed(&mut self, value: Operand) -> Result<Located, Problem> {
        let no_pointer = || Problem::Meaningless("only pointers can be followed".into());
        let Operand::Place(place) = value else { return Err(no_pointer()) };
        let Some(Type::Pointer { of }) = self.variables.resolved(place.of) else { return Err(no_pointer()) };
        let of = *of;
        match u64::try_from(self.number(place)?) {
            Ok(0) | Err(_) => Err(Problem::Undefined("the pointer is NULL".into())),
            Ok(address) => Ok(Located { address, of }),
        }
    }

    fn element(&mut self, value: Operand, index: i128) -> Result<Operand, Problem> {
        let Operand::Place(place) = value else {
            return Err(Problem::Meaningless("a number has no elements".into()));
        };
        let (start, of) = match self.variables.resolved(place.of) {
            Some(Type::Array { of, lengths }) if lengths.len() <= 1 => (place.address, *of),
            Some(Type::Array { .. }) => {
                return Err(Problem::Meaningless("arrays of several dimensions are shown as a whole".into()));
            }
            _ => {
                let Located { address, of } = self.pointed(value)?;
                (address, of)
            }
        };
        let size = i128::from(self.variables.size_of(of).unwrap_or(1));
        let address = u64::try_from(i128::from(start) + index * size)
            .map_err(|_| Problem::Undefined("the element is outside of memory".into()))?;
        Ok(Operand::Place(Located { address, of }))
    }
}

fn letter(number: i128) -> String {
    match u8::try_from(number) {
        Ok(byte @ 0x20..0x7f) => format!("{number} '{}'", char::from(byte)),
        _ => number.to_string(),
    }
}

/// Symbols of two letters before those of one.
const SYMBOLS: [&str; 21] = [
    "&&", "||", "==", "!=", "<=", ">=", "->", "=", "<", ">", "!", "*", "-", "+", "&", "(", ")", "[", "]",
    ".", ",",
];

/// The words, numbers and symbols of an expression.
fn tokens(text: &str) -> Result<Vec<&str>, String> {
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = if is_word(first) {
            rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())
        } else {
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            symbol.ok_or_else(|| format!("`{first}` has no meaning in an expression"))?.len()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// Recursive descent that evaluates at once. Both sides of `&&` are evaluated: nothing has effects.
struct Parser<'p, 'v, M> {
    tokens: &'p [&'p str],
    at: usize,
    evaluator: &'p mut Evaluator<'v, M>,
}

impl<'p, M: Memory> Parser<'p, '_, M> {
    fn next_is(&mut self, symbol: &str) -> bool {
        let found = self.tokens.get(self.at) == Some(&symbol);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Problem> {
        if self.next_is(symbol) {
            Ok(())
        } else {
            Err(Problem::Meaningless(format!("`{symbol}` is missing")))
        }
    }

    fn truth(&mut self, value: Operand) -> Result<bool, Problem> {
        Ok(self.evaluator.as_number(value)? != 0)
    }

    fn disjunction(&mut self) -> Result<Operand, Problem> {
        let mut value = self.conjunction()?;
        while self.next_is("||") {
            let other = self.conjunction()?;
            value = Operand::Truth(self.truth(value)? | self.truth(other)?);
        }
        Ok(value)
    }

    fn conjunction(&mut self) -> Result<Operand, Problem> {
        let mut value = self.comparison()?;
        while self.next_is("&&") {
            let other = self.comparison()?;
            value = Operand::Truth(self.truth(value)? & self.truth(other)?);
        }
        Ok(value)
    }

    fn comparison(&mut self) -> Result<Operand, Problem> {
        let value = self.sum()?;
        let Some(symbol) =
            ["==", "=", "!=", "<=", ">=", "<", ">"].into_iter().find(|symbol| self.next_is(symbol))
        else {
            return Ok(value);
        };
        let other = self.sum()?;
        let (one, other) = (self.evaluator.as_number(value)?, self.evaluator.as_number(other)?);
        Ok(Operand::Truth(match symbol {
            "!=" => one != other,
            "<=" => one <= other,
            ">=" => one >= other,
            "<" => one < other,
            ">" => one > other,
            _ => one == other,
        }))
    }

    fn sum(&mut self) -> Result<Operand, Problem> {
        let mut value = self.prefixed()?;
        while let Some(symbol) = ["+", "-"].into_iter().find(|symbol| self.next_is(symbol)) {
            let other = self.prefixed()?;
            let (one, other) = (self.evaluator.as_number(value)?, self.evaluator.as_number(other)?);
            value = Operand::Number(if symbol == "+" {
                one.wrapping_add(other)
            } else {
                one.wrapping_sub(other)
            });
        }
        Ok(value)
    }

    fn prefixed(&mut self) -> Result<Operand, Problem> {
        if self.next_is("!") {
            let value = self.prefixed()?;
            return Ok(Operand::Truth(!self.truth(value)?));
        }
        if self.next_is("-") {
            let value = self.prefixed()?;
            return Ok(Operand::Number(self.evaluator.as_number(value)?.wrapping_neg()));
        }
        if self.next_is("*") {
            let value = self.prefixed()?;
            return self.evaluator.pointed(value).map(Operand::Place);
        }
        if self.next_is("&") {
            return match self.prefixed()? {
                Operand::Place(place) => Ok(Operand::Number(place.address.into())),
                _ => Err(Problem::Meaningless("a number has no address".into())),
            };
        }
        self.selected()
    }

    /// A name with members and elements.
    fn selected(&mut self) -> Result<Operand, Problem> {
        let mut value = self.primary()?;
        loop {
            if self.next_is(".") {
                let name = self.name()?;
                value = self.evaluator.member(value, name)?;
            } else if self.next_is("->") {
                let name = self.name()?;
                let whole = self.evaluator.pointed(value)?;
                value = self.evaluator.member(Operand::Place(whole), name)?;
            } else if self.next_is("[") {
                let index = self.disjunction()?;
                self.expect("]")?;
                let index = self.evaluator.as_number(index)?;
                value = self.evaluator.element(value, index)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn name(&mut self) -> Result<&'p str, Problem> {
        let name = self.tokens.get(self.at).copied();
        self.at += 1;
        name.ok_or_else(|| Problem::Meaningless("the name of a member is missing".into()))
    }

    fn primary(&mut self) -> Result<Operand, Problem> {
        if self.next_is("(") {
            let value = self.disjunction()?;
            self.expect(")")?;
            return Ok(value);
        }
        let Some(token) = self.tokens.get(self.at).copied() else {
            return Err(Problem::Meaningless("something is missing at the end".into()));
        };
        self.at += 1;
        if token.starts_with(|letter: char| letter.is_ascii_digit()) {
            let number = match token.strip_prefix("0x") {
                Some(digits) => i128::from_str_radix(digits, 16),
                None => token.parse(),
            };
            return number
                .map(Operand::Number)
                .map_err(|_| Problem::Meaningless(format!("`{token}` is not a number")));
        }
        self.evaluator.variable(token)
    }
}
