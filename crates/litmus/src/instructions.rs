//! One instruction: its mnemonic, its operands, and what it does.

use crate::{
    Alu, Effect, Instruction, Jump, Op, Register, Value,
    cursor::{Cursor, cover},
    lexer::Kind,
    parser::Parser,
};
use source::{Diagnostic, Span, nearest};

/// An operand.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Register(usize),
    Number(i64),
    Memory(usize),
}

/// What is known about an instruction before its operands.
#[derive(Clone, Copy, Debug)]
struct Prefix<'t> {
    mnemonic: &'t str,
    at: Span,
    /// Where `LOCK` is.
    lock: Option<Span>,
}

/// Every mnemonic, for proposals.
const MNEMONICS: [&str; 26] = [
    "ADD", "AND", "CMP", "CMPXCHG", "DEC", "INC", "JE", "JMP", "JNE", "JNZ", "JZ", "LFENCE", "LOCK",
    "MFENCE", "MOV", "NEG", "NOP", "NOT", "OR", "PAUSE", "SFENCE", "SUB", "TEST", "XADD", "XCHG", "XOR",
];

/// What a mnemonic with operands stands for.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// `MOV a,b`
    Move,
    /// `ADD a,b`
    Binary(Alu),
    /// `NEG a`; `INC a` with a second value of 1.
    Unary(Alu, i64),
    /// `CMP a,b`: the result goes nowhere.
    Compare(Alu),
    Exchange,
    ExchangeAdd,
    CompareExchange,
}

fn family(mnemonic: &str) -> Option<Family> {
    Some(match mnemonic.to_ascii_uppercase().as_str() {
        "MOV" => Family::Move,
        "ADD" => Family::Binary(Alu::Add),
        "SUB" => Family::Binary(Alu::Sub),
        "AND" => Family::Binary(Alu::And),
        "OR" => Family::Binary(Alu::Or),
        "XOR" => Family::Binary(Alu::Xor),
        "INC" => Family::Unary(Alu::Add, 1),
        "DEC" => Family::Unary(Alu::Sub, 1),
        "NEG" => Family::Unary(Alu::Neg, 0),
        "NOT" => Family::Unary(Alu::Not, 0),
        "CMP" => Family::Compare(Alu::Sub),
        "TEST" => Family::Compare(Alu::And),
        "XCHG" => Family::Exchange,
        "XADD" => Family::ExchangeAdd,
        "CMPXCHG" => Family::CompareExchange,
        _ => return None,
    })
}

impl<'t> Parser<'t, '_> {
    /// The instruction in a cell, and where the label of its jump is.
    pub(crate) fn instruction(
        &mut self,
        cursor: &mut Cursor<'t>,
        thread: usize,
    ) -> Result<(Instruction, Option<Span>), Diagnostic> {
        let start = cursor.here();
        let lock = cursor.eat_word("LOCK").then_some(start);
        let (mnemonic, at) = (cursor.text(), cursor.here());
        cursor.expect(Kind::Word, "an instruction")?;
        let prefix = Prefix { mnemonic, at, lock };
        let (op, target) = self.op(prefix, cursor, thread)?;
        if cursor.kind() != Kind::End {
            return Err(cursor.unexpected("`|` or `;` after the instruction"));
        }
        let text =
            cursor.slice(cover(start, cursor.before())).split_whitespace().collect::<Vec<_>>().join(" ");
        Ok((Instruction { text, op }, target))
    }

    fn op(
        &mut self,
        prefix: Prefix<'t>,
        cursor: &mut Cursor<'t>,
        thread: usize,
    ) -> Result<(Op, Option<Span>), Diagnostic> {
        let jump = |when| Op::Jump(when, 0);
        let (op, jumps) = match prefix.mnemonic.to_ascii_uppercase().as_str() {
            "MFENCE" => (Op::Fence, false),
            "LFENCE" | "SFENCE" | "NOP" | "PAUSE" => (Op::Skip, false),
            "JMP" => (jump(Jump::Always), true),
            "JE" | "JZ" => (jump(Jump::IfZero), true),
            "JNE" | "JNZ" => (jump(Jump::IfNotZero), true),
            _ => return Ok((self.with_operands(prefix, cursor, thread)?, None)),
        };
        no_lock(prefix)?;
        let target = if jumps { Some(cursor.expect(Kind::Word, "a label")?) } else { None };
        Ok((op, target))
    }

    fn with_operands(
        &mut self,
        prefix: Prefix<'t>,
        cursor: &mut Cursor<'t>,
        thread: usize,
    ) -> Result<Op, Diagnostic> {
        let Some(family) = family(prefix.mnemonic) else { return Err(unknown(prefix)) };
        let first = self.operand(cursor, thread)?;
        let second = if let Family::Unary(_, number) = family {
            Operand::Number(number)
        } else {
            cursor.expect(Kind::Comma, "`,` and a second operand")?;
            self.operand(cursor, thread)?
        };
        let all = cover(prefix.at, cursor.before());
        let op = self.meaning(family, first, second, prefix.lock.is_some(), thread);
        let op = op.ok_or_else(|| wrong_operands(prefix, family, all))?;
        if prefix.lock.is_some() && !matches!(op, Op::Update { .. }) {
            no_lock(prefix)?;
        }
        Ok(op)
    }

    /// `EAX`, `$1`, `[x]`
    fn operand(&mut self, cursor: &mut Cursor<'t>, thread: usize) -> Result<Operand, Diagnostic> {
        if cursor.at_number() {
            let (value, at) = cursor.number()?;
            self.names.number(value, at);
            return Ok(Operand::Number(value));
        }
        let at = cursor.here();
        if cursor.eat(Kind::OpenBracket) {
            return self.memory(cursor, at);
        }
        if cursor.kind() != Kind::Word {
            return Err(cursor.unexpected("a register, a number such as `$1`, or a location such as `[x]`"));
        }
        let name = cursor.text();
        let register = self.register(name, at).map_err(|error| match error.code {
            // What is no register at all is probably a location.
            "unknown-register" if !Register::is_unsupported(name) => {
                error.fix(at, format!("[{name}]"), "a location stands in brackets:")
            }
            _ => error,
        })?;
        cursor.advance();
        Ok(Operand::Register(self.names.register(thread, register)))
    }

    /// After `[`.
    fn memory(&mut self, cursor: &mut Cursor<'t>, opening: Span) -> Result<Operand, Diagnostic> {
        let name = cursor.text();
        cursor.expect(Kind::Word, "a location")?;
        cursor.expect(Kind::CloseBracket, "`]`")?;
        if Register::named(name).is_some() || Register::is_unsupported(name) {
            let at = cover(opening, cursor.before());
            return Err(Diagnostic::error(
                "address-as-value",
                at,
                "addresses in registers are not supported",
            )
            .help("name the location: `MOV EAX,[x]`"));
        }
        Ok(Operand::Memory(self.names.location(name)))
    }

    /// What an instruction does; `None` if it has no such operands.
    fn meaning(
        &mut self,
        family: Family,
        first: Operand,
        second: Operand,
        locked: bool,
        thread: usize,
    ) -> Option<Op> {
        match family {
            Family::Move => self.moved(first, second, thread),
            Family::Binary(alu) | Family::Unary(alu, _) => self.computed(alu, first, second, locked, thread),
            Family::Compare(alu) => compared(alu, first, second),
            Family::Exchange | Family::ExchangeAdd | Family::CompareExchange => {
                self.exchanged(family, first, second, locked, thread)
            }
        }
    }

    fn moved(&mut self, first: Operand, second: Operand, thread: usize) -> Option<Op> {
        match (first, second) {
            (Operand::Memory(to), _) => Some(Op::Store { to, value: value(second)? }),
            _ => self.computed(Alu::Second, first, second, false, thread),
        }
    }

    /// The first operand becomes the result for both.
    fn computed(
        &mut self,
        alu: Alu,
        first: Operand,
        second: Operand,
        locked: bool,
        thread: usize,
    ) -> Option<Op> {
        match (first, second) {
            (Operand::Memory(at), _) => {
                Some(Op::Update { at, effect: Effect::Compute(alu, value(second)?), locked })
            }
            (Operand::Register(to), Operand::Memory(from)) => {
                self.names.written(thread, to);
                Some(Op::Load { from, alu, first: Value::Register(to), to: Some(to) })
            }
            (Operand::Register(to), _) => {
                self.names.written(thread, to);
                Some(Op::Compute { alu, first: Value::Register(to), second: value(second)?, to: Some(to) })
            }
            (Operand::Number(_), _) => None,
        }
    }

    /// `XCHG`, `XADD` and `CMPXCHG` of a location and a register. The first may have them in either order.
    fn exchanged(
        &mut self,
        family: Family,
        first: Operand,
        second: Operand,
        locked: bool,
        thread: usize,
    ) -> Option<Op> {
        let ((_, Operand::Memory(at), Operand::Register(register))
        | (Family::Exchange, Operand::Register(register), Operand::Memory(at))) = (family, first, second)
        else {
            return None;
        };
        let (effect, written) = match family {
            Family::Exchange => (Effect::Exchange(register), register),
            Family::ExchangeAdd => (Effect::ExchangeAdd(register), register),
            _ => {
                let accumulator = self.names.register(thread, Register::ACCUMULATOR);
                (Effect::CompareExchange { accumulator, new: register }, accumulator)
            }
        };
        self.names.written(thread, written);
        Some(Op::Update { at, effect, locked: locked || matches!(family, Family::Exchange) })
    }
}

/// Both operands are only looked at. Of two values it does not matter which is the first: the flag is the same.
fn compared(alu: Alu, first: Operand, second: Operand) -> Option<Op> {
    match (first, second) {
        (Operand::Number(_), _) => None,
        (Operand::Memory(from), other) | (other, Operand::Memory(from)) => {
            Some(Op::Load { from, alu, first: value(other)?, to: None })
        }
        _ => Some(Op::Compute { alu, first: value(first)?, second: value(second)?, to: None }),
    }
}

fn value(operand: Operand) -> Option<Value> {
    match operand {
        Operand::Register(register) => Some(Value::Register(register)),
        Operand::Number(number) => Some(Value::Number(number)),
        Operand::Memory(_) => None,
    }
}

fn no_lock(prefix: Prefix<'_>) -> Result<(), Diagnostic> {
    let Some(at) = prefix.lock else { return Ok(()) };
    let message = format!("`{}` with these operands cannot be locked", prefix.mnemonic);
    Err(Diagnostic::error("misplaced-lock", at, message)
        .help("`LOCK` is for instructions that read a location and write it, such as `LOCK INC [x]`"))
}

fn unknown(prefix: Prefix<'_>) -> Diagnostic {
    let upper = prefix.mnemonic.to_ascii_uppercase();
    Diagnostic::error("unknown-instruction", prefix.at, format!("unknown instruction `{}`", prefix.mnemonic))
        .did_you_mean(nearest(&upper, MNEMONICS))
}

fn wrong_operands(prefix: Prefix<'_>, family: Family, at: Span) -> Diagnostic {
    let forms = match family {
        Family::Move => {
            "`MOV EAX,$1`, `MOV EAX,EBX`, `MOV EAX,[x]`, `MOV [x],EAX` or `MOV [x],$1`".to_owned()
        }
        Family::Binary(_) | Family::Compare(_) => {
            let name = prefix.mnemonic.to_ascii_uppercase();
            format!(
                "`{name} EAX,$1`, `{name} EAX,EBX`, `{name} EAX,[x]`, `{name} [x],EAX` or `{name} [x],$1`"
            )
        }
        Family::Unary(..) => "a register or a location: `EAX` or `[x]`".to_owned(),
        Family::Exchange => "a location and a register: `XCHG [x],EAX`".to_owned(),
        Family::ExchangeAdd => "a location and a register: `XADD [x],EAX`".to_owned(),
        Family::CompareExchange => "a location and a register: `CMPXCHG [x],EBX`".to_owned(),
    };
    Diagnostic::error("wrong-operands", at, format!("`{}` has no such operands", prefix.mnemonic))
        .help(format!("write {forms}"))
}
