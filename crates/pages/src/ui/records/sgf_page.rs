//! The viewer for an uploaded SGF record, which is not stored.

use crate::ui::analysis::{Addresses, record_addresses};
use crate::ui::fingerprint::fingerprint;
use crate::ui::forms::escaped;
use crate::ui::games;
use crate::ui::page::title::PageTitle;
use crate::ui::records::game_list::GameList;
use crate::ui::records::markup::{hidden_field, truncated};
use crate::ui::records::uploaded_record::{UploadError, UploadedRecord};
use crate::ui::records::{damage_text, other_rules_text, parse_error_text, result_text, stop_text};
use crate::ui::replay::{MoveSequence, ReplayView};
use crate::ui::steps::read_requested_ply;
use crate::ui::text::side;
use crate::ui::text::{language, t, versus};
use crate::ui::view::view;
use leptos::nonce::use_nonce;
use leptos::prelude::*;
use std::sync::Arc;
use tochki_rules::record::FullRecord;
use tochki_rules::{GameKind, Seat, Setup};

/// `/sgf`, for everyone. Posting a record here shows its game.
#[component]
pub(crate) fn SgfPage() -> impl IntoView {
    let language = language();
    let uploaded = use_context::<UploadedRecord>();
    if let Some(uploaded) = &uploaded
        && let Ok(reading) = uploaded.reading.clone()
    {
        let UploadedRecord { ply, step, .. } = uploaded;
        let last = reading.record.plies.len();
        let ply = read_requested_ply(ply.as_deref(), step.as_deref(), last);
        let uploaded = uploaded.clone();
        return view! { <RecordView reading ply uploaded /> }.into_any();
    }
    let (sgf, error) = match &uploaded {
        Some(uploaded) => (uploaded.sgf.clone(), uploaded.reading.clone().err()),
        None => (String::new(), None),
    };
    let games = uploaded.map(|uploaded| view! { <GameList uploaded open=true /> });
    let error_text = error.map(|error| match error {
        UploadError::Empty => t!(language, record.nothing).to_owned(),
        UploadError::TooLarge => t!(language, record.too_large).to_owned(),
        UploadError::Sgf(why) => parse_error_text(language, why),
    });
    view! {
        <PageTitle text=t!(language, record.title) description=t!(language, record.intro) />
        <section class="card narrow">
            <h1>{t!(language, record.title)}</h1>
            <p>{t!(language, record.intro)}</p>
            <p role="alert" class="refusal">
                {error_text}
            </p>
            {games}
            <form action="/sgf" method="post" enctype="multipart/form-data">
                <div class="field">
                    <label for="file">{t!(language, record.file)}</label>
                    <input id="file" name="file" type="file" accept=".sgf,.txt,application/x-go-sgf,text/plain" />
                </div>
                <div class="field">
                    <label for="sgf">{t!(language, record.text)}</label>
                    <textarea id="sgf" name="sgf" rows="6" spellcheck="false" autocomplete="off" inner_html=escaped(&sgf)></textarea>
                </div>
                <button type="submit">{t!(language, record.show)}</button>
            </form>
        </section>
    }
    .into_any()
}

/// The game, and the remarks of its record.
#[component]
fn RecordView(
    reading: Arc<FullRecord>,
    ply: Option<usize>,
    uploaded: UploadedRecord,
) -> impl IntoView {
    let language = language();
    let FullRecord {
        record,
        invalid_move: ended,
        variations,
        damage,
        other_rules,
        is_shortened,
    } = &*reading;
    let sequence = MoveSequence::of_record(record);
    let analysis = record_addresses(record, variations);
    let analysis = analysis.map(|addresses| view! { <AnalysisLink addresses /> });
    let sides = Seat::BOTH.map(|seat| {
        let side = &record.players[seat.index()];
        let name = if side.name.trim().is_empty() {
            side::colour(language, GameKind::Dots, seat).to_owned()
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
    let mut troubles = Vec::new();
    troubles.extend(ended.map(|ended| stop_text(language, ended)));
    troubles.extend(damage.map(|damage| damage_text(language, damage)));
    troubles.extend(is_shortened.then(|| t!(language, record.shortened).to_owned()));
    let troubles = troubles.into_iter();
    let troubles = troubles.map(|text| view! { <p role="alert" class="refusal">{text}</p> });
    let other_rules = other_rules.as_ref();
    let other_rules = other_rules.map(|other| other_rules_text(language, other));
    let comment = Some(record.comment.clone()).filter(|comment| !comment.trim().is_empty());
    let hidden = hidden_field("sgf", &uploaded.sgf, Some("steps"))
        + &hidden_field("game", &(uploaded.game + 1).to_string(), Some("steps"));
    view! {
        <PageTitle text=t!(language, record.title) description=t!(language, record.intro) />
        // Without scripts the form of the steps posts the record again, because it is not stored.
        <noscript inner_html=hidden></noscript>
        <ReplayView title terms sequence ply sides versioned_url=false>
            <h2>{t!(language, record.heading)}</h2>
            {troubles.collect_view()}
            {other_rules.map(|told| view! { <p role="status" class="other-rules">{told}</p> })}
            {ending.map(|ending| view! { <p>{ending}</p> })}
            {comment.map(|comment| view! { <p class="comment">{comment}</p> })}
            <GameList uploaded open=false />
            <p class="note">{t!(language, record.not_kept)}</p>
            <p class="button-row">
                <a class="button quiet" href="/sgf">{t!(language, record.another)}</a>
                {analysis}
            </p>
        </ReplayView>
    }
}

/// The script that keeps the rest of a study for which a link has no room. It is in the page, so that it has run when the link
/// can be followed.
const KEEP_STUDY: &str = include_str!("../../../../../public/keep_study.js");

/// The link to the analysis. A script keeps the rest of the study for which its address has no room in this tab; without scripts
/// there is no analysis either.
#[component]
fn AnalysisLink(addresses: Addresses) -> impl IntoView {
    let text = t!(language(), analysis.link);
    if addresses.left_out.is_none() {
        return view! { <a href=addresses.short>{text}</a> }.into_any();
    }
    let id = fingerprint(&addresses.whole);
    view! {
        <a href=addresses.with_kept(&id) data-study=addresses.whole data-kept=id>
            {text}
        </a>
        <script nonce=use_nonce() inner_html=KEEP_STUDY></script>
    }
    .into_any()
}
