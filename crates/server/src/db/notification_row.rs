//! Notifications as queries read them.

use crate::Error;
use crate::db::rows::{account, parse_stored, parse_stored_game};
use tochki_play::Timestamp;
use tochki_protocol::{
    CloseReason, MatchId, ModerationAction, Notification, NotificationId, NotificationKind,
    PlayerOutcome, TournamentId, TournamentLink, TournamentNotice,
};
use tochki_rules::Seat;

/// The detail of a turn that calls to an adjourned match, which goes on live now.
pub(crate) const LIVE: &str = "live";

/// A notification, a push or a mail of one, with the match, the player and the tournament that it is about.
pub(crate) struct NotificationRow {
    pub(crate) id: i64,
    pub(crate) kind: String,
    pub(crate) match_id: Option<i64>,
    pub(crate) detail: Option<String>,
    pub(crate) at: i64,
    pub(crate) read: bool,
    pub(crate) game: Option<String>,
    pub(crate) winner: Option<i16>,
    /// Whether the player has the first seat.
    pub(crate) first: Option<bool>,
    pub(crate) other_id: Option<i64>,
    pub(crate) name: Option<String>,
    pub(crate) guest: Option<bool>,
    pub(crate) bot: Option<bool>,
    pub(crate) tournament_id: Option<i64>,
    pub(crate) tournament_name: Option<String>,
}

impl NotificationRow {
    pub(crate) fn read(self) -> Result<Notification, Error> {
        let kind = parse_stored(&self.kind, NotificationKind::parse(&self.kind))?;
        let seat = self
            .first
            .map(|first| if first { Seat::First } else { Seat::Second });
        // A match that is running, or was aborted, has none.
        let winner = self.winner.map(|winner| match winner {
            1 => Some(Seat::First),
            2 => Some(Seat::Second),
            _ => None,
        });
        let outcome = winner
            .zip(seat)
            .filter(|_| kind == NotificationKind::GameOver)
            .map(|(winner, seat)| PlayerOutcome::of(winner, seat));
        let (mut act, mut why, mut notice, mut live) = (None, None, None, false);
        if let Some(detail) = &self.detail {
            match kind {
                NotificationKind::Challenge => {
                    why = Some(parse_stored(detail, CloseReason::parse(detail))?);
                }
                NotificationKind::YourTurn => {
                    live = parse_stored(detail, (detail == LIVE).then_some(true))?;
                }
                NotificationKind::Tournament => {
                    notice = Some(parse_stored(detail, TournamentNotice::parse(detail))?);
                }
                NotificationKind::GameOver
                | NotificationKind::TournamentSoon
                | NotificationKind::Operator => {
                    act = Some(parse_stored(detail, ModerationAction::parse(detail))?);
                }
            }
        }
        let tournament = self.tournament_id.zip(self.tournament_name);
        let player = match (self.other_id, self.name, self.guest, self.bot) {
            (Some(id), Some(name), Some(guest), Some(bot)) => Some(account(id, name, guest, bot)),
            _ => None,
        };
        Ok(Notification {
            id: NotificationId(self.id),
            kind,
            match_id: self.match_id.map(MatchId),
            game: self.game.as_deref().map(parse_stored_game).transpose()?,
            player,
            outcome,
            act,
            why,
            tournament: tournament.map(|(id, name)| TournamentLink {
                id: TournamentId(id),
                name,
            }),
            notice,
            live,
            at: Timestamp(self.at),
            read: self.read,
        })
    }
}
