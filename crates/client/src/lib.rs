//! A client of Tochki for programs that play: bots, tests, other native clients.
//!
//! The client speaks the contract of `docs/api.md` with a bearer token, and uses the types of `tochki_protocol`.
//!
//! - [`Client`] has the calls. After a network error or a rate limit, idempotent calls are retried; a move keeps its
//!   `client_id`, so it is made once.
//! - [`MatchStream`], [`PersonalStream`] and [`LobbyStream`] are event streams, which reconnect. A match stream resumes after
//!   the last event that was read, without gap or repeat; the others begin with a snapshot again.
//! - [`PasswordSession`] registers an account, makes it a bot account, and creates its tokens.
//!
//! `examples/random_bot.rs` is a bot of 60 lines.

mod calls;
mod client;
mod error;
mod frames;
mod password_session;
mod streams;
mod tls;

pub use client::Client;
pub use error::Error;
pub use password_session::PasswordSession;
pub use streams::{LobbyStream, MatchStream, MatchUpdate, PersonalStream};
pub use tochki_play as play;
pub use tochki_protocol as protocol;
pub use tochki_rules as rules;

/// Compiles and runs the example of the README as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
