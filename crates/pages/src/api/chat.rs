//! Chat: sending and reading messages, muting, reporting.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{ChatHistory, ChatMessage, MessageId, PlayerId};

/// Sends a message: `place` is `lobby` or the id of a match. A form is redirected back to its page.
#[server(name = Say, prefix = "/api", endpoint = "say", protocol = Form)]
pub async fn say(place: String, text: String) -> Result<ChatMessage, ErrorResponse> {
    use tochki_protocol::Code;
    use tochki_server::chat::{MessageText, SendOutcome};

    crate::context::as_player(|arena, player| async move {
        let place = place.parse().map_err(|_| Code::NoSuchMatch)?;
        let text = MessageText::read(&text)?;
        let client = crate::context::client_address()?;
        match arena.chats.send(&player, &client, place, &text).await? {
            SendOutcome::Sent(said) => Ok(said),
            SendOutcome::RateLimited(seconds) => {
                crate::context::set_retry_after(seconds)?;
                Err(Code::TooManyMessages.into())
            }
        }
    })
    .await
}

/// The last messages of a place that the caller can read, and the players whom the caller has muted.
#[server(name = ReadTalk, prefix = "/api", endpoint = "talk", protocol = Query)]
pub async fn talk(place: String) -> Result<ChatHistory, ErrorResponse> {
    use tochki_protocol::{ChatPlace, Code};

    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let reader = crate::context::caller().await?.map(|account| account.id);
        let place = place.parse().map_err(|_| Code::NoSuchMatch)?;
        if place == ChatPlace::Lobby && reader.is_none() {
            return Err(Code::SignedOut.into());
        }
        arena.chats.history(place, reader).await
    })
    .await
}

/// Mutes or unmutes a player for the caller, in all chats, as a challenger and at tables.
#[server(name = Mute, prefix = "/api", endpoint = "mute", protocol = Form)]
pub async fn mute(player: PlayerId, muted: bool) -> Result<(), ErrorResponse> {
    crate::context::as_player(|arena, caller| async move {
        arena.chats.mute(&caller, player, muted).await?;
        // The tables of whom the caller mutes are no longer in the caller's waiting room.
        arena.lobbies.refresh_all();
        Ok(())
    })
    .await
}

/// Reports a message to the operator. A second report by the same caller is ignored.
#[server(name = ReportMessage, prefix = "/api", endpoint = "report", protocol = Form)]
pub async fn report(message: MessageId, reason: Option<String>) -> Result<(), ErrorResponse> {
    use tochki_server::chat::MessageText;

    crate::context::as_player(|arena, caller| async move {
        let reason = MessageText::read_short(reason.as_deref().unwrap_or_default())?;
        arena.chats.report(&caller, message, &reason).await
    })
    .await
}
