//! Reading models: the first thing that every command does with a file.

use crate::{
    flags::{BufferFlag, MemoryModel, ModelFlags, QueueOrder},
    output::{Output, count},
    report::{Message, Report},
    temporal::{Asked, RunFlags},
};
use ir::Model;
use model::Queues;
use source::{Severity, Source};

/// A model that was read.
pub(crate) struct Loaded {
    /// The command that has read it.
    pub(crate) command: &'static str,
    /// What it means.
    pub(crate) model: Model,
    /// Its text.
    pub(crate) source: Source,
    /// The number of warnings.
    pub(crate) warnings: usize,
    /// The last temporal properties of the model, which are not in its text.
    pub(crate) asked: Vec<Asked>,
    /// The runs by which temporal properties are judged.
    pub(crate) runs: RunFlags,
}

impl Loaded {
    /// The same file with what stands for its model, such as the model with store buffers.
    pub(crate) fn about(&self, model: Model) -> Loaded {
        Loaded {
            model,
            command: self.command,
            source: self.source.clone(),
            warnings: self.warnings,
            asked: self.asked.clone(),
            runs: self.runs.clone(),
        }
    }
}

/// Reads and checks a model, and shows all messages. None if there are errors.
pub(crate) fn load(
    command: &'static str,
    file: &str,
    queues: Queues,
    output: &Output,
    report: &mut Report,
) -> Option<Loaded> {
    let source = match Source::read(file) {
        Ok(source) => source,
        Err(error) => {
            let message = error.to_string();
            output.error(&message);
            report.diagnostics.push(Message::about_file(file, Severity::Error, "unreadable-file", message));
            return None;
        }
    };
    let loaded = model::load_with(&source, queues);
    let left_out = loaded.diagnostics.left_out();
    let diagnostics = loaded.diagnostics.sorted();
    for diagnostic in &diagnostics {
        output.diagnostic(&source, diagnostic);
        report.diagnostics.push(Message::new(&source, diagnostic));
    }
    if left_out > 0 {
        let message = format!("{file}: {left_out} more messages are not shown");
        output.error(&message);
        report.diagnostics.push(Message::about_file(file, Severity::Note, "more-messages", message));
    }
    let of = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let warnings = of(Severity::Warning);
    let Some(model) = loaded.model else {
        output.error(&format!("`{file}` has {}", count(of(Severity::Error), "error")));
        return None;
    };
    Some(Loaded { command, model, source, warnings, asked: vec![], runs: RunFlags::default() })
}

/// Reads a model in order to run it, and warns about flags that have no effect.
pub(crate) fn load_to_run(
    command: &'static str,
    file: &str,
    flags: &ModelFlags,
    output: &Output,
    report: &mut Report,
) -> Option<Loaded> {
    let mut loaded = load(command, file, flags.queue.queues(), output, report)?;
    if flags.queue.queues == QueueOrder::Fifo && loaded.model.threads.is_none() {
        let message = "`--queues fifo` has no effect: no process of this model ever waits in a queue";
        output.warn(report, "no-effect", message.into());
    }
    if flags.memory.memory == Some(MemoryModel::Tso) && !loaded.model.is_weak() {
        let message = "`--memory tso` has no effect: no symbol of this model is `weak`";
        output.warn(report, "no-effect", message.into());
    }
    loaded.model = flags.memory.read(loaded.model);
    Some(loaded)
}

/// Warns about `--buffer` where there is no store buffer.
pub(crate) fn warn_about_buffer(model: &Model, flag: &BufferFlag, output: &Output, report: &mut Report) {
    if flag.buffer.is_some() && !model.is_weak() {
        let message = "`--buffer` has no effect: there are no store buffers";
        output.warn(report, "no-effect", message.into());
    }
}
