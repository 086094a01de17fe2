//! A core behind a pipe: each line of input asks about a state, each line of output answers.
//!
//! | line | answer |
//! |---|---|
//! | `start` | the first state |
//! | `send ACTION STATE` | the state after a send, a close or a handshake, or `-` |
//! | `recv ACTION STATE` | the type of the message (`*` without one) and the state after a receive, or `-` |
//! | `end STATE` | `yes` if the run may end there, else `no` |
//!
//! A state is written `0,2|1.4,1.4|!`: the machines, then the channels, each with its messages as type and stamp, after a `!` if it is closed.

use crate::{
    core::TableCore,
    state::{Channel, Message, State},
    tables::Tables,
};
use std::{
    fmt,
    io::{self, BufRead, Write},
    str::FromStr,
};

/// Answers questions from standard input until it ends: `fn main() { motet_session::drive(&TABLES) }`.
pub fn drive(tables: &Tables) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(output, "{}", answer(tables, &line?))?;
        output.flush()?;
    }
    Ok(())
}

/// The answer to a line.
pub fn answer(tables: &Tables, line: &str) -> String {
    answered(tables, line).unwrap_or_else(|| format!("? {line}"))
}

fn answered(tables: &Tables, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let core = |text: &str| text.parse().ok().map(|state: State| TableCore::at(tables, state));
    match words[..] {
        ["start"] => Some(tables.initial().to_string()),
        ["send", action, state] => {
            let mut core = core(state)?;
            let done = crate::Core::try_send(&mut core, action.parse().ok()?);
            Some(if done { core.state().to_string() } else { "-".into() })
        }
        ["recv", action, state] => {
            let mut core = core(state)?;
            let taken = core.try_take(action.parse().ok()?);
            Some(taken.map_or("-".into(), |message| format!("{} {}", Kind(message.kind), core.state())))
        }
        ["end", state] => Some(if tables.may_end(core(state)?.state()) { "yes".into() } else { "no".into() }),
        _ => None,
    }
}

struct Kind(Option<u32>);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(kind) => write!(f, "{kind}"),
            None => f.write_str("*"),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let control: Vec<String> = self.control.iter().map(u32::to_string).collect();
        f.write_str(&control.join(","))?;
        for channel in &self.channels {
            let messages = channel.messages.iter();
            let messages: Vec<String> =
                messages.map(|message| format!("{}.{}", Kind(message.kind), message.stamp)).collect();
            write!(f, "|{}{}", if channel.closed { "!" } else { "" }, messages.join(","))?;
        }
        Ok(())
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(text: &str) -> Result<State, String> {
        state(text).ok_or_else(|| format!("`{text}` is not a state"))
    }
}

fn state(text: &str) -> Option<State> {
    let mut parts = text.split('|');
    let control = parts.next()?.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>()?;
    let channels = parts.map(channel).collect::<Option<Vec<Channel>>>()?;
    Some(State { control: control.into(), channels: channels.into() })
}

fn channel(text: &str) -> Option<Channel> {
    let (closed, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
    let messages = rest.split(',').filter(|message| !message.is_empty()).map(message);
    Some(Channel { closed, messages: messages.collect::<Option<Vec<Message>>>()? })
}

fn message(text: &str) -> Option<Message> {
    let (kind, stamp) = text.split_once('.')?;
    let kind = if kind == "*" { None } else { Some(kind.parse().ok()?) };
    Some(Message { kind, stamp: stamp.parse().ok()? })
}
