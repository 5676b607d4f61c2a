//! Challenges: sent, answered, cancelled, expired.

pub mod quick_games;

use crate::Error;
use crate::db::rows::{card, cards, parse_stored, skip_unreadable};
use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use std::time::Duration;
use tochki_play::{Pace, Rating, Terms, Timestamp};
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

/// Returns whether a locked player can be challenged by correspondence: a person whose account is open.
pub async fn takes_correspondence(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from players where id = $1 and closed_at is null and deleted_at is null and not bot) as "takes!""#,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Stores whether a program takes live clocks of all kinds.
pub async fn set_takes_clocks(db: &Db, player: PlayerId, takes: bool) -> Result<(), Error> {
    sqlx::query!(
        "update players set takes_clocks = $2 where id = $1 and takes_clocks <> $2",
        player.0,
        takes
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns whether a locked player takes live clocks of all kinds: people do, house bots do, and programs that say so.
pub async fn takes_clocks(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select not bot or takes_clocks or exists (select from house_bots b where b.player_id = players.id) as "takes!"
           from players where id = $1"#,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?)
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

/// The time until a locked player, or another one at this address, may challenge a locked player by correspondence again, in seconds, if
/// there were too many such challenges that were not accepted, whatever else became of them.
pub async fn correspondence_wait(
    tx: &mut Tx,
    from: PlayerId,
    address: &str,
    to: PlayerId,
) -> Result<Option<u32>, Error> {
    let wait = sqlx::query_scalar!(
        r#"with recent as (
               select from_id, address, created_at from challenges
               where to_id = $2 and correspondence and closed_why is distinct from 'accepted'
                   and created_at > clock_timestamp() - $3::interval
           ), full_until as (
               (select created_at from recent where from_id = $1 order by created_at desc offset $4::bigint - 1 limit 1)
               union all
               (select created_at from recent where address = $5 order by created_at desc offset $6::bigint - 1 limit 1)
           )
           select ceil(extract(epoch from max(created_at) - clock_timestamp() + $3::interval))::int as wait
           from full_until"#,
        from.0,
        to.0,
        limits::CORRESPONDENCE_CHALLENGE_WINDOW as _,
        limits::CORRESPONDENCE_CHALLENGES_FROM_ONE,
        address,
        limits::CORRESPONDENCE_CHALLENGES_FROM_ADDRESS
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(wait.map(|seconds| seconds.max(1).cast_unsigned()))
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

/// The open challenge of one player to another, unless expired: a live one, or one by correspondence.
pub async fn open_between(
    tx: &mut Tx,
    from: PlayerId,
    to: PlayerId,
    correspondence: bool,
) -> Result<Option<OpenChallenge>, Error> {
    let id = sqlx::query_scalar!(
        "select id from challenges where from_id = $1 and to_id = $2 and closed_at is null and expires_at > now()
             and correspondence = $3",
        from.0,
        to.0,
        correspondence
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

/// The number of open challenges by correspondence from a locked player.
pub async fn count_by_correspondence(tx: &mut Tx, from: PlayerId) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from challenges where from_id = $1 and closed_at is null and correspondence"#,
        from.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Inserts a challenge that expires after [`limits::CHALLENGE_TIMEOUT`], or [`limits::CORRESPONDENCE_CHALLENGE_TIMEOUT`]. If the player has
/// another open live one, or one by correspondence to the same player, a unique constraint is violated.
pub async fn insert(
    tx: &mut Tx,
    from: PlayerId,
    address: &str,
    to: PlayerId,
    terms: &Terms,
) -> Result<(ChallengeId, Timestamp), Error> {
    let stored = StoredTerms::of(terms)?;
    let timeout = match terms.pace() {
        Pace::Live => limits::CHALLENGE_TIMEOUT,
        Pace::Correspondence => limits::CORRESPONDENCE_CHALLENGE_TIMEOUT,
    };
    let row = sqlx::query!(
        r#"insert into challenges (from_id, to_id, game, setup, clock, rated, created_at, expires_at, address,
               correspondence)
           values ($1, $2, $3, $4, $5, $6, clock_timestamp(), now() + $7::interval, $8, $9)
           returning id, ms(expires_at) as "expires_at!""#,
        from.0,
        to.0,
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        timeout as _,
        address,
        terms.is_correspondence()
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

/// Live challenges of this game that are open or were closed within [`limits::LOBBY_HISTORY`], oldest first.
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
           where c.game = $1 and not c.correspondence and (c.closed_at is null or c.closed_at > now() - $2::interval)
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

/// The open challenges by correspondence from and to a player, latest first.
pub async fn by_correspondence(db: &Db, player: PlayerId) -> Result<Vec<Challenge>, Error> {
    let rows = sqlx::query!(
        r#"select c.id, c.game, c.setup, c.clock, c.rated, ms(c.expires_at) as "expires_at!",
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1, coalesce(ar.rating, $2) as "rating1!",
                  is_provisional(a.guest, ar.ranked) as "provisional1!",
                  b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2, coalesce(br.rating, $2) as "rating2!",
                  is_provisional(b.guest, br.ranked) as "provisional2!"
           from challenges c
           join players a on a.id = c.from_id
           join players b on b.id = c.to_id
           left join ratings ar on ar.player_id = a.id and ar.game = rating_kind(c.game, true)
           left join ratings br on br.player_id = b.id and br.game = rating_kind(c.game, true)
           where c.closed_at is null and c.correspondence and c.expires_at > now() and (c.from_id = $1 or c.to_id = $1)
               and not exists (select from mutes m where m.player_id = c.to_id and m.muted_id = c.from_id)
           order by c.id desc"#,
        player.0,
        Rating::START.0
    )
    .fetch_all(db)
    .await?;
    Ok(skip_unreadable(rows.into_iter().map(|row| {
        let stored = StoredTerms::new(row.game.clone(), row.setup.clone(), row.clock.clone());
        let terms = stored.read(row.rated)?;
        let expires_at = Timestamp(row.expires_at);
        let id = ChallengeId(row.id);
        let [from, to] = cards!(row);
        Ok(Challenge {
            id,
            from,
            to,
            setup: terms.setup,
            clock: terms.clock,
            rated: terms.rated,
            expires_at,
        })
    })))
}
