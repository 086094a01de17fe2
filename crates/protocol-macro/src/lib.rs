//! An implementation of a protocol as a module, made when the program is compiled.
//!
//! The module is the one that `motet protocol generate --lang rust` writes. A build script that writes a file
//! (`motet_protocol::Build`) serves editors better; the macro needs no build script.
#![forbid(unsafe_code)]

mod request;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use request::Request;
use syn::{Error, parse_macro_input};

/// A module with an implementation of the protocol in a file, whose path starts at the folder of `Cargo.toml`.
/// The crate `motet-session` must be a dependency.
///
/// ```
/// motet_protocol_macro::protocol! {
///     /// A game of two.
///     pub mod turn_game = "../../examples/sessions/turn-game.dcj";
///     type Move = u32;
/// }
///
/// let turn_game::Session { mut white, mut black } = turn_game::open();
/// white.send_move_to_black(3).unwrap();
/// assert!(matches!(black.recv_from_white(), Ok(turn_game::Message::Move(3))));
/// ```
///
/// After the file there may be, in any order:
///
/// | line | meaning |
/// |---|---|
/// | `session = "name";` | the session; by default the last one that no other one calls |
/// | `arg = 3;` | a value for the next parameter of the session |
/// | `style = strict;` | by default `liberal` |
/// | `capacity = 2;` | the most messages of each channel |
/// | `type Move = crate::game::Move;` | what a message of this type carries; without it, nothing |
/// | `typed;` | also types for the states of roles |
/// | `tcp;` | also roles in different processes |
///
/// What the protocol does not allow at all has no method:
///
/// ```compile_fail
/// motet_protocol_macro::protocol! { mod turn_game = "../../examples/sessions/turn-game.dcj"; }
/// turn_game::open().white.send_move_to_white();
/// ```
#[proc_macro]
pub fn protocol(input: TokenStream) -> TokenStream {
    let request = parse_macro_input!(input as Request);
    module(&request).unwrap_or_else(Error::into_compile_error).into()
}

fn module(request: &Request) -> Result<Tokens, Error> {
    let fail = |reason: &str| Error::new(request.file.span(), reason);
    let path = request.path();
    let text = request.build(&path).text().map_err(|reason| fail(&reason))?;
    let body: Tokens = text.parse().map_err(|_| fail("the generated text is no Rust: please report this"))?;
    let Request { attributes, visibility, name, .. } = request;
    // The compiler looks at the file again when it has changed only if something includes it.
    Ok(quote! {
        #(#attributes)*
        #visibility mod #name {
            #body
            const _: &str = include_str!(#path);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(text: &str) -> String {
        syn::parse_str(text).and_then(|request| module(&request)).unwrap_err().to_string()
    }

    #[test]
    fn errors_say_what_is_wrong() {
        assert!(reason(r#"mod chess = "no/such/file.dcj";"#).starts_with("cannot read `"));
        let with =
            |option: &str| reason(&format!(r#"mod tokens = "../../examples/sessions/tokens.dcj"; {option}"#));
        assert!(with(r#"session = "nobody";"#).contains("nobody"), "{}", with(r#"session = "nobody";"#));
        assert!(with("type Coin = u8; session = \"full-mesh\"; arg = 3;").contains("no message type `Coin`"));
        assert_eq!(with("style = lazy;"), "`strict` or `liberal`");
        assert!(with("size = 3;").starts_with("one of `session`"));
        assert!(with("typed").contains("expected `;`"));
    }
}
