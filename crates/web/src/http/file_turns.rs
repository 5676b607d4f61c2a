//! Turns at the open files of the site. A file is open until its client has taken it, so the number of open files is limited, in
//! all and for each address: a client that takes nothing keeps out neither newcomers nor the connections of players.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, Weak};
use tochki_protocol::limits;
use tochki_server::accounts::ClientAddress;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of addresses above which those without open files are dropped.
const ADDRESSES: usize = 1024;

/// The open files.
#[derive(Clone)]
pub(super) struct FileTurns {
    in_all: Arc<Semaphore>,
    /// Held for a lookup, never across an await.
    by_address: Arc<Mutex<HashMap<IpAddr, Weak<Semaphore>>>>,
}

/// A file that may be open; dropping it gives the turn to the next.
pub(super) struct FileTurn {
    _of_address: Option<OwnedSemaphorePermit>,
    _in_all: Option<OwnedSemaphorePermit>,
}

impl Default for FileTurns {
    fn default() -> Self {
        Self {
            in_all: Arc::new(Semaphore::new(limits::FILES_AT_ONCE)),
            by_address: Arc::default(),
        }
    }
}

impl FileTurns {
    /// Waits for a turn: first among those of the same address, so that one address does not stand in the way of others. The
    /// request around it has a time-out.
    pub(super) async fn next(&self, client: Option<ClientAddress>) -> FileTurn {
        let of_address = match client {
            Some(client) => self.of(client.address).acquire_owned().await.ok(),
            None => None,
        };
        FileTurn {
            _of_address: of_address,
            _in_all: self.in_all.clone().acquire_owned().await.ok(),
        }
    }

    fn of(&self, address: IpAddr) -> Arc<Semaphore> {
        let by_address = self.by_address.lock();
        let mut by_address = by_address.expect("no panic while the lock is held");
        if by_address.len() >= ADDRESSES {
            by_address.retain(|_, turns| turns.strong_count() > 0);
        }
        if let Some(turns) = by_address.get(&address).and_then(Weak::upgrade) {
            return turns;
        }
        let turns = Arc::new(Semaphore::new(limits::FILES_AT_ONCE_BY_ADDRESS));
        by_address.insert(address, Arc::downgrade(&turns));
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    #[tokio::test]
    async fn one_address_leaves_files_to_others() {
        let turns = FileTurns::default();
        let client = |text: &str| {
            let address = text.parse().expect("an address");
            Some(ClientAddress { address })
        };
        let mut taken = Vec::new();
        for _ in 0..limits::FILES_AT_ONCE_BY_ADDRESS {
            taken.push(turns.next(client("192.0.2.1")).await);
        }
        let waiting = turns.next(client("192.0.2.1"));
        let mut waiting = Box::pin(waiting);
        assert!(waiting.as_mut().now_or_never().is_none());
        let other = turns.next(client("192.0.2.2")).now_or_never();
        assert!(other.is_some());
        taken.pop();
        assert!(waiting.as_mut().now_or_never().is_some());
    }
}
