//! Matches: reading, moves, offers, resignation, rematches.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_play::OfferKind;
use tochki_protocol::{
    ClientId, ConditionalMoves, LinesText, MatchId, OfferResponse, OwnGames, OwnGamesCount,
    OwnMatch, RematchResponse, ResumeResponse, Snapshot, VacationStatus, VersionResponse,
};

/// The snapshot of a match, with the server's time if `timed`. No account is needed. Its `ETag` leaves that time out. Read by one of
/// its players, it counts as presence of a program that has opened no stream.
#[endpoint(
    name = ReadMatch,
    get = "/api/match",
    scope = Read,
    answers = "Snapshot; with `timed=true` also `now`, the server's time. With `ETag`, which is another \
               when the version or anything else of it is; `If-None-Match` is answered with 304",
    errors(NoSuchMatch, BrokenRecord),
    page,
    etag,
)]
pub async fn match_snapshot(
    app: AppState,
    caller: Option<Player>,
    id: MatchId,
    timed: Option<bool>,
) -> Result<Snapshot, ErrorResponse> {
    let matches = &app.matches;
    let mut snapshot = matches.snapshot(id).await?;
    if snapshot.status == tochki_protocol::Status::Running
        && let Some(caller) = caller
    {
        matches.tell_flag(&mut snapshot, caller.id).await?;
        matches.note_read(id, caller.id).await?;
    }
    crate::context::set_etag(&snapshot);
    snapshot.now = timed.unwrap_or(false).then(tochki_server::now);
    Ok(snapshot)
}

/// A match for the front page: the running one with the most moves that is worth watching, else the one that ended last.
#[endpoint(
    name = ReadFeaturedMatch,
    get = "/api/showcase",
    scope = Read,
    answers = "Snapshot of a running match with many moves, else of the one that ended last, at most 2 s old, or `null`",
)]
pub async fn featured_match(app: AppState) -> Result<Option<Snapshot>, ErrorResponse> {
    app.matches.featured_match().await
}

/// The match to watch now: the one of the front page. Its `ETag` is that of the match.
#[endpoint(
    name = WatchFeaturedMatch,
    get = "/api/tv",
    scope = Read,
    answers = "Snapshot of the match to watch now, at most 2 s old, or `null`; with `ETag`, like `/api/match`",
    page,
    etag,
)]
pub async fn watch_featured_match(app: AppState) -> Result<Option<Snapshot>, ErrorResponse> {
    let snapshot = app.matches.featured_match().await?;
    if let Some(snapshot) = &snapshot {
        crate::context::set_etag(snapshot);
    }
    Ok(snapshot)
}

/// The running match of the caller, if there is one.
#[endpoint(
    name = ReadMyMatch,
    get = "/api/my_match",
    scope = Read,
    answers = "the running match of the caller, `{match, rated}`, or `null`",
)]
pub async fn my_match(
    app: AppState,
    caller: Option<Player>,
) -> Result<Option<OwnMatch>, ErrorResponse> {
    let matches = &app.matches;
    match caller {
        Some(caller) => matches.running_match(&caller).await,
        None => Ok(None),
    }
}

/// The running matches of the caller: first those in which it is the caller's turn, by the time left, then the others, the one that
/// has changed last first.
#[endpoint(
    name = ReadMyGames,
    get = "/api/my_games",
    scope = Read,
    answers = "`{games: [OwnGame, …], rematches: [RematchRequest, …], now}`, the running matches of the caller with their moves, those on turn first",
    page,
)]
pub async fn my_games(app: AppState, player: Player) -> Result<OwnGames, ErrorResponse> {
    app.matches.own_games(&player).await
}

/// The numbers of the caller's running matches, and of those by correspondence in which it is the caller's turn.
#[endpoint(
    name = CountMyGames,
    get = "/api/count_my_games",
    scope = Read,
    answers = "`{running, on_turn}`, the numbers of the caller's running matches; zeros without an account",
)]
pub async fn count_my_games(
    app: AppState,
    caller: Option<Player>,
) -> Result<OwnGamesCount, ErrorResponse> {
    match caller {
        Some(caller) => app.matches.count_own_games(&caller).await,
        None => Ok(OwnGamesCount::default()),
    }
}

/// The next match in which it is the caller's turn: of those of `my_games` the one behind `after`, and after the last one the first.
#[endpoint(
    name = NextGame,
    get = "/api/next_game",
    scope = Read,
    answers = "the id of the next match in which it is the caller's turn, or `null` if there is none but `after`",
    page,
)]
pub async fn next_game(
    app: AppState,
    player: Player,
    after: Option<MatchId>,
) -> Result<Option<MatchId>, ErrorResponse> {
    app.matches.next_on_turn(&player, after).await
}

/// The caller's notes on a match of their own, running or finished, which nobody else reads.
#[endpoint(
    name = ReadNotes,
    get = "/api/notes",
    scope = Read,
    answers = "the caller's notes on the match, `\"\"` without any",
    errors(NoSuchMatch, NotAPlayer),
)]
pub async fn notes(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<String, ErrorResponse> {
    app.matches.notes(match_id, &player).await
}

/// Replaces the caller's notes on a match: at most 4,000 characters; none deletes them.
#[endpoint(
    name = SetNotes,
    post = "/api/notes",
    scope = Play,
    answers = "`null`",
    errors(NoSuchMatch, NotAPlayer, BadRequest = "a longer text"),
)]
pub async fn set_notes(
    app: AppState,
    player: Player,
    match_id: MatchId,
    text: Option<String>,
) -> Result<(), ErrorResponse> {
    let text = text.unwrap_or_default();
    app.matches.set_notes(match_id, &player, &text).await?;
    crate::context::redirect_form(None, &format!("/match/{match_id}"));
    Ok(())
}

/// The caller's conditional moves in a match: the lines that go on from its position.
#[endpoint(
    name = ReadConditionalMoves,
    get = "/api/conditional_moves",
    scope = Read,
    answers = "a list of lines, each a list of moves, that go on from the position of the match",
    errors(NoSuchMatch, NotAPlayer),
    page,
)]
pub async fn conditional_moves(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<ConditionalMoves, ErrorResponse> {
    app.matches.conditional_moves(match_id, &player).await
}

/// The caller's lines that were refused last, as their text, so that a form has them still.
#[endpoint(
    name = ReadRefusedConditionalMoves,
    get = "/api/refused_conditional_moves",
    scope = Read,
    answers = "the text of the caller's lines that were refused last, a line in each row, or `null` once others were accepted",
    errors(NoSuchMatch, NotAPlayer),
    page,
)]
pub async fn refused_conditional_moves(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<Option<String>, ErrorResponse> {
    app.matches
        .refused_conditional_moves(match_id, &player)
        .await
}

/// Replaces the caller's conditional moves in a correspondence match, while the opponent is to move: at most 30 lines of 30 moves of
/// both sides in the order of turns. The opponent's moves that are in them are answered after 2 to 20 seconds, without a charge or
/// an increment; another move, or a take-back, drops them, and an open offer suspends them. No lines delete them.
#[endpoint(
    name = SetConditionalMoves,
    post = "/api/conditional_moves",
    scope = Play,
    answers = "the lines as they are kept, without those that are the beginning of another one",
    errors(
        NoSuchMatch, NotAPlayer, InvalidConditions = "`at` has `line` and `ply`, from 0", LiveMatch, Finished,
        TooManyRequests = "more than ten changes in a minute, refused ones among them"
    ),
)]
pub async fn set_conditional_moves(
    app: AppState,
    player: Player,
    match_id: MatchId,
    tree: Option<LinesText>,
    next: Option<String>,
) -> Result<ConditionalMoves, ErrorResponse> {
    let lines = tree.unwrap_or_default().0;
    let kept = app
        .matches
        .set_conditional_moves(match_id, &player, &lines)
        .await?;
    crate::context::redirect_form(next, &format!("/match/{match_id}"));
    Ok(kept)
}

/// The caller's vacation: the days that are left, and the vacation that is on.
#[endpoint(
    name = ReadVacation,
    get = "/api/vacation",
    scope = Read,
    answers = "VacationStatus",
    page,
)]
pub async fn vacation(app: AppState, player: Player) -> Result<VacationStatus, ErrorResponse> {
    app.matches.vacation(&player).await
}

/// Begins or ends the caller's vacation: all their clocks in correspondence matches stand still from this instant on, and no match of
/// theirs starts. A move ends it, and so does the end of the days. What is so already stays.
#[endpoint(
    name = SetVacation,
    post = "/api/vacation",
    scope = Play,
    answers = "VacationStatus",
    errors(NoVacationLeft),
)]
pub async fn set_vacation(
    app: AppState,
    player: Player,
    on: bool,
    next: Option<String>,
) -> Result<VacationStatus, ErrorResponse> {
    let status = app.matches.set_vacation(&player, on).await?;
    crate::context::redirect_form(next, "/games#vacation");
    Ok(status)
}

/// Sets whether a vacation of the caller begins by itself when less than an hour is left on one of their clocks.
#[endpoint(
    name = SetAutomaticVacation,
    post = "/api/automatic_vacation",
    answers = "VacationStatus",
)]
pub async fn set_automatic_vacation(
    app: AppState,
    player: Player,
    automatic: Option<bool>,
    next: Option<String>,
) -> Result<VacationStatus, ErrorResponse> {
    let automatic = automatic.unwrap_or_default();
    let status = app
        .matches
        .set_automatic_vacation(&player, automatic)
        .await?;
    crate::context::redirect_form(next, "/games#vacation");
    Ok(status)
}

/// The caller's time zone, in whose nights no flag of theirs falls by correspondence, and the names of all zones.
#[endpoint(
    name = ReadTimeZone,
    get = "/api/time_zone",
    scope = Read,
    answers = "`{zone, changeable_at, zones: [name, …]}`",
    page,
)]
pub async fn time_zone(
    app: AppState,
    player: Player,
) -> Result<tochki_protocol::TimeZoneSetting, ErrorResponse> {
    app.time_zones.setting(&player).await
}

/// Sets the caller's time zone, by its IANA name, for deadlines that are set afterwards.
#[endpoint(
    name = SetTimeZone,
    post = "/api/time_zone",
    answers = "`null`",
    errors(BadRequest = "no such zone", TooManyRequests = "it was changed within 14 days"),
)]
pub async fn set_time_zone(
    app: AppState,
    player: Player,
    zone: String,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.time_zones.set(&player, &zone).await?;
    crate::context::redirect_form(next, "/account#night");
    Ok(())
}

/// Makes a move. It is committed before the answer is sent.
#[endpoint(
    name = MakeMove,
    post = "/api/move",
    scope = Play,
    answers = "`{version}`",
    errors(
        NoSuchMatch, NotAPlayer, ClientIdReused, MalformedMove, Finished, Adjourned, Stale, NotYourTurn, Illegal,
    ),
)]
pub async fn make_move(
    app: AppState,
    player: RecentPlayer,
    match_id: MatchId,
    mv: String,
    version: Option<u32>,
    client_id: Option<ClientId>,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    // Before anything else, because it is on the player's clock up to here.
    let arrival = app.matches.arrived(match_id);
    player
        .act(|player| async move {
            let (live, seat) = app.matches.seated(match_id, &player).await?;
            live.check_pace(seat)?;
            let command = Command::Move {
                seat,
                mv,
                version,
                client_id,
            };
            live.command_received(command, arrival).await
        })
        .await
}

/// Offers a draw, to end the match, to take a move back, or to adjourn. The offer expires after `limits::OFFER_TIMEOUT`.
#[endpoint(
    name = MakeOffer,
    post = "/api/offer",
    scope = Play,
    answers = "`{version, expires_at}`",
    errors(
        NoSuchMatch, NotAPlayer, Finished, BadRequest = "a game without such an offer", NotBegun, OfferOpen,
        NothingToTakeBack, OfferCooldown, Adjourned, NotAccepted = "`adjourn` with a bot",
        InTournament = "`takeback` and `adjourn`", TooEarly = "in a tournament", TooManyGames = "`adjourn`",
    ),
)]
pub async fn offer(
    app: AppState,
    player: Player,
    match_id: MatchId,
    kind: OfferKind,
) -> Result<OfferResponse, ErrorResponse> {
    let (live, seat) = app.matches.seated(match_id, &player).await?;
    live.check_pace(seat)?;
    live.offer(seat, kind).await
}

/// Accepts or declines the opponent's offer, if `offer` is given the one of this version.
#[endpoint(
    name = AnswerOffer,
    post = "/api/answer_offer",
    scope = Play,
    answers = "`{version}`",
    errors(NoSuchMatch, NotAPlayer, OfferClosed, NotYours, TooManyGames = "an offer to adjourn"),
)]
pub async fn answer_offer(
    app: AppState,
    player: Player,
    match_id: MatchId,
    accept: bool,
    offer: Option<u32>,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    let command = |seat| Command::AnswerOffer {
        seat,
        accept,
        offer,
    };
    app.matches.act(match_id, &player, command).await
}

/// Offers to adjourn a live match: it is unrated from the agreement on, and the side on turn seals its move. The match goes on by
/// correspondence when the opponent of that move comes, or live after `resume_in` hours, if both agree on that; 0 is none. Not with bots.
#[endpoint(
    name = OfferAdjournment,
    post = "/api/adjourn",
    scope = Play,
    answers = "`{version, expires_at}`",
    errors(
        NoSuchMatch, NotAPlayer, Finished, BadRequest = "by correspondence, or more than 336 hours", NotBegun, OfferOpen,
        OfferCooldown, Adjourned, NotAccepted = "with a bot", InTournament, TooManyGames,
    ),
)]
pub async fn offer_adjournment(
    app: AppState,
    player: Player,
    match_id: MatchId,
    resume_in: Option<u32>,
) -> Result<OfferResponse, ErrorResponse> {
    let offered = app
        .matches
        .offer_adjournment(match_id, &player, resume_in.filter(|hours| *hours > 0))
        .await?;
    crate::context::redirect_form(None, &format!("/match/{match_id}"));
    Ok(offered)
}

/// Accepts or declines the opponent's offer to adjourn, if `offer` is given the one of this version.
#[endpoint(
    name = AnswerAdjournment,
    post = "/api/answer_adjourn",
    scope = Play,
    answers = "`{version}`",
    errors(NoSuchMatch, NotAPlayer, OfferClosed = "also if the open offer is another one", NotYours, TooManyGames),
)]
pub async fn answer_adjournment(
    app: AppState,
    player: Player,
    match_id: MatchId,
    accept: bool,
    offer: Option<u32>,
) -> Result<VersionResponse, ErrorResponse> {
    app.matches
        .answer_adjournment(match_id, &player, accept, offer)
        .await
}

/// Seals the caller's move in an adjourned match: one move, or with spaces between them all moves of a turn that goes on after the
/// first. Nobody sees them before the match is resumed. Until then the caller's clock runs.
#[endpoint(
    name = SealMove,
    post = "/api/seal",
    scope = Play,
    answers = "`{version}`",
    errors(
        NoSuchMatch, NotAPlayer, MalformedMove, Finished, NotAdjourned, Adjourned = "other moves are sealed", NotYourTurn, Illegal,
        TurnGoesOn,
    ),
)]
pub async fn seal_move(
    app: AppState,
    player: Player,
    match_id: MatchId,
    mv: String,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_server::time_zones::AgreedGame;

    let arrival = app.matches.arrived(match_id);
    crate::context::adopt_time_zone(&player, AgreedGame::Adjourned).await?;
    let sealed = app.matches.seal(match_id, &player, &mv, arrival).await?;
    crate::context::redirect_form(None, &format!("/match/{match_id}"));
    Ok(sealed)
}

/// Resumes an adjourned match, as the opponent of the sealed move: it is made, and the caller's clock begins. Where a time to go on
/// live was agreed on, both players do so, from 10 minutes before it until 15 minutes after it; the second one must find the first
/// one at the match. A match that goes on already stays as it is.
#[endpoint(
    name = ResumeMatch,
    post = "/api/resume",
    scope = Play,
    answers = "`{version, waits}`: whether the other player is awaited, and nothing has happened yet",
    errors(
        NoSuchMatch, NotAPlayer, Finished, NotAdjourned = "no move is sealed yet", NotYours = "the caller has sealed the move",
        TooEarly, AlreadyPlaying,
    ),
)]
pub async fn resume_match(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<ResumeResponse, ErrorResponse> {
    use tochki_server::time_zones::AgreedGame;

    crate::context::adopt_time_zone(&player, AgreedGame::Adjourned).await?;
    let resumed = app.matches.resume(match_id, &player).await?;
    let part = if resumed.waits { "?open=here" } else { "" };
    crate::context::redirect_form(None, &format!("/match/{match_id}{part}"));
    Ok(resumed)
}

/// Cancels the caller's offer.
#[endpoint(
    name = CancelOffer,
    post = "/api/cancel_offer",
    scope = Play,
    answers = "`{version}`",
    errors(NoSuchMatch, NotAPlayer, OfferClosed, NotYours),
)]
pub async fn cancel_offer(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    let command = |seat| Command::CancelOffer { seat };
    app.matches.act(match_id, &player, command).await
}

/// Asks for a rematch with swapped seats, which is `rated` or not, if that is said. It starts when both have asked.
#[endpoint(
    name = Rematch,
    post = "/api/rematch",
    scope = Play,
    answers = "`{match}`: `null`, or the id once both have asked",
    errors(
        NoSuchMatch, NotAPlayer, NotFinished, OpponentLeft, AlreadyPlaying,
        TermsChanged = "it would not be rated, or not unrated, as said", MatchesFull, AbortCooldown,
        TooManyGames = "by correspondence", OnVacation, InTournament,
    ),
)]
pub async fn rematch(
    app: AppState,
    player: Player,
    match_id: MatchId,
    rated: Option<bool>,
) -> Result<RematchResponse, ErrorResponse> {
    use tochki_server::time_zones::AgreedGame;

    crate::context::adopt_time_zone(&player, AgreedGame::Rematch(match_id)).await?;
    let response = app.matches.rematch(match_id, &player, rated).await?;
    if let Some(id) = response.match_id {
        crate::context::redirect_form(None, &format!("/match/{id}"));
    }
    Ok(response)
}

/// Aborts a match in which not both have made a move.
#[endpoint(
    name = Abort,
    post = "/api/abort",
    scope = Play,
    answers = "`{version}`",
    errors(NoSuchMatch, NotAPlayer, Finished, Begun, InTournament),
)]
pub async fn abort(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    let command = |seat| Command::Abort { seat };
    app.matches.act(match_id, &player, command).await
}

/// Halves the caller's clock and takes its increment, for a point more if the match is won: in an arena with `berserk`, before the
/// caller's first move. A second time changes nothing.
#[endpoint(
    name = Berserk,
    post = "/api/berserk",
    scope = Play,
    answers = "`{version}`",
    errors(NoSuchMatch, NotAPlayer, Finished, NoBerserk),
)]
pub async fn berserk(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    let command = |seat| Command::Berserk { seat };
    let halved = app.matches.act(match_id, &player, command).await?;
    crate::context::redirect_form(None, &format!("/match/{match_id}"));
    Ok(halved)
}

/// Resigns a running match.
#[endpoint(
    name = Resign,
    post = "/api/resign",
    scope = Play,
    answers = "`{version}`",
    errors(NoSuchMatch, NotAPlayer, Finished, NotBegun),
)]
pub async fn resign(
    app: AppState,
    player: Player,
    match_id: MatchId,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    let command = |seat| Command::Resign { seat };
    app.matches.act(match_id, &player, command).await
}
