//! The pages: rendered by the server; what lives in a browser are the islands in them. Nothing here knows of SQL.
//!
//! - [`shell()`] is the document, [`App`] what is in its body on both sides.
//! - `pages` are the addresses; `table`, `waiting` and `board` are what the larger of them are made of.
//! - `games` is what each game has of its own on them: nothing else asks which game it is.
//! - `steps` lead through a game, at a table as in a `replay`; `rules` tell how it is played.
//! - `open_table` is where a match begins that has a link; the rest of it is `public/open_table.js`.
//! - `chat` is drawn by the server, and goes on in plain JavaScript.
//! - `live` is the page's one event stream; what it carries is taken in by `table::mirror` and `waiting::room`.
//! - `texts` are the sentences of `locales/`, `words` chooses among them by code and reason.
//!
//! Every page is complete as HTML and works with scripts off. What only a browser can do stands in effects and event
//! handlers, which the server never runs.

// The macro of components makes a public type of each one's properties.
#![allow(unreachable_pub)]

mod ahead;
mod app;
mod beat;
mod board;
mod broken;
mod chat;
mod club;
mod countdown;
mod errand;
mod fields;
mod fingerprint;
mod footer;
mod forms;
mod games;
mod handed;
mod header;
mod last_island;
mod list;
mod live;
mod moment;
mod name;
mod notices;
mod open_table;
mod operator;
mod pages;
mod pieces;
mod refusals;
mod replay;
mod rules;
mod server_time;
mod session;
mod settings;
mod shell;
mod sound;
mod steps;
mod table;
mod texts;
mod waiting;
mod words;

pub use app::App;
pub use beat::beat;
pub use broken::broken;
pub use pages::{Brought, Complaint};
pub use server_time::RenderedAt;
pub use shell::shell;
pub use texts::{Language, speak};
pub use waiting::LastChoices;
