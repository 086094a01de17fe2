//! What there is to say about commands.

use crate::{
    Answer,
    command::{TOPICS, Topic, topic},
    show::{heading, padded, widest},
    words::did_you_mean,
};

/// All commands, or one.
pub(super) fn help(about: Option<&str>) -> Result<Answer, String> {
    let Some(name) = about else { return Ok(Answer::done(list_of_commands())) };
    let Some(topic) = topic(name) else {
        let names = TOPICS.iter().map(|topic| topic.name);
        return Err(format!("there is no command `{name}`{}", did_you_mean(name, names)));
    };
    let mut lines =
        vec![heading(usage(topic).trim_end()), topic.summary.to_owned(), topic.details.to_owned()];
    if !topic.aliases.is_empty() {
        lines.push(format!("also written: {}", topic.aliases.join(", ")));
    }
    Ok(Answer::done(lines))
}

fn list_of_commands() -> Vec<String> {
    let width = widest(TOPICS.iter().map(usage));
    let line = |topic: &Topic| format!("{}  {}", heading(&padded(&usage(topic), width)), topic.summary);
    let more = "`help COMMAND` tells more about one; most have a short name.".to_owned();
    TOPICS.iter().map(line).chain([more]).collect()
}

fn usage(topic: &Topic) -> String {
    format!("{} {}", topic.name, topic.arguments).trim_end().to_owned()
}
