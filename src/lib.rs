//! Tochki: an arena for two-player games drawn on squared paper. This page is the map of the crate.
//!
//! | room | what it is | needs |
//! |---|---|---|
//! | [`rules`] | pure games | |
//! | [`play`] | a pure match: clock, resignation, result, Elo | `rules` |
//! | [`wire`] | ids, cards, snapshots, errors as JSON | `play`, `rules` |
//! | [`record`] | a game on paper: SGF, written and read | `play`, `rules` |
//! | [`replay`] | game records in, what comes of them out | `rules` |
//! | `api` | server functions: the doorway | `wire`, on the server `server` |
//! | `door` | HTTP: routes, guards, cookies, connections | `api`, `server`, `ui` |
//! | `postgres` | the Postgres the server brings along | |
//! | `server` | accounts, lobby, tables, streams, database | `play`, `wire` |
//! | `ui` | pages, components, board, live streams | `api`, `wire`, `rules` |
//!
//! The feature gates stand here and nowhere else: without features the pure rooms build with serde and
//! `serde_json` alone.

// The waiting room's page is one type, and a deep one.
#![recursion_limit = "256"]

pub mod play;
pub mod record;
pub mod replay;
pub mod rules;
pub mod wire;

#[cfg(feature = "ui")]
pub mod api;
#[cfg(feature = "ssr")]
pub mod door;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "ui")]
pub mod ui;

#[cfg(feature = "hydrate")]
mod wake;
