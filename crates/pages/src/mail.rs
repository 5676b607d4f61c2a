//! The words of mails: a text and a document of HTML that say the same, in the language of their reader.

use crate::language::Language;
use crate::ui::push_words;
use crate::ui::text::t;
use std::fmt::Write as _;
use tochki_play::{Millis, date};
use tochki_server::mail::{Letter, Mail};

/// The parts of a mail, in order.
struct Parts {
    subject: String,
    greeting: String,
    text: String,
    /// A line for each thing that happened, with the address of its page.
    list: Vec<(String, String)>,
    /// How many there are beside these.
    more: Option<String>,
    /// A link, and the words on it.
    link: Option<(String, &'static str)>,
    note: Option<&'static str>,
    /// The link that ends mails of this kind.
    unsubscribe: Option<String>,
}

/// Writes a mail in the language of this code, else in English. Links begin with the origin.
pub fn compose(mail: &Mail, language: &str, origin: &str) -> Letter {
    let known = |candidate: &&Language| candidate.code() == language;
    let language = Language::SHIPPED.iter().find(known).copied();
    let language = language.unwrap_or_default();
    let parts = parts(mail, language, origin);
    let unsubscribe = parts.unsubscribe.as_ref();
    let end = unsubscribe.map(|url| (url.as_str(), t!(language, mail.unsubscribe)));
    Letter {
        plain: plain(&parts, end, origin),
        html: html(&parts, end, language, origin),
        subject: parts.subject,
    }
}

/// The text. Writing into a string cannot fail.
fn plain(parts: &Parts, end: Option<(&str, &str)>, origin: &str) -> String {
    let mut plain = format!("{}\n\n{}\n", parts.greeting, parts.text);
    for (line, url) in &parts.list {
        let _ = write!(plain, "\n* {line}\n  {url}\n");
    }
    if let Some(more) = &parts.more {
        let _ = write!(plain, "\n{more}\n");
    }
    if let Some((url, words)) = &parts.link {
        let _ = write!(plain, "\n{words}: {url}\n");
    }
    if let Some(note) = parts.note {
        let _ = write!(plain, "\n{note}\n");
    }
    let _ = write!(plain, "\n-- \nTochki, {origin}\n");
    if let Some((url, words)) = end {
        let _ = writeln!(plain, "{words}: {url}");
    }
    plain
}

/// The document of HTML that says the same.
fn html(parts: &Parts, end: Option<(&str, &str)>, language: Language, origin: &str) -> String {
    let link = |url: &str, words: &str| {
        let (url, words) = (escape(url), escape(words));
        format!("<a href=\"{url}\">{words}</a>")
    };
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"{}\" dir=\"{}\"><meta charset=\"utf-8\"><title>{}</title>",
        language.code(),
        language.direction(),
        escape(&parts.subject)
    );
    let mut paragraph = |content: &str| {
        let _ = write!(html, "<p>{content}</p>");
    };
    paragraph(&escape(&parts.greeting));
    paragraph(&escape(&parts.text));
    for (line, url) in &parts.list {
        paragraph(&link(url, line));
    }
    if let Some(more) = &parts.more {
        paragraph(&escape(more));
    }
    if let Some((url, words)) = &parts.link {
        paragraph(&link(url, words));
    }
    if let Some(note) = parts.note {
        paragraph(&escape(note));
    }
    paragraph(&format!("Tochki, {}", link(origin, origin)));
    if let Some((url, words)) = end {
        paragraph(&link(url, words));
    }
    html.push_str("</html>");
    html
}

fn parts(mail: &Mail, language: Language, origin: &str) -> Parts {
    let hello = |name: &String| t!(language, mail.hello, name = name);
    let end_of = |token: &String| Some(format!("{origin}/mail/unsubscribe/{token}"));
    let parts = |subject: String, name: &String, text: String| Parts {
        subject,
        greeting: hello(name),
        text,
        list: Vec::new(),
        more: None,
        link: None,
        note: None,
        unsubscribe: None,
    };
    match mail {
        Mail::Confirm { name, token } => {
            let subject = t!(language, mail.confirm_title).to_owned();
            let link = format!("{origin}/mail/confirm?token={token}");
            Parts {
                link: Some((link, t!(language, mail.confirm))),
                note: Some(t!(language, mail.ignore)),
                ..parts(subject, name, t!(language, mail.confirm_text).to_owned())
            }
        }
        Mail::Changed { name } => {
            let subject = t!(language, mail.changed_subject).to_owned();
            Parts {
                note: Some(t!(language, mail.not_you)),
                ..parts(subject, name, t!(language, mail.changed_text).to_owned())
            }
        }
        Mail::Reset { name, token } => {
            let subject = t!(language, mail.reset_title).to_owned();
            let link = format!("{origin}/mail/reset?token={token}");
            Parts {
                link: Some((link, t!(language, mail.reset))),
                note: Some(t!(language, mail.ignore)),
                ..parts(subject, name, t!(language, mail.reset_text).to_owned())
            }
        }
        Mail::SignIn {
            name,
            agent,
            at,
            unsubscribe,
        } => {
            let browser = if agent.is_empty() { "–" } else { agent };
            let time = date::minute(*at);
            let text = t!(language, mail.sign_in_text, browser = browser, time = time);
            Parts {
                note: Some(t!(language, mail.not_you)),
                unsubscribe: end_of(unsubscribe),
                ..parts(t!(language, mail.sign_in_subject).to_owned(), name, text)
            }
        }
        Mail::YourTurn {
            name,
            notification,
            left,
            until,
            unsubscribe,
        } => {
            let (subject, game) = push_words(notification, language.code());
            let time = date::minute(*until);
            let text = t!(
                language,
                mail.turn_text,
                count = hours(*left),
                game = game,
                time = time
            );
            let link = format!("{origin}{}", notification.place());
            Parts {
                link: Some((link, t!(language, mail.turn_open))),
                unsubscribe: end_of(unsubscribe),
                ..parts(subject, name, text)
            }
        }
        Mail::TournamentSoon {
            name,
            notification,
            at,
            unsubscribe,
        } => {
            let (subject, _) = push_words(notification, language.code());
            let text = t!(language, mail.tournament_text, time = date::minute(*at));
            let link = format!("{origin}{}", notification.place());
            Parts {
                link: Some((link, t!(language, mail.tournament_open))),
                unsubscribe: end_of(unsubscribe),
                ..parts(subject, name, text)
            }
        }
        Mail::Digest {
            name,
            notifications,
            count,
            unsubscribe,
        } => {
            let list = notifications.iter().map(|notification| {
                let (line, _) = push_words(notification, language.code());
                (line, format!("{origin}{}", notification.place()))
            });
            let list: Vec<_> = list.collect();
            let more = *count as usize - list.len().min(*count as usize);
            let more = u32::try_from(more).ok().filter(|more| *more > 0);
            let link = format!("{origin}/notifications");
            Parts {
                list,
                more: more.map(|more| t!(language, mail.digest_more, count = more)),
                link: Some((link, t!(language, notifications.title))),
                unsubscribe: end_of(unsubscribe),
                ..parts(
                    t!(language, mail.digest_subject, count = *count),
                    name,
                    t!(language, mail.digest_text).to_owned(),
                )
            }
        }
    }
}

/// The nearest number of whole hours, at least one.
fn hours(left: Millis) -> u32 {
    let hour = Millis::from_hours(1).0;
    let hours = (left.0 + hour / 2) / hour;
    u32::try_from(hours).unwrap_or_default().max(1)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
