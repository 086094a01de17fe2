//! The names of registers, and the width that a name says.

use crate::Width;

/// A general-purpose register.
///
/// `EAX` and `RAX` are the same register. A test uses names of one width only, so that it never matters what a
/// write of half a register does to the other half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(u8);

/// The registers that have letters, in the order in which outcomes show them.
const LETTERS: [&str; 8] = ["AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP"];

impl Register {
    /// The accumulator, which `CMPXCHG` compares with.
    pub const ACCUMULATOR: Register = Register(0);

    /// The register of a name, in upper or lower case, and its width; `None` if it is none of 32 or 64 bits.
    pub fn named(name: &str) -> Option<(Register, Width)> {
        let name = name.to_ascii_uppercase();
        let position = |letters: &str| LETTERS.iter().position(|known| *known == letters);
        if let Some(at) = name.strip_prefix('E').and_then(position) {
            return Some((Register(number(at)), Width::Bits32));
        }
        let rest = name.strip_prefix('R')?;
        if let Some(at) = position(rest) {
            return Some((Register(number(at)), Width::Bits64));
        }
        let (digits, width) = match rest.strip_suffix('D') {
            Some(digits) => (digits, Width::Bits32),
            None => (rest, Width::Bits64),
        };
        let numbered = (8..16).find(|at: &u8| at.to_string() == digits)?;
        Some((Register(numbered), width))
    }

    /// Whether a name is that of a register of 8 or 16 bits, or of another kind, which tests cannot use.
    pub(crate) fn is_unsupported(name: &str) -> bool {
        let name = name.to_ascii_uppercase();
        let half = |suffix| name.strip_prefix('R').and_then(|rest| rest.strip_suffix(suffix));
        let numbered =
            ["B", "W"].iter().filter_map(|suffix| half(*suffix)).any(|digits| digits.parse::<u8>().is_ok());
        let vector = ["XMM", "YMM", "ZMM"].iter().any(|kind| name.starts_with(kind));
        let small = ["AL", "AH", "BL", "BH", "CL", "CH", "DL", "DH", "SIL", "DIL", "EIP", "RIP"];
        numbered || vector || small.contains(&name.as_str()) || LETTERS.contains(&name.as_str())
    }

    /// Its name at a width.
    pub fn name(self, width: Width) -> String {
        let wide = width == Width::Bits64;
        match (LETTERS.get(usize::from(self.0)), wide) {
            (Some(letters), true) => format!("R{letters}"),
            (Some(letters), false) => format!("E{letters}"),
            (None, true) => format!("R{}", self.0),
            (None, false) => format!("R{}D", self.0),
        }
    }
}

fn number(at: usize) -> u8 {
    u8::try_from(at).expect("there are eight of them")
}
