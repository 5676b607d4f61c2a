//! Limits on connections, in all and from one address, for HTTP and the line protocol together. Each connection costs a
//! file descriptor and a task, and a client that opens thousands must not keep others out.
//!
//! Once an address has used up its connections, a few more of HTTP are *provisional* ([`super::provisional`]): they are kept
//! for players of running matches alone.

use super::client_address::network;
use super::connection_timeouts::ConnectionTimeouts;
use super::provisional::{Beyond, Provisional};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use tochki_protocol::limits;
use tochki_server::accounts::ClientAddress;
use tochki_server::settings::Settings;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The open connections.
#[derive(Clone)]
pub struct Connections {
    in_all: Arc<Semaphore>,
    by_address: u32,
    /// Whether all HTTP comes from a proxy, which has one address.
    behind_proxy: bool,
    timeouts: ConnectionTimeouts,
    /// Held for a lookup, never across an await.
    open: Arc<Mutex<Open>>,
}

/// What is open.
#[derive(Default)]
pub(super) struct Open {
    /// The owners with open connections.
    counts: HashMap<Owner, u32>,
    /// The connections beyond the limit of the owner who has reached it.
    pub(super) beyond: HashMap<Owner, Vec<Beyond>>,
}

/// Whose connections are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// An IPv4 address, or a /64 of IPv6.
    Address(IpAddr),
    /// A /48 of IPv6.
    Site(IpAddr),
}

/// An open connection; dropping it makes room for another.
pub struct ConnectionPermit {
    connections: Connections,
    /// The address that it counts for, and its site.
    owners: Vec<Owner>,
    /// Where these had no room for it.
    provisional: Option<Provisional>,
    _in_all: OwnedSemaphorePermit,
}

/// Which limit has refused a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There are too many.
    InAll,
    /// One address has too many.
    ByAddress,
}

impl Refused {
    /// The label of the metric.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InAll => "all",
            Self::ByAddress => "address",
        }
    }
}

impl Connections {
    /// As many in all as the system allows files.
    pub fn of(settings: &Settings) -> Self {
        let by_address = settings.connections_by_address.get();
        Self {
            timeouts: ConnectionTimeouts::of(settings),
            ..Self::new(capacity(), by_address, settings.trust_proxy > 0)
        }
    }

    /// Those to the metrics, which are for the operator alone.
    pub(super) fn of_metrics(settings: &Settings) -> Self {
        let in_all = limits::METRICS_CONNECTIONS;
        Self {
            timeouts: ConnectionTimeouts::of(settings),
            ..Self::new(in_all, u32::MAX, false)
        }
    }

    /// How long each connection waits for its client.
    pub(super) fn timeouts(&self) -> ConnectionTimeouts {
        self.timeouts
    }

    pub(super) fn new(in_all: usize, by_address: u32, behind_proxy: bool) -> Self {
        Self {
            in_all: Arc::new(Semaphore::new(in_all)),
            by_address,
            behind_proxy,
            timeouts: ConnectionTimeouts::DEFAULT,
            open: Arc::default(),
        }
    }

    /// Registers a connection of HTTP. Those of a proxy are not counted by address. One beyond the limit of its address is
    /// [`ConnectionPermit::provisional`].
    ///
    /// # Errors
    /// The limit that has been reached.
    pub(super) fn try_open_http(&self, address: IpAddr) -> Result<ConnectionPermit, Refused> {
        let in_all = self.try_open_in_all()?;
        let owners = if self.behind_proxy {
            Vec::new()
        } else {
            Owner::of(address)
        };
        let counted = self.lock().count(&owners, self.by_address);
        let provisional = counted
            .err()
            .map(|full| Provisional::open(self, full, owners.clone()));
        Ok(self.permit(owners, provisional, in_all))
    }

    /// Registers a connection of this address.
    ///
    /// # Errors
    /// The limit that has been reached.
    pub fn try_open(&self, address: IpAddr) -> Result<ConnectionPermit, Refused> {
        let in_all = self.try_open_in_all()?;
        let owners = Owner::of(address);
        let counted = self.lock().count(&owners, self.by_address);
        counted.map_err(|_| Refused::ByAddress)?;
        Ok(self.permit(owners, None, in_all))
    }

    fn try_open_in_all(&self) -> Result<OwnedSemaphorePermit, Refused> {
        let in_all = self.in_all.clone();
        in_all.try_acquire_owned().map_err(|_| Refused::InAll)
    }

    fn permit(
        &self,
        owners: Vec<Owner>,
        provisional: Option<Provisional>,
        in_all: OwnedSemaphorePermit,
    ) -> ConnectionPermit {
        ConnectionPermit {
            connections: self.clone(),
            owners,
            provisional,
            _in_all: in_all,
        }
    }

    /// Counts a connection of these owners, where there has been no room before.
    pub(super) fn count_late(&self, open: &mut Open, owners: &[Owner]) -> bool {
        open.count(owners, self.by_address).is_ok()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().expect("no panic while the lock is held")
    }
}

impl Owner {
    /// The address of a client, and its site.
    fn of(address: IpAddr) -> Vec<Self> {
        let address = network(address);
        let site = ClientAddress { address }.site();
        let mut owners = vec![Self::Address(address)];
        owners.extend(site.map(Self::Site));
        owners
    }

    fn limit(self, by_address: u32) -> u32 {
        match self {
            Self::Address(_) => by_address,
            Self::Site(_) => by_address.saturating_mul(limits::SITE_FACTOR),
        }
    }
}

impl Open {
    /// Counts a connection of these owners, or of none: then the first who has no room is the error.
    fn count(&mut self, owners: &[Owner], by_address: u32) -> Result<(), Owner> {
        let is_full = |owner: &&Owner| {
            let count = self.counts.get(owner);
            count.is_some_and(|count| *count >= owner.limit(by_address))
        };
        if let Some(full) = owners.iter().find(is_full) {
            return Err(*full);
        }
        for owner in owners {
            *self.counts.entry(*owner).or_default() += 1;
        }
        Ok(())
    }

    fn release(&mut self, owners: &[Owner]) {
        for owner in owners {
            match self.counts.get_mut(owner) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(self.counts.remove(owner)),
            }
        }
    }
}

impl ConnectionPermit {
    /// The connection, where the limit of its address leaves it room only if it is of a player of a running match.
    pub(super) fn provisional(&self) -> Option<&Provisional> {
        self.provisional.as_ref()
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        match &self.provisional {
            Some(provisional) if !provisional.is_counted() => provisional.close(&mut open),
            _ => open.release(&self.owners),
        }
    }
}

/// Raises the soft limit of open files as far as the system allows. Returns how many connections fit below it.
fn capacity() -> usize {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or_else(|error| {
        tracing::warn!(%error, "the limit of open files could not be raised");
        1024
    });
    let connections = files.saturating_sub(limits::RESERVED_FILES).max(64);
    usize::try_from(connections)
        .unwrap_or(usize::MAX)
        .min(Semaphore::MAX_PERMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn each_address_has_its_own_connections_and_all_have_a_common_limit() {
        let connections = Connections::new(3, 2, false);
        let a = address("192.0.2.1");
        let first = connections.try_open(a).unwrap();
        let _second = connections.try_open(a).unwrap();
        assert_eq!(connections.try_open(a).err(), Some(Refused::ByAddress));
        // The same address, as a listener on all addresses of both kinds sees it.
        let mapped = address("::ffff:192.0.2.1");
        assert_eq!(connections.try_open(mapped).err(), Some(Refused::ByAddress));
        let third = connections.try_open(address("192.0.2.2")).unwrap();
        let other = address("2001:db8::1");
        assert_eq!(connections.try_open(other).err(), Some(Refused::InAll));
        drop(first);
        drop(third);
        connections.try_open(a).unwrap();
        connections.try_open(other).unwrap();
        assert_eq!(connections.lock().counts.len(), 1, "none is kept");
    }

    #[test]
    fn a_site_has_the_connections_of_eight_addresses() {
        let connections = Connections::new(100, 1, false);
        let in_site = |network: u16| address(&format!("2001:db8:1:{network}::1"));
        let open: Vec<_> = (0..8)
            .map(|network| connections.try_open(in_site(network)).unwrap())
            .collect();
        let ninth = connections.try_open(in_site(8));
        assert_eq!(ninth.err(), Some(Refused::ByAddress));
        connections.try_open(address("2001:db8:2::1")).unwrap();
        drop(open);
        connections.try_open(in_site(8)).unwrap();
        assert!(connections.lock().counts.is_empty(), "none is kept");
    }

    #[test]
    fn behind_a_proxy_only_all_are_counted() {
        let connections = Connections::new(4, 1, true);
        let a = address("192.0.2.1");
        let mut open: Vec<_> = (0..3)
            .map(|_| connections.try_open_http(a).unwrap())
            .collect();
        // A line comes from its client.
        open.push(connections.try_open(a).unwrap());
        assert_eq!(connections.try_open_http(a).err(), Some(Refused::InAll));
        drop(open);
        assert!(connections.lock().counts.is_empty());
    }
}
