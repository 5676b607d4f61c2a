//! Mail addresses as players write them.

use crate::Error;
use lettre::Address;
use std::fmt;
use tochki_protocol::{Code, limits};

/// A mail address. It is in ASCII and has no space or control character, so that it is one word of a header and of SMTP.
#[derive(Clone, PartialEq, Eq)]
pub struct MailAddress(Address);

impl MailAddress {
    /// Reads an address. A literal address of a machine, as in `a@[10.0.0.1]`, is none: it would reach into the network of the server.
    ///
    /// # Errors
    /// `invalid_mail`.
    pub fn read(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let is_plain = text.len() <= limits::MAIL_ADDRESS_MAX_BYTES
            && text.bytes().all(|byte| byte.is_ascii_graphic())
            && !text.contains(['"', '<', '>', '[', ']', ',', ';', '\\']);
        let read = text.parse::<Address>().ok().filter(|address| {
            let domain = address.domain();
            let is_name = domain
                .rsplit_once('.')
                .is_some_and(|(_, last)| last.bytes().any(|byte| byte.is_ascii_alphabetic()));
            is_plain && is_name
        });
        read.map(Self).ok_or(Code::InvalidMail.into())
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }

    pub(super) fn into_address(self) -> Address {
        self.0
    }
}

/// It is in no log.
impl fmt::Debug for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MailAddress(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_word_and_names_a_domain() {
        for address in [
            "ann@example.org",
            " Ann.B+tochki@mail.example.org ",
            "a@xn--e1afmkfd.xn--p1ai",
        ] {
            assert_eq!(MailAddress::read(address).unwrap().as_str(), address.trim());
        }
        let long = format!("{}@example.org", "a".repeat(250));
        for other in [
            "",
            "ann",
            "@example.org",
            "ann@",
            "ann@localhost",
            "ann@127.0.0.1",
            "ann@[127.0.0.1]",
            "ann@example.org\r\nBcc: bob@example.org",
            "ann@example.org\nBcc:bob@example.org",
            "ann@example.org,bob@example.org",
            "ann@example.org bob@example.org",
            "Ann <ann@example.org>",
            "\"a b\"@example.org",
            "ann@exa\0mple.org",
            "анна@example.org",
            &long,
        ] {
            assert!(MailAddress::read(other).is_err(), "{other:?}");
        }
    }
}
