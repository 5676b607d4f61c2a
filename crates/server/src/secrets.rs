//! Secrets that must not be printed: passwords on their way to a hash, and session tokens. And the source of what nobody
//! can guess.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::fmt;

/// A password as typed. It has no `Display`, and its `Debug` says nothing.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// 6 to 128 characters of any kind.
    pub fn read(text: &str) -> Option<Self> {
        (6..=128)
            .contains(&text.chars().count())
            .then(|| Self(text.to_owned()))
    }

    /// A password somebody tries, of whatever length: it can only be wrong.
    pub fn tried(text: &str) -> Self {
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

/// A number from the system's random source: the chance that is passed to whatever draws something.
pub fn chance() -> u64 {
    let mut bits = [0_u8; 8];
    SysRng
        .try_fill_bytes(&mut bits)
        .expect("the system has a random source");
    u64::from_ne_bytes(bits)
}

/// The token of a session: 256 random bits, in the cookie and nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    /// A new one from the system's random source.
    pub fn draw() -> Self {
        let mut bits = [0_u8; 32];
        SysRng
            .try_fill_bytes(&mut bits)
            .expect("the system has a random source");
        Self(URL_SAFE_NO_PAD.encode(bits))
    }

    /// One that came in a cookie; whether it stands for a session is for the database to say.
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// What goes into the cookie.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What goes into the database: its SHA-256.
    pub fn digest(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}
