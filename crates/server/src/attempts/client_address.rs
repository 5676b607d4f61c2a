//! The network address of a client, its IPv6 site for rate limits, and its shortened form for display.

use std::net::{IpAddr, Ipv6Addr};

/// The network address that a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress {
    /// The address, or the /64 network of an IPv6 address.
    pub address: IpAddr,
}

impl ClientAddress {
    /// The IPv6 site, a /48, of the address. Most providers give a customer no more.
    pub fn site(&self) -> Option<IpAddr> {
        match self.address {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => {
                let [a, b, c, ..] = address.segments();
                Some(IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)))
            }
        }
    }

    /// A part of the address, by which its owner recognizes it: `203.0.113.*`, `2001:db8:1:*`.
    pub fn coarse(&self) -> String {
        match self.address {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                format!("{a}.{b}.{c}.*")
            }
            IpAddr::V6(address) => {
                let [a, b, c, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:*")
            }
        }
    }
}
