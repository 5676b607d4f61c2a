//! The attribute `#[endpoint]`: a server function of Leptos, and beside it its registration as an endpoint.
//!
//! ```ignore
//! /// Sends a message: `place` is `lobby` or the id of a match.
//! #[endpoint(
//!     name = Say,
//!     post = "/api/say",
//!     scope = Play,
//!     answers = "Message",
//!     errors(NoSuchMatch, EmptyMessage, MessageTooLong, Muted, TooManyMessages),
//! )]
//! pub async fn say(
//!     app: AppState,
//!     player: Player,
//!     place: String,
//!     text: String,
//! ) -> Result<ChatMessage, ErrorResponse> { todo!() }
//! ```
//!
//! The function becomes a `#[server]` function with the arguments `place` and `text`. On the server it is also registered as an
//! `Endpoint` (`crates/pages/src/endpoint.rs`), of which the scopes of tokens, the `OpenAPI` document, the tables of
//! `docs/api.md` and the permission matrix are made. A browser gets nothing but the server function.
//!
//! Parameters of these types come from the request, and are no arguments:
//!
//! | parameter | meaning |
//! |---|---|
//! | `AppState` | the services of the instance |
//! | `Player` | for players: everybody else is refused with `signed_out` |
//! | `SessionPlayer` | for players with a session: programs with a token are refused, too |
//! | `RecentPlayer` | for players, whose session is read by the function itself, and seldom |
//! | `Operator` | for operators: other players are refused with `not_operator` |
//! | `Option<Player>` | for everybody; the player, if there is one |
//!
//! Without one of the last five, the function is for everybody and does not know its caller.
//!
//! | argument | meaning |
//! |---|---|
//! | `name` | the type of the arguments |
//! | `get`, `post` | the method and the path |
//! | `scope` | the scope that a token needs; without it, no token is taken |
//! | `who` | the callers in words, where the signature does not say all |
//! | `answers` | the answer in words |
//! | `errors` | the codes of its own errors, each with a note if need be: `Muted = "an own name"` |
//! | `page` | an error is also the status of the page that has called the function |
//! | `hidden_page` | the same, and to those who may not call it the page does not exist |
//! | `etag` | the answer has an `ETag` |
//!
//! Errors of the server (`tochki_server::Error`), which the body returns, are answered as an `ErrorResponse`.

mod arguments;
mod function;

use arguments::Arguments;
use function::Function;
use proc_macro::TokenStream;
use syn::parse_macro_input;

/// Makes a server function of a function, and registers it as an endpoint. See the documentation of the crate.
#[proc_macro_attribute]
pub fn endpoint(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let arguments = parse_macro_input!(arguments as Arguments);
    let function = parse_macro_input!(function as syn::ItemFn);
    Function::read(function)
        .and_then(|function| function.expand(&arguments))
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
