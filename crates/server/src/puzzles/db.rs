//! Puzzles, first tries at them, and the ratings of both.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_protocol::{MatchId, PlayerId, PuzzleId, PuzzleRating, limits};

/// A puzzle.
pub struct StoredPuzzle {
    /// The puzzle.
    pub id: PuzzleId,
    /// The puzzle in the notation of `tochki-puzzles`.
    pub notation: String,
    /// Its rating.
    pub rating: f64,
    /// First tries that have moved the rating.
    pub tries: u32,
}

/// A puzzle to be stored, by the columns that a query looks at.
pub struct NewPuzzle {
    /// The puzzle in the notation of `tochki-puzzles`.
    pub notation: String,
    /// The name of its game.
    pub game: &'static str,
    /// The name of its theme.
    pub theme: &'static str,
    /// The estimate.
    pub rating: f64,
}

/// Returns the notations among these whose puzzles are not there yet, in this order.
pub async fn missing(db: &Db, notations: &[&str]) -> Result<Vec<String>, Error> {
    let missing = sqlx::query_scalar!(
        r#"select notation as "notation!" from unnest($1::text[]) with ordinality as given (notation, place)
           where not exists (select from puzzles p where md5(p.notation) = md5(given.notation)) order by place"#,
        notations as _
    )
    .fetch_all(db)
    .await?;
    Ok(missing)
}

/// Stores the puzzles that are not there yet, in this order, and says how many these were.
pub async fn add(db: &Db, puzzles: &[NewPuzzle], found_in: Option<MatchId>) -> Result<u64, Error> {
    let notations: Vec<&str> = puzzles.iter().map(|it| &*it.notation).collect();
    let games: Vec<&str> = puzzles.iter().map(|it| it.game).collect();
    let themes: Vec<&str> = puzzles.iter().map(|it| it.theme).collect();
    let ratings: Vec<f64> = puzzles.iter().map(|it| it.rating).collect();
    let added = sqlx::query!(
        "insert into puzzles (notation, game, theme, rating, match_id)
         select notation, game, theme, rating, $5
         from unnest($1::text[], $2::text[], $3::text[], $4::float8[])
             with ordinality as given (notation, game, theme, rating, place)
         where not exists (select from puzzles p where md5(p.notation) = md5(given.notation))
         order by place
         on conflict do nothing",
        &notations as _,
        &games as _,
        &themes as _,
        &ratings,
        found_in.map(|id| id.0)
    )
    .execute(db)
    .await?;
    Ok(added.rows_affected())
}

/// The puzzle with this id.
pub async fn read(db: &Db, id: PuzzleId) -> Result<Option<StoredPuzzle>, Error> {
    let row = sqlx::query!(
        "select id, notation, rating, tries from puzzles where id = $1",
        id.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| StoredPuzzle {
        id: PuzzleId(row.id),
        notation: row.notation,
        rating: row.rating,
        tries: row.tries.cast_unsigned(),
    }))
}

/// The puzzle of a day, counted from 1970. Days that follow each other have puzzles that are far apart.
pub async fn of_day(db: &Db, day: i64) -> Result<Option<PuzzleId>, Error> {
    let id = sqlx::query_scalar!(
        "select id from puzzles order by id
         offset ($1::bigint * 619) % greatest((select count(*) from puzzles), 1) limit 1",
        day
    )
    .fetch_optional(db)
    .await?;
    Ok(id.map(PuzzleId))
}

/// How many puzzles of a game have a rating between these, and one of them: one that the player has not tried, the nearest to
/// `near` first.
pub async fn between(
    db: &Db,
    game: &str,
    [low, high]: [f64; 2],
    player: Option<PlayerId>,
    near: f64,
) -> Result<Option<(u32, PuzzleId)>, Error> {
    let row = sqlx::query!(
        r#"select count(*) over () as "count!", id from puzzles p
           where game = $1 and rating >= $2 and rating < $3
           order by exists (select from puzzle_tries t where t.puzzle_id = p.id and t.player_id = $4), abs(rating - $5), id
           limit 1"#,
        game,
        low,
        high,
        player.map(|player| player.0),
        near
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| {
        (
            u32::try_from(row.count).unwrap_or(u32::MAX),
            PuzzleId(row.id),
        )
    }))
}

/// The puzzle to go on with: of the same game, untried if there is one, the next in difficulty, or else the easiest.
pub async fn next(
    db: &Db,
    after: PuzzleId,
    player: Option<PlayerId>,
) -> Result<Option<PuzzleId>, Error> {
    let id = sqlx::query_scalar!(
        "select p.id from puzzles here join puzzles p on p.game = here.game and p.id <> here.id
         where here.id = $1
         order by exists (select from puzzle_tries t where t.puzzle_id = p.id and t.player_id = $2),
             (p.rating, p.id) < (here.rating, here.id), p.rating, p.id
         limit 1",
        after.0,
        player.map(|player| player.0)
    )
    .fetch_optional(db)
    .await?;
    Ok(id.map(PuzzleId))
}

/// Returns whether the player's first try solved the puzzle, if there was one.
pub async fn first_try(db: &Db, player: PlayerId, puzzle: PuzzleId) -> Result<Option<bool>, Error> {
    Ok(sqlx::query_scalar!(
        "select solved from puzzle_tries where player_id = $1 and puzzle_id = $2",
        player.0,
        puzzle.0
    )
    .fetch_optional(db)
    .await?)
}

/// A player's rating.
pub async fn rating(db: &Db, player: PlayerId) -> Result<Option<PuzzleRating>, Error> {
    let row = sqlx::query!(
        "select rating, tries, solved from puzzle_ratings where player_id = $1",
        player.0
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| PuzzleRating {
        rating: row.rating,
        tries: row.tries.cast_unsigned(),
        solved: row.solved.cast_unsigned(),
    }))
}

/// Locks the ratings of a player and of a puzzle, the player's first: each with its number of tries. Nothing if the player has
/// tried the puzzle already.
pub async fn lock_ratings(
    tx: &mut Tx,
    player: PlayerId,
    puzzle: PuzzleId,
    start: f64,
) -> Result<Option<[(f64, u32); 2]>, Error> {
    sqlx::query!(
        "insert into puzzle_ratings (player_id, rating) values ($1, $2) on conflict do nothing",
        player.0,
        start
    )
    .execute(&mut **tx)
    .await?;
    let mine = sqlx::query!(
        "select rating, tries from puzzle_ratings where player_id = $1 for update",
        player.0
    )
    .fetch_one(&mut **tx)
    .await?;
    let tried = sqlx::query_scalar!(
        r#"select exists (select from puzzle_tries where player_id = $1 and puzzle_id = $2) as "tried!""#,
        player.0,
        puzzle.0
    )
    .fetch_one(&mut **tx)
    .await?;
    if tried {
        return Ok(None);
    }
    let its = sqlx::query!(
        "select rating, tries from puzzles where id = $1 for no key update",
        puzzle.0
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(Some([
        (mine.rating, mine.tries.cast_unsigned()),
        (its.rating, its.tries.cast_unsigned()),
    ]))
}

/// Stores a first try with both new ratings. The rows are locked.
pub async fn add_try(
    tx: &mut Tx,
    (player, puzzle): (PlayerId, PuzzleId),
    solved: bool,
    before: f64,
    [mine, its]: [f64; 2],
) -> Result<(), Error> {
    sqlx::query!(
        "insert into puzzle_tries (player_id, puzzle_id, solved, before, after) values ($1, $2, $3, $4, $5)",
        player.0,
        puzzle.0,
        solved,
        before,
        mine
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update puzzle_ratings set rating = $2, tries = tries + 1, solved = solved + $3::boolean::integer where player_id = $1",
        player.0,
        mine,
        solved
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update puzzles set rating = $2, tries = tries + 1 where id = $1",
        puzzle.0,
        its
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Stores a first try that solved a puzzle whose solution was known, so that neither rating changes. The rows are locked.
pub async fn add_unrated_try(
    tx: &mut Tx,
    (player, puzzle): (PlayerId, PuzzleId),
    rating: f64,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into puzzle_tries (player_id, puzzle_id, solved, before, after) values ($1, $2, true, $3, $3)",
        player.0,
        puzzle.0,
        rating
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The solution of a puzzle was shown at an address.
pub async fn note_shown(db: &Db, puzzle: PuzzleId, address: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into puzzles_shown (puzzle_id, address) values ($1, $2)
         on conflict (puzzle_id, address) do update set shown_at = now()",
        puzzle.0,
        address
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns whether the solution of a puzzle was shown at an address within [`limits::PUZZLE_SHOWN_LIFETIME`].
pub async fn is_shown(tx: &mut Tx, puzzle: PuzzleId, address: &str) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from puzzles_shown
               where puzzle_id = $1 and address = $2 and shown_at > now() - $3::interval) as "shown!""#,
        puzzle.0,
        address,
        limits::PUZZLE_SHOWN_LIFETIME as _
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Forgets where solutions were shown [`limits::PUZZLE_SHOWN_LIFETIME`] ago.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "delete from puzzles_shown where shown_at < now() - $1::interval",
        limits::PUZZLE_SHOWN_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Finished matches after the one that was looked at last, oldest first.
pub async fn unsearched(db: &Db, limit: i64) -> Result<Vec<MatchId>, Error> {
    let ids = sqlx::query_scalar!(
        "select id from matches
         where id > coalesce((select match_id from puzzle_search), 0) and finished_at is not null and reason <> 'aborted'
         order by id limit $1",
        limit
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// Records the last match that was searched for puzzles.
pub async fn searched(db: &Db, last: MatchId) -> Result<(), Error> {
    sqlx::query!(
        "insert into puzzle_search (match_id) values ($1)
         on conflict (only_one) do update set match_id = greatest(puzzle_search.match_id, excluded.match_id)",
        last.0
    )
    .execute(db)
    .await?;
    Ok(())
}
