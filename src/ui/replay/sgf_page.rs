//! A game record that somebody brings along, to look at. Nothing of it is kept.

use crate::ui::games;
use crate::ui::replay::page::Played;
use crate::ui::replay::{Course, stop, unreadable, verdict};
use crate::ui::steps::read_asked;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos_meta::Title;
use tochki_rules::record::{Reading, Unreadable};
use tochki_rules::{Seat, Setup};

/// The most characters of a stranger's text that a page shows in one place.
const ENOUGH: usize = 40;

/// What a visitor has sent, as the door has read it; the page finds it in its context.
#[derive(Clone, Debug)]
pub struct Brought {
    /// The text itself.
    pub sgf: String,
    /// What is in it.
    pub reading: Result<Reading, Complaint>,
    /// The move that is to be shown, in the words of an address.
    pub ply: Option<String>,
    /// A step from there.
    pub step: Option<String>,
}

/// Why there is nothing to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// Nothing was sent.
    Nothing,
    /// More was sent than anybody reads.
    TooLarge,
    /// It is no record of a game of ours.
    Unreadable(Unreadable),
}

/// `/sgf`, for everyone. A form that is posted here is answered with the game.
#[component]
pub(crate) fn Sgf() -> impl IntoView {
    let language = language();
    let brought = use_context::<Brought>();
    let (sgf, complaint) = match brought {
        Some(Brought {
            sgf,
            reading: Ok(reading),
            ply,
            step,
        }) => {
            let last = reading.record.plies.len();
            let ply = read_asked(ply.as_deref(), step.as_deref(), last);
            return view! { <Shown reading ply sgf /> }.into_any();
        }
        Some(Brought {
            sgf,
            reading: Err(complaint),
            ..
        }) => (sgf, Some(complaint)),
        None => (String::new(), None),
    };
    let complaint = complaint.map(|complaint| match complaint {
        Complaint::Nothing => say!(language, record.nothing).to_owned(),
        Complaint::TooLarge => say!(language, record.too_large).to_owned(),
        Complaint::Unreadable(why) => unreadable(language, why),
    });
    view! {
        <Title text=say!(language, record.title) />
        <section class="card narrow">
            <h1>{say!(language, record.title)}</h1>
            <p>{say!(language, record.intro)}</p>
            <p role="alert" class="refusal">
                {complaint}
            </p>
            <form action="/sgf" method="post" enctype="multipart/form-data">
                <div class="field">
                    <label for="file">{say!(language, record.file)}</label>
                    <input id="file" name="file" type="file" accept=".sgf,.txt,application/x-go-sgf,text/plain" />
                </div>
                <div class="field">
                    <label for="sgf">{say!(language, record.text)}</label>
                    <textarea id="sgf" name="sgf" rows="6" spellcheck="false" autocomplete="off" inner_html=escaped(&sgf)></textarea>
                </div>
                <button type="submit">{say!(language, record.show)}</button>
            </form>
        </section>
    }
    .into_any()
}

/// The game, and what its record says about it.
#[component]
fn Shown(reading: Reading, ply: Option<usize>, sgf: String) -> impl IntoView {
    let language = language();
    let Reading {
        record,
        stop: ended,
    } = reading;
    let course = Course::recorded(&record);
    let sides = Seat::BOTH.map(|seat| {
        let side = &record.sides[seat.index()];
        let name = if side.name.trim().is_empty() {
            words::colour(language, seat).to_owned()
        } else {
            clipped(&side.name)
        };
        (name, clipped(&side.rank))
    });
    let name = |seat: Seat| sides[seat.index()].0.clone();
    let title = format!("{} – {}", sides[0].0, sides[1].0);
    let board = games::setup(language, Setup::Dots(record.setup));
    let terms = if record.date.is_empty() {
        board
    } else {
        format!("{board} · {}", clipped(&record.date))
    };
    let ending = record.verdict.map(|it| verdict(language, it, name));
    let ended = ended.map(|ended| stop(language, ended));
    let comment = Some(record.comment).filter(|comment| !comment.trim().is_empty());
    view! {
        <Title text=say!(language, record.title) />
        // Without scripts the form of the steps sends the game along, because nobody keeps it.
        <noscript inner_html=sent_along(&sgf)></noscript>
        <Played title terms course ply sides addressed=false>
            <h2>{say!(language, record.heading)}</h2>
            {ended.map(|ended| view! { <p role="alert" class="refusal">{ended}</p> })}
            {ending.map(|ending| view! { <p>{ending}</p> })}
            {comment.map(|comment| view! { <p class="comment">{comment}</p> })}
            <p class="note">{say!(language, record.not_kept)}</p>
            <p class="ways">
                <a class="button quiet" href="/sgf">{say!(language, record.another)}</a>
            </p>
        </Played>
    }
}

fn sent_along(sgf: &str) -> String {
    let value = escaped(sgf);
    format!(r#"<input type="hidden" form="steps" name="sgf" value="{value}">"#)
}

/// A text as markup: in an attribute, or in a `textarea`, whose text Leptos would leave as it is.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('\r', "&#13;")
        .replace('\n', "&#10;")
}

/// A stranger's text, if need be cut off.
fn clipped(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_along_stays_in_its_quotes() {
        let field = sent_along("(;C[\"><script>alert(1)</script>&amp;\r\n])");
        assert_eq!(
            field,
            r#"<input type="hidden" form="steps" name="sgf" value="(;C[&quot;>&lt;script>alert(1)&lt;/script>&amp;amp;&#13;&#10;])">"#
        );
    }

    #[test]
    fn long_texts_are_cut_off() {
        assert_eq!(clipped(" Аня "), "Аня");
        assert_eq!(clipped(&"я".repeat(90)).chars().count(), ENOUGH + 1);
    }
}
