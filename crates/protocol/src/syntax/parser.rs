//! From S-expressions to the typed tree: definitions.

use super::{
    reader::{Datum, Node, read},
    tree::{Expr, File, Function, Name, RoleDefinition, Session},
};
use source::{Diagnostic, Source, Span, nearest};
use std::rc::Rc;

/// What is being read, and what is known so far.
pub(super) struct Parser<'e> {
    pub(super) file: File,
    /// Names and numbers of parameters of all functions of the file.
    pub(super) functions: Vec<(String, usize)>,
    /// Variables that are known here, the innermost last.
    pub(super) scope: Vec<Rc<str>>,
    /// Loops that are known here, with the number of their variables.
    pub(super) loops: Vec<(Rc<str>, usize)>,
    pub(super) errors: &'e mut Vec<Diagnostic>,
}

/// Words that begin a definition.
const DEFINITIONS: [&str; 5] = ["defrole", "defroles", "defthread", "defsession", "defn"];

/// Reads a file. Broken definitions are left out; the errors say why.
pub(crate) fn parse(source: &Source) -> (File, Vec<Diagnostic>) {
    let (nodes, mut errors) = read(source.text());
    let functions = nodes.iter().filter_map(signature).collect();
    let mut parser =
        Parser { file: File::default(), functions, scope: vec![], loops: vec![], errors: &mut errors };
    for node in nodes.iter().filter(|node| !node.is_comment()) {
        parser.definition(node);
    }
    let mut file = parser.file;
    file.types.sort();
    file.types.dedup();
    (file, errors)
}

/// The name of a function and the number of its parameters, if a form defines one.
fn signature(node: &Node) -> Option<(String, usize)> {
    let items = node.items()?;
    let ["defn", name] = [items.first()?.symbol()?, items.get(1)?.symbol()?] else { return None };
    Some((name.to_owned(), items.get(2)?.items()?.len()))
}

impl Parser<'_> {
    /// Reports an error.
    pub(super) fn fail<T>(&mut self, code: &'static str, span: Span, message: &str) -> Option<T> {
        self.errors.push(Diagnostic::error(code, span, message));
        None
    }

    fn definition(&mut self, node: &Node) {
        let items = node.items().filter(|_| matches!(node.datum, Datum::List(_))).unwrap_or_default();
        let Some(word) = items.first().and_then(|head| head.symbol()) else {
            let error = Diagnostic::error("syntax", node.span, "expected a definition");
            self.errors.push(error.help("a file has `defrole`, `defsession` and `defn`"));
            return;
        };
        let args = &items[1..];
        let done = match word {
            "defrole" | "defthread" => self.role(args, node.span),
            "defroles" => args.iter().try_for_each(|key| self.role(&[key], key.span)),
            "defsession" => self.session(args, node.span),
            "defn" => self.function(args, node.span),
            _ => {
                let message = format!("`{word}` does not define anything");
                let error = Diagnostic::error("unknown-definition", items[0].span, message);
                self.errors.push(error.did_you_mean(nearest(word, DEFINITIONS)));
                None
            }
        };
        debug_assert!(
            done.is_some() || !self.errors.is_empty(),
            "a definition that is left out has an error"
        );
    }

    fn role(&mut self, args: &[&Node], span: Span) -> Option<()> {
        let title = match args {
            [_] => None,
            [_, Node { datum: Datum::Text(title), .. }] => Some(title.clone()),
            _ => return self.fail("syntax", span, "write `(defrole :name)` or `(defrole :name \"title\")`"),
        };
        let key = self.key(args[0])?;
        if let Some(known) = self.file.roles.iter().find(|known| known.key.text == key.text) {
            let error =
                Diagnostic::error("duplicate", key.span, format!("role `{}` exists already", key.text));
            self.errors.push(error.also(known.key.span, "declared here"));
            return None;
        }
        self.file.roles.push(RoleDefinition { key, title });
        Some(())
    }

    /// A keyword. A symbol will do where nothing else is possible.
    pub(super) fn key(&mut self, node: &Node) -> Option<Name> {
        match &node.datum {
            Datum::Keyword(name) => Some(Name { text: name.as_str().into(), span: node.span }),
            Datum::Symbol(_) => self.name(node),
            _ => self.fail("syntax", node.span, "expected a name such as `:client`"),
        }
    }

    fn session(&mut self, args: &[&Node], span: Span) -> Option<()> {
        let [key, params, body @ ..] = args else {
            return self.fail("syntax", span, "write `(defsession :name [parameters] specification …)`");
        };
        let (key, params) = (self.key(key)?, self.parameters(params)?);
        let same = |known: &&Session| known.key.text == key.text && known.params.len() == params.len();
        if let Some(known) = self.file.sessions.iter().find(same) {
            let message = format!("session `{}` with {} parameters exists already", key.text, params.len());
            let error = Diagnostic::error("duplicate", key.span, message);
            self.errors.push(error.also(known.key.span, "defined here"));
            return None;
        }
        self.scope = params.iter().map(|param| param.text.clone()).collect();
        self.loops.clear();
        let body = self.sequence(body, span)?;
        self.file.sessions.push(Session { key, params, body: Rc::new(body) });
        Some(())
    }

    fn parameters(&mut self, node: &Node) -> Option<Vec<Name>> {
        let (Datum::Vector(_), Some(items)) = (&node.datum, node.items()) else {
            return self.fail("syntax", node.span, "expected parameters: `[x y]`");
        };
        let names: Vec<Name> = items.iter().map(|item| self.name(item)).collect::<Option<_>>()?;
        for (at, name) in names.iter().enumerate() {
            if names[..at].iter().any(|known| known.text == name.text) {
                return self.fail(
                    "duplicate",
                    name.span,
                    &format!("parameter `{}` exists already", name.text),
                );
            }
        }
        Some(names)
    }

    fn function(&mut self, args: &[&Node], span: Span) -> Option<()> {
        let [name, params, body] = args else {
            return self.fail("syntax", span, "write `(defn name [parameters] expression)`");
        };
        let (name, params) = (self.name(name)?, self.parameters(params)?);
        self.scope = params.iter().map(|param| param.text.clone()).collect();
        let body = self.expression(body)?;
        self.file.functions.push(Function { name, params, body });
        Some(())
    }
}

/// An expression without variables, that may use the functions of a file.
pub(crate) fn parse_expression(text: &str, file: &File) -> Option<Expr> {
    let (nodes, mut errors) = read(text);
    let [node] = &nodes[..] else { return None };
    let functions =
        file.functions.iter().map(|known| (known.name.text.to_string(), known.params.len())).collect();
    let mut parser =
        Parser { file: File::default(), functions, scope: vec![], loops: vec![], errors: &mut errors };
    let expression = parser.expression(node);
    expression.filter(|_| errors.is_empty())
}
