//! Puzzles: lists, tries and ratings. The server judges every move by the rules and the stored line.

pub mod db;

use crate::attempts::client_address::ClientAddress;
use crate::db::Db;
use crate::shared_read::CachedRead;
use crate::{Error, matches, now};
use std::sync::Arc;
use tochki_play::Millis;
use tochki_protocol::limits;
use tochki_protocol::{
    Account, ApiError, Code, MatchId, PlayerId, PuzzleAnswer, PuzzleHelp, PuzzleId, PuzzleOverview,
    PuzzleRating, PuzzleRatingChange, PuzzleRow, PuzzleState, PuzzleStep, PuzzleView,
};
use tochki_puzzles::{JudgeError, Puzzle, PuzzleRatings, Verdict, rate};
use tochki_rules::{GameKind, Move, MoveError};

/// The puzzles of all players.
#[derive(Clone)]
pub struct Puzzles {
    db: Db,
    /// The puzzle of the day as visitors see it, on the front page.
    daily: Arc<CachedRead<Option<PuzzleView>>>,
}

impl Puzzles {
    /// Stores the puzzles that come with the program, if they are not there yet.
    pub(crate) async fn open(db: Db) -> Result<Self, Error> {
        add(&db, tochki_puzzles::seed(), None).await?;
        let daily = Arc::new(CachedRead::new(limits::FRONT_PAGE_MAX_AGE));
        Ok(Self { db, daily })
    }

    /// The lists of puzzles.
    pub async fn overview(&self, viewer: Option<&Account>) -> Result<PuzzleOverview, Error> {
        let player = viewer.and_then(rated);
        let mine = self.rating(player).await?;
        let near = mine.map_or(PuzzleRatings::START, |mine| mine.rating);
        let mut rows = Vec::new();
        for &game in GameKind::ALL {
            for step in PuzzleStep::ALL {
                let [low, high] = step.bounds();
                // Visitors begin with the easiest of each step.
                let near = if player.is_some() { near } else { low };
                let found = db::between(&self.db, game.id(), [low, high], player, near).await?;
                rows.extend(found.map(|(count, next)| PuzzleRow {
                    game,
                    step,
                    count,
                    next,
                }));
            }
        }
        let daily = self.of_day(viewer).await?;
        Ok(PuzzleOverview { daily, rows, mine })
    }

    /// The puzzle of the day as visitors see it. It may be [`limits::FRONT_PAGE_MAX_AGE`] old.
    pub async fn daily(&self) -> Result<Option<PuzzleView>, Error> {
        self.daily.get(async || self.of_day(None).await).await
    }

    async fn of_day(&self, viewer: Option<&Account>) -> Result<Option<PuzzleView>, Error> {
        match db::of_day(&self.db, now().0 / Millis::DAY.0).await? {
            Some(id) => self.view(id, "", viewer).await.map(Some),
            None => Ok(None),
        }
    }

    /// A puzzle after these moves of the solver. Moves that are not right are left out.
    pub async fn view(
        &self,
        id: PuzzleId,
        moves: &str,
        viewer: Option<&Account>,
    ) -> Result<PuzzleView, Error> {
        let (stored, puzzle) = self.read(id).await?;
        let player = viewer.and_then(rated);
        let first_try = match player {
            Some(player) => db::first_try(&self.db, player, id).await?,
            None => None,
        };
        let judged = read_moves(&puzzle, moves).map(|moves| puzzle.judge(&moves));
        let (line, solved) = match judged {
            Ok(Ok(Verdict::Right { played })) => (played, false),
            Ok(Ok(Verdict::Solved { played })) => (played, true),
            _ => (Vec::new(), false),
        };
        Ok(PuzzleView {
            id,
            setup: puzzle.setup(),
            moves: texts(puzzle.moves()),
            line: texts(&line),
            solved,
            seat: puzzle.solver(),
            theme: puzzle.theme().id().to_owned(),
            rating: stored.rating,
            tries: stored.tries,
            first_try,
            next: db::next(&self.db, id, player).await?.unwrap_or(id),
        })
    }

    /// Judges the moves of a solver. The first try of a player with a rating counts: once it is wrong or solved. Solving it
    /// counts for no rating where the solution was shown, or found without a rated try.
    pub async fn try_moves(
        &self,
        id: PuzzleId,
        moves: &str,
        viewer: Option<&Account>,
        client: &ClientAddress,
    ) -> Result<PuzzleAnswer, Error> {
        let (_, puzzle) = self.read(id).await?;
        let moves = read_moves(&puzzle, moves)?;
        if moves.is_empty() {
            return Err(Code::BadRequest.into());
        }
        let verdict = puzzle.judge(&moves).map_err(refused)?;
        let player = viewer.and_then(rated);
        let (state, played, rating) = match verdict {
            Verdict::Right { played } => (PuzzleState::Right, played, None),
            Verdict::Solved { played } => {
                let rating = self.count(player, id, true, client).await?;
                if player.is_none() {
                    self.note_shown(id, client).await?;
                }
                (PuzzleState::Solved, played, rating)
            }
            Verdict::Wrong { played, .. } => (
                PuzzleState::Wrong,
                played,
                self.count(player, id, false, client).await?,
            ),
        };
        Ok(PuzzleAnswer {
            state,
            line: texts(&played),
            rating,
        })
    }

    /// The next move after these moves of the solver, or the whole line. Asking for it forfeits the puzzle.
    pub async fn help(
        &self,
        id: PuzzleId,
        moves: &str,
        whole: bool,
        viewer: Option<&Account>,
        client: &ClientAddress,
    ) -> Result<PuzzleHelp, Error> {
        let (_, puzzle) = self.read(id).await?;
        let line = if whole {
            [puzzle.line(), puzzle.rest()].concat()
        } else {
            let moves = read_moves(&puzzle, moves)?;
            puzzle.next_move(&moves).into_iter().collect()
        };
        self.count(viewer.and_then(rated), id, false, client)
            .await?;
        self.note_shown(id, client).await?;
        Ok(PuzzleHelp { line: texts(&line) })
    }

    /// The solution is known at this address now.
    async fn note_shown(&self, id: PuzzleId, client: &ClientAddress) -> Result<(), Error> {
        db::note_shown(&self.db, id, &place_of(client)).await
    }

    /// Counts the first try of a player; nothing if there was one before. A solution that was known changes neither rating.
    async fn count(
        &self,
        player: Option<PlayerId>,
        id: PuzzleId,
        solved: bool,
        client: &ClientAddress,
    ) -> Result<Option<PuzzleRatingChange>, Error> {
        let Some(player) = player else {
            return Ok(None);
        };
        let mut tx = crate::db::begin(&self.db).await?;
        let locked = db::lock_ratings(&mut tx, player, id, PuzzleRatings::START).await?;
        let Some([(before, own_tries), (puzzle, its_tries)]) = locked else {
            return Ok(None);
        };
        if solved && db::is_shown(&mut tx, id, &place_of(client)).await? {
            db::add_unrated_try(&mut tx, (player, id), before).await?;
            tx.commit().await?;
            return Ok(None);
        }
        let ratings = PuzzleRatings {
            solver: before,
            puzzle,
        };
        let after = rate(ratings, [own_tries, its_tries], solved);
        let both = [after.solver, after.puzzle];
        db::add_try(&mut tx, (player, id), solved, before, both).await?;
        tx.commit().await?;
        Ok(Some(PuzzleRatingChange {
            before,
            after: after.solver,
        }))
    }

    async fn rating(&self, player: Option<PlayerId>) -> Result<Option<PuzzleRating>, Error> {
        let Some(player) = player else {
            return Ok(None);
        };
        let rating = db::rating(&self.db, player).await?;
        Ok(Some(rating.unwrap_or(PuzzleRating {
            rating: PuzzleRatings::START,
            tries: 0,
            solved: 0,
        })))
    }

    async fn read(&self, id: PuzzleId) -> Result<(db::StoredPuzzle, Puzzle), Error> {
        let stored = db::read(&self.db, id).await?;
        let stored = stored.ok_or(Code::NoSuchPuzzle)?;
        let puzzle = stored.notation.parse();
        let puzzle = puzzle.map_err(|_| Error::invariant(format!("puzzle {id} does not read")))?;
        Ok((stored, puzzle))
    }
}

/// Stores puzzles that are not there yet, and says how many these were. Notations that do not read are left out.
pub async fn add<'a>(
    db: &Db,
    notations: impl Iterator<Item = &'a str>,
    found_in: Option<MatchId>,
) -> Result<u64, Error> {
    let notations: Vec<&str> = notations.collect();
    // To read a notation is to play its game, so only new ones are read: most starts of a server have none.
    let missing = db::missing(db, &notations).await?;
    if missing.is_empty() {
        return Ok(0);
    }
    let puzzles = missing.into_iter().filter_map(|notation| {
        let puzzle: Puzzle = notation.parse().ok()?;
        Some(db::NewPuzzle {
            notation,
            game: puzzle.setup().kind().id(),
            theme: puzzle.theme().id(),
            rating: f64::from(puzzle.difficulty()),
        })
    });
    db::add(db, &puzzles.collect::<Vec<_>>(), found_in).await
}

/// Lets `find` look through finished matches that were not looked at yet, and stores the puzzles that it finds. Returns how
/// many matches there were, and how many new puzzles; no match means that nothing is left.
pub async fn search(
    db: &Db,
    matches: i64,
    mut find: impl FnMut(&tochki_rules::Setup, &[Move]) -> Vec<Puzzle>,
) -> Result<(usize, u64), Error> {
    let ids = db::unsearched(db, matches).await?;
    let mut added = 0;
    for past in matches::db::replayed_matches::read(db, &ids).await? {
        // A broken record has no puzzles.
        if let Ok(game) = &past.game {
            let plies = game.plies();
            let in_turn: Vec<Move> = plies.iter().map(|ply| ply.mv).collect();
            let setup = game.position().setup();
            let found = find(&setup, &in_turn);
            let notations: Vec<String> = found.iter().map(ToString::to_string).collect();
            added += add(db, notations.iter().map(|it| &**it), Some(past.id)).await?;
        }
        db::searched(db, past.id).await?;
    }
    Ok((ids.len(), added))
}

/// The address by which it is known where a solution was shown: of IPv6 the site, of which its owner may have any.
fn place_of(client: &ClientAddress) -> String {
    client.site().unwrap_or(client.address).to_string()
}

/// The player whose puzzle rating counts: a person with an account. An engine may play for a bot.
fn rated(viewer: &Account) -> Option<PlayerId> {
    (!viewer.guest && !viewer.bot).then_some(viewer.id)
}

/// Reads moves with blanks between them.
fn read_moves(puzzle: &Puzzle, moves: &str) -> Result<Vec<Move>, Error> {
    let read = |text| puzzle.start().parse_move(text);
    let moves: Result<Vec<Move>, MoveError> = moves.split_ascii_whitespace().map(read).collect();
    moves.map_err(|error| refused(JudgeError::Refused(error)))
}

fn refused(error: JudgeError) -> Error {
    match error {
        JudgeError::TooMany => Code::BadRequest.into(),
        JudgeError::Refused(MoveError::Malformed) => Code::MalformedMove.into(),
        JudgeError::Refused(MoveError::Illegal(reason)) => Error::Refused(ApiError {
            reason: Some(reason),
            ..Code::Illegal.into()
        }),
    }
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
