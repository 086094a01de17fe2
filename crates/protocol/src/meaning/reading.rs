//! Actions as programs tell about them: `white SEND Move TO black`, or the same in parts.

use super::action::{Action, Vocabulary, number};
use crate::syntax::tree::Verb;

impl Vocabulary {
    /// The action in words such as `white SEND Move TO black` or `black RECV FROM white`. The error is a sentence.
    pub fn read(&self, words: &str) -> Result<Action, String> {
        let parts: Vec<&str> = words.split_whitespace().collect();
        let (role, verb, message, others) = match parts[..] {
            [role, verb, message, "TO" | "FROM", others] => (role, verb, Some(message), others),
            [role, verb, "TO" | "FROM", others] => (role, verb, None, others),
            _ => return Err(format!("`{words}` is no action; write `white SEND Move TO black`")),
        };
        self.read_parts(role, verb, message, &others.split(',').collect::<Vec<_>>())
    }

    /// The action of a role: a verb (`send`, `recv`, `close` or `sync`), a message type if it is known, and the other roles. The error is a sentence.
    pub fn read_parts(
        &self,
        role: &str,
        verb: &str,
        message: Option<&str>,
        others: &[&str],
    ) -> Result<Action, String> {
        let role = self.role_called(role)?;
        let mut others = others.iter().map(|name| self.role_called(name)).collect::<Result<Vec<u32>, _>>()?;
        others.sort_unstable();
        let message = message.map(|name| self.type_called(name)).transpose()?;
        let verb = verb_called(verb)?;
        match (verb, &others[..]) {
            (_, []) => Err("an action needs another role: `to` or `from`".into()),
            (Verb::Receive, [from]) => Ok(Action { verb, from: *from, to: [role].into(), message }),
            (Verb::Receive, _) => Err("a receive is from one role".into()),
            _ => Ok(Action { verb, from: role, to: others.into(), message }),
        }
    }

    fn role_called(&self, name: &str) -> Result<u32, String> {
        let at = self.roles.iter().position(|role| role.name == name);
        at.map(number).ok_or_else(|| format!("there is no role `{name}`"))
    }

    /// Types may be written with angle brackets, and with the path of their package.
    fn type_called(&self, name: &str) -> Result<u32, String> {
        let short = name.trim_matches(['<', '>']).rsplit('.').next().unwrap_or(name);
        let at = self.types.iter().position(|known| **known == *short);
        at.map(number).ok_or_else(|| format!("there is no message type `{short}`"))
    }
}

fn verb_called(word: &str) -> Result<Verb, String> {
    match word.to_ascii_lowercase().as_str() {
        "send" => Ok(Verb::Send),
        "recv" | "receive" => Ok(Verb::Receive),
        "close" => Ok(Verb::Close),
        "sync" | "handshake" => Ok(Verb::Handshake),
        other => Err(format!("`{other}` is no action: send, recv, close or sync")),
    }
}
