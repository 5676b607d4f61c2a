//! Encrypts the content of a push for a browser (RFC 8291).
//!
//! `web-push-native` does the same, in four times the time: of a push, most was its arithmetic.

use ece_native::encrypt;
use ring::agreement::{self, ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey};
use ring::hkdf::{self, HKDF_SHA256};
use ring::rand::{SecureRandom as _, SystemRandom};

/// The length of the input keying material in bytes.
const KEYING_BYTES: usize = 32;

/// The bytes that a record has beyond its content: a delimiter and the tag.
const RECORD_OVERHEAD: usize = 17;

/// Returns content encrypted for the public key and the authentication secret of a subscription. `None` if that key is no point of P-256
/// in uncompressed form.
pub(super) fn seal(content: Vec<u8>, p256dh: &[u8], auth: &[u8]) -> Option<Vec<u8>> {
    let random = SystemRandom::new();
    let secret = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
    let public = secret.compute_public_key().ok()?;
    let receiver = UnparsedPublicKey::new(&ECDH_P256, p256dh);
    let keying = agreement::agree_ephemeral(secret, &receiver, |shared| {
        derive(shared, auth, p256dh, public.as_ref())
    });
    let mut salt = [0; 16];
    random.fill(&mut salt).ok()?;
    let record = u32::try_from(content.len() + RECORD_OVERHEAD).ok()?;
    encrypt(
        keying.ok()??,
        salt,
        public,
        Some(content).into_iter(),
        record,
    )
    .ok()
}

/// The input keying material of RFC 8291, section 3.4.
fn derive(
    shared: &[u8],
    auth: &[u8],
    receiver: &[u8],
    sender: &[u8],
) -> Option<[u8; KEYING_BYTES]> {
    /// The length of the output.
    struct Length;

    impl hkdf::KeyType for Length {
        fn len(&self) -> usize {
            KEYING_BYTES
        }
    }

    let mut keying = [0; KEYING_BYTES];
    let info = [b"WebPush: info\0", receiver, sender];
    let key = hkdf::Salt::new(HKDF_SHA256, auth).extract(shared);
    key.expand(&info, Length).ok()?.fill(&mut keying).ok()?;
    Some(keying)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect()
    }

    /// The example of RFC 8291, appendix A.
    #[test]
    fn the_keying_material_is_that_of_the_example() {
        let shared = bytes("932acbd63208387133837b0cd995911c3441eb66000998614a592727aef6912b");
        let auth = bytes("05305932a1c7eabe13b6cec9fda48882");
        let receiver = bytes(
            "042571b2becdfde360551aaf1ed0f4cd366c11cebe555f89bcb7b186a53339173168ece2ebe018597bd30479b86e3c8f8eced577ca59187e9246990db682008b0e",
        );
        let sender = bytes(
            "04fe33f4ab0dea71914db55823f73b54948f41306d920732dbb9a59a53286482200e597a7b7bc260ba1c227998580992e93973002f3012a28ae8f06bbb78e5ec0f",
        );
        let keying = bytes("4b895831bfcbd05c427aad16843c7cd772a0498a94dba90ecb359476c5d8cab8");
        let derived = derive(&shared, &auth, &receiver, &sender).unwrap();
        assert_eq!(derived.as_slice(), keying);
        // One record: the header with the key of the sender, then the content and its overhead.
        let sealed = seal(b"{}".to_vec(), &receiver, &auth).unwrap();
        assert_eq!(sealed.len(), 16 + 4 + 1 + 65 + 2 + RECORD_OVERHEAD);
    }

    #[test]
    fn nothing_is_sealed_for_a_key_that_is_none() {
        for key in [vec![], vec![4; 65], vec![2; 33]] {
            assert_eq!(seal(b"{}".to_vec(), &key, &[0; 16]), None);
        }
    }
}
