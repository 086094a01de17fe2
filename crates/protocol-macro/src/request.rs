//! What is written between the braces of `protocol!`.

use protocol::{Build, Style};
use quote::ToTokens;
use std::{env, path::Path};
use syn::{
    Attribute, Error, Ident, Lit, LitInt, LitStr, Result, Token, Type, Visibility,
    parse::{Parse, ParseStream},
};

/// A module, the file that it is made from, and how.
pub(crate) struct Request {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) file: LitStr,
    options: Vec<Choice>,
}

enum Choice {
    Session(String),
    Arg(String),
    Style(Style),
    Capacity(usize),
    Type(String, String),
    Typed,
    Tcp,
}

impl Parse for Request {
    fn parse(input: ParseStream<'_>) -> Result<Request> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![mod]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let file = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut options = Vec::new();
        while !input.is_empty() {
            options.push(input.parse()?);
            input.parse::<Token![;]>()?;
        }
        Ok(Request { attributes, visibility, name, file, options })
    }
}

impl Parse for Choice {
    fn parse(input: ParseStream<'_>) -> Result<Choice> {
        if input.parse::<Option<Token![type]>>()?.is_some() {
            let message: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            let value: Type = input.parse()?;
            return Ok(Choice::Type(message.to_string(), value.to_token_stream().to_string()));
        }
        let word: Ident = input.parse()?;
        match word.to_string().as_str() {
            "typed" => return Ok(Choice::Typed),
            "tcp" => return Ok(Choice::Tcp),
            _ => {}
        }
        input.parse::<Token![=]>()?;
        match word.to_string().as_str() {
            "session" => Ok(Choice::Session(input.parse::<LitStr>()?.value())),
            "arg" => argument(input).map(Choice::Arg),
            "style" => style(&input.parse()?).map(Choice::Style),
            "capacity" => Ok(Choice::Capacity(input.parse::<LitInt>()?.base10_parse()?)),
            _ => Err(Error::new(
                word.span(),
                "one of `session`, `arg`, `style`, `capacity`, `type`, `typed` and `tcp`",
            )),
        }
    }
}

/// A value for a parameter, as it is written in protocols.
fn argument(input: ParseStream<'_>) -> Result<String> {
    Ok(match input.parse()? {
        Lit::Str(text) => text.value(),
        other => other.to_token_stream().to_string(),
    })
}

fn style(word: &Ident) -> Result<Style> {
    match word.to_string().as_str() {
        "strict" => Ok(Style::Strict),
        "liberal" => Ok(Style::Liberal),
        _ => Err(Error::new(word.span(), "`strict` or `liberal`")),
    }
}

impl Request {
    /// Where the file is.
    pub(crate) fn path(&self) -> String {
        let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        Path::new(&folder).join(self.file.value()).to_string_lossy().into_owned()
    }

    pub(crate) fn build(&self, path: &str) -> Build {
        self.options.iter().fold(Build::new(path), |build, option| match option {
            Choice::Session(name) => build.session(name),
            Choice::Arg(value) => build.arg(value),
            Choice::Style(style) => build.style(*style),
            Choice::Capacity(most) => build.capacity(*most),
            Choice::Type(message, value) => build.map_type(message, value),
            Choice::Typed => build.typed(),
            Choice::Tcp => build.tcp(),
        })
    }
}
