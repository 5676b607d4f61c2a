//! How a tournament works, and who may enter it.

use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::{EntryConditions, Tournament};

/// The rules of an arena, and the conditions of entering.
#[component]
pub(super) fn Rules(tournament: Tournament) -> impl IntoView {
    let language = language();
    let conditions = conditions(language, &tournament.entry);
    let conditions = conditions
        .into_iter()
        .map(|text| view! { <li>{text}</li> })
        .collect_view();
    let scores = if tournament.streaks {
        t!(language, tournaments.scores_streaks)
    } else {
        t!(language, tournaments.scores)
    };
    let last = if tournament.last_games {
        t!(language, tournaments.end_counts)
    } else {
        t!(language, tournaments.end_does_not_count)
    };
    let first_move = t!(
        language,
        tournaments.first_move,
        seconds = tournament.first_move.0 / 1000
    );
    view! {
        <section class="card" aria-labelledby="who-title">
            <h2 id="who-title">{t!(language, tournaments.who)}</h2>
            <ul>{conditions}</ul>
        </section>
        <section class="card" aria-labelledby="rules-title">
            <h2 id="rules-title">{t!(language, tournaments.rules)}</h2>
            <ul>
                <li>{t!(language, tournaments.arena_about)}</li>
                <li>{scores}</li>
                <li>{first_move}</li>
                <li>{last}</li>
            </ul>
        </section>
    }
}

/// Returns the conditions of entering in words.
fn conditions(language: Language, entry: &EntryConditions) -> Vec<String> {
    let mut texts = Vec::new();
    let EntryConditions {
        min_rating,
        max_rating,
        min_games,
        min_age_days,
        ..
    } = *entry;
    if let Some(rating) = min_rating {
        texts.push(t!(language, tournaments.from_rating, rating));
    }
    if let Some(rating) = max_rating {
        texts.push(t!(language, tournaments.to_rating, rating));
    }
    if let Some(games) = min_games {
        texts.push(t!(language, tournaments.from_games, games));
    }
    if let Some(days) = min_age_days {
        texts.push(t!(language, tournaments.from_age, days));
    }
    if entry.password {
        texts.push(t!(language, tournaments.with_password).to_owned());
    }
    if texts.is_empty() {
        texts.push(t!(language, tournaments.everybody).to_owned());
    }
    if entry.guests {
        texts.push(t!(language, tournaments.guests_too).to_owned());
    }
    if entry.bots {
        texts.push(t!(language, tournaments.bots_too).to_owned());
    }
    texts
}
