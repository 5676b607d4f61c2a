//! What people say, and whom they do not want to hear.

use super::{Db, Tx};
use crate::Error;
use crate::chat::ChatChannel;
use tochki_play::Timestamp;
use tochki_protocol::{Account, ChatMessage, MessageId, PlayerId};

/// A message, and who has muted its author.
pub struct ChannelMessage {
    /// Where it was said.
    pub room: ChatChannel,
    /// The message.
    pub said: ChatMessage,
    /// Those who are not to hear it.
    pub muted_by: Vec<i64>,
}

/// Locks a player who is about to say something, so that what they say comes one after the other. Says whether an operator
/// has muted them.
pub async fn lock_speaker(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let muted = sqlx::query_scalar!(
        r#"select coalesce(muted_until > now(), false) as "muted!" from players where id = $1 for no key update"#,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(muted)
}

/// How many seconds the locked player has to wait who has said `count` things within so many seconds.
pub async fn has_to_wait(
    tx: &mut Tx,
    player: PlayerId,
    count: i64,
    within: f64,
) -> Result<Option<u32>, Error> {
    let lately = sqlx::query!(
        r#"select count(*) as "count!",
                  ceil(extract(epoch from min(at) - clock_timestamp()) + $3::float8)::int as wait
           from (select at from messages
                 where player_id = $1 and at > clock_timestamp() - make_interval(secs => $3)
                 order by at desc limit $2) as lately"#,
        player.0,
        count,
        within
    )
    .fetch_one(&mut **tx)
    .await?;
    let wait = lately.wait.filter(|_| lately.count >= count);
    Ok(wait.map(|seconds| seconds.max(1).cast_unsigned()))
}

/// Writes a message down. Until the commit nobody else writes there, so that a message with a smaller number can not become
/// visible after one with a greater.
pub async fn insert(
    tx: &mut Tx,
    room: ChatChannel,
    player: PlayerId,
    text: &str,
) -> Result<(MessageId, Timestamp), Error> {
    let place = room.to_string();
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

/// The number of the last message there.
pub async fn newest(db: &Db, room: ChatChannel) -> Result<MessageId, Error> {
    let id = sqlx::query_scalar!(
        r#"select coalesce(max(id), 0) as "id!" from messages where place = $1"#,
        room.to_string()
    )
    .fetch_one(db)
    .await?;
    Ok(MessageId(id))
}

/// The last messages after one, oldest first, without those of players whom the reader has muted.
pub async fn last(
    db: &Db,
    room: ChatChannel,
    reader: Option<PlayerId>,
    after: MessageId,
    limit: i64,
) -> Result<Vec<ChatMessage>, Error> {
    let mut rows = sqlx::query!(
        r#"select m.id, m.text, ms(m.at) as "at!", p.id as player, p.name, p.guest
           from messages m join players p on p.id = m.player_id
           where m.place = $1 and m.id > $3
               and not exists (select from mutes where mutes.player_id = $2 and mutes.muted_id = m.player_id)
           order by m.id desc limit $4"#,
        room.to_string(),
        reader.map(|reader| reader.0),
        after.0,
        limit
    )
    .fetch_all(db)
    .await?;
    rows.reverse();
    let said = rows.into_iter().map(|row| ChatMessage {
        id: MessageId(row.id),
        place: room.venue(),
        chat: room.chat(),
        from: Account {
            id: PlayerId(row.player),
            name: row.name,
            guest: row.guest,
        },
        text: row.text,
        at: Timestamp(row.at),
    });
    Ok(said.collect())
}

/// What is new in these rooms after these messages, at most `limit` in each, in order.
pub async fn news(
    db: &Db,
    rooms: &[(ChatChannel, MessageId)],
    limit: i64,
) -> Result<Vec<ChannelMessage>, Error> {
    let places: Vec<String> = rooms.iter().map(|(room, _)| room.to_string()).collect();
    let after: Vec<i64> = rooms.iter().map(|(_, id)| id.0).collect();
    let rows = sqlx::query!(
        r#"select known.number as "number!", m.id, m.text, ms(m.at) as "at!", p.id as player, p.name, p.guest,
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
    let heard = rows.into_iter().filter_map(|row| {
        let number = usize::try_from(row.number - 1).ok()?;
        let (room, _) = *rooms.get(number)?;
        Some(ChannelMessage {
            room,
            said: ChatMessage {
                id: MessageId(row.id),
                place: room.venue(),
                chat: room.chat(),
                from: Account {
                    id: PlayerId(row.player),
                    name: row.name,
                    guest: row.guest,
                },
                text: row.text,
                at: Timestamp(row.at),
            },
            muted_by: row.muted_by,
        })
    });
    Ok(heard.collect())
}

/// A message as a report keeps it.
pub struct Message {
    /// Where it was said.
    pub room: ChatChannel,
    /// Who said it.
    pub from: PlayerId,
}

/// The message, if it is still there.
pub async fn message(db: &Db, id: MessageId) -> Result<Option<Message>, Error> {
    let row = sqlx::query!("select place, player_id from messages where id = $1", id.0)
        .fetch_optional(db)
        .await?;
    Ok(row.and_then(|row| {
        Some(Message {
            room: ChatChannel::read(&row.place)?,
            from: PlayerId(row.player_id),
        })
    }))
}

/// Keeps a report, with the text as it is now. Whoever has reported the message already has done so.
pub async fn report(db: &Db, id: MessageId, reporter: PlayerId, reason: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into reports (message_id, reporter_id, reported_id, place, text, said_at, reason)
         select id, $2, player_id, place, text, at, $3 from messages where id = $1
         on conflict on constraint reports_once do nothing",
        id.0,
        reporter.0,
        reason
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A player does not want to hear another one any more. False where there is no such player.
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

/// A player wants to hear another one again.
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

/// Whom a player does not want to hear, by name.
pub async fn muted_by(db: &Db, player: PlayerId) -> Result<Vec<Account>, Error> {
    let rows = sqlx::query!(
        "select p.id, p.name, p.guest from mutes join players p on p.id = mutes.muted_id
         where mutes.player_id = $1 order by p.name, p.id limit 200",
        player.0
    )
    .fetch_all(db)
    .await?;
    let muted = rows.into_iter().map(|row| Account {
        id: PlayerId(row.id),
        name: row.name,
        guest: row.guest,
    });
    Ok(muted.collect())
}

/// Removes what was said in the waiting rooms a month ago, unless somebody has reported it.
pub async fn sweep(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from messages m where m.place = 'lobby' and m.at < now() - interval '30 days'
         and not exists (select from reports where reports.message_id = m.id)"
    )
    .execute(db)
    .await?;
    Ok(())
}
