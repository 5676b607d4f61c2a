//! Chat messages, reports of them, and mutes between players.

use crate::Error;
use crate::bus::channel::ChatChannel;
use crate::db::rows::{account, parse_stored, skip_unreadable};
use crate::db::{Db, Tx};
use sqlx::PgExecutor;
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{Account, ChatMessage, Code, MatchId, MessageId, PlayerId, TableId};

/// A message, and the players who have muted its author.
pub struct ChannelMessage {
    /// Its channel.
    pub channel: ChatChannel,
    /// The message.
    pub message: ChatMessage,
    /// The players who have muted its author.
    pub muted_by: Vec<i64>,
}

/// Locks the author of a message, so that the messages of one player are serialized. Returns whether an operator has muted
/// the player.
///
/// # Errors
/// `signed_out` if the player has been deleted meanwhile.
pub async fn lock_author(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let muted = sqlx::query_scalar!(
        r#"select coalesce(muted_until > now(), false) as "muted!" from players where id = $1 for no key update"#,
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    muted.ok_or_else(|| Code::SignedOut.into())
}

/// After how many seconds the locked player may send again, if they have sent [`limits::MESSAGES_PER_WINDOW`] messages
/// within [`limits::MESSAGE_WINDOW`].
pub async fn retry_after_seconds(tx: &mut Tx, player: PlayerId) -> Result<Option<u32>, Error> {
    let allowed = i64::from(limits::MESSAGES_PER_WINDOW);
    let recent = sqlx::query!(
        r#"select count(*) as "count!",
                  ceil(extract(epoch from min(at) - clock_timestamp() + $3::interval))::int as wait
           from (select at from messages
                 where player_id = $1 and at > clock_timestamp() - $3::interval
                 order by at desc limit $2) as recent"#,
        player.0,
        allowed,
        limits::MESSAGE_WINDOW as _
    )
    .fetch_one(&mut **tx)
    .await?;
    let wait = recent.wait.filter(|_| recent.count >= allowed);
    Ok(wait.map(|seconds| seconds.max(1).cast_unsigned()))
}

/// Inserts a message. The channel is locked until the commit, so that no message becomes visible after one with a greater
/// id.
pub async fn insert(
    tx: &mut Tx,
    channel: ChatChannel,
    player: PlayerId,
    text: &str,
) -> Result<(MessageId, Timestamp), Error> {
    let place = channel.to_string();
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('chat ' || $1, 0))",
        place
    )
    .execute(&mut **tx)
    .await?;
    let row = sqlx::query!(
        r#"insert into messages (place, player_id, text) values ($1, $2, $3) returning id, ms(at) as "at!""#,
        place,
        player.0,
        text
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((MessageId(row.id), Timestamp(row.at)))
}

/// The players who sit at a table; none if it is closed.
pub async fn seated(db: impl PgExecutor<'_>, table: TableId) -> Result<Vec<PlayerId>, Error> {
    let ids = sqlx::query_scalar!(
        "select player_id from table_seats where table_id = $1",
        table.0
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(PlayerId).collect())
}

/// Makes the messages of two players at a table those of the match that they begin there. Both are locked, so no message comes
/// after this one.
pub async fn move_to_match(
    tx: &mut Tx,
    table: ChatChannel,
    match_id: MatchId,
) -> Result<(), Error> {
    sqlx::query!(
        "update messages set place = $2 where place = $1",
        table.to_string(),
        ChatChannel::Players(match_id).to_string()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The id of the last message of a channel.
pub async fn last_id(db: &Db, channel: ChatChannel) -> Result<MessageId, Error> {
    let id = sqlx::query_scalar!(
        r#"select coalesce(max(id), 0) as "id!" from messages where place = $1"#,
        channel.to_string()
    )
    .fetch_one(db)
    .await?;
    Ok(MessageId(id))
}

/// A message of a channel, from a row of `sqlx::query!` with the columns `id`, `text`, `removed`, `at`, `player`, `name`,
/// `guest` and `bot`; text and removal may also be said beside the row. Each query has a type of its own, so this is a
/// macro.
macro_rules! chat_message {
    ($channel:ident, $row:ident) => {
        chat_message!($channel, $row, $row.text, $row.removed)
    };
    ($channel:ident, $row:ident, $text:expr, $removed:expr) => {
        ChatMessage {
            id: MessageId($row.id),
            place: $channel.place(),
            chat: $channel.audience(),
            from: account($row.player, $row.name, $row.guest, $row.bot),
            text: $text,
            at: Timestamp($row.at),
            removed: $removed,
        }
    };
}

/// The last messages after one, oldest first, without those of players whom the reader has muted.
pub async fn latest(
    db: &Db,
    channel: ChatChannel,
    reader: Option<PlayerId>,
    after: MessageId,
    limit: i64,
) -> Result<Vec<ChatMessage>, Error> {
    let mut rows = sqlx::query!(
        r#"select m.id, case when m.removed_at is null then m.text else '' end as "text!",
                  m.removed_at is not null as "removed!", ms(m.at) as "at!", p.id as player, p.name, p.guest, p.bot
           from messages m join players p on p.id = m.player_id
           where m.place = $1 and m.id > $3
               and not exists (select from mutes where mutes.player_id = $2 and mutes.muted_id = m.player_id)
           order by m.id desc limit $4"#,
        channel.to_string(),
        reader.map(|reader| reader.0),
        after.0,
        limit
    )
    .fetch_all(db)
    .await?;
    rows.reverse();
    let messages = rows.into_iter().map(|row| chat_message!(channel, row));
    Ok(messages.collect())
}

/// The messages of these channels after these ids, at most `limit` of each, in order.
pub async fn read_new(
    db: &Db,
    channels: &[(ChatChannel, MessageId)],
    limit: i64,
) -> Result<Vec<ChannelMessage>, Error> {
    let places: Vec<String> = channels
        .iter()
        .map(|(channel, _)| channel.to_string())
        .collect();
    let after: Vec<i64> = channels.iter().map(|(_, id)| id.0).collect();
    let rows = sqlx::query!(
        r#"select known.number as "number!", m.id, case when m.removed_at is null then m.text else '' end as "text!",
                  m.removed_at is not null as "removed!", ms(m.at) as "at!", p.id as player, p.name, p.guest, p.bot,
                  array(select mutes.player_id from mutes where mutes.muted_id = m.player_id) as "muted_by!"
           from unnest($1::text[], $2::bigint[]) with ordinality as known (place, after, number)
           cross join lateral (
               select * from messages
               where messages.place = known.place and messages.id > known.after
               order by messages.id limit $3) as m
           join players p on p.id = m.player_id
           order by known.number, m.id"#,
        &places,
        &after,
        limit
    )
    .fetch_all(db)
    .await?;
    let messages = rows.into_iter().map(|row| {
        // The number of one of `places`.
        let number = usize::try_from(row.number - 1).ok();
        let (channel, _) = *number
            .and_then(|number| channels.get(number))
            .ok_or_else(|| Error::invariant("a row of no channel that was asked for"))?;
        Ok(ChannelMessage {
            channel,
            message: chat_message!(channel, row),
            muted_by: row.muted_by,
        })
    });
    messages.collect()
}

/// The number of the last removal of a message.
pub async fn last_removal(db: &Db) -> Result<i64, Error> {
    Ok(
        sqlx::query_scalar!(r#"select coalesce(max(id), 0) as "id!" from removals"#)
            .fetch_one(db)
            .await?,
    )
}

/// The messages that were removed after this removal, at most `limit`, in order, and the number of the last of them.
pub async fn removed_after(
    db: &Db,
    after: i64,
    limit: i64,
) -> Result<Option<(i64, Vec<ChannelMessage>)>, Error> {
    let rows = sqlx::query!(
        r#"select r.id as removal, m.id, m.place, ms(m.at) as "at!", p.id as player, p.name, p.guest, p.bot,
                  array(select mutes.player_id from mutes where mutes.muted_id = m.player_id) as "muted_by!"
           from removals r join messages m on m.id = r.message_id join players p on p.id = m.player_id
           where r.id > $1 order by r.id limit $2"#,
        after,
        limit
    )
    .fetch_all(db)
    .await?;
    let last = rows.last().map(|row| row.removal);
    let messages = rows.into_iter().map(|row| {
        let channel = parse_stored(&row.place, ChatChannel::read(&row.place))?;
        Ok(ChannelMessage {
            channel,
            message: chat_message!(channel, row, String::new(), true),
            muted_by: row.muted_by,
        })
    });
    Ok(last.map(|last| (last, skip_unreadable(messages))))
}

/// The channel and the author of a message.
pub struct Message {
    /// Its channel.
    pub channel: ChatChannel,
    /// Its author.
    pub from: PlayerId,
}

/// The message, if it still exists.
pub async fn message(db: &Db, id: MessageId) -> Result<Option<Message>, Error> {
    let row = sqlx::query!(
        "select place, player_id from messages where id = $1 and removed_at is null",
        id.0
    )
    .fetch_optional(db)
    .await?;
    let message = row.map(|row| {
        Ok(Message {
            channel: parse_stored(&row.place, ChatChannel::read(&row.place))?,
            from: PlayerId(row.player_id),
        })
    });
    message.transpose()
}

/// Inserts a report with a copy of the text. A second report by the same player is ignored.
pub async fn report(db: &Db, id: MessageId, reporter: PlayerId, reason: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into reports (message_id, said_id, reporter_id, reported_id, place, text, said_at, reason)
         select id, id, $2, player_id, place, text, at, $3 from messages where id = $1
         on conflict on constraint reports_once do nothing",
        id.0,
        reporter.0,
        reason
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A player mutes another one. False if there is no such player.
pub async fn mute(db: &Db, player: PlayerId, muted: PlayerId) -> Result<bool, Error> {
    let found = sqlx::query_scalar!(
        r#"with found as (select id from players where id = $2),
                kept as (insert into mutes (player_id, muted_id) select $1, id from found on conflict do nothing)
           select exists (select from found) as "found!""#,
        player.0,
        muted.0
    )
    .fetch_one(db)
    .await?;
    Ok(found)
}

/// A player no longer mutes another one.
pub async fn unmute(db: &Db, player: PlayerId, muted: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "delete from mutes where player_id = $1 and muted_id = $2",
        player.0,
        muted.0
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The players whom a player has muted, by name.
pub async fn muted_by(db: &Db, player: PlayerId) -> Result<Vec<Account>, Error> {
    let rows = sqlx::query!(
        "select p.id, p.name, p.guest, p.bot from mutes join players p on p.id = mutes.muted_id
         where mutes.player_id = $1 order by p.name, p.id limit $2",
        player.0,
        i64::from(limits::MUTED_PLAYERS_LEN)
    )
    .fetch_all(db)
    .await?;
    let muted = rows
        .into_iter()
        .map(|row| account(row.id, row.name, row.guest, row.bot));
    Ok(muted.collect())
}

/// Deletes messages of the waiting rooms, and of tables at which no match began, older than [`limits::LOBBY_MESSAGE_LIFETIME`],
/// except reported ones.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from messages m where (m.place = 'lobby' or m.place like 'table:%') and m.at < now() - $1::interval
         and not exists (select from reports where reports.message_id = m.id)",
        limits::LOBBY_MESSAGE_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}
