//! Proofs of weak models under x86-TSO: with more and more slots for buffered stores, until they suffice.
//!
//! An answer about a model with slots is one about unbounded buffers if no store ever finds them full, which is proved
//! along with everything else. A violation is believed only if its run can be repeated with exact buffers.

use explore::{Limits, Severity};
use instance::judge::{Finding, kind_of};
use instance::{Setting, exploration, weak};
use ir::Model;
use ir::store_buffers::{Capacity, Counting, Unsupported};
use prove::{Buffers, Violation};
use std::time::Instant;

/// The most slots that are tried. Where these do not suffice, buffers usually grow without bound.
const MOST_SLOTS: usize = 6;
/// How exactly equal stores are counted, as long as a run that was found cannot be repeated.
const COUNTS: [u32; 3] = [1, 2, 4];

/// The model with slots that an answer is about.
#[derive(Debug)]
pub struct Slotted<O> {
    /// The model in which buffered stores are ordinary variables.
    pub model: Model,
    /// The answer for that model.
    pub outcome: O,
}

/// An outcome that may claim a violation.
pub trait Claim {
    /// The violation, if one is claimed.
    fn violation(&mut self) -> Option<&mut Violation>;

    /// Turns the claim into an unknown answer.
    fn withdraw(&mut self, why: Buffers);
}

/// Makes an attempt with one slot, then with more, until no store finds them full; each with the time that is left.
pub fn with_enough_slots<O: Claim>(
    model: &Model,
    limits: &Limits,
    mut attempt: impl FnMut(&Model, Limits) -> O,
) -> Result<Slotted<O>, Unsupported> {
    let begun = Instant::now();
    let (mut slots, mut counts) = (1, COUNTS.into_iter());
    let mut counted = counts.next().unwrap_or(1);
    loop {
        let capacity = Capacity { slots, counting: Counting::Many(counted) };
        let lowered = model.with_store_buffers_for_proof(capacity)?;
        let mut outcome = attempt(&lowered, limits.remaining_since(begun));
        let Some(violation) = outcome.violation() else { return Ok(Slotted { model: lowered, outcome }) };
        let withdrawn = if violation.property >= lowered.first_overflow() {
            slots += 1;
            (slots > MOST_SLOTS).then_some(Buffers::Full(MOST_SLOTS))
        } else if let Some(exact) = exactly(model, &lowered, slots, violation) {
            *violation = exact;
            return Ok(Slotted { model: lowered, outcome });
        } else {
            let next = counts.next();
            counted = next.unwrap_or(counted);
            next.is_none().then_some(Buffers::Merged)
        };
        if let Some(why) = withdrawn {
            outcome.withdraw(why);
            return Ok(Slotted { model: lowered, outcome });
        }
    }
}

/// The violation with its run repeated on exact buffers; `None` if that is not possible.
fn exactly(model: &Model, lowered: &Model, slots: usize, violation: &Violation) -> Option<Violation> {
    let property = &model.properties[violation.property];
    let (processes, ranges) = (violation.processes, weak::of_user(lowered, &violation.ranges));
    let claimed = Finding {
        kind: kind_of(property.kind),
        name: property.name.clone(),
        severity: Severity::Violation,
        message: String::new(),
        property: Some(violation.property),
        roles: vec![],
        trace: violation.trace.clone(),
        setting: Setting { processes, ranges, seed: None, buffer: None },
    };
    let confirmed = weak::exactly(model, slots, &claimed, &exploration::Options::new(processes))?;
    let Setting { ranges, buffer, .. } = confirmed.setting;
    let buffer = buffer.and_then(|entries| u16::try_from(entries).ok());
    Some(Violation { property: violation.property, processes, trace: confirmed.trace, ranges, buffer })
}

impl Claim for prove::Outcome {
    fn violation(&mut self) -> Option<&mut Violation> {
        match &mut self.verdict {
            prove::Verdict::Violated(violation) => Some(violation),
            _ => None,
        }
    }

    fn withdraw(&mut self, why: Buffers) {
        self.verdict = prove::Verdict::Unknown(prove::Reason::Buffers(why));
    }
}

impl Claim for crate::Outcome {
    fn violation(&mut self) -> Option<&mut Violation> {
        self.proof.violation()
    }

    fn withdraw(&mut self, why: Buffers) {
        self.proof.withdraw(why);
    }
}

impl Claim for views::Outcome {
    fn violation(&mut self) -> Option<&mut Violation> {
        match &mut self.verdict {
            views::Verdict::Violated(violation) => Some(violation),
            _ => None,
        }
    }

    fn withdraw(&mut self, why: Buffers) {
        self.verdict = views::Verdict::Unknown(views::Reason::Buffers(why));
    }
}
