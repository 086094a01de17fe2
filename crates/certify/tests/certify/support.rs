//! Models with certificates.

use certify::{Certificate, Cube};
use ir::{Formula, Model, disjuncts};
use source::Source;
use std::{fs, path::Path};

/// A model of the folder of models, with its certificate.
pub(crate) fn certified(name: &str) -> (Model, Certificate) {
    certified_in("models", name)
}

/// A model of another folder.
pub(crate) fn certified_in(folder: &str, name: &str) -> (Model, Certificate) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder).join(format!("{name}.cub"));
    let text = fs::read_to_string(&file).expect("readable");
    let (declared, _) = text.split_once("(* certificate *)").expect("a certificate");
    (load(declared), Certificate { cubes: cubes(&load(&text)), ..Certificate::default() })
}

pub(crate) fn load(text: &str) -> Model {
    let loaded = model::load(&Source::new("model.cub", text.to_owned()));
    loaded.model.unwrap_or_else(|| panic!("a model with errors:\n{text}"))
}

/// The disjuncts of all properties.
pub(crate) fn cubes(model: &Model) -> Vec<Cube> {
    let mut cubes = Vec::new();
    for property in &model.properties {
        for literals in disjuncts(&property.formula, 10_000).expect("few disjuncts") {
            let formula = Formula::and(literals);
            if formula != Formula::False {
                let (params, variables) = (property.params.clone(), property.variables.clone());
                cubes.push(Cube { params, variables, formula });
            }
        }
    }
    cubes
}
