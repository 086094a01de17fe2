//! What is wrong with a state of a model, as its engine says.

use super::{ModelSystem, status::activity};
use crate::{Blocked, Call, Finding, Inspect, Matter, Offence};
use explore::{FindingKind, Severity};
use instance::judge::{Description, Judge};
use ir::Property;

impl<const W: usize> ModelSystem<'_, '_, W> {
    pub(super) fn judge(&self) -> Vec<Finding> {
        // Where steps may be missing, it is not certain that there is none.
        let uncertain = self.machine.obstacle().is_some();
        let wrong = Judge::new(self.model(), self.origin.deadlock).describe_here(&self.machine);
        let certain = wrong.iter().filter(|wrong| !uncertain || !wrong.kind.is_end());
        certain.map(|wrong| self.finding(wrong)).collect()
    }

    fn finding(&self, wrong: &Description) -> Finding {
        let matter = match wrong.kind {
            FindingKind::Deadlock if wrong.severity == Severity::Violation => {
                Matter::Deadlock { blocked: self.blocked() }
            }
            FindingKind::Deadlock => Matter::End { nobody_waits: false },
            FindingKind::Stuck => Matter::End { nobody_waits: true },
            FindingKind::Range => self.forbidden_step(wrong, Offence::Range),
            FindingKind::Misuse => self.forbidden_step(wrong, Offence::Misuse),
            // What is declared; the rest is about programs.
            _ => Matter::Property { processes: wrong.roles.clone() },
        };
        Finding {
            kind: wrong.kind,
            name: wrong.name.clone(),
            violation: wrong.severity == Severity::Violation,
            matter,
            location: self.property(wrong).map(|property| self.location_of(property.at)),
        }
    }

    fn property(&self, wrong: &Description) -> Option<&Property> {
        wrong.property.map(|at| &self.model().properties[at])
    }

    fn blocked(&self) -> Vec<Blocked> {
        let blocked = |process| {
            let activity = activity(&self.machine.waiting(process)?);
            Some(Blocked { process, activity })
        };
        (0..self.processes()).filter_map(blocked).collect()
    }

    fn forbidden_step(&self, wrong: &Description, offence: Offence) -> Matter {
        let rule = self.property(wrong).and_then(|property| property.rule);
        let rule = rule.map(|rule| &self.model().rules[rule.index()]);
        let step = rule.map(|rule| Call {
            name: rule.name.clone(),
            processes: wrong.roles.iter().copied().take(rule.params.len()).collect(),
            woken: None,
            choice: None,
            variant: None,
        });
        Matter::ForbiddenStep { step, offence }
    }
}
