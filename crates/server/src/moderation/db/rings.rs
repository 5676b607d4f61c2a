//! Rings: players who have won most points from few, young, or same-address accounts.
//!
//! The cost is bounded: the best players of each game, and the latest matches of each ([`limits::RING_CANDIDATES_LEN`],
//! [`limits::RING_MATCHES_LEN`]). A farmed rating is among the best, also while it is shown with a question mark.

use crate::Error;
use crate::db::Db;
use crate::db::rows::{account, parse_stored_game, skip_unreadable};
use tochki_play::Rating;
use tochki_protocol::{Ring, RingOpponent, limits};
use tochki_rules::GameKind;

/// The suspected rings, the one with most points from such accounts first.
pub async fn list(db: &Db) -> Result<Vec<Ring>, Error> {
    let games: Vec<String> = GameKind::ALL
        .iter()
        .map(|game| game.id().to_owned())
        .collect();
    let rows = sqlx::query!(
        r#"with candidates as (
               select best.player_id, g.game, best.rating, best.ranked
               from unnest($1::text[]) as g (game), (values (false), (true)) as b (bot),
                   lateral (select player_id, rating, ranked from ratings
                       where game = g.game and bot = b.bot and listed and games >= 5
                       order by rating desc, player_id limit $2) best
               where best.rating > $3
           ), won as (
               select c.player_id, c.game, h.opponent_id, sum(h.points) as points, count(*) as matches,
                   coalesce(sum(h.points) filter (where h.young), 0) as from_young,
                   coalesce(sum(h.points) filter (where h.same_address), 0) as from_same,
                   bool_or(h.young) as young, bool_or(h.same_address) as same_address
               from candidates c, lateral (
                   select r.opponent_id, l.after - l.before as points, l.same_address, o.created_at > l.at - $4::interval as young
                   from (select * from rating_history where player_id = c.player_id and game = c.game
                         order by at desc limit $5) l
                   join results r on r.match_id = l.match_id and r.player_id = c.player_id
                   join players o on o.id = r.opponent_id
                   where not exists (select from annulments a where a.match_id = l.match_id)
               ) h
               group by c.player_id, c.game, h.opponent_id
           ), placed as (
               select *, row_number() over (partition by player_id, game order by points desc, opponent_id) as place from won
           ), summed as (
               select player_id, game, sum(matches)::bigint as matches,
                   coalesce(sum(points) filter (where points > 0), 0) as won,
                   coalesce(sum(points) filter (where place <= $6 and points > 0), 0) as from_few,
                   coalesce(sum(from_young), 0) as from_young, coalesce(sum(from_same), 0) as from_same
               from placed group by player_id, game
           ), listed as (
               select *, row_number() over (order by greatest(from_few, from_young, from_same) desc, player_id, game) as number
               from summed where greatest(from_few, from_young, from_same) > 0
               order by number limit $7
           )
           select l.number as "number!", l.game as "game!", c.rating as "rating!", c.ranked as "ranked!", l.matches as "matches!",
               l.won as "won!", l.from_few as "from_few!", l.from_young as "from_young!", l.from_same as "from_same!",
               p.id as "id!", p.name as "name!", p.guest as "guest!", p.bot as "bot!",
               o.id as "other_id!", o.name as "other_name!", o.guest as "other_guest!", o.bot as "other_bot!",
               w.points as "points!", w.matches as "met!", w.young as "young!", w.same_address as "same_address!"
           from listed l
           join candidates c on c.player_id = l.player_id and c.game = l.game
           join placed w on w.player_id = l.player_id and w.game = l.game and w.place <= $8 and w.points > 0
           join players p on p.id = l.player_id join players o on o.id = w.opponent_id
           order by l.number, w.place"#,
        &games,
        limits::RING_CANDIDATES_LEN,
        Rating::START.0,
        limits::RING_YOUNG_AGE as _,
        limits::RING_MATCHES_LEN,
        limits::RING_FEW_OPPONENTS,
        i64::from(limits::RINGS_LEN),
        limits::RING_OPPONENTS_LEN
    )
    .fetch_all(db)
    .await?;
    let count = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let mut rings: Vec<(i64, Result<Ring, Error>)> = Vec::new();
    for row in rows {
        if rings.last().is_none_or(|(number, _)| *number != row.number) {
            let ring = parse_stored_game(&row.game).map(|game| Ring {
                player: account(row.id, row.name, row.guest, row.bot),
                game,
                rating: row.rating,
                provisional: !row.ranked,
                matches: count(row.matches),
                won: row.won,
                from_few: row.from_few,
                from_young: row.from_young,
                from_same_address: row.from_same,
                opponents: Vec::new(),
            });
            rings.push((row.number, ring));
        }
        if let Some((_, Ok(ring))) = rings.last_mut() {
            ring.opponents.push(RingOpponent {
                player: account(row.other_id, row.other_name, row.other_guest, row.other_bot),
                points: row.points,
                matches: count(row.met),
                young: row.young,
                same_address: row.same_address,
            });
        }
    }
    Ok(skip_unreadable(rings.into_iter().map(|(_, ring)| ring)))
}
