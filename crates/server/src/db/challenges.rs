//! Challenges: issued, answered, taken back, expired.

use super::rows::card;
use super::terms::StoredTerms;
use super::{Db, Tx};
use crate::Error;
use tochki_play::{Terms, Timestamp};
use tochki_protocol::limits;
use tochki_protocol::{Challenge, ChallengeId, CloseReason, PlayerId};
use tochki_rules::GameKind;

/// An open challenge as a decision needs it.
pub struct Open {
    /// Which one.
    pub id: ChallengeId,
    /// Who asks.
    pub from: PlayerId,
    /// Who is asked.
    pub to: PlayerId,
    /// What for.
    pub terms: Terms,
    /// When it ends by itself.
    pub expires_at: Timestamp,
}

/// A challenge of late, open or closed, as the waiting room shows it.
pub struct Recent {
    /// The challenge.
    pub challenge: Challenge,
    /// Why it ended, if it has.
    pub closed: Option<CloseReason>,
}

/// Locks players in one order, so that whatever concerns two of them happens one after the other, without a deadlock.
/// Says how many of them exist.
///
/// Their keys stay free, because whatever refers to a player (a beat of many players' streams, the end of another match)
/// takes a share of these, in orders of its own.
pub async fn lock_players(tx: &mut Tx, players: [PlayerId; 2]) -> Result<usize, Error> {
    let ids = players.map(|player| player.0);
    let found = sqlx::query_scalar!(
        "select id from players where id = any($1) order by id for no key update",
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(found.len())
}

/// Whether a player is at this place.
pub async fn is_at(tx: &mut Tx, player: PlayerId, place: &str) -> Result<bool, Error> {
    let there = sqlx::query_scalar!(
        r#"select exists (
               select 1 from presence
               where player_id = $1 and place = $2 and is_alive(beat_at, gone_at)) as "there!""#,
        player.0,
        place
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(there)
}

/// Whether any of the players is in a running match.
pub async fn anyone_playing(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let ids = players.map(|player| player.0);
    let playing = sqlx::query_scalar!(
        r#"select exists (select 1 from playing where player_id = any($1)) as "playing!""#,
        &ids
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(playing)
}

/// Whether any of the players is a guest.
pub async fn any_guest(tx: &mut Tx, players: [PlayerId; 2]) -> Result<bool, Error> {
    let ids = players.map(|player| player.0);
    let guest = sqlx::query_scalar!(
        r#"select exists (select 1 from players where id = any($1) and guest) as "guest!""#,
        &ids
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(guest)
}

/// Closes this player's challenge if its time is over and no sweep has come by yet.
pub async fn expire_of(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'expired'
         where from_id = $1 and closed_at is null and expires_at <= now()",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The open challenge of one player to another, if its time is not over.
pub async fn open_between(
    tx: &mut Tx,
    from: PlayerId,
    to: PlayerId,
) -> Result<Option<Open>, Error> {
    let id = sqlx::query_scalar!(
        "select id from challenges where from_id = $1 and to_id = $2 and closed_at is null and expires_at > now()",
        from.0,
        to.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    match id {
        Some(id) => open(tx, ChallengeId(id)).await,
        None => Ok(None),
    }
}

/// Who a challenge is from and to, open or not.
pub async fn parties(tx: &mut Tx, id: ChallengeId) -> Result<Option<(PlayerId, PlayerId)>, Error> {
    let row = sqlx::query!("select from_id, to_id from challenges where id = $1", id.0)
        .fetch_optional(&mut **tx)
        .await?;
    Ok(row.map(|row| (PlayerId(row.from_id), PlayerId(row.to_id))))
}

/// The challenge, locked, if it is open and its time is not over.
pub async fn open(tx: &mut Tx, id: ChallengeId) -> Result<Option<Open>, Error> {
    let row = sqlx::query!(
        r#"select from_id, to_id, game, setup, clock, rated, ms(expires_at) as "expires_at!"
           from challenges where id = $1 and closed_at is null and expires_at > now() for update"#,
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let stored = StoredTerms::new(row.game, row.setup, row.clock);
    Ok(Some(Open {
        id,
        from: PlayerId(row.from_id),
        to: PlayerId(row.to_id),
        terms: stored.read(row.rated)?,
        expires_at: Timestamp(row.expires_at),
    }))
}

/// Issues a challenge that expires after [`limits::CHALLENGE_TIMEOUT`]. A second open one of the same player is refused by the
/// constraint.
pub async fn insert(
    tx: &mut Tx,
    from: PlayerId,
    to: PlayerId,
    terms: &Terms,
) -> Result<(ChallengeId, Timestamp), Error> {
    let stored = StoredTerms::of(terms)?;
    let row = sqlx::query!(
        r#"insert into challenges (from_id, to_id, game, setup, clock, rated, expires_at)
           values ($1, $2, $3, $4, $5, $6, now() + $7::interval)
           returning id, ms(expires_at) as "expires_at!""#,
        from.0,
        to.0,
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        limits::CHALLENGE_TIMEOUT as _
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((ChallengeId(row.id), Timestamp(row.expires_at)))
}

/// Closes an open challenge.
pub async fn close(tx: &mut Tx, id: ChallengeId, why: CloseReason) -> Result<(), Error> {
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = $2 where id = $1 and closed_at is null",
        id.0,
        why.word()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Closes every challenge whose time is over. Says whether there was any.
pub async fn expire(db: &Db) -> Result<bool, Error> {
    let expired = sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'expired' where id in
         (select id from challenges where closed_at is null and expires_at <= now() and time_is_kept()
          for update skip locked)"
    )
    .execute(db)
    .await?;
    Ok(expired.rows_affected() > 0)
}

/// Removes challenges that nobody will ask about any more.
pub async fn forget(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from challenges where closed_at < now() - $1::interval",
        limits::CLOSED_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Challenges of this game that are open or were closed within [`limits::LOBBY_HISTORY`], oldest first.
pub async fn recent(view: &mut Tx, game: GameKind) -> Result<Vec<Recent>, Error> {
    let rows = sqlx::query!(
        r#"select c.id, c.setup, c.clock, c.rated, ms(c.expires_at) as "expires_at!", c.closed_why,
                  f.id as from_id, f.name as from_name, f.guest as from_guest, coalesce(fr.rating, 1600) as "from_rating!",
                  t.id as to_id, t.name as to_name, t.guest as to_guest, coalesce(tr.rating, 1600) as "to_rating!"
           from challenges c
           join players f on f.id = c.from_id
           join players t on t.id = c.to_id
           left join ratings fr on fr.player_id = f.id and fr.game = c.game
           left join ratings tr on tr.player_id = t.id and tr.game = c.game
           where c.game = $1 and (c.closed_at is null or c.closed_at > now() - $2::interval)
           order by c.id"#,
        game.id(),
        limits::LOBBY_HISTORY as _
    )
    .fetch_all(&mut **view)
    .await?;
    rows.into_iter()
        .map(|row| {
            let stored = StoredTerms::new(game.id().to_owned(), row.setup, row.clock);
            let terms = stored.read(row.rated)?;
            let challenge = Challenge {
                id: ChallengeId(row.id),
                from: card(row.from_id, row.from_name, row.from_rating, row.from_guest),
                to: card(row.to_id, row.to_name, row.to_rating, row.to_guest),
                setup: terms.setup,
                clock: terms.clock,
                rated: terms.rated,
                expires_at: Timestamp(row.expires_at),
            };
            Ok(Recent {
                challenge,
                closed: row.closed_why.as_deref().and_then(CloseReason::read),
            })
        })
        .collect()
}
