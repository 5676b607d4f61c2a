//! Shares of the things that a client may have open at once: streams, requests, downloads. A share that is counted for an
//! address, a session or a player is given back when it is dropped.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tochki_protocol::{PlayerId, limits};
use tochki_server::accounts::ClientAddress;

/// The owner of shares, which are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    /// An IPv4 address, or a /64 of IPv6.
    Address(IpAddr),
    /// A /48 of IPv6.
    Site(IpAddr),
    /// The digest of a cookie, of an open session or not.
    Session(Vec<u8>),
    /// A token of a program.
    Token(i64),
    /// An account.
    Player(PlayerId),
}

impl Owner {
    /// The address of a client and its site, with the limit of each.
    pub(super) fn of_client(client: ClientAddress, limit: u32) -> Vec<(Self, u32)> {
        let mut owners = vec![(Self::Address(client.address), limit)];
        let of_site = limit.saturating_mul(limits::SITE_FACTOR);
        owners.extend(client.site().map(|site| (Self::Site(site), of_site)));
        owners
    }
}

/// The shares that are taken.
#[derive(Clone, Default)]
pub(super) struct Shares {
    /// The count of each owner with shares. Held for a lookup, never across an await.
    taken: Arc<Mutex<HashMap<Owner, u32>>>,
}

/// A share; dropping it makes room for another.
pub(super) struct Share {
    shares: Shares,
    owners: Vec<Owner>,
}

impl Shares {
    /// Takes a share of each of these owners, each of whom may have as many as the limit beside it.
    ///
    /// # Errors
    /// The first owner who has no share left. Then none is taken.
    pub(super) fn take(&self, owners: Vec<(Owner, u32)>) -> Result<Share, Owner> {
        let mut taken = self.taken.lock().expect("no panic while the lock is held");
        let is_full =
            |(owner, limit): &(Owner, u32)| taken.get(owner).is_some_and(|count| count >= limit);
        if let Some((owner, _)) = owners.iter().find(|owner| is_full(owner)) {
            return Err(owner.clone());
        }
        let owners: Vec<Owner> = owners.into_iter().map(|(owner, _)| owner).collect();
        for owner in &owners {
            *taken.entry(owner.clone()).or_default() += 1;
        }
        Ok(Share {
            shares: self.clone(),
            owners,
        })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let taken = self.shares.taken.lock();
        let mut taken = taken.expect("no panic while the lock is held");
        for owner in &self.owners {
            match taken.get_mut(owner) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(taken.remove(owner)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_counts_for_all_its_owners_or_for_none() {
        let shares = Shares::default();
        let address = || (Owner::Address("192.0.2.1".parse().unwrap()), 2);
        let session = |session: u8| Owner::Session(vec![session]);
        let take = |of: u8| shares.take(vec![(session(of), 1), address()]);
        let first = take(1).expect("room");
        assert_eq!(take(1).err(), Some(session(1)));
        let second = shares.take(vec![address()]).expect("room");
        assert_eq!(take(2).err(), Some(address().0));
        drop(first);
        let third = take(1).expect("room again");
        drop((second, third));
        assert!(shares.taken.lock().unwrap().is_empty(), "none is kept");
    }
}
