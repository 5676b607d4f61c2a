//! The games of an uploaded text that has several, to choose one.

use crate::ui::records::markup::{hidden_field, truncated};
use crate::ui::records::result_text;
use crate::ui::records::uploaded_record::UploadedRecord;
use crate::ui::text::side;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::record::GameSummary;
use tochki_rules::{GameKind, Seat};

/// The list, open or closed. Nothing where there is one game.
#[component]
pub(crate) fn GameList(
    uploaded: UploadedRecord,
    /// Whether the list is open.
    open: bool,
) -> impl IntoView {
    let language = language();
    let UploadedRecord {
        sgf,
        games,
        games_count,
        game: shown,
        ..
    } = uploaded;
    if games_count < 2 {
        return None;
    }
    let more = games_count - games.len();
    let more = (more > 0).then(|| view! { <p>{t!(language, record.more_games, count = more)}</p> });
    let rows = games.iter().enumerate().map(|(place, game)| {
        let current = (place == shown).then_some("true");
        view! {
            <li>
                <button type="submit" class="quiet" name="game" value=place + 1 aria-current=current>
                    {title(language, game)}
                </button>
                <span class="note">{about(language, game)}</span>
            </li>
        }
    });
    Some(view! {
        <details class="record-games" open=open>
            <summary>
                {t!(language, record.games, number = shown + 1, count = games_count)}
            </summary>
            // The text is sent again, because it is not stored.
            <form action="/sgf" method="post">
                <div inner_html=hidden_field("sgf", &sgf, None)></div>
                <ol>{rows.collect_view()}</ol>
                {more}
            </form>
        </details>
    })
}

/// Returns the names of the players.
fn title(language: Language, game: &GameSummary) -> String {
    Seat::BOTH
        .map(|seat| name(language, game, seat))
        .join(" – ")
}

fn name(language: Language, game: &GameSummary, seat: Seat) -> String {
    let name = truncated(&game.players[seat.index()].name);
    if name.is_empty() {
        side::colour(language, GameKind::Dots, seat).to_owned()
    } else {
        name
    }
}

/// Returns the other known facts of a game.
fn about(language: Language, game: &GameSummary) -> String {
    if !game.is_dots {
        return t!(language, record.another_game).to_owned();
    }
    let moves = t!(language, record.moves, count = game.moves);
    let result = game.result;
    let result = result.map(|it| result_text(language, it, |seat| name(language, game, seat)));
    let parts = [truncated(&game.date), moves, result.unwrap_or_default()];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}
