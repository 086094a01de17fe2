//! From a line to a command.

use crate::{
    Command, Refusal, Way,
    command::{TOPICS, Topic, topic},
    suggest::suggestion,
};
use std::str::FromStr;

/// One run of this many steps, unless numbers are given.
const LONGEST_RUN: usize = 1000;
/// How far `execute_bfs` goes unless a number is given.
const NEAR: usize = 3;
/// More than this is a slip of the keyboard.
const MOST: usize = 1_000_000_000;
/// Steps are kept, so a single run cannot be longer than this.
const MOST_STEPS: usize = 1_000_000;

/// Reads a line; none if there is nothing in it but a comment, which begins with `//`. `transitions` are the names of
/// those that there are: one may be called without the word `transition`.
pub fn parse(line: &str, transitions: &[String]) -> Result<Option<Command>, Refusal> {
    let line = line.trim();
    if line.is_empty() || line.starts_with("//") {
        return Ok(None);
    }
    let (word, rest) = split(line);
    if let Some(topic) = topic(word) {
        return command(topic, rest).map(Some);
    }
    if let Ok(number) = line.parse() {
        return Ok(Some(Command::Choose(number)));
    }
    let name = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or("");
    if transitions.iter().any(|known| known == name) {
        return calls(line).map(Some);
    }
    let names = TOPICS.iter().map(|topic| topic.name).chain(transitions.iter().map(String::as_str));
    let what = if name.is_empty() { word } else { name };
    Err(Refusal::UnknownCommand { name: what.to_owned(), suggestion: suggestion(what, names) })
}

/// The first word and what follows it. A question mark is a word of its own.
fn split(line: &str) -> (&str, &str) {
    if let Some(rest) = line.strip_prefix('?') {
        return ("?", rest.trim());
    }
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim())
}

fn command(topic: &Topic, rest: &str) -> Result<Command, Refusal> {
    let reader = Arguments { topic, rest };
    Ok(match topic.name {
        "transition" => return reader.some().and_then(calls),
        "all" => reader.none(Command::All)?,
        "random" => match reader.at_most_one()?.unwrap_or(1) {
            steps if steps > MOST_STEPS => return Err(too_long()),
            steps => Command::Random(steps),
        },
        "execute" => reader.execute(Way::Uniform)?,
        "execute_proc" => reader.execute(Way::OneProcess)?,
        "execute_weight" => reader.execute(Way::Novelty)?,
        "execute_max" => reader.execute(Way::MoreEnabled)?,
        "execute_bfs" => Command::Breadth(reader.at_most_one()?.unwrap_or(NEAR)),
        "status" => reader.none(Command::Status)?,
        "unsafe" => reader.none(Command::Unsafe)?,
        "reset" => Command::Reset(reader.at_most_one()?),
        "trace" => reader.none(Command::Trace)?,
        "why" => Command::Why(reader.some()?.trim_start_matches("transition ").trim().parse()?),
        "flag" => Command::Flag(reader.at_most_one()?),
        "replay" => reader.none(Command::Replay)?,
        "rerun" => match reader.numbers()?[..] {
            [from, to] if from <= to => Command::Rerun(from, to),
            _ => return Err(reader.usage()),
        },
        "backtrack" => match reader.numbers()?[..] {
            [step] => Command::Backtrack(step),
            _ => return Err(reader.usage()),
        },
        "undo" => Command::Undo(reader.at_most_one()?.unwrap_or(1)),
        "redo" => Command::Redo(reader.at_most_one()?.unwrap_or(1)),
        "save" => Command::Save(reader.some()?.to_owned()),
        "load" => Command::Load(reader.some()?.to_owned()),
        "watch" => Command::Watch(reader.optional()),
        "unwatch" => Command::Unwatch(reader.at_most_one()?),
        "print" => Command::Print(reader.some()?.to_owned()),
        "break" => Command::Break(reader.optional()),
        "unbreak" => Command::Unbreak(reader.at_most_one()?),
        "continue" => match reader.at_most_one()?.unwrap_or(LONGEST_RUN) {
            steps if steps > MOST_STEPS => return Err(too_long()),
            0 => return Err(reader.usage()),
            steps => Command::Continue(steps),
        },
        "list" => Command::List(reader.optional().map(|item| name_of(&item).to_owned())),
        "reload" => reader.none(Command::Reload)?,
        "goto" => Command::Goto(reader.some()?.to_owned()),
        "help" => Command::Help(reader.optional()),
        _ => reader.none(Command::Quit)?,
    })
}

/// What follows the name of a command.
struct Arguments<'a> {
    topic: &'a Topic,
    rest: &'a str,
}

impl<'a> Arguments<'a> {
    fn usage(&self) -> Refusal {
        Refusal::Usage { command: self.topic.name, arguments: self.topic.arguments }
    }

    fn none(&self, command: Command) -> Result<Command, Refusal> {
        if self.rest.is_empty() { Ok(command) } else { Err(self.usage()) }
    }

    fn some(&self) -> Result<&'a str, Refusal> {
        if self.rest.is_empty() { Err(self.usage()) } else { Ok(self.rest) }
    }

    fn optional(&self) -> Option<String> {
        (!self.rest.is_empty()).then(|| self.rest.to_owned())
    }

    fn numbers(&self) -> Result<Vec<usize>, Refusal> {
        let number = |word: &str| usize::from_str(word).ok().filter(|number| *number <= MOST);
        let numbers: Option<Vec<usize>> = self.rest.split_whitespace().map(number).collect();
        numbers.ok_or_else(|| self.usage())
    }

    fn at_most_one(&self) -> Result<Option<usize>, Refusal> {
        match self.numbers()?[..] {
            [] => Ok(None),
            [number] => Ok(Some(number)),
            _ => Err(self.usage()),
        }
    }

    fn execute(&self, way: Way) -> Result<Command, Refusal> {
        match self.numbers()?[..] {
            [] => Ok(Command::Execute(way, 1, LONGEST_RUN)),
            [_, depth] if depth > MOST_STEPS => Err(too_long()),
            [runs, depth] if runs > 0 && depth > 0 => Ok(Command::Execute(way, runs, depth)),
            _ => Err(self.usage()),
        }
    }
}

fn too_long() -> Refusal {
    Refusal::RunTooLong { most: MOST_STEPS }
}

/// The name of an item, which may be written with its processes.
fn name_of(item: &str) -> &str {
    item.split('(').next().unwrap_or(item).trim()
}

/// `t(#1, #2); u(#3)`, or the number of an enabled action.
fn calls(text: &str) -> Result<Command, Refusal> {
    if let Ok(number) = text.parse() {
        return Ok(Command::Choose(number));
    }
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    Ok(Command::Transition(parts.map(str::parse).collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<Command>, Refusal> {
        parse(line, &["enter".into(), "all_in".into()])
    }

    fn command(line: &str) -> Command {
        read(line).unwrap().unwrap()
    }

    #[test]
    fn every_command_can_be_written_by_its_name_and_its_short_names() {
        for topic in TOPICS {
            let arguments = match topic.name {
                "transition" | "why" => "enter(#1)",
                "rerun" => "1 2",
                "backtrack" => "3",
                "save" | "load" => "a file.json",
                "goto" | "print" => "X = 1",
                _ => "",
            };
            let by_name = command(&format!("{} {arguments}", topic.name));
            for alias in topic.aliases {
                assert_eq!(command(&format!("  {alias}  {arguments} ")), by_name, "{alias}");
            }
        }
    }

    #[test]
    fn short_names_are_unambiguous() {
        let mut names: Vec<&str> =
            TOPICS.iter().flat_map(|topic| topic.aliases.iter().copied().chain([topic.name])).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn transitions_are_called_with_and_without_the_word() {
        let two = command("transition enter(#1); all_in(#2)");
        assert!(matches!(&two, Command::Transition(calls) if calls.len() == 2));
        assert_eq!(command("enter(#1) ; all_in(2);"), two);
        assert_eq!(command("3"), Command::Choose(3));
        assert_eq!(command("t 3"), Command::Choose(3));
        assert_eq!(read("// nothing"), Ok(None));
        assert_eq!(read("  "), Ok(None));
    }

    #[test]
    fn numbers_are_where_they_belong() {
        assert_eq!(command("execute 5 20"), Command::Execute(Way::Uniform, 5, 20));
        assert_eq!(command("execute_bfs 2"), Command::Breadth(2));
        assert_eq!(command("reset 2"), Command::Reset(Some(2)));
        for wrong in
            ["execute 5", "execute 0 1", "rerun 3", "rerun 3 1", "backtrack", "backtrack x", "flag -1"]
        {
            assert!(matches!(read(wrong), Err(Refusal::Usage { .. })), "{wrong}");
        }
        assert_eq!(read("status now"), Err(Refusal::Usage { command: "status", arguments: "" }));
        assert!(read("random 99999999999999999999").is_err());
        assert_eq!(read("random 1000001"), Err(Refusal::RunTooLong { most: 1_000_000 }));
        assert_eq!(read("execute 2 1000001"), Err(Refusal::RunTooLong { most: 1_000_000 }));
    }

    #[test]
    fn slips_are_noticed() {
        let unknown = |name: &str, suggestion: Option<&str>| {
            let (name, suggestion) = (name.to_owned(), suggestion.map(str::to_owned));
            Err(Refusal::UnknownCommand { name, suggestion })
        };
        assert_eq!(read("stauts"), unknown("stauts", Some("status")));
        assert_eq!(read("entr(#1)"), unknown("entr", Some("enter")));
        assert_eq!(read("%$"), unknown("%$", None));
        assert_eq!(read("transition enter(#1"), Err(Refusal::NotACall { text: "enter(#1".into() }));
    }
}
