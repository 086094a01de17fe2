//! What candidates are tested against: states of small instances.

use crate::cell::MAX_PROCESSES;
use crate::oracle::Oracle;
use crate::system::System;
use crate::{Approximation, Options, OracleOptions, Techniques, Violation};
use explore::Limits;
use instance::coarse;
use instance::states::{self, Table, Walk};
use ir::{Model, PropertyKind};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Where near states are not all, there is one far one for this many of them: far ones take longer to reach.
const NEAR_FOR_ONE_FAR: usize = 4;

/// States of small instances.
#[derive(Debug, Default)]
pub struct Explored {
    /// States that are reachable.
    pub(crate) reached: Vec<Oracle>,
    /// States that a coarser model reaches, where those of the model are too many.
    pub(crate) coarse: Vec<Oracle>,
}

/// The small instances of a model.
pub(crate) struct Instances<'p> {
    pub(crate) model: &'p Model,
    pub(crate) options: &'p Options,
    /// When their exploration has to end.
    pub(crate) deadline: Option<Instant>,
}

impl Instances<'_> {
    /// Explores them. One of their states may already violate a property.
    pub(crate) fn explored(&self) -> Result<Explored, Box<Violation>> {
        let Some(sizes) = self.sizes() else { return Ok(Explored::default()) };
        let enough = Arc::new(AtomicBool::new(false));
        let cancel = self.options.limits.cancel.or_by(enough.clone());
        let explore = |processes| {
            let limits = Limits { cancel: cancel.clone(), ..self.limits() };
            states::reachable(self.model, processes, self.walk(), &limits)
        };
        // Each is explored by one thread, so that which states a limit leaves does not depend on how many there are. Their
        // memory adds up if they are explored at the same time.
        let threads = if self.options.limits.memory.is_some() { 1 } else { self.options.threads };
        threads::consumed_in_order(threads, sizes.clone(), explore, |tables| {
            let gathered = self.gather(&sizes, tables);
            enough.store(true, Ordering::Relaxed);
            gathered
        })
    }

    /// Their numbers of processes.
    fn sizes(&self) -> Option<RangeInclusive<u32>> {
        let model = self.model;
        let most = match self.options.approximation {
            Approximation::Off => return None,
            // A guess about how many processes are somewhere is often wrong only for want of one more.
            Approximation::Auto if self.counts() => (widest(model) + 1).clamp(3, 4),
            Approximation::Auto => widest(model).clamp(2, 3),
            Approximation::Processes(most) => most,
        };
        let least = model.min_processes();
        let most = most.max(least).min(model.max_processes.unwrap_or(u32::MAX)).min(MAX_PROCESSES.into());
        Some(least..=most)
    }

    /// Whether numbers of the model say how many processes are where.
    fn counts(&self) -> bool {
        let Techniques { values, places, .. } = self.options.techniques;
        places
            && System::new(self.model, values, Some(&[]))
                .is_ok_and(|system| system.vocabulary.places.is_some())
    }

    /// Collects the states of instances of these sizes, as long as larger ones are worth it.
    fn gather(
        &self,
        sizes: &RangeInclusive<u32>,
        tables: impl Iterator<Item = Option<Table>>,
    ) -> Result<Explored, Box<Violation>> {
        let coarse = coarse::without_numbers(self.model);
        let mut explored = Explored::default();
        for (processes, table) in sizes.clone().zip(tables) {
            let Some((states, complete)) = oracle(table, processes)? else { continue };
            explored.reached.push(states);
            if complete {
                continue;
            }
            // Where numbers grow without bound, states that ignore them are more telling.
            let coarse = coarse
                .as_ref()
                .and_then(|model| states::reachable(model, processes, self.walk(), &self.limits()));
            if let Some(table) = coarse.filter(|coarse| coarse.complete) {
                explored.coarse.push(Oracle::new(table, small(processes)));
                continue;
            }
            if self.options.oracle.walk.is_none() {
                // Near states of even more processes would tell even less.
                let few = self.options.oracle.states / NEAR_FOR_ONE_FAR;
                let limits = Limits { states: Some(few), ..self.limits() };
                let most = *sizes.end();
                let far = states::reachable(self.model, most, Walk::Fuzz { seed: 0 }, &limits);
                explored.reached.extend(oracle(far, most)?.map(|(far, _)| far));
                break;
            }
        }
        Ok(explored)
    }

    fn walk(&self) -> Walk {
        self.options.oracle.walk.unwrap_or_default()
    }

    /// Limits of an exploration that begins now.
    fn limits(&self) -> Limits {
        let OracleOptions { states, depth, time, .. } = self.options.oracle;
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time = time.into_iter().chain(left).min();
        Limits { states: Some(states), steps: None, depth, time, ..self.options.limits.clone() }
    }
}

/// The states of an instance, if it can be run, and whether they are all.
fn oracle(table: Option<Table>, processes: u32) -> Result<Option<(Oracle, bool)>, Box<Violation>> {
    let Some(mut table) = table else { return Ok(None) };
    if let Some((property, trace)) = table.violation.take() {
        return Err(Box::new(Violation { property, processes, trace, ranges: table.ranges, buffer: None }));
    }
    let complete = table.complete;
    Ok(Some((Oracle::new(table, small(processes)), complete)))
}

/// Instances that candidates are tested against have few processes.
fn small(processes: u32) -> u8 {
    u8::try_from(processes).unwrap_or(u8::MAX)
}

/// The most parameters of any transition or property that the user wrote.
fn widest(model: &Model) -> u32 {
    let rules = model.rules.iter().map(|rule| rule.params.len());
    let properties = model
        .properties
        .iter()
        .filter(|property| matches!(property.kind, PropertyKind::Unsafe | PropertyKind::Invariant));
    let widest = rules.chain(properties.map(|property| property.params.len())).max().unwrap_or(0);
    u32::try_from(widest).unwrap_or(u32::MAX)
}
