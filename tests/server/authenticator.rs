//! A software authenticator: the answers of a device and a browser to the challenges of `WebAuthn`, and those of a forger.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::Signer as _;
use rand::RngExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The origin of the tests, as a browser sees it.
pub(crate) const ORIGIN: &str = "http://localhost";

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

#[derive(Clone)]
enum Key {
    Es256(p256::ecdsa::SigningKey),
    EdDsa(ed25519_dalek::SigningKey),
}

/// An authenticator with one passkey. Its fields can be changed to lie.
#[derive(Clone)]
pub(crate) struct Authenticator {
    key: Key,
    pub(crate) id: Vec<u8>,
    pub(crate) handle: Vec<u8>,
    pub(crate) origin: String,
    pub(crate) domain: String,
    /// The signature counter, which grows by one with each use; `None` for an authenticator without.
    pub(crate) counter: Option<u32>,
    /// Whether the user gave a fingerprint or a PIN.
    pub(crate) verified: bool,
    /// Whether the page stands in a frame of another site.
    pub(crate) cross_origin: bool,
}

fn random<const N: usize>() -> [u8; N] {
    rand::rng().random()
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Authenticator {
    /// Makes an authenticator that signs with ES256, which has a counter.
    pub(crate) fn es256() -> Self {
        let key = p256::ecdsa::SigningKey::from_slice(&random::<32>()).expect("a key");
        Self::with(Key::Es256(key), Some(0))
    }

    /// Makes an authenticator that signs with `EdDSA` and has no counter, as passkeys that are copied between devices.
    pub(crate) fn eddsa() -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(&random());
        Self::with(Key::EdDsa(key), None)
    }

    fn with(key: Key, counter: Option<u32>) -> Self {
        Self {
            key,
            id: random::<32>().to_vec(),
            handle: Vec::new(),
            origin: ORIGIN.to_owned(),
            domain: "localhost".to_owned(),
            counter,
            verified: true,
            cross_origin: false,
        }
    }

    /// Returns the public key in COSE.
    fn public_key(&self) -> Vec<u8> {
        match &self.key {
            Key::Es256(key) => {
                let point = key.verifying_key().to_encoded_point(false);
                let (x, y) = (point.x().expect("x"), point.y().expect("y"));
                let head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
                [&head, x.as_slice(), &[0x22, 0x58, 0x20], y.as_slice()].concat()
            }
            Key::EdDsa(key) => {
                let head = [0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20];
                [&head, key.verifying_key().as_bytes().as_slice()].concat()
            }
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.key {
            Key::Es256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(message);
                signature.to_der().as_bytes().to_vec()
            }
            Key::EdDsa(key) => key.sign(message).to_bytes().to_vec(),
        }
    }

    /// Returns the authenticator's data, up to the counter, and `more`.
    fn data(&mut self, more: u8) -> Vec<u8> {
        self.counter = self.counter.map(|counter| counter + 1);
        let verified = if self.verified { USER_VERIFIED } else { 0 };
        let mut data = Sha256::digest(self.domain.as_bytes()).to_vec();
        data.push(USER_PRESENT | verified | more);
        data.extend(self.counter.unwrap_or(0).to_be_bytes());
        data
    }

    /// Returns the browser's data.
    fn client_data(&self, kind: &str, options: &Value) -> String {
        let data = json!({
            "type": kind,
            "challenge": options["challenge"],
            "origin": self.origin,
            "crossOrigin": self.cross_origin,
        });
        data.to_string()
    }

    /// Makes a passkey. Returns the answer to the options of `passkey_begin_registration`.
    pub(crate) fn create(&mut self, options: &Value) -> String {
        let handle = options["user"]["id"].as_str().expect("a user handle");
        self.handle = URL_SAFE_NO_PAD.decode(handle).expect("base64");
        let mut data = self.data(HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend((self.id.len() as u16).to_be_bytes());
        data.extend(&self.id);
        data.extend(self.public_key());
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).expect("short data"));
        object.extend(data);
        let client_data = self.client_data("webauthn.create", options);
        let answer = json!({
            "id": encode(&self.id),
            "rawId": encode(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(client_data.as_bytes()),
                "attestationObject": encode(&object),
                "transports": ["internal", "hybrid"],
            },
        });
        answer.to_string()
    }

    /// Uses the passkey. Returns the answer to the options of `passkey_begin_sign_in`.
    pub(crate) fn get(&mut self, options: &Value) -> String {
        let data = self.data(0);
        let client_data = self.client_data("webauthn.get", options);
        let hash = Sha256::digest(client_data.as_bytes());
        let signature = self.sign(&[data.as_slice(), hash.as_slice()].concat());
        let answer = json!({
            "id": encode(&self.id),
            "rawId": encode(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(client_data.as_bytes()),
                "authenticatorData": encode(&data),
                "signature": encode(&signature),
                "userHandle": encode(&self.handle),
            },
        });
        answer.to_string()
    }
}
