//! Moderation, only for operators.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{
    Activity, AnnulledGames, AnnulmentNotice, MatchId, MessageId, ModerationOverview, PlayerId,
    ReportId, Ring,
};

/// A page of reported messages and one of the audit log (both from 0), and the players whose names begin with `find`.
#[server(name = ReadModeration, prefix = "/api", endpoint = "operator_desk", protocol = Query)]
pub async fn moderation_overview(
    find: Option<String>,
    reports: Option<u32>,
    page: Option<u32>,
) -> Result<ModerationOverview, ErrorResponse> {
    crate::context::answer_hidden_page(async move {
        let (arena, caller) = (crate::context::arena()?, crate::context::player().await?);
        let (reports, page) = (reports.unwrap_or(0), page.unwrap_or(0));
        let operators = &arena.operators;
        operators
            .overview(&caller, find.as_deref(), reports, page)
            .await
    })
    .await
}

/// Dismisses a report.
#[server(name = OperatorDismiss, prefix = "/api", endpoint = "operator_dismiss", protocol = Form)]
pub async fn operator_dismiss(report: ReportId, why: Option<String>) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    crate::context::as_player(|arena, caller| async move {
        let (act, target) = (ModerationAction::Dismissed, Target::Player(None));
        let request = ModerationRequest::read(act, target, Some(report), why)?;
        arena.operators.act(&caller, request).await
    })
    .await
}

/// Removes a message from its chat. Closes `report`.
#[server(name = OperatorRemoveMessage, prefix = "/api", endpoint = "operator_remove_message", protocol = Form)]
pub async fn operator_remove_message(
    message: MessageId,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    crate::context::as_player(|arena, caller| async move {
        let (act, target) = (ModerationAction::MessageRemoved, Target::Message(message));
        let request = ModerationRequest::read(act, target, report, why)?;
        arena.operators.act(&caller, request).await
    })
    .await
}

/// Mutes a player for an `hour`, a `day` or `ever`; `none` unmutes them. Closes `report`.
#[server(name = OperatorMute, prefix = "/api", endpoint = "operator_mute", protocol = Form)]
pub async fn operator_mute(
    player: PlayerId,
    length: String,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::{Code, ModerationAction};
    use tochki_server::moderation::{ModerationRequest, Target};

    crate::context::as_player(|arena, caller| async move {
        let act = match &*length {
            "hour" => ModerationAction::MutedHour,
            "day" => ModerationAction::MutedDay,
            "ever" => ModerationAction::MutedEver,
            "none" => ModerationAction::Unmuted,
            _ => return Err(Code::BadRequest.into()),
        };
        let request = ModerationRequest::read(act, Target::Player(Some(player)), report, why)?;
        arena.operators.act(&caller, request).await?;
        // Tables of a muted player are called after their creator.
        arena.lobbies.refresh_all();
        Ok(())
    })
    .await
}

/// Closes or reopens an account. Closes `report`.
#[server(name = OperatorClose, prefix = "/api", endpoint = "operator_close", protocol = Form)]
pub async fn operator_close(
    player: PlayerId,
    closed: bool,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    crate::context::as_player(|arena, caller| async move {
        let act = if closed {
            ModerationAction::Closed
        } else {
            ModerationAction::Opened
        };
        let request = ModerationRequest::read(act, Target::Player(Some(player)), report, why)?;
        arena.operators.act(&caller, request).await
    })
    .await
}

/// Annuls a rated match: both players get back what it gave or took. Closes `report`.
#[server(name = OperatorAnnul, prefix = "/api", endpoint = "operator_annul", protocol = Form)]
pub async fn operator_annul(
    match_id: MatchId,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::moderation::{ModerationRequest, Target};

    crate::context::as_player(|arena, caller| async move {
        let (act, target) = (ModerationAction::Annulled, Target::Match(match_id));
        let request = ModerationRequest::read(act, target, report, why)?;
        arena.operators.act(&caller, request).await
    })
    .await
}

/// Annuls all rated matches of a player, but those with the operator: both players of each get back what it gave or took.
#[server(name = OperatorAnnulAll, prefix = "/api", endpoint = "operator_annul_all", protocol = Form)]
pub async fn operator_annul_all(
    player: PlayerId,
    why: Option<String>,
) -> Result<AnnulledGames, ErrorResponse> {
    crate::context::as_player(|arena, caller| async move {
        arena.operators.annul_all(&caller, player, why).await
    })
    .await
}

/// The players with most points from few, young, or same-address accounts.
#[server(name = ReadRings, prefix = "/api", endpoint = "operator_rings", protocol = Query)]
pub async fn rings() -> Result<Vec<Ring>, ErrorResponse> {
    crate::context::answer_hidden_page(async move {
        let (arena, caller) = (crate::context::arena()?, crate::context::player().await?);
        arena.operators.rings(&caller).await
    })
    .await
}

/// Who is where, and which matches run: a page of each, from 0.
#[server(name = ReadActivity, prefix = "/api", endpoint = "operator_house", protocol = Query)]
pub async fn activity(
    people: Option<u32>,
    matches: Option<u32>,
) -> Result<Activity, ErrorResponse> {
    crate::context::answer_hidden_page(async move {
        let (arena, caller) = (crate::context::arena()?, crate::context::player().await?);
        let (people, matches) = (people.unwrap_or(0), matches.unwrap_or(0));
        arena.operators.activity(&caller, people, matches).await
    })
    .await
}

/// The annulled matches of which the caller has not been told.
#[server(name = ReadNotices, prefix = "/api", endpoint = "notices", protocol = Query)]
pub async fn notices() -> Result<Vec<AnnulmentNotice>, ErrorResponse> {
    crate::context::as_player(|arena, player| async move { arena.operators.notices(&player).await })
        .await
}

/// The caller has been told of all of them.
#[server(name = NoticesRead, prefix = "/api", endpoint = "notices_read", protocol = Form)]
pub async fn notices_read() -> Result<(), ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        arena.operators.mark_notices_read(&player).await
    })
    .await
}
