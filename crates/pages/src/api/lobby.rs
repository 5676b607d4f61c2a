//! The waiting room and its challenges.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{
    ChallengeAnswer, ChallengeCreated, ChallengeId, ChallengeOutcome, ClockText, PlayerId,
    SetupText, WaitingRoom,
};

/// The waiting room: players, challenges, matches and tables. `min` and `max` are inclusive bounds of the rounded rating;
/// `name` is a part of a name, ignoring case.
#[server(name = ReadWaitingRoom, prefix = "/api", endpoint = "waiting_room", protocol = Query)]
pub async fn waiting_room(
    game: String,
    min: Option<String>,
    max: Option<String>,
    name: Option<String>,
) -> Result<WaitingRoom, ErrorResponse> {
    use tochki_protocol::Filter;

    crate::context::as_player(|arena, player| async move {
        let game = crate::context::game(&game)?;
        let free = arena.capacity.check_player(Some(player.id)).await;
        free.inspect_err(crate::context::set_status)?;
        let filter = Filter::read(min.as_deref(), max.as_deref(), name.as_deref())?;
        let room = arena.lobbies.room(game, &player, &filter).await;
        room.inspect_err(crate::context::set_status)
    })
    .await
}

/// The number of players in the waiting rooms of all games. No account is needed.
#[server(name = ReadWaitingCount, prefix = "/api", endpoint = "waiting_count", protocol = Query)]
pub async fn waiting_count() -> Result<u32, ErrorResponse> {
    crate::context::answer(async move { crate::context::arena()?.lobbies.waiting_count().await })
        .await
}

/// How the caller's challenges ended within `limits::LOBBY_HISTORY`, for pages that have missed the events.
#[server(name = ReadEndings, prefix = "/api", endpoint = "endings", protocol = Query)]
pub async fn endings(game: String) -> Result<Vec<ChallengeOutcome>, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        arena
            .lobbies
            .outcomes(crate::context::game(&game)?, &player)
            .await
    })
    .await
}

/// Sends a challenge to a waiting player. If they have sent the same challenge, it is accepted instead.
#[server(name = IssueChallenge, prefix = "/api", endpoint = "challenge", protocol = Form)]
pub async fn challenge(
    opponent: PlayerId,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
) -> Result<ChallengeCreated, ErrorResponse> {
    use tochki_protocol::Code;
    use tochki_server::lobby::ChallengeSent;

    crate::context::as_player(|arena, player| async move {
        let terms = crate::context::terms(&game, setup, clock, rated)?;
        let client = crate::context::client_address()?;
        let lobbies = &arena.lobbies;
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
        if let Some(id) = challenged.match_id {
            crate::context::redirect_form(None, &format!("/match/{id}"));
        }
        Ok(challenged)
    })
    .await
}

/// Accepts or declines a challenge. A form that accepts is redirected to the match.
#[server(name = AnswerChallenge, prefix = "/api", endpoint = "answer_challenge", protocol = Form)]
pub async fn answer_challenge(
    id: ChallengeId,
    accept: bool,
) -> Result<ChallengeAnswer, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        let answered = arena.lobbies.answer(&player, id, accept).await?;
        if let Some(id) = answered.match_id {
            crate::context::redirect_form(None, &format!("/match/{id}"));
        }
        Ok(answered)
    })
    .await
}

/// Cancels the caller's challenge.
#[server(name = CancelChallenge, prefix = "/api", endpoint = "cancel_challenge", protocol = Form)]
pub async fn cancel_challenge(id: ChallengeId) -> Result<(), ErrorResponse> {
    crate::context::as_player(
        |arena, player| async move { arena.lobbies.cancel(&player, id).await },
    )
    .await
}

/// Stores the choice of what to play in the browser: the query string of the lobby's page.
#[server(name = RememberChoice, prefix = "/api", endpoint = "remember_choice", protocol = Form)]
pub async fn remember_choice(choice: String) -> Result<(), ErrorResponse> {
    crate::context::answer(async move {
        crate::context::player().await?;
        crate::context::remember_choice(&choice)
    })
    .await
}
