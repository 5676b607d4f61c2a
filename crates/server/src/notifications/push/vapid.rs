//! The key by which push services know this server (VAPID, RFC 8292).

use crate::Error;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Mutex;
use tochki_play::{Millis, Timestamp};
use tochki_protocol::limits;

/// The key, with the contact that push services are told.
pub(super) struct VapidKey {
    signing: SigningKey,
    /// The public key in base64url: the point without compression.
    public: String,
    /// A mail address or a URL, as `mailto:` or `https:`.
    contact: String,
    /// The last header for each origin, because signing is a part of what a push costs. Held for a lookup, never across an await.
    headers: Mutex<HashMap<String, Header>>,
}

/// A header `Authorization` that is used again.
struct Header {
    text: String,
    made_at: Timestamp,
}

impl VapidKey {
    /// A private key, made anew.
    pub(super) fn random_secret() -> Vec<u8> {
        loop {
            // Nearly any 32 bytes are a key.
            let secret = rand::random::<[u8; 32]>();
            if SigningKey::from_slice(&secret).is_ok() {
                return secret.to_vec();
            }
        }
    }

    /// Reads a private key.
    pub(super) fn read(secret: &[u8], contact: String) -> Result<Self, Error> {
        let signing = SigningKey::from_slice(secret)
            .map_err(|_| Error::invariant("the key of pushes cannot be read"))?;
        let point = signing.verifying_key().to_encoded_point(false);
        Ok(Self {
            public: URL_SAFE_NO_PAD.encode(point.as_bytes()),
            signing,
            contact,
            headers: Mutex::default(),
        })
    }

    pub(super) fn public(&self) -> &str {
        &self.public
    }

    /// The header `Authorization` for the push service of this origin: the same for [`limits::PUSH_TOKEN_REUSE`].
    pub(super) fn authorization(&self, origin: &str, now: Timestamp) -> String {
        let mut headers = self
            .headers
            .lock()
            .expect("no panic while the lock is held");
        let reused = Millis::ZERO..limits::in_millis(limits::PUSH_TOKEN_REUSE);
        if let Some(header) = headers.get(origin)
            && reused.contains(&(now - header.made_at))
        {
            return header.text.clone();
        }
        // A subscription may name any host below that of a push service.
        if headers.len() >= limits::PUSH_TOKENS_KEPT {
            headers.clear();
        }
        let text = self.sign(origin, now);
        let header = Header {
            text: text.clone(),
            made_at: now,
        };
        headers.insert(origin.to_owned(), header);
        text
    }

    fn sign(&self, origin: &str, now: Timestamp) -> String {
        let expires = now.0 / 1000 + limits::PUSH_TOKEN_LIFETIME.as_secs().cast_signed();
        let claims = json!({ "aud": origin, "exp": expires, "sub": self.contact });
        let [head, claims] = [json!({ "typ": "JWT", "alg": "ES256" }), claims]
            .map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let text = format!("{head}.{claims}");
        let signature: Signature = self.signing.sign(text.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
        format!("vapid t={text}.{signature}, k={}", self.public)
    }
}

/// Reads base64url, with or without padding.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}

/// Returns whether these are the public key and the secret of a browser.
pub(super) fn are_keys(p256dh: &[u8], auth: &[u8]) -> bool {
    // The point without compression.
    p256dh.len() == 65 && p256::PublicKey::from_sec1_bytes(p256dh).is_ok() && auth.len() == 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_signed_once_for_a_push_service_and_hours() {
        let key = VapidKey::read(&VapidKey::random_secret(), "mailto:a@b.example".to_owned());
        let key = key.expect("a key");
        let reuse = limits::in_millis(limits::PUSH_TOKEN_REUSE);
        let start = Timestamp(1_800_000_000_000);
        let first = key.authorization("https://one.example", start);
        let same = key.authorization("https://one.example", start + (reuse - Millis(1)));
        assert_eq!(first, same);
        for (origin, at) in [
            ("https://two.example", start),
            ("https://one.example", start + reuse),
            // The clock was set back. A header of the same second would be the same: signatures have no chance in them (RFC 6979).
            ("https://one.example", Timestamp(start.0 - 3_600_000)),
        ] {
            assert_ne!(key.authorization(origin, at), first, "{origin} {at:?}");
        }
        for number in 0..2 * limits::PUSH_TOKENS_KEPT {
            key.authorization(&format!("https://{number}.example"), start);
        }
        assert!(key.headers.lock().unwrap().len() <= limits::PUSH_TOKENS_KEPT);
    }
}
