//! Another match of the same kind: once both players want it, it begins, with the seats swapped.

use super::super::db::{self, challenges, match_status};
use super::super::presence::Place;
use super::Matches;
use crate::{About as _, Error};
use tochki_protocol::{Account, Code, MatchId, RematchResponse};

impl Matches {
    /// Asks for another match; the second of the two to ask starts it. Asking again changes nothing.
    ///
    /// Like all that may start a match it first locks both players in one order, so that of two who ask at once one comes
    /// second, and neither is in two matches.
    pub async fn rematch(&self, id: MatchId, player: &Account) -> Result<RematchResponse, Error> {
        let done = async {
            let (table, seat) = self.seated(id, player).await?;
            let players = table.players();
            let opponent = players[seat.other().index()];
            let mut tx = self.db.begin().await?;
            challenges::lock_players(&mut tx, players).await?;
            let wanted = match_status::wanted(&mut tx, id).await?;
            if !wanted.over {
                return Err(Code::NotFinished.into());
            }
            if wanted.next.is_some() {
                return Ok(RematchResponse {
                    match_id: wanted.next,
                });
            }
            if !challenges::is_at(&mut tx, opponent, &Place::Match(id).to_string()).await? {
                return Err(Code::OpponentLeft.into());
            }
            if challenges::anyone_playing(&mut tx, players).await? {
                return Err(Code::AlreadyPlaying.into());
            }
            match_status::want(&mut tx, id, seat).await?;
            let match_id = if wanted.asked[seat.other().index()] {
                let [first, second] = players;
                let next = db::start_match(&mut tx, [second, first], table.terms()).await?;
                match_status::set_next(&mut tx, id, next).await?;
                Some(next)
            } else {
                None
            };
            tx.commit().await?;
            self.notifier.notify_match(id);
            if match_id.is_some() {
                // Starting a match closes challenges for other games, too.
                self.notifier.notify_all();
            }
            Ok(RematchResponse { match_id })
        };
        done.await.about(id)
    }
}
