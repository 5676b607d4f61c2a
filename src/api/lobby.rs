//! The waiting room and its challenges.

use super::answer::Answer;
use crate::wire::{
    Answered, ApiError, ChallengeId, Challenged, ClockText, Ending, PlayerId, SetupText,
    WaitingRoom,
};
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

/// Who waits, who asks whom, what is played. `min` and `max` bound the rounded rating, both included; `name` is a part
/// of a name, case ignored.
#[server(name = ReadWaitingRoom, prefix = "/api", endpoint = "waiting_room", input = GetUrl, output = Answer)]
pub async fn waiting_room(
    game: String,
    min: Option<String>,
    max: Option<String>,
    name: Option<String>,
) -> Result<WaitingRoom, ApiError> {
    use crate::door;
    use crate::wire::Filter;

    let arena = door::arena();
    let player = door::player().await?;
    let game = door::game(&game)?;
    let filter = Filter::read(min.as_deref(), max.as_deref(), name.as_deref())?;
    let room = arena.lobbies.room(game, &player, &filter).await;
    room.inspect_err(door::say_status)
}

/// How the caller's challenges of the last 20 seconds ended, for pages that have not heard it as it happened.
#[server(name = ReadEndings, prefix = "/api", endpoint = "endings", input = GetUrl, output = Answer)]
pub async fn endings(game: String) -> Result<Vec<Ending>, ApiError> {
    use crate::door;

    let arena = door::arena();
    let player = door::player().await?;
    arena.lobbies.endings(door::game(&game)?, &player).await
}

/// Asks a waiting player for a game. Where they have asked for the same, this accepts it.
#[server(name = IssueChallenge, prefix = "/api", endpoint = "challenge", output = Answer)]
pub async fn challenge(
    opponent: PlayerId,
    game: String,
    #[server(default)] setup: SetupText,
    #[server(default)] clock: ClockText,
    rated: Option<bool>,
) -> Result<Challenged, ApiError> {
    use crate::door;

    let arena = door::arena();
    let player = door::player().await?;
    let terms = door::terms(&game, setup, clock, rated)?;
    let challenged = arena.lobbies.challenge(&player, opponent, &terms).await?;
    if let Some(id) = challenged.match_id {
        door::go_on(None, &format!("/match/{id}"));
    }
    Ok(challenged)
}

/// Accepts or declines a challenge. Accepting sends a form to the table.
#[server(name = AnswerChallenge, prefix = "/api", endpoint = "answer_challenge", output = Answer)]
pub async fn answer_challenge(id: ChallengeId, accept: bool) -> Result<Answered, ApiError> {
    use crate::door;

    let arena = door::arena();
    let player = door::player().await?;
    let answered = arena.lobbies.answer(&player, id, accept).await?;
    if let Some(id) = answered.match_id {
        door::go_on(None, &format!("/match/{id}"));
    }
    Ok(answered)
}

/// Takes one's own challenge back.
#[server(name = CancelChallenge, prefix = "/api", endpoint = "cancel_challenge", output = Answer)]
pub async fn cancel_challenge(id: ChallengeId) -> Result<(), ApiError> {
    use crate::door;

    let arena = door::arena();
    let player = door::player().await?;
    arena.lobbies.cancel(&player, id).await
}

/// Lets the caller's browser remember what they have chosen to play: fields as in the address of the waiting room.
#[server(name = RememberChoice, prefix = "/api", endpoint = "remember_choice", output = Answer)]
pub async fn remember_choice(choice: String) -> Result<(), ApiError> {
    use crate::door;

    door::player().await?;
    door::keep_choice(&choice)
}
