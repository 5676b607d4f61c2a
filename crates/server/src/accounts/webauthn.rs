//! The ceremonies of `WebAuthn`, checked by the crate `webauthn_rp`. Independent of accounts and of the database.
//!
//! A passkey replaces the password and is all that signs in, so the authenticator has to verify its user (fingerprint, face,
//! PIN), and to keep the passkey where it is found without a name. Attestation is not asked for: any authenticator will do.

use crate::Error;
use serde_json::{Value, json};
use tochki_protocol::{Code, CredentialJson};
use webauthn_rp::bin::{Decode as _, Encode as _};
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialCreationOptions, RegistrationVerificationOptions, UserHandle64,
};
use webauthn_rp::request::{AsciiDomain, PublicKeyCredentialDescriptor, RpId};
use webauthn_rp::response::auth::error::AuthCeremonyErr;
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication64, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, Registration, RegistrationServerState,
};

/// The length of a user handle, in bytes.
pub const HANDLE_LEN: usize = 64;

/// A public key as it is stored.
type PublicKey = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// The site to which passkeys belong: its domain, and the origins of its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    domain: String,
    origins: Vec<String>,
}

/// A ceremony that has begun.
pub struct CeremonyStart {
    /// Options for the browser: `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    pub options: Value,
    /// State to store until the answer comes.
    pub state: Vec<u8>,
}

/// A passkey as it is stored.
pub struct Credential {
    /// The id by which the authenticator knows the passkey.
    pub id: Vec<u8>,
    /// Its public key, which never changes.
    pub public_key: Vec<u8>,
    /// State that signing in updates.
    pub state: Vec<u8>,
    /// Transports of the authenticator.
    pub transports: u8,
}

/// Why the answer of an authenticator is refused.
#[derive(Debug)]
pub enum Refused {
    /// The signature counter has not grown: the passkey may have been copied.
    Counter,
    /// Anything else, for the log. It may quote the answer.
    Invalid(String),
}

impl Refused {
    fn invalid(error: impl ToString) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl From<Refused> for Error {
    fn from(_: Refused) -> Self {
        Code::PasskeyRefused.into()
    }
}

impl RelyingParty {
    /// The site at the public origin; `None` if its host is no domain, as with an IP address.
    pub fn of_origin(origin: &str) -> Option<Self> {
        let origin = origin.trim_end_matches('/').to_ascii_lowercase();
        let (_, host) = origin.split_once("://")?;
        Some(Self {
            domain: domain_of(host)?,
            origins: vec![origin],
        })
    }

    /// The site at the host of a request; `None` if that is no domain. There may be a proxy for https before us.
    pub fn of_host(host: &str) -> Option<Self> {
        let host = host.to_ascii_lowercase();
        Some(Self {
            domain: domain_of(&host)?,
            origins: vec![format!("https://{host}"), format!("http://{host}")],
        })
    }

    fn id(&self) -> Result<RpId, Error> {
        let domain = AsciiDomain::try_from(self.domain.clone());
        Ok(RpId::Domain(domain.map_err(|_| Code::PasskeysUnavailable)?))
    }

    /// Begins to add a passkey to the account with this handle and name, which has `existing` ones.
    pub fn begin_registration(
        &self,
        handle: &[u8],
        name: &str,
        existing: Vec<(Vec<u8>, u8)>,
    ) -> Result<CeremonyStart, Error> {
        let handle = handle.try_into().map_err(|_| stored("a user handle"))?;
        let Ok(handle) = UserHandle64::decode(handle);
        let existing = existing.into_iter().map(|(id, transports)| {
            Ok(PublicKeyCredentialDescriptor {
                id: CredentialId::decode(id).map_err(|_| stored("a credential id"))?,
                transports: AuthTransports::decode(transports).map_err(|_| stored("transports"))?,
            })
        });
        let existing = existing.collect::<Result<Vec<_>, Error>>()?;
        let party = self.id()?;
        let mut options =
            PublicKeyCredentialCreationOptions::passkey(&party, (&handle).into(), existing);
        options.extensions.cred_protect = CredProtect::None;
        let (server, client) = options.start_ceremony().map_err(impossible)?;
        let mut options = serde_json::to_value(client).map_err(impossible)?;
        options["rp"]["name"] = json!("Tochki");
        // The names of players have rules of their own, which are not those of the crate.
        options["user"]["name"] = json!(name);
        options["user"]["displayName"] = json!(name);
        Ok(CeremonyStart {
            options,
            state: server.encode().map_err(impossible)?,
        })
    }

    /// Checks the answer to [`Self::begin_registration`].
    pub fn finish_registration(
        &self,
        state: &[u8],
        answer: &CredentialJson,
    ) -> Result<Result<Credential, Refused>, Error> {
        let state = RegistrationServerState::<HANDLE_LEN>::decode(state)
            .map_err(|_| stored("a challenge"))?;
        let answer = match Registration::from_json_relaxed(answer.0.as_bytes()) {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(Refused::invalid(error))),
        };
        let options = RegistrationVerificationOptions::<String, String> {
            allowed_origins: &self.origins,
            // Some authenticators answer what they were not asked.
            error_on_unsolicited_extensions: false,
            ..Default::default()
        };
        let credential = match state.verify(&self.id()?, &answer, &options) {
            Ok(credential) => credential,
            Err(error) => return Ok(Err(Refused::invalid(error))),
        };
        let Ok(public_key) = credential.static_state().encode();
        let Ok(state) = credential.dynamic_state().encode();
        let Ok(transports) = credential.transports().encode();
        Ok(Ok(Credential {
            id: credential.id().as_ref().to_vec(),
            public_key,
            state: state.to_vec(),
            transports,
        }))
    }

    /// Begins to sign in, with any passkey.
    pub fn begin_sign_in(&self) -> Result<CeremonyStart, Error> {
        let party = self.id()?;
        let options = DiscoverableCredentialRequestOptions::passkey(&party);
        let (server, client) = options.start_ceremony().map_err(impossible)?;
        Ok(CeremonyStart {
            options: serde_json::to_value(client).map_err(impossible)?,
            state: server.encode().map_err(impossible)?,
        })
    }
}

/// The answer to [`RelyingParty::begin_sign_in`], read and not yet checked.
pub struct Assertion(DiscoverableAuthentication64);

impl Assertion {
    /// Reads an answer.
    pub fn read(answer: &CredentialJson) -> Result<Self, Refused> {
        DiscoverableAuthentication64::from_json_relaxed(answer.0.as_bytes())
            .map(Self)
            .map_err(Refused::invalid)
    }

    /// The passkey that it claims to be of.
    pub fn credential_id(&self) -> Vec<u8> {
        self.0.raw_id().as_ref().to_vec()
    }

    /// Checks the answer to the challenge in `challenge` against the passkey and the handle of its account. Returns the new
    /// state of the passkey.
    pub fn verify(
        &self,
        party: &RelyingParty,
        challenge: &[u8],
        handle: &[u8],
        credential: &Credential,
    ) -> Result<Result<Vec<u8>, Refused>, Error> {
        let challenge = DiscoverableAuthenticationServerState::decode(challenge)
            .map_err(|_| stored("a challenge"))?;
        let handle = handle.try_into().map_err(|_| stored("a user handle"))?;
        let Ok(handle) = UserHandle64::decode(handle);
        let public_key = StaticState::<PublicKey>::decode(&credential.public_key)
            .map_err(|_| stored("a public key"))?;
        let state = credential.state.as_slice().try_into();
        let state = DynamicState::decode(state.map_err(|_| stored("a state"))?)
            .map_err(|_| stored("a state"))?;
        let id = CredentialId::<&[u8]>::decode(credential.id.as_slice())
            .map_err(|_| stored("a credential id"))?;
        let mut known = AuthenticatedCredential::new(id, &handle, public_key, state)
            .map_err(|_| stored("a passkey"))?;
        let options = AuthenticationVerificationOptions::<String, String> {
            allowed_origins: &party.origins,
            error_on_unsolicited_extensions: false,
            ..Default::default()
        };
        let verified = challenge.verify(&party.id()?, &self.0, &mut known, &options);
        Ok(match verified {
            Ok(_) => {
                let Ok(state) = known.dynamic_state().encode();
                Ok(state.to_vec())
            }
            Err(AuthCeremonyErr::SignatureCounter) => Err(Refused::Counter),
            Err(error) => Err(Refused::invalid(error)),
        })
    }
}

/// The domain of a host with or without a port; `None` for an IP address, to which no passkey can belong.
fn domain_of(host: &str) -> Option<String> {
    let (domain, port) = host.split_once(':').unwrap_or((host, "0"));
    let label = |label: &str| {
        !label.is_empty()
            && label
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    };
    // The last label of a domain is never a number (https://url.spec.whatwg.org/#ends-in-a-number-checker).
    let last = domain.rsplit('.').next().unwrap_or_default();
    let is_number = last.starts_with(|c: char| c.is_ascii_digit());
    let valid = domain.split('.').all(label) && !is_number && port.parse::<u16>().is_ok();
    valid.then(|| domain.to_owned())
}

#[track_caller]
fn stored(what: &'static str) -> Error {
    Error::invariant(format!("{what} of a passkey cannot be read"))
}

#[track_caller]
fn impossible(error: impl std::fmt::Display) -> Error {
    Error::invariant(format!("a ceremony of WebAuthn cannot begin: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_domains_have_passkeys() {
        for (host, domain) in [
            ("localhost", "localhost"),
            ("localhost:3000", "localhost"),
            ("Tochki.Example", "tochki.example"),
            ("a-b.tochki.example:8443", "a-b.tochki.example"),
        ] {
            let party = RelyingParty::of_host(host).unwrap_or_else(|| panic!("{host}"));
            assert_eq!(party.domain, domain);
            let origin = RelyingParty::of_origin(&format!("https://{host}/")).unwrap();
            assert_eq!(
                origin.origins,
                [format!("https://{}", host.to_ascii_lowercase())]
            );
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:3000",
            "[::1]:3000",
            "::1",
            "0x7f.1",
            "",
            ":3000",
            "a..b",
            "a b",
            "a:b",
            "tochki.example/x",
        ] {
            assert_eq!(RelyingParty::of_host(host), None, "{host}");
        }
        assert_eq!(RelyingParty::of_origin("tochki.example"), None);
    }
}
