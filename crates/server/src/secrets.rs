//! Secrets that must not be printed (passwords, tokens, recovery codes), and the random source.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::fmt;
use tochki_protocol::limits::{
    PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS, PASSWORD_MIN_GUESSES,
    RECOVERY_CODE_MAX_CHARS as MAX_TYPED_CHARS,
};
use tochki_protocol::{ApiError, Code, PlayerId};
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// Why a text cannot be a new password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidPassword {
    /// Too short or too long.
    Length,
    /// It is the name.
    Name,
    /// It is easily guessed.
    Common,
}

impl From<InvalidPassword> for crate::Error {
    fn from(invalid: InvalidPassword) -> Self {
        let message = match invalid {
            InvalidPassword::Length => "A password has 8 to 128 characters.",
            InvalidPassword::Name => "A password is not the name.",
            InvalidPassword::Common => {
                "This password is easily guessed. Take a longer or a less common one."
            }
        };
        ApiError::from(Code::InvalidPassword)
            .with_message(message)
            .into()
    }
}

/// A password in clear text, in the normal form of RFC 8265 (`OpaqueString`): the same characters are the same password,
/// however a keyboard composes them. It has no `Display`, and its `Debug` hides it.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// A new password of the player with this name.
    ///
    /// # Errors
    /// When it is too short or too long, the name, or so common that it is among the first that are guessed.
    pub fn read(text: &str, name: &str) -> Result<Self, InvalidPassword> {
        let text = &*normal_form(text);
        if !(PASSWORD_MIN_CHARS..=PASSWORD_MAX_CHARS).contains(&text.chars().count()) {
            return Err(InvalidPassword::Length);
        }
        if text.trim().to_lowercase() == name.trim().to_lowercase() {
            return Err(InvalidPassword::Name);
        }
        if zxcvbn::zxcvbn(text, &[name, "tochki", "точки"]).guesses() < PASSWORD_MIN_GUESSES {
            return Err(InvalidPassword::Common);
        }
        Ok(Self(text.to_owned()))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// A password to be verified. Its length does not matter: a wrong one does not match the hash.
#[derive(Clone, Debug)]
pub(super) struct TypedPassword {
    /// In normal form, as new passwords are hashed.
    pub(super) normal: Password,
    /// The password as typed, if normalizing has changed it: older hashes are of that text.
    pub(super) as_typed: Option<Password>,
}

impl TypedPassword {
    pub(super) fn of(text: &str) -> Self {
        let normal = normal_form(text);
        Self {
            as_typed: (normal != text).then(|| Password(text.to_owned())),
            normal: Password(normal),
        }
    }
}

/// RFC 8265, 4.2.2: spaces that are not ASCII become ASCII ones, then NFC. Case and width stay. Characters that the RFC would
/// not let in are let in: a text that is refused only because of its script would keep its owner out.
fn normal_form(text: &str) -> String {
    let mapped = text.chars().map(|c| match c.general_category() {
        GeneralCategory::SpaceSeparator => ' ',
        _ => c,
    });
    mapped.nfc().collect()
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

    /// A secret of the session that opens nothing: by it the pages of one session find each other in a browser. Pages may know
    /// it, unlike the token and its digest, neither of which it tells.
    pub fn page_key(&self) -> String {
        let key = Hmac::<Sha256>::new_from_slice(self.0.as_bytes());
        let mut mac = key.expect("a key of any length will do");
        mac.update(b"the pages of a session");
        URL_SAFE_NO_PAD.encode(&mac.finalize().into_bytes()[..16])
    }
}

/// The token of a program: a fixed prefix, by which scanners of leaked secrets know it, and 256 random bits.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiToken(String);

impl ApiToken {
    /// Prefix of every token.
    pub const PREFIX: &str = "tochki_";

    /// A new token from the random source of the operating system.
    pub fn generate() -> Self {
        Self(Self::PREFIX.to_owned() + SessionToken::generate().expose())
    }

    /// The token of a request, whether it is valid or not.
    pub fn from_header(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The token as its player sees it once.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The SHA-256 of the token, which the database stores.
    pub fn digest(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }
}

impl fmt::Debug for ApiToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiToken(…)")
    }
}

/// A recovery code: 80 random bits as 16 letters and digits, `k3vd-9x2m-p7qa-w0tz`.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

/// The digits of a code, as Crockford's base 32 has them: nothing is mistaken for something else.
const DIGITS: [char; 32] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'j',
    'k', 'm', 'n', 'p', 'q', 'r', 's', 't', 'v', 'w', 'x', 'y', 'z',
];

impl RecoveryCode {
    /// A new code from the random source of the operating system.
    pub fn generate() -> Self {
        let mut bits = [0_u8; 16];
        SysRng
            .try_fill_bytes(&mut bits)
            .expect("the system has a random source");
        let digits = bits.map(|byte| DIGITS[usize::from(byte % 32)]);
        let groups: Vec<String> = digits
            .chunks(4)
            .map(|group| group.iter().collect())
            .collect();
        Self(groups.join("-"))
    }

    /// Wraps user input, which need not be a valid code.
    pub fn from_form(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The code as it is shown.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The digest that is stored: the SHA-256 of the player and the normalized code.
    pub fn digest(&self, player: PlayerId) -> Vec<u8> {
        let typed = self
            .0
            .chars()
            .take(MAX_TYPED_CHARS)
            .filter(|c| c.is_alphanumeric());
        let read: String = typed
            .flat_map(char::to_lowercase)
            .map(|c| match c {
                'o' => '0',
                'i' | 'l' => '1',
                other => other,
            })
            .collect();
        let mut hash = Sha256::new();
        hash.update(player.0.to_be_bytes());
        hash.update(read);
        hash.finalize().to_vec()
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_the_same_however_it_is_composed() {
        for (one, other) in [
            ("sch\u{f6}ner Tag", "scho\u{308}ner Tag"),
            (
                "\u{439}\u{43e}\u{433}\u{443}\u{440}\u{442} 77",
                "\u{438}\u{306}\u{43e}\u{433}\u{443}\u{440}\u{442} 77",
            ),
            ("wide\u{3000}open road", "wide open road"),
            ("no\u{a0}break here", "no break here"),
        ] {
            assert_eq!(normal_form(one), normal_form(other), "{one}");
            let typed = [one, other].map(TypedPassword::of);
            assert_eq!(typed[0].normal.bytes(), typed[1].normal.bytes());
            // At least one of them was typed in another form than it is hashed in.
            assert!(typed.iter().any(|typed| typed.as_typed.is_some()), "{one}");
        }
        // Case, width and compatibility characters tell passwords apart.
        for (one, other) in [
            ("Correct horse", "correct horse"),
            ("\u{ff21}bcdefgh", "Abcdefgh"),
            ("\u{fb01}sh", "fish"),
        ] {
            assert_ne!(normal_form(one), normal_form(other), "{one}");
        }
        assert!(TypedPassword::of("correct horse").as_typed.is_none());
    }

    #[track_caller]
    fn check(password: &str, expected: Result<(), InvalidPassword>) {
        let read = Password::read(password, "Annabella");
        assert_eq!(read.map(|_| ()), expected, "{password}");
    }

    #[test]
    fn the_pages_of_a_session_have_a_key_that_is_neither_its_token_nor_its_digest() {
        let token = SessionToken::from_cookie("ann's");
        assert_eq!(
            token.page_key(),
            SessionToken::from_cookie("ann's").page_key()
        );
        assert_ne!(
            token.page_key(),
            SessionToken::from_cookie("bob's").page_key()
        );
        assert_ne!(
            token.page_key(),
            URL_SAFE_NO_PAD.encode(&token.digest()[..16])
        );
        // RFC 2104, as Python's `hmac` computes it.
        assert_eq!(token.page_key(), "J3B5yC2QkJCxPRXWAeBxFw");
    }

    #[test]
    fn a_recovery_code_is_read_however_it_is_typed() {
        let code = RecoveryCode::generate();
        assert_eq!(code.expose().len(), 19);
        assert_ne!(code, RecoveryCode::generate());
        let (ann, bob) = (PlayerId(1), PlayerId(2));
        let typed = code
            .expose()
            .replace('-', " ")
            .replace('0', "O")
            .replace('1', "l")
            .to_uppercase();
        assert_eq!(
            RecoveryCode::from_form(&typed).digest(ann),
            code.digest(ann)
        );
        assert_ne!(code.digest(ann), code.digest(bob));
        assert!(!format!("{code:?}").contains(code.expose()));
    }

    #[test]
    fn passwords_that_are_tried_first_are_refused() {
        for password in [
            "password",
            "12345678",
            "qwertyui",
            "aaaaaaaa",
            "letmein1",
            "iloveyou",
            "Password1",
            "11111111111",
            "annabella1",
            "qwerty123",
            "1q2w3e4r",
            "tochki12",
            "abcdefgh",
            "20012001",
        ] {
            check(password, Err(InvalidPassword::Common));
        }
        for password in ["Annabella", "annabella", " ANNABELLA "] {
            check(password, Err(InvalidPassword::Name));
        }
        for password in ["", "1234567", "xK3#vQ9", &"п".repeat(129)] {
            check(password, Err(InvalidPassword::Length));
        }
        for password in [
            "correct horse",
            "a long enough password",
            "мой кот ест рыбу",
            "xK3#vQ9p",
        ] {
            check(password, Ok(()));
        }
    }
}
