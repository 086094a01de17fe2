//! Expressions: their values once, and after every move.

use super::Session;
use crate::{Answer, Inspect, Refusal, Value, Watch, WatchChange};

impl<S: Inspect> Session<'_, S> {
    /// The watched expressions that have changed. A value is reported once, until it changes.
    pub(super) fn watch_changes(&mut self) -> Vec<WatchChange> {
        let system = self.cursor.system_mut();
        let change = |watch: &mut Watch| {
            let failed = |_| Value::Undefined("it cannot be evaluated here".into());
            let value = system.evaluate(&watch.expression).unwrap_or_else(failed);
            (value != watch.value).then(|| WatchChange {
                expression: watch.expression.clone(),
                before: std::mem::replace(&mut watch.value, value.clone()),
                value,
            })
        };
        self.watches.iter_mut().filter_map(change).collect()
    }

    pub(super) fn print(&mut self, expression: String) -> Result<Answer, Refusal> {
        let value = self.cursor.system_mut().evaluate(&expression)?;
        Ok(Answer::Value(Watch { expression, value }))
    }

    pub(super) fn watch(&mut self, expression: Option<String>) -> Result<Answer, Refusal> {
        let Some(expression) = expression else {
            return Ok(Answer::Watches { watches: self.watches.clone() });
        };
        let value = self.cursor.system_mut().evaluate(&expression)?;
        self.watches.retain(|known| known.expression != expression);
        let watch = Watch { expression, value };
        self.watches.push(watch.clone());
        Ok(Answer::Watching(watch))
    }

    pub(super) fn unwatch(&mut self, number: Option<usize>) -> Result<Answer, Refusal> {
        let watches = self.watches.len();
        let removed = match number {
            None => std::mem::take(&mut self.watches),
            Some(number) if (1..=watches).contains(&number) => vec![self.watches.remove(number - 1)],
            Some(_) => return Err(Refusal::NoSuchWatch { watches }),
        };
        Ok(Answer::Unwatched { expressions: removed.into_iter().map(|watch| watch.expression).collect() })
    }
}
