//! Export of all data about a player, as JSON text produced by the database, some rows at a time.

use crate::db::Db;
use crate::db::terms::StoredTerms;
use crate::matches::db::packs::{self, EventRow};
use crate::{Error, LogFailure as _, WithSubject as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tochki_play::{PastEvent, Timestamp};
use tochki_protocol::{MatchId, PlayerId};

/// A list of the document that grows with what a player does, in the order of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// The sessions.
    Sessions,
    /// Tries at puzzles.
    PuzzleTries,
    /// Games against the computer.
    ComputerGames,
    /// Challenges of the last days, from and to the player.
    Challenges,
    /// Messages.
    Messages,
    /// Tables that the player has opened.
    Tables,
    /// Reports by the player.
    Reports,
    /// Reports about the player, without the reporter.
    Reported,
    /// The actions of the player as an operator.
    Acts,
    /// Matches with their events.
    Matches,
}

impl Section {
    /// All.
    pub const ALL: [Self; 10] = [
        Self::Sessions,
        Self::PuzzleTries,
        Self::ComputerGames,
        Self::Challenges,
        Self::Messages,
        Self::Tables,
        Self::Reports,
        Self::Reported,
        Self::Acts,
        Self::Matches,
    ];
}

/// Everything except the [`Section`]s as one JSON object: account, settings, ratings, tokens, lines, browsers, passkeys, mutes,
/// sanctions, addresses, vacation, corrections of ratings, seats and presence. Secrets are not among it. `tests/server/my_data.rs` lists
/// all columns about players.
pub async fn account_data(db: &Db, player: PlayerId) -> Result<String, Error> {
    Ok(sqlx::query_scalar!(
        r#"select jsonb_build_object(
               'account', (
                   select jsonb_build_object('id', id, 'name', name, 'guest', guest, 'bot', bot, 'settings', settings,
                       'created_at', ms(created_at), 'visited_at', ms(visited_at), 'muted_until', ms(muted_until),
                       'closed_at', ms(closed_at), 'name_mark', name_mark, 'sanctioned_at', ms(sanctioned_at),
                       'sanction_carried_over', sanction_of is not null,
                       'operator_since', (select ms(since) from operators where player_id = $1),
                       'recovery_codes_at', ms(recovery_codes_at),
                       'recovery_codes', (select count(*) from recovery_codes where player_id = $1))
                   from players where id = $1),
               'tokens', coalesce((
                   select jsonb_agg(jsonb_build_object('name', name, 'scopes', scopes, 'created_at', ms(created_at),
                       'expires_at', ms(expires_at), 'used_at', ms(used_at)) order by id)
                   from tokens where player_id = $1), '[]'),
               'lines', coalesce((
                   select jsonb_agg(jsonb_build_object('address', address, 'seen_at', ms(seen_at), 'lost_at', ms(lost_at)))
                   from lines where player_id = $1), '[]'),
               'mail', (select jsonb_build_object('address', address, 'pending', pending, 'pending_at', ms(pending_at),
                       'language', language, 'sign_ins', sign_ins, 'digest_at', ms(digest_at))
                   from mail_addresses where player_id = $1),
               'devices', coalesce((
                   select jsonb_agg(jsonb_build_object('agent', agent, 'created_at', ms(created_at),
                       'used_at', ms(used_at)) order by created_at, token_hash)
                   from devices where player_id = $1), '[]'),
               'passkeys', coalesce((
                   select jsonb_agg(jsonb_build_object('name', name, 'created_at', ms(created_at),
                       'used_at', ms(used_at)) order by id)
                   from passkeys where player_id = $1), '[]'),
               'sanctions', coalesce((
                   select jsonb_agg(jsonb_build_object('act', act, 'why', why, 'at', ms(at)) order by id)
                   from audit where player_id = $1), '[]'),
               'addresses', coalesce((
                   select jsonb_agg(jsonb_build_object('address', address, 'seen_at', ms(seen_at)) order by seen_at, address)
                   from addresses where player_id = $1), '[]'),
               'corrections', coalesce((
                   select jsonb_agg(jsonb_build_object('match', match_id, 'game', game, 'before', before, 'after', after,
                       'at', ms(at), 'read_at', ms(read_at)) order by at, match_id)
                   from rating_corrections where player_id = $1), '[]'),
               'seats', coalesce((
                   select jsonb_agg(jsonb_build_object('table', table_id, 'ready', ready, 'seen_at', ms(seen_at)) order by table_id)
                   from table_seats where player_id = $1), '[]'),
               'kept_away', coalesce((
                   select jsonb_agg(table_id order by table_id) from table_bans where player_id = $1), '[]'),
               'presence', coalesce((
                   select jsonb_agg(jsonb_build_object('place', place, 'since', ms(since), 'seen_at', ms(beat_at))
                       order by place, instance)
                   from presence where player_id = $1), '[]'),
               'ratings', coalesce((
                   select jsonb_agg(jsonb_build_object('game', game, 'rating', rating, 'games', games,
                       'ranked', ranked) order by game)
                   from ratings where player_id = $1), '[]'),
               'muted', coalesce((
                   select jsonb_agg(p.name order by p.id)
                   from mutes m join players p on p.id = m.muted_id where m.player_id = $1), '[]'),
               'time_zone', (select jsonb_build_object('zone', zone, 'changed_at', ms(changed_at))
                   from time_zones where player_id = $1),
               'time_losses', coalesce((
                   select jsonb_agg(jsonb_build_object('match', match_id, 'flag_at', ms(flag_at), 'unrated', spared) order by flag_at, match_id)
                   from time_losses where player_id = $1), '[]'),
               'vacation', (select jsonb_build_object('days', days, 'counted_at', ms(counted_at), 'began_at', ms(began_at),
                       'ends_at', ms(ends_at), 'automatic', automatic)
                   from vacations where player_id = $1),
               'notifications', coalesce((
                   select jsonb_agg(jsonb_build_object('kind', kind, 'match', match_id, 'player', other_id, 'act', detail,
                       'at', ms(created_at), 'read_at', ms(read_at), 'digested_at', ms(digested_at)) order by created_at, id)
                   from notifications where player_id = $1), '[]'),
               'notification_switches', coalesce((
                   select jsonb_agg(jsonb_build_object('kind', kind, 'channel', channel, 'on', is_on) order by kind, channel)
                   from notification_switches where player_id = $1), '[]'),
               'push_subscriptions', coalesce((
                   select jsonb_agg(jsonb_build_object('endpoint', endpoint, 'language', language, 'created_at', ms(created_at))
                       order by id)
                   from push_subscriptions where player_id = $1), '[]'),
               'tournaments', coalesce((
                   select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'made', t.creator_id is not distinct from $1,
                       'description', case when t.creator_id = $1 then t.description end, 'state', e.state,
                       'joined_at', ms(e.joined_at), 'pauses', e.pauses, 'score', e.score, 'reminder', own.reminder) order by t.id)
                   from (select id, bool_or(reminder) as reminder from (
                             select id, false as reminder from tournaments where creator_id = $1
                             union all select tournament_id, false from tournament_entrants where player_id = $1
                             union all select tournament_id, true from tournament_reminders where player_id = $1) known
                         group by id) own
                   join tournaments t on t.id = own.id
                   left join tournament_entrants e on e.tournament_id = t.id and e.player_id = $1), '[]'),
               'leagues', coalesce((
                   select jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'joined_at', ms(m.joined_at)) order by l.id)
                   from league_members m join leagues l on l.id = m.league_id where m.player_id = $1), '[]'),
               'league_titles', coalesce((
                   select jsonb_agg(jsonb_build_object('league', t.league_id, 'season', t.season, 'won_at', ms(t.won_at))
                       order by t.won_at)
                   from league_titles t where t.player_id = $1), '[]'),
               'no_shows', (select jsonb_build_object('count', count, 'until', ms(until)) from no_shows where player_id = $1),
               'puzzle_rating', (select rating from puzzle_ratings where player_id = $1)
           )::text as "json!""#,
        player.0
    )
    .fetch_one(db)
    .await?)
}

/// The ids of the rows of each section, oldest first.
pub async fn row_ids(db: &Db, player: PlayerId) -> Result<BTreeMap<Section, Vec<i64>>, Error> {
    let rows = sqlx::query!(
        r#"select section as "section!", id as "id!" from (
               select 0 as section, id from sessions where player_id = $1
               union all select 1, puzzle_id from puzzle_tries where player_id = $1
               union all select 2, id from computer_games where player_id = $1
               union all select 3, id from challenges where from_id = $1 or to_id = $1
               union all select 4, id from messages where player_id = $1
               union all select 5, id from open_tables where creator_id = $1
               union all select 6, id from reports where reporter_id = $1
               union all select 7, id from reports where reported_id = $1
               union all select 8, id from audit where operator_id = $1
               union all select 9, id from matches where seat1 = $1
               union all select 9, id from matches where seat2 = $1
           ) of_player order by 1, 2"#,
        player.0
    )
    .fetch_all(db)
    .await?;
    let mut ids = BTreeMap::<Section, Vec<i64>>::new();
    for row in rows {
        let section = usize::try_from(row.section).ok();
        if let Some(section) = section.and_then(|section| Section::ALL.get(section)) {
            ids.entry(*section).or_default().push(row.id);
        }
    }
    Ok(ids)
}

/// These rows of a section, each as a JSON object.
pub async fn rows(
    db: &Db,
    player: PlayerId,
    section: Section,
    ids: &[i64],
) -> Result<Vec<String>, Error> {
    Ok(match section {
        Section::Sessions => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('agent', agent, 'address', address, 'created_at', ms(created_at),
                       'seen_at', ms(seen_at), 'expires_at', ms(expires_at), 'passkey_at', ms(passkey_at))::text as "json!"
                   from sessions where id = any($1) order by id"#,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::PuzzleTries => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('puzzle', puzzle_id, 'solved', solved, 'before', before, 'after', after,
                       'at', ms(tried_at))::text as "json!"
                   from puzzle_tries where player_id = $1 and puzzle_id = any($2) order by puzzle_id"#,
                player.0,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::ComputerGames => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('id', id, 'key', key, 'game', game, 'setup', setup, 'level', level, 'seat', seat,
                       'moves', moves, 'result', result, 'score', jsonb_build_array(score1, score2),
                       'started_at', ms(started_at), 'finished_at', ms(finished_at))::text as "json!"
                   from computer_games where id = any($1) order by id"#,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::Challenges => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('from', from_id, 'to', to_id, 'game', game, 'setup', setup, 'clock', clock,
                       'rated', rated, 'created_at', ms(created_at), 'ended', closed_why)::text as "json!"
                   from challenges where id = any($1) order by id"#,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::Messages => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('place', place, 'text', text, 'at', ms(at))::text as "json!"
                   from messages where id = any($1) order by id"#,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::Tables => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('id', id, 'name', name, 'game', game, 'setup', setup, 'clock', clock,
                       'rated', rated, 'address', address, 'created_at', ms(created_at),
                       'closed_at', ms(closed_at))::text as "json!"
                   from open_tables where id = any($1) order by id"#,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::Reports | Section::Reported => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('place', place, 'text', text, 'reason', reason, 'at', ms(at))::text as "json!"
                   from reports where id = any($1) order by id"#,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::Acts => {
            sqlx::query_scalar!(
                r#"select jsonb_build_object('act', act, 'player', player, 'why', why, 'at', ms(at))::text as "json!"
                   from audit where id = any($1) order by id"#,
                ids
            )
            .fetch_all(db)
            .await?
        }
        Section::Matches => matches(db, player, ids).await?,
    })
}

/// These matches with all their events, each as a JSON object. Of a match whose pack is damaged, `events` is null.
async fn matches(db: &Db, player: PlayerId, ids: &[i64]) -> Result<Vec<String>, Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.setup, m.clock, ms(m.started_at) as "started_at!", p.events as "pack?",
                  jsonb_build_object('id', m.id, 'game', m.game, 'setup', m.setup, 'clock', m.clock, 'rated', m.rated,
                  'players', jsonb_build_array(a.name, b.name), 'seat', case when m.seat1 = $1 then 1 else 2 end,
                  'score', jsonb_build_array(m.score1, m.score2), 'winner', m.winner, 'reason', m.reason,
                  'started_at', ms(m.started_at), 'finished_at', ms(m.finished_at),
                  'annulled', exists (select from annulments n where n.match_id = m.id),
                  'notes', (select text from match_notes n where n.match_id = m.id and n.player_id = $1),
                  'sealed_moves', (select moves from sealed_moves s where s.match_id = m.id and s.player_id = $1),
                  'conditional_moves', (select lines from conditional_moves c where c.match_id = m.id and c.player_id = $1),
                  'rating', (
                      select jsonb_build_object('before', h.before, 'after', h.after, 'provisional', h.provisional)
                      from rating_history h where h.match_id = m.id and h.player_id = $1),
                  'events', case when p.match_id is null then coalesce((
                      select jsonb_agg(jsonb_build_object('version', e.version, 'event', e.kind, 'body', e.body::jsonb,
                          'at', ms(e.at)) order by e.version)
                      from match_events e where e.match_id = m.id), '[]') end
              )::text as "json!"
           from matches m join players a on a.id = m.seat1 join players b on b.id = m.seat2
           left join packed_matches p on p.match_id = m.id
           where m.id = any($2) order by m.id"#,
        player.0,
        ids
    )
    .fetch_all(db)
    .await?;
    let matches = rows.into_iter().map(|row| {
        let Some(pack) = row.pack else {
            return Ok(row.json);
        };
        let (id, started_at) = (MatchId(row.id), Timestamp(row.started_at));
        // No event depends on whether the match is rated.
        let terms = StoredTerms::new(row.game, row.setup, row.clock).read(false);
        let events = terms
            .and_then(|terms| packs::unpack(id, &terms, started_at, &pack))
            .and_then(|events| listed(&events))
            .with_subject(id)
            .log_failure("reading a packed match");
        let mut document: Value = serde_json::from_str(&row.json)
            .map_err(|error| Error::invariant(format!("a match as JSON: {error}")))?;
        document["events"] = json!(events);
        Ok(document.to_string())
    });
    matches.collect()
}

/// Packed events as the database lists those in rows.
fn listed(events: &[PastEvent]) -> Result<Vec<Value>, Error> {
    let listed = (1..).zip(events).map(|(version, past)| {
        let row = EventRow::of(version, past)?;
        let body: Value = serde_json::from_str(&row.stored.body)
            .map_err(|error| Error::invariant(format!("the body of an event: {error}")))?;
        Ok(json!({"version": version, "event": row.stored.kind, "body": body, "at": row.at.0}))
    });
    listed.collect()
}
