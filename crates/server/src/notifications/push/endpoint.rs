//! The endpoints of subscriptions, which browsers send and anybody may make up: only push services that are known, and only their
//! public addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use tochki_protocol::limits;
use url::{Host, Url};

/// The push services of the browsers: Chrome and those made of it, Firefox, Edge, Safari. A host below one of them is one, too.
const BROWSER_HOSTS: [&str; 4] = [
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "notify.windows.com",
    "push.apple.com",
];

/// The hosts of push services.
#[derive(Clone, Debug)]
pub(super) struct PushHosts(Vec<String>);

impl PushHosts {
    /// Those of the browsers, and others.
    pub(super) fn new(others: &[String]) -> Self {
        let others = others
            .iter()
            .map(|host| host.trim().to_ascii_lowercase())
            // All hosts would be below an empty one.
            .filter(|host| !host.is_empty());
        Self(
            BROWSER_HOSTS
                .map(str::to_owned)
                .into_iter()
                .chain(others)
                .collect(),
        )
    }

    /// Returns whether a host is one of these, or below one.
    fn contain(&self, host: &str) -> bool {
        self.0.iter().any(|known| {
            host.strip_suffix(known.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
    }
}

/// An endpoint of a push service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint(Url);

impl Endpoint {
    /// Reads an address: https, the usual port, a known host. `None` for any other. In a debug build an address of this machine is one,
    /// too, for tests.
    pub(super) fn read(text: &str, hosts: &PushHosts) -> Option<Self> {
        if text.len() > limits::PUSH_ENDPOINT_MAX_BYTES {
            return None;
        }
        let url = Url::parse(text).ok()?;
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return None;
        }
        let is_known = match url.host()? {
            // The parser has removed the usual port.
            Host::Domain(host) => {
                url.scheme() == "https" && url.port().is_none() && hosts.contain(host)
            }
            Host::Ipv4(address) => is_test_server(&url, address.into()),
            Host::Ipv6(address) => is_test_server(&url, address.into()),
        };
        is_known.then_some(Self(url))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The origin, which the token of a push names.
    pub(super) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }
}

fn is_test_server(url: &Url, address: IpAddr) -> bool {
    cfg!(debug_assertions) && url.scheme() == "http" && address.is_loopback()
}

/// Returns whether an address is reached by way of the internet, by the special-purpose registries of IANA.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || matches!((a, b, c), (0, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18..=19, _))
        // Multicast, and reserved.
        || a >= 224;
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Global unicast, without documentation, and without what carries addresses of IPv4.
    let is_global = a & 0xe000 == 0x2000;
    let is_special = a == 0x2002 || a == 0x2001 && (b < 0x200 || b == 0xdb8) || a == 0x3fff;
    is_global && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let hosts = PushHosts::new(&[" push.example", ""].map(str::to_owned));
        assert_eq!(Endpoint::read(text, &hosts).is_some(), expected, "{text}");
    }

    #[test]
    fn only_push_services_are_endpoints() {
        for text in [
            "https://fcm.googleapis.com/fcm/send/abc",
            "https://FCM.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:443/fcm/send/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://wns2-by3p.notify.windows.com/w/?token=abc",
            "https://web.push.apple.com/abc",
            "https://a.push.example/abc",
        ] {
            check(text, true);
        }
        for text in [
            "",
            "fcm.googleapis.com",
            "http://fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:8443/fcm/send/abc",
            "https://fcm.googleapis.com./fcm/send/abc",
            "https://evilfcm.googleapis.com/abc",
            "https://fcm.googleapis.com.evil.example/abc",
            "https://fcm.googleapis.com@evil.example/abc",
            "https://evil.example/fcm.googleapis.com",
            "https://evil.example#fcm.googleapis.com",
            "https://user:secret@fcm.googleapis.com/abc",
            "https://fcm.googleapis.com/abc#part",
            "https://10.0.0.1/abc",
            "https://127.0.0.1/abc",
            "https://[::1]/abc",
            "http://10.0.0.1/abc",
            "http://169.254.169.254/latest/meta-data",
            "http://localhost/abc",
            "file:///etc/passwd",
            "javascript:alert(1)",
        ] {
            check(text, false);
        }
        let long = format!(
            "https://push.example/{}",
            "a".repeat(limits::PUSH_ENDPOINT_MAX_BYTES)
        );
        check(&long, false);
        // For the push service of the tests.
        check("http://127.0.0.1:3456/abc", cfg!(debug_assertions));
    }

    #[test]
    fn the_origin_has_no_usual_port() {
        let hosts = PushHosts::new(&[]);
        let endpoint = Endpoint::read("https://fcm.googleapis.com:443/a/b?c", &hosts).unwrap();
        assert_eq!(endpoint.origin(), "https://fcm.googleapis.com");
    }

    #[test]
    fn only_public_addresses_are_connected_to() {
        for address in [
            "8.8.8.8",
            "1.1.1.1",
            "192.0.1.1",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.5",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2001:db8::1",
            "2001::1",
            "2002:7f00:1::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
