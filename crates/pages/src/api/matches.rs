//! Matches: reading, moves, offers, resignation, rematches.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_play::OfferKind;
use tochki_protocol::{
    ClientId, MatchId, OfferResponse, OwnMatch, RematchResponse, Snapshot, VersionResponse,
};

/// The snapshot of a match, with the server's time if `timed`. No account is needed. Its `ETag` leaves that time out. Read by one of
/// its players, it counts as presence of a program that has opened no stream.
#[server(name = ReadMatch, prefix = "/api", endpoint = "match", protocol = Query)]
pub async fn match_snapshot(id: MatchId, timed: Option<bool>) -> Result<Snapshot, ErrorResponse> {
    crate::context::answer_page(async move {
        let arena = crate::context::arena()?;
        let matches = &arena.matches;
        let mut snapshot = matches.snapshot(id).await?;
        if snapshot.status == tochki_protocol::Status::Running
            && let Some(caller) = crate::context::caller().await?
        {
            matches.note_read(id, caller.id).await?;
        }
        crate::context::set_etag(&snapshot);
        snapshot.now = timed.unwrap_or(false).then(tochki_server::now);
        Ok(snapshot)
    })
    .await
}

/// A match for the front page: the running one with the most moves, else the one that ended last.
#[server(name = ReadShowcase, prefix = "/api", endpoint = "showcase", protocol = Query)]
pub async fn showcase() -> Result<Option<Snapshot>, ErrorResponse> {
    crate::context::answer(async move { crate::context::arena()?.matches.showcase().await }).await
}

/// The match to watch now: the one of the front page. Its `ETag` is that of the match.
#[server(name = ReadTv, prefix = "/api", endpoint = "tv", protocol = Query)]
pub async fn tv() -> Result<Option<Snapshot>, ErrorResponse> {
    crate::context::answer_page(async move {
        let snapshot = crate::context::arena()?.matches.showcase().await?;
        if let Some(snapshot) = &snapshot {
            crate::context::set_etag(snapshot);
        }
        Ok(snapshot)
    })
    .await
}

/// The running match of the caller, if there is one.
#[server(name = ReadMyMatch, prefix = "/api", endpoint = "my_match", protocol = Query)]
pub async fn my_match() -> Result<Option<OwnMatch>, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let matches = &arena.matches;
        match crate::context::caller().await? {
            Some(caller) => matches.running_match(&caller).await,
            None => Ok(None),
        }
    })
    .await
}

/// Makes a move. It is committed before the answer is sent.
#[server(name = MakeMove, prefix = "/api", endpoint = "move", protocol = Form)]
pub async fn make_move(
    match_id: MatchId,
    mv: String,
    version: Option<u32>,
    client_id: Option<ClientId>,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    // Before anything else, because it is on the player's clock up to here.
    let arrival = crate::context::arena().map(|arena| arena.matches.arrived(match_id));
    crate::context::as_recent_player(|arena, player| async move {
        let (live, seat) = arena.matches.seated(match_id, &player).await?;
        live.check_pace(seat)?;
        let command = Command::Move {
            seat,
            mv,
            version,
            client_id,
        };
        live.command_received(command, arrival?).await
    })
    .await
}

/// Offers a draw, to end the match, or to take a move back. The offer expires after `limits::OFFER_TIMEOUT`.
#[server(name = MakeOffer, prefix = "/api", endpoint = "offer", protocol = Form)]
pub async fn offer(match_id: MatchId, kind: OfferKind) -> Result<OfferResponse, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        let (live, seat) = arena.matches.seated(match_id, &player).await?;
        live.check_pace(seat)?;
        live.offer(seat, kind).await
    })
    .await
}

/// Accepts or declines the opponent's offer, if `offer` is given the one of this version.
#[server(name = AnswerOffer, prefix = "/api", endpoint = "answer_offer", protocol = Form)]
pub async fn answer_offer(
    match_id: MatchId,
    accept: bool,
    offer: Option<u32>,
) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    crate::context::as_player(|arena, player| async move {
        let (live, seat) = arena.matches.seated(match_id, &player).await?;
        live.check_pace(seat)?;
        live.command(Command::AnswerOffer {
            seat,
            accept,
            offer,
        })
        .await
    })
    .await
}

/// Cancels the caller's offer.
#[server(name = CancelOffer, prefix = "/api", endpoint = "cancel_offer", protocol = Form)]
pub async fn cancel_offer(match_id: MatchId) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    crate::context::as_player(|arena, player| async move {
        let (live, seat) = arena.matches.seated(match_id, &player).await?;
        live.check_pace(seat)?;
        live.command(Command::CancelOffer { seat }).await
    })
    .await
}

/// Asks for a rematch with swapped seats, which is `rated` or not, if that is said. It starts when both have asked.
#[server(name = Rematch, prefix = "/api", endpoint = "rematch", protocol = Form)]
pub async fn rematch(
    match_id: MatchId,
    rated: Option<bool>,
) -> Result<RematchResponse, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        let response = arena.matches.rematch(match_id, &player, rated).await?;
        if let Some(id) = response.match_id {
            crate::context::redirect_form(None, &format!("/match/{id}"));
        }
        Ok(response)
    })
    .await
}

/// Aborts a match in which not both have made a move.
#[server(name = Abort, prefix = "/api", endpoint = "abort", protocol = Form)]
pub async fn abort(match_id: MatchId) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    crate::context::as_player(|arena, player| async move {
        let (live, seat) = arena.matches.seated(match_id, &player).await?;
        live.check_pace(seat)?;
        live.command(Command::Abort { seat }).await
    })
    .await
}

/// Resigns a running match.
#[server(name = Resign, prefix = "/api", endpoint = "resign", protocol = Form)]
pub async fn resign(match_id: MatchId) -> Result<VersionResponse, ErrorResponse> {
    use tochki_play::Command;

    crate::context::as_player(|arena, player| async move {
        let (live, seat) = arena.matches.seated(match_id, &player).await?;
        live.check_pace(seat)?;
        live.command(Command::Resign { seat }).await
    })
    .await
}
