//! The obligations of a certificate about memory events.

use super::certificate::{Certificate, Cube};
use super::covering::{Open, Place, Reads};
use super::extension::{with_readers, with_reads, with_seen};
use super::formulas::{cell, fences, formula, identity, narrow, too_large, with_fence};
use super::order::Order;
use super::problem::Problem;
use super::step::{Course, Taken};
use super::validity;
use crate::check::{
    Cause, CheckOptions, Checked, Obligation, Obstacle, Rejection, domains_hold,
    ground::{Binding, Step},
    hypotheses::Hypotheses,
    placements::placements,
    reading::never_assigned,
};
use ir::{Model, Property, SymbolId};
use std::collections::BTreeMap;

/// Checks that no run of a model under x86-TSO reaches a state that matches a property, for every number of processes.
pub fn check(model: &Model, certificate: &Certificate) -> Result<Checked, Rejection> {
    check_with(model, certificate, &CheckOptions::default())
}

/// The same, with options. Of these, the number of threads has no effect.
pub fn check_with(
    model: &Model,
    certificate: &Certificate,
    options: &CheckOptions,
) -> Result<Checked, Rejection> {
    let complaint = validity::unsupported(model).or_else(|| validity::complaint(model, certificate));
    if let Some(what) = complaint {
        let statement = "the certificate is understood".to_owned();
        return Err(Rejection { obligation: Obligation::Form, statement, cause: Cause::Unsupported(what) });
    }
    let plain = model.sequentially_consistent();
    let mut checker = Checker { model, plain: &plain, certificate, options, done: Checked::default() };
    checker.done.problems += domains_hold(&plain, options)?.problems;
    checker.initial()?;
    checker.properties()?;
    checker.steps()?;
    Ok(checker.done)
}

struct Checker<'c> {
    model: &'c Model,
    /// The model without anything weak: reads of memory at the instant of a step are its cells.
    plain: &'c Model,
    certificate: &'c Certificate,
    options: &'c CheckOptions,
    done: Checked,
}

impl Checker<'_> {
    /// No initial state matches a cube: all its reads would see the initial memory.
    fn initial(&mut self) -> Result<(), Rejection> {
        for (init_at, init) in self.plain.init.iter().enumerate() {
            for (cube_at, cube) in self.certificate.cubes.iter().enumerate() {
                let obligation = Obligation::Init { init: init_at, cube: cube_at };
                let matched = formula(self.model, cube, &|variable| Some(cell(variable.location())));
                let problem = matched.ok_or_else(too_large).map(|matched| Problem {
                    model: self.plain,
                    step: None,
                    goals: vec![(matched, identity(cube), false)],
                    init: Some(init),
                    place: None,
                    processes: cube.processes as usize,
                });
                self.refute(obligation, problem)?;
            }
        }
        Ok(())
    }

    /// Every state that matches a property matches a cube.
    fn properties(&mut self) -> Result<(), Rejection> {
        let (extended, seen) = with_readers(self.model, self.plain);
        for (at, property) in self.model.properties.iter().enumerate() {
            let obligation = Obligation::Property { property: at };
            let actor = property.rule.and_then(|rule| self.model.rules[rule.index()].actor);
            let actor = actor.map(|position| property.params[position]);
            for empty in fences(&property.formula) {
                let goal = with_seen(&with_fence(&property.formula, empty), &seen, actor);
                for (binding, processes) in placed(self.model, property) {
                    let reader = actor.filter(|_| empty).and_then(|actor| binding[actor.index()]);
                    let order = Order::end(reader.map(narrow));
                    let problem = Problem {
                        model: &extended,
                        step: None,
                        goals: vec![(goal.clone(), binding, false)],
                        init: None,
                        place: Some(Place {
                            model: self.model,
                            order: &order,
                            reads: Reads::End { seen: &seen },
                        }),
                        processes,
                    };
                    self.refute(obligation, Ok(problem))?;
                }
            }
        }
        Ok(())
    }

    /// Where a cube matches after a step, one matches before it.
    fn steps(&mut self) -> Result<(), Rejection> {
        for (cube_at, cube) in self.certificate.cubes.iter().enumerate() {
            let (extended, open) = with_reads(self.model, self.plain, cube);
            for at in 0..self.model.transitions.len() {
                let obligation = Obligation::Step { transition: at, cube: cube_at };
                let (weak, plain) = (&self.model.transitions[at], &extended.transitions[at]);
                let known = cube.processes as usize;
                for (binding, processes) in placements(&plain.params, plain.variables.len(), known) {
                    let step = Step { transition: plain, binding };
                    let taken = Taken { model: self.model, cube, weak, step: &step, open: &open, processes };
                    let courses = taken.courses().map_err(|obstacle| self.rejection(obligation, obstacle))?;
                    for course in courses {
                        self.course(obligation, cube, &extended, (&step, &open), course, processes)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// One way in which a step may go.
    fn course(
        &mut self,
        obligation: Obligation,
        cube: &Cube,
        extended: &Model,
        (step, open): (&Step<'_>, &BTreeMap<Open, SymbolId>),
        course: Course,
        processes: usize,
    ) -> Result<(), Rejection> {
        let Course { effect, goals, still_open } = course;
        let Some(order) = Order::before_step(cube, &effect) else {
            self.done.plain += 1;
            return Ok(());
        };
        let open = open.iter().filter(|(read, _)| still_open.contains(*read));
        let open: BTreeMap<Open, SymbolId> = open.map(|(read, symbol)| (read.clone(), *symbol)).collect();
        let problem = Problem {
            model: extended,
            step: Some(step),
            goals,
            init: None,
            place: Some(Place {
                model: self.model,
                order: &order,
                reads: Reads::Step { actor: effect.actor, open: &open },
            }),
            processes,
        };
        self.refute(obligation, Ok(problem))
    }

    fn refute(
        &mut self,
        obligation: Obligation,
        problem: Result<Problem<'_, '_>, Obstacle>,
    ) -> Result<(), Rejection> {
        let answer = problem.and_then(|problem| {
            self.options.look()?;
            let assumed = assumptions(problem.model, self.model, self.options);
            problem.solution(self.certificate, &assumed, self.options)
        });
        match answer {
            Ok((None, problems)) => {
                self.done.problems += problems;
                Ok(())
            }
            Ok((Some(state), _)) => {
                let statement = self.statement(obligation);
                Err(Rejection { obligation, statement, cause: Cause::Counterexample(state) })
            }
            Err(obstacle) => Err(self.rejection(obligation, obstacle)),
        }
    }

    fn rejection(&self, obligation: Obligation, obstacle: Obstacle) -> Rejection {
        Rejection { obligation, statement: self.statement(obligation), cause: obstacle.into() }
    }

    fn statement(&self, obligation: Obligation) -> String {
        match obligation {
            Obligation::Init { cube, .. } => format!("no initial state matches cube {cube}"),
            Obligation::Step { transition, cube } => {
                let rule = self.model.transitions[transition].rule;
                let name = &self.model.rules[rule.index()].name;
                format!("`{name}` leads to cube {cube} only from a cube of the certificate")
            }
            Obligation::Property { property } => {
                format!("what matches `{}` matches a cube", self.model.properties[property].name)
            }
            Obligation::Form | Obligation::Domain { .. } | Obligation::Lift { .. } => {
                "the certificate is understood".to_owned()
            }
        }
    }
}

/// What holds in all states, by the assumptions about symbols that no step changes.
fn assumptions<'m>(extended: &'m Model, model: &Model, options: &CheckOptions) -> Hypotheses<'m> {
    let is_weak = |property: &Property| {
        let mut weak = false;
        property.formula.each_term(&mut |term| weak |= term.symbol().is_some_and(|id| model.symbol(id).weak));
        weak
    };
    let kept = extended.assumptions.iter().zip(&model.assumptions);
    let kept =
        kept.filter(|(property, original)| never_assigned(extended, &property.formula) && !is_weak(original));
    let kept =
        kept.map(|(property, _)| (property.params.as_slice(), property.variables.len(), &property.formula));
    Hypotheses::new(extended, kept, options.shortcuts)
}

fn placed(model: &Model, property: &Property) -> Vec<(Binding, usize)> {
    placements(&property.params, property.variables.len(), model.named_processes as usize)
}
