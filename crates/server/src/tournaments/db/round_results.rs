//! All results of a tournament of rounds, as its standings and the next pairings read them.

use crate::Error;
use crate::db::Db;
use crate::db::rows::{account, parse_stored};
use sqlx::types::Json;
use tochki_protocol::{Account, ByeKind, EntrantState, TournamentId};
use tochki_rules::Seat;
use tochki_tournaments::arena::Sheet;

/// An entrant of a tournament of rounds.
pub struct ListedEntrant {
    /// The player.
    pub account: Account,
    /// The state.
    pub state: EntrantState,
    /// The rating by which a Swiss numbers its players, or the place in the table of a round robin.
    pub seed: Option<i32>,
    /// Whether the account is closed.
    pub closed: bool,
    /// The fold of the games, which has the performance.
    pub sheet: Sheet,
}

/// All entrants, in the order of joining: each at the place of its number.
pub async fn entrants(db: &Db, id: TournamentId) -> Result<Vec<ListedEntrant>, Error> {
    let rows = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, p.closed_at is not null as "closed!", e.state, e.seed, e.sheet as "sheet: Json<Sheet>"
           from tournament_entrants e join players p on p.id = e.player_id where e.tournament_id = $1 order by e.number"#,
        id.0
    )
    .fetch_all(db)
    .await?;
    let entrants = rows.into_iter().map(|row| {
        Ok(ListedEntrant {
            account: account(row.id, row.name, row.guest, row.bot),
            state: parse_stored(&row.state, EntrantState::read(&row.state))?,
            seed: row.seed,
            closed: row.closed,
            sheet: row.sheet.map(|sheet| sheet.0).unwrap_or_default(),
        })
    });
    entrants.collect()
}

/// A part of a round, with the numbers of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A game that has ended, or a forfeit without one.
    Ended {
        /// The players, the one with the first move in front.
        numbers: [i32; 2],
        /// The winner; `None` for a draw.
        winner: Option<Seat>,
        /// Whether a side stayed away.
        forfeit: bool,
        /// The dots, discs or boxes of both.
        board: [u32; 2],
    },
    /// A game that runs, or that counts for nothing.
    Open {
        /// The players, the one with the first move in front.
        numbers: [i32; 2],
    },
    /// A round without an opponent.
    Bye {
        /// The player.
        number: i32,
        /// The kind.
        kind: ByeKind,
    },
}

/// All parts of all rounds, each with its round, in their order.
pub async fn parts(db: &Db, id: TournamentId) -> Result<Vec<(u32, Part)>, Error> {
    let rows = sqlx::query!(
        r#"select round, first, second, winner, forfeit, coalesce(counts, false) as "counts!", bye, board
           from tournament_pairings where tournament_id = $1 order by id"#,
        id.0
    )
    .fetch_all(db)
    .await?;
    let parts = rows.into_iter().map(|row| {
        let part = match (row.second, row.bye, row.winner) {
            (None, bye, _) => {
                let bye = bye.unwrap_or_default();
                Part::Bye {
                    number: row.first,
                    kind: parse_stored(&bye, ByeKind::read(&bye))?,
                }
            }
            (Some(second), _, Some(winner)) if row.counts => Part::Ended {
                numbers: [row.first, second],
                winner: u8::try_from(winner)
                    .ok()
                    .and_then(|winner| winner.try_into().ok()),
                forfeit: row.forfeit,
                board: match row.board.as_deref() {
                    Some(&[first, second]) => [first, second].map(i32::cast_unsigned),
                    _ => [0, 0],
                },
            },
            (Some(second), ..) => Part::Open {
                numbers: [row.first, second],
            },
        };
        Ok((row.round.cast_unsigned(), part))
    });
    parts.collect()
}
