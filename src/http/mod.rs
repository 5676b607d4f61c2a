//! HTTP: routes, guards, event streams, downloads, connections.

mod caller;
mod client_address;
mod compressed;
mod connections;
mod downloads;
mod event_writer;
mod events;
mod games;
mod guard;
mod handler_error;
mod health;
mod listen;
pub mod metrics;
mod my_data;
mod openapi;
mod origin;
mod pages;
mod records;
mod recovery;
mod release;
mod request_id;
mod router;
mod shown_once;
mod site_files;
mod stream_limits;
mod takeover;
mod token;
mod tokens;
pub mod traces;

pub(crate) use client_address::network;
pub use connections::{ConnectionPermit, Connections, Refused};
pub use listen::serve;
pub(crate) use listen::watch_peer;
pub use openapi::api_description;
pub use router::router;
