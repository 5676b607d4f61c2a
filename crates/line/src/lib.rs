//! The line protocol: native clients play Dots and Boxes on 3 × 3 boxes over TCP, against each other and against browsers.
//!
//! [docs/line.md](../../../docs/line.md) describes the protocol. Nothing is decided here: a client is a player like any other,
//! with the accounts, tables, presence and matches of `tochki_server`.
//!
//! 1. `codec` parses requests, `message` writes the lines of the server. `state` is the state machine that refuses requests,
//!    `board` writes a match, `timing` detects clients that are too fast or unresponsive. All of these are pure.
//! 2. `connection` is the task of a connection. It waits for the next line, the next change of the table, the next event of
//!    the match and the next deadline, and does one thing at a time. So answers come in the order of the requests. It
//!    writes before it reads on, so that nothing piles up for a client that does not read.
//! 3. `client` is the player of the connection and its state (`phase`). `lobby` has the requests outside a game, `game` those
//!    in one.
//! 4. `registry` has the connections of this instance. The players who may reconnect are in the database (`lines`).

mod board;
mod client;
mod codec;
mod connection;
mod game;
mod lobby;
mod message;
mod phase;
mod registry;
mod state;
mod timing;

pub use connection::LineServer;
