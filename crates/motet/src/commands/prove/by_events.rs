//! `--method events`: backward over memory events, for weak models.

use super::{Answered, ProveArgs, Proving};
use crate::{
    output::{Output, write_file},
    report::{Figures, Report},
    telling,
};
use ::prove::Statistics;
use certify::events::{Certificate, EVENTS};
use portfolio::{ByEvents, EventsAnswer, prove_by_events};

/// Proves by events alone, and reports the answer.
pub(super) fn prove(
    args: &ProveArgs,
    proving: &Proving<'_>,
    output: &Output,
    report: &mut Report,
) -> Answered {
    let model = &proving.loaded.model;
    if !model.is_weak() {
        let message = "`--method events` is for models with `weak` symbols under x86-TSO";
        return telling::refused(output, report, message.into()).into();
    }
    let ByEvents { answer, statistics } = prove_by_events(model, &args.limits.limits());
    let searched = Statistics {
        nodes: statistics.nodes,
        max_processes: statistics.max_processes as usize,
        ..Statistics::default()
    };
    let figures = Figures::Proof(telling::proof::figures(&searched));
    match answer {
        EventsAnswer::Holds(certificate) => proving.holds_by_events(&certificate, figures, output, report),
        EventsAnswer::Violated(violation) => {
            Answered { exit: proving.violated(*violation, output, report), figures }
        }
        EventsAnswer::Unknown(reason) => Answered { exit: proving.unknown(reason, output, report), figures },
    }
}

impl Proving<'_> {
    /// Reports a proof by events, and writes its certificate.
    pub(super) fn holds_by_events(
        &self,
        certificate: &Certificate,
        figures: Figures,
        output: &Output,
        report: &mut Report,
    ) -> Answered {
        let inhabited = portfolio::is_inhabited(&self.loaded.model, &self.share().limits);
        let exit = telling::proof::tell_events(self.loaded, certificate, inhabited, output, report);
        output.note(report, "deadlocks-not-judged", super::NO_DEADLOCKS.into());
        let written = self.write_events(certificate, report);
        Answered { exit: telling::told(output, report, [written]).unwrap_or(exit), figures }
    }

    fn write_events(&self, certificate: &Certificate, report: &mut Report) -> Result<(), String> {
        let Some(folder) = &self.args.certificate else { return Ok(()) };
        let cannot =
            |error: String| format!("cannot write the certificate into `{}`: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(|error| cannot(error.to_string()))?;
        let text = format!("{:#}\n", certificate.to_json(&self.loaded.model));
        write_file(&folder.join(EVENTS), &text).map_err(cannot)?;
        report.certificate = Some(folder.display().to_string());
        Ok(())
    }
}
