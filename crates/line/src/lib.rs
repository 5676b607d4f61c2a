//! The line protocol: native clients play Dots and Boxes on 3 × 3 boxes over TCP, against each other and against browsers.
//!
//! [docs/line.md](../../../docs/line.md) describes it. Nothing is decided here: a line is a player like any other, with the
//! accounts, tables, presence and matches of `tochki_server`.
//!
//! 1. `codec` makes requests of bytes, `message` lines of what the server says. `state` says which request is refused in
//!    which state, `board` how a match is told, `timing` when a client is too fast or unresponsive. All of these are pure.
//! 2. `connection` is the task of a connection. It waits for the next line, the next change of the table, the next event of
//!    the match and the next deadline, and does one thing at a time. So answers come in the order of the requests. It
//!    writes before it reads on, so that nothing piles up for a client that does not read.
//! 3. `client` is who the client is and where (`phase`). `lobby` has the requests outside a game, `game` those in one.
//! 4. `registry` knows the connections of this instance. Who may come back is in the database (`lines`).

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
