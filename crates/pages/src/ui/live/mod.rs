//! The parts of a page that change while it is open: event stream, server clock, countdowns, notices, sounds.

pub(crate) mod connection_lost;
pub(crate) mod countdown;
pub(crate) mod event_stream;
pub(crate) mod notices;
pub(crate) mod server_clock;
pub(crate) mod sound;
pub(crate) mod stream_script;
