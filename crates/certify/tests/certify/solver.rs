//! What a solver answers about a certificate.

use certify::{About, Certificate, Opinion, SolverOptions, run_solver, run_solvers, write};
use ir::Model;
use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

pub(crate) enum Said {
    Accepted,
    Rejected(String),
    Undecided(String),
    /// It is not installed.
    Nothing,
}

static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// A folder of its own for each certificate; gone when it is dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(model: &Model, certificate: &Certificate) -> Folder {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("motet-certificate-{}-{number}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        let about = About { file: "model.cub", text: "", memory: None };
        write(model, certificate, about, &folder.0).expect("the folder can be written");
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn z3(model: &Model, certificate: &Certificate) -> Said {
    let folder = Folder::new(model, certificate);
    match run_solver("z3", &folder.0, SolverOptions::within(LIMIT))
        .expect("the folder is well formed")
        .opinion
    {
        Opinion::Accepted => Said::Accepted,
        Opinion::Rejected(why) => Said::Rejected(why),
        Opinion::Undecided(why) => Said::Undecided(why),
        Opinion::NotFound => Said::Nothing,
    }
}

#[test]
fn solvers_accept_the_certificates() {
    let mut asked = 0;
    for name in super::models::MODELS {
        let (model, certificate) = super::support::certified(name);
        let folder = Folder::new(&model, &certificate);
        for report in run_solvers(&folder.0, SolverOptions::within(LIMIT)).expect("the folder is well formed")
        {
            if report.opinion == Opinion::NotFound {
                println!("skipped: {} is not installed", report.solver);
                continue;
            }
            assert_eq!(report.opinion, Opinion::Accepted, "{} on {name}", report.solver);
            assert!(report.answered > certificate.cubes.len(), "{} on {name}", report.solver);
            asked += 1;
        }
    }
    println!("{asked} opinions");
}
