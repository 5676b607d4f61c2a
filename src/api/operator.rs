//! What only an operator can do.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{ModerationOverview, PlayerId, ReportId};

/// What was reported, what was done (`page` of it, from 0), and the players whose names begin with `find`.
#[server(name = ReadDesk, prefix = "/api", endpoint = "operator_desk", protocol = Query)]
pub async fn operator_desk(
    find: Option<String>,
    page: Option<u32>,
) -> Result<ModerationOverview, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena();
        let caller = crate::context::player()
            .await
            .inspect_err(crate::context::hide_page)?;
        let page = page.unwrap_or(0);
        let desk = arena
            .operators
            .overview(&caller, find.as_deref(), page)
            .await;
        desk.inspect_err(crate::context::hide_page)
    })
    .await
}

/// Lays a report aside.
#[server(name = OperatorDismiss, prefix = "/api", endpoint = "operator_dismiss", protocol = Form)]
pub async fn operator_dismiss(report: ReportId, why: Option<String>) -> Result<(), ErrorResponse> {
    use tochki_protocol::ModerationAction;
    use tochki_server::operator::ModerationRequest;

    crate::context::as_player(|arena, caller| async move {
        let doing = ModerationRequest::read(ModerationAction::Dismissed, None, Some(report), why)?;
        arena.operators.act(&caller, doing).await
    })
    .await
}

/// Silences a player for an `hour`, a `day` or for `ever`; `none` lets them speak again. A report that leads to it is
/// closed.
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
        let doing = ModerationRequest::read(act, Some(player), report, why)?;
        arena.operators.act(&caller, doing).await
    })
    .await
}

/// Closes an account, or opens it again. A report that leads to it is closed, too.
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
        let doing = ModerationRequest::read(act, Some(player), report, why)?;
        arena.operators.act(&caller, doing).await
    })
    .await
}
