//! Ranked players of a game: their ratings are shown without a question mark, and are in the standings. The rule is `earns_rank`
//! in the schema, with the figures of [`limits`].

use crate::Error;
use crate::db::Tx;
use tochki_protocol::{PlayerId, limits};

/// Ranks a player in a kind of ratings if the matches so far are enough for it. Says whether they are.
pub(crate) async fn rank_if_earned(
    tx: &mut Tx,
    player: PlayerId,
    kind: &str,
) -> Result<bool, Error> {
    let updated = sqlx::query!(
        "update ratings set ranked = true where player_id = $1 and game = $2 and earns_rank($1, $2, $3, $4)",
        player.0,
        kind,
        i64::from(limits::RANKED_MATCHES),
        i64::from(limits::RANKED_OPPONENTS)
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() > 0)
}

/// Takes the ranks back that the players of these annulled matches have not earned by those that still count. After an annulment
/// alone: otherwise a rank stays.
pub(crate) async fn revoke_unearned(tx: &mut Tx, annulled: &[i64]) -> Result<(), Error> {
    sqlx::query!(
        "update ratings r set ranked = false
         where (r.player_id, r.game) in (select h.player_id, h.game from rating_history h where h.match_id = any($1))
             and r.ranked and not earns_rank(r.player_id, r.game, $2, $3)",
        annulled,
        i64::from(limits::RANKED_MATCHES),
        i64::from(limits::RANKED_OPPONENTS)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
