//! Accounts that entered a tournament at one address.

use crate::Error;
use crate::db::Db;
use sqlx::types::Json;
use tochki_play::Timestamp;
use tochki_protocol::{Account, SharedAddress, TournamentId, TournamentLink, limits};

/// The accounts that entered a tournament at one address, the latest first.
pub async fn list(db: &Db) -> Result<Vec<SharedAddress>, Error> {
    const {
        assert!(
            limits::SHARED_ADDRESSES_LEN == 50,
            "the number in the query"
        );
        assert!(
            limits::SHARED_ADDRESS_PLAYERS == 10,
            "the number in the query"
        );
    };
    let rows = sqlx::query!(
        r#"with shared as materialized (
               select tournament_id, first_id, max(at) as at from shared_addresses
               group by tournament_id, first_id order by max(at) desc limit 50
           ), members as materialized (
               select g.tournament_id, g.first_id, e.number, e.player_id
               from shared g join tournament_entrants e on e.tournament_id = g.tournament_id
               where e.player_id = g.first_id or exists (
                   select from shared_addresses s
                   where s.tournament_id = g.tournament_id and s.first_id = g.first_id and s.player_id = e.player_id)
           )
           select g.tournament_id as "tournament_id!", r.name as "name!", ms(g.at) as "at!",
               coalesce((
                   select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'guest', p.guest, 'bot', p.bot) order by f.number)
                   from (
                       select m.number, m.player_id from members m
                       where m.tournament_id = g.tournament_id and m.first_id = g.first_id order by m.number limit 10) f
                   join players p on p.id = f.player_id), '[]') as "players!: Json<Vec<Account>>",
               (select count(*) from members m where m.tournament_id = g.tournament_id and m.first_id = g.first_id) as "count!",
               met.games as "games!", met.uncounted as "uncounted!"
           from shared g join read_tournaments r on r.id = g.tournament_id
           cross join lateral (
               select count(*) as games, count(*) filter (where p.counts = false) as uncounted
               from tournament_pairings p
               join members a on a.tournament_id = g.tournament_id and a.first_id = g.first_id and a.number = p.first
               join members b on b.tournament_id = g.tournament_id and b.first_id = g.first_id and b.number = p.second
               where p.tournament_id = g.tournament_id and p.match_id is not null) met
           order by g.at desc, g.tournament_id, g.first_id"#
    )
    .fetch_all(db)
    .await?;
    let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let shared = rows.into_iter().map(|row| SharedAddress {
        tournament: TournamentLink {
            id: TournamentId(row.tournament_id),
            name: row.name,
        },
        players: row.players.0,
        count: count(row.count),
        games: count(row.games),
        uncounted: count(row.uncounted),
        at: Timestamp(row.at),
    });
    Ok(shared.collect())
}
