//! Tournaments: making, entering, leaving, lists, standings.

// The arguments of an endpoint are those of its function.
#![allow(clippy::too_many_arguments)]

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{
    ClockText, PlayerId, SetupText, Snapshot, Tournament, TournamentBracket, TournamentEntry,
    TournamentId, TournamentPairings, TournamentStandings,
};

/// Makes a tournament. The account is 7 days old and has played five rated games; operators have no such limit. `starts_at` is between a
/// minute and 60 days ahead. `format` is `arena`, which has `minutes`, `streaks`, `last_games` and `berserk`; `swiss`, which has
/// `rounds`; `round_robin`, which may be `double`; or `knockout`, whose pairs play `best_of` 1, 2 or 4 games. All but arenas have
/// `break_seconds` between rounds. A Swiss or a round robin may have `round_days` instead, from the start of a round to that of the next
/// one: then the pairs of a round robin agree on times, and a game to which nobody comes is `missed`: `half` a point each, or `lot`.
#[endpoint(
    name = CreateTournament,
    post = "/api/create_tournament",
    scope = Play,
    answers = "Tournament",
    errors(
        UnknownGame, InvalidSetup, InvalidClock, InvalidTournament, GuestsUnrated, NotQualified, TooManyTournaments, Muted,
    ),
)]
pub async fn create_tournament(
    app: AppState,
    player: Player,
    name: String,
    description: Option<String>,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
    format: Option<String>,
    minutes: Option<u32>,
    starts_at: i64,
    streaks: Option<bool>,
    last_games: Option<bool>,
    berserk: Option<bool>,
    rounds: Option<u32>,
    break_seconds: Option<u32>,
    round_days: Option<u32>,
    missed: Option<String>,
    double: Option<bool>,
    best_of: Option<u32>,
    min_rating: Option<i32>,
    max_rating: Option<i32>,
    min_games: Option<i32>,
    min_age_days: Option<i32>,
    password: Option<String>,
    guests: Option<bool>,
    bots: Option<bool>,
) -> Result<Tournament, ErrorResponse> {
    use std::time::Duration;
    use tochki_play::Timestamp;
    use tochki_protocol::{Code, EntryConditions, MissedGame, TournamentFormat, limits};
    use tochki_server::tournaments::{NewFormat, NewTournament, RoundPace};

    let between = break_seconds.map_or(limits::DEFAULT_ROUND_BREAK, |seconds| {
        Duration::from_secs(seconds.into())
    });
    let pace = round_days.map_or(RoundPace::Live(between), RoundPace::Days);
    let missed = missed.filter(|missed| !missed.is_empty());
    let missed = match missed.as_deref() {
        None => MissedGame::default(),
        Some(missed) => MissedGame::read(missed).ok_or(Code::InvalidTournament)?,
    };
    let format = format.filter(|format| !format.is_empty());
    let format = match format.as_deref().map(TournamentFormat::read) {
        None | Some(Some(TournamentFormat::Arena)) => NewFormat::Arena {
            minutes: minutes.ok_or(Code::InvalidTournament)?,
            streaks: streaks.unwrap_or(true),
            last_games: last_games.unwrap_or_default(),
            berserk: berserk.unwrap_or_default(),
        },
        Some(Some(TournamentFormat::Swiss)) => NewFormat::Swiss { rounds, pace },
        Some(Some(TournamentFormat::RoundRobin)) => NewFormat::RoundRobin {
            double: double.unwrap_or_default(),
            pace,
            missed,
        },
        Some(Some(TournamentFormat::Knockout)) => NewFormat::Knockout {
            best_of: best_of.unwrap_or(1),
            between,
        },
        Some(None) => return Err(Code::InvalidTournament.into()),
    };
    let new = NewTournament {
        name,
        description: description.unwrap_or_default(),
        terms: crate::context::terms(&game, setup, clock, rated)?,
        format,
        starts_at: Timestamp(starts_at),
        entry: EntryConditions {
            min_rating,
            max_rating,
            min_games,
            min_age_days,
            password: false,
            guests: guests.unwrap_or_default(),
            bots: bots.unwrap_or_default(),
        },
        password_hash: None,
    };
    let client = crate::context::client_address()?;
    let password = password.unwrap_or_default();
    app.create_tournament(&player, &client, new, &password)
        .await
}

/// Enters a tournament, or comes back from a pause.
#[endpoint(
    name = JoinTournament,
    post = "/api/join_tournament",
    scope = Play,
    answers = "`null`",
    errors(
        NoSuchTournament, NotOpen, NotQualified, WrongPassword, TooManyAttempts, AlreadyInTournament, TournamentFull,
    ),
)]
pub async fn join_tournament(
    app: AppState,
    player: Player,
    id: TournamentId,
    password: Option<String>,
) -> Result<(), ErrorResponse> {
    let client = crate::context::client_address()?;
    let password = password.unwrap_or_default();
    app.join_tournament(&player, &client, id, &password).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Leaves a tournament before its start, pauses in a running arena, or withdraws from running rounds: the score stays.
#[endpoint(
    name = LeaveTournament,
    post = "/api/leave_tournament",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotOpen),
)]
pub async fn leave_tournament(
    app: AppState,
    player: Player,
    id: TournamentId,
) -> Result<(), ErrorResponse> {
    app.tournaments.leave(&player, id).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Says that the caller is here for the next round, for a game by appointment or for an arena, from some time before it. A page of the tournament that is open says so
/// by itself, and so does a game of the last round that was played to its end.
#[endpoint(
    name = ConfirmPresence,
    post = "/api/confirm_presence",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotOpen),
)]
pub async fn confirm_presence(
    app: AppState,
    player: Player,
    id: TournamentId,
) -> Result<(), ErrorResponse> {
    app.tournaments.confirm_presence(&player, id).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Asks not to be paired in a later round of a Swiss, for half a point: once, and not in the last round. Without a round the request is
/// taken back.
#[endpoint(
    name = RequestBye,
    post = "/api/request_bye",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotOpen, NoBye),
)]
pub async fn request_bye(
    app: AppState,
    player: Player,
    id: TournamentId,
    round: Option<u32>,
) -> Result<(), ErrorResponse> {
    app.tournaments.request_bye(&player, id, round).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Asks to be reminded of a tournament ten minutes before its start, or with `remind=false` takes that back. Who has entered is reminded
/// also without.
#[endpoint(
    name = RemindOfTournament,
    post = "/api/remind_of_tournament",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotOpen),
)]
pub async fn remind_of_tournament(
    app: AppState,
    player: Player,
    id: TournamentId,
    remind: bool,
) -> Result<(), ErrorResponse> {
    app.tournaments.set_reminder(&player, id, remind).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Chooses a side for the last game of a pair of a knockout, 1 or 2: its better seed does so within a minute (`choose_by`). For who has
/// the second move a draw is enough.
#[endpoint(
    name = ChooseSide,
    post = "/api/choose_side",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotOpen, BadRequest),
)]
pub async fn choose_side(
    app: AppState,
    player: Player,
    id: TournamentId,
    side: u8,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::Code;
    use tochki_rules::Seat;

    let side = Seat::try_from(side).map_err(|_| Code::BadRequest)?;
    app.tournaments.choose_side(&player, id, side).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Proposes a time for the caller's game of the round that runs, where games are played by appointment: `at`, or `time` such as
/// `2026-11-21T20:30` on a clock that is `offset` minutes ahead of UTC. If the opponent has proposed the same time, but for a minute, it is
/// agreed on, and that takes the place of any time before. With `take_back`, a time that was proposed is no more.
#[endpoint(
    name = ProposeTime,
    post = "/api/propose_time",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotOpen, BadRequest),
)]
pub async fn propose_time(
    app: AppState,
    player: Player,
    id: TournamentId,
    at: Option<i64>,
    time: Option<String>,
    offset: Option<i64>,
    take_back: Option<bool>,
) -> Result<(), ErrorResponse> {
    use tochki_play::{Timestamp, date};
    use tochki_protocol::Code;

    let at = match (at, time) {
        (Some(at), _) => Some(Timestamp(at)),
        (None, Some(time)) => date::read_local_minute(&time, offset.unwrap_or_default()),
        (None, None) => None,
    };
    let at = at.ok_or(Code::BadRequest)?;
    if take_back.unwrap_or_default() {
        app.tournaments.take_back_time(&player, id, at).await?;
    } else {
        app.tournaments.propose_time(&player, id, at).await?;
    }
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Lets an open tournament repeat by a recurrence rule of RFC 5545, on the clocks of a time zone: whenever one begins, the next one is made
/// with its choices. A rule has `FREQ` (`HOURLY`, `DAILY`, `WEEKLY` or `MONTHLY`) and may have `INTERVAL`, `BYHOUR`, `BYDAY`, `BYMONTHDAY`,
/// `BYMONTH` and `WKST`; nothing takes place twice within an hour.
#[endpoint(
    name = RepeatTournament,
    post = "/api/repeat_tournament",
    answers = "`null`",
    errors(NoSuchTournament, NotOpen, InvalidTournament),
)]
pub async fn repeat_tournament(
    app: AppState,
    operator: Operator,
    id: TournamentId,
    rule: String,
    zone: Option<String>,
) -> Result<(), ErrorResponse> {
    let zone = zone.filter(|zone| !zone.is_empty());
    let zone = zone.as_deref().unwrap_or("UTC");
    app.tournaments.repeat(&operator, id, &rule, zone).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Ends the series of a tournament. One that is made already takes place, unless it is cancelled.
#[endpoint(
    name = EndTournamentSeries,
    post = "/api/end_tournament_series",
    answers = "`null`",
    errors(NoSuchTournament, NotOpen),
)]
pub async fn end_tournament_series(
    app: AppState,
    operator: Operator,
    id: TournamentId,
) -> Result<(), ErrorResponse> {
    app.tournaments.end_series(&operator, id).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Removes a player from a tournament: its creator before the start, an operator at any time, so that nobody keeps a place who has
/// cheated.
#[endpoint(
    name = RemoveFromTournament,
    post = "/api/remove_from_tournament",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotYours, NotOpen, NoSuchPlayer),
)]
pub async fn remove_from_tournament(
    app: AppState,
    caller: Player,
    id: TournamentId,
    player: PlayerId,
) -> Result<(), ErrorResponse> {
    let is_operator = app.operators.is(&caller).await?;
    app.tournaments
        .remove(&caller, is_operator, id, player)
        .await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Cancels a tournament: its creator before the start, an operator until the end.
#[endpoint(
    name = CancelTournament,
    post = "/api/cancel_tournament",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotYours, NotOpen),
)]
pub async fn cancel_tournament(
    app: AppState,
    player: Player,
    id: TournamentId,
) -> Result<(), ErrorResponse> {
    let is_operator = app.operators.is(&player).await?;
    app.tournaments.cancel(&player, is_operator, id).await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Closes the entries of a tournament, or opens them again: its creator before the start, an operator until the end.
#[endpoint(
    name = CloseTournamentEntries,
    post = "/api/close_tournament_entries",
    scope = Play,
    answers = "`null`",
    errors(NoSuchTournament, NotYours, NotOpen),
)]
pub async fn close_tournament_entries(
    app: AppState,
    player: Player,
    id: TournamentId,
    closed: bool,
) -> Result<(), ErrorResponse> {
    let is_operator = app.operators.is(&player).await?;
    app.tournaments
        .close_entries(&player, is_operator, id, closed)
        .await?;
    crate::context::redirect_form(None, &format!("/tournament/{id}"));
    Ok(())
}

/// Tournaments, of one game or of all: those that are open or running, the next to begin first, or with `state=finished` those that
/// are over, the latest first.
#[endpoint(
    name = ReadTournaments,
    get = "/api/tournaments",
    scope = Read,
    answers = "`[Tournament, …]`, 20 a page",
    errors(InvalidFilter, UnknownGame),
    page,
)]
pub async fn tournaments(
    app: AppState,
    state: Option<String>,
    game: Option<String>,
    page: Option<u32>,
) -> Result<Vec<Tournament>, ErrorResponse> {
    use tochki_protocol::Code;

    let game = game.filter(|game| !game.is_empty());
    let game = game.map(|game| crate::context::game(&game)).transpose()?;
    let page = page.unwrap_or_default();
    match state.as_deref().unwrap_or_default() {
        "" | "upcoming" => app.tournaments.upcoming(game, page).await,
        "finished" => app.tournaments.finished(game, page).await,
        _ => Err(Code::InvalidFilter.into()),
    }
}

/// The tournament to enter next, of one game or of all: the first that begins within a day, else the last that has begun. One that a
/// player has made is named once four have entered.
#[endpoint(
    name = ReadNextTournament,
    get = "/api/next_tournament",
    scope = Read,
    answers = "Tournament, or `null`",
    errors(UnknownGame),
)]
pub async fn next_tournament(
    app: AppState,
    game: Option<String>,
) -> Result<Option<Tournament>, ErrorResponse> {
    let game = game.filter(|game| !game.is_empty());
    let game = game.map(|game| crate::context::game(&game)).transpose()?;
    app.tournaments.next(game).await
}

/// A tournament.
#[endpoint(
    name = ReadTournament,
    get = "/api/tournament",
    scope = Read,
    answers = "Tournament",
    errors(NoSuchTournament),
    page,
)]
pub async fn tournament(app: AppState, id: TournamentId) -> Result<Tournament, ErrorResponse> {
    app.tournaments.get(id).await
}

/// A page of the standings. Its `ETag` is that of the version of the tournament.
#[endpoint(
    name = ReadTournamentStandings,
    get = "/api/tournament_standings",
    scope = Read,
    answers = "TournamentStandings, 50 a page, counted from 0; with `ETag`",
    errors(NoSuchTournament, InvalidPage),
    etag,
)]
pub async fn tournament_standings(
    app: AppState,
    id: TournamentId,
    page: Option<u32>,
) -> Result<TournamentStandings, ErrorResponse> {
    let page = page.unwrap_or_default();
    let standings = app.tournaments.standings(id, page).await?;
    crate::context::set_version_etag(standings.version);
    Ok(standings)
}

/// A page of the pairings of a tournament, the latest first; with `round`, of those of a round in their order, with the players who have
/// no opponent in it.
#[endpoint(
    name = ReadTournamentPairings,
    get = "/api/tournament_pairings",
    scope = Read,
    answers = "TournamentPairings, 50 a page, counted from 0",
    errors(NoSuchTournament),
)]
pub async fn tournament_pairings(
    app: AppState,
    id: TournamentId,
    round: Option<u32>,
    page: Option<u32>,
) -> Result<TournamentPairings, ErrorResponse> {
    let page = page.unwrap_or_default();
    app.tournaments.pairings(id, round, page).await
}

/// The bracket of a knockout, with the rounds to come; without any before its first round.
#[endpoint(
    name = ReadTournamentBracket,
    get = "/api/tournament_bracket",
    scope = Read,
    answers = "TournamentBracket",
    errors(NoSuchTournament),
)]
pub async fn tournament_bracket(
    app: AppState,
    id: TournamentId,
) -> Result<TournamentBracket, ErrorResponse> {
    app.tournaments.bracket(id).await
}

/// The games of a tournament whose boards its page shows: up to six that run, of its leaders; after its end the three wins of the
/// winner against the highest rated opponents.
#[endpoint(
    name = ReadTournamentGames,
    get = "/api/tournament_games",
    scope = Read,
    answers = "`[Snapshot, …]`",
    errors(NoSuchTournament),
)]
pub async fn tournament_games(
    app: AppState,
    id: TournamentId,
) -> Result<Vec<Snapshot>, ErrorResponse> {
    let mut games = Vec::new();
    for id in app.tournaments.shown_matches(id).await? {
        match app.matches.snapshot(id).await {
            Ok(snapshot) => games.push(snapshot),
            // A broken record keeps no other from being shown.
            Err(error) if error.failure().is_none() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(games)
}

/// The caller in a tournament: whether they have entered, their rank, their running match, and another tournament that overlaps.
#[endpoint(
    name = ReadTournamentEntry,
    get = "/api/tournament_entry",
    scope = Read,
    answers = "TournamentEntry",
    errors(NoSuchTournament),
)]
pub async fn tournament_entry(
    app: AppState,
    player: Player,
    id: TournamentId,
) -> Result<TournamentEntry, ErrorResponse> {
    let is_operator = app.operators.is(&player).await?;
    app.tournaments.entry(id, &player, is_operator).await
}
