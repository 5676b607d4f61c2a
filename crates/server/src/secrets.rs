//! Secrets that must not be printed, passwords and session tokens, and the random source.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::fmt;
use tochki_protocol::limits::{PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS};
/// A password in clear text. It has no `Display`, and its `Debug` hides it.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// A new password. `None` if its length is not within the limits.
    pub fn read(text: &str) -> Option<Self> {
        (PASSWORD_MIN_CHARS..=PASSWORD_MAX_CHARS)
            .contains(&text.chars().count())
            .then(|| Self(text.to_owned()))
    }

    /// A password to be verified. Its length does not matter: a wrong one does not match the hash.
    pub fn unchecked(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// A random number from the operating system. Functions that need randomness take this function as an argument.
pub fn random_u64() -> u64 {
    let mut bits = [0_u8; 8];
    SysRng
        .try_fill_bytes(&mut bits)
        .expect("the system has a random source");
    u64::from_ne_bytes(bits)
}

/// The token of a session: 256 random bits. Only the cookie contains it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    /// A new token from the random source of the operating system.
    pub fn generate() -> Self {
        let mut bits = [0_u8; 32];
        SysRng
            .try_fill_bytes(&mut bits)
            .expect("the system has a random source");
        Self(URL_SAFE_NO_PAD.encode(bits))
    }

    /// The token in a cookie, whether it is valid or not.
    pub fn from_cookie(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The value of the cookie.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The SHA-256 of the token, which the database stores.
    pub fn digest(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}
