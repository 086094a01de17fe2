//! Events of the crate `tracing` as actions: `info!(role = "white", action = "send", r#type = "Move", to = "black")`.

use super::{Alarm, Watch};
use std::{fmt, sync::Arc};
use tracing_core::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, layer::Context};

/// A layer that tells a watch about events with the fields `role` and `action`, and hands alarms to a function.
pub struct WatchLayer<F> {
    watch: Arc<Watch>,
    alarmed: F,
}

impl<F: Fn(&Alarm)> WatchLayer<F> {
    /// A layer.
    pub fn new(watch: Arc<Watch>, alarmed: F) -> WatchLayer<F> {
        WatchLayer { watch, alarmed }
    }
}

impl<S: Subscriber, F: Fn(&Alarm) + 'static> Layer<S> for WatchLayer<F> {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        if let Some(words) = fields.words()
            && let Err(alarm) = self.watch.see(&words)
        {
            (self.alarmed)(&alarm);
        }
    }
}

#[derive(Default)]
struct Fields {
    role: Option<String>,
    action: Option<String>,
    message: Option<String>,
    other: Option<String>,
}

impl Fields {
    /// The action in words; nothing if the event is about something else. What is incomplete is told, so that it is not overlooked.
    fn words(self) -> Option<String> {
        let (role, verb) = (self.role?, self.action?);
        let message = self.message.map_or(String::new(), |message| format!("{message} "));
        Some(format!("{role} {verb} {message}TO {}", self.other.unwrap_or_default()))
    }

    fn set(&mut self, field: &Field, value: String) {
        match field.name().trim_start_matches("r#") {
            "role" => self.role = Some(value),
            "action" => self.action = Some(value),
            "type" => self.message = Some(value),
            "to" | "from" | "with" => self.other = Some(value),
            _ => {}
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field, format!("{value:?}"));
    }
}
