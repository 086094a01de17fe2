//! Cubes as they stand in a certificate.

use crate::constraints::{Constraints, Relation};
use crate::cube::Cube;
use crate::instant::{EVERYBODY, Instant, Processes, each, only};
use crate::linear::Inequality;
use crate::system::System;
use crate::variable::{Location, MOST_PROCESSES, Process, Variable};
use crate::vocabulary::{ELSEWHERE, Kind, MOST_OUTSIDERS, Values, bit, outsider};
use certify::events::{self as written, Certificate, Literal, Value, Who};
use ir::{OutsiderId, SymbolId};

/// The certificate that consists of some cubes.
pub(crate) fn certificate<'a>(system: &System<'_>, cubes: impl Iterator<Item = &'a Cube>) -> Certificate {
    Certificate { cubes: cubes.map(|cube| written_cube(system, cube)).collect() }
}

fn written_cube(system: &System<'_>, cube: &Cube) -> written::Cube {
    written::Cube {
        processes: cube.processes.into(),
        literals: literals(system, &cube.constraints),
        instants: cube.instants.iter().map(instant).collect(),
    }
}

fn literals(system: &System<'_>, constraints: &Constraints) -> Vec<Literal> {
    let finite = constraints.finite.iter().map(|(variable, values)| {
        let values = match system.vocabulary.kind(*variable) {
            Kind::Process(_) => processes_of(*values),
            _ => constructors(*values),
        };
        Literal::OneOf(written_variable(*variable), values)
    });
    let relations = constraints.relations.iter().map(|Relation { left, right, equal }| {
        let (left, right) = (written_variable(*left), written_variable(*right));
        if *equal { Literal::Same(left, right) } else { Literal::Differ(left, right) }
    });
    finite.chain(relations).chain(constraints.linear.iter().map(at_most)).collect()
}

fn at_most(inequality: &Inequality) -> Literal {
    let small = |number: i128| i64::try_from(number).expect("larger numbers are forgotten");
    let terms =
        inequality.terms.iter().map(|(variable, factor)| (small(*factor), written_variable(*variable)));
    Literal::AtMost {
        terms: terms.collect(),
        constant: small(inequality.constant),
        strict: inequality.strict,
    }
}

fn constructors(values: Values) -> Vec<Value> {
    (0..Values::BITS).filter(|at| values & bit(*at) != 0).map(Value::Constructor).collect()
}

fn processes_of(values: Values) -> Vec<Value> {
    let processes = (0..u32::from(MOST_PROCESSES)).filter(|at| values & bit(*at) != 0).map(Value::Process);
    let elsewhere = (values & ELSEWHERE != 0).then_some(Value::Elsewhere);
    let outsiders = (0..MOST_OUTSIDERS).filter_map(|at| u32::try_from(at).ok());
    let outsiders = outsiders.filter(|at| values & outsider(*at) != 0);
    processes.chain(elsewhere).chain(outsiders.map(|at| Value::Outsider(OutsiderId(at)))).collect()
}

fn written_variable(variable: Variable) -> written::Variable {
    let location = written_location(variable.location);
    match variable.read {
        None => written::Variable::Cell(location),
        Some(read) => {
            written::Variable::Read { instant: read.instant.into(), reader: read.reader.into(), location }
        }
    }
}

fn written_location(location: Location) -> written::Location {
    let indices = location.indices().iter().map(|index| u32::from(*index)).collect();
    written::Location { symbol: SymbolId(location.symbol().into()), indices }
}

fn instant(instant: &Instant) -> written::Instant {
    written::Instant {
        before: each(instant.before).collect(),
        after_steps: match instant.after_steps {
            EVERYBODY => Who::Everybody,
            steps => Who::Only(numbers(steps)),
        },
        after_writes: numbers(instant.after_writes),
        after_writes_to: instant.after_locations.iter().map(|location| written_location(*location)).collect(),
    }
}

fn numbers(processes: Processes) -> Vec<u32> {
    let all: Process = MOST_PROCESSES;
    (0..all).filter(|process| processes & only(*process) != 0).map(u32::from).collect()
}
