//! Profiles, standings, and the history of the caller's games.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{HistoryPage, Pace, Profile, Standings, StandingsEntry};

/// The public profile of the player with this name, ignoring case. `game` is the game of the graph, by default the one
/// played most; `page` is the page of the finished matches.
#[endpoint(
    name = ReadProfile,
    get = "/api/profile",
    scope = Read,
    answers = "Profile",
    errors(NoSuchPlayer, UnknownGame, InvalidPage),
    page,
)]
pub async fn profile(
    app: AppState,
    viewer: Option<Player>,
    name: String,
    game: Option<String>,
    pace: Option<Pace>,
    page: Option<String>,
) -> Result<Profile, ErrorResponse> {
    use tochki_protocol::Page;

    let game = game.filter(|game| !game.is_empty());
    let game = game.map(|game| crate::context::game(&game)).transpose()?;
    let page = Page::read(page.as_deref())?;
    app.stats
        .profile(
            &name,
            game,
            pace.unwrap_or_default(),
            page,
            viewer.as_deref(),
        )
        .await
}

/// A page of the standings of a game: of people, or with `bots` of bots.
#[endpoint(
    name = ReadStandings,
    get = "/api/standings",
    scope = Read,
    answers = "`{game, pace, players: [StandingsEntry, …], page, pages, total, mine: null or [StandingsEntry, page]}`, 50 a page",
    errors(UnknownGame, InvalidPage),
    page,
)]
pub async fn standings(
    app: AppState,
    viewer: Option<Player>,
    game: String,
    pace: Option<Pace>,
    bots: Option<bool>,
    page: Option<String>,
) -> Result<Standings, ErrorResponse> {
    use tochki_protocol::Page;

    let game = crate::context::game(&game)?;
    let page = Page::read(page.as_deref())?;
    app.stats
        .standings(
            game,
            pace.unwrap_or_default(),
            bots.unwrap_or(false),
            page,
            viewer.as_deref(),
        )
        .await
}

/// The ten best people of a game.
#[endpoint(
    name = ReadTop,
    get = "/api/top",
    scope = Read,
    answers = "`[StandingsEntry, …]`, the best ten people; while fewer are ranked, those with provisional ratings follow",
    errors(UnknownGame),
)]
pub async fn top(app: AppState, game: String) -> Result<Vec<StandingsEntry>, ErrorResponse> {
    app.stats.top(crate::context::game(&game)?).await
}

/// The caller's finished matches, latest first. `opponent` is a part of a name, ignoring case; `result` is `won`,
/// `drawn` or `lost`.
#[endpoint(
    name = ReadHistory,
    get = "/api/history",
    scope = Read,
    answers = "HistoryPage of the caller, 30 a page",
    errors(UnknownGame, InvalidFilter, InvalidPage),
    page,
)]
pub async fn history(
    app: AppState,
    player: Player,
    game: Option<String>,
    opponent: Option<String>,
    result: Option<String>,
    page: Option<String>,
) -> Result<HistoryPage, ErrorResponse> {
    use tochki_protocol::{HistoryFilter, Page};

    let filter = HistoryFilter::read(game.as_deref(), opponent.as_deref(), result.as_deref())?;
    let page = Page::read(page.as_deref())?;
    app.stats.history(&player, &filter, page).await
}
