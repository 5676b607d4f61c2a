//! Notifications, their causes and their switches.

pub(crate) mod calls;
pub(super) mod pushes;

use crate::Error;
use crate::db::notification_row::NotificationRow;
use crate::db::{Db, Tx, rows};
use tochki_protocol::{
    MatchId, ModerationAction, Notification, NotificationChannel, NotificationKind,
    NotificationSwitches, Notified, PlayerId, TournamentId, TournamentNotice, limits,
};

/// Something that a player may be told of, for the transaction that makes it happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    /// The player.
    pub(crate) player: PlayerId,
    /// The kind of the notification; `None` where nothing is told, and what was to be done in the match is done.
    pub(crate) kind: Option<NotificationKind>,
    /// The match. A player has one notification of a match at most.
    pub(crate) match_id: Option<MatchId>,
    /// The opponent, or the challenger.
    pub(crate) other: Option<PlayerId>,
    /// The act of an operator.
    pub(crate) act: Option<ModerationAction>,
}

impl Cause {
    /// The player is on turn in a match, or with `None` no longer.
    pub(crate) fn of_match(
        player: PlayerId,
        other: PlayerId,
        id: MatchId,
        kind: Option<NotificationKind>,
    ) -> Self {
        Self {
            player,
            kind,
            match_id: Some(id),
            other: Some(other),
            act: None,
        }
    }
}

/// The subject of the notifications of a match.
fn match_subject(id: MatchId) -> String {
    format!("match:{id}")
}

/// Inserts causes, in the transaction that makes them. Nobody is told of what a house bot does not read.
pub(crate) async fn insert_causes(tx: &mut Tx, causes: &[Cause]) -> Result<(), Error> {
    let of = |field: fn(&Cause) -> Option<i64>| causes.iter().map(field).collect::<Vec<_>>();
    let players: Vec<i64> = causes.iter().map(|cause| cause.player.0).collect();
    let subjects: Vec<Option<String>> = causes
        .iter()
        .map(|cause| cause.match_id.map(match_subject))
        .collect();
    let kinds: Vec<Option<&str>> = causes
        .iter()
        .map(|cause| cause.kind.map(NotificationKind::as_str))
        .collect();
    let matches = of(|cause| cause.match_id.map(|id| id.0));
    let others = of(|cause| cause.other.map(|other| other.0));
    let acts: Vec<Option<&str>> = causes
        .iter()
        .map(|cause| cause.act.map(ModerationAction::as_str))
        .collect();
    sqlx::query!(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id, detail)
         select c.* from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
             as c (player_id, subject, kind, match_id, other_id, detail)
         where not exists (select from house_bots b where b.player_id = c.player_id)",
        &players,
        &subjects[..] as _,
        &kinds[..] as _,
        &matches[..] as _,
        &others[..] as _,
        &acts[..] as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Inserts the end of a live match as a cause. A person who has the page open is told as well unless the page says that it has shown the
/// end: the connection may be lost already. A program that is there says nothing, and sees it.
pub(crate) async fn insert_end(tx: &mut Tx, causes: &[Cause]) -> Result<(), Error> {
    let players: Vec<i64> = causes.iter().map(|cause| cause.player.0).collect();
    let others: Vec<Option<i64>> = causes
        .iter()
        .map(|cause| cause.other.map(|other| other.0))
        .collect();
    let Some(id) = causes.first().and_then(|cause| cause.match_id) else {
        return Ok(());
    };
    sqlx::query!(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id)
         select c.player_id, $3, $4, $5, c.other_id
         from unnest($1::bigint[], $2::bigint[]) as c (player_id, other_id)
         join players p on p.id = c.player_id
         where (not p.bot or not exists (
                 select from presence h
                 where h.place = $3 and h.player_id = c.player_id and sees(h.beat_at, h.gone_at, h.instance, now())))
             and not exists (select from house_bots b where b.player_id = c.player_id)",
        &players,
        &others[..] as _,
        match_subject(id),
        NotificationKind::GameOver.as_str(),
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Inserts the annulment of these matches as a cause for both players of each.
pub(crate) async fn insert_annulments(tx: &mut Tx, ids: &[MatchId]) -> Result<(), Error> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    sqlx::query!(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id, detail)
         select side.player_id, 'match:' || m.id, $2, m.id, side.other_id, $3
         from matches m cross join lateral (values (m.seat1, m.seat2), (m.seat2, m.seat1)) as side (player_id, other_id)
         where m.id = any($1) and not exists (select from house_bots b where b.player_id = side.player_id)",
        &ids,
        NotificationKind::Operator.as_str(),
        ModerationAction::Annulled.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Inserts what was done to a tournament as a cause for these players.
pub(crate) async fn insert_tournament_notice(
    tx: &mut Tx,
    id: TournamentId,
    notice: TournamentNotice,
    players: &[PlayerId],
) -> Result<(), Error> {
    let players: Vec<i64> = players.iter().map(|player| player.0).collect();
    sqlx::query!(
        "insert into notification_causes (player_id, subject, kind, detail)
         select c.player_id, 'tournament:' || $2::bigint, $3, $4 from unnest($1::bigint[]) as c (player_id)
         where not exists (select from house_bots b where b.player_id = c.player_id)",
        &players,
        id.0,
        NotificationKind::Tournament.as_str(),
        notice.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A cause as it was stored.
pub(super) struct StoredCause {
    pub(super) id: i64,
    pub(super) player_id: i64,
    pub(super) subject: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) match_id: Option<i64>,
    pub(super) other_id: Option<i64>,
    pub(super) detail: Option<String>,
    pub(super) at: i64,
}

/// Causes that were taken away.
pub(super) struct TakenCauses {
    /// The causes, in order.
    pub(super) causes: Vec<StoredCause>,
    /// The players of those that stay for a moment, and are told then or not at all.
    pub(super) held: Vec<PlayerId>,
    /// Whether there may be more.
    pub(super) more: bool,
    /// Whether some were left because another instance is telling an earlier one of the same subject.
    pub(super) some_wait: bool,
}

/// Takes the oldest causes away, at most [`limits::NOTIFICATION_BATCH_LEN`]. Those that another instance takes are left out, and so are
/// later ones of their subjects: the end of a turn is told after its beginning, and so takes it away.
///
/// News that the page of a match shows stay for [`limits::NOTICE_HOLD`] where the player has that page open, whose connection may be lost
/// already. The beginning of a turn stays for [`limits::ANSWER_NOTICE_HOLD`] where the player's conditional moves may end it.
pub(super) async fn take_causes(tx: &mut Tx) -> Result<TakenCauses, Error> {
    let rows = sqlx::query!(
        r#"with head as materialized (
               select id, player_id, subject, kind, match_id, other_id, detail, at, held_until
               from notification_causes where held_until is null or held_until <= now()
               order by id limit $1 for update skip locked
           ), of_others as materialized (
               select c.id, c.player_id, c.subject from notification_causes c
               where c.id <= (select max(id) from head) and c.subject is not null
                   and (c.held_until is null or c.held_until <= now()) and not exists (select from head h where h.id = c.id)
           )
           select h.id, h.player_id, h.subject, h.kind, h.match_id, h.other_id, h.detail, ms(h.at) as "at!",
               exists (select from of_others o where o.player_id = h.player_id and o.subject = h.subject and o.id < h.id) as "waits!",
               h.held_until is null and h.kind is not null and h.kind = any($2) and h.detail is null and exists (
                   select from presence p
                   where p.place = 'match:' || h.match_id and p.player_id = h.player_id and p.gone_at is null
                       and is_alive(p.beat_at, p.gone_at)) as "is_watched!",
               h.held_until is null and h.kind is not distinct from $3 and exists (
                   select from conditional_moves c
                   where c.match_id = h.match_id and c.player_id = h.player_id and c.due_at is not null
                       and jsonb_array_length(c.lines) > 0) as "is_answered!",
               h.held_until is not null and exists (
                   select from notification_causes l
                   where l.player_id = h.player_id and l.subject = h.subject and l.id > h.id) as "is_superseded!"
           from head h order by h.id"#,
        i64::from(limits::NOTIFICATION_BATCH_LEN),
        &for_the_absent(),
        NotificationKind::YourTurn.as_str()
    )
    .fetch_all(&mut **tx)
    .await?;
    let some_wait = rows.iter().any(|row| row.waits);
    let more = rows.len() >= limits::NOTIFICATION_BATCH_LEN as usize;
    let (held, taken): (Vec<_>, Vec<_>) = rows
        .into_iter()
        .filter(|row| !row.waits)
        .partition(|row| row.is_watched || row.is_answered);
    if !held.is_empty() {
        let ids: Vec<i64> = held.iter().map(|row| row.id).collect();
        let answered = held.iter().filter(|row| row.is_answered);
        let answered: Vec<i64> = answered.map(|row| row.id).collect();
        sqlx::query!(
            "update notification_causes
             set held_until = now() + case when id = any($2) then $3::interval else $4::interval end
             where id = any($1)",
            &ids,
            &answered,
            limits::ANSWER_NOTICE_HOLD as _,
            limits::NOTICE_HOLD as _
        )
        .execute(&mut **tx)
        .await?;
    }
    if !taken.is_empty() {
        let ids: Vec<i64> = taken.iter().map(|row| row.id).collect();
        sqlx::query!("delete from notification_causes where id = any($1)", &ids)
            .execute(&mut **tx)
            .await?;
    }
    let causes = taken
        .into_iter()
        .filter(|row| !row.is_superseded)
        .map(|row| StoredCause {
            id: row.id,
            player_id: row.player_id,
            subject: row.subject,
            kind: row.kind,
            match_id: row.match_id,
            other_id: row.other_id,
            detail: row.detail,
            at: row.at,
        })
        .collect();
    Ok(TakenCauses {
        causes,
        held: held
            .into_iter()
            .map(|row| PlayerId(row.player_id))
            .collect(),
        more,
        some_wait,
    })
}

/// Deletes the notifications of these players and subjects that something was to be done, older than these causes. Returns whose
/// they were.
pub(super) async fn delete_done(
    tx: &mut Tx,
    causes: &[&StoredCause],
) -> Result<Vec<PlayerId>, Error> {
    let ids: Vec<i64> = causes.iter().map(|cause| cause.id).collect();
    let players: Vec<i64> = causes.iter().map(|cause| cause.player_id).collect();
    let subjects: Vec<Option<&str>> = causes
        .iter()
        .map(|cause| cause.subject.as_deref())
        .collect();
    let gone = sqlx::query_scalar!(
        "with done as materialized (
             select n.id from notifications n
             join unnest($1::bigint[], $2::bigint[], $3::text[]) as c (id, player_id, subject)
                 on n.player_id = c.player_id and n.subject = c.subject and n.cause < c.id
             where n.kind = any($4)
             order by n.player_id, n.subject for update of n
         )
         delete from notifications n using done where n.id = done.id returning n.player_id",
        &ids,
        &players,
        &subjects[..] as _,
        &[
            NotificationKind::YourTurn.as_str().to_owned(),
            NotificationKind::Challenge.as_str().to_owned(),
            NotificationKind::TournamentSoon.as_str().to_owned()
        ]
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from pushes p using unnest($1::bigint[], $2::bigint[], $3::text[]) as c (id, player_id, subject)
         where p.player_id = c.player_id and p.subject = c.subject and p.cause < c.id",
        &ids,
        &players,
        &subjects[..] as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(gone.into_iter().map(PlayerId).collect())
}

/// Inserts the notifications of these causes, of which no two are of one player and subject, in place of the older ones of the same
/// subjects: where the switch of the site is on, the player does not see it at the match, and a turn is not over. Returns whose they are.
pub(super) async fn insert(tx: &mut Tx, causes: &[&StoredCause]) -> Result<Vec<PlayerId>, Error> {
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
    let told = sqlx::query_scalar!(
        "insert into notifications as n (player_id, subject, kind, match_id, other_id, detail, cause, created_at)
         select c.player_id, coalesce(c.subject, 'cause:' || c.id), c.kind, c.match_id, c.other_id, c.detail, c.id, at_ms(c.at)
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[])
             as c (id, player_id, subject, kind, match_id, other_id, detail, at)
         join players p on p.id = c.player_id and p.deleted_at is null
         left join players o on o.id = c.other_id
         where (c.other_id is null or o.id is not null)
             and not exists (
                 select from notification_switches s
                 where s.player_id = c.player_id and s.kind = c.kind and s.channel = $9 and not s.is_on)
             and (c.kind <> $11 or case when c.detail is null then is_on_turn(c.match_id, c.player_id) else goes_on_live(c.match_id) end)
             and not (c.kind = any($10) and c.detail is null and exists (
                 select from presence p
                 where p.place = 'match:' || c.match_id and p.player_id = c.player_id
                     and sees(p.beat_at, p.gone_at, p.instance, at_ms(c.at))))
         order by c.player_id, c.subject
         on conflict (player_id, subject) do update set kind = excluded.kind, match_id = excluded.match_id,
             other_id = excluded.other_id, detail = excluded.detail, cause = excluded.cause,
             created_at = excluded.created_at, read_at = null, digested_at = null
         where n.cause < excluded.cause
         returning player_id",
        &ids,
        &players,
        &subjects[..] as _,
        &kinds[..] as _,
        &matches[..] as _,
        &others[..] as _,
        &details[..] as _,
        &times,
        NotificationChannel::Site.as_str(),
        &for_the_absent(),
        NotificationKind::YourTurn.as_str()
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(told.into_iter().map(PlayerId).collect())
}

/// The kinds that are only for players who are not at the match.
fn for_the_absent() -> Vec<String> {
    let kinds = NotificationKind::ALL.into_iter();
    kinds
        .filter(|kind| kind.is_for_the_absent())
        .map(|kind| kind.as_str().to_owned())
        .collect()
}

/// A page of the notifications of a player, latest first, and whether there are more pages. `page` is counted from 0.
pub(super) async fn page(
    db: &Db,
    player: PlayerId,
    page: u32,
) -> Result<(Vec<Notification>, bool), Error> {
    let len = i64::from(limits::NOTIFICATIONS_PAGE_LEN);
    let rows = sqlx::query_as!(
        NotificationRow,
        r#"select n.id, n.kind, n.match_id, n.detail, ms(n.created_at) as "at!", n.read_at is not null as "read!",
                  m.game as "game?", m.winner, m.seat1 = n.player_id as "first?",
                  o.id as "other_id?", o.name as "name?", o.guest as "guest?", o.bot as "bot?",
                  t.id as "tournament_id?", t.name as "tournament_name?"
           from notifications n left join matches m on m.id = n.match_id left join players o on o.id = n.other_id
           left join read_tournaments t on t.id = tournament_of(n.subject)
           where n.player_id = $1 order by n.created_at desc, n.id desc offset $2 limit $3"#,
        player.0,
        i64::from(page) * len,
        len + 1
    )
    .fetch_all(db)
    .await?;
    Ok(rows::page(rows, len, NotificationRow::read))
}

/// The numbers of unread notifications of these players, each at most [`limits::UNREAD_COUNTED`], and of their games on turn. A player
/// without any is left out.
pub(super) async fn counts(db: &Db, players: &[i64]) -> Result<Vec<(PlayerId, Notified)>, Error> {
    let rows = sqlx::query!(
        r#"select p.id as "id!", u.count as "unread!", t.first + t.second as "on_turn!" from unnest($1::bigint[]) as p (id)
           cross join lateral (
               select count(*) from (
                   select from notifications n where n.player_id = p.id and n.read_at is null limit $2) counted) u
           cross join lateral (
               select (select count(*) from matches m
                       where m.seat1 = p.id and m.finished_at is null and m.correspondence and m.to_move = 1) as first,
                   (select count(*) from matches m
                       where m.seat2 = p.id and m.finished_at is null and m.correspondence and m.to_move = 2) as second) t
           where u.count > 0 or t.first + t.second > 0"#,
        players,
        i64::from(limits::UNREAD_COUNTED)
    )
    .fetch_all(db)
    .await?;
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let counts = rows.into_iter().map(|row| {
        let notified = Notified {
            unread: number(row.unread),
            on_turn: number(row.on_turn),
        };
        (PlayerId(row.id), notified)
    });
    Ok(counts.collect())
}

/// Marks these notifications of a player as read, or all. Returns whether any was unread.
pub(super) async fn mark_read(
    db: &Db,
    player: PlayerId,
    ids: Option<&[i64]>,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "with unread as materialized (
             select id from notifications
             where player_id = $1 and read_at is null and ($2::bigint[] is null or id = any($2))
             order by subject for update
         )
         update notifications n set read_at = now() from unread u where n.id = u.id",
        player.0,
        ids
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Marks the notification of a match as read, be it one that was to come of what its page shows. Returns whether there was an unread one.
pub(super) async fn mark_match_read(db: &Db, player: PlayerId, id: MatchId) -> Result<bool, Error> {
    let subject = match_subject(id);
    let call = calls::subject(id);
    // By a statement of its own: it waits for whoever makes a notification of a cause, and the next one sees that.
    sqlx::query!(
        "delete from notification_causes where player_id = $1 and subject = $2 and kind = any($3)",
        player.0,
        subject,
        &for_the_absent()
    )
    .execute(db)
    .await?;
    let done = sqlx::query!(
        "update notifications set read_at = now() where player_id = $1 and subject in ($2, $3) and read_at is null",
        player.0,
        subject,
        call
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The switches of a player.
pub(super) async fn switches(
    db: &Db,
    player: PlayerId,
) -> Result<Vec<NotificationSwitches>, Error> {
    let rows = sqlx::query!(
        "select kind, channel, is_on from notification_switches where player_id = $1",
        player.0
    )
    .fetch_all(db)
    .await?;
    let is_on = |kind: NotificationKind, channel: NotificationChannel| {
        let mut changed = rows.iter();
        let changed =
            changed.find(|row| row.kind == kind.as_str() && row.channel == channel.as_str());
        changed.map_or(channel.is_on_unless_changed(kind), |row| row.is_on)
    };
    let switches = NotificationKind::ALL.map(|kind| NotificationSwitches {
        kind,
        site: is_on(kind, NotificationChannel::Site),
        push: is_on(kind, NotificationChannel::Push),
        mail: is_on(kind, NotificationChannel::Mail),
    });
    Ok(switches.into())
}

/// Sets a switch of a player.
pub(super) async fn set_switch(
    db: &Db,
    player: PlayerId,
    kind: NotificationKind,
    channel: NotificationChannel,
    is_on: bool,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into notification_switches (player_id, kind, channel, is_on) values ($1, $2, $3, $4)
         on conflict (player_id, kind, channel) do update set is_on = excluded.is_on",
        player.0,
        kind.as_str(),
        channel.as_str(),
        is_on
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes what belongs to these players.
pub(crate) async fn delete_of(tx: &mut Tx, players: &[i64]) -> Result<(), Error> {
    sqlx::query!(
        "delete from notification_causes where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from notifications where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from notification_switches where player_id = any($1)",
        players
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Deletes notifications older than [`limits::NOTIFICATION_LIFETIME`].
pub(crate) async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from notifications where created_at < now() - $1::interval",
        limits::NOTIFICATION_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}
