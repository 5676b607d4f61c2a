//! Conversion of played games to game records (SGF, JSON lines).

use crate::Error;
use crate::matches::db::replayed_matches::ReplayedMatch;
use tochki_play::Match;
use tochki_protocol::{ArchiveLine, ArchivedGame, BrokenGame, Code, PlayerCard};
use tochki_rules::Seat;
use tochki_rules::record::{Dialect, RecordPlayer};

impl ReplayedMatch {
    /// The game in SGF, if its games are kept so. A broken record is a game without moves, whose comment says so.
    pub fn sgf(&self, dialect: Dialect) -> Option<String> {
        match self.game() {
            Ok(game) => {
                let record = game.record(record_players(&self.players), self.started_at)?;
                Some(record.written_as(dialect))
            }
            Err(message) => Some(format!(
                "(;GM[40]FF[4]CA[UTF-8]C[Match {}: {message}])\n",
                self.id
            )),
        }
    }

    /// The game as one line of JSON, as `tochki replay` reads it, with what else there is to say about it. A broken record
    /// is a line with the error instead of the moves.
    ///
    /// # Errors
    ///
    /// If it cannot be written as JSON, which would be a bug.
    pub fn line(&self) -> Result<String, Error> {
        serde_json::to_string(&self.archive_line())
            .map_err(|error| Error::invariant(format!("a line of an archive: {error}")))
    }

    fn archive_line(&self) -> ArchiveLine {
        let game = match self.game() {
            Ok(game) => game,
            Err(message) => {
                return ArchiveLine::Broken(BrokenGame {
                    id: self.id,
                    code: Code::BrokenRecord,
                    message,
                });
            }
        };
        let result = game.result();
        let plies = game.plies();
        ArchiveLine::Game(ArchivedGame {
            id: self.id,
            setup: game.terms().setup,
            moves: plies.iter().map(|ply| ply.mv.to_string()).collect(),
            seats: plies.iter().map(|ply| ply.seat).collect(),
            players: self.players.each_ref().map(|player| player.name.clone()),
            started_at: self.started_at,
            winner: result
                .and_then(|result| result.winner)
                .map_or(0, Seat::number),
            reason: result.map(|result| result.reason),
        })
    }

    /// The game, or the error message in its place.
    fn game(&self) -> Result<&Match, &'static str> {
        let broken = Code::BrokenRecord.message();
        self.game.as_ref().map_err(|_| broken)
    }
}

/// Logs the errors of the broken records among these matches: files have only a sentence in their place.
pub(crate) fn log_broken(matches: &[ReplayedMatch]) {
    for past in matches {
        if let Err(error) = &past.game
            && let Some(failure) = error.failure()
        {
            tracing::error!(%failure, "a match is missing in an archive");
        }
    }
}

/// Both players of a game record.
pub(crate) fn record_players(players: &[PlayerCard; 2]) -> [RecordPlayer; 2] {
    players.each_ref().map(|player| RecordPlayer {
        name: player.name.clone(),
        // A guest has no rating, and an empty rank is not written.
        rank: match (player.guest, player.provisional) {
            (true, _) => String::new(),
            (false, true) => format!("{:.0}?", player.rating),
            (false, false) => format!("{:.0}", player.rating),
        },
    })
}
