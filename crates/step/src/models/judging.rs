//! What is wrong with a state of a model, as its engine says.

use super::{ModelSystem, status::activity};
use crate::{Blocked, Call, Finding, Inspect, Matter, Offence};
use instance::exploration::{FindingKind, Wrong, judge};
use ir::{Property, PropertyKind};

impl<const W: usize> ModelSystem<'_, '_, W> {
    pub(super) fn judge(&self) -> Vec<Finding> {
        // Where steps may be missing, it is not certain that there is none.
        let uncertain = self.machine.obstacle().is_some();
        let wrong = judge(self.model(), &self.machine, self.origin.deadlock);
        let certain = wrong.iter().filter(|wrong| !uncertain || wrong.kind != FindingKind::Deadlock);
        certain.map(|wrong| self.finding(wrong)).collect()
    }

    fn finding(&self, wrong: &Wrong) -> Finding {
        let matter = match wrong.kind {
            FindingKind::Deadlock if wrong.violation => Matter::Deadlock { blocked: self.blocked() },
            FindingKind::Deadlock => Matter::End { nobody_waits: false },
            FindingKind::Stuck => Matter::End { nobody_waits: true },
            FindingKind::Property(PropertyKind::Range) => self.forbidden_step(wrong, Offence::Range),
            FindingKind::Property(PropertyKind::Misuse) => self.forbidden_step(wrong, Offence::Misuse),
            FindingKind::Property(_) => Matter::Property { processes: wrong.processes.clone() },
        };
        Finding {
            kind: wrong.kind.word(),
            name: wrong.name.clone(),
            violation: wrong.violation,
            matter,
            location: self.property(&wrong.name).map(|property| self.location_of(property.at)),
        }
    }

    fn property(&self, name: &str) -> Option<&Property> {
        self.model().properties.iter().find(|property| property.name == name)
    }

    fn blocked(&self) -> Vec<Blocked> {
        let blocked = |process| {
            let activity = activity(self.machine.waiting(process)?);
            Some(Blocked { process, activity })
        };
        (0..self.processes()).filter_map(blocked).collect()
    }

    fn forbidden_step(&self, wrong: &Wrong, offence: Offence) -> Matter {
        let properties = &self.model().properties;
        let property =
            properties.iter().find(|property| property.name == wrong.name && property.rule.is_some());
        let rule = property.and_then(|property| property.rule).map(|rule| &self.model().rules[rule.index()]);
        let step = rule.map(|rule| Call {
            name: rule.name.clone(),
            processes: wrong.processes.iter().copied().take(rule.params.len()).collect(),
            woken: None,
            choice: None,
            variant: None,
        });
        Matter::ForbiddenStep { step, offence }
    }
}
