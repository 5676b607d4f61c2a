//! Chat: sending and reading messages, muting, reporting.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{ChatHistory, ChatMessage, MessageId, PlayerId};

/// Sends a message: `place` is `lobby`, `table:` and the id of an open table, or the id of a match. A form is redirected back to its
/// page.
#[endpoint(
    name = Say,
    post = "/api/say",
    scope = Play,
    answers = "Message",
    errors(NoSuchMatch, NoSuchTable, EmptyMessage, MessageTooLong, Muted, OpponentLeft, TooManyMessages),
)]
pub async fn say(
    app: AppState,
    player: Player,
    place: String,
    text: String,
) -> Result<ChatMessage, ErrorResponse> {
    use tochki_protocol::Code;
    use tochki_server::chat::{MessageText, SendOutcome};

    let place = place.parse().map_err(|_| Code::NoSuchMatch)?;
    let text = MessageText::read(&text)?;
    let client = crate::context::client_address()?;
    match app.chats.send(&player, &client, place, &text).await? {
        SendOutcome::Sent(said) => Ok(said),
        SendOutcome::RateLimited(seconds) => {
            crate::context::set_retry_after(seconds)?;
            Err(Code::TooManyMessages.into())
        }
    }
}

/// The last messages of a place that the caller can read, and the players whom the caller has muted.
#[endpoint(
    name = ReadChatHistory,
    get = "/api/talk",
    scope = Read,
    who = "visitor; `lobby`: player; `table:…`: who sits there",
    answers = "`{messages: [Message, …], muted: [Account, …]}`: the last 50 of each chat, oldest first, and \
               whom the caller has muted; for operators `operator: true`",
    errors(NoSuchMatch, NoSuchTable, SignedOut),
)]
pub async fn chat_history(
    app: AppState,
    caller: Option<Player>,
    place: String,
) -> Result<ChatHistory, ErrorResponse> {
    use tochki_protocol::{ChatPlace, Code};

    let reader = caller.map(|player| player.id);
    let place = place.parse().map_err(|_| Code::NoSuchMatch)?;
    if place == ChatPlace::Lobby && reader.is_none() {
        return Err(Code::SignedOut.into());
    }
    app.chats.history(place, reader).await
}

/// Mutes or unmutes a player for the caller, in all chats, as a challenger and at tables.
#[endpoint(
    name = Mute,
    post = "/api/mute",
    scope = Play,
    answers = "`null`",
    errors(OwnAccount, NoSuchPlayer),
)]
pub async fn mute(
    app: AppState,
    caller: Player,
    player: PlayerId,
    muted: bool,
) -> Result<(), ErrorResponse> {
    app.chats.mute(&caller, player, muted).await?;
    // The tables of whom the caller mutes are no longer in the caller's waiting room.
    app.lobbies.refresh_all();
    Ok(())
}

/// Reports a message to the operator. A second report by the same caller is ignored.
#[endpoint(
    name = ReportMessage,
    post = "/api/report",
    scope = Play,
    answers = "`null`; a second report of the same message changes nothing",
    errors(MessageTooLong, NoSuchMessage, OwnAccount),
)]
pub async fn report(
    app: AppState,
    caller: Player,
    message: MessageId,
    reason: Option<String>,
) -> Result<(), ErrorResponse> {
    use tochki_server::chat::MessageText;

    let reason = MessageText::read_short(reason.as_deref().unwrap_or_default())?;
    app.chats.report(&caller, message, &reason).await
}
