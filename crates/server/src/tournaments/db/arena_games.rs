//! The players and the games of an arena, as its file has them.

use crate::Error;
use crate::db::Db;
use tochki_protocol::{TournamentId, limits};

/// A player of an arena.
pub struct ArenaPlayer {
    /// The place in the order of joining.
    pub number: i32,
    /// The name of today.
    pub name: String,
    /// Whether the player was removed, or the account closed: then the standings leave out the player.
    pub removed: bool,
}

/// The players of an arena in the order of joining: those who stayed to the start, and those who have played.
pub async fn players(db: &Db, id: TournamentId) -> Result<Vec<ArenaPlayer>, Error> {
    Ok(sqlx::query_as!(
        ArenaPlayer,
        r#"select e.number, p.name, (e.state = 'removed' or p.closed_at is not null) as "removed!"
           from tournament_entrants e join players p on p.id = e.player_id
           where e.tournament_id = $1 and (e.state in ('here', 'paused') or e.sheet is not null) order by e.number"#,
        id.0
    )
    .fetch_all(db)
    .await?)
}

/// A game of an arena that counts.
pub struct ArenaGame {
    /// The number of its pairing.
    pub id: i64,
    /// The places in the order of joining, the one with the first move in front.
    pub numbers: [i32; 2],
    /// The winner, or 0 for a draw.
    pub winner: i32,
    /// The moves of both.
    pub moves: Vec<i32>,
    /// The ratings of both before the game, rounded.
    pub ratings: [i32; 2],
    /// Whether a side stayed away.
    pub forfeit: bool,
    /// Whether each halved the own clock.
    pub berserk: Vec<bool>,
}

/// The games that count after the one with this number, in the order in which they were paired: of each player it is that of their ends.
pub async fn after(db: &Db, id: TournamentId, last: i64) -> Result<Vec<ArenaGame>, Error> {
    const {
        assert!(
            limits::ARENA_FILE_BATCH_LEN == 500,
            "the number in the query"
        );
    };
    let rows = sqlx::query!(
        r#"select p.id, p.first, p.second as "second!", coalesce(p.winner, 0) as "winner!", p.forfeit,
                  coalesce(p.moves, '{0,0}') as "moves!", coalesce(p.berserk, '{false,false}') as "berserk!",
                  m.rating1, m.rating2
           from tournament_pairings p join matches m on m.id = p.match_id
           where p.tournament_id = $1 and p.id > $2 and p.counts order by p.id limit 500"#,
        id.0,
        last
    )
    .fetch_all(db)
    .await?;
    let games = rows.into_iter().map(|row| ArenaGame {
        id: row.id,
        numbers: [row.first, row.second],
        winner: row.winner,
        moves: row.moves,
        // As they are folded.
        ratings: [row.rating1, row.rating2].map(|rating| rating.round() as i32),
        forfeit: row.forfeit,
        berserk: row.berserk,
    });
    Ok(games.collect())
}
