//! Connections and requests over HTTP.

use std::time::Duration;

/// How many requests to `/api` and new streams may come in a row from one address.
pub const REQUESTS_BY_ADDRESS: u32 = 3000;

/// How many pages, and files that belong to them, may be asked for in a row from one address.
pub const PAGES_BY_ADDRESS: u32 = 600;

/// Rate limit of a token: requests in a second.
pub const REQUESTS_BY_TOKEN: u32 = 100;

/// How many connections one address may have open.
pub const CONNECTIONS_BY_ADDRESS: u32 = 64;

/// Factor by which the limits of an IPv6 site, a /48, exceed those of one address.
pub const SITE_FACTOR: u32 = 8;

/// Default `Retry-After` of a refused request.
pub const REQUEST_RETRY_AFTER: Duration = Duration::from_secs(10);

/// How many files the process keeps for other things than connections: the database, the site, the log.
pub const RESERVED_FILES: u64 = 256;

/// How long a listener waits after a connection that it could not accept.
pub const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// How long a client may take to send the head of a request.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a client may take to send the body of a request.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The largest body of a request to `/api`, in bytes.
pub const BODY_MAX_BYTES: usize = 64 * 1024;

/// How long a request may take to be answered.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// The most that a connection keeps in memory while reading, in bytes. axum's own server would keep up to a megabyte.
pub const CONNECTION_READ_BUFFER_BYTES: usize = 32 * 1024;

/// How long a peer may leave bytes unacknowledged before its connection is closed.
pub const PEER_TIMEOUT: Duration = Duration::from_secs(6);

/// The longest id of a request that is taken over from the client, in characters.
pub const REQUEST_ID_MAX_LEN: usize = 64;

/// The longest error of a form in an address (`__err`, in base64), in bytes; a longer one is ignored. Those of the server have a
/// sentence each, and [`ERROR_DETAIL_MAX_CHARS`] of an argument at most.
pub const FORM_ERROR_MAX_BYTES: usize = 2048;

/// How many characters of the reason why arguments cannot be read are told. The reason repeats some of them.
pub const ERROR_DETAIL_MAX_CHARS: usize = 200;
