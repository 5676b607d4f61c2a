//! The HTTP server of Tochki, the listener of the line protocol, which counts its connections with those of HTTP, and the sender of
//! pushes.

// The type of the lobby's page is deeply nested.
#![recursion_limit = "256"]

pub mod http;
pub mod line;
pub mod push;
