//! Requests for a rematch by correspondence that wait for the other player.

use crate::Error;
use crate::db::Db;
use crate::db::rows::{account, skip_unreadable};
use crate::db::terms::StoredTerms;
use tochki_protocol::{MatchId, PlayerId, RematchRequest, limits};

/// The requests of a player and to a player, of the match first that ended last: those of the last [`limits::REMATCH_LISTED`], unless the
/// player has muted who asks.
pub async fn open(db: &Db, player: PlayerId) -> Result<Vec<RematchRequest>, Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.setup, m.clock, coalesce(m.rematch_rated, m.rated) as "rated!",
                  case when m.seat1 = $1 then m.rematch1 else m.rematch2 end as "is_mine!",
                  o.id as other_id, o.name, o.guest, o.bot
           from matches m join players o on o.id = case when m.seat1 = $1 then m.seat2 else m.seat1 end
           where (m.seat1 = $1 or m.seat2 = $1) and m.correspondence and m.rematch1 <> m.rematch2 and m.next_match is null
               and m.finished_at is not null and m.finished_at > now() - $2::interval
               and o.closed_at is null and o.deleted_at is null
               and not exists (select from mutes u where u.player_id = $1 and u.muted_id = o.id)
           order by m.finished_at desc, m.id desc limit 50"#,
        player.0,
        limits::REMATCH_LISTED as _
    )
    .fetch_all(db)
    .await?;
    Ok(skip_unreadable(rows.into_iter().map(|row| {
        let terms = StoredTerms::new(row.game, row.setup, row.clock).read(row.rated)?;
        Ok(RematchRequest {
            match_id: MatchId(row.id),
            setup: terms.setup,
            time_control: terms.clock,
            rated: terms.rated,
            opponent: account(row.other_id, row.name, row.guest, row.bot),
            is_mine: row.is_mine,
        })
    })))
}
