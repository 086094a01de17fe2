//! Arithmetic on registers and locations, which all have one width in a test.

/// The width of all registers and locations of a test. Numbers are kept signed, and wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `EAX`, `R8D`, …; also if there is no register at all.
    Bits32,
    /// `RAX`, `R8`, …
    Bits64,
}

impl Width {
    /// The number that a register or location of this width holds for a value.
    #[must_use]
    pub fn wrap(self, value: i64) -> i64 {
        match self {
            Width::Bits64 => value,
            Width::Bits32 => (value << 32) >> 32,
        }
    }

    /// Whether a number of a test fits, read as signed or as unsigned.
    pub fn fits(self, value: i64) -> bool {
        self == Width::Bits64 || (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&value)
    }

    /// The number of bits.
    pub fn bits(self) -> u32 {
        match self {
            Width::Bits32 => 32,
            Width::Bits64 => 64,
        }
    }
}

/// An operation on two values. The zero flag is set if its result is zero, where the instruction sets flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alu {
    /// The second value, as `MOV` does.
    Second,
    /// The sum.
    Add,
    /// The first value minus the second.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The first value negated; the second is ignored.
    Neg,
    /// The complement of the first value; the second is ignored.
    Not,
}

impl Alu {
    /// The result for two values.
    pub fn apply(self, width: Width, first: i64, second: i64) -> i64 {
        width.wrap(match self {
            Alu::Second => second,
            Alu::Add => first.wrapping_add(second),
            Alu::Sub => first.wrapping_sub(second),
            Alu::And => first & second,
            Alu::Or => first | second,
            Alu::Xor => first ^ second,
            Alu::Neg => first.wrapping_neg(),
            Alu::Not => !first,
        })
    }

    /// Whether it sets the zero flag: `MOV` and `NOT` leave flags alone.
    pub fn sets_flags(self) -> bool {
        !matches!(self, Alu::Second | Alu::Not)
    }
}
