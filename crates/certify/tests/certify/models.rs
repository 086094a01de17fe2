//! Every certificate is accepted.

use super::support::certified;
use certify::check;

/// All models of the folder.
pub(crate) const MODELS: [&str; 16] = [
    "both",
    "chain",
    "copies",
    "count",
    "everybody",
    "flag",
    "kinds",
    "lock",
    "matrix",
    "named",
    "order",
    "owner",
    "reals",
    "somebody",
    "ticket",
    "turn",
];

#[test]
fn certificates_are_accepted() {
    let mut failed = Vec::new();
    for name in MODELS {
        let (model, certificate) = certified(name);
        match check(&model, &certificate) {
            Ok(checked) => println!("{name}: {} cubes, {checked:?}", certificate.cubes.len()),
            Err(rejection) => failed.push(format!("{name}: {rejection}")),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
