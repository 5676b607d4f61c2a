//! Moderation, only for the operator.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{ModerationOverview, PlayerId, ReportId};

/// Open reports, a page of the audit log (from 0), and the players whose names begin with `find`.
#[server(name = ReadModeration, prefix = "/api", endpoint = "operator_desk", protocol = Query)]
pub async fn moderation_overview(
    find: Option<String>,
    page: Option<u32>,
) -> Result<ModerationOverview, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena();
        let caller = crate::context::player()
            .await
            .inspect_err(crate::context::hide_page)?;
        let page = page.unwrap_or(0);
        let overview = arena
            .operators
            .overview(&caller, find.as_deref(), page)
            .await;
        overview.inspect_err(crate::context::hide_page)
    })
    .await
}

/// Dismisses a report.
#[server(name = OperatorDismiss, prefix = "/api", endpoint = "operator_dismiss", protocol = Form)]
pub async fn operator_dismiss(report: ReportId, why: Option<String>) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::operator::ModerationRequest;

    crate::context::as_player(|arena, caller| async move {
        let request =
            ModerationRequest::read(ModerationAction::Dismissed, None, Some(report), why)?;
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
    use tochki_server::operator::ModerationRequest;

    crate::context::as_player(|arena, caller| async move {
        let act = match &*length {
            "hour" => ModerationAction::MutedHour,
            "day" => ModerationAction::MutedDay,
            "ever" => ModerationAction::MutedEver,
            "none" => ModerationAction::Unmuted,
            _ => return Err(Code::BadRequest.into()),
        };
        let request = ModerationRequest::read(act, Some(player), report, why)?;
        arena.operators.act(&caller, request).await
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
    use tochki_server::operator::ModerationRequest;

    crate::context::as_player(|arena, caller| async move {
        let act = if closed {
            ModerationAction::Closed
        } else {
            ModerationAction::Opened
        };
        let request = ModerationRequest::read(act, Some(player), report, why)?;
        arena.operators.act(&caller, request).await
    })
    .await
}
