//! Certificates that were tampered with are not accepted.

use crate::judging::load;
use crate::models::models;
use certify::Obligation;
use certify::events::{Certificate, Cube, Instant, Literal, Value, Variable, Who, check};
use events::{Options, Verdict, prove};
use ir::{Formula, Model, PropertyKind};

/// Something with a name, for messages.
type Named<T> = (&'static str, T);

fn certificate_of(model: &Model) -> Option<Certificate> {
    match prove(model, &Options::default()).verdict {
        Verdict::Safe(certificate) => Some(certificate),
        _ => None,
    }
}

/// Those of the models that are safe.
fn certified() -> Vec<(String, Model, Certificate)> {
    let with = |(name, text): (String, String)| {
        let model = load(&text).expect("a model");
        let certificate = certificate_of(&model)?;
        Some((name, model, certificate))
    };
    models().into_iter().filter_map(with).collect()
}

/// Makes a change to one cube after the other; how many of the changed certificates are rejected, and how many there are.
fn rejected(change: impl Fn(&mut Cube) -> bool) -> (usize, usize) {
    let (mut rejected, mut all) = (0, 0);
    for (_, model, certificate) in certified() {
        for at in 0..certificate.cubes.len() {
            let mut forged = certificate.clone();
            if change(&mut forged.cubes[at]) {
                all += 1;
                rejected += usize::from(check(&model, &forged).is_err());
            }
        }
    }
    (rejected, all)
}

#[test]
fn no_cube_of_a_certificate_can_be_left_out() {
    let (mut missed, mut all) = (Vec::new(), 0);
    for (name, model, certificate) in certified() {
        for at in 0..certificate.cubes.len() {
            let mut forged = certificate.clone();
            forged.cubes.remove(at);
            all += 1;
            if check(&model, &forged).is_ok() {
                missed.push((name.clone(), certificate.cubes[at].clone()));
            }
        }
    }
    // One is about a value that is never there, and need not be excluded. The checker orders steps and later writes to
    // other locations as well, and two cubes about such orders are impossible to it.
    assert!(all > 120 && missed.len() <= 3, "{} of {all}: {missed:#?}", missed.len());
}

#[test]
fn an_empty_certificate_is_rejected() {
    for (name, model, _) in certified() {
        let rejection = check(&model, &Certificate::default()).expect_err(&name);
        assert!(matches!(rejection.obligation, Obligation::Property { .. }), "{name}: {rejection}");
    }
}

#[test]
fn a_cube_that_matches_everything_is_rejected() {
    for (name, model, mut certificate) in certified() {
        certificate.cubes.push(Cube { processes: model.named_processes, ..Cube::default() });
        let rejection = check(&model, &certificate).expect_err(&name);
        assert!(matches!(rejection.obligation, Obligation::Init { .. }), "{name}: {rejection}");
    }
}

#[test]
fn values_outside_of_their_domain_are_noticed() {
    let text = models().into_iter().find(|(name, _)| name.ends_with("range-kept.cub")).expect("a model").1;
    let mut model = load(&text).expect("a model");
    let certificate = certificate_of(&model).expect("it is safe");
    // Without the guard, and without the property that would say so.
    model.transitions[0].guard = Formula::True;
    model.properties.retain(|property| property.kind == PropertyKind::Unsafe);
    let rejection = check(&model, &certificate).expect_err("the range is left");
    assert!(matches!(rejection.obligation, Obligation::Domain { .. }), "{rejection}");
}

#[test]
fn other_readers_are_noticed() {
    let (rejected, all) = rejected(|cube| {
        let readers = cube.literals.iter_mut().filter_map(|literal| match literal {
            Literal::OneOf(Variable::Read { reader, .. }, _) => Some(reader),
            _ => None,
        });
        let processes = cube.processes;
        let found = readers.map(|reader| *reader = (*reader + 1) % processes).count();
        found > 0 && processes > 1
    });
    assert!(all > 50 && rejected * 4 > all * 3, "{rejected} of {all}");
}

#[test]
fn more_order_than_there_is_is_noticed() {
    // Each makes a cube say more than it should: it stands for fewer beginnings of runs, and something is not covered.
    let changes: [Named<fn(&mut Instant)>; 3] = [
        ("steps", |instant| instant.after_steps = Who::Everybody),
        ("writes", |instant| instant.after_writes = vec![0]),
        ("instants", |instant| instant.before = vec![0]),
    ];
    for (name, change) in changes {
        let (rejected, all) = rejected(|cube| match cube.instants.last_mut() {
            None => false,
            Some(instant) => {
                let before = instant.clone();
                change(instant);
                *instant != before
            }
        });
        assert!(all > 20 && rejected * 2 > all, "{name}: {rejected} of {all}");
    }
}

#[test]
fn less_order_than_is_needed_is_noticed() {
    // Each makes a cube say less: it stands for more beginnings of runs, among them some that lead to initial states.
    let changes: [Named<fn(&mut Cube)>; 4] = [
        ("steps", |cube| {
            cube.instants.iter_mut().for_each(|instant| instant.after_steps = Who::Only(vec![]));
        }),
        ("writes", |cube| cube.instants.iter_mut().for_each(|instant| instant.after_writes.clear())),
        ("locations", |cube| cube.instants.iter_mut().for_each(|instant| instant.after_writes_to.clear())),
        ("instants", |cube| cube.instants.iter_mut().for_each(|instant| instant.before.clear())),
    ];
    for (name, change) in changes {
        let (rejected, all) = rejected(|cube| {
            let before = cube.clone();
            change(cube);
            *cube != before
        });
        assert!(rejected > 0, "{name}: {rejected} of {all}");
    }
}

#[test]
fn open_reads_that_are_dropped_are_noticed() {
    let is_read = |literal: &Literal| matches!(literal, Literal::OneOf(Variable::Read { .. }, _));
    let (rejected, all) = rejected(|cube| {
        let before = cube.literals.len();
        cube.literals.retain(|literal| !is_read(literal));
        cube.literals.len() != before
    });
    assert!(all > 50 && rejected * 2 > all, "{rejected} of {all}");
}

#[test]
fn other_values_are_noticed() {
    let (rejected, all) = rejected(|cube| match cube.literals.first_mut() {
        Some(Literal::OneOf(_, values)) if matches!(values[..], [Value::Constructor(_)]) => {
            let [Value::Constructor(at)] = values[..] else { return false };
            // Every type here has two constructors at least.
            values[0] = Value::Constructor(u32::from(at == 0));
            true
        }
        _ => false,
    });
    assert!(all > 100 && rejected * 10 > all * 9, "{rejected} of {all}");
}

#[test]
fn a_cube_that_is_not_well_formed_is_rejected() {
    let (_, model, certificate) = certified().remove(0);
    let wrong: [fn(&mut Cube); 5] = [
        |cube| cube.literals.push(Literal::OneOf(read(7, 0, &cube.literals), vec![])),
        |cube| cube.literals.push(Literal::OneOf(read(0, 9, &cube.literals), vec![])),
        |cube| cube.instants.push(Instant { before: vec![9], ..Instant::default() }),
        |cube| cube.instants.push(Instant { after_writes: vec![9], ..Instant::default() }),
        |cube| cube.literals.push(Literal::AtMost { terms: vec![], constant: 0, strict: false }),
    ];
    for (at, change) in wrong.iter().enumerate() {
        let mut forged = certificate.clone();
        let with_instant = forged.cubes.iter().position(|cube| !cube.instants.is_empty()).expect("reads");
        change(&mut forged.cubes[with_instant]);
        let rejection = check(&model, &forged).expect_err("not well formed");
        assert_eq!(rejection.obligation, Obligation::Form, "{at}: {rejection}");
    }
}

/// A read of something that the cube reads, by somebody at some instant.
fn read(instant: usize, reader: u32, literals: &[Literal]) -> Variable {
    let found = literals.iter().find_map(|literal| match literal {
        Literal::OneOf(Variable::Read { location, .. }, _) => Some(location.clone()),
        _ => None,
    });
    Variable::Read { instant, reader, location: found.expect("there is an open read") }
}

#[test]
fn the_certificate_of_a_fenced_model_is_none_of_the_model_without() {
    let text = |name: &str| models().into_iter().find(|(known, _)| known.ends_with(name)).expect("a model").1;
    let pairs = [
        ("store-buffering-fenced.cub", "&& fence()"),
        ("flags-fenced.cub", "&& fence()"),
        ("flushed.cub", "&& fence()"),
        ("store-buffering-atomic.cub", "Old[i] := Scratch[i]; "),
    ];
    for (name, fence) in pairs {
        let with = text(name);
        let certificate = certificate_of(&load(&with).expect("a model")).expect("it is safe");
        let without = load(&with.replace(fence, "")).expect("a model");
        check(&without, &certificate).expect_err(name);
    }
}

#[test]
fn models_that_the_argument_does_not_cover_are_rejected() {
    let text = include_str!("../models/test-and-set.cub");
    let model = load(text).expect("a model");
    let certificate = certificate_of(&model).expect("it is safe");
    check(&model, &certificate).expect("it is one of this model");
    let mut plain = model.clone();
    plain.symbols.iter_mut().for_each(|symbol| symbol.weak = false);
    check(&plain, &Certificate::default()).expect_err("a variable that is shared, but not in memory");
    // Registers of another process.
    let two = load(&text.replace("transition take ([i])", "transition take ([i] j)")).expect("a model");
    let mut foreign = two.clone();
    foreign.transitions[0].actor = Some(two.transitions[0].params[1]);
    let rejection = check(&foreign, &certificate).expect_err("a register of another process");
    assert_eq!(rejection.obligation, Obligation::Form, "{rejection}");
}

#[test]
fn what_is_not_a_certificate_is_not_read() {
    let model = load(include_str!("../models/test-and-set.cub")).expect("a model");
    let json = certificate_of(&model).expect("it is safe").to_json(&model);
    for (from, to) in [("Taken", "Token"), ("Critical", "Central"), ("\"processes\":", "\"process\":")] {
        let text = json.to_string().replace(from, to);
        assert_ne!(text, json.to_string());
        let changed = serde_json::from_str(&text).expect("JSON");
        assert!(Certificate::from_json(&model, &changed).is_err(), "{text}");
    }
}
