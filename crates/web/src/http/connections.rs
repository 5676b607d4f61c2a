//! Limits on connections, in all and from one address, for HTTP and the line protocol together. Each connection costs a
//! file descriptor and a task, and a client that opens thousands must not keep others out.
//!
//! Strangers behind the same address must not make somebody lose a match by keeping all its connections open, so an address has
//! room for a few more of HTTP, which are *provisional*: each request on such a connection is refused ([`super::provisional`])
//! until a player of a running match sends a request, and that has to be soon. Where there are too many, one of them is closed,
//! by chance: a client that opens them without end cannot choose which.
//!
//! The connections of players beyond the limit are bounded as well: those of one player, and those of all at the address. Where
//! the address has used up its connections, a connection of the player who has most makes room for a player who has fewer, and a
//! connection of any player for a player who has none: of those who have most, one by chance.

use super::client_address::network;
use super::connection_timeouts::ConnectionTimeouts;
use super::metrics;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tochki_protocol::{PlayerId, limits};
use tochki_server::accounts::ClientAddress;
use tochki_server::settings::Settings;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// The open connections.
#[derive(Clone)]
pub struct Connections {
    in_all: Arc<Semaphore>,
    by_address: u32,
    /// Whether all HTTP comes from a proxy, which has one address.
    behind_proxy: bool,
    timeouts: ConnectionTimeouts,
    /// Whether event streams of HTTP/1.1 leave hyper.
    stream_takeover: bool,
    /// Held for a lookup, never across an await.
    open: Arc<Mutex<Open>>,
}

/// The counts of open connections.
#[derive(Default)]
struct Open {
    /// The owners with open connections.
    counts: HashMap<Owner, u32>,
    /// The connections beyond the limit of the owner who has reached it.
    beyond: HashMap<Owner, Vec<Beyond>>,
}

/// The owner of connections, which are counted together.
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
    /// The address that the connection counts for, and its site.
    owners: Vec<Owner>,
    /// The provisional state, where the owners had no room for the connection.
    provisional: Option<Provisional>,
    _in_all: OwnedSemaphorePermit,
}

/// The limit that has refused a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The limit of all connections.
    InAll,
    /// The limit of the connections of one address.
    ByAddress,
}

impl Refused {
    /// Returns the label of the metric.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InAll => metrics::IN_ALL,
            Self::ByAddress => metrics::BY_ADDRESS,
        }
    }
}

impl Connections {
    /// Creates the limits: in all, as many connections as the system allows files.
    pub fn of(settings: &Settings) -> Self {
        let by_address = settings.connections_by_address.get();
        Self {
            timeouts: ConnectionTimeouts::of(settings),
            stream_takeover: settings.stream_takeover,
            ..Self::new(capacity(), by_address, settings.trust_proxy > 0)
        }
    }

    /// Creates the limits of connections to the metrics, which are for the operator alone.
    pub(super) fn of_metrics(settings: &Settings) -> Self {
        let in_all = limits::METRICS_CONNECTIONS;
        Self {
            timeouts: ConnectionTimeouts::of(settings),
            ..Self::new(in_all, u32::MAX, false)
        }
    }

    /// Returns the timeouts of each connection.
    pub(super) fn timeouts(&self) -> ConnectionTimeouts {
        self.timeouts
    }

    /// Returns whether event streams of HTTP/1.1 leave hyper.
    pub(super) fn stream_takeover(&self) -> bool {
        self.stream_takeover
    }

    fn new(in_all: usize, by_address: u32, behind_proxy: bool) -> Self {
        Self {
            in_all: Arc::new(Semaphore::new(in_all)),
            by_address,
            behind_proxy,
            timeouts: ConnectionTimeouts::DEFAULT,
            stream_takeover: true,
            open: Arc::default(),
        }
    }

    /// Registers a connection of HTTP. Connections of a proxy are not counted by address. A connection beyond the limit of its
    /// address is [`ConnectionPermit::provisional`].
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

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().expect("no panic while the lock is held")
    }
}

impl Owner {
    /// Returns the address of a client, and its site.
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
    /// Counts a connection of these owners, or of none: then the first owner without room is the error.
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
    /// Returns the connection if it is provisional: its address has room for it only if it is of a player of a running match.
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

/// A connection that had no room when it was opened.
#[derive(Clone)]
pub(super) struct Provisional(Arc<ProvisionalState>);

struct ProvisionalState {
    connections: Connections,
    /// The owner who had no room for the connection.
    full: Owner,
    /// The address of the connection and its site.
    owners: Vec<Owner>,
    /// Cancelled when the connection makes room for another.
    withdrawn: CancellationToken,
    /// Whether requests on the connection are answered.
    admitted: AtomicBool,
    /// Whether the connection counts as any other of its address, which has had room since. Changed while [`Open`] is locked.
    counted: AtomicBool,
}

/// A connection beyond the limit of its owner.
struct Beyond {
    connection: Provisional,
    /// The player of a running match; none while the connection is provisional.
    player: Option<PlayerId>,
}

impl Provisional {
    /// Opens a connection beyond the limit of `full`, and closes another one where there are too many.
    fn open(connections: &Connections, full: Owner, owners: Vec<Owner>) -> Self {
        let opened = Self(Arc::new(ProvisionalState {
            connections: connections.clone(),
            full,
            owners,
            withdrawn: CancellationToken::new(),
            admitted: AtomicBool::new(false),
            counted: AtomicBool::new(false),
        }));
        let mut open = connections.lock();
        let beyond = open.beyond.entry(full).or_default();
        let waiting: Vec<usize> = (0..beyond.len())
            .filter(|index| beyond[*index].player.is_none())
            .collect();
        if waiting.len() >= limits::PROVISIONAL_CONNECTIONS_BY_ADDRESS {
            let index = waiting[at_random(waiting.len())];
            beyond.swap_remove(index).connection.withdraw();
        }
        beyond.push(Beyond {
            connection: opened.clone(),
            player: None,
        });
        opened
    }

    /// Returns whether the connection counts as any other of its address.
    fn is_counted(&self) -> bool {
        self.0.counted.load(Ordering::Acquire)
    }

    /// Returns whether requests on the connection are answered.
    pub(super) fn is_admitted(&self) -> bool {
        self.0.admitted.load(Ordering::Acquire)
    }

    /// Admits the connection where its address has room by now. Returns whether it is admitted.
    pub(super) fn admit_counted(&self) -> bool {
        let mut open = self.0.connections.lock();
        if self.is_admitted() {
            return true;
        }
        if self.0.withdrawn.is_cancelled()
            || (open.count(&self.0.owners, self.0.connections.by_address)).is_err()
        {
            return false;
        }
        self.remove_from(&mut open);
        self.0.counted.store(true, Ordering::Release);
        self.0.admitted.store(true, Ordering::Release);
        true
    }

    /// Admits the connection of a player of a running match, within the limits of such connections. Returns whether it is
    /// admitted.
    pub(super) fn admit(&self, player: PlayerId) -> bool {
        let mut open = self.0.connections.lock();
        if self.is_admitted() {
            return true;
        }
        let beyond = open.beyond.get_mut(&self.0.full);
        // It may have made room for another meanwhile, or be closed.
        let is_open = |beyond: &&mut Vec<Beyond>| beyond.iter().any(|one| one.connection.is(self));
        let Some(beyond) = beyond.filter(is_open) else {
            return false;
        };
        let mut by_player: HashMap<PlayerId, usize> = HashMap::new();
        for player in beyond.iter().filter_map(|other| other.player) {
            *by_player.entry(player).or_default() += 1;
        }
        let own = by_player.get(&player).copied().unwrap_or_default();
        if own >= limits::CONNECTIONS_BY_PLAYER {
            return false;
        }
        let in_all: usize = by_player.values().sum();
        if in_all >= limits::CONNECTIONS_BY_PLAYERS_AT_ADDRESS {
            let most = by_player.into_iter().max_by_key(|(_, count)| *count);
            let Some((most, _)) = most.filter(|(_, count)| *count > own + 1 || own == 0) else {
                return false;
            };
            let index = beyond.iter().position(|other| other.player == Some(most));
            if let Some(index) = index {
                beyond.swap_remove(index).connection.withdraw();
            }
        }
        if let Some(this) = beyond.iter_mut().find(|one| one.connection.is(self)) {
            this.player = Some(player);
        }
        self.0.admitted.store(true, Ordering::Release);
        true
    }

    /// Waits until the connection is to be closed: it makes room for another, or has been provisional for too long.
    pub(super) async fn withdrawn(&self) {
        tokio::select! {
            () = self.0.withdrawn.cancelled() => return,
            () = sleep(limits::PROVISIONAL_CONNECTION_TIMEOUT) => {}
        }
        if self.is_admitted() {
            self.0.withdrawn.cancelled().await;
        }
    }

    /// Ends the state of a closed connection. Over HTTP/2 a request on it may still run, and must not be counted any more.
    fn close(&self, open: &mut Open) {
        self.withdraw();
        self.remove_from(open);
        if !self.is_admitted() {
            metrics::connection_refused(Refused::ByAddress.as_str());
        }
    }

    fn withdraw(&self) {
        self.0.withdrawn.cancel();
    }

    fn remove_from(&self, open: &mut Open) {
        let Some(beyond) = open.beyond.get_mut(&self.0.full) else {
            return;
        };
        beyond.retain(|other| !other.connection.is(self));
        if beyond.is_empty() {
            open.beyond.remove(&self.0.full);
        }
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Returns a number below this one that a client cannot foresee.
fn at_random(below: usize) -> usize {
    let random = RandomState::new().hash_one(());
    usize::try_from(random % below as u64).unwrap_or_default()
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
    use std::net::Ipv4Addr;

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

    const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

    fn open(connections: &Connections) -> ConnectionPermit {
        connections.try_open_http(ADDRESS).unwrap()
    }

    fn provisional(permit: &ConnectionPermit) -> &Provisional {
        permit.provisional().expect("no room for it")
    }

    fn is_withdrawn(permit: &ConnectionPermit) -> bool {
        provisional(permit).0.withdrawn.is_cancelled()
    }

    /// Returns the connections of a server where an address may have one, and the open one.
    fn full() -> (Connections, ConnectionPermit) {
        let connections = Connections::new(1000, 1, false);
        let first = open(&connections);
        assert!(first.provisional().is_none());
        (connections, first)
    }

    #[test]
    fn provisional_connections_are_bounded_and_keep_no_player_out() {
        let (connections, first) = full();
        let limit = limits::PROVISIONAL_CONNECTIONS_BY_ADDRESS;
        let strangers: Vec<_> = (0..3 * limit).map(|_| open(&connections)).collect();
        let kept = strangers.iter().filter(|permit| !is_withdrawn(permit));
        assert_eq!(kept.count(), limit);
        let player = open(&connections);
        assert!(!is_withdrawn(&player), "the latest is not the first to go");
        assert!(provisional(&player).admit(PlayerId(1)));
        let more: Vec<_> = (0..100).map(|_| open(&connections)).collect();
        assert!(!is_withdrawn(&player), "a player stays");
        let withdrawn = strangers.iter().find(|permit| is_withdrawn(permit));
        let withdrawn = provisional(withdrawn.expect("some are"));
        assert!(!withdrawn.admit(PlayerId(2)) && !withdrawn.admit_counted());
        drop((first, strangers, player, more));
        assert!(connections.lock().beyond.is_empty(), "none is kept");
        assert!(open(&connections).provisional().is_none());
    }

    #[test]
    fn a_player_has_so_many_and_makes_room_for_whoever_has_fewer() {
        let (connections, _first) = full();
        let (each, in_all) = (
            limits::CONNECTIONS_BY_PLAYER,
            limits::CONNECTIONS_BY_PLAYERS_AT_ADDRESS,
        );
        let mut permits = Vec::new();
        for number in 0..in_all {
            let permit = open(&connections);
            let player = PlayerId(i64::try_from(number / each).unwrap());
            assert!(provisional(&permit).admit(player));
            permits.push(permit);
        }
        let late = PlayerId(1000);
        let mut admitted = 0;
        loop {
            let permit = open(&connections);
            if !provisional(&permit).admit(late) {
                break;
            }
            permits.push(permit);
            admitted += 1;
        }
        // The share of one among so many players.
        assert_eq!(admitted, in_all / (in_all / each + 1));
        let withdrawn = permits.iter().filter(|permit| is_withdrawn(permit));
        assert_eq!(withdrawn.count(), admitted);
    }

    #[test]
    fn players_with_a_connection_each_keep_no_other_out() {
        let (connections, _first) = full();
        let mut permits = Vec::new();
        for number in 0..=limits::CONNECTIONS_BY_PLAYERS_AT_ADDRESS {
            let permit = open(&connections);
            let player = PlayerId(i64::try_from(number).unwrap());
            assert!(provisional(&permit).admit(player));
            permits.push(permit);
        }
        let withdrawn = permits.iter().filter(|permit| is_withdrawn(permit));
        assert_eq!(withdrawn.count(), 1);
        assert!(!is_withdrawn(permits.last().unwrap()), "the latest stays");
    }

    #[test]
    fn a_connection_that_is_closed_is_not_counted_later() {
        let (connections, first) = full();
        let second = open(&connections);
        // As a request of HTTP/2 does, which runs beside its connection.
        let late = provisional(&second).clone();
        drop((second, first));
        assert!(!late.admit_counted() && !late.admit(PlayerId(1)));
        assert!(connections.lock().counts.is_empty(), "none is kept");
    }

    #[test]
    fn a_connection_counts_as_others_once_there_is_room() {
        let (connections, first) = full();
        let second = open(&connections);
        assert!(!provisional(&second).admit_counted());
        drop(first);
        assert!(provisional(&second).admit_counted());
        assert!(connections.lock().beyond.is_empty());
        assert!(open(&connections).provisional().is_some());
        drop(second);
        assert!(open(&connections).provisional().is_none());
    }
}
