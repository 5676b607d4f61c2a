//! The calls of the HTTP API (`docs/api.md`).

use crate::client::{Client, Repeat};
use crate::error::Error;
use tochki_play::{ClientId, OfferKind, Terms};
use tochki_protocol::{
    Account, ChallengeAnswer, ChallengeCreated, ChallengeId, ChatMessage, ChatPlace, MatchId,
    OfferResponse, PlayerId, RematchResponse, Snapshot, TournamentId, VersionResponse, WaitingRoom,
};
use tochki_rules::{GameKind, Setup};

/// Returns a name for a move that nobody else gives one.
fn new_client_id() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Returns a setup in the text form of the contract.
fn setup_text(setup: Setup) -> Result<String, Error> {
    let unwritable = |error: serde_json::Error| Error::Unreadable(error.to_string());
    let value = serde_json::to_value(setup).map_err(unwritable)?;
    Ok(value["setup"].to_string())
}

impl Client {
    /// Returns the account of the token.
    ///
    /// # Errors
    /// `bad_token`.
    pub async fn whoami(&self) -> Result<Option<Account>, Error> {
        self.get("/api/whoami", &[]).await
    }

    /// Reads the waiting room of a game.
    ///
    /// # Errors
    /// None besides those of every call.
    pub async fn waiting_room(&self, game: GameKind) -> Result<WaitingRoom, Error> {
        self.get("/api/waiting_room", &[("game", game.to_string())])
            .await
    }

    /// Challenges a player. The call is sent once: if the answer is lost, the personal stream shows whether the challenge exists.
    ///
    /// # Errors
    /// `not_waiting`, `already_playing` and the others of the contract.
    pub async fn challenge(
        &self,
        opponent: PlayerId,
        terms: &Terms,
    ) -> Result<ChallengeCreated, Error> {
        let form = [
            ("opponent", opponent.to_string()),
            ("game", terms.setup.kind().to_string()),
            ("setup", setup_text(terms.setup)?),
            ("clock", terms.clock.to_string()),
            ("rated", terms.rated.to_string()),
        ];
        self.post("/api/challenge", &form, Repeat::IfNotSent).await
    }

    /// Accepts or declines a challenge.
    ///
    /// # Errors
    /// `challenge_closed`, also if an answer before was lost on its way back; `already_playing`.
    pub async fn answer_challenge(
        &self,
        id: ChallengeId,
        accept: bool,
    ) -> Result<ChallengeAnswer, Error> {
        let form = [("id", id.to_string()), ("accept", accept.to_string())];
        self.post("/api/answer_challenge", &form, Repeat::Always)
            .await
    }

    /// Cancels the player's own challenge.
    ///
    /// # Errors
    /// `challenge_closed`, `not_yours`.
    pub async fn cancel_challenge(&self, id: ChallengeId) -> Result<(), Error> {
        let form = [("id", id.to_string())];
        self.post("/api/cancel_challenge", &form, Repeat::Always)
            .await
    }

    /// Reads a match as it stands, with the server's time.
    ///
    /// # Errors
    /// `no_such_match`.
    pub async fn snapshot(&self, id: MatchId) -> Result<Snapshot, Error> {
        let query = [("id", id.to_string()), ("timed", "true".to_owned())];
        self.get("/api/match", &query).await
    }

    /// Makes a move, from the board as it was at a version. The move is made once, however often it has to be sent.
    ///
    /// # Errors
    /// `stale`, `not_your_turn`, `illegal` and the others of the contract.
    pub async fn make_move(
        &self,
        id: MatchId,
        mv: &str,
        version: Option<u32>,
    ) -> Result<VersionResponse, Error> {
        self.make_named_move(id, mv, version, &new_client_id())
            .await
    }

    /// Makes a move under a name that the caller has chosen, so that a program that was started again can repeat it.
    ///
    /// # Errors
    /// As of [`Self::make_move`], and `client_id_reused`.
    pub async fn make_move_as(
        &self,
        id: MatchId,
        mv: &str,
        version: Option<u32>,
        name: &ClientId,
    ) -> Result<VersionResponse, Error> {
        self.make_named_move(id, mv, version, name.as_str()).await
    }

    async fn make_named_move(
        &self,
        id: MatchId,
        mv: &str,
        version: Option<u32>,
        name: &str,
    ) -> Result<VersionResponse, Error> {
        let mut form = vec![
            ("match_id", id.to_string()),
            ("mv", mv.to_owned()),
            ("client_id", name.to_owned()),
        ];
        form.extend(version.map(|version| ("version", version.to_string())));
        self.post("/api/move", &form, Repeat::Always).await
    }

    /// Offers a draw, to finish, or asks to take back.
    ///
    /// # Errors
    /// `offer_open`, also if the answer to an attempt was lost; `offered_lately`, `not_begun`, `finished`.
    pub async fn offer(&self, id: MatchId, kind: OfferKind) -> Result<OfferResponse, Error> {
        let form = [
            ("match_id", id.to_string()),
            ("kind", kind.as_str().to_owned()),
        ];
        self.post("/api/offer", &form, Repeat::Always).await
    }

    /// Answers the offer that has this version.
    ///
    /// # Errors
    /// `offer_closed`, `not_yours`.
    pub async fn answer_offer(
        &self,
        id: MatchId,
        accept: bool,
        offer: u32,
    ) -> Result<VersionResponse, Error> {
        let form = [
            ("match_id", id.to_string()),
            ("accept", accept.to_string()),
            ("offer", offer.to_string()),
        ];
        self.post("/api/answer_offer", &form, Repeat::Always).await
    }

    /// Cancels the player's own offer.
    ///
    /// # Errors
    /// `offer_closed`, `not_yours`.
    pub async fn cancel_offer(&self, id: MatchId) -> Result<VersionResponse, Error> {
        self.command("/api/cancel_offer", id).await
    }

    /// Resigns a match.
    ///
    /// # Errors
    /// `finished`, `not_begun`.
    pub async fn resign(&self, id: MatchId) -> Result<VersionResponse, Error> {
        self.command("/api/resign", id).await
    }

    /// Halves the own clock before the own first move, in an arena that has berserk.
    ///
    /// # Errors
    /// `finished`, `no_berserk`.
    pub async fn berserk(&self, id: MatchId) -> Result<VersionResponse, Error> {
        self.command("/api/berserk", id).await
    }

    /// Ends a match in which not both have moved.
    ///
    /// # Errors
    /// `finished`, `begun`.
    pub async fn abort(&self, id: MatchId) -> Result<VersionResponse, Error> {
        self.command("/api/abort", id).await
    }

    /// Asks for a rematch.
    ///
    /// # Errors
    /// `opponent_left`, `not_finished`, `already_playing`.
    pub async fn rematch(&self, id: MatchId) -> Result<RematchResponse, Error> {
        let form = [("match_id", id.to_string())];
        self.post("/api/rematch", &form, Repeat::Always).await
    }

    /// Says that the player is here for the next round of a tournament, after the call to it (`round_soon`).
    ///
    /// # Errors
    /// `not_open`.
    pub async fn confirm_presence(&self, id: TournamentId) -> Result<(), Error> {
        let form = [("id", id.to_string())];
        self.post("/api/confirm_presence", &form, Repeat::Always)
            .await
    }

    /// Sends a message to a chat.
    ///
    /// # Errors
    /// `muted`, `message_too_long`, `too_many_messages`.
    pub async fn say(&self, place: ChatPlace, text: &str) -> Result<ChatMessage, Error> {
        let form = [("place", place.to_string()), ("text", text.to_owned())];
        self.post("/api/say", &form, Repeat::IfNotSent).await
    }

    async fn command(&self, path: &str, id: MatchId) -> Result<VersionResponse, Error> {
        let form = [("match_id", id.to_string())];
        self.post(path, &form, Repeat::Always).await
    }
}
