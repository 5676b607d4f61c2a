//! The waiting room and its challenges.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{
    Challenge, ChallengeAnswer, ChallengeCreated, ChallengeId, ChallengeOutcome, ClockText,
    PlayerId, QuickGameAnswer, SetupText, WaitingRoom,
};

/// The waiting room: players, challenges, matches and tables. `min` and `max` are inclusive bounds of the rounded rating;
/// `name` is a part of a name, ignoring case.
#[endpoint(
    name = ReadWaitingRoom,
    get = "/api/waiting_room",
    scope = Read,
    answers = "`{players: [WaitingPlayer, …], challenges: [Challenge, …], matches: [MatchSummary, …], \
               tables: [Table, …], finished: [FinishedSummary, …]}`",
    errors(UnknownGame, InvalidFilter, PlayersFull),
)]
pub async fn waiting_room(
    app: AppState,
    player: Player,
    game: String,
    min: Option<String>,
    max: Option<String>,
    name: Option<String>,
) -> Result<WaitingRoom, ErrorResponse> {
    use tochki_protocol::Filter;

    let game = crate::context::game(&game)?;
    let free = app.capacity.check_player(Some(player.id)).await;
    free.inspect_err(crate::context::set_status)?;
    let filter = Filter::read(min.as_deref(), max.as_deref(), name.as_deref())?;
    let room = app.lobbies.room(game, &player, &filter).await;
    room.inspect_err(crate::context::set_status)
}

/// The number of players in the waiting rooms of all games. No account is needed.
#[endpoint(
    name = ReadWaitingCount,
    get = "/api/waiting_count",
    scope = Read,
    answers = "the number of players in the waiting rooms of all games, at most 2 s old",
)]
pub async fn waiting_count(app: AppState) -> Result<u32, ErrorResponse> {
    app.lobbies.waiting_count().await
}

/// The endings of the caller's challenges within `limits::LOBBY_HISTORY`, for pages that have missed the events.
#[endpoint(
    name = ReadChallengeOutcomes,
    get = "/api/endings",
    scope = Read,
    answers = "`[{challenge: Challenge, why}, …]`: how the caller's challenges of the last 20 seconds ended",
    errors(UnknownGame),
)]
pub async fn challenge_outcomes(
    app: AppState,
    player: Player,
    game: String,
) -> Result<Vec<ChallengeOutcome>, ErrorResponse> {
    app.lobbies
        .outcomes(crate::context::game(&game)?, &player)
        .await
}

/// Sends a challenge to a waiting player, or by correspondence to any player. If they have sent the same challenge, it is accepted
/// instead.
#[endpoint(
    name = IssueChallenge,
    post = "/api/challenge",
    scope = Play,
    answers = "`{id, expires_at, match}`",
    errors(
        UnknownGame, InvalidSetup, InvalidClock, SelfChallenge, NotWaiting, AlreadyPlaying, GuestsUnrated,
        ChallengeCooldown, TooManyChallenges, TooManyBotGames, AbortCooldown, AlreadyChallenging, MatchesFull,
        NotAccepted, TooManyGames = "by correspondence", OnVacation,
    ),
)]
pub async fn challenge(
    app: AppState,
    player: Player,
    opponent: PlayerId,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
    next: Option<String>,
) -> Result<ChallengeCreated, ErrorResponse> {
    use tochki_protocol::Code;
    use tochki_server::lobby::ChallengeSent;
    use tochki_server::time_zones::AgreedGame;

    let terms = crate::context::terms(&game, setup, clock, rated)?;
    let client = crate::context::client_address()?;
    crate::context::adopt_time_zone(&player, AgreedGame::New(&terms)).await?;
    let lobbies = &app.lobbies;
    let challenged = match lobbies
        .challenge(&player, &client, opponent, &terms)
        .await?
    {
        ChallengeSent::Sent(challenged) => challenged,
        ChallengeSent::RateLimited(seconds) => {
            crate::context::set_retry_after(seconds)?;
            return Err(Code::TooManyChallenges.into());
        }
    };
    match challenged.match_id {
        Some(id) => crate::context::redirect_form(None, &format!("/match/{id}")),
        None if next.is_some() => crate::context::redirect_form(next, "/play"),
        None => {}
    }
    Ok(challenged)
}

/// Accepts or declines a challenge. A form that accepts is redirected to the match.
#[endpoint(
    name = AnswerChallenge,
    post = "/api/answer_challenge",
    scope = Play,
    answers = "`{match}`: an id, or `null` when declined",
    errors(
        ChallengeClosed, NotYours, AlreadyPlaying,
        TermsChanged = "a rated match cannot be rated any more; the challenge is closed", MatchesFull,
        AbortCooldown, TooManyGames = "by correspondence", OnVacation,
    ),
)]
pub async fn answer_challenge(
    app: AppState,
    player: Player,
    id: ChallengeId,
    accept: bool,
) -> Result<ChallengeAnswer, ErrorResponse> {
    use tochki_server::time_zones::AgreedGame;

    if accept {
        crate::context::adopt_time_zone(&player, AgreedGame::Challenge(id)).await?;
    }
    let answered = app.lobbies.answer(&player, id, accept).await?;
    if let Some(id) = answered.match_id {
        crate::context::redirect_form(None, &format!("/match/{id}"));
    }
    Ok(answered)
}

/// The open challenges by correspondence from and to the caller, latest first.
#[endpoint(
    name = ReadChallenges,
    get = "/api/my_challenges",
    scope = Read,
    answers = "`[Challenge, …]`: the open challenges by correspondence from and to the caller, latest first",
)]
pub async fn my_challenges(app: AppState, player: Player) -> Result<Vec<Challenge>, ErrorResponse> {
    app.lobbies.correspondence_challenges(&player).await
}

/// Cancels the caller's challenge.
#[endpoint(
    name = CancelChallenge,
    post = "/api/cancel_challenge",
    scope = Play,
    answers = "`null`",
    errors(ChallengeClosed, NotYours),
)]
pub async fn cancel_challenge(
    app: AppState,
    player: Player,
    id: ChallengeId,
) -> Result<(), ErrorResponse> {
    app.lobbies.cancel(&player, id).await
}

/// Plays the first player in the waiting room who wants the same: at once if somebody waits for it, else the caller waits, seen by
/// everybody there, until a match of theirs begins or they leave the room. It takes the place of another quick game of the caller.
///
/// Not paired are players of one address, players of whom one has muted the other or has declined or aborted a game with the other
/// within the last ten minutes, and people with bots; of rated games also players whose games are not rated any more today.
/// `min_rating` and `max_rating` are bounds of the opponent's rating, within which no guest is, and those of the opponent hold for the caller.
///
/// By correspondence it is the oldest table for these terms at which the caller sits down, or else one that the caller opens.
#[endpoint(
    name = StartQuickGame,
    post = "/api/quick_game",
    scope = Play,
    answers = "`{match}`: an id, or `null` while nobody wants the same: the room shows the caller as waiting",
    errors(
        UnknownGame, InvalidSetup, InvalidClock, AlreadyPlaying, GuestsUnrated, AbortCooldown,
        TooManyTables = "by correspondence", TablesFull = "by correspondence", TooManyGames = "by correspondence",
        UnbegunGames = "by correspondence", TooManyRequests = "by correspondence", OnVacation, InvalidFilter,
    ),
)]
pub async fn quick_game(
    app: AppState,
    player: Player,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
    min_rating: Option<i32>,
    max_rating: Option<i32>,
) -> Result<QuickGameAnswer, ErrorResponse> {
    use tochki_protocol::RatingBounds;
    use tochki_server::secrets::random_u64;
    use tochki_server::time_zones::AgreedGame;

    let terms = crate::context::terms(&game, setup, clock, rated)?;
    let client = crate::context::client_address()?;
    crate::context::adopt_time_zone(&player, AgreedGame::New(&terms)).await?;
    let ratings = RatingBounds::new(min_rating, max_rating)?;
    let answer = if terms.is_correspondence() {
        let seek = app
            .tables
            .seek(&player, &client, &terms, ratings, &mut random_u64)
            .await?;
        QuickGameAnswer {
            match_id: seek.match_id,
        }
    } else {
        app.lobbies
            .quick_game(&player, &client, &terms, ratings)
            .await?
    };
    match answer.match_id {
        Some(id) => crate::context::redirect_form(None, &format!("/match/{id}")),
        // The page that reloads itself, which is not always the one that the form was on.
        None => crate::context::redirect_form(None, &format!("/play?game={}", terms.setup.kind())),
    }
    Ok(answer)
}

/// Ends the caller's waiting for a quick game.
#[endpoint(
    name = CancelQuickGame,
    post = "/api/cancel_quick_game",
    scope = Play,
    answers = "`null`, also if there was none",
)]
pub async fn cancel_quick_game(app: AppState, player: Player) -> Result<(), ErrorResponse> {
    app.lobbies.cancel_quick_game(&player).await
}
