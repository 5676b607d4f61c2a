//! Profiles, standings, and the history of the caller's games.

use crate::codec::Query;
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{HistoryPage, Profile, Standings, StandingsEntry};

/// The public profile of the player with this name, ignoring case. `game` is the game of the graph, by default the one
/// played most; `page` is the page of the finished matches.
///
/// `{id, name, guest, closed, since, playing: id or null, games: [{game, rating, rated, seats: [{won, drawn, lost}, …],
/// streak: null | {outcome, length}, best_streak}, …], game, graph: [{at, rating}, …], past: HistoryPage, between: null |
/// [{game, tally: {won, drawn, lost}}, …]}`. `seats` are matches with seat 1 and seat 2, rated or not; a guest's `rating` is
/// null; `between` are the caller's results against this player. 404 `no_such_player`, 400 `unknown_game`,
/// `invalid_page`.
#[server(name = ReadProfile, prefix = "/api", endpoint = "profile", protocol = Query)]
pub async fn profile(
    name: String,
    game: Option<String>,
    page: Option<String>,
) -> Result<Profile, ErrorResponse> {
    use tochki_protocol::Page;

    crate::context::answer_page(async move {
        let game = game.filter(|game| !game.is_empty());
        let game = game.map(|game| crate::context::game(&game)).transpose()?;
        let page = Page::read(page.as_deref())?;
        let viewer = crate::context::caller().await?;
        crate::context::arena()?
            .stats
            .profile(&name, game, page, viewer.as_ref())
            .await
    })
    .await
}

/// A page of the standings of a game: of people, or with `bots` of bots.
///
/// `{game, players: [{place, player: {id, name, rating}, games}, …], page, pages, total, mine: null | [{place, player,
/// games}, page]}`; `games` are rated ones. 400 `unknown_game`, `invalid_page`.
#[server(name = ReadStandings, prefix = "/api", endpoint = "standings", protocol = Query)]
pub async fn standings(
    game: String,
    bots: Option<bool>,
    page: Option<String>,
) -> Result<Standings, ErrorResponse> {
    use tochki_protocol::Page;

    crate::context::answer_page(async move {
        let game = crate::context::game(&game)?;
        let page = Page::read(page.as_deref())?;
        let viewer = crate::context::caller().await?;
        crate::context::arena()?
            .stats
            .standings(game, bots.unwrap_or(false), page, viewer.as_ref())
            .await
    })
    .await
}

/// The ten best people of a game, as in [`standings`].
#[server(name = ReadTop, prefix = "/api", endpoint = "top", protocol = Query)]
pub async fn top(game: String) -> Result<Vec<StandingsEntry>, ErrorResponse> {
    crate::context::answer(async move {
        crate::context::arena()?
            .stats
            .top(crate::context::game(&game)?)
            .await
    })
    .await
}

/// The caller's finished matches, latest first. `opponent` is a part of a name, ignoring case; `result` is `won`,
/// `drawn` or `lost`.
///
/// `{games: [{id, game, seat, opponent: {id, name, rating}, outcome, reason, score, rating: null | {before, after},
/// finished_at}, …], page, pages, total}`, the opponent's rating being the one at the start. 401 `signed_out`, 400
/// `unknown_game`, `invalid_filter`, `invalid_page`.
#[server(name = ReadHistory, prefix = "/api", endpoint = "history", protocol = Query)]
pub async fn history(
    game: Option<String>,
    opponent: Option<String>,
    result: Option<String>,
    page: Option<String>,
) -> Result<HistoryPage, ErrorResponse> {
    use tochki_protocol::{HistoryFilter, Page};

    crate::context::answer_page(async move {
        let player = crate::context::player().await?;
        let filter = HistoryFilter::read(game.as_deref(), opponent.as_deref(), result.as_deref())?;
        let page = Page::read(page.as_deref())?;
        crate::context::arena()?
            .stats
            .history(&player, &filter, page)
            .await
    })
    .await
}
