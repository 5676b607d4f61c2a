//! The waiting room and its challenges.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{
    ChallengeAnswer, ChallengeCreated, ChallengeId, ChallengeOutcome, ClockText, PlayerId,
    SetupText, WaitingRoom,
};

/// Who waits, who asks whom, what is played. `min` and `max` bound the rounded rating, both included; `name` is a part
/// of a name, case ignored.
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
        let filter = Filter::read(min.as_deref(), max.as_deref(), name.as_deref())?;
        let room = arena.lobbies.room(game, &player, &filter).await;
        room.inspect_err(crate::context::set_status)
    })
    .await
}

/// How the caller's challenges of the last 20 seconds ended, for pages that have not heard it as it happened.
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

/// Asks a waiting player for a game. Where they have asked for the same, this accepts it.
#[server(name = IssueChallenge, prefix = "/api", endpoint = "challenge", protocol = Form)]
pub async fn challenge(
    opponent: PlayerId,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
) -> Result<ChallengeCreated, ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        let terms = crate::context::terms(&game, setup, clock, rated)?;
        let challenged = arena.lobbies.challenge(&player, opponent, &terms).await?;
        if let Some(id) = challenged.match_id {
            crate::context::redirect_form(None, &format!("/match/{id}"));
        }
        Ok(challenged)
    })
    .await
}

/// Accepts or declines a challenge. Accepting sends a form to the table.
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

/// Takes one's own challenge back.
#[server(name = CancelChallenge, prefix = "/api", endpoint = "cancel_challenge", protocol = Form)]
pub async fn cancel_challenge(id: ChallengeId) -> Result<(), ErrorResponse> {
    crate::context::as_player(
        |arena, player| async move { arena.lobbies.cancel(&player, id).await },
    )
    .await
}

/// Lets the caller's browser remember what they have chosen to play: fields as in the address of the waiting room.
#[server(name = RememberChoice, prefix = "/api", endpoint = "remember_choice", protocol = Form)]
pub async fn remember_choice(choice: String) -> Result<(), ErrorResponse> {
    crate::context::answer(async move {
        crate::context::player().await?;
        crate::context::remember_choice(&choice)
    })
    .await
}
