//! What only an operator can do.

use super::answer::Answer;
use crate::wire::{ApiError, Desk, PlayerId, ReportId};
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

/// What was reported, what was done (`page` of it, from 0), and the players whose names begin with `find`.
#[server(name = ReadDesk, prefix = "/api", endpoint = "operator_desk", input = GetUrl, output = Answer)]
pub async fn operator_desk(find: Option<String>, page: Option<u32>) -> Result<Desk, ApiError> {
    use crate::door;

    let arena = door::arena();
    let caller = door::player().await.inspect_err(door::deny_page)?;
    let page = page.unwrap_or(0);
    let desk = arena.operators.desk(&caller, find.as_deref(), page).await;
    desk.inspect_err(door::deny_page)
}

/// Lays a report aside.
#[server(name = OperatorDismiss, prefix = "/api", endpoint = "operator_dismiss", output = Answer)]
pub async fn operator_dismiss(report: ReportId, why: Option<String>) -> Result<(), ApiError> {
    use crate::door;
    use crate::server::operator::Doing;
    use crate::wire::Act;

    let arena = door::arena();
    let caller = door::player().await?;
    let doing = Doing::read(Act::Dismissed, None, Some(report), why)?;
    arena.operators.act(&caller, doing).await
}

/// Silences a player for an `hour`, a `day` or for `ever`; `none` lets them speak again. A report that leads to it is
/// closed.
#[server(name = OperatorMute, prefix = "/api", endpoint = "operator_mute", output = Answer)]
pub async fn operator_mute(
    player: PlayerId,
    length: String,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ApiError> {
    use crate::door;
    use crate::server::operator::Doing;
    use crate::wire::{Act, Code};

    let arena = door::arena();
    let caller = door::player().await?;
    let act = match &*length {
        "hour" => Act::MutedHour,
        "day" => Act::MutedDay,
        "ever" => Act::MutedEver,
        "none" => Act::Unmuted,
        _ => return Err(Code::BadRequest.into()),
    };
    let doing = Doing::read(act, Some(player), report, why)?;
    arena.operators.act(&caller, doing).await
}

/// Closes an account, or opens it again. A report that leads to it is closed, too.
#[server(name = OperatorClose, prefix = "/api", endpoint = "operator_close", output = Answer)]
pub async fn operator_close(
    player: PlayerId,
    closed: bool,
    report: Option<ReportId>,
    why: Option<String>,
) -> Result<(), ApiError> {
    use crate::door;
    use crate::server::operator::Doing;
    use crate::wire::Act;

    let arena = door::arena();
    let caller = door::player().await?;
    let act = if closed { Act::Closed } else { Act::Opened };
    let doing = Doing::read(act, Some(player), report, why)?;
    arena.operators.act(&caller, doing).await
}
