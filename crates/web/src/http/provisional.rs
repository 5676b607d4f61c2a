//! Connections beyond the limit of their address. Strangers behind the same address must not make somebody lose a match by
//! keeping all its connections open, so an address has room for a few more, which are *provisional*: each request on one is
//! refused until one comes from a player of a running match ([`ActivePlayers`]), and that has to be soon. Where there are too
//! many, one of them is closed, by chance: whoever opens them without end cannot choose which.
//!
//! The connections of players beyond the limit are bounded as well: those of one player, and those of all at the address. Where
//! the latter have used up theirs, one of the player who has most makes room for whoever has fewer.

use super::active_players::ActivePlayers;
use super::connections::{Connections, Open, Owner, Refused};
use super::metrics;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tochki_pages::context::security;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, PlayerId, limits};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// A connection that had no room when it was opened.
#[derive(Clone)]
pub(super) struct Provisional(Arc<ProvisionalState>);

struct ProvisionalState {
    connections: Connections,
    /// The owner who had no room for it.
    full: Owner,
    /// Its address and its site.
    owners: Vec<Owner>,
    /// Cancelled when the connection makes room for another.
    withdrawn: CancellationToken,
    /// Whether requests on it are answered.
    admitted: AtomicBool,
    /// Whether it counts as any other of its address, which has had room since. Changed while [`Open`] is locked.
    counted: AtomicBool,
}

/// A connection beyond the limit of its owner.
pub(super) struct Beyond {
    connection: Provisional,
    /// The player of a running match; none while the connection is provisional.
    player: Option<PlayerId>,
}

impl Provisional {
    /// Opens a connection beyond the limit of `full`, and closes another one where there are too many.
    pub(super) fn open(connections: &Connections, full: Owner, owners: Vec<Owner>) -> Self {
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

    /// Whether it counts as any other connection of its address.
    pub(super) fn is_counted(&self) -> bool {
        self.0.counted.load(Ordering::Acquire)
    }

    fn is_admitted(&self) -> bool {
        self.0.admitted.load(Ordering::Acquire)
    }

    /// Admits the connection where its address has room by now.
    fn admit_counted(&self) -> bool {
        let mut open = self.0.connections.lock();
        if self.is_admitted() {
            return true;
        }
        if self.0.withdrawn.is_cancelled()
            || !self.0.connections.count_late(&mut open, &self.0.owners)
        {
            return false;
        }
        self.remove_from(&mut open);
        self.0.counted.store(true, Ordering::Release);
        self.0.admitted.store(true, Ordering::Release);
        true
    }

    /// Admits the connection of a player of a running match, within the bounds of these.
    fn admit(&self, player: PlayerId) -> bool {
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
            let Some((most, _)) = most.filter(|(_, count)| *count > own + 1) else {
                return false;
            };
            let index = beyond.iter().position(|other| other.player == Some(most));
            if let Some(index) = index {
                beyond.swap_remove(index).connection.withdraw();
            }
        }
        for this in beyond.iter_mut().filter(|one| one.connection.is(self)) {
            this.player = Some(player);
        }
        self.0.admitted.store(true, Ordering::Release);
        true
    }

    /// When the connection is to be closed: it makes room for another, or has been provisional for too long.
    pub(super) async fn withdrawn(&self) {
        tokio::select! {
            () = self.0.withdrawn.cancelled() => return,
            () = sleep(limits::PROVISIONAL_CONNECTION_TIMEOUT) => {}
        }
        if self.is_admitted() {
            self.0.withdrawn.cancelled().await;
        }
    }

    /// The connection is closed.
    pub(super) fn close(&self, open: &mut Open) {
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

/// A number below this one that a client cannot foresee.
fn at_random(below: usize) -> usize {
    let random = RandomState::new().hash_one(());
    usize::try_from(random % below as u64).unwrap_or_default()
}

/// Refuses requests on a provisional connection until one comes from a player of a running match.
pub(super) async fn admit(
    State(players): State<ActivePlayers>,
    request: Request,
    next: Next,
) -> Response {
    let provisional = request.extensions().get::<Provisional>();
    let Some(provisional) = provisional.filter(|opened| !opened.is_admitted()).cloned() else {
        return next.run(request).await;
    };
    if provisional.admit_counted() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let player = players.playing(&parts.headers, &parts.extensions).await;
    if player.is_some_and(|player| provisional.admit(player)) {
        return next.run(Request::from_parts(parts, body)).await;
    }
    security::note_refusal(Code::TooManyRequests);
    let mut response = ErrorResponse::from(Code::TooManyRequests).into_response();
    if parts.version < Version::HTTP_2 {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::super::connections::ConnectionPermit;
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

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

    /// An address whose only connection is open, which comes back with all connections of the server.
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
