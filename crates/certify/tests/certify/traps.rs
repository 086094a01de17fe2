//! Certificates that must be rejected, each for one reason that is easily overlooked.

use super::{
    reachable::Reachable,
    solver::{Said, z3},
    support::certified_in,
};
use certify::{Cause, check};
use std::{fs, path::Path};

fn names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traps");
    let files =
        fs::read_dir(folder).expect("the folder of traps").map(|entry| entry.expect("readable").path());
    let mut names: Vec<String> =
        files.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names
}

#[test]
fn no_trap_is_accepted() {
    for name in names() {
        let (model, certificate) = certified_in("traps", &name);
        let rejection = check(&model, &certificate).expect_err(&name);
        assert!(matches!(rejection.cause, Cause::Counterexample(_)), "{name}: {rejection}");
    }
}

#[test]
fn a_trap_has_a_state_that_its_certificate_excludes() {
    for name in names() {
        let (model, certificate) = certified_in("traps", &name);
        let reached = (model.min_processes()..=3).any(|processes| {
            let reachable = Reachable::new(&model, processes as usize, 20_000).expect("few states");
            certificate.cubes.iter().any(|cube| reachable.matches(cube))
        });
        assert!(reached, "{name}");
    }
}

#[test]
fn solvers_reject_the_traps() {
    for name in names() {
        let (model, certificate) = certified_in("traps", &name);
        match z3(&model, &certificate) {
            Said::Nothing => return println!("skipped: z3 is not installed"),
            said => assert!(matches!(said, Said::Rejected(_)), "{name}"),
        }
    }
}
