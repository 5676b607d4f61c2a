//! A mail as a message, and the SMTP server that takes it.

use super::address::MailAddress;
use super::content::Letter;
use crate::Error;
use crate::secrets::SessionToken;
use crate::settings::Settings;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use std::fmt;
use tochki_protocol::limits;

/// Sends mail.
pub(super) struct Sender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// The configured origin, without a slash at its end.
    origin: String,
    /// The name of its host.
    host: String,
}

/// Why a mail was not sent.
pub(super) enum Refusal {
    /// The message cannot be made, or its address is none any more.
    Invalid(String),
    /// The server does not take it now, or never.
    Smtp(lettre::transport::smtp::Error),
}

impl Refusal {
    /// Returns whether another attempt would end the same.
    pub(super) fn is_final(&self) -> bool {
        match self {
            Self::Invalid(_) => true,
            Self::Smtp(error) => error.is_permanent(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => f.write_str(why),
            Self::Smtp(error) => error.fmt(f),
        }
    }
}

impl Sender {
    /// The sender of these settings; none if they name no server, or no origin for the links.
    pub(super) fn of(settings: &Settings) -> Result<Option<Self>, Error> {
        let (Some(url), Some(origin)) = (&settings.smtp_url, &settings.public_origin) else {
            return Ok(None);
        };
        let origin = origin.trim_end_matches('/').to_owned();
        let (_, host) = origin.split_once("://").unwrap_or(("", &origin));
        let host = host.split(':').next().unwrap_or_default().to_owned();
        let from = match &settings.mail_from {
            Some(from) => from.clone(),
            None => format!("Tochki <noreply@{host}>"),
        };
        let from = from
            .parse()
            .map_err(|why| Error::invariant(format!("MAIL_FROM is no mail address: {why}")))?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|why| Error::invariant(format!("SMTP_URL names no server: {why}")))?
            .timeout(Some(limits::MAIL_SEND_TIMEOUT))
            .hello_name(ClientId::Domain(host.clone()))
            .build();
        Ok(Some(Self {
            transport,
            from,
            origin,
            host,
        }))
    }

    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Sends a letter. `unsubscribe` is the end of the link that ends mails of its kind.
    pub(super) async fn send(
        &self,
        address: &str,
        letter: Letter,
        unsubscribe: Option<&str>,
    ) -> Result<(), Refusal> {
        let message = self.message(address, letter, unsubscribe);
        let message = message.map_err(Refusal::Invalid)?;
        let sent = self.transport.send(message).await;
        sent.map(drop).map_err(Refusal::Smtp)
    }

    fn message(
        &self,
        address: &str,
        letter: Letter,
        unsubscribe: Option<&str>,
    ) -> Result<Message, String> {
        let address = MailAddress::read(address).map_err(|_| "an address that is none")?;
        let Letter {
            subject,
            plain,
            html,
        } = letter;
        // A line break would be a header of its own.
        let subject: String = subject
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let id = format!("<{}@{}>", SessionToken::generate().expose(), self.host);
        let message = Message::builder()
            .message_id(Some(id))
            .from(self.from.clone())
            .to(Mailbox::new(None, address.into_address()))
            .subject(subject)
            .multipart(MultiPart::alternative_plain_html(plain, html));
        let mut message = message.map_err(|error| error.to_string())?;
        let mut add = |name: &'static str, value: String| {
            let name = HeaderName::new_from_ascii_str(name);
            message
                .headers_mut()
                .insert_raw(HeaderValue::new(name, value));
        };
        // So that no automatic answer comes back.
        add("Auto-Submitted", "auto-generated".to_owned());
        if let Some(token) = unsubscribe {
            let link = format!("<{}/mail/unsubscribe/{token}>", self.origin);
            add("List-Unsubscribe", link);
            add(
                "List-Unsubscribe-Post",
                "List-Unsubscribe=One-Click".to_owned(),
            );
        }
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_one_line_whatever_is_in_it() {
        let settings = Settings {
            smtp_url: Some("smtp://127.0.0.1:1".to_owned()),
            public_origin: Some("https://tochki.example/".to_owned()),
            ..Settings::default()
        };
        let sender = Sender::of(&settings).ok().flatten().expect("a sender");
        let letter = Letter {
            subject: "Hello\r\nBcc: bob@example.org".to_owned(),
            plain: "text".to_owned(),
            html: "<p>text</p>".to_owned(),
        };
        let message = sender
            .message("ann@example.org", letter, Some("abc"))
            .expect("a message");
        let text = String::from_utf8(message.formatted()).expect("text");
        let headers = text.split("\r\n\r\n").next().expect("headers");
        assert!(
            headers.lines().all(|line| !line.starts_with("Bcc")),
            "{headers}"
        );
        let link = "List-Unsubscribe: <https://tochki.example/mail/unsubscribe/abc>";
        assert!(headers.contains(link), "{headers}");
        assert!(
            headers.contains("From: Tochki <noreply@tochki.example>"),
            "{headers}"
        );
    }
}
