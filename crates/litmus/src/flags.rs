//! Which conditional jumps may be reached before any instruction has set the zero flag.

use crate::{Effect, Instruction, Jump, Op};

/// The positions of such jumps. The flag is unknown at the start of a thread, so they have no meaning.
pub(crate) fn undecided_jumps(instructions: &[Instruction]) -> Vec<usize> {
    let mut reached = vec![false; instructions.len()];
    let mut open = vec![0];
    // Everything that can be reached without a flag; what sets it ends the way.
    while let Some(at) = open.pop() {
        let Some(instruction) = instructions.get(at).filter(|_| !std::mem::replace(&mut reached[at], true))
        else {
            continue;
        };
        match instruction.op {
            Op::Jump(Jump::Always, to) => open.push(to),
            Op::Jump(_, to) => open.extend([to, at + 1]),
            op if sets_flag(op) => {}
            _ => open.push(at + 1),
        }
    }
    let conditional =
        |at: &usize| matches!(instructions[*at].op, Op::Jump(Jump::IfZero | Jump::IfNotZero, _));
    (0..instructions.len()).filter(|at| reached[*at]).filter(conditional).collect()
}

fn sets_flag(op: Op) -> bool {
    match op {
        Op::Compute { alu, .. } | Op::Load { alu, .. } => alu.sets_flags(),
        Op::Update { effect, .. } => match effect {
            Effect::Compute(alu, _) => alu.sets_flags(),
            Effect::Exchange(_) => false,
            Effect::ExchangeAdd(_) | Effect::CompareExchange { .. } => true,
        },
        Op::Skip | Op::Fence | Op::Store { .. } | Op::Jump(..) => false,
    }
}
