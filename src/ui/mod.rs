//! The pages: rendered by the server; what lives in a browser are the islands in them. Nothing here knows of SQL.
//!
//! - `shell` is the frame of every page: document, routes, header, session, settings.
//! - Each page is a module with its parts: `front`, `account`, `lobby`, `table`, `match_page`, `replay`, `rules`, `stats`,
//!   `operator`. Its `page.rs` is what the route names.
//! - `board` draws a position and turns the pointer into a move; `games` is what each game has of its own.
//! - `steps` goes through the moves of a match, in `match_page` and in `replay`; `chat` is the chat of a page.
//! - `live` is the page's one event stream and what changes with time; `islands` is how islands get data and code.
//! - `forms` and `widgets` are shared components; `text` is every sentence of `locales/`.
//!
//! Every page is complete as HTML and works with scripts off. What only a browser can do stands in effects and event
//! handlers, which the server never runs.

// The macro of components makes a public type of each one's properties.
#![allow(unreachable_pub)]

mod account;
mod board;
mod chat;
mod forms;
mod front;
mod games;
mod islands;
mod live;
mod lobby;
mod match_page;
mod operator;
mod replay;
mod rules;
mod shell;
mod stats;
mod steps;
mod table;
mod text;
mod widgets;

pub use live::heartbeat::beat;
pub use live::server_time::RenderedAt;
pub use replay::{Brought, Complaint};
pub use shell::app::App;
pub use shell::document::shell;
pub use shell::error_page::broken;
pub use text::{Language, script_at, speak};
