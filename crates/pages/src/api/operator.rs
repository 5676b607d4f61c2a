//! Moderation, only for operators.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{
    Activity, AnnulledGames, AnnulmentNotice, MatchId, MessageId, ModerationOverview, PlayerId,
    ReportId, Ring, SharedAddress,
};

/// A page of reported messages and one of the audit log (both from 0), and the players whose names begin with `find`.
#[endpoint(
    name = ReadModeration,
    get = "/api/operator_desk",
    answers = "`{reports, more_reports, waiting, found, audit, more}`",
    hidden_page,
)]
pub async fn moderation_overview(
    app: AppState,
    operator: Operator,
    find: Option<String>,
    reports: Option<u32>,
    page: Option<u32>,
) -> Result<ModerationOverview, ErrorResponse> {
    let (reports, page) = (reports.unwrap_or(0), page.unwrap_or(0));
    let operators = &app.operators;
    operators
        .overview(&operator, find.as_deref(), reports, page)
        .await
}

/// Dismisses a report.
#[endpoint(
    name = OperatorDismiss,
    post = "/api/operator_dismiss",
    answers = "`null`",
    errors(OwnAccount, NotFound, MessageTooLong),
)]
pub async fn operator_dismiss(
    app: AppState,
    operator: Operator,
    report: ReportId,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    let (act, target) = (ModerationAction::Dismissed, Target::Player(None));
    let request = ModerationRequest::read(act, target, Some(report), why)?;
    app.operators.act(&operator, request).await
}

/// Removes a message from its chat. Closes `report`.
#[endpoint(
    name = OperatorRemoveMessage,
    post = "/api/operator_remove_message",
    answers = "`null`",
    errors(NoSuchMessage, NotFound, MessageTooLong),
)]
pub async fn operator_remove_message(
    app: AppState,
    operator: Operator,
    message: MessageId,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    let (act, target) = (ModerationAction::MessageRemoved, Target::Message(message));
    let request = ModerationRequest::read(act, target, report, why)?;
    app.operators.act(&operator, request).await
}

/// Mutes a player for an `hour`, a `day` or `ever`; `none` unmutes them. Closes `report`.
#[endpoint(
    name = OperatorMute,
    post = "/api/operator_mute",
    answers = "`null`",
    errors(NoSuchPlayer, OwnAccount, MessageTooLong),
)]
pub async fn operator_mute(
    app: AppState,
    operator: Operator,
    player: PlayerId,
    length: String,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::{Code, ModerationAction};
    use tochki_server::moderation::{ModerationRequest, Target};

    let act = match &*length {
        "hour" => ModerationAction::MutedHour,
        "day" => ModerationAction::MutedDay,
        "ever" => ModerationAction::MutedEver,
        "none" => ModerationAction::Unmuted,
        _ => return Err(Code::BadRequest.into()),
    };
    let request = ModerationRequest::read(act, Target::Player(Some(player)), report, why)?;
    app.operators.act(&operator, request).await?;
    // Tables of a muted player are called after their creator.
    app.lobbies.refresh_all();
    Ok(())
}

/// Closes or reopens an account. Closes `report`.
#[endpoint(
    name = OperatorClose,
    post = "/api/operator_close",
    answers = "`null`",
    errors(NoSuchPlayer, OwnAccount, MessageTooLong),
)]
pub async fn operator_close(
    app: AppState,
    operator: Operator,
    player: PlayerId,
    closed: bool,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    let act = if closed {
        ModerationAction::Closed
    } else {
        ModerationAction::Opened
    };
    let request = ModerationRequest::read(act, Target::Player(Some(player)), report, why)?;
    app.operators.act(&operator, request).await
}

/// Annuls a rated match: both players get back what it gave or took. Closes `report`.
#[endpoint(
    name = OperatorAnnul,
    post = "/api/operator_annul",
    answers = "`null`",
    errors(NoSuchMatch, OwnAccount, NotFinished, NotRated, Annulled, NotFound, MessageTooLong),
)]
pub async fn operator_annul(
    app: AppState,
    operator: Operator,
    match_id: MatchId,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    let (act, target) = (ModerationAction::Annulled, Target::Match(match_id));
    let request = ModerationRequest::read(act, target, report, why)?;
    app.operators.act(&operator, request).await
}

/// Annuls all rated matches of a player, but those with the operator: both players of each get back what it gave or took.
#[endpoint(
    name = OperatorAnnulAll,
    post = "/api/operator_annul_all",
    answers = "`{annulled, own}`: how many matches, and how many are left because the caller has played them",
    errors(OwnAccount, NoSuchPlayer, MessageTooLong),
)]
pub async fn operator_annul_all(
    app: AppState,
    operator: Operator,
    player: PlayerId,
    why: Option<String>,
) -> Result<AnnulledGames, ErrorResponse> {
    app.operators.annul_all(&operator, player, why).await
}

/// The players with most points from few, young, or same-address accounts.
#[endpoint(
    name = ReadRings,
    get = "/api/operator_rings",
    answers = "`[Ring, …]`, at most 50",
    hidden_page,
)]
pub async fn rings(app: AppState, operator: Operator) -> Result<Vec<Ring>, ErrorResponse> {
    app.operators.rings(&operator).await
}

/// The accounts that entered a tournament at one address, the latest first.
#[endpoint(
    name = ReadSharedAddresses,
    get = "/api/operator_shared_addresses",
    answers = "`[SharedAddress, …]`, at most 50",
    hidden_page,
)]
pub async fn shared_addresses(
    app: AppState,
    operator: Operator,
) -> Result<Vec<SharedAddress>, ErrorResponse> {
    app.operators.shared_addresses(&operator).await
}

/// The places of players, and the running matches: a page of each, from 0.
#[endpoint(
    name = ReadActivity,
    get = "/api/operator_house",
    answers = "`{people, more_people, people_count, matches, more_matches, match_count}`",
    hidden_page,
)]
pub async fn activity(
    app: AppState,
    operator: Operator,
    people: Option<u32>,
    matches: Option<u32>,
) -> Result<Activity, ErrorResponse> {
    let (people, matches) = (people.unwrap_or(0), matches.unwrap_or(0));
    app.operators.activity(&operator, people, matches).await
}

/// The annulled matches of which the caller has not been told.
#[endpoint(
    name = ReadNotices,
    get = "/api/notices",
    scope = Read,
    answers = "`[{match, game, opponent, before, after, at}, …]`: annulled matches of the caller, until they are read",
)]
pub async fn notices(app: AppState, player: Player) -> Result<Vec<AnnulmentNotice>, ErrorResponse> {
    app.operators.notices(&player).await
}

/// Notes that the caller has been told of all annulled matches.
#[endpoint(
    name = NoticesRead,
    post = "/api/notices_read",
    scope = Play,
    answers = "`null`",
)]
pub async fn notices_read(app: AppState, player: Player) -> Result<(), ErrorResponse> {
    app.operators.mark_notices_read(&player).await
}
