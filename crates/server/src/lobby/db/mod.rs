//! Challenges: sent, answered, cancelled, expired.

pub mod quick_games;

use crate::Error;
use crate::db::rows::{card, parse_stored, skip_unreadable};
use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use std::time::Duration;
use tochki_play::{Rating, Terms, Timestamp};
use tochki_protocol::limits;
use tochki_protocol::{Challenge, ChallengeId, CloseReason, PlayerId};
use tochki_rules::GameKind;

/// An open challenge.
pub struct OpenChallenge {
    /// The challenge.
    pub id: ChallengeId,
    /// The challenger.
    pub from: PlayerId,
    /// The challenged player.
    pub to: PlayerId,
    /// The terms of the match.
    pub terms: Terms,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// An open or recently closed challenge in a waiting room.
pub struct RecentChallenge {
    /// The challenge.
    pub challenge: Challenge,
    /// Why it ended, if it has.
    pub closed: Option<CloseReason>,
}

/// Returns whether any of the players is a guest.
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

/// Returns whether a player has muted another one.
pub async fn has_muted(tx: &mut Tx, player: PlayerId, muted: PlayerId) -> Result<bool, Error> {
    let muted = sqlx::query_scalar!(
        r#"select exists (select from mutes where player_id = $1 and muted_id = $2) as "muted!""#,
        player.0,
        muted.0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(muted)
}

/// Limits on the challenges that a player gets.
#[derive(Clone, Copy, Debug)]
pub struct ChallengeLimits {
    /// How long a declined player waits before asking the same player again.
    pub pause: Duration,
    /// From everybody, within [`limits::CHALLENGE_WINDOW`]. A cancelled one gives its place back to the challenged player.
    pub in_all: i64,
    /// From one player, within [`limits::CHALLENGE_WINDOW`], and from all players of one address that were not accepted.
    /// Cancelled ones count: they give nothing back to whoever sent them.
    pub from_one: i64,
    /// How many games with bots may be running that challenges from one address have begun.
    pub with_bots: i64,
}

/// Why a challenge has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeLimit {
    /// The challenged player has declined a challenge of this player a moment ago.
    Cooldown,
    /// The challenged player has got as many challenges as allowed, and may get the next one after so many seconds.
    Enough(u32),
    /// As many games with bots run from this address as may at once.
    BotGames,
}

/// The limit that stops one locked player from challenging another locked one, if any.
pub async fn limit(
    tx: &mut Tx,
    from: PlayerId,
    address: &str,
    to: PlayerId,
    allowed: &ChallengeLimits,
) -> Result<Option<ChallengeLimit>, Error> {
    // The time of the statement, because the transaction may have waited for the locks.
    let declined = sqlx::query_scalar!(
        r#"select exists (
               select from challenges
               where from_id = $1 and to_id = $2 and closed_why = 'declined'
                   and closed_at > clock_timestamp() - $3::interval) as "declined!""#,
        from.0,
        to.0,
        allowed.pause as _
    )
    .fetch_one(&mut **tx)
    .await?;
    if declined {
        return Ok(Some(ChallengeLimit::Cooldown));
    }
    // Two addresses of one moment may both find room: so there may be one game more.
    let games = sqlx::query_scalar!(
        r#"select case when (select bot from players where id = $2) then (
               select count(distinct mine.match_id) from challenges c
               join playing mine on mine.player_id = c.from_id
               join playing other on other.match_id = mine.match_id and other.player_id = c.to_id
               join players bot on bot.id = c.to_id and bot.bot
               where c.address = $1 and c.closed_why = 'accepted') else 0 end as "games!""#,
        address,
        to.0
    )
    .fetch_one(&mut **tx)
    .await?;
    if games >= allowed.with_bots {
        return Ok(Some(ChallengeLimit::BotGames));
    }
    // The challenge that has to leave the window before the next one fits into it, for each limit.
    let wait = sqlx::query_scalar!(
        r#"with recent as (
               select from_id, address, created_at, closed_why from challenges
               where to_id = $2 and created_at > clock_timestamp() - $3::interval
           ), full_until as (
               (select created_at from recent where closed_why is distinct from 'cancelled'
                order by created_at desc offset $4::bigint - 1 limit 1)
               union all
               (select created_at from recent where from_id = $1
                order by created_at desc offset $5::bigint - 1 limit 1)
               union all
               (select created_at from recent where address = $6 and closed_why is distinct from 'accepted'
                order by created_at desc offset $5::bigint - 1 limit 1)
           )
           select ceil(extract(epoch from max(created_at) - clock_timestamp() + $3::interval))::int as wait
           from full_until"#,
        from.0,
        to.0,
        limits::CHALLENGE_WINDOW as _,
        allowed.in_all,
        allowed.from_one,
        address
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(wait.map(|seconds| ChallengeLimit::Enough(seconds.max(1).cast_unsigned())))
}

/// Closes the challenge sent by this player if it has expired and the sweeper has not closed it yet.
pub async fn expire_outgoing(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'expired'
         where from_id = $1 and closed_at is null and expires_at <= now()",
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The open challenge of one player to another, unless expired.
pub async fn open_between(
    tx: &mut Tx,
    from: PlayerId,
    to: PlayerId,
) -> Result<Option<OpenChallenge>, Error> {
    let id = sqlx::query_scalar!(
        "select id from challenges where from_id = $1 and to_id = $2 and closed_at is null and expires_at > now()",
        from.0,
        to.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    match id {
        Some(id) => lock_open(tx, ChallengeId(id)).await,
        None => Ok(None),
    }
}

/// The challenger and the challenged player, whether the challenge is open or not.
pub async fn players(tx: &mut Tx, id: ChallengeId) -> Result<Option<(PlayerId, PlayerId)>, Error> {
    let row = sqlx::query!("select from_id, to_id from challenges where id = $1", id.0)
        .fetch_optional(&mut **tx)
        .await?;
    Ok(row.map(|row| (PlayerId(row.from_id), PlayerId(row.to_id))))
}

/// Locks a challenge. `None` if it is closed or expired.
pub async fn lock_open(tx: &mut Tx, id: ChallengeId) -> Result<Option<OpenChallenge>, Error> {
    let row = sqlx::query!(
        r#"select from_id, to_id, game, setup, clock, rated, ms(expires_at) as "expires_at!"
           from challenges where id = $1 and closed_at is null and expires_at > now() for update"#,
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let stored = StoredTerms::new(row.game, row.setup, row.clock);
    Ok(Some(OpenChallenge {
        id,
        from: PlayerId(row.from_id),
        to: PlayerId(row.to_id),
        terms: stored.read(row.rated)?,
        expires_at: Timestamp(row.expires_at),
    }))
}

/// Inserts a challenge that expires after [`limits::CHALLENGE_TIMEOUT`]. If the player has another open one, a unique
/// constraint is violated.
pub async fn insert(
    tx: &mut Tx,
    from: PlayerId,
    address: &str,
    to: PlayerId,
    terms: &Terms,
) -> Result<(ChallengeId, Timestamp), Error> {
    let stored = StoredTerms::of(terms)?;
    let row = sqlx::query!(
        r#"insert into challenges (from_id, to_id, game, setup, clock, rated, created_at, expires_at, address)
           values ($1, $2, $3, $4, $5, $6, clock_timestamp(), now() + $7::interval, $8)
           returning id, ms(expires_at) as "expires_at!""#,
        from.0,
        to.0,
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        limits::CHALLENGE_TIMEOUT as _,
        address
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
        why.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Closes all expired challenges. Returns whether there were any.
pub async fn expire_due(db: &Db) -> Result<bool, Error> {
    let expired = sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'expired' where id in
         (select id from challenges where closed_at is null and expires_at <= now() and heartbeat_is_fresh()
          for update skip locked)"
    )
    .execute(db)
    .await?;
    Ok(expired.rows_affected() > 0)
}

/// Deletes challenges that were closed longer ago than [`limits::CLOSED_LIFETIME`].
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from challenges where closed_at < now() - $1::interval",
        limits::CLOSED_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Challenges of this game that are open or were closed within [`limits::LOBBY_HISTORY`], oldest first.
pub async fn recent(tx: &mut Tx, game: GameKind) -> Result<Vec<RecentChallenge>, Error> {
    let rows = sqlx::query!(
        r#"select c.id, c.setup, c.clock, c.rated, ms(c.expires_at) as "expires_at!", c.closed_why,
                  f.id as from_id, f.name as from_name, f.guest as from_guest, f.bot as from_bot, coalesce(fr.rating, $3) as "from_rating!",
                  is_provisional(f.guest, fr.ranked) as "from_provisional!",
                  t.id as to_id, t.name as to_name, t.guest as to_guest, t.bot as to_bot, coalesce(tr.rating, $3) as "to_rating!",
                  is_provisional(t.guest, tr.ranked) as "to_provisional!"
           from challenges c
           join players f on f.id = c.from_id
           join players t on t.id = c.to_id
           left join ratings fr on fr.player_id = f.id and fr.game = c.game
           left join ratings tr on tr.player_id = t.id and tr.game = c.game
           where c.game = $1 and (c.closed_at is null or c.closed_at > now() - $2::interval)
           order by c.id"#,
        game.id(),
        limits::LOBBY_HISTORY as _,
        Rating::START.0
    )
    .fetch_all(&mut **tx)
    .await?;
    let challenges = rows.into_iter().map(|row| {
        let closed = row.closed_why.as_deref();
        let closed = closed.map(|why| parse_stored(why, CloseReason::parse(why)));
        let closed = closed.transpose()?;
        let stored = StoredTerms::new(game.id().to_owned(), row.setup, row.clock);
        let terms = stored.read(row.rated)?;
        let challenge = Challenge {
            id: ChallengeId(row.id),
            from: card(
                row.from_id,
                row.from_name,
                row.from_rating,
                row.from_guest,
                row.from_provisional,
                row.from_bot,
            ),
            to: card(
                row.to_id,
                row.to_name,
                row.to_rating,
                row.to_guest,
                row.to_provisional,
                row.to_bot,
            ),
            setup: terms.setup,
            clock: terms.clock,
            rated: terms.rated,
            expires_at: Timestamp(row.expires_at),
        };
        Ok(RecentChallenge { challenge, closed })
    });
    Ok(skip_unreadable(challenges))
}
