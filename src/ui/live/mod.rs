//! What changes while a page is open: its event stream, the time of the server, countdowns, notices, sounds.

pub(crate) mod countdown;
pub(crate) mod heartbeat;
pub(crate) mod notices;
pub(crate) mod server_time;
pub(crate) mod sound;
pub(crate) mod stream;
