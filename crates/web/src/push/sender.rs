//! Sends a push: the encrypted content to its push service.

use crate::push::encryption;
use anyhow::Context as _;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, StatusCode, redirect};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tochki_pages::ui::push_words;
use tochki_protocol::limits;
use tochki_server::notifications::push::{Outcome, Push, Pushes, is_public};

/// Sends pushes.
pub(super) struct Sender(Client);

/// Resolves the hosts of push services. An address that is not public is none, so that nobody reaches through this server what is
/// behind it; and the addresses that were looked at are the ones that are connected to.
struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|found| is_public(found.ip())).collect();
            if public.is_empty() {
                return Err(format!("{} has no public address", name.as_str()).into());
            }
            let public: Addrs = Box::new(public.into_iter());
            Ok(public)
        })
    }
}

impl Sender {
    pub(super) fn new(timeout: Duration) -> anyhow::Result<Self> {
        let mut roots = RootCertStore::empty();
        // A machine without any can only reach the push service of a test.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .context("TLS")?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(PublicResolver)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .timeout(timeout)
            .build()
            .context("a client")?;
        Ok(Self(client))
    }

    /// Sends a push. The body of the answer is not read.
    pub(super) async fn send(&self, pushes: &Pushes, push: &Push) -> Outcome {
        // A setting may have changed since.
        let Some(endpoint) = pushes.endpoint(push) else {
            return Outcome::Gone;
        };
        let (Some(authorization), Some(sealed)) = (pushes.authorization(&endpoint), seal(push))
        else {
            return Outcome::Refused;
        };
        let urgency = if push.notification().is_urgent() {
            "high"
        } else {
            "normal"
        };
        // A call that comes too late is none.
        let lifetime = if push.notification().live {
            limits::LIVE_RESUME_LEAD + limits::LIVE_RESUME_WINDOW
        } else {
            limits::PUSH_LIFETIME
        };
        let request = self
            .0
            .post(endpoint.as_str())
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(CONTENT_TYPE, "application/octet-stream")
            .header("TTL", lifetime.as_secs())
            .header("Urgency", urgency)
            .header("Topic", push.topic())
            .body(sealed);
        match request.send().await {
            Ok(answer) => {
                let told = answer.headers().get(RETRY_AFTER);
                let told = told.and_then(|told| told.to_str().ok());
                outcome(answer.status(), told)
            }
            Err(error) => {
                tracing::debug!(error = %error.without_url(), "a push service cannot be reached");
                Outcome::Later(None)
            }
        }
    }
}

/// The content of a push, encrypted for the browser.
fn seal(push: &Push) -> Option<Vec<u8>> {
    let notification = push.notification();
    let (title, body) = push_words(notification, push.language());
    let content = json!({
        "title": title,
        "body": body,
        "tag": push.topic(),
        "url": notification.place(),
        "on_turn": push.on_turn(),
    });
    let (p256dh, auth) = push.keys();
    seal_content(content.to_string().into_bytes(), p256dh, auth)
}

/// Returns content encrypted, unless there is more than [`limits::PUSH_MAX_BYTES`] of it.
fn seal_content(content: Vec<u8>, p256dh: &[u8], auth: &[u8]) -> Option<Vec<u8>> {
    if content.len() > limits::PUSH_MAX_BYTES || auth.len() != 16 {
        return None;
    }
    encryption::seal(content, p256dh, auth)
}

fn outcome(status: StatusCode, retry_after: Option<&str>) -> Outcome {
    match status.as_u16() {
        200..=299 => Outcome::Taken,
        404 | 410 => Outcome::Gone,
        429 | 500..=599 => Outcome::Later(retry_after.and_then(read_delay)),
        _ => {
            tracing::warn!(%status, "a push service has refused a push");
            Outcome::Refused
        }
    }
}

/// Reads `Retry-After`: seconds or a date.
fn read_delay(text: &str) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = httpdate::parse_http_date(text.trim()).ok()?;
    at.duration_since(SystemTime::now()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::ring::agreement::{ECDH_P256, EphemeralPrivateKey};
    use ::ring::rand::SystemRandom;

    #[test]
    fn no_content_of_more_than_three_kilobytes_is_sent() {
        let secret = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let key = secret.compute_public_key().unwrap();
        let is_sent = |bytes: usize, auth: &[u8]| {
            seal_content(vec![b'x'; bytes], key.as_ref(), auth).is_some()
        };
        assert!(is_sent(limits::PUSH_MAX_BYTES, &[0; 16]));
        assert!(!is_sent(limits::PUSH_MAX_BYTES + 1, &[0; 16]));
        assert!(!is_sent(2, &[0; 15]));
    }

    #[tokio::test]
    async fn a_name_that_has_no_public_address_is_not_connected_to() {
        let name: Name = "localhost".parse().unwrap();
        let Err(refused) = PublicResolver.resolve(name).await else {
            panic!("localhost is reached");
        };
        assert_eq!(refused.to_string(), "localhost has no public address");
    }

    #[test]
    fn answers_say_what_becomes_of_a_push() {
        let later = |seconds| Outcome::Later(Some(Duration::from_secs(seconds)));
        for (status, retry_after, expected) in [
            (201, None, Outcome::Taken),
            (204, None, Outcome::Taken),
            (302, None, Outcome::Refused),
            (400, None, Outcome::Refused),
            (413, None, Outcome::Refused),
            (404, None, Outcome::Gone),
            (410, None, Outcome::Gone),
            (429, Some("120"), later(120)),
            (503, Some("7"), later(7)),
            (500, None, Outcome::Later(None)),
            (503, Some("soon"), Outcome::Later(None)),
            (
                503,
                Some("Sun, 06 Nov 1994 08:49:37 GMT"),
                Outcome::Later(None),
            ),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(outcome(status, retry_after), expected, "{status}");
        }
    }
}
