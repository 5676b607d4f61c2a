//! The key of this server, push subscriptions, and the pushes that are to be sent.

use super::{StoredCause, for_the_absent};
use crate::db::notification_row::NotificationRow;
use crate::db::{Db, Tx};
use crate::{Error, LogFailure as _};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tochki_protocol::{
    Notification, NotificationChannel, NotificationKind, Notified, PlayerId, Settings, limits,
};

/// A push that this instance is to send.
pub(in crate::notifications) struct ClaimedPush {
    pub(in crate::notifications) id: i64,
    /// The cause: a newer one may take the place of this push meanwhile.
    pub(in crate::notifications) cause: i64,
    pub(in crate::notifications) subscription: i64,
    pub(in crate::notifications) subject: String,
    /// The number of attempts, with this one.
    pub(in crate::notifications) attempts: i32,
    pub(in crate::notifications) endpoint: String,
    pub(in crate::notifications) p256dh: Vec<u8>,
    pub(in crate::notifications) auth: Vec<u8>,
    /// The tag of the language of the account, or of the page that has subscribed.
    pub(in crate::notifications) language: String,
    pub(in crate::notifications) notification: Notification,
    /// The number of games by correspondence in which it is the player's turn.
    pub(in crate::notifications) on_turn: u32,
}

/// The columns of a new subscription.
pub(in crate::notifications) struct SubscriptionRow<'a> {
    pub(in crate::notifications) endpoint: &'a str,
    pub(in crate::notifications) p256dh: &'a [u8],
    pub(in crate::notifications) auth: &'a [u8],
    pub(in crate::notifications) language: &'a str,
}

/// The private key of this server. The first instance that asks stores its own.
pub(in crate::notifications) async fn key(db: &Db, own: &[u8]) -> Result<Vec<u8>, Error> {
    sqlx::query!(
        "insert into push_key (private) values ($1) on conflict do nothing",
        own
    )
    .execute(db)
    .await?;
    Ok(sqlx::query_scalar!("select private from push_key")
        .fetch_one(db)
        .await?)
}

/// Inserts a subscription of the session with this digest, in the place of one with the same endpoint, and deletes the oldest of the
/// player that are too many. Returns whether there is such a session.
pub(in crate::notifications) async fn subscribe(
    db: &Db,
    player: PlayerId,
    session: &[u8],
    row: &SubscriptionRow<'_>,
) -> Result<bool, Error> {
    let mut tx = crate::db::begin(db).await?;
    // Of two at once the second one sees the first, and none is one too many.
    sqlx::query!(
        "select id from players where id = $1 for no key update",
        player.0
    )
    .fetch_optional(&mut *tx)
    .await?;
    let done = sqlx::query!(
        "insert into push_subscriptions (session_id, player_id, endpoint, p256dh, auth, language)
         select s.id, s.player_id, $3, $4, $5, $6 from sessions s
         where s.token_hash = $1 and s.player_id = $2 and s.expires_at > now()
         on conflict (endpoint) do update set session_id = excluded.session_id, player_id = excluded.player_id,
             p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, created_at = now()",
        session,
        player.0,
        row.endpoint,
        row.p256dh,
        row.auth,
        row.language
    )
    .execute(&mut *tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    // What was to be sent to somebody else in the same browser.
    sqlx::query!(
        "delete from pushes p using push_subscriptions s
         where s.endpoint = $1 and p.subscription_id = s.id and p.player_id <> s.player_id",
        row.endpoint
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from push_subscriptions where id in (
             select id from push_subscriptions where player_id = $1 order by created_at desc, id desc offset $2)",
        player.0,
        i64::from(limits::PUSH_SUBSCRIPTIONS_PER_PLAYER)
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(true)
}

/// Puts a subscription in the place of the one of the same player with the endpoint `old`, which the browser has given up, for the session
/// with this digest. Without `old` it is the latest of this session, which is of one browser. Returns whether there are such a session and
/// such a subscription.
pub(in crate::notifications) async fn renew(
    db: &Db,
    player: PlayerId,
    session: &[u8],
    old: Option<&str>,
    row: &SubscriptionRow<'_>,
) -> Result<bool, Error> {
    let mut tx = crate::db::begin(db).await?;
    let replaced = sqlx::query_scalar!(
        "select p.endpoint from push_subscriptions p left join sessions s on s.id = p.session_id
         where p.player_id = $1 and (p.endpoint = $2 or $2::text is null and s.token_hash = $3 and s.player_id = $1)
         order by p.created_at desc, p.id desc limit 1",
        player.0,
        old,
        session
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(old) = replaced else {
        return Ok(false);
    };
    // A browser that asks again has the new one already, and whoever else has it gives it up, as to who subscribes.
    sqlx::query!(
        "delete from push_subscriptions where endpoint = $1 and endpoint <> $2",
        row.endpoint,
        old
    )
    .execute(&mut *tx)
    .await?;
    // What is to be sent stays with it.
    let done = sqlx::query!(
        "update push_subscriptions p set session_id = s.id, endpoint = $4, p256dh = $5, auth = $6, language = $7, wait_until = null
         from sessions s
         where s.token_hash = $1 and s.player_id = $2 and s.expires_at > now() and p.endpoint = $3 and p.player_id = $2",
        session,
        player.0,
        old,
        row.endpoint,
        row.p256dh,
        row.auth,
        row.language
    )
    .execute(&mut *tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Deletes the subscription of a player with this endpoint.
pub(in crate::notifications) async fn unsubscribe(
    db: &Db,
    player: PlayerId,
    endpoint: &str,
) -> Result<(), Error> {
    sqlx::query!(
        "delete from push_subscriptions where player_id = $1 and endpoint = $2",
        player.0,
        endpoint
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns whether this endpoint is subscribed for the session with this digest.
pub(in crate::notifications) async fn is_subscribed(
    db: &Db,
    session: &[u8],
    endpoint: &str,
) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from push_subscriptions p join sessions s on s.id = p.session_id
               where s.token_hash = $1 and p.endpoint = $2) as "is!""#,
        session,
        endpoint
    )
    .fetch_one(db)
    .await?)
}

/// Queues a push of each of these causes, of which no two are of one player and subject, for each subscription of its player: where
/// the switch is on, the player does not see it at the match, and a turn, or the time to go on live, is not over. It waits for as long as the push service has asked for.
pub(in crate::notifications) async fn queue(
    tx: &mut Tx,
    causes: &[&StoredCause],
    delay: Duration,
) -> Result<(), Error> {
    let of = |field: fn(&StoredCause) -> i64| {
        causes.iter().map(|cause| field(cause)).collect::<Vec<_>>()
    };
    let ids = of(|cause| cause.id);
    let players = of(|cause| cause.player_id);
    let times = of(|cause| cause.at);
    let subjects: Vec<Option<&str>> = causes
        .iter()
        .map(|cause| cause.subject.as_deref())
        .collect();
    let kinds: Vec<Option<&str>> = causes.iter().map(|cause| cause.kind.as_deref()).collect();
    let matches: Vec<Option<i64>> = causes.iter().map(|cause| cause.match_id).collect();
    let others: Vec<Option<i64>> = causes.iter().map(|cause| cause.other_id).collect();
    let details: Vec<Option<&str>> = causes.iter().map(|cause| cause.detail.as_deref()).collect();
    sqlx::query!(
        "insert into pushes as p
             (subscription_id, player_id, subject, kind, match_id, other_id, detail, cause, at, due_at)
         select s.id, c.player_id, coalesce(c.subject, 'cause:' || c.id), c.kind, c.match_id, c.other_id, c.detail, c.id,
             at_ms(c.at), greatest(now() + $11::interval, s.wait_until)
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[])
             as c (id, player_id, subject, kind, match_id, other_id, detail, at)
         join push_subscriptions s on s.player_id = c.player_id
         where not exists (
                 select from notification_switches w
                 where w.player_id = c.player_id and w.kind = c.kind and w.channel = $9 and not w.is_on)
             and (c.kind <> $12 or case when c.detail is null then is_on_turn(c.match_id, c.player_id) else goes_on_live(c.match_id) end)
             and not (c.kind = any($10) and c.detail is null and exists (
                 select from presence h
                 where h.place = 'match:' || c.match_id and h.player_id = c.player_id
                     and sees(h.beat_at, h.gone_at, h.instance, at_ms(c.at))))
         order by s.id, c.subject
         on conflict (subscription_id, subject) do update set player_id = excluded.player_id, kind = excluded.kind,
             match_id = excluded.match_id, other_id = excluded.other_id, detail = excluded.detail, cause = excluded.cause,
             at = excluded.at, due_at = excluded.due_at
         where p.cause < excluded.cause",
        &ids,
        &players,
        &subjects[..] as _,
        &kinds[..] as _,
        &matches[..] as _,
        &others[..] as _,
        &details[..] as _,
        &times,
        NotificationChannel::Push.as_str(),
        &for_the_absent(),
        delay as _,
        NotificationKind::YourTurn.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Claims pushes that are due, as many as there are `places`: nobody else sends them within [`limits::PUSH_LEASE`]. `sending` is how
/// many this instance is sending to each host already. Those that are wanted no longer are deleted: too old, read meanwhile, switched
/// off, of a turn or a session that has ended, or of a match that the player has open. Where the player has just left, or has a page
/// without scripts, they wait: who comes back or loads it again has read them.
pub(in crate::notifications) async fn claim(
    db: &Db,
    places: usize,
    sending: &HashMap<String, usize>,
) -> Result<Vec<ClaimedPush>, Error> {
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let hosts: Vec<String> = sending.keys().cloned().collect();
    let counts: Vec<i64> = sending.values().map(|count| number(*count)).collect();
    // The limit of the candidates is a literal for the planner's sake. A host without a place left is not among them, so that its
    // pushes keep no others back.
    let mut tx = crate::db::begin(db).await?;
    // The queue is empty most of the time, and a plan that was kept from then would read all of it again for each push of a burst.
    sqlx::raw_sql("set local plan_cache_mode = force_custom_plan")
        .execute(&mut *tx)
        .await?;
    let claimed = sqlx::query_scalar!(
        r#"with busy as materialized (
               select b.host, b.count from unnest($6::text[], $7::bigint[]) as b (host, count)
           ), candidate as materialized (
               select c.id, c.host, row_number() over (partition by c.host order by c.due_at) as place
               from (
                   select p.id, p.due_at, split_part(s.endpoint, '/', 3) as host
                   from pushes p join push_subscriptions s on s.id = p.subscription_id
                   where p.due_at <= now() and split_part(s.endpoint, '/', 3) not in (select host from busy where count >= $8)
                   order by p.due_at limit 400
               ) c
           ), due as materialized (
               select p.id from pushes p join candidate c on c.id = p.id left join busy b on b.host = c.host
               where p.due_at <= now() and c.place + coalesce(b.count, 0) <= $8
               order by p.due_at limit $1 for update of p skip locked
           ), unwanted as (
               delete from pushes p using due
               where p.id = due.id and (
                   p.at < now() - $3::interval
                   or p.kind = any($4) and p.detail is null and exists (
                       select from presence h
                       where h.place = 'match:' || p.match_id and h.player_id = p.player_id
                           and sees(h.beat_at, h.gone_at, h.instance, p.at))
                   or p.kind = $9
                       and not case when p.detail is null then is_on_turn(p.match_id, p.player_id) else goes_on_live(p.match_id) end
                   or exists (
                       select from notification_switches w
                       where w.player_id = p.player_id and w.kind = p.kind and w.channel = $5 and not w.is_on)
                   or exists (
                       select from notifications n
                       where n.player_id = p.player_id and n.subject = p.subject and n.cause = p.cause and n.read_at is not null)
                   or not exists (
                       select from push_subscriptions s join sessions e on e.id = s.session_id
                       join players o on o.id = s.player_id
                       where s.id = p.subscription_id and s.player_id = p.player_id and e.expires_at > now()
                           and o.closed_at is null))
               returning p.id
           ), lingering as (
               update pushes p set due_at = now() + $10::interval from due
               where p.id = due.id and p.kind = any($4) and p.detail is null and not exists (select from unwanted u where u.id = due.id)
                   and exists (
                       select from presence h
                       where h.place = 'match:' || p.match_id and h.player_id = p.player_id and is_alive(h.beat_at, h.gone_at))
               returning p.id
           )
           update pushes p set due_at = now() + $2::interval, attempts = p.attempts + 1 from due
           where p.id = due.id and not exists (select from unwanted u where u.id = due.id)
               and not exists (select from lingering l where l.id = due.id)
           returning p.id"#,
        number(places),
        limits::PUSH_LEASE as _,
        limits::PUSH_LIFETIME as _,
        &for_the_absent(),
        NotificationChannel::Push.as_str(),
        &hosts,
        &counts,
        number(limits::PUSHES_AT_ONCE_PER_HOST),
        NotificationKind::YourTurn.as_str(),
        limits::PUSH_DELAY as _
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.commit().await?;
    if claimed.is_empty() {
        return Ok(Vec::new());
    }
    let told = sqlx::query_as!(
        NotificationRow,
        r#"select p.id as "id!", p.kind as "kind!", p.match_id, p.detail, ms(p.at) as "at!", false as "read!",
                  m.game as "game?", m.winner, m.seat1 = p.player_id as "first?",
                  o.id as "other_id?", o.name as "name?", o.guest as "guest?", o.bot as "bot?",
                  t.id as "tournament_id?", t.name as "tournament_name?"
           from pushes p left join matches m on m.id = p.match_id left join players o on o.id = p.other_id
           left join read_tournaments t on t.id = tournament_of(p.subject)
           where p.id = any($1)"#,
        &claimed
    )
    .fetch_all(db)
    .await?;
    let mut told: HashMap<i64, NotificationRow> =
        told.into_iter().map(|row| (row.id, row)).collect();
    let rows = sqlx::query!(
        "select p.id, p.cause, p.subject, p.attempts, p.player_id,
             s.id as subscription, s.endpoint, s.p256dh, s.auth, s.language, o.settings
         from pushes p join push_subscriptions s on s.id = p.subscription_id join players o on o.id = s.player_id
         where p.id = any($1)",
        &claimed
    )
    .fetch_all(db)
    .await?;
    let players: HashSet<i64> = rows.iter().map(|row| row.player_id).collect();
    let players: Vec<i64> = players.into_iter().collect();
    let counts: HashMap<PlayerId, Notified> =
        super::counts(db, &players).await?.into_iter().collect();
    let pushes = rows.into_iter().filter_map(|row| {
        // What a newer release has written waits for one.
        let told = told.remove(&row.id)?.read();
        let notification = told.log_failure("reading a push")?;
        let settings = row.settings.map(|text| {
            let Ok(settings) = text.parse::<Settings>();
            settings
        });
        let chosen = settings.map(|settings| settings.language.as_str().to_owned());
        let chosen = chosen.filter(|tag| tag != "browser");
        Some(ClaimedPush {
            id: row.id,
            cause: row.cause,
            subscription: row.subscription,
            subject: row.subject,
            attempts: row.attempts,
            endpoint: row.endpoint,
            p256dh: row.p256dh,
            auth: row.auth,
            language: chosen.unwrap_or(row.language),
            notification,
            on_turn: counts
                .get(&PlayerId(row.player_id))
                .map_or(0, |counts| counts.on_turn),
        })
    });
    Ok(pushes.collect())
}

/// Deletes pushes that are done with, but none whose place a newer one has taken.
pub(in crate::notifications) async fn delete<'a>(
    db: &Db,
    pushes: impl Iterator<Item = &'a ClaimedPush>,
) -> Result<(), Error> {
    let (ids, causes): (Vec<i64>, Vec<i64>) = pushes.map(|push| (push.id, push.cause)).unzip();
    sqlx::query!(
        "delete from pushes p using unnest($1::bigint[], $2::bigint[]) as d (id, cause)
         where p.id = d.id and p.cause = d.cause",
        &ids,
        &causes
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the subscription of a push, with all that is to be sent to it.
pub(in crate::notifications) async fn delete_subscription(
    db: &Db,
    push: &ClaimedPush,
) -> Result<(), Error> {
    sqlx::query!(
        "delete from push_subscriptions where id = $1 and endpoint = $2",
        push.subscription,
        push.endpoint
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Makes all pushes to the subscription of this one due after this time, those that come meanwhile too, unless they wait for longer: the
/// push service has asked for that. A newer one that has taken the place of this push waits as well.
pub(in crate::notifications) async fn postpone(
    db: &Db,
    push: &ClaimedPush,
    delay: Duration,
) -> Result<(), Error> {
    sqlx::query!(
        "with waiting as (
             update push_subscriptions set wait_until = greatest(wait_until, now() + $3::interval)
             where id = $4 and endpoint = $5
             returning id, wait_until
         )
         update pushes p set due_at = w.wait_until from waiting w
         where p.subscription_id = w.id and (p.id = $1 and p.cause = $2 or p.due_at < w.wait_until)",
        push.id,
        push.cause,
        delay as _,
        push.subscription,
        push.endpoint
    )
    .execute(db)
    .await?;
    Ok(())
}
