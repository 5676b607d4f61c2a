//! The bracket of a knockout: a table for each round, side by side where there is room, below each other on a phone.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::{
    BracketDuel, BracketGame, BracketPlayer, BracketRound, TournamentBracket, TournamentFormat,
    TournamentId,
};

/// Reads the bracket of a tournament. Other formats have none.
pub(super) async fn shown_bracket(id: TournamentId) -> Result<TournamentBracket, ErrorResponse> {
    match api::tournament(id).await?.format {
        TournamentFormat::Knockout => api::tournament_bracket(id).await,
        _ => Ok(TournamentBracket::default()),
    }
}

/// The bracket, once its first round has begun.
#[component]
pub(super) fn Bracket(bracket: TournamentBracket) -> impl IntoView {
    let language = language();
    let all = bracket.rounds.len();
    let rounds = bracket.rounds.into_iter().enumerate().map(|(at, round)| {
        let title = round_title(language, round.number, all - at);
        view! { <RoundTable round title /> }
    });
    view! {
        <section class="card">
            <h2 id="bracket-title">{t!(language, tournaments.bracket)}</h2>
            // Wider than a window: it scrolls by itself, also with keys.
            <div class="bracket" tabindex="0" role="region" aria-labelledby="bracket-title">
                {rounds.collect_view()}
            </div>
        </section>
    }
}

/// Returns the name of a round, of which so many are left with it.
fn round_title(language: Language, number: u32, left: usize) -> String {
    match left {
        1 => t!(language, tournaments.the_final).to_owned(),
        2 => t!(language, tournaments.semifinals).to_owned(),
        _ => t!(language, tournaments.round, number),
    }
}

/// The duels of a round: two rows each.
#[component]
fn RoundTable(round: BracketRound, title: String) -> impl IntoView {
    let language = language();
    let is_first = round.number == 1;
    let duels = round
        .duels
        .into_iter()
        .map(|duel| view! { <DuelRows duel is_first /> });
    view! {
        <table class="listed bracket-round">
            <caption>{title}</caption>
            <thead class="hidden">
                <tr>
                    <th scope="col">{t!(language, tournaments.seed)}</th>
                    <th scope="col">{t!(language, waiting.name)}</th>
                    <th scope="col">{t!(language, tournaments.points)}</th>
                    <th scope="col">{t!(language, tournaments.games)}</th>
                </tr>
            </thead>
            {duels.collect_view()}
        </table>
    }
}

#[component]
fn DuelRows(duel: BracketDuel, is_first: bool) -> impl IntoView {
    let language = language();
    let BracketDuel {
        players,
        points,
        winner,
        games,
    } = duel;
    let [first, second] = players;
    let points = points.map(|points| points.map(|points| points.to_string()));
    let row = |at: usize, player: Option<BracketPlayer>, games: Option<AnyView>| {
        let has_won = winner.is_some_and(|winner| usize::from(winner) == at + 1);
        let seed = player.as_ref().map(|player| player.seed);
        let name = match player {
            Some(BracketPlayer { player, .. }) => {
                view! { <PlayerName name=player.name guest=player.guest bot=player.bot /> }
                    .into_any()
            }
            None if is_first => {
                view! { <span class="note">{t!(language, tournaments.bye)}</span> }.into_any()
            }
            None => view! { <span class="note">"–"</span> }.into_any(),
        };
        let won = has_won.then(|| {
            view! { " " <span class="won" role="img" aria-label=t!(language, tournaments.goes_on)>"✓"</span> }
        });
        let own = points.as_ref().map(|points| points[at].clone());
        view! {
            <tr class:winner=has_won>
                <td class="number place">{seed}</td>
                <th scope="row">{name} {won}</th>
                <td class="number">{own}</td>
                {games}
            </tr>
        }
    };
    let links = games.iter().map(|game| game_link(language, game));
    let links = links.collect_view();
    let cell = view! { <td rowspan="2" class="bracket-games">{links}</td> }.into_any();
    view! {
        <tbody>
            {row(0, first, Some(cell))}
            {row(1, second, None)}
        </tbody>
    }
}

/// Returns the result of a game, as of the upper player, which leads to it.
fn game_link(language: Language, game: &BracketGame) -> impl IntoView + use<> {
    let (sign, words) = match (game.winner, game.forfeit) {
        (None, _) => ("…", Some(t!(language, tournaments.now))),
        (Some(1), true) => ("+:−", Some(t!(language, tournaments.forfeit))),
        (Some(1), false) => ("1:0", None),
        (Some(2), true) => ("−:+", Some(t!(language, tournaments.forfeit))),
        (Some(2), false) => ("0:1", None),
        (Some(_), _) => ("½:½", None),
    };
    match game.match_id {
        Some(id) => view! { <a href=format!("/match/{id}") title=words>{sign}</a> " " }.into_any(),
        None => view! { <span title=words>{sign}</span> " " }.into_any(),
    }
}
