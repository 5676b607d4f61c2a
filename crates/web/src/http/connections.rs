//! Limits on connections, in all and from one address, for HTTP and the line protocol together. Each connection costs a
//! file descriptor and a task, and a client that opens thousands must not keep others out.

use super::client_address::network;
use super::connection_timeouts::ConnectionTimeouts;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
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
    /// The owners with open connections. Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<Owner, u32>>>,
}

/// Whose connections are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
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

    fn new(in_all: usize, by_address: u32, behind_proxy: bool) -> Self {
        Self {
            in_all: Arc::new(Semaphore::new(in_all)),
            by_address,
            behind_proxy,
            timeouts: ConnectionTimeouts::DEFAULT,
            open: Arc::default(),
        }
    }

    /// Registers a connection of HTTP. Those of a proxy are not counted by address.
    ///
    /// # Errors
    /// The limit that has been reached.
    pub(super) fn try_open_http(&self, address: IpAddr) -> Result<ConnectionPermit, Refused> {
        self.open_counted((!self.behind_proxy).then_some(address))
    }

    /// Registers a connection of this address.
    ///
    /// # Errors
    /// The limit that has been reached.
    pub fn try_open(&self, address: IpAddr) -> Result<ConnectionPermit, Refused> {
        self.open_counted(Some(address))
    }

    fn open_counted(&self, address: Option<IpAddr>) -> Result<ConnectionPermit, Refused> {
        let in_all = self.in_all.clone();
        let in_all = in_all.try_acquire_owned().map_err(|_| Refused::InAll)?;
        let mut owners = Vec::new();
        if let Some(address) = address {
            let address = network(address);
            let site = ClientAddress { address }.site();
            owners.push(Owner::Address(address));
            owners.extend(site.map(Owner::Site));
            let mut open = self.open.lock().expect("no panic while the lock is held");
            let is_full = |owner: &Owner| {
                open.get(owner)
                    .is_some_and(|count| *count >= self.limit(*owner))
            };
            if owners.iter().any(is_full) {
                return Err(Refused::ByAddress);
            }
            for owner in &owners {
                *open.entry(*owner).or_default() += 1;
            }
        }
        Ok(ConnectionPermit {
            connections: self.clone(),
            owners,
            _in_all: in_all,
        })
    }

    fn limit(&self, owner: Owner) -> u32 {
        match owner {
            Owner::Address(_) => self.by_address,
            Owner::Site(_) => self.by_address.saturating_mul(limits::SITE_FACTOR),
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let open = self.connections.open.lock();
        let mut open = open.expect("no panic while the lock is held");
        for owner in &self.owners {
            match open.get_mut(owner) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(open.remove(owner)),
            }
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
        assert_eq!(connections.open.lock().unwrap().len(), 1, "none is kept");
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
        assert!(connections.open.lock().unwrap().is_empty(), "none is kept");
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
        assert!(connections.open.lock().unwrap().is_empty());
    }
}
