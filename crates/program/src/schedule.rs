//! Schedules as people and files write them: `0 0 1 2:1`.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Which thread takes each step. `2:1` is thread 2 with the second outcome of its operation, such as which of several
/// sleeping threads a signal wakes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Schedule(Vec<(u16, u16)>);

impl Schedule {
    /// The number of steps.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The thread that takes the last step.
    pub(crate) fn last(&self) -> Option<usize> {
        self.0.last().map(|(thread, _)| usize::from(*thread))
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(u16, u16)> for Schedule {
    fn from_iter<T: IntoIterator<Item = (u16, u16)>>(turns: T) -> Schedule {
        Schedule(turns.into_iter().collect())
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Schedule, String> {
        let turn = |word: &str| {
            let (thread, choice) = word.split_once(':').unwrap_or((word, "0"));
            let number = |text: &str| text.parse::<u16>().ok();
            let turn = number(thread).zip(number(choice));
            turn.ok_or_else(|| format!("`{word}` is not a step of a schedule, such as `2` or `2:1`"))
        };
        text.split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(turn)
            .collect::<Result<_, _>>()
            .map(Schedule)
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (thread, choice)) in self.0.iter().enumerate() {
            write!(f, "{}{thread}", if at == 0 { "" } else { " " })?;
            if *choice > 0 {
                write!(f, ":{choice}")?;
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for Schedule {
    type Error = String;

    fn try_from(text: String) -> Result<Schedule, String> {
        text.parse()
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> String {
        schedule.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_read_as_they_are_written() {
        for text in ["", "0", "0 0 1 2:1", "65535:3"] {
            assert_eq!(text.parse::<Schedule>().unwrap().to_string(), text);
        }
        assert_eq!("0, 1".parse::<Schedule>().unwrap().to_string(), "0 1");
        for wrong in ["a", "-1", "1:", "1:2:3", "65536"] {
            assert!(wrong.parse::<Schedule>().is_err(), "{wrong}");
        }
    }
}
