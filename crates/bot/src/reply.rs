//! Sending a move or a resignation to a match, retried until the server answers. Sent several times, it takes effect once.

use tochki_client::play::ClientId;
use tochki_client::protocol::{Code, MatchId, limits};
use tochki_client::{Client, Error};
use tokio::time::sleep;

/// Result of sending a move.
#[derive(Debug)]
pub(crate) enum Sent {
    /// The move is made.
    Made,
    /// The match has gone on: the move was made before, was taken back, or the match has ended. Its stream has the reason.
    Outdated,
    /// The server refuses the move.
    Refused(Error),
}

/// Returns the name of the move for a version of a match. A bot that was started again gives the same name to the move that it
/// finds then, so the server makes one move for the version and no second one.
pub(crate) fn move_name(id: MatchId, version: u32) -> ClientId {
    let name = format!("tochki-bot-{id}-{version}");
    // Numbers and letters, far shorter than a name may be.
    name.parse().unwrap_or_else(|_| unreachable!("{name}"))
}

/// Sends the move that was found for a version, until the server has answered.
pub(crate) async fn send_move(
    client: &Client,
    id: MatchId,
    mv: &str,
    version: u32,
) -> Result<Sent, Error> {
    let name = move_name(id, version);
    loop {
        let sent = client.make_move_as(id, mv, Some(version), &name).await;
        let Err(error) = sent else {
            return Ok(Sent::Made);
        };
        match error.code() {
            Some(
                Code::Stale
                | Code::NotYourTurn
                | Code::Finished
                | Code::ClientIdReused
                | Code::Annulled,
            ) => return Ok(Sent::Outdated),
            Some(Code::Illegal | Code::MalformedMove) => return Ok(Sent::Refused(error)),
            _ if is_final(&error) => return Err(error),
            _ => tracing::warn!("match {id}: the move {mv} is sent again: {error}"),
        }
        sleep(limits::BOT_SEND_RETRY_DELAY).await;
    }
}

/// Resigns, or ends a match in which not both have moved.
pub(crate) async fn give_up(client: &Client, id: MatchId) -> Result<(), Error> {
    loop {
        let mut done = client.resign(id).await;
        if let Err(error) = &done
            && error.code() == Some(Code::NotBegun)
        {
            done = client.abort(id).await;
        }
        let Err(error) = done else { return Ok(()) };
        match error.code() {
            Some(Code::Finished) => return Ok(()),
            // Both have moved just now.
            Some(Code::Begun) => {}
            _ if is_final(&error) => return Err(error),
            _ => tracing::warn!("match {id}: giving up is sent again: {error}"),
        }
        sleep(limits::BOT_SEND_RETRY_DELAY).await;
    }
}

/// Returns whether an error is permanent, so that a retry is useless.
pub(crate) fn is_final(error: &Error) -> bool {
    match error.code() {
        Some(
            Code::MatchSuspended
            | Code::Internal
            | Code::Unavailable
            | Code::TooManyRequests
            | Code::TooManyStreams
            | Code::Begun
            | Code::NotBegun,
        )
        | None => false,
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_move_is_made_of_match_and_version() {
        let name = move_name(MatchId(i64::MAX), u32::MAX);
        assert_eq!(name.as_str(), "tochki-bot-9223372036854775807-4294967295");
    }
}
