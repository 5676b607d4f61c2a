//! What people say to each other.

use super::answer::Answer;
use crate::wire::{ApiError, MessageId, PlayerId, Said, Talk};
use leptos::prelude::*;
use leptos::server_fn::codec::GetUrl;

/// Says something: `place` is `lobby` or the number of a match. A form goes back to its page.
#[server(name = Say, prefix = "/api", endpoint = "say", output = Answer)]
pub async fn say(place: String, text: String) -> Result<Said, ApiError> {
    use crate::door;
    use crate::server::chat::{Spoken, Words};
    use crate::wire::Code;

    let arena = door::arena();
    let player = door::player().await?;
    let venue = place.parse().map_err(|_| Code::NoSuchMatch)?;
    let words = Words::read(&text)?;
    match arena.chats.say(&player, venue, &words).await? {
        Spoken::Said(said) => Ok(said),
        Spoken::TooSoon(seconds) => {
            door::wait(seconds);
            Err(Code::TooManyMessages.into())
        }
    }
}

/// The last messages of a place, as far as the caller sees them, and whom the caller has muted.
#[server(name = ReadTalk, prefix = "/api", endpoint = "talk", input = GetUrl, output = Answer)]
pub async fn talk(place: String) -> Result<Talk, ApiError> {
    use crate::door;
    use crate::wire::{Code, Venue};

    let arena = door::arena();
    let reader = door::caller().await?.map(|account| account.id);
    let venue = place.parse().map_err(|_| Code::NoSuchMatch)?;
    if venue == Venue::Lobby && reader.is_none() {
        return Err(Code::SignedOut.into());
    }
    arena.chats.talk(venue, reader).await
}

/// Hears nothing of a player any more, anywhere; or hears them again.
#[server(name = Mute, prefix = "/api", endpoint = "mute", output = Answer)]
pub async fn mute(player: PlayerId, muted: bool) -> Result<(), ApiError> {
    use crate::door;

    let arena = door::arena();
    let caller = door::player().await?;
    arena.chats.mute(&caller, player, muted).await
}

/// Shows a message to the operator. Whoever does so twice has done so once.
#[server(name = ReportMessage, prefix = "/api", endpoint = "report", output = Answer)]
pub async fn report(message: MessageId, reason: Option<String>) -> Result<(), ApiError> {
    use crate::door;
    use crate::server::chat::Words;

    let arena = door::arena();
    let caller = door::player().await?;
    let reason = Words::read_short(reason.as_deref().unwrap_or_default())?;
    arena.chats.report(&caller, message, &reason).await
}
