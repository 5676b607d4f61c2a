//! Notices by mail: reminders of turns whose time is running out, digests of unread notifications, and their switches.

use crate::Error;
use crate::db::notification_row::NotificationRow;
use crate::db::rows::skip_unreadable;
use crate::db::{Db, Tx};
use tochki_play::Timestamp;
use tochki_protocol::{
    MatchId, Notification, NotificationChannel, NotificationKind, PlayerId, TournamentId, limits,
};

/// The kinds that are mailed unless the player has changed their switch, among these.
fn mailed_unless_changed(kinds: &[NotificationKind]) -> Vec<String> {
    let mailed = kinds.iter();
    mailed
        .filter(|kind| NotificationChannel::Mail.is_on_unless_changed(**kind))
        .map(|kind| kind.as_str().to_owned())
        .collect()
}

/// The kinds of a digest. Turns and tournaments have mails of their own.
pub(in crate::mail) fn of_digest() -> Vec<NotificationKind> {
    let has_own = |kind| {
        matches!(
            kind,
            NotificationKind::YourTurn | NotificationKind::TournamentSoon
        )
    };
    let kinds = NotificationKind::ALL.into_iter();
    kinds.filter(|kind| !has_own(*kind)).collect()
}

fn names(kinds: &[NotificationKind]) -> Vec<String> {
    kinds.iter().map(|kind| kind.as_str().to_owned()).collect()
}

/// Adds the reminders of the turns of a player that are running. One that is there stays.
pub(super) async fn remind_of_running_turns(tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        r#"select add_reminders_of_turn(m)::text from matches m
           where m.finished_at is null and m.correspondence and m.deadline_at is not null
               and (m.seat1 = $1 and m.to_move = 1 or m.seat2 = $1 and m.to_move = 2)"#,
        player.0
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// Writes mails of the reminders that are due, at most [`limits::MAIL_NOTICE_BATCH_LEN`]. Those that another instance takes are left
/// out. One mail is written of several of the same turn, and none where the player has moved. Returns the number of reminders, and
/// whether any mail was written.
pub(in crate::mail) async fn write_turns(db: &Db) -> Result<(i64, bool), Error> {
    let row = sqlx::query!(
        r#"with due as materialized (
               select match_id, deadline_at, mark from turn_reminders
               where told_at is null and due_at <= now() order by due_at limit $1 for update skip locked
           ), told as (
               update turn_reminders r set told_at = now() from due d
               where r.match_id = d.match_id and r.deadline_at = d.deadline_at and r.mark = d.mark
           ), turn as (
               select distinct m.id, m.deadline_at, case m.to_move when 1 then m.seat1 when 2 then m.seat2 end as player_id
               from due d join matches m on m.id = d.match_id and m.deadline_at = d.deadline_at
               where m.finished_at is null and m.deadline_at > now()
           ), written as (
               insert into mails (player_id, address, kind, content, language)
               select p.id, a.address, $2,
                   jsonb_build_object('notice', 'turn', 'match_id', t.id, 'deadline_at', ms(t.deadline_at)), a.language
               from turn t
               join players p on p.id = t.player_id and p.closed_at is null and p.deleted_at is null
               join mail_addresses a on a.player_id = p.id and a.address is not null
               where coalesce(
                   (select s.is_on from notification_switches s where s.player_id = p.id and s.kind = $2 and s.channel = $3), $4)
               returning id
           )
           select (select count(*) from due) as "due!", exists (select from written) as "written!""#,
        limits::MAIL_NOTICE_BATCH_LEN,
        NotificationKind::YourTurn.as_str(),
        NotificationChannel::Mail.as_str(),
        NotificationChannel::Mail.is_on_unless_changed(NotificationKind::YourTurn)
    )
    .fetch_one(db)
    .await?;
    Ok((row.due, row.written))
}

/// Writes the digests that are due, at most [`limits::MAIL_NOTICE_BATCH_LEN`], of what is unread, and in no digest yet. What is locked is
/// left for the next one, so that this waits for nobody. Returns the number of players, and whether any mail was written.
pub(in crate::mail) async fn write_digests(db: &Db) -> Result<(i64, bool), Error> {
    let kinds = of_digest();
    let row = sqlx::query!(
        r#"with due as materialized (
               select a.player_id from mail_addresses a join players p on p.id = a.player_id
               where a.address is not null and a.digest_at <= now() and p.closed_at is null and p.deleted_at is null
               order by a.digest_at limit $1
               for no key update of a skip locked for key share of p skip locked
           ), next as (
               update mail_addresses a set digest_at = a.digest_at
                   + (1 + floor(extract(epoch from now() - a.digest_at) / 86400)) * interval '1 day'
               from due d where a.player_id = d.player_id
           ), unread as materialized (
               select n.id from notifications n join due d on d.player_id = n.player_id
               where n.read_at is null and n.digested_at is null and n.created_at > now() - $2::interval and n.kind = any($3)
                   and coalesce(
                       (select s.is_on from notification_switches s
                        where s.player_id = n.player_id and s.kind = n.kind and s.channel = $5), n.kind = any($4))
               order by n.player_id, n.subject for no key update of n skip locked
           ), told as (
               update notifications n set digested_at = now() from unread u where n.id = u.id returning n.player_id
           ), written as (
               insert into mails (player_id, address, kind, content, language)
               select a.player_id, a.address, 'digest',
                   jsonb_build_object('notice', 'digest', 'at', (extract(epoch from now()) * 1000000)::bigint), a.language
               from mail_addresses a where a.player_id in (select player_id from told)
               returning id
           )
           select (select count(*) from due) as "due!", exists (select from written) as "written!""#,
        limits::MAIL_NOTICE_BATCH_LEN,
        limits::DIGEST_MAX_AGE as _,
        &names(&kinds),
        &mailed_unless_changed(&kinds),
        NotificationChannel::Mail.as_str()
    )
    .fetch_one(db)
    .await?;
    Ok((row.due, row.written))
}

/// The turn of a player with this deadline as a notification; `None` once it is over, or such mails are switched off.
pub(in crate::mail) async fn turn(
    db: &Db,
    player: PlayerId,
    id: MatchId,
    deadline: Timestamp,
) -> Result<Option<Notification>, Error> {
    let row = sqlx::query_as!(
        NotificationRow,
        r#"select 0::bigint as "id!", $4 as "kind!", m.id as "match_id?", null::text as detail, ms(now()) as "at!", false as "read!",
                  m.game as "game?", m.winner, m.seat1 = $1 as "first?",
                  o.id as "other_id?", o.name as "name?", o.guest as "guest?", o.bot as "bot?",
                  null::bigint as tournament_id, null::text as tournament_name
           from matches m left join players o on o.id = case when m.seat1 = $1 then m.seat2 else m.seat1 end
           where m.id = $2 and m.finished_at is null and ms(m.deadline_at) = $3
               and (m.seat1 = $1 and m.to_move = 1 or m.seat2 = $1 and m.to_move = 2)
               and coalesce(
                   (select s.is_on from notification_switches s where s.player_id = $1 and s.kind = $4 and s.channel = $5), $6)"#,
        player.0,
        id.0,
        deadline.0,
        NotificationKind::YourTurn.as_str(),
        NotificationChannel::Mail.as_str(),
        NotificationChannel::Mail.is_on_unless_changed(NotificationKind::YourTurn)
    )
    .fetch_optional(db)
    .await?;
    row.map(NotificationRow::read).transpose()
}

/// The notifications of a player that a digest has told of and that are still unread, latest first, at most
/// [`limits::DIGEST_MAX_LEN`], and the number of all.
pub(in crate::mail) async fn digest(
    db: &Db,
    player: PlayerId,
    at: i64,
) -> Result<(Vec<Notification>, u32), Error> {
    let kinds = of_digest();
    let (names, mailed) = (names(&kinds), mailed_unless_changed(&kinds));
    let rows = sqlx::query_as!(
        NotificationRow,
        r#"select n.id, n.kind, n.match_id, n.detail, ms(n.created_at) as "at!", false as "read!",
                  m.game as "game?", m.winner, m.seat1 = n.player_id as "first?",
                  o.id as "other_id?", o.name as "name?", o.guest as "guest?", o.bot as "bot?",
                  t.id as "tournament_id?", t.name as "tournament_name?"
           from notifications n left join matches m on m.id = n.match_id left join players o on o.id = n.other_id
           left join read_tournaments t on t.id = tournament_of(n.subject)
           where n.player_id = $1 and n.read_at is null and (extract(epoch from n.digested_at) * 1000000)::bigint = $2
               and n.kind = any($3)
               and coalesce(
                   (select s.is_on from notification_switches s
                    where s.player_id = n.player_id and s.kind = n.kind and s.channel = $5), n.kind = any($4))
           order by n.created_at desc, n.id desc"#,
        player.0,
        at,
        &names,
        &mailed,
        NotificationChannel::Mail.as_str()
    )
    .fetch_all(db)
    .await?;
    let mut notifications = skip_unreadable(rows.into_iter().map(NotificationRow::read));
    let count = u32::try_from(notifications.len()).unwrap_or(u32::MAX);
    notifications.truncate(limits::DIGEST_MAX_LEN);
    Ok((notifications, count))
}

/// Switches mails of these kinds off, for whoever has the link with this end. Returns whether there is such a link.
pub(in crate::mail) async fn unsubscribe(
    db: &Db,
    token: &str,
    kinds: &[NotificationKind],
) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "insert into notification_switches (player_id, kind, channel, is_on)
         select a.player_id, k.kind, $3, false from mail_addresses a cross join unnest($2::text[]) as k (kind)
         where a.unsubscribe = $1 order by k.kind
         on conflict (player_id, kind, channel) do update set is_on = false",
        token,
        &names(kinds),
        NotificationChannel::Mail.as_str()
    )
    .execute(db)
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// Writes mails to those who are reminded of a tournament and have switched such mails on. The causes of the notifications are written
/// before, by the driver of tournaments (`tournaments::db::reminders`). Returns the number of tournaments, and whether any mail was
/// written.
pub(in crate::mail) async fn write_tournaments(db: &Db) -> Result<(i64, bool), Error> {
    const {
        assert!(
            limits::TOURNAMENT_REMINDERS_AT_ONCE == 20,
            "the number in the query"
        );
    };
    let row = sqlx::query!(
        r#"with due as materialized (
               select id, starts_at from tournaments
               where state = 'open' and reminded_at is not null and mailed_at is null and starts_at > now()
               order by starts_at, id limit 20 for no key update skip locked
           ), done as (
               update tournaments t set mailed_at = now() from due d where t.id = d.id
           ), written as (
               insert into mails (player_id, address, kind, content, language)
               select p.id, a.address, $1,
                   jsonb_build_object('notice', 'tournament', 'tournament', d.id, 'starts_at', ms(d.starts_at)), a.language
               from due d
               join lateral (
                   select e.player_id from tournament_entrants e where e.tournament_id = d.id and e.state = 'here'
                   union
                   select r.player_id from tournament_reminders r where r.tournament_id = d.id) told on true
               join notification_switches s on s.player_id = told.player_id and s.kind = $1 and s.channel = $2 and s.is_on
               join players p on p.id = told.player_id and p.closed_at is null and p.deleted_at is null
               join mail_addresses a on a.player_id = p.id and a.address is not null
               returning id
           )
           select (select count(*) from due) as "due!", exists (select from written) as "written!""#,
        NotificationKind::TournamentSoon.as_str(),
        NotificationChannel::Mail.as_str()
    )
    .fetch_one(db)
    .await?;
    Ok((row.due, row.written))
}

/// A tournament that begins at this time as a notification; `None` if it does not any more, if the player is not to be reminded of it
/// any more, or has switched such mails off.
pub(in crate::mail) async fn tournament(
    db: &Db,
    player: PlayerId,
    id: TournamentId,
    starts_at: Timestamp,
) -> Result<Option<Notification>, Error> {
    let row = sqlx::query_as!(
        NotificationRow,
        r#"select 0::bigint as "id!", $4 as "kind!", null::bigint as match_id, null::text as detail, ms(now()) as "at!", false as "read!",
                  t.id as "tournament_id?", r.name as "tournament_name?", null::text as game, null::smallint as winner, null::boolean as first,
                  null::bigint as other_id, null::text as name, null::boolean as guest, null::boolean as bot
           from tournaments t join read_tournaments r on r.id = t.id
           where t.id = $2 and t.state = 'open' and ms(t.starts_at) = $3
               and (exists (
                       select from tournament_entrants e where e.tournament_id = t.id and e.player_id = $1 and e.state = 'here')
                   or exists (select from tournament_reminders q where q.tournament_id = t.id and q.player_id = $1))
               and exists (
                   select from notification_switches s
                   where s.player_id = $1 and s.kind = $4 and s.channel = $5 and s.is_on)"#,
        player.0,
        id.0,
        starts_at.0,
        NotificationKind::TournamentSoon.as_str(),
        NotificationChannel::Mail.as_str()
    )
    .fetch_optional(db)
    .await?;
    row.map(NotificationRow::read).transpose()
}

/// Deletes the reminders whose deadline has passed.
pub(super) async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!("delete from turn_reminders where deadline_at < now()")
        .execute(db)
        .await?;
    Ok(())
}
