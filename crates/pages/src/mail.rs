//! The words of mails: a text and a document of HTML that say the same, in the language of their reader.

use crate::language::Language;
use crate::ui::text::t;
use std::fmt::Write as _;
use tochki_play::date;
use tochki_server::mail::{Letter, Mail};

/// The parts of a mail, in order.
struct Parts {
    subject: String,
    greeting: String,
    text: String,
    /// A link, and the words on it.
    link: Option<(String, &'static str)>,
    note: &'static str,
    /// The link that ends mails of this kind.
    unsubscribe: Option<String>,
}

/// Writes a mail in the language of this code, else in English. Links begin with the origin.
pub fn compose(mail: &Mail, language: &str, origin: &str) -> Letter {
    let known = |candidate: &&Language| candidate.code() == language;
    let language = Language::SHIPPED.iter().find(known).copied();
    let language = language.unwrap_or_default();
    let Parts {
        subject,
        greeting,
        text,
        link,
        note,
        unsubscribe,
    } = parts(mail, language, origin);

    let mut plain = format!("{greeting}\n\n{text}\n");
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"{}\" dir=\"{}\"><meta charset=\"utf-8\"><title>{}</title><p>{}</p><p>{}</p>",
        language.code(),
        language.direction(),
        escape(&subject),
        escape(&greeting),
        escape(&text)
    );
    // Writing into a string cannot fail.
    if let Some((url, words)) = link {
        let _ = write!(plain, "\n{words}: {url}\n");
        let _ = write!(
            html,
            "<p><a href=\"{}\">{}</a></p>",
            escape(&url),
            escape(words)
        );
    }
    let _ = write!(plain, "\n{note}\n\n-- \nTochki, {origin}\n");
    let _ = write!(
        html,
        "<p>{}</p><p>Tochki, <a href=\"{1}\">{1}</a></p>",
        escape(note),
        escape(origin)
    );
    if let Some(url) = unsubscribe {
        let words = t!(language, mail.unsubscribe);
        let _ = writeln!(plain, "{words}: {url}");
        let _ = write!(
            html,
            "<p><a href=\"{}\">{}</a></p>",
            escape(&url),
            escape(words)
        );
    }
    html.push_str("</html>");
    Letter {
        subject,
        plain,
        html,
    }
}

fn parts(mail: &Mail, language: Language, origin: &str) -> Parts {
    let hello = |name: &String| t!(language, mail.hello, name = name);
    match mail {
        Mail::Confirm { name, token } => Parts {
            subject: t!(language, mail.confirm_title).to_owned(),
            greeting: hello(name),
            text: t!(language, mail.confirm_text).to_owned(),
            link: Some((
                format!("{origin}/mail/confirm?token={token}"),
                t!(language, mail.confirm),
            )),
            note: t!(language, mail.ignore),
            unsubscribe: None,
        },
        Mail::Changed { name } => Parts {
            subject: t!(language, mail.changed_subject).to_owned(),
            greeting: hello(name),
            text: t!(language, mail.changed_text).to_owned(),
            link: None,
            note: t!(language, mail.not_you),
            unsubscribe: None,
        },
        Mail::Reset { name, token } => Parts {
            subject: t!(language, mail.reset_title).to_owned(),
            greeting: hello(name),
            text: t!(language, mail.reset_text).to_owned(),
            link: Some((
                format!("{origin}/mail/reset?token={token}"),
                t!(language, mail.reset),
            )),
            note: t!(language, mail.ignore),
            unsubscribe: None,
        },
        Mail::SignIn {
            name,
            agent,
            at,
            unsubscribe,
        } => {
            let browser = if agent.is_empty() { "–" } else { agent };
            let time = date::minute(*at);
            Parts {
                subject: t!(language, mail.sign_in_subject).to_owned(),
                greeting: hello(name),
                text: t!(language, mail.sign_in_text, browser = browser, time = time),
                link: None,
                note: t!(language, mail.not_you),
                unsubscribe: Some(format!("{origin}/mail/unsubscribe/{unsubscribe}")),
            }
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
