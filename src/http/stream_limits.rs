//! Limits on event streams, of one session and from one address. Each stream costs memory and rows of presence, and a program
//! that reconnects in a loop must not use up the resources of all.

use super::handler_error::HandlerError;
use super::metrics;
use crate::context::Credentials;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tochki_protocol::{Code, limits};
use tochki_server::Arena;
use tochki_server::accounts::ClientAddress;
use tochki_server::settings::Settings;

/// Whose streams are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Owner {
    /// An IPv4 address, or a /64 of IPv6.
    Address(IpAddr),
    /// A /48 of IPv6.
    Site(IpAddr),
    /// The digest of a cookie, of an open session or not.
    Session(Vec<u8>),
    /// A token of a program.
    Token(i64),
}

/// The open streams.
#[derive(Clone)]
pub(super) struct StreamLimits {
    by_session: u32,
    by_address: u32,
    /// The owners with open streams. Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<Owner, u32>>>,
}

/// An open stream; dropping it makes room for another.
pub(super) struct StreamPermit {
    limits: StreamLimits,
    owners: Vec<Owner>,
}

impl StreamLimits {
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            by_session: settings.streams_by_session.get(),
            by_address: settings.streams_by_address.get(),
            open: Arc::default(),
        }
    }

    /// Counts a stream of these owners.
    ///
    /// # Errors
    /// The name of the limit that has been reached.
    fn try_open(&self, owners: Vec<Owner>) -> Result<StreamPermit, &'static str> {
        let mut open = self.open.lock().expect("no panic while the lock is held");
        for owner in &owners {
            let (name, limit) = match owner {
                Owner::Address(_) => ("address", self.by_address),
                Owner::Site(_) => (
                    "address",
                    self.by_address.saturating_mul(limits::SITE_FACTOR),
                ),
                Owner::Session(_) | Owner::Token(_) => ("session", self.by_session),
            };
            if open.get(owner).is_some_and(|count| *count >= limit) {
                return Err(name);
            }
        }
        for owner in &owners {
            *open.entry(owner.clone()).or_default() += 1;
        }
        Ok(StreamPermit {
            limits: self.clone(),
            owners,
        })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self
            .limits
            .open
            .lock()
            .expect("no panic while the lock is held");
        for owner in &self.owners {
            match open.get_mut(owner) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(open.remove(owner)),
            }
        }
    }
}

impl FromRequestParts<Arena> for StreamPermit {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, arena: &Arena) -> Result<Self, HandlerError> {
        let extensions = &parts.extensions;
        let limits = extensions.get::<StreamLimits>().ok_or(Code::Internal)?;
        let mut owners = Vec::with_capacity(3);
        if let Some(client) = extensions.get::<ClientAddress>() {
            owners.push(Owner::Address(client.address));
            owners.extend(client.site().map(Owner::Site));
        }
        let secure = arena.settings.secure();
        let credentials = Credentials::of(&parts.headers, extensions, secure);
        owners.extend(credentials.map(|credentials| match credentials {
            Credentials::Token(token) => Owner::Token(token.id),
            Credentials::Session(token) => Owner::Session(token.digest()),
        }));
        limits.try_open(owners).map_err(|limit| {
            metrics::stream_refused(limit);
            Code::TooManyStreams.into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_counts_for_its_session_and_its_address() {
        let limits = StreamLimits {
            by_session: 1,
            by_address: 2,
            open: Arc::default(),
        };
        let address = || Owner::Address("192.0.2.1".parse().unwrap());
        let of_session =
            |session: u8| limits.try_open(vec![address(), Owner::Session(vec![session])]);
        let first = of_session(1).unwrap();
        assert_eq!(of_session(1).err(), Some("session"));
        let second = limits.try_open(vec![address()]).unwrap();
        assert_eq!(of_session(2).err(), Some("address"));
        drop(first);
        let third = of_session(1).unwrap();
        drop((second, third));
        assert!(limits.open.lock().unwrap().is_empty(), "none is kept");
    }
}
