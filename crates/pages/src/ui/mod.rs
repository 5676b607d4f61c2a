//! The pages. The server renders them complete, and they work without scripts; islands add what only a browser can do.
//! Nothing here knows of SQL or of HTTP beyond calling `api` and reading an event stream.
//!
//! Modules import downwards in this list:
//!
//! - `shell`: document, routes, header, footer, settings panel.
//! - pages, each with its parts; its `page.rs` is what the route names: `front`, `account`, `lobby`, `table`, `analysis`,
//!   `computer`, `match_page`, `programs`, `puzzles`, `replay`, `rules`, `stats`, `notifications`, `operator`, `tournaments`
//!   (with the fields of clocks of `lobby`). `computer` uses the components of `match_page`, `analysis` the engine of `computer`,
//!   `front` the game of `computer`, the moves of `replay` and the puzzle of the day. `records`: uploaded records, shown with the
//!   parts of `replay`.
//!   `embed`: a match in a frame on other sites. `social_card`: the picture that other sites show beside a link. `keys`: the list of
//!   keys. `own_games`: the running games of a player, with `rematch_requests`. `tournament_links`: the ways to a tournament from other pages.
//! - `chat`: the chat box of a page. `steps`: stepping through the moves of a match. `board_view`: the board of any game with
//!   its input. `terms`: the terms of a match in words.
//! - `games`: the parts of pages that are specific to a game. It imports `rulebook`, the rules of a game as data, and `board`,
//!   which draws a position and knows no game.
//! - `live`: event stream, server clock, countdowns, notices, sounds.
//! - `page`: the common parts of pages: session, settings, query parameters, errors, redirects, the release.
//! - `forms`: form fields. `widgets`: small components. `islands`: data, code and actions of islands.
//! - `view`: the `view!` of these files. `text`: the sentences of `locales/`. `fingerprint`: URLs that change with the content of a file.
//!
//! Effects and event handlers run in a browser only, never on the server.

// `#[component]` generates a public props type for each component.
#![allow(unreachable_pub)]

mod account;
mod analysis;
mod board;
mod board_view;
mod chat;
mod computer;
mod embed;
mod fingerprint;
mod forms;
mod front;
mod games;
mod islands;
mod keys;
mod live;
mod lobby;
mod match_page;
mod night;
mod notifications;
mod operator;
mod own_games;
mod page;
mod programs;
mod puzzles;
mod records;
mod rematch_requests;
mod replay;
mod rulebook;
mod rules;
mod shell;
mod social_card;
mod stats;
mod steps;
mod table;
mod terms;
pub(crate) mod text;
mod tournament_links;
mod tournaments;
mod vacation;
mod view;
mod widgets;

pub use account::{MailHere, NewRecoveryCodes, PasskeysHere, ShownToken};
pub use embed::embed;
pub use live::server_clock::RenderedAt;
pub use live::stream_script::PageKey;
pub use match_page::presence_frame;
#[cfg(feature = "ssr")]
pub use notifications::push_words;
pub use page::OnPhone;
pub use page::info_stylesheet::info_stylesheet;
pub use page::page_address::PageAddress;
pub use page::release::Release;
pub use programs::{Operation, ProgramsContext};
pub use records::{UploadError, UploadedRecord};
pub use shell::app::App;
pub use shell::document::shell;
pub use shell::error_page::error_document;
pub use shell::offline::{offline_files, offline_pages};
pub use shell::style_sheets::FirstVisit;
pub use social_card::{SOCIAL_CARD_SIZE, game_card, match_card};
pub use text::load_texts;
pub use tournaments::{FilledForm, FormatDraft, TournamentDraft};
