//! What the server of Tochki says by HTTP, and the listener of the line protocol, which counts its connections with those of
//! HTTP.

// The type of the lobby's page is deeply nested.
#![recursion_limit = "256"]

pub mod http;
pub mod line;
