//! How a tournament works, and who may enter it.

use crate::ui::text::{Language, language, t};
use crate::ui::tournaments::standings::{tie_break_about, tie_break_name};
use crate::ui::tournaments::summary::break_text;
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::{
    EntryConditions, MissedGame, Tournament, TournamentFormat, TournamentRounds, limits,
};

/// The rules of the format, and the conditions of entering.
#[component]
pub(super) fn Rules(tournament: Tournament) -> impl IntoView {
    let language = language();
    let conditions = conditions(language, &tournament.entry);
    let conditions = conditions
        .into_iter()
        .map(|text| view! { <li>{text}</li> })
        .collect_view();
    let rounds = (tournament.rounds.as_ref()).filter(|rounds| !rounds.tie_breaks.is_empty());
    let tie_breaks = rounds.map(|rounds| {
        let kinds = rounds.tie_breaks.iter().map(|&kind| {
            view! {
                <dt>{tie_break_name(language, kind)}</dt>
                <dd>{tie_break_about(language, kind)}</dd>
            }
        });
        view! {
            <h3>{t!(language, tournaments.tie_breaks)}</h3>
            <dl>{kinds.collect_view()}</dl>
            <p class="note">{t!(language, tournaments.about_unplayed)}</p>
        }
    });
    let rules = match &tournament.rounds {
        Some(rounds) => of_rounds(language, &tournament, rounds),
        None => of_arena(language, &tournament),
    };
    let rules = rules.into_iter().map(|text| view! { <li>{text}</li> });
    let rules = rules.collect_view();
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
                {rules}
                <li>{first_move}</li>
            </ul>
            {tie_breaks}
        </section>
    }
}

/// Returns the rules of an arena in words.
fn of_arena(language: Language, tournament: &Tournament) -> Vec<String> {
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
    let about = t!(language, tournaments.arena_about);
    let berserk = (tournament.berserk).then(|| t!(language, tournaments.berserk_rule));
    let texts = [about, scores, last].into_iter().chain(berserk);
    let one_address = t!(
        language,
        tournaments.about_one_address,
        players = limits::TOURNAMENT_OTHERS_TO_MEET
    );
    texts.map(str::to_owned).chain([one_address]).collect()
}

/// Returns the rules of a Swiss or a round robin in words.
fn of_rounds(
    language: Language,
    tournament: &Tournament,
    rounds: &TournamentRounds,
) -> Vec<String> {
    if tournament.format == TournamentFormat::Knockout {
        return of_duels(language, rounds);
    }
    let is_swiss = tournament.format == TournamentFormat::Swiss;
    let about = if is_swiss {
        t!(language, tournaments.swiss_about)
    } else if rounds.double {
        t!(language, tournaments.double_about)
    } else {
        t!(language, tournaments.round_robin_about)
    };
    let mut texts = vec![
        about.to_owned(),
        t!(language, tournaments.round_scores).to_owned(),
    ];
    if is_swiss {
        texts.push(t!(language, tournaments.about_byes).to_owned());
        texts.push(t!(language, tournaments.about_presence).to_owned());
    } else if let Some(missed) = rounds.missed {
        texts.extend(of_appointments(language, missed));
        texts.push(t!(language, tournaments.about_withdrawal).to_owned());
    } else {
        texts.push(t!(language, tournaments.about_table).to_owned());
        texts.push(t!(language, tournaments.about_withdrawal).to_owned());
    }
    texts.push(match rounds.days {
        Some(days) => t!(language, tournaments.about_round_days, days),
        None => t!(
            language,
            tournaments.about_break,
            time = break_text(language, rounds.break_seconds)
        ),
    });
    let moves = rounds.offers_after;
    if moves > 0 {
        texts.push(t!(language, tournaments.about_offers, moves));
    }
    texts.push(if rounds.is_by_appointment() {
        t!(language, tournaments.about_missed).to_owned()
    } else {
        t!(language, tournaments.about_no_shows).to_owned()
    });
    texts
}

/// Returns the rules of games by appointment in words.
fn of_appointments(language: Language, missed: MissedGame) -> [String; 4] {
    let nobody = match missed {
        MissedGame::Half => t!(language, tournaments.about_missed_half),
        MissedGame::Lot => t!(language, tournaments.about_missed_lot),
    };
    [
        t!(language, tournaments.about_appointments).to_owned(),
        t!(
            language,
            tournaments.about_waiting,
            minutes = limits::APPOINTMENT_WAIT.as_secs() / 60
        ),
        nobody.to_owned(),
        t!(language, tournaments.about_no_proposals).to_owned(),
    ]
}

/// Returns the rules of a knockout in words.
fn of_duels(language: Language, rounds: &TournamentRounds) -> Vec<String> {
    let games = rounds.best_of.unwrap_or(1);
    let mut texts = vec![
        t!(language, tournaments.knockout_about).to_owned(),
        t!(language, tournaments.best_of_about, count = games),
        t!(language, tournaments.play_off_about).to_owned(),
        t!(language, tournaments.last_game_about).to_owned(),
        t!(language, tournaments.about_table).to_owned(),
        t!(
            language,
            tournaments.about_break,
            time = break_text(language, rounds.break_seconds)
        ),
    ];
    let moves = rounds.offers_after;
    if moves > 0 {
        texts.push(t!(language, tournaments.about_offers, moves));
    }
    texts.push(t!(language, tournaments.about_no_shows).to_owned());
    texts
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
