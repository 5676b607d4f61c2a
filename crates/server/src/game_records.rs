//! Games that were played, in the forms in which they are taken away.

use crate::db::finished_matches::PastMatch;
use serde::Serialize;
use tochki_protocol::{MatchId, PlayerCard};
use tochki_rules::record::{Record, Side};
use tochki_rules::{Seat, Setup};

impl PastMatch {
    /// The game on paper, if it is kept there.
    pub fn record(&self) -> Option<Record> {
        self.game.record(sides(&self.players), self.started_at)
    }

    /// The game as one line of JSON, as `tochki replay` reads it, with what else there is to say about it.
    pub fn line(&self) -> String {
        let result = self.game.result();
        let plies = self.game.plies();
        let line = Line {
            id: self.id,
            setup: self.game.terms().setup,
            moves: plies.iter().map(|ply| ply.mv.to_string()).collect(),
            seats: plies.iter().map(|ply| ply.seat).collect(),
            players: self.players.each_ref().map(|player| &*player.name),
            started_at: self.started_at.0,
            winner: result
                .and_then(|result| result.winner)
                .map_or(0, Seat::number),
            reason: result.map(|result| result.reason.word()),
        };
        // Numbers and texts can always be written as JSON.
        serde_json::to_string(&line).unwrap_or_default()
    }
}

/// Both players as a record names them.
pub(super) fn sides(players: &[PlayerCard; 2]) -> [Side; 2] {
    players.each_ref().map(|player| Side {
        name: player.name.clone(),
        rank: format!("{:.0}", player.rating),
    })
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "match")]
    id: MatchId,
    /// `game` and `setup`.
    #[serde(flatten)]
    setup: Setup,
    moves: Vec<String>,
    seats: Vec<Seat>,
    players: [&'a str; 2],
    started_at: i64,
    winner: u8,
    reason: Option<&'static str>,
}
