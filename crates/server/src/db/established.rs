//! Established players of a game: gains against them count fully. The rule is `is_established` in the schema, with the
//! figures of [`limits`].

use super::Tx;
use crate::Error;
use tochki_protocol::{PlayerId, limits};
use tochki_rules::GameKind;

/// Establishes a player in a game if the matches so far are enough for it.
pub async fn by_matches(tx: &mut Tx, player: PlayerId, game: GameKind) -> Result<(), Error> {
    sqlx::query!(
        "update ratings set established = true
         where player_id = $1 and game = $2 and is_established($1, $2, $3, $4, $5, $6, $7)",
        player.0,
        game.id(),
        i64::from(limits::ESTABLISHING_OPPONENTS),
        i64::from(limits::FOUNDERS),
        i64::from(limits::FOUNDING_MATCHES),
        i64::from(limits::FOUNDING_OPPONENTS),
        i64::from(limits::FOUNDING_DAYS)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Says by name whether a player is established in a game. False if that changes nothing.
pub async fn set(
    tx: &mut Tx,
    player: PlayerId,
    game: GameKind,
    established: bool,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "insert into ratings as r (player_id, game, established) select $1, $2, true where $3
         on conflict (player_id, game) do update set established = true where not r.established",
        player.0,
        game.id(),
        established
    )
    .execute(&mut **tx)
    .await?;
    let revoked = sqlx::query!(
        "update ratings set established = false where player_id = $1 and game = $2 and established and not $3",
        player.0,
        game.id(),
        established
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() + revoked.rows_affected() > 0)
}
