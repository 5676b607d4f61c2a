//! Leagues: opening, joining, leaving, and how their seasons stand.

// The arguments of an endpoint are those of its function.
#![allow(clippy::too_many_arguments)]

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{ClockText, League, LeagueId, LeagueOverview, SetupText};

/// Opens a league. Its first season begins after so many days, 0 to 60, 7 by default. A league goes on by itself: a season has a double
/// round robin over days for each division of eight, and afterwards two players go up over each border and two down.
#[endpoint(
    name = OpenLeague,
    post = "/api/open_league",
    answers = "League",
    errors(UnknownGame, InvalidSetup, InvalidClock, InvalidTournament),
)]
pub async fn open_league(
    app: AppState,
    operator: Operator,
    name: String,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
    in_days: Option<u32>,
) -> Result<LeagueOverview, ErrorResponse> {
    let terms = crate::context::terms(&game, setup, clock, rated)?;
    let opened = app
        .tournaments
        .open_league(&operator, &name, terms, in_days);
    let id = opened.await?;
    crate::context::redirect_form(None, &format!("/league/{id}"));
    app.tournaments.league(id, Some(&operator), true).await
}

/// Ends a league. The season that runs is played to its end, and none follows.
#[endpoint(
    name = EndLeague,
    post = "/api/end_league",
    answers = "`null`",
    errors(NotFound, NotOpen),
)]
pub async fn end_league(
    app: AppState,
    operator: Operator,
    id: LeagueId,
) -> Result<(), ErrorResponse> {
    app.tournaments.end_league(&operator, id).await?;
    crate::context::redirect_form(None, &format!("/league/{id}"));
    Ok(())
}

/// Joins a league: the caller plays from the next season on, in the lowest division.
#[endpoint(
    name = JoinLeague,
    post = "/api/join_league",
    scope = Play,
    answers = "`null`",
    errors(NotFound, NotOpen, NotQualified, TournamentFull),
)]
pub async fn join_league(app: AppState, player: Player, id: LeagueId) -> Result<(), ErrorResponse> {
    app.tournaments.join_league(&player, id).await?;
    crate::context::redirect_form(None, &format!("/league/{id}"));
    Ok(())
}

/// Leaves a league after the season that runs, which itself is left by `/api/leave_tournament`.
#[endpoint(
    name = LeaveLeague,
    post = "/api/leave_league",
    scope = Play,
    answers = "`null`",
    errors(NotFound, NotOpen),
)]
pub async fn leave_league(
    app: AppState,
    player: Player,
    id: LeagueId,
) -> Result<(), ErrorResponse> {
    app.tournaments.leave_league(&player, id).await?;
    crate::context::redirect_form(None, &format!("/league/{id}"));
    Ok(())
}

/// The leagues, those that go on first.
#[endpoint(
    name = ReadLeagues,
    get = "/api/leagues",
    scope = Read,
    answers = "`[League, …]`, at most 50, without divisions and all after them",
    page,
)]
pub async fn leagues(app: AppState) -> Result<Vec<League>, ErrorResponse> {
    app.tournaments.all_leagues().await
}

/// A league, with the divisions of the season that runs or was the last, those who wait for the next one, and the winners.
#[endpoint(
    name = ReadLeague,
    get = "/api/league",
    scope = Read,
    answers = "League",
    errors(NotFound),
    page,
)]
pub async fn league(
    app: AppState,
    caller: Option<Player>,
    id: LeagueId,
) -> Result<LeagueOverview, ErrorResponse> {
    let is_operator = match caller.as_deref() {
        Some(caller) => app.operators.is(caller).await?,
        None => false,
    };
    app.tournaments
        .league(id, caller.as_deref(), is_operator)
        .await
}
