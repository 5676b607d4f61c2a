//! Connections and requests over HTTP.

use std::time::Duration;

/// Burst of requests to `/api` and new streams from one address.
pub const REQUESTS_BY_ADDRESS: u32 = 3000;

/// Burst of requests for pages, and for files that belong to them, from one address.
pub const PAGES_BY_ADDRESS: u32 = 600;

/// Maximum number of requests of one address that are answered at once. An answer counts until it has been taken.
pub const REQUESTS_AT_ONCE_BY_ADDRESS: u32 = 256;

/// Maximum number of requests of a player of a running match that are answered at once, beside those of others at the same
/// address.
pub const REQUESTS_AT_ONCE_BY_PLAYER: u32 = 32;

/// Burst of requests of a player of a running match, beside those of others at the same address; then a tenth of it every second.
pub const REQUESTS_BY_PLAYER: u32 = 300;

/// Number of pages that are made at once. Others wait for their turn.
pub const PAGES_AT_ONCE: usize = 64;

/// Number of files of the site that are open at once. Others wait for their turn.
pub const FILES_AT_ONCE: usize = 256;

/// Number of files of the site that are open at once for one address. Others wait for their turn.
pub const FILES_AT_ONCE_BY_ADDRESS: usize = 48;

/// Maximum number of downloads of a player at once.
pub const DOWNLOADS_BY_PLAYER: u32 = 1;

/// Maximum number of downloads from one address at once.
pub const DOWNLOADS_BY_ADDRESS: u32 = 8;

/// Maximum number of a player's downloads of all data of the account in an hour.
pub const MY_DATA_PER_HOUR: u32 = 6;

/// Time for which it is remembered whether a player has a running match, when a limit of the address would refuse a request.
pub const ACTIVE_PLAYER_INTERVAL: Duration = Duration::from_secs(2);

/// Number of sessions and browsers that are remembered, so that their players are known without the database.
pub const ACTIVE_PLAYERS_CAPACITY: usize = 20_000;

/// Number of sessions not remembered that are looked up in a second for one address, when its limit would refuse a request.
pub const ACTIVE_PLAYER_LOOKUPS_PER_SECOND: u32 = 20;

/// Rate limit of a token: requests in a second.
pub const REQUESTS_BY_TOKEN: u32 = 100;

/// Maximum number of open connections of one address.
pub const CONNECTIONS_BY_ADDRESS: u32 = 64;

/// Maximum number of connections of one address beyond [`CONNECTIONS_BY_ADDRESS`] that wait for a request of a player of a
/// running match. One more closes one of these.
pub const PROVISIONAL_CONNECTIONS_BY_ADDRESS: usize = 16;

/// Time-out of such a connection that waits for that request.
pub const PROVISIONAL_CONNECTION_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum number of connections of a player of a running match beyond [`CONNECTIONS_BY_ADDRESS`].
pub const CONNECTIONS_BY_PLAYER: usize = 12;

/// Maximum number of such connections of all players of running matches at one address. Beyond that, a connection of the player
/// who has most is closed for a player who has fewer.
pub const CONNECTIONS_BY_PLAYERS_AT_ADDRESS: usize = 96;

/// Maximum number of open connections to the metrics.
pub const METRICS_CONNECTIONS: usize = 64;

/// Factor by which the limits of an IPv6 site, a /48, exceed those of one address.
pub const SITE_FACTOR: u32 = 8;

/// Default `Retry-After` of a refused request.
pub const REQUEST_RETRY_AFTER: Duration = Duration::from_secs(10);

/// Number of files that the process keeps for other things than connections: the database, the files of the site
/// ([`FILES_AT_ONCE`]), the log.
pub const RESERVED_FILES: u64 = 256 + FILES_AT_ONCE as u64;

/// Delay of a listener after a connection that it could not accept.
pub const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Time-out of the head of a request.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Time-out of the body of a request; twice as long for a body with a record.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The largest body of a request, in bytes. Only a record may have more
/// ([`RECORD_FORM_MAX_BYTES`](super::RECORD_FORM_MAX_BYTES)).
pub const BODY_MAX_BYTES: usize = 64 * 1024;

/// Time for which the server reads on, after it has answered and closed its side of a connection, so that a client that is still
/// sending gets the answer and not a reset.
pub const LINGER_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of bytes that the server reads in that time.
pub const LINGER_MAX_BYTES: usize = 16 * 1024 * 1024;

/// Time-out of the answer to a request.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// The most that a connection keeps in memory while reading, in bytes. axum's own server would keep up to a megabyte.
pub const CONNECTION_READ_BUFFER_BYTES: usize = 32 * 1024;

/// Time-out of an answer whose client takes nothing of it, over HTTP/2: the window of its stream stays closed. Over HTTP/1.1 it
/// is [`PEER_TIMEOUT`].
pub const STALLED_RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// Time for which a connection of HTTP/2 stays open without a request.
pub const HTTP2_IDLE_TIMEOUT: Duration = Duration::from_mins(2);

/// Time-out of the answers that are still on their way on a connection of HTTP/2 that is being closed.
pub const HTTP2_CLOSING_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum number of open requests of one connection of HTTP/2, event streams among them.
pub const HTTP2_CONNECTION_REQUESTS: u32 = 128;

/// The most of an answer that waits in the send buffer of HTTP/2 for its stream, in bytes.
pub const HTTP2_SEND_BUFFER_BYTES: usize = 32 * 1024;

/// The longest piece in which an answer is handed on, in bytes: bytes that a client does not take wait in whole pieces.
pub const RESPONSE_PIECE_BYTES: usize = 16 * 1024;

/// Time for which a peer may leave bytes unacknowledged before its connection is closed.
pub const PEER_TIMEOUT: Duration = Duration::from_secs(6);

/// The longest id of a request that is taken over from the client, in characters.
pub const REQUEST_ID_MAX_LEN: usize = 64;

/// The longest error of a form in an address (`__err`, in base64), in bytes; a longer one is ignored. Errors of the server have a
/// sentence each, and [`ERROR_DETAIL_MAX_CHARS`] of an argument at most.
pub const FORM_ERROR_MAX_BYTES: usize = 2048;

/// Maximum number of characters of the reason why arguments cannot be read. The reason repeats some of the arguments.
pub const ERROR_DETAIL_MAX_CHARS: usize = 200;
