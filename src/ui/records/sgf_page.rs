//! The viewer for an uploaded SGF record, which is not stored.

use crate::ui::analysis::record_address;
use crate::ui::games;
use crate::ui::records::{parse_error_text, result_text, stop_text};
use crate::ui::replay::{MoveSequence, ReplayView};
use crate::ui::steps::read_requested_ply;
use crate::ui::text::side;
use crate::ui::text::{language, say, versus};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use tochki_protocol::limits;
use tochki_rules::record::{ParsedRecord, SgfError, parse_variations};
use tochki_rules::{Seat, Setup};

/// An uploaded record, as `http::records` has parsed it. The page finds it in its context.
#[derive(Clone, Debug)]
pub struct UploadedRecord {
    /// The SGF text.
    pub sgf: String,
    /// The parsed record.
    pub reading: Result<ParsedRecord, UploadError>,
    /// The requested ply, as text.
    pub ply: Option<String>,
    /// A step from there.
    pub step: Option<String>,
}

/// Why there is nothing to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadError {
    /// The upload was empty.
    Empty,
    /// The upload was too large.
    TooLarge,
    /// It is not a record of a supported game.
    Sgf(SgfError),
}

/// `/sgf`, for everyone. Posting a record here shows its game.
#[component]
pub(crate) fn SgfPage() -> impl IntoView {
    let language = language();
    let uploaded = use_context::<UploadedRecord>();
    let (sgf, error) = match uploaded {
        Some(UploadedRecord {
            sgf,
            reading: Ok(reading),
            ply,
            step,
        }) => {
            let last = reading.record.plies.len();
            let ply = read_requested_ply(ply.as_deref(), step.as_deref(), last);
            return view! { <RecordView reading ply sgf /> }.into_any();
        }
        Some(UploadedRecord {
            sgf,
            reading: Err(error),
            ..
        }) => (sgf, Some(error)),
        None => (String::new(), None),
    };
    let error_text = error.map(|error| match error {
        UploadError::Empty => say!(language, record.nothing).to_owned(),
        UploadError::TooLarge => say!(language, record.too_large).to_owned(),
        UploadError::Sgf(why) => parse_error_text(language, why),
    });
    view! {
        <Title text=say!(language, record.title) />
        <section class="card narrow">
            <h1>{say!(language, record.title)}</h1>
            <p>{say!(language, record.intro)}</p>
            <p role="alert" class="refusal">
                {error_text}
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

/// The game, and the remarks of its record.
#[component]
fn RecordView(reading: ParsedRecord, ply: Option<usize>, sgf: String) -> impl IntoView {
    let language = language();
    let ParsedRecord {
        record,
        invalid_move: ended,
    } = reading;
    let sequence = MoveSequence::of_record(&record);
    let analysis = parse_variations(&sgf).ok();
    let analysis = analysis.and_then(|variations| record_address(&record, &variations));
    let sides = Seat::BOTH.map(|seat| {
        let side = &record.players[seat.index()];
        let name = if side.name.trim().is_empty() {
            side::colour(language, seat).to_owned()
        } else {
            truncated(&side.name)
        };
        (name, truncated(&side.rank))
    });
    let name = |seat: Seat| sides[seat.index()].0.clone();
    let title = versus(&Seat::BOTH.map(name));
    let board = games::describe_setup(language, Setup::Dots(record.setup));
    let terms = if record.date.is_empty() {
        board
    } else {
        format!("{board} · {}", truncated(&record.date))
    };
    let ending = record.result.map(|it| result_text(language, it, name));
    let ended = ended.map(|ended| stop_text(language, ended));
    let comment = Some(record.comment).filter(|comment| !comment.trim().is_empty());
    view! {
        <Title text=say!(language, record.title) />
        // Without scripts the form of the steps posts the record again, because it is not stored.
        <noscript inner_html=hidden_sgf_field(&sgf)></noscript>
        <ReplayView title terms sequence ply sides addressed=false>
            <h2>{say!(language, record.heading)}</h2>
            {ended.map(|ended| view! { <p role="alert" class="refusal">{ended}</p> })}
            {ending.map(|ending| view! { <p>{ending}</p> })}
            {comment.map(|comment| view! { <p class="comment">{comment}</p> })}
            <p class="note">{say!(language, record.not_kept)}</p>
            <p class="button-row">
                <a class="button quiet" href="/sgf">{say!(language, record.another)}</a>
                {analysis.map(|address| view! { <a href=address>{say!(language, analysis.link)}</a> })}
            </p>
        </ReplayView>
    }
}

fn hidden_sgf_field(sgf: &str) -> String {
    let value = escaped(sgf);
    format!(r#"<input type="hidden" form="steps" name="sgf" value="{value}">"#)
}

/// Escapes a text for an attribute or a `textarea`, whose text Leptos would not escape.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('\r', "&#13;")
        .replace('\n', "&#10;")
}

/// The beginning of a long text.
fn truncated(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(limits::RECORD_TEXT_MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_sgf_field_stays_in_its_quotes() {
        let field = hidden_sgf_field("(;C[\"><script>alert(1)</script>&amp;\r\n])");
        assert_eq!(
            field,
            r#"<input type="hidden" form="steps" name="sgf" value="(;C[&quot;>&lt;script>alert(1)&lt;/script>&amp;amp;&#13;&#10;])">"#
        );
    }

    #[test]
    fn long_texts_are_cut_off() {
        assert_eq!(truncated(" Аня "), "Аня");
        assert_eq!(
            truncated(&"я".repeat(90)).chars().count(),
            limits::RECORD_TEXT_MAX_CHARS + 1
        );
    }
}
